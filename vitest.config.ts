import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Three projects: `unit` is pure (threads, shared modules), `database` runs against PostgreSQL and `browser` against
 * Chromium (processes). Files of the first two share the modules that they load: reading them anew took as long as the tests. A test file's
 * ending chooses its project: `.test.ts(x)`, `.db.test.ts`, `.browser.test.ts`.
 */
const database = '**/*.db.test.ts'
const browser = '**/*.browser.test.ts'
/** What is waited for comes when it comes on a busy machine; only what never comes fails. */
const patient = { poll: { timeout: 20_000 } }

/** The long files first, Chromium's between those that mostly wait for servers of their own: at the end only short ones are left. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const [waiting, drawing] = [/\/conformance\/.*\.db\.test\.ts$/, /\.browser\.test\.ts$/].map(long =>
      sorted.filter(({ moduleId }) => long.test(moduleId)),
    ) as [TestSpecification[], TestSpecification[]]
    const first = Array.from({ length: Math.max(waiting.length, drawing.length) }, (_, at) => [
      waiting[at],
      drawing[at],
    ])
    return [...new Set([...first.flat().filter(one => one !== undefined), ...sorted])]
  }
}

export default defineConfig({
  test: {
    // Two more than cores: a test of the database waits for PostgreSQL and for servers of its own most of the time.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongFirst },
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
          expect: patient,
        },
      },
      {
        test: {
          name: 'browser',
          include: [browser],
          exclude: ['node_modules/**'],
          pool: 'forks',
          // Under load Chromium now and then loses a key press on the way to a native control; a fault of ours fails every time.
          retry: 2,
          globalSetup: ['scripts/test-database.ts', 'scripts/test-browser.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: patient,
        },
      },
    ],
  },
})
