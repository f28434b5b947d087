/** For tests: what a worker works with, and a partner that answers calls as the test says. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestRun, testId } from '../testing.ts'
import type { WorkContext } from './work.ts'

/** With the clock of the run; without settings and without mail to anybody outside. */
export const workContext = (run: Pick<TestRun, 'now'>, more: Partial<WorkContext> = {}): WorkContext => ({
  now: () => run.now,
  newId: testId,
  random: () => 0,
  variable: () => undefined,
  smtp: null,
  from: 'desk@example.com',
  locale: 'en',
  worker: 'worker-1',
  signal: new AbortController().signal,
  ...more,
})

export interface Received {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Its idempotency key. */
  readonly key: string
  readonly body: string
}

/** A body that is no text goes as JSON. `silence`: it hangs up; `never`: it says nothing at all. */
type Answer =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'silence'
  | 'never'

export interface Partner {
  readonly url: string
  received: Received[]
  /** `nth`: how many it has received, this one included. */
  answer: (one: Received, nth: number) => Answer
  readonly stop: () => void
}

export async function startPartner(): Promise<Partner> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (piece: Buffer) => {
      body += piece.toString()
    })
    request.on('end', () => {
      const one = { url: request.url!, headers: request.headers, key: String(request.headers['idempotency-key']), body }
      partner.received.push(one)
      const said = partner.answer(one, partner.received.length)
      if (said === 'silence') return request.socket.destroy()
      if (said === 'never') return
      response.writeHead(said.status, { 'content-type': 'application/json', ...said.headers })
      response.end(said.body === undefined || typeof said.body === 'string' ? said.body : JSON.stringify(said.body))
    })
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const partner: Partner = { url, received: [], answer: () => ({ status: 200 }), stop }
  return partner
}
