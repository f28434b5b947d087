/** The loan desk with many loans for benchmarks, on a server of its own or that of `DATABASE_URL`, and what is started beside it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { v7 as newId } from 'uuid'
import { loadApp } from '../src/cli/load.ts'
import { raw, sql } from '../src/expression/sql.ts'
import { seed } from '../src/run/many/seed.ts'
import { applyMigration } from '../src/store/migrate.ts'
import { openStore, type Store } from '../src/store/pool.ts'
import { rearmMark } from '../src/store/system.ts'
import { createTestDatabase, startTestServer } from '../src/store/testing.ts'
import { openSession } from '../src/web/sign-in/session.ts'

const home = dirname(dirname(fileURLToPath(import.meta.url)))
const people = 300
/** Borrowers who ask for their lists in turn: what is kept from one request to the next is kept for many. */
const askers = 40
export const serveDesk = ['bin/ninefold.mjs', 'serve', 'examples/loan-desk/loan-desk.md']

export interface BenchDesk {
  readonly url: string
  readonly borrowers: readonly Borrower[]
  readonly item: string
  readonly manager: string
  /** Processes by the names that they were started under. */
  readonly children: ReadonlyMap<string, ChildProcess>
  /** Resolves once it serves. */
  readonly start: (name: string, port: number, args: readonly string[], env?: Record<string, string>) => Promise<void>
  /** Waits for the end: a profile is written last. */
  readonly end: (name: string) => Promise<void>
  /** The loans were put in past Ninefold: it arms their timers first. That, and whatever is due by then, is not to be measured. */
  readonly caughtUp: () => Promise<void>
  readonly close: () => Promise<void>
}

export async function openBenchDesk(loans: number): Promise<BenchDesk> {
  const server = process.env.DATABASE_URL === undefined ? await startTestServer() : null
  const database = await createTestDatabase(server?.url ?? process.env.DATABASE_URL!)
  const children = new Map<string, ChildProcess>()
  const end = (name: string) =>
    new Promise<void>(resolve => {
      const child = children.get(name)!
      children.delete(name)
      child.removeAllListeners('exit').on('exit', () => resolve())
      child.kill('SIGTERM')
    })
  const close = async () => {
    await Promise.all([...children.keys()].map(end))
    await database.drop()
    await server?.stop()
  }
  try {
    return {
      url: database.url,
      ...(await prepare(database.store, database.url, loans)),
      children,
      start: (name, port, args, env = {}) => {
        const child = start(database.url, port, args, env)
        children.set(name, child)
        return new Promise((resolve, reject) => {
          child.on('exit', code => reject(new Error(`${name} ended with code ${code}`)))
          child.stdout!.on('data', (text: Buffer) => {
            if (/ready|serving/.test(text.toString())) resolve()
          })
        })
      },
      end,
      caughtUp: () => caughtUp(database.store),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

export interface Borrower {
  readonly id: string
  readonly session: string
}

/**
 * Tables of the loan desk with many loans, sessions of borrowers who have some hundred of them and are nothing else (of the sample
 * people some are), and one of a manager, who sees all.
 */
async function prepare(
  store: Store,
  url: string,
  loans: number,
): Promise<Pick<BenchDesk, 'borrowers' | 'item' | 'manager'>> {
  const { app } = loadApp(join(home, 'examples/loan-desk/loan-desk.md'))
  if (app === null) throw new Error('The loan desk could not be read.')
  const now = new Date()
  await applyMigration(store, app, null, { now })
  await seed({ app, store }, { now, newId, id: 'bench', locale: 'en' })
  console.log(`Making ${loans.toLocaleString('en')} loans …`)
  const filler = openStore(url, { statementTimeout: 600_000 })
  await filler.query(
    raw(`
    insert into person (id, version, created_at, changed_at, name, email)
    select gen_random_uuid(), 1, now(), now(), 'Person ' || n, 'person' || n || '@example.org' from generate_series(1, ${people}) n`),
  )
  await filler.query(
    raw(`
    with p as (select array_agg(id) as ids from person)
    insert into loan (id, version, created_at, changed_at, state, state_since, number, borrower, out_on, due_back)
    select gen_random_uuid(), 1, now(), now(), (array['Draft','Requested','Approved','Out','Overdue','Returned','Declined'])[1 + n % 7], now(),
      'LN-2020-' || lpad(n::text, greatest(6, length(n::text)), '0'), p.ids[1 + n % ${people}], current_date - n % 13, current_date + 4 + n % 300
    from generate_series(1, ${loans}) n, p`),
  )
  await filler.query(
    raw(`
    insert into loan_line (id, version, created_at, changed_at, loan, position, item, value, damaged)
    select gen_random_uuid(), 1, now(), now(), l.id, 1, i.id, i.value, false from loan l cross join (select id, value from item limit 1) i`),
  )
  await filler.query(raw('vacuum analyze'))
  const [row] = await filler.query<{ borrowers: readonly string[]; item: string; manager: string }>(
    raw(`
    select array(select id::text from person where name like 'Person %' order by name limit ${askers}) as borrowers,
      (select id from item limit 1) as item,
      (select person from ninefold.appointment where role = 'Manager' limit 1) as manager`),
  )
  await filler.close()
  const open = (person: string) => openSession(store, person, { now, random: randomBytes, agent: 'bench' })
  const { borrowers, item, manager } = row!
  return {
    borrowers: await Promise.all(borrowers.map(async id => ({ id, session: await open(id) }))),
    item,
    manager: await open(manager),
  }
}

async function caughtUp(store: Store): Promise<void> {
  const left = sql`select (select count(*) from ninefold.timer where timer = ${rearmMark} or due_at <= now())
    + (select count(*) from ninefold.outbox where state = 'waiting') as n`
  while (((await store.query<{ n: string }>(left))[0]?.n ?? '0') !== '0') await wait(500)
}

const start = (url: string, port: number, args: readonly string[], env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, args, {
    cwd: home,
    env: { ...process.env, ...env, NODE_ENV: 'production', DATABASE_URL: url, PORT: String(port), HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
