import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { patience, someOf, whole } from './scripts/limits.ts'

/**
 * Four parts. `unit` is pure (threads); `database` runs against PostgreSQL, `conformance` against whole servers and `browser` against
 * Chromium (processes). Files of all but the last share the modules that they load: reading them anew took as long as the tests.
 * A test file's ending chooses its part, or its place in `conformance/`.
 */
const database = '**/*.db.test.ts'
const browser = '**/*.browser.test.ts'
const onServers = 'conformance/**/*.db.test.ts'

const limits = {
  testTimeout: whole ? 10 * patience.test : patience.test,
  hookTimeout: patience.test,
  expect: { poll: { timeout: patience.step } },
}
/** In the order of the lists: what is quick comes first, so that most failures are known soon. */
const parts = ['unit', 'database', 'conformance', 'browser']
/** These take so long that they begin before all others that wait: else the run ends with one of them, on one core. */
const longest = ['/web/examples.browser', '/conformance/hostile/budget']
/** The longest of their part: others run beside them, and they end before the others do. */
const long = [
  '/conformance/kill/',
  '/conformance/days/',
  '/conformance/hostile/',
  '/conformance/leak/',
  '/web/journeys.browser',
]

/** Of what takes long, `npm test` takes one line of so many at each commit. Each takes about as long as the others of its list. */
const turns: readonly { readonly oneOf: number; readonly of: readonly (readonly string[])[] }[] = [
  {
    oneOf: 7,
    of: [
      ['conformance/hostile/**'],
      ['conformance/leak/twins.db.test.ts'],
      ['conformance/leak/leak.db.test.ts'],
      ['conformance/leak/{faults,twins-faults,unseen}.db.test.ts'],
      ['conformance/{kill,mutants}/**'],
      ['conformance/matrix/**'],
      ['conformance/package/**'],
      ['conformance/days/**'],
    ],
  },
  { oneOf: 3, of: [['conformance/once/**'], ['conformance/load/**'], ['conformance/{values,defences}/*.db.test.ts']] },
  {
    oneOf: 5,
    of: [
      ['src/web/statements.db.test.ts'],
      ['src/cli/dev.db.test.ts'],
      ['src/cli/verify.db.test.ts'],
      ['src/store/embedded.db.test.ts', 'src/run/write/clean.db.test.ts'],
      ['src/expression/differential/fuzz.db.test.ts', 'src/cli/json.db.test.ts'],
      ['src/store/converge.db.test.ts', 'src/cli/import.db.test.ts'],
      ['src/cli/verify-*.db.test.ts'],
      ['examples/equipment-desk/proof/**'],
      ['src/web/filters-told.db.test.ts', 'src/web/replica.db.test.ts', 'src/cli/{mcp,newer}.db.test.ts'],
    ],
  },
  {
    oneOf: 5,
    of: globSync(`src/${browser}`, { cwd: import.meta.dirname })
      .sort()
      .map(file => [file]),
  },
]
const isPart = process.env.NINEFOLD_TEST_ALL === '1'
const notTaken = isPart ? turns.flatMap(({ oneOf, of }) => butFor(of, someOf(of, oneOf)).flat()) : []

function butFor<T>(all: readonly T[], taken: readonly T[]): readonly T[] {
  return all.filter(one => !taken.includes(one))
}

class QuickPartsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) => {
      const isOneOf = (names: readonly string[]) => names.some(name => moduleId.includes(name))
      return isOneOf(longest) ? 10 : 10 * parts.indexOf(project.name) + (isOneOf(long) ? 1 : 2)
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

/** Those that wait for PostgreSQL, for servers of their own and for Chromium most of the time. */
const waiting = {
  pool: 'forks' as const,
  exclude: [...notTaken, 'node_modules/**'],
  // Two more than cores.
  maxWorkers: availableParallelism() + 2,
  sequence: { groupOrder: 1 },
  isolate: false,
  env: { NODE_ENV: 'production' },
  ...limits,
}

/** React as it is served: its form for development makes every element several times over. */
const served = { oxc: { jsx: { development: false } } }

export default defineConfig({
  test: {
    reporters: ['./scripts/progress.ts'],
    // Times say little on a busy machine; what is this slow is worth a line.
    slowTestThreshold: 30_000,
    sequence: { sequencer: QuickPartsFirst },
    projects: [
      {
        ...served,
        test: {
          name: 'unit',
          include: ['{src,docs,conformance}/**/*.test.{ts,tsx}'],
          exclude: [database, browser],
          pool: 'threads',
          isolate: false,
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
          ...limits,
        },
      },
      {
        ...served,
        test: {
          ...waiting,
          name: 'database',
          include: [database],
          exclude: [onServers, ...waiting.exclude],
          globalSetup: ['scripts/test-database.ts'],
        },
      },
      {
        ...served,
        test: {
          ...waiting,
          name: 'conformance',
          include: [onServers],
          globalSetup: ['scripts/test-database.ts'],
        },
      },
      {
        ...served,
        test: {
          ...waiting,
          name: 'browser',
          include: [browser],
          // Under load Chromium now and then loses a key press on the way to a native control; a fault of ours fails every time.
          retry: 2,
          globalSetup: ['scripts/test-database.ts', 'scripts/test-browser.ts'],
        },
      },
    ],
  },
})
