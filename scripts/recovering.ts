/** What scripts share that try how a database comes back: PostgreSQL's programs, the loan desk in it, people who go on writing, and what holds. */
import { type ChildProcess, type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { raw, sql } from '../src/expression/sql.ts'
import { input, itemWith, made, startTestRun, type TestRun } from '../src/run/testing.ts'
import { accountForServer, plainEnvironment } from '../src/store/binaries.ts'
import { openStore, type Store } from '../src/store/pool.ts'

const packages = '/usr/lib/postgresql'
const newest = existsSync(packages) ? readdirSync(packages).sort((a, b) => Number(b) - Number(a))[0] : undefined
/** `PG_BIN`: a folder with the programs; else the newest of Debian's. Null: there are none. */
export const bin = process.env.PG_BIN ?? (newest === undefined ? null : join(packages, newest, 'bin'))

const account = accountForServer()
/** For all that is made here; it goes with the script. */
export const folder = mkdtempSync(join(tmpdir(), 'ninefold-recovery-'))
if (account !== null) chownSync(folder, account.uid, account.gid)
const running: string[] = []
const failures: string[] = []

export function hold(what: string, holds: boolean, seen: string): void {
  console.log(`${holds ? 'holds' : 'FAILS'}  ${what}: ${seen}`)
  if (!holds) failures.push(what)
}

/** Ends all that still runs; gives the exit code. */
export function ended(): 0 | 1 {
  for (const name of [...running]) stop(name, 'immediate')
  rmSync(folder, { recursive: true, force: true })
  return failures.length > 0 ? 1 : 0
}

const asServer = { ...account, env: { ...plainEnvironment, PATH: '/usr/sbin:/usr/bin:/bin', HOME: folder }, cwd: '/' }

/** A program to its end, under the account of the server. */
export function run(program: string, args: readonly string[]): string {
  const options: SpawnSyncOptions = { ...asServer, encoding: 'utf8' }
  const { status, stdout, stderr, error } = spawnSync(program, args, options)
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}${error ?? ''}`)
  return String(stdout)
}

/** The same, of PostgreSQL's. */
export const runOfPostgres = (program: string, args: readonly string[]): string => run(join(bin!, program), args)

/** All of these programs can be run. */
export const areHere = (...programs: readonly string[]): boolean =>
  programs.every(program => spawnSync('sh', ['-c', `command -v ${program}`], asServer).status === 0)

/** A program that goes on, under the same account, with what it starts in a group of its own. */
export const began = (
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess =>
  spawn(program, args, { ...asServer, env: { ...asServer.env, ...env }, stdio: 'ignore', detached: true })

export function own(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (account !== null) chownSync(path, account.uid, account.gid)
  return path
}

/** Gives all below it to the account of the server. */
export function ownAll(path: string): void {
  if (account !== null) spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, path])
}

export const dataOf = (name: string): string => join(folder, name)

export function set(name: string, settings: Readonly<Record<string, string>>): void {
  const lines = Object.entries(settings).map(([key, value]) => `${key} = '${value.replaceAll("'", "''")}'\n`)
  appendFileSync(join(dataOf(name), 'postgresql.conf'), lines.join(''))
}

export function start(name: string): void {
  runOfPostgres('pg_ctl', ['-D', dataOf(name), '-l', join(folder, `${name}.log`), '-w', '-t', '60', 'start'])
  running.push(name)
}

export function stop(name: string, mode: 'fast' | 'immediate'): void {
  runOfPostgres('pg_ctl', ['-D', dataOf(name), '-m', mode, '-w', 'stop'])
  running.splice(running.indexOf(name), 1)
}

/** A server of its own, started; gives its port. */
export async function primaryWith(settings: Readonly<Record<string, string>>): Promise<number> {
  const port = await freePort()
  const how = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C.UTF-8', '--data-checksums']
  runOfPostgres('initdb', ['-D', own(dataOf('primary')), ...how])
  const local = { port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: folder }
  set('primary', { ...local, ...settings })
  start('primary')
  return port
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

export const urlOf = (port: number, database = 'postgres'): string =>
  `postgres://postgres@127.0.0.1:${port}/${database}`

export const databaseOf = ({ url }: Store): string => new URL(url).pathname.slice(1)

/** Each table that lasts, and what is in it. */
export async function contentsOf(store: Store): Promise<ReadonlyMap<string, string>> {
  const tables = await store.query<{ name: string }>(
    raw(`select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
      where nspname in ('public', 'ninefold') and relkind = 'r' and relpersistence = 'p' order by 1`),
  )
  const found = new Map<string, string>()
  for (const { name } of tables) {
    const [row] = await store.query<{ rows: string }>(
      raw(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' order by t::text)), '') as rows from ${name} t`,
      ),
    )
    found.set(name, row!.rows)
  }
  return found
}

/** Resolves once it is a server of its own again. */
export async function recovered(store: Store): Promise<void> {
  for (;;) {
    const [row] = await store.query<{ still: boolean }>(sql`select pg_is_in_recovery() as still`)
    if (!row!.still) return
    await wait(100)
  }
}

export interface LoanDesk {
  readonly run: TestRun
  readonly item: string
}

export async function deskAt(url: string): Promise<LoanDesk> {
  const desk = await startTestRun(url)
  return { run: desk, item: await itemWith(desk, 'CA-0001') }
}

export const lend = ({ run, item }: LoanDesk): Promise<string> =>
  made(run, 'Ben', 'loan', input({ out_on: '2026-03-02', due_back: '2026-03-09' }, { lines: [{ item }] }))

/** Twenty loans are made, and then all are deleted that there are; gives what was there before that, and when that was. */
export async function mishap(
  desk: LoanDesk,
): Promise<{ readonly before: ReadonlyMap<string, string>; readonly at: string }> {
  const { store } = desk.run.runtime
  for (let n = 0; n < 20; n++) await lend(desk)
  const before = await contentsOf(store)
  const [moment] = await store.query<{ at: string }>(sql`select clock_timestamp()::text as at`)
  await wait(50)
  await store.query(raw('delete from loan_line'))
  await store.query(raw('delete from loan'))
  await store.query(raw('select pg_switch_wal()::text'))
  return { before, at: moment!.at }
}

export interface Writing {
  /** Loans that somebody was told were saved. */
  readonly saved: readonly string[]
  /** Those who were asked to come again. */
  readonly refused: () => number
  /** Milliseconds in which nothing was saved, at most, since this was asked last. */
  readonly longest: () => number
  readonly end: () => Promise<void>
}

/** Four people make loans, one after the other, over the server that this address leads to. */
export function writing(desk: LoanDesk, url: string): Writing {
  const store = openStore(url, { connectTimeout: 5000 })
  const people = { ...desk, run: { ...desk.run, runtime: { ...desk.run.runtime, store } } }
  const saved: string[] = []
  let refused = 0
  let longest = 0
  let last = performance.now()
  let isOver = false
  const all = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const id = await lend(people).catch(() => null)
      if (id === null) {
        refused++
        await wait(50)
        continue
      }
      saved.push(id)
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }
  })
  return {
    saved,
    refused: () => refused,
    longest() {
      const found = longest
      longest = 0
      return found
    },
    async end() {
      isOver = true
      await Promise.all(all)
      await store.close()
    },
  }
}

/** How many of these loans are in the database at this address. */
export async function foundOf(saved: readonly string[], url: string): Promise<number> {
  const store = openStore(url, { connectTimeout: 60_000 })
  const [row] = await store.query<{ found: string }>(
    sql`select count(*) as found from loan where id = any(${saved}::uuid[])`,
  )
  await store.close()
  return Number(row!.found)
}
