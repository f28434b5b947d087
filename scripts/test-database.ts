/**
 * Vitest's global setup for tests that need PostgreSQL: one server for all of them, theirs by `inject('databaseUrl')`.
 * `NINEFOLD_TEST_DATABASE_URL` names another server (PostgreSQL 15, say) to run the same tests on.
 */
import type { TestProject } from 'vitest/node'
import { startTestServer } from '../src/store/testing.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.NINEFOLD_TEST_DATABASE_URL
  if (given !== undefined) {
    project.provide('databaseUrl', given)
    return
  }
  // The tests of durability start servers of their own; the others need not wait for the disk.
  const fast = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }
  const server = await startTestServer(fast)
  project.provide('databaseUrl', server.url)
  return server.stop
}
