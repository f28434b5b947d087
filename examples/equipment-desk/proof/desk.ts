/**
 * The equipment desk running for its proof: real PostgreSQL, real HTTP, a mail server and a finance ledger on loopback, and a clock that
 * stands until it is moved. What is due happens when `settle` is called, as the worker of `serve` would do it.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type AddressObject, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { sql } from '../../../src/expression/sql.ts'
import { work } from '../../../src/run/later/work.ts'
import { readSound, testId } from '../../../src/run/testing.ts'
import { openSession } from '../../../src/web/sign-in/session.ts'
import { type Page, startTestWeb, type TestBrowser } from '../../../src/web/testing.ts'

/** Monday, nine in the morning in London, before the clocks change. */
export const monday = '2026-03-02T09:00:00.000Z'

const people = {
  Sam: ['Student', []],
  Sue: ['Student', []],
  Stan: ['Student', []],
  Tess: ['Staff', []],
  Tom: ['Staff', []],
  Alma: ['Student', ['Assistant']],
  Axel: ['Student', ['Assistant']],
  Mona: ['Staff', ['Manager']],
} as const

export type Name = keyof typeof people
export type Record = { readonly [field: string]: unknown } & { readonly id: string }

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** What the ledger does with a request: its status, or no answer at all. */
export type LedgerMood = (path: string, body: Record) => number | 'silent'

export interface Desk {
  readonly url: string
  readonly mails: readonly Mail[]
  /** What the ledger accepted, in the order of arrival: one per key, as a ledger that honours the key does. */
  readonly booked: readonly { readonly key: string; readonly path: string; readonly body: Record }[]
  ledger: LedgerMood
  /** Somebody's browser. */
  readonly as: (name: Name) => TestBrowser
  readonly id: (name: Name) => string
  /** Writes past everybody, as the one who sets up the scene. Gives the new record's id. */
  readonly put: (entity: string, values: { readonly [field: string]: unknown }) => Promise<string>
  readonly query: <Row extends object>(text: string) => Promise<readonly Row[]>
  /** Moves the clock, and lets everything happen that is due until then, in its order. */
  readonly until: (moment: string) => Promise<void>
  /** Lets happen what is due now. */
  readonly settle: () => Promise<void>
  readonly now: () => Date
  readonly close: () => Promise<void>
}

export async function openDesk(databaseUrl: string, now = monday): Promise<Desk> {
  const app = readSound(join(import.meta.dirname, '..', 'equipment-desk.md'))
  const web = await startTestWeb(databaseUrl, app)
  web.run.now = new Date(now)
  const { store } = web.run.runtime
  const mails = await startMailServer()
  const ledger = await startLedger(() => desk.ledger)
  const ids = new Map<string, string>()
  const browsers = new Map<string, TestBrowser>()
  for (const [name, [kind, roles]] of Object.entries(people)) {
    const id = testId()
    ids.set(name, id)
    await store.inTransaction(async tx => {
      await tx.write(sql`insert into public.person (id, version, created_at, changed_at, name, email, kind)
        values (${id}::uuid, 1, ${now}::timestamptz, ${now}::timestamptz, ${name}, ${`${name.toLowerCase()}@eastmere.example`}, ${kind})`)
      for (const role of roles)
        await tx.write(sql`insert into ninefold.appointment (person, role, at)
          values (${id}::uuid, ${role}, ${now}::timestamptz)`)
    })
    const browser = await web.browser(null)
    browser.cookies.set(
      'ninefold',
      await openSession(store, id, { now: new Date(now), random: randomBytes, agent: 'proof' }),
    )
    browsers.set(name, browser)
  }
  const environment: { readonly [name: string]: string } = { LEDGER_URL: ledger.url, LEDGER_KEY: 'a key for two' }
  const settle = async () => {
    // Each round does what is due; a round without work is the end.
    for (let round = 0; round < 200; round++) {
      const done = await work(web.run.runtime, {
        now: () => web.run.now,
        newId: testId,
        random: () => 0.5,
        variable: name => environment[name],
        smtp: mails.url,
        from: 'desk@eastmere.example',
        locale: 'en',
        worker: 'proof',
        signal: new AbortController().signal,
      })
      if (done.timers + done.delivered + done.failed === 0) return
    }
    throw new Error('There is no end to what is due.')
  }
  const desk: Desk = {
    url: web.url,
    mails: mails.arrived,
    booked: ledger.booked,
    ledger: () => 201,
    as: name => browsers.get(name)!,
    id: name => ids.get(name)!,
    async put(entity, values) {
      const id = testId()
      const columns = { id, version: 1, created_at: now, changed_at: now, ...values }
      const json = JSON.stringify(columns)
      const names = Object.keys(columns)
        .map(name => `"${name}"`)
        .join(', ')
      await store.inSession(async session => {
        await session.execute(
          `insert into public."${entity}" (${names}) select ${names} from jsonb_populate_record(null::public."${entity}", '${json.replaceAll("'", "''")}')`,
        )
      })
      return id
    },
    query: text => store.query(sql([text] as unknown as TemplateStringsArray)),
    async until(moment) {
      const end = new Date(moment)
      // An hour at a time, so that what is due at different times happens at different times.
      while (web.run.now < end) {
        web.run.now = new Date(Math.min(end.getTime(), web.run.now.getTime() + 3_600_000))
        await settle()
      }
      // Everybody has been here all the time.
      await store.inTransaction(tx =>
        tx.write(sql`update ninefold.session set seen_at = ${end}, ends_at = ${new Date(end.getTime() + 86_400_000)}`),
      )
    },
    settle,
    now: () => web.run.now,
    async close() {
      await mails.close()
      await ledger.close()
      await web.stop()
    },
  }
  return desk
}

export const json = (page: Page): Record => JSON.parse(page.text) as Record

/** Codes and messages of a refusal by API. */
export function refusals(page: Page): readonly { readonly code: string; readonly message: string }[] {
  const { errors = [] } = json(page) as unknown as { errors?: { code: string; detail: string }[] }
  return errors.map(({ code, detail }) => ({ code, message: detail }))
}

async function startMailServer() {
  const arrived: Mail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _, done) {
      simpleParser(stream).then(
        ({ to, subject = '', text = '' }) => {
          arrived.push({ to: (to as AddressObject).value[0]?.address ?? '', subject, text })
          done()
        },
        (error: Error) => done(error),
      )
    },
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  const close = () => new Promise<void>(resolve => server.close(() => resolve()))
  return { url: `smtp://127.0.0.1:${port}`, arrived, close }
}

async function startLedger(mood: () => LedgerMood) {
  const booked: { key: string; path: string; body: Record }[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request)) as Record
    const path = request.url ?? ''
    const status = mood()(path, body)
    if (status === 'silent') return request.socket.destroy()
    const key = String(request.headers['idempotency-key'])
    if (status < 300 && !booked.some(one => one.key === key)) booked.push({ key, path, body })
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ id: `L-${key}` }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}`, booked, close }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}
