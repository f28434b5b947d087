/** Who is at the other end of calls: a server that answers as it is told, and keeps what it was sent. While it is closed no setting has a value, and nothing leaves. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly key: string | null
}

export interface Answer {
  readonly status: number
  readonly body: unknown
}

export interface Partner {
  /** Its address; undefined: it is closed. */
  readonly url: () => string | undefined
  /** Open while `work` lasts; gives what it was sent. */
  readonly during: (answer: Answer, work: () => Promise<void>) => Promise<readonly Received[]>
}

export function newPartner(): Partner {
  let server: Server | null = null
  return {
    url: () => (server === null ? undefined : `http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    async during({ status, body }, work) {
      const received: Received[] = []
      const own = createServer(async (request, response) => {
        const pieces: Buffer[] = []
        for await (const piece of request) pieces.push(piece as Buffer)
        const { method = '', url: path = '', headers } = request
        const key = headers['idempotency-key']
        received.push({
          method,
          path,
          body: Buffer.concat(pieces).toString(),
          key: typeof key === 'string' ? key : null,
        })
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      })
      await new Promise<void>(resolve => own.listen(0, '127.0.0.1', resolve))
      server = own
      try {
        await work()
      } finally {
        server = null
        own.closeAllConnections()
        own.close()
      }
      return received
    },
  }
}
