/**
 * Vitest's global setup for tests that need PostgreSQL: one server for all of them, theirs by `inject('databaseUrl')`.
 * `NINEFOLD_TEST_DATABASE_URL` names another server (PostgreSQL 15, say) to run the same tests on.
 */
import type { TestProject } from 'vitest/node'
import { dropTestDatabases, prepareTemplate, startTestServer, type TestServer } from '../src/store/testing.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string
  }
}

/** Each part of the tests sets up by itself, from its own copy of this module; the first starts the server and the last stops it. */
const shared = globalThis as { ninefoldTests?: { readonly server: Promise<TestServer>; parts: number } }

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.ninefoldTests ??= { server: startServer(), parts: 0 }
  const { ninefoldTests: one } = shared
  one.parts++
  const { url, stop } = await one.server
  project.provide('databaseUrl', url)
  return async () => {
    if (--one.parts === 0) await stop()
  }
}

async function startServer(): Promise<TestServer> {
  const server = await serverOfRun()
  await prepareTemplate(server.url)
  return server
}

async function serverOfRun(): Promise<TestServer> {
  const given = process.env.NINEFOLD_TEST_DATABASE_URL
  // What a test that was cut short left there.
  if (given !== undefined) return { url: given, stop: () => dropTestDatabases(given) }
  // The tests of durability start servers of their own; the others need not wait for the disk.
  return startTestServer({ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' })
}
