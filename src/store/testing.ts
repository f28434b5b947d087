/** Servers and databases for tests: made fresh, gone at the end. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { raw } from '../expression/sql.ts'
import { type Embedded, startEmbedded } from './embedded.ts'
import { openStore, type Store, type StoreOptions } from './pool.ts'

/** A server of its own in a temporary folder; `stop` takes the folder away too. Settings as in `startEmbedded`. */
export async function startTestServer(settings: Readonly<Record<string, string>> = {}): Promise<Embedded> {
  const folder = mkdtempSync(join(tmpdir(), 'ninefold-test-'))
  // Open for the server's account, else root's data would be put elsewhere and stay there.
  chmodSync(folder, 0o755)
  const server = await startEmbedded({ dataDir: folder, settings })
  return {
    url: server.url,
    async stop() {
      await server.stop()
      const note = join(folder, 'elsewhere')
      if (existsSync(note)) rmSync(readFileSync(note, 'utf8').trim(), { recursive: true, force: true })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface TestDatabase {
  readonly url: string
  readonly store: Store
  /** Closes the store and drops the database, open connections or not. */
  readonly drop: () => Promise<void>
}

let made = 0

/** An empty database on the server of `serverUrl` (in tests: `inject('databaseUrl')`). */
export async function createTestDatabase(serverUrl: string, options: StoreOptions = {}): Promise<TestDatabase> {
  const name = `test_${process.pid}_${++made}`
  const server = openStore(serverUrl, { connections: 1, statementTimeout: 60_000 })
  try {
    await server.query(raw(`drop database if exists ${name} with (force)`))
    await server.query(raw(`create database ${name} template template0`))
  } finally {
    await server.close()
  }
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const store = openStore(url.href, { connections: 4, ...options })
  return {
    url: url.href,
    store,
    async drop() {
      await store.close()
      const again = openStore(serverUrl, { connections: 1, statementTimeout: 60_000 })
      try {
        await again.query(raw(`drop database if exists ${name} with (force)`))
      } finally {
        await again.close()
      }
    },
  }
}
