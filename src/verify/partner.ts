/** The other application, that calls go to: it hears what it is asked, and answers what is tried. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

export interface Heard {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
}

/** What it says; null: it hangs up. */
type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> } | null

export interface Partner {
  /** What its callers sign with, and what it signs with itself. */
  readonly secret: string
  /** It answers so from `begin` until `isDone`; gives what it heard meanwhile. Before and after, nothing is sent to it. */
  readonly answering: (
    answer: Answer,
    begin: () => Promise<unknown>,
    isDone: () => Promise<boolean>,
  ) => Promise<readonly Heard[]>
}

/** Milliseconds between two looks, and how many. */
export const lookEvery = 5
export const looksAtMost = 2000

/** `wake`: whoever delivers looks for what is due. `variables`: those that hold no address but a secret. */
export function partnerOf(
  wake: () => void,
  isSecret: (variable: string) => boolean,
): Partner & {
  readonly variable: (name: string) => string | undefined
  /** Every call comes here, also where the document has its address. */
  readonly redirect: (url: string) => string | null
} {
  const secret = 'what only the two know'
  let url: string | null = null
  return {
    secret,
    variable: name => (isSecret(name) ? secret : (url ?? undefined)),
    redirect: to => (url === null ? null : to.replace(/^https?:\/\/[^/]+/, url)),
    async answering(answer, begin, isDone) {
      const heard: Heard[] = []
      const server = createServer(async (request, response) => {
        const pieces: Buffer[] = []
        for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
        const text = Buffer.concat(pieces).toString('utf8')
        const { method = '', url: path = '' } = request
        heard.push({ method, path, headers: plain(request.headers), text, body: text === '' ? {} : JSON.parse(text) })
        if (answer === null) request.socket.destroy()
        else {
          response.writeHead(answer.status, { 'content-type': 'application/json' })
          response.end(JSON.stringify(answer.body))
        }
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      try {
        await begin()
        for (let looks = 0; looks < looksAtMost && !(await isDone()); looks++) {
          wake()
          await setTimeout(lookEvery)
        }
        return heard
      } finally {
        url = null
        server.close()
        server.closeAllConnections()
      }
    },
  }
}

const plain = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
