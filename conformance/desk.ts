/** A database of the loan desk with people, sessions and records in it, and servers on it. Beside the twins of `leak/`, the only place that uses the sources. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client as Database } from 'pg'
import { v7 as newId } from 'uuid'
import { loadApp } from '../src/cli/load.ts'
import { seed } from '../src/run/many/seed.ts'
import { applyMigration } from '../src/store/migrate.ts'
import { openStore } from '../src/store/pool.ts'
import { createDatabase, dropDatabase, preparedTemplate } from '../src/store/testing.ts'
import { openSession } from '../src/web/sign-in/session.ts'
import { Client } from './client.ts'
import type { ServerOptions } from './server.ts'

export const home = dirname(import.meta.dirname)
export const loanDesk = join(home, 'examples', 'loan-desk', 'loan-desk.md')

/** When everything happens, unless a test says otherwise: a Monday, ten in the morning in Berlin. */
export const monday = '2026-03-02T09:00:00.000Z'

/** The loan desk with another wording; the text that is replaced must be there. */
export function editedDesk(edits: readonly (readonly [from: string, to: string])[]): {
  path: string
  drop: () => void
} {
  let text = readFileSync(loanDesk, 'utf8')
  for (const [from, to] of edits) {
    if (!text.includes(from)) throw new Error(`The loan desk does not say: ${from}`)
    text = text.replace(from, () => to)
  }
  const folder = mkdtempSync(join(tmpdir(), 'ninefold-desk-'))
  const path = join(folder, 'loan-desk.md')
  writeFileSync(path, text)
  return { path, drop: () => rmSync(folder, { recursive: true, force: true }) }
}

export interface Person {
  readonly id: string
  readonly name: string
  readonly session: string
}

export interface Desk {
  readonly url: string
  readonly document: string
  /** A connection of the test's own, past everything. */
  readonly sql: Database
  /** Ben borrows, Cleo and Dan are clerks, Mia is the manager; Otto and Anna borrow, too. */
  readonly people: Readonly<Record<'Ben' | 'Cleo' | 'Dan' | 'Mia' | 'Otto' | 'Anna', Person>>
  /** Ids of the items, by tag. */
  readonly items: Readonly<Record<string, string>>
  readonly drop: () => Promise<void>
}

/** A fresh database as `apply` and the sample data leave it, and everybody signed in. `now`: when that was. */
export async function openDesk(serverUrl: string, document = loanDesk, now = monday): Promise<Desk> {
  const url = await createDatabase(serverUrl, await preparedTemplate(serverUrl))
  const { app } = loadApp(document)
  if (app === null) throw new Error(`${document} is not a sound document.`)
  const at = new Date(now)
  const store = openStore(url, { connections: 2 })
  const sql = await connected(url)
  const people: Record<string, Person> = {}
  try {
    await applyMigration(store, app, null, { now: at })
    await seed({ app, store }, { now: at, id: 'seed', locale: 'en', newId })
    for (const name of ['Otto', 'Anna'])
      await sql.query(
        `insert into public.person (id, version, created_at, changed_at, name, email)
         values ($1, 1, $2, $2, $3, $4)`,
        [newId(), now, name, `${name.toLowerCase()}@example.com`],
      )
    const { rows } = await sql.query<{ id: string; name: string }>('select id, name from public.person')
    for (const { id, name } of rows) {
      const session = await openSession(store, id, { now: at, random: randomBytes, agent: 'conformance' })
      people[name] = { id, name, session }
    }
  } finally {
    await store.close()
  }
  const items = await sql.query<{ id: string; tag: string }>('select id, tag from public.item')
  return {
    url,
    document,
    sql,
    people: people as Desk['people'],
    items: Object.fromEntries(items.rows.map(({ id, tag }) => [tag, id])),
    drop: () => dropped(serverUrl, url, sql),
  }
}

/** The same database once more, to the last byte. Nobody may be connected to it meanwhile: servers must have been stopped. */
export async function twinOf(serverUrl: string, desk: Desk): Promise<{ desk: Desk; twin: Desk }> {
  await desk.sql.end()
  const twin = await copyOf(serverUrl, desk)
  const sql = await connected(desk.url)
  return { desk: { ...desk, sql, drop: () => dropped(serverUrl, desk.url, sql) }, twin }
}

/** A copy of one that nobody is connected to any more, its test neither. */
export async function copyOf(serverUrl: string, desk: Desk): Promise<Desk> {
  const url = await createDatabase(serverUrl, desk.url)
  const sql = await connected(url)
  return { ...desk, url, sql, drop: () => dropped(serverUrl, url, sql) }
}

const dropped = async (serverUrl: string, url: string, sql: Database): Promise<void> => {
  await sql.end()
  await dropDatabase(serverUrl, url)
}

async function connected(url: string): Promise<Database> {
  const sql = new Database({ connectionString: url })
  // A server that goes away under a connection is what some tests do; the next statement says so.
  sql.on('error', () => {})
  await sql.connect()
  return sql
}

export interface Server {
  readonly port: number
  readonly child: ChildProcess
  /** What it wrote about its own mistakes. */
  readonly complaints: () => string
  readonly visitor: Client
  readonly as: (person: Person) => Client
  /** How many statements each server of this process has sent since this was last asked. */
  readonly statements: () => Promise<readonly number[]>
  readonly stop: () => Promise<void>
}

export interface ServerSettings {
  readonly mode?: 'serve' | 'dev'
  readonly now?: string
  /** As in `ServerOptions`. */
  readonly series?: string
  /** A build with those rows of faults.ts. */
  readonly faults?: readonly string[] | undefined
}

/** A server with a standing clock on this database. */
export async function startServer(
  desk: Pick<Desk, 'url' | 'document'>,
  settings: ServerSettings = {},
): Promise<Server> {
  const [server] = await startServers([desk], settings)
  return server!
}

/** Servers of one document on several databases, in one process: it starts once, and stops with the first that is stopped. */
export async function startServers(
  desks: readonly Pick<Desk, 'url' | 'document'>[],
  { mode = 'serve', now = monday, series = '01900000', faults }: ServerSettings = {},
): Promise<readonly Server[]> {
  const options: ServerOptions = {
    databases: desks.map(({ url }) => url),
    document: desks[0]!.document,
    mode,
    now,
    series,
  }
  const started = startNode(['conformance/server.ts'], { CONFORMANCE_SERVER: JSON.stringify(options) }, faults)
  const [ports = '', counts] = (await started.find(/^ports (.+)$/m)).split(' counts ')
  const statements = async () => (await (await fetch(`http://127.0.0.1:${counts}`)).json()) as readonly number[]
  return ports.split(' ').map(text => {
    const port = Number(text)
    const clients = new Map<string | null, Client>()
    const clientOf = (session: string | null) => {
      const client = clients.get(session) ?? new Client(port, session)
      clients.set(session, client)
      return client
    }
    return {
      port,
      child: started.child,
      complaints: started.complaints,
      visitor: clientOf(null),
      as: person => clientOf(person.session),
      statements,
      async stop() {
        for (const client of clients.values()) client.close()
        await started.kill()
      },
    }
  })
}

export interface Started {
  readonly child: ChildProcess
  readonly complaints: () => string
  /** The first group of what matches, once it was printed. Rejects where the process ends before. */
  readonly find: (line: RegExp) => Promise<string>
  /** Kill -9, and waits until it is gone. */
  readonly kill: () => Promise<void>
}

export function startNode(
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  faults: readonly string[] = [],
): Started {
  const faulty = faults.length === 0 ? [] : ['--import', './conformance/faulty.mjs']
  const child = spawn(process.execPath, ['--import', './scripts/with-parent.mjs', ...faulty, ...args], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: 'production',
      WEB_PROCESSES: '1',
      NINEFOLD_FAULTS: JSON.stringify(faults),
      ...variables,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  let complaints = ''
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString()
  })
  child.stderr.on('data', (text: Buffer) => {
    complaints += text.toString()
  })
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  return {
    child,
    complaints: () => complaints,
    find: line =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = line.exec(output)
          if (found !== null) resolve(found[1] ?? '')
        }
        child.stdout.on('data', look)
        void ended.then(() => reject(new Error(`It ended before it served:\n${output}${complaints}`)))
        look()
      }),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const tables = `select format('%I.%I', schemaname, tablename) as name from pg_tables
  where schemaname in ('public', 'ninefold') and tablename not in ('session', 'device', 'attempt', 'idempotency', 'kept_post') order by 1`

/** One hash over every row of every table, but for sessions, throttling, the keys of repeats and what was sent without a session. */
export async function hashOfAll(sql: Database): Promise<string> {
  const known = hashes.get(sql) ?? (await hashQuery(sql))
  hashes.set(sql, known)
  const { rows } = await sql.query<{ hash: string }>({ name: 'hash of all', text: known })
  return rows[0]!.hash
}

const hashes = new WeakMap<Database, string>()

async function hashQuery(sql: Database): Promise<string> {
  const { rows } = await sql.query<{ name: string }>(tables)
  const parts = rows.map(
    ({ name }) =>
      `(select '${name} ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') from ${name} as t)`,
  )
  return `select md5(concat_ws(',', ${parts.join(', ')})) as hash`
}
