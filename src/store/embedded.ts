/**
 * The PostgreSQL server that comes with Ninefold, for people who have none: started on first use, adopted when an earlier
 * process of ours was killed and left it running, started again when it dies, stopped cleanly at the end.
 * It is a real server with durable commits (`fsync` on); what works here works on any other.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import {
  type Account,
  accountForServer,
  asSomebodyNamed,
  type Binaries,
  findBinaries,
  plainEnvironment,
  sharedPlace,
  usableBy,
  useYourOwnServer,
} from './binaries.ts'
import { Unavailable } from './unavailable.ts'

interface EmbeddedOptions {
  /** Where the data lies, `.ninefold/data` say. Made when it is not there. */
  readonly dataDir: string
  /** Told what takes time, in words for whoever waits: 'Preparing the database (first start)…'. */
  readonly onProgress?: (message: string) => void
  /** Further server settings, for tests: `{ fsync: 'off' }`. */
  readonly settings?: Readonly<Record<string, string>>
  /** Where another Ninefold runs the server: use it beside that one (`ninefold plan` beside `dev`) instead of refusing. */
  readonly share?: boolean
}

export interface Embedded {
  /** With the password: for the pool, not for the log. */
  readonly url: string
  /** The folder that holds the data: the data folder, or what took its place because the server's account cannot enter that. */
  readonly folder: string
  /** Ends the server cleanly. Open connections are cut. */
  readonly stop: () => Promise<void>
}

/** Folder layout: `cluster/` holds `password`, `server.log` and `data/` (which belongs to the server's account). */
interface Cluster {
  readonly folder: string
  readonly data: string
  readonly log: string
  readonly password: string
  readonly account: Account
  readonly binaries: Binaries
  readonly settings: Readonly<Record<string, string>>
}

interface Running {
  readonly port: number
  readonly pid: number
}

class Taken extends Unavailable {}

const user = 'ninefold'
const database = 'ninefold'
/** `pg_try_advisory_lock` key of the one owner: 'NINE' in ASCII. Held by a connection, so that a killed owner loses it. */
const ownerLock = 0x4e494e45

/**
 * Starts or adopts the server of a data folder.
 * Throws `Unavailable` when this machine cannot run it, or when another Ninefold uses the folder.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const progress = options.onProgress ?? (() => {})
  const cluster = await openCluster(options, progress)
  let running = await ensureRunning(cluster, await freePort())
  let owner: Client
  try {
    owner = await becomeOwner(cluster, running)
  } catch (error) {
    if (options.share !== true || !(error instanceof Taken)) throw error
    // Its owner ends it; we only come along.
    return { url: urlOf(cluster, running.port, database), folder: dirname(cluster.folder), stop: async () => {} }
  }
  await ensureDatabase(owner)

  let stopping = false
  let recovery = Promise.resolve()
  // Where we end without having stopped it (a second Ctrl-C, a mistake of ours), it ends by itself a moment later.
  const leave = () => {
    if (isServer(running.pid, cluster)) process.kill(running.pid, 'SIGINT')
  }
  process.once('exit', leave)
  const watch = () => {
    const lost = () => {
      if (stopping) return
      recovery = recover()
    }
    owner.once('end', lost)
    // The `end` event follows an error; without a listener the error would end the process.
    owner.on('error', () => {})
  }
  /** Keeps the port, so that pools find the server again under the same URL. */
  const recover = async () => {
    for (let pause = 100; !stopping; pause = Math.min(pause * 2, 5000)) {
      try {
        progress('The database connection was lost; starting it again…')
        running = await ensureRunning(cluster, running.port, true)
        owner = await becomeOwner(cluster, running)
        watch()
        return
      } catch (error) {
        progress(`The database does not start: ${(error as Error).message}`)
        await wait(pause)
      }
    }
  }
  watch()

  return {
    url: urlOf(cluster, running.port, database),
    folder: dirname(cluster.folder),
    async stop() {
      if (stopping) return
      stopping = true
      await recovery
      await endServer(cluster, running.pid)
      process.removeListener('exit', leave)
      await owner.end().catch(() => {})
    },
  }
}

async function openCluster(options: EmbeddedOptions, progress: (message: string) => void): Promise<Cluster> {
  const dataDir = resolve(options.dataDir)
  let account = accountForServer()
  const home = homeOf(dataDir, account)
  try {
    const binaries = findBinaries(account, home)
    const folder = join(home, `postgres-${binaries.major}`)
    if (!existsSync(folder)) {
      progress('Preparing the database (first start)…')
      createCluster(folder, binaries, account)
    }
    const data = join(folder, 'data')
    account = keepOwner(data, account)
    const password = readFileSync(join(folder, 'password'), 'utf8')
    return {
      folder,
      data,
      log: join(folder, 'server.log'),
      password,
      account,
      binaries,
      settings: options.settings ?? {},
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
    throw new Unavailable(
      `The data folder ${home} cannot be used: ${(error as Error).message}`,
      `It may have been made by another user (root, say): start as that user, or remove it, and all data with it. ${useYourOwnServer}`,
      error,
    )
  }
}

/** The folder that holds the cluster: the data folder, or where its note `elsewhere` says. */
function homeOf(dataDir: string, account: Account): string {
  const note = join(dataDir, 'elsewhere')
  try {
    mkdirSync(dataDir, { recursive: true })
    // Empty where a full disk did not keep it.
    const noted = existsSync(note) ? readFileSync(note, 'utf8').trim() : ''
    if (noted !== '') {
      if (existsSync(noted)) return noted
      throw new Unavailable(
        `The database of ${dataDir} lay in ${noted}, which is not there`,
        `Bring that folder back, or delete ${note} to begin with an empty database.`,
      )
    }
    if (account === null || readdirSync(dataDir).some(name => /^postgres-\d+$/.test(name))) return dataDir
    if (usableBy(account, dataDir)) return dataDir
    // Named by the data folder: where that was removed to begin anew, what it led to goes with it.
    const home = join(sharedPlace, `data-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`)
    rmSync(home, { recursive: true, force: true })
    mkdirSync(home, { recursive: true })
    for (const path of [sharedPlace, home]) chmodSync(path, 0o755)
    writeFileSync(note, `${home}\n`)
    return home
  } catch (cause) {
    if (cause instanceof Unavailable) throw cause
    if (isFull(cause as Error)) throw diskFull('a database needs some 70 MB', dataDir, cause)
    throw new Unavailable(
      `The data folder ${dataDir} cannot be made: ${(cause as Error).message}`,
      useYourOwnServer,
      cause,
    )
  }
}

/** Complete or absent, never half: made under another name and renamed. Of two processes at once, one wins. */
function createCluster(folder: string, binaries: Binaries, account: Account): void {
  const home = join(folder, '..')
  for (const name of readdirSync(home)) {
    const left = /^postgres-\d+\.new-(\d+)$/.exec(name)
    if (left && !isAlive(Number(left[1]))) rmSync(join(home, name), { recursive: true, force: true })
  }
  const unfinished = `${folder}.new-${process.pid}`
  try {
    initialise(unfinished, binaries, account)
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(folder)) throw isFull(error as Error) ? diskFull('a database needs some 70 MB', home, error) : error
  }
}

const isFull = ({ code, message }: NodeJS.ErrnoException): boolean =>
  code === 'ENOSPC' || /No space left on device|Check free disk space/.test(message)

const diskFull = (what: string, folder: string, cause: unknown): Unavailable =>
  new Unavailable(`The disk is full: ${what} in ${folder}`, `Make room there. ${useYourOwnServer}`, cause)

function initialise(unfinished: string, binaries: Binaries, account: Account): void {
  const data = join(unfinished, 'data')
  mkdirSync(data, { recursive: true, mode: 0o755 })
  chmodSync(data, 0o700)
  const password = randomBytes(24).toString('base64url')
  writeFileSync(join(unfinished, 'password'), password, { mode: 0o600 })
  // initdb reads a copy that belongs to its account; ours stays ours.
  const forInitdb = join(unfinished, 'password.new')
  writeFileSync(forInitdb, `${password}\n`, { mode: 0o600 })
  if (account) for (const path of [data, forInitdb]) chownSync(path, account.uid, account.gid)
  const run = spawnSync(
    ...asSomebodyNamed(binaries.initdb, [
      ...['--pgdata', data, '--username', user, `--pwfile=${forInitdb}`, '--auth=scram-sha-256', '--encoding=UTF8'],
      // Bytes decide equality and plain order, the same on every machine; people's order is a collation named in the query.
      ...[
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--data-checksums',
        '--no-instructions',
      ],
    ]),
    { ...account, env: plainEnvironment, cwd: '/', encoding: 'utf8' },
  )
  rmSync(forInitdb)
  if (run.status !== 0)
    throw new Unavailable(
      `The embedded PostgreSQL could not be prepared: ${run.error?.message ?? run.stderr.trim()}`,
      useYourOwnServer,
    )
}

/**
 * PostgreSQL wants to own its data. Root runs the server as whoever owns an existing cluster (it may have been made by an
 * ordinary user), and gives it back to the server's account after a `chown -R root`.
 */
function keepOwner(data: string, account: Account): Account {
  if (account === null) {
    // Reading the folder fails where it belongs to another user, which is then said in words.
    readdirSync(data)
    return null
  }
  const { uid, gid } = statSync(data)
  if (uid !== 0) return { uid, gid }
  spawnSync('/bin/chown', ['-R', `${account.uid}:${account.gid}`, data], { env: plainEnvironment })
  return account
}

/** The server's own note of its process, port and state; null when it is not there. */
function readNote(cluster: Cluster): (Running & { readonly ready: boolean }) | null {
  try {
    const lines = readFileSync(join(cluster.data, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Finds the server running or starts it. `samePort` insists on the port, else another is taken when it is in use. */
async function ensureRunning(cluster: Cluster, port: number, samePort = false): Promise<Running> {
  let failure = ''
  for (let attempt = 0; attempt < 40; attempt++) {
    const note = readNote(cluster)
    if (note !== null && isServer(note.pid, cluster)) {
      if (note.ready && (await answers(cluster, note.port))) return note
      await wait(250)
      continue
    }
    // After a crash of the machine the noted process may be somebody else's by now, and PostgreSQL would refuse to start.
    if (note !== null && isAlive(note.pid)) rmSync(join(cluster.data, 'postmaster.pid'), { force: true })
    const started = await start(cluster, port)
    if (typeof started !== 'string') return started
    failure = started
    if (isFull(new Error(failure)))
      throw diskFull('the embedded PostgreSQL does not start without room', cluster.folder, failure)
    if (!samePort && /could not bind|could not create any TCP/.test(failure)) port = await freePort()
    else await wait(250)
  }
  throw new Unavailable(
    `The embedded PostgreSQL does not start: ${failure || 'it does not answer'}`,
    `Its log is ${cluster.log}. ${useYourOwnServer}`,
  )
}

/** The running server, or why it ended: the last lines of its log. */
async function start(cluster: Cluster, port: number): Promise<Running | string> {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The log is for start and crash only: failed statements would carry people's data into it.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    jit: 'off',
    ...cluster.settings,
  }
  const log = openSync(cluster.log, 'w', 0o600)
  const child = spawn(
    cluster.binaries.postgres,
    ['-D', cluster.data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...cluster.account,
      env: plainEnvironment,
      cwd: '/',
      // A group of its own: Ctrl-C in the terminal reaches us, and we end the server after the last request.
      detached: true,
      stdio: ['ignore', log, log],
    },
  )
  closeSync(log)
  child.unref()
  let failure: Error | null = null
  child.once('error', error => {
    failure = error
  })
  // Crash recovery may take a while; the server says so by not being ready, not by ending.
  for (let waited = 0; waited < 120_000; waited += 20) {
    if (failure !== null) return (failure as Error).message
    if (child.exitCode !== null || child.signalCode !== null)
      return readFileSync(cluster.log, 'utf8').trim().split('\n').slice(-6).join('\n')
    const note = readNote(cluster)
    if (note?.ready && note.pid === child.pid && (await answers(cluster, note.port))) return note
    await wait(20)
  }
  return 'it was not ready after two minutes'
}

/** True when the process is a PostgreSQL server of this cluster. Where the system does not tell, alive is taken for yes. */
function isServer(pid: number, cluster: Cluster): boolean {
  if (!isAlive(pid)) return false
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return command[0]?.includes('postgres') === true && command.includes(cluster.data)
  } catch {
    return !existsSync('/proc/self')
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const urlOf = (cluster: Cluster, port: number, name: string) =>
  `postgres://${user}:${cluster.password}@127.0.0.1:${port}/${name}`

/** True when it lets us in with our password; false while it does not listen. Throws when it is somebody else's. */
async function answers(cluster: Cluster, port: number): Promise<boolean> {
  const client = new Client({ connectionString: urlOf(cluster, port, 'postgres'), connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return true
  } catch (error) {
    if ((error as { code?: string }).code === '28P01')
      throw new Unavailable(
        `The database in ${cluster.folder} does not accept its own password`,
        `The file ${join(cluster.folder, 'password')} was changed. ${useYourOwnServer}`,
      )
    return false
  }
}

/** The connection that holds the folder. It lives as long as we do. */
async function becomeOwner(cluster: Cluster, running: Running): Promise<Client> {
  const client = new Client({
    connectionString: urlOf(cluster, running.port, 'postgres'),
    application_name: `ninefold owner ${process.pid}`,
    keepAlive: true,
  })
  client.on('error', () => {})
  await client.connect()
  // The connection of an owner that was killed a moment ago may live a little longer than its process.
  for (let attempt = 0; attempt < 10; attempt++) {
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [ownerLock])
    if (rows[0]!.got) return client
    await wait(200)
  }
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity join pg_locks using (pid)
     where locktype = 'advisory' and classid = 0 and objid = $1 and granted`,
    [ownerLock],
  )
  await client.end()
  const holder = rows[0]?.name.replace('ninefold owner', 'process') ?? 'another process'
  throw new Taken(
    `Another Ninefold (${holder}) is using the data folder ${cluster.folder}`,
    `End it first. ${useYourOwnServer}`,
  )
}

async function ensureDatabase(owner: Client): Promise<void> {
  const { rowCount } = await owner.query('select from pg_database where datname = $1', [database])
  if (rowCount === 0) await owner.query(`create database ${database}`)
}

/** Ends the server: politely (connections are cut, data is written out), then firmly. */
async function endServer(cluster: Cluster, pid: number): Promise<void> {
  const gone = () => !isServer(pid, cluster)
  for (const [signal, patience] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 2000],
  ] as const) {
    if (gone()) return
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    for (let waited = 0; waited < patience && !gone(); waited += 20) await wait(20)
  }
}

function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer()
    server.once('error', failed)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => found(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
