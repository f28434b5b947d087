/**
 * `node scripts/run.mjs scripts/recovery.ts`: what docs/serving.md says of PostgreSQL's own means, and of what Debian has for them, tried with
 * the programs themselves. A base backup and archived WAL, by `pg_basebackup` and by pgBackRest, bring the loan desk back to the moment before somebody
 * deleted what they should not; a synchronous standby is promoted while people write, by hand and by Patroni, and they keep all that they were
 * told was saved. Ends with 1 where something is not as it was. What is not on the machine is not tried, and that is said.
 * `PG_BIN`: a folder with PostgreSQL's programs; else the newest below `/usr/lib/postgresql`.
 */
import { once } from 'node:events'
import { cpSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { raw } from '../src/expression/sql.ts'
import { planMigration } from '../src/store/migrate.ts'
import { openStore } from '../src/store/pool.ts'
import { byPatroni } from './patroni.ts'
import {
  areHere,
  bin,
  contentsOf,
  databaseOf,
  dataOf,
  deskAt,
  ended,
  folder,
  foundOf,
  freePort,
  hold,
  type LoanDesk,
  mishap,
  own,
  ownAll,
  primaryWith,
  recovered,
  run,
  runOfPostgres,
  set,
  start,
  stop,
  urlOf,
  writing,
} from './recovering.ts'

if (bin === null) {
  console.log("PostgreSQL's programs are not on this machine: nothing is tried. Set PG_BIN to their folder.")
  process.exit(0)
}
const archive = join(folder, 'archive')

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

/** Copies the running server, with the WAL that it writes meanwhile, into the folder of that name. */
function baseBackup(primary: number, name: string, ...more: readonly string[]): void {
  const from = ['-h', '127.0.0.1', '-p', String(primary), '-U', 'postgres']
  runOfPostgres('pg_basebackup', [...from, '-D', dataOf(name), '-X', 'stream', '-c', 'fast', ...more])
}

/** Starts the server in the folder of that name, which was restored, and compares what is in it. */
async function restoredAs(
  desk: LoanDesk,
  name: string,
  before: ReadonlyMap<string, string>,
  by: string,
): Promise<void> {
  const port = await freePort()
  set(name, { port: String(port), archive_mode: 'off' })
  start(name)
  const store = openStore(urlOf(port, databaseOf(desk.run.runtime.store)), { connectTimeout: 60_000 })
  await recovered(store)
  const after = await contentsOf(store)
  const other = [...before].filter(([table, rows]) => after.get(table) !== rows).map(([table]) => table)
  const seen = `${before.size} tables, of which differ: ${other.join(', ') || 'none'}`
  hold(`${by} brings back the moment before`, other.length === 0, seen)
  const { steps, possible } = await planMigration(store, desk.run.runtime.app)
  hold('its plan has nothing to do', possible && steps.length === 0, `${steps.length} steps`)
  await store.close()
  stop(name, 'fast')
}

async function byBaseBackup(desk: LoanDesk, primary: number): Promise<void> {
  baseBackup(primary, 'base')
  console.log(runOfPostgres('pg_verifybackup', [dataOf('base')]).trim())
  const { before, at } = await mishap(desk)
  await wait(1500)
  cpSync(dataOf('base'), own(dataOf('restored')), { recursive: true })
  ownAll(dataOf('restored'))
  set('restored', {
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_time: at,
    recovery_target_action: 'promote',
  })
  writeFileSync(join(dataOf('restored'), 'recovery.signal'), '')
  await restoredAs(desk, 'restored', before, 'a base backup with archived WAL')
}

/** With a folder as its repository; the server archives by it from then on. */
async function byPgBackRest(desk: LoanDesk, primary: number): Promise<void> {
  const { store } = desk.run.runtime
  const config = join(folder, 'pgbackrest.conf')
  writeFileSync(
    config,
    `[global]
repo1-path=${own(join(folder, 'repository'))}
repo1-retention-full=2
lock-path=${own(join(folder, 'lock'))}
spool-path=${own(join(folder, 'spool'))}
log-level-file=off
start-fast=y
[desk]
pg1-path=${dataOf('primary')}
pg1-port=${primary}
pg1-socket-path=${folder}
pg1-user=postgres
`,
  )
  const rest = (...args: readonly string[]) => {
    const begun = performance.now()
    run('pgbackrest', [`--config=${config}`, '--stanza=desk', ...args])
    return `${((performance.now() - begun) / 1000).toFixed(1)} s`
  }
  rest('stanza-create')
  const push = `pgbackrest --config=${config} --stanza=desk archive-push %p`
  await store.query(raw(`alter system set archive_command = '${push}'`))
  await store.query(raw('select pg_reload_conf()'))
  rest('check')
  const full = rest('backup', '--type=full')
  const { before, at } = await mishap(desk)
  const increment = rest('backup', '--type=incr')
  const to = ['--type=time', `--target=${at}`, '--target-action=promote', `--pg1-path=${own(dataOf('rested'))}`]
  // Newest backups hold what is after it, too.
  const restore = rest('restore', '--delta', ...to)
  await restoredAs(desk, 'rested', before, 'pgBackRest')
  console.log(
    `       a full backup took ${full}, an increment ${increment}, restoring ${restore}; verified in ${rest('verify')}`,
  )
}

async function promoted(desk: LoanDesk, primary: number): Promise<void> {
  const { store } = desk.run.runtime
  const database = databaseOf(store)
  baseBackup(primary, 'standby', '-R')
  const port = await freePort()
  set('standby', { port: String(port), archive_mode: 'off', cluster_name: 'second' })
  start('standby')
  await store.query(raw("alter system set synchronous_standby_names = 'second'"))
  await store.query(raw('select pg_reload_conf()'))
  await wait(1000)

  const address = await movingAddress(primary)
  const people = writing(desk, urlOf(address.port, database))
  await wait(3000)
  const before = people.saved.length
  stop('primary', 'immediate')
  runOfPostgres('pg_ctl', ['-D', dataOf('standby'), '-w', 'promote'])
  address.moveTo(port)
  await wait(5000)
  const longest = people.longest()
  await people.end()
  const found = await foundOf(people.saved, urlOf(port, database))
  hold(
    'what people were told was saved is on the standby that was promoted',
    found === people.saved.length,
    `${found} of ${people.saved.length}, ${before} of them before it`,
  )
  hold(
    'they go on without a restart',
    people.saved.length > before,
    `${people.saved.length - before} saved since, ${people.refused()} asked to try again, nothing saved for ${(longest / 1000).toFixed(1)} s`,
  )
  address.close()
}

let code = 1
try {
  own(archive)
  const primary = await primaryWith({
    archive_mode: 'on',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
    archive_timeout: '60',
  })
  const desk = await deskAt(urlOf(primary))
  await byBaseBackup(desk, primary)
  if (areHere('pgbackrest')) await byPgBackRest(desk, primary)
  else console.log('pgBackRest is not on this machine, and not tried (Debian: apt-get install pgbackrest).')
  await promoted(desk, primary)
  await desk.run.runtime.store.close()
  if (areHere('patroni', 'etcd', 'haproxy')) await byPatroni()
  else
    console.log(
      'Patroni is not tried: it takes patroni, etcd and haproxy (Debian: apt-get install patroni python3-etcd etcd-server haproxy).',
    )
} finally {
  code = ended()
}
process.exit(code)
