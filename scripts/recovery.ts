/**
 * `node scripts/run.mjs scripts/recovery.ts`: what docs/serving.md says of PostgreSQL's own means, tried with its own programs. A base backup
 * and archived WAL bring the loan desk back to the moment before somebody deleted what they should not; and a synchronous standby is
 * promoted while people write, who keep all that they were told was saved. Ends with 1 where something is not as it was.
 * `PG_BIN`: a folder with the programs; else the newest below `/usr/lib/postgresql`.
 */
import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { raw, sql } from '../src/expression/sql.ts'
import { input, itemWith, made, startTestRun, type TestRun } from '../src/run/testing.ts'
import { accountForServer, plainEnvironment } from '../src/store/binaries.ts'
import { planMigration } from '../src/store/migrate.ts'
import { openStore, type Store } from '../src/store/pool.ts'

const packages = '/usr/lib/postgresql'
const newest = existsSync(packages) ? readdirSync(packages).sort((a, b) => Number(b) - Number(a))[0] : undefined
const bin = process.env.PG_BIN ?? (newest === undefined ? null : join(packages, newest, 'bin'))
if (bin === null) {
  console.log("PostgreSQL's programs are not on this machine: nothing is tried. Set PG_BIN to their folder.")
  process.exit(0)
}

const account = accountForServer()
const folder = mkdtempSync(join(tmpdir(), 'ninefold-recovery-'))
if (account !== null) chownSync(folder, account.uid, account.gid)
const archive = join(folder, 'archive')
const running: string[] = []
const failures: string[] = []

/** A program of PostgreSQL, under the account of its server. */
function run(program: string, args: readonly string[]): string {
  const options: SpawnSyncOptions = { ...account, env: plainEnvironment, cwd: '/', encoding: 'utf8' }
  const { status, stdout, stderr } = spawnSync(join(bin!, program), args, options)
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return String(stdout)
}

function own(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (account !== null) chownSync(path, account.uid, account.gid)
  return path
}

const dataOf = (name: string) => join(folder, name)
const set = (name: string, settings: Readonly<Record<string, string>>) =>
  appendFileSync(
    join(dataOf(name), 'postgresql.conf'),
    Object.entries(settings)
      .map(([key, value]) => `${key} = '${value.replaceAll("'", "''")}'\n`)
      .join(''),
  )
const start = (name: string) => {
  run('pg_ctl', ['-D', dataOf(name), '-l', join(folder, `${name}.log`), '-w', '-t', '60', 'start'])
  running.push(name)
}
const stop = (name: string, mode: 'fast' | 'immediate') => {
  run('pg_ctl', ['-D', dataOf(name), '-m', mode, '-w', 'stop'])
  running.splice(running.indexOf(name), 1)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

const urlOf = (port: number, database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`

function hold(what: string, holds: boolean, seen: string): void {
  console.log(`${holds ? 'holds' : 'FAILS'}  ${what}: ${seen}`)
  if (!holds) failures.push(what)
}

/** Each table that lasts, and what is in it. */
async function contentsOf(store: Store): Promise<ReadonlyMap<string, string>> {
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

/** A way to whichever server is the first one now, as a proxy or an address that moves is. */
async function movingAddress(first: number) {
  let port = first
  const server = createServer(near => {
    const far = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one
        .on('data', chunk => other.write(chunk))
        .on('error', () => other.destroy())
        .on('close', () => other.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    moveTo: (to: number) => {
      port = to
    },
    close: () => server.close(),
  }
}

const loan = (desk: TestRun, item: string) =>
  made(desk, 'Ben', 'loan', input({ out_on: '2026-03-02', due_back: '2026-03-09' }, { lines: [{ item }] }))

/** Copies the running server, with the WAL that it writes meanwhile, into the folder of that name. */
function baseBackup(primary: number, name: string, ...more: readonly string[]): void {
  const from = ['-h', '127.0.0.1', '-p', String(primary), '-U', 'postgres']
  run('pg_basebackup', [...from, '-D', dataOf(name), '-X', 'stream', '-c', 'fast', ...more])
}

async function toAMoment(desk: TestRun, item: string, primary: number): Promise<void> {
  const { store, app } = desk.runtime
  const database = new URL(store.url).pathname.slice(1)
  baseBackup(primary, 'base')
  hold('the base backup is whole', true, run('pg_verifybackup', [dataOf('base')]).trim())
  for (let n = 0; n < 20; n++) await loan(desk, item)
  const before = await contentsOf(store)
  const [moment] = await store.query<{ at: string }>(sql`select clock_timestamp()::text as at`)
  await wait(50)
  await store.query(raw('delete from loan_line'))
  await store.query(raw('delete from loan'))
  await store.query(raw('select pg_switch_wal()::text'))
  await wait(1500)

  cpSync(dataOf('base'), own(dataOf('restored')), { recursive: true })
  if (account !== null) spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, dataOf('restored')])
  const port = await freePort()
  set('restored', {
    port: String(port),
    archive_mode: 'off',
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_time: moment!.at,
    recovery_target_action: 'promote',
  })
  writeFileSync(join(dataOf('restored'), 'recovery.signal'), '')
  start('restored')
  const restored = openStore(urlOf(port, database), { connectTimeout: 60_000 })
  for (;;) {
    const [row] = await restored.query<{ still: boolean }>(sql`select pg_is_in_recovery() as still`)
    if (!row!.still) break
    await wait(100)
  }
  const after = await contentsOf(restored)
  const other = [...before].filter(([table, rows]) => after.get(table) !== rows).map(([table]) => table)
  hold(
    'base backup and archived WAL bring back the moment before',
    other.length === 0,
    `${before.size} tables, of which differ: ${other.join(', ') || 'none'}`,
  )
  const { steps, possible } = await planMigration(restored, app)
  hold('its plan has nothing to do', possible && steps.length === 0, `${steps.length} steps`)
  await restored.close()
  stop('restored', 'fast')
}

async function promoted(desk: TestRun, item: string, primary: number): Promise<void> {
  const { store } = desk.runtime
  const database = new URL(store.url).pathname.slice(1)
  baseBackup(primary, 'standby', '-R')
  const port = await freePort()
  set('standby', { port: String(port), archive_mode: 'off', cluster_name: 'second' })
  start('standby')
  await store.query(raw("alter system set synchronous_standby_names = 'second'"))
  await store.query(raw('select pg_reload_conf()'))
  await wait(1000)

  const address = await movingAddress(primary)
  const moving = openStore(urlOf(address.port, database), { connectTimeout: 5000 })
  const people: TestRun = { ...desk, runtime: { ...desk.runtime, store: moving } }
  const saved: string[] = []
  let refused = 0
  let longest = 0
  let last = performance.now()
  let isOver = false
  const writing = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const id = await loan(people, item).catch(() => null)
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
  await wait(3000)
  const before = saved.length
  stop('primary', 'immediate')
  run('pg_ctl', ['-D', dataOf('standby'), '-w', 'promote'])
  address.moveTo(port)
  await wait(5000)
  isOver = true
  await Promise.all(writing)
  const now = openStore(urlOf(port, database))
  const [there] = await now.query<{ found: string }>(
    sql`select count(*) as found from loan where id = any(${saved}::uuid[])`,
  )
  hold(
    'what people were told was saved is on the standby that was promoted',
    Number(there!.found) === saved.length,
    `${there!.found} of ${saved.length}, ${before} of them before it`,
  )
  hold(
    'they go on without a restart',
    saved.length > before,
    `${saved.length - before} saved since, ${refused} asked to try again, nothing saved for ${(longest / 1000).toFixed(1)} s`,
  )
  await now.close()
  await moving.close()
  address.close()
}

try {
  const primary = await freePort()
  own(archive)
  run('initdb', [
    '-D',
    own(dataOf('primary')),
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale',
    'C.UTF-8',
    '--data-checksums',
  ])
  set('primary', {
    port: String(primary),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    archive_mode: 'on',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
    archive_timeout: '60',
  })
  start('primary')
  const desk = await startTestRun(urlOf(primary))
  const item = await itemWith(desk, 'CA-0001')
  await toAMoment(desk, item, primary)
  await promoted(desk, item, primary)
  await desk.runtime.store.close()
} finally {
  for (const name of [...running]) stop(name, 'immediate')
  rmSync(folder, { recursive: true, force: true })
}
process.exit(failures.length > 0 ? 1 : 0)
