import { defineConfig } from 'vitest/config'

/**
 * Three projects: `unit` is pure (threads, shared modules), `database` runs against PostgreSQL and `browser` against
 * Chromium (processes). Files of the first two share the modules that they load: reading them anew took as long as the tests. A test file's
 * ending chooses its project: `.test.ts(x)`, `.db.test.ts`, `.browser.test.ts`.
 */
const database = '**/*.db.test.ts'
const browser = '**/*.browser.test.ts'
export default defineConfig({
  test: {
    // All cores: a test of the database waits for PostgreSQL and for servers of its own most of the time.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{src,docs,conformance}/**/*.test.{ts,tsx}'],
          exclude: [database, browser],
          pool: 'threads',
          isolate: false,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'database',
          include: [database],
          exclude: ['node_modules/**'],
          pool: 'forks',
          isolate: false,
          globalSetup: ['scripts/test-database.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: [browser],
          exclude: ['node_modules/**'],
          pool: 'forks',
          fileParallelism: false,
          // Under load Chromium now and then loses a key press on the way to a native control; a fault of ours fails every time.
          retry: 2,
          globalSetup: ['scripts/test-database.ts', 'scripts/test-browser.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
