/** What stands outside the loan desk: the asset register and a mail server, on loopback, which remember everything that reaches them. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** Shared with the loan desk: signs its calls. */
export const assetsKey = 'a key that only the two know'

export interface Arrived {
  /** `Idempotency-Key`; of a mail its `Message-ID`. */
  readonly key: string
  readonly body: string
  /** What caused it was in the database when it arrived. */
  readonly caused: boolean
}

export interface Outside {
  readonly url: string
  readonly arrived: readonly Arrived[]
  readonly close: () => Promise<void>
}

export interface OutsideOptions {
  /** Asked when something arrives: is what caused it committed? */
  readonly isCaused: (key: string, body: string) => Promise<boolean>
  /** From 0 up to 1: whether this one goes wrong. */
  readonly chance: () => number
}

/** Answers like the register; now and then it breaks off, is late, or cannot. What it broke off has reached it all the same. */
export async function startRegister({ isCaused, chance }: OutsideOptions): Promise<Outside> {
  const arrived: Arrived[] = []
  const server = createServer(async (request, response) => {
    const body = await textOf(request)
    const key = String(request.headers['idempotency-key'])
    const signed = isSigned(String(request.headers['ninefold-signature']), body)
    arrived.push({ key: signed ? key : 'not signed', body, caused: await isCaused(key, body) })
    const luck = chance()
    if (luck < 0.04) return request.socket.destroy()
    if (luck < 0.08) return response.writeHead(503).end()
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ id: `R-${key}` }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    arrived,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

function isSigned(header: string, body: string): boolean {
  const [, seconds = '', given = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
  const right = createHmac('sha256', assetsKey).update(`${seconds}.${body}`).digest('hex')
  return given.length === right.length && timingSafeEqual(Buffer.from(given), Buffer.from(right))
}

/** Takes mails; now and then it says that it cannot just now. */
export async function startMailServer({ isCaused, chance }: OutsideOptions): Promise<Outside> {
  const arrived: Arrived[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', async () => {
        const body = Buffer.concat(pieces).toString('utf8')
        const key = /^Message-ID: <([^@>]+)@/im.exec(body)?.[1] ?? 'none'
        if (chance() < 0.04) return done(Object.assign(new Error('not just now'), { responseCode: 451 }))
        arrived.push({ key, body, caused: await isCaused(key, body) })
        done()
      })
    },
  })
  // Connections of a process that was killed end as such connections do.
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    arrived,
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}
