/** The receiver of `dev`, on loopback: it takes the place of other applications that the environment does not name. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { redactor, standingIn } from '../run/later/egress.ts'
import { chosenFor, keepReceived, sentCall } from '../run/later/stand-in.ts'
import type { Runtime } from '../run/request.ts'

interface StandInOptions {
  readonly runtime: () => Runtime
  readonly now: () => Date
  readonly newId: () => string
  readonly variable: (name: string) => string | undefined
  /** Something was received. */
  readonly onReceived: () => void
}

export interface StandIn {
  /** Followed by a slash and the row of the outbox. */
  readonly url: string
  readonly close: () => void
}

/** Bytes of a body that are kept. */
const longestKept = 100_000
/** What the connection says, and not the call. */
const ofConnection: ReadonlySet<string> = new Set(['host', 'connection', 'content-length'])

export async function startStandIn(options: StandInOptions): Promise<StandIn> {
  const server = createServer((incoming, response) => {
    receive(options, incoming, response).catch(() => response.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // A server that could not start ends in spite of it.
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function receive(options: StandInOptions, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { store, app } = options.runtime()
  const { pathname, search } = new URL(incoming.url ?? '/', 'http://stand-in')
  const entry = pathname.slice(1)
  const sent = await sentCall(store, app, entry)
  const call = app.calls.get(sent?.name ?? '')
  if (sent === null || call === undefined) return void response.writeHead(404).end()
  const redact = redactor(app, standingIn(app, options.variable), null)
  const { status, body } = await chosenFor(store, app, call)
  await keepReceived(store, entry, {
    id: options.newId(),
    at: options.now().toISOString(),
    name: call.key,
    method: incoming.method ?? '',
    address: redact(sent.address + search),
    headers: Object.fromEntries(
      Object.entries(incoming.headers)
        .filter(([name]) => !ofConnection.has(name))
        .map(([name, value]) => [name, redact(String(value))]),
    ),
    body: redact(await bodyOf(incoming)),
    answered: status,
  })
  options.onReceived()
  // Silence: whoever called gives up, and closes the connection.
  if (status !== null) response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of incoming as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces).subarray(0, longestKept).toString('utf8').replaceAll('\0', '')
}
