/**
 * `ninefold serve` while people work with it and it is killed again and again; afterwards everything is counted. What was
 * acknowledged is there, once. What had to leave has left, with one key each; nothing has left that is not there. Another server
 * on the same database stands by and takes over, as where people run two: both deliver meanwhile.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { Client as Database } from 'pg'
import { Client } from '../client.ts'
import { type Desk, type Person, type Started, startNode } from '../desk.ts'
import { type Arrived, assetsKey, type OutsideOptions, startMailServer, startRegister } from './outside.ts'

export interface TortureOptions {
  /** Loans that go from their draft to the end: some five acknowledged writes each. */
  readonly loans: number
  /** Writes acknowledged between two blows. */
  readonly between: number
  readonly seed: number
  /** Ends something hard; if it is the server process, the one that stands by takes over. */
  readonly blow: (server: Started) => Promise<void>
  readonly faults?: readonly string[]
}

export interface Tortured {
  readonly acknowledged: number
  readonly blows: number
  /** Requests that were sent again because no answer came. */
  readonly again: number
  readonly calls: number
  readonly mails: number
  readonly wrong: readonly string[]
}

/** Loans at work at a time. */
const workers = 8

interface Serving {
  readonly server: Started
  readonly port: number
}

interface Life {
  readonly number: string
  readonly id: string
  readonly ends: 'Returned' | 'Declined'
}

export async function torture(desk: Desk, options: TortureOptions): Promise<Tortured> {
  const random = chanceOf(options.seed)
  const outside: OutsideOptions = { isCaused: () => Promise.resolve(true), chance: random }
  const register = await startRegister({
    ...outside,
    isCaused: (key, body) =>
      isThere(desk, `select from public.loan where number = $1 and state = 'Returned' and $2::jsonb is not null`, [
        key,
        body,
      ]),
  })
  const mailServer = await startMailServer({
    ...outside,
    // The history is written in the transaction of the step that sends the mail.
    isCaused: key =>
      isThere(
        desk,
        `select from ninefold.outbox as o join ninefold.history as h on h.request = o.request and h.record = o.record
         where o.repeat_key = $1`,
        [key],
      ),
  })
  const started: Started[] = []
  const start = async (): Promise<Serving> => {
    const variables = { ASSETS_URL: register.url, ASSETS_KEY: assetsKey, SMTP_URL: mailServer.url }
    const server = startNode(
      ['bin/ninefold.mjs', 'serve', desk.document],
      { DATABASE_URL: desk.url, HOST: '127.0.0.1', PORT: '0', ...variables },
      options.faults,
    )
    started.push(server)
    return { server, port: Number(await server.find(/"event":"serving","url":"[^"]*:(\d+)"/)) }
  }
  let [serving, standby] = await Promise.all([start(), start()])
  let [acknowledged, blows, again] = [0, 0, 0]
  let due = options.between
  let striking: Promise<void> | null = null
  const strike = async () => {
    await wait(random() * 15)
    const { server } = serving
    await options.blow(server)
    blows++
    if (server.child.exitCode === null && server.child.signalCode === null) return
    serving = standby
    standby = await start()
  }
  const clients = new Map<string, Client>()
  const clientOf = (person: Person) => {
    const key = `${serving.port} ${person.id}`
    const client = clients.get(key) ?? new Client(serving.port, person.session)
    clients.set(key, client)
    return client
  }

  const lives: Life[] = []
  const wrong: string[] = []
  /** Nobody takes over any more. */
  let fatal: Error | null = null
  /** Sent until it is acknowledged, with the same key; a refusal may only mean that the last write is not seen yet. */
  const write = async (person: Person, path: string, body: unknown, key: string) => {
    for (let refusals = 0; ; ) {
      // The next blow is due, and whoever is to take over has not started yet.
      while (acknowledged >= due && striking !== null) await striking
      if (fatal !== null) throw fatal
      const response = await clientOf(person)
        .api('POST', path, body, { 'idempotency-key': key })
        .catch(() => null)
      if (response !== null && response.status < 300) {
        acknowledged++
        if (acknowledged >= due && striking === null) {
          due += options.between
          striking = strike()
            .catch((error: Error) => {
              fatal = error
            })
            .finally(() => {
              striking = null
            })
        }
        return response
      }
      if (response !== null && response.status < 500 && ++refusals > 8)
        throw new Error(`${path}: ${response.status} ${response.text}`)
      again++
      await wait(60)
    }
  }

  const live = async (index: number) => {
    const { Ben, Otto, Anna, Cleo, Dan, Mia } = desk.people
    const borrower = [Ben, Otto, Anna][index % 3]!
    const clerk = [Cleo, Dan][index % 2]!
    const ends = index % 8 === 7 ? 'Declined' : 'Returned'
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
    const draft = {
      out_on: day(-1),
      due_back: day(9),
      purpose: `life ${index}`,
      lines: [{ item: desk.items[index % 2 === 0 ? 'CA-0001' : 'LA-0007'] }],
    }
    const made = await write(borrower, '/loan', draft, `create-${index}`)
    const { id, number } = JSON.parse(made.text) as { id: string; number: string }
    const step = (person: Person, name: string) => write(person, `/loan/${id}/${name}`, {}, `${name}-${index}`)
    await step(borrower, 'submit')
    if (ends === 'Declined') await step(index % 16 === 7 ? Mia : clerk, 'decline')
    else {
      await step(clerk, 'approve')
      await step(clerk, 'hand_out')
      await step(clerk, 'take_back')
    }
    lives.push({ id, number, ends })
  }
  try {
    let next = 0
    const work = async () => {
      for (let index = next++; index < options.loans; index = next++)
        await live(index).catch((error: Error) => wrong.push(`life ${index}: ${error.message}`))
    }
    await Promise.all(Array.from({ length: workers }, work))
    await striking
    wrong.push(...(await drained(desk)))
    wrong.push(...(await counted(desk, options.loans, lives, register.arrived, mailServer.arrived)))
    return { acknowledged, blows, again, calls: register.arrived.length, mails: mailServer.arrived.length, wrong }
  } finally {
    for (const client of clients.values()) client.close()
    await Promise.all(started.map(server => server.kill()))
    await register.close()
    await mailServer.close()
  }
}

/** Everything that waits is due: hours pass. Then it has to go, within the seconds for which a dead worker is waited for. */
async function drained(desk: Desk): Promise<readonly string[]> {
  const waiting = `select id from ninefold.outbox where state = 'waiting'`
  for (let tries = 0; tries < 300; tries++) {
    const { rows } = await asked(desk, waiting)
    if (rows.length === 0) return []
    await asked(desk, `update ninefold.outbox set due_at = now() where state = 'waiting' and claimed_until is null`)
    await wait(500)
  }
  return [`${(await asked(desk, waiting)).rows.length} rows of the outbox do not drain`]
}

async function counted(
  desk: Desk,
  loans: number,
  lives: readonly Life[],
  calls: readonly Arrived[],
  mails: readonly Arrived[],
): Promise<readonly string[]> {
  const wrong: string[] = []
  const stored = await asked(desk, 'select id, number, state, version, register_ref from public.loan')
  const told = await asked(
    desk,
    `select record, what, version from ninefold.history where entity = 'loan' order by version`,
  )
  const sent = await asked(desk, 'select kind, name, record, repeat_key, state from ninefold.outbox')
  if (stored.rows.length !== loans) wrong.push(`${stored.rows.length} loans instead of ${loans}`)
  const story = {
    Returned: 'create, submit, approve, hand_out, take_back, C-2',
    Declined: 'create, submit, decline',
  }
  for (const { id, number, ends } of lives) {
    const loan = stored.rows.find(row => row.id === id)
    const history = told.rows.filter(({ record }) => record === id)
    const say = (what: string) => wrong.push(`${number}: ${what}`)
    if (loan?.state !== ends) say(`is ${loan?.state ?? 'gone'} and not ${ends}`)
    if (history.map(({ what }) => what).join(', ') !== story[ends]) say(history.map(({ what }) => what).join(', '))
    if (history.some(({ version }, index) => version !== index + 1) || loan?.version !== history.length)
      say(`versions ${history.map(({ version }) => version).join(' ')}, now ${loan?.version}`)
    const reached = calls.filter(({ key }) => key === number)
    const left = sent.rows.filter(({ record }) => record === id)
    const expected = ends === 'Returned' ? 1 : 0
    if (left.filter(({ kind }) => kind === 'call').length !== expected) say('has not one call')
    if (reached.length < expected || (expected === 0 && reached.length > 0))
      say(`reached the register ${reached.length} times`)
    if (reached.some(({ body }) => (JSON.parse(body) as { loan: string }).loan !== number))
      say('was called by another number')
    if (ends === 'Returned' && loan?.register_ref !== `R-${number}`) say(`has the receipt ${loan?.register_ref}`)
    const names = left.flatMap(({ kind, name }) => (kind === 'mail' ? [name] : [])).sort()
    const wanted = ends === 'Declined' ? ['declined', 'new_request', 'new_request'] : ['new_request', 'new_request']
    if (names.join() !== wanted.join()) say(`mails: ${names.join()}`)
  }
  const numbers = new Set(lives.map(({ number }) => number))
  if (numbers.size !== lives.length) wrong.push(`${lives.length} loans share ${numbers.size} numbers`)
  for (const { key } of calls) if (!numbers.has(key)) wrong.push(`a call with the key ${key}`)
  const keys = new Set(sent.rows.flatMap(({ kind, repeat_key: key }) => (kind === 'mail' ? [key] : [])))
  for (const { key } of mails) if (!keys.has(key)) wrong.push(`a mail with the key ${key}`)
  for (const key of keys) if (!mails.some(one => one.key === key)) wrong.push(`the mail ${key} did not arrive`)
  for (const { key, caused } of [...calls, ...mails]) if (!caused) wrong.push(`${key} arrived before it was committed`)
  const bad = sent.rows.filter(({ state }) => state !== 'delivered')
  if (bad.length > 0) wrong.push(`${bad.length} are not delivered: ${bad[0]?.kind} ${bad[0]?.state}`)
  return wrong
}

const isThere = async (desk: Desk, text: string, values: readonly unknown[]): Promise<boolean> =>
  (await asked(desk, text, values)).rows.length > 0

/** On a connection of its own: the database may just be coming back. */
async function asked(desk: Desk, text: string, values: readonly unknown[] = []) {
  for (let tries = 0; ; tries++) {
    const sql = new Database({ connectionString: desk.url })
    sql.on('error', () => {})
    try {
      await sql.connect()
      return await sql.query<Record<string, string | number | null>>(text, [...values])
    } catch (error) {
      if (tries > 100) throw error
      await wait(100)
    } finally {
      await sql.end().catch(() => {})
    }
  }
}

/** The same numbers for the same seed (mulberry32). */
function chanceOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}
