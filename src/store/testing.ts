/** Servers and databases for tests: made fresh, gone at the end. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { raw, sql } from '../expression/sql.ts'
import { type Embedded, startEmbedded } from './embedded.ts'
import { openStore, type Store, type StoreOptions } from './pool.ts'
import { systemSteps } from './system/steps.ts'

/** A server to make databases on. */
export type TestServer = Pick<Embedded, 'url' | 'stop'>

/**
 * A server of its own in a temporary folder, gone with `stop` and in any case with this process, even where that is killed.
 * Settings as in `startEmbedded`.
 */
export async function startTestServer(settings: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const folder = testFolder()
  return testServer(folder, await startEmbedded({ dataDir: folder, settings }))
}

/** A server of its own, and one that follows it: a copy of its data, made before either has a record. */
export async function startTestPair(): Promise<{ readonly primary: TestServer; readonly standby: TestServer }> {
  const [folder, copy] = [testFolder(), testFolder()]
  const quick = { fsync: 'off' }
  await (await startEmbedded({ dataDir: folder, settings: quick })).stop()
  const cluster = readdirSync(folder).find(name => name.startsWith('postgres-'))!
  spawnSync('cp', ['-a', join(folder, cluster), copy])
  writeFileSync(join(copy, cluster, 'data', 'standby.signal'), '')
  const primary = testServer(folder, await startEmbedded({ dataDir: folder, settings: quick }))
  const { hostname, port, username, password } = new URL(primary.url)
  const settings = { ...quick, primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password}` }
  return { primary, standby: testServer(copy, await startEmbedded({ dataDir: copy, settings })) }
}

/** Open for the server's account, else root's data would be put elsewhere and stay there. */
function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ninefold-test-'))
  chmodSync(folder, 0o755)
  return folder
}

function testServer(folder: string, server: Embedded): TestServer {
  const note = join(folder, 'elsewhere')
  const folders = existsSync(note) ? [folder, readFileSync(note, 'utf8').trim()] : [folder]
  const heir = waitForOurEnd(folders)
  return {
    url: server.url,
    async stop() {
      await server.stop()
      heir.kill('SIGKILL')
      for (const one of folders) rmSync(one, { recursive: true, force: true })
    },
  }
}

/** A shell whose input ends with this process; then it ends the servers of these folders and removes them. */
function waitForOurEnd(folders: readonly string[]): ChildProcess {
  const script = `read never
    for folder; do for note in "$folder"/postgres-*/data/postmaster.pid; do kill -QUIT "$(head -n 1 "$note")"; done; done
    sleep 1; rm -rf "$@"`
  // A group of its own: what ends all of ours, Ctrl-C say, must leave it.
  const heir = spawn('/bin/sh', ['-c', script, 'sh', ...folders], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  // Where there is no such shell, a process that is killed leaves its server.
  heir.on('error', () => {})
  heir.unref()
  ;(heir.stdin as Socket | null)?.unref()
  return heir
}

/** Milliseconds. On a busy machine a connection and a statement come when they come: nothing is judged by it. */
const patience = 60_000

export interface TestDatabase {
  readonly url: string
  readonly store: Store
  /** Closes the store and drops the database, open connections or not. */
  readonly drop: () => Promise<void>
}

/** A database on the server of `serverUrl` (in tests: `inject('databaseUrl')`), empty or a copy of `template`. */
export async function createTestDatabase(
  serverUrl: string,
  options: StoreOptions = {},
  template?: string,
): Promise<TestDatabase> {
  const url = await createDatabase(serverUrl, template)
  const store = openStore(url, {
    connections: 4,
    connectTimeout: patience,
    statementTimeout: patience,
    ...options,
  })
  return {
    url,
    store,
    async drop() {
      await store.close()
      await dropDatabase(serverUrl, url)
    },
  }
}

let made = 0

/** The names of the databases of a run begin with the process of its Vitest, which started the processes that its tests run in. */
const ofRun = (vitest: number) => `test_${vitest}_`

/** Its URL. Nobody may be connected to the template, which is named by its URL, too. */
export const createDatabase = (serverUrl: string, template?: string): Promise<string> =>
  createNamed(serverUrl, `${ofRun(process.ppid)}${process.pid}_${++made}`, template)

async function createNamed(serverUrl: string, name: string, template?: string): Promise<string> {
  const from = template === undefined ? 'template0' : nameIn(template)
  await onServer(serverUrl, async server => {
    await server.query(raw(`drop database if exists ${name} with (force)`))
    await server.query(raw(`create database ${name} template ${from}`))
  })
  return urlOf(serverUrl, name)
}

function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

const prepared = (vitest: number) => `${ofRun(vitest)}prepared`

/** Makes the template of a run. Called by its Vitest itself. */
export async function prepareTemplate(serverUrl: string): Promise<void> {
  const store = openStore(await createNamed(serverUrl, prepared(process.pid)), { connections: 1 })
  await store.inSession(async session => {
    for (const step of systemSteps.filter(({ when }) => when === 'before')) {
      await session.execute(step.sql)
      await session.execute(`insert into ninefold.system (number, applied_at) values (${step.number}, now())`)
    }
  })
  await store.close()
}

const templates = new Map<string, Promise<string | undefined>>()

/** A database with Ninefold's own tables: a document is applied to a copy in half the time. Undefined where the run has prepared none. */
export function preparedTemplate(serverUrl: string): Promise<string | undefined> {
  const known = templates.get(serverUrl) ?? findTemplate(serverUrl)
  templates.set(serverUrl, known)
  return known
}

async function findTemplate(serverUrl: string): Promise<string | undefined> {
  const name = prepared(process.ppid)
  let isThere = false
  await onServer(serverUrl, async server => {
    isThere = (await server.query(sql`select from pg_database where datname = ${name}`)).length > 0
  })
  return isThere ? urlOf(serverUrl, name) : undefined
}

export const dropDatabase = (serverUrl: string, url: string): Promise<void> =>
  onServer(serverUrl, async server => {
    await server.query(raw(`drop database if exists ${nameIn(url)} with (force)`))
  })

/** Drops what the tests of a run left, which were cut short. Called by its Vitest itself. */
export const dropTestDatabases = (serverUrl: string): Promise<void> =>
  onServer(serverUrl, async server => {
    const left = await server.query<{ name: string }>(
      sql`select datname as name from pg_database where starts_with(datname, ${ofRun(process.pid)})`,
    )
    for (const { name } of left) await server.query(raw(`drop database if exists ${name} with (force)`))
  })

const nameIn = (url: string): string => new URL(url).pathname.slice(1)

async function onServer(url: string, work: (server: Store) => Promise<void>): Promise<void> {
  const server = openStore(url, { connections: 1, connectTimeout: patience, statementTimeout: patience })
  try {
    await work(server)
  } finally {
    await server.close()
  }
}
