/** Whoever is told of parcels, and a mail server: on loopback, away as long as the test says; they remember what reached them, and what they took. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface Arrived {
  readonly path: string
  readonly key: string
  readonly parcel: string
  readonly depot?: string
  readonly nth: string
  readonly at: Date
}

export interface Outside {
  readonly url: string
  readonly smtp: string
  /** Of what reached the partner: all of it, and what was answered so that the other side heard of it. */
  readonly arrived: Arrived[]
  readonly taken: Arrived[]
  /** `Message-ID`s of mails, when they were taken. */
  readonly mails: { readonly key: string; readonly at: Date }[]
  /** Attempts to hand over a mail that were sent away. */
  turnedAway: number
  /** `first`: of each path one is answered, and all others are kept waiting. */
  partner: 'there' | 'away' | 'first'
  mailServer: 'there' | 'away'
  /** How many are kept waiting. */
  readonly held: () => number
  /** Answers them all. */
  readonly release: () => void
  readonly close: () => void
}

/** `bad`: a parcel that the register can never take. */
export async function startOutside(now: () => Date, bad: string): Promise<Outside> {
  const held = new Set<() => void>()
  const answeredFirst = new Set<string>()
  const take = (response: ServerResponse, one: Arrived) => {
    if (response.destroyed || response.socket?.destroyed !== false) return
    outside.taken.push(one)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ref: one.key }))
  }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += String(piece)
    const { parcel, depot, nth } = JSON.parse(body)
    const path = request.url!
    const one = { path, key: String(request.headers['idempotency-key']), parcel, depot, nth, at: now() }
    outside.arrived.push(one)
    if (outside.partner === 'away') return path === '/depot' ? request.socket.destroy() : response.writeHead(503).end()
    if (path === '/register' && parcel === bad) return response.writeHead(500).end()
    if (outside.partner === 'first' && answeredFirst.has(path)) return held.add(() => take(response, one))
    answeredFirst.add(path)
    take(response, one)
  })
  const mails = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onConnect(_, done) {
      if (outside.mailServer === 'there') return done()
      outside.turnedAway++
      done(Object.assign(new Error('come later'), { responseCode: 421 }))
    },
    onData(stream, _, done) {
      let body = ''
      stream.on('data', piece => {
        body += String(piece)
      })
      stream.on('end', () => {
        outside.mails.push({ key: /^Message-ID: <([^@>]+)@/im.exec(body)?.[1] ?? 'none', at: now() })
        done()
      })
    },
  })
  // Connections of a process that was killed end as such connections do.
  mails.on('error', () => {})
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  await new Promise<void>(listening => mails.listen(0, '127.0.0.1', () => listening()))
  const portOf = (one: { readonly address: () => unknown }) => (one.address() as AddressInfo).port
  const outside: Outside = {
    url: `http://127.0.0.1:${portOf(server)}`,
    smtp: `smtp://127.0.0.1:${portOf(mails.server)}`,
    arrived: [],
    taken: [],
    mails: [],
    turnedAway: 0,
    partner: 'there',
    mailServer: 'there',
    held: () => held.size,
    release() {
      outside.partner = 'there'
      for (const answer of held) answer()
      held.clear()
    },
    close() {
      server.closeAllConnections()
      server.close()
      mails.close()
    },
  }
  return outside
}
