/**
 * `npm test`: everything that must hold. Lint, lock file, types, then all tests (pure, PostgreSQL, whole servers, Chromium). Stops at the
 * first step that fails. `npm test -- unit` (`database`, `conformance`, `browser`) runs one part, `npm test -- path/to/file` a file.
 */
import './setup.mjs'
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeOfClone } from './node.mjs'

const home = dirname(dirname(fileURLToPath(import.meta.url)))
const node = nodeOfClone()
const bin = name => join(home, 'node_modules', '.bin', name)
const parts = ['unit', 'database', 'conformance', 'browser']
const wanted = process.argv.slice(2)
const tests = wanted.map(one => (parts.includes(one) ? `--project=${one}` : one))

const checks = [
  ['Lint and format', bin('biome'), ['ci', '--colors=off', '--max-diagnostics=40']],
  [
    'Lock file',
    bin('lockfile-lint'),
    [
      '--path',
      'package-lock.json',
      '--type',
      'npm',
      '--validate-https',
      '--validate-integrity',
      '--allowed-hosts',
      'npm',
    ],
  ],
  ['Types', bin('tsc'), ['--noEmit']],
]
const vitest = [
  'Tests',
  node,
  ['--import', './scripts/with-parent.mjs', join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...tests],
]

/** What runs now. */
let child = null
/** The signal that ends us. */
let ended = null
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    ended = signal
    child?.kill(signal)
  })

/** Its exit code. It leads a group of its own: Ctrl-C reaches it from here alone, and what it leaves behind is ended after it. */
function run([title, command, args]) {
  console.log(`\n== ${title}`)
  // What is started by name is started by the same Node.
  const path = [dirname(node), join(home, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  const env = { ...process.env, NODE_ENV: 'test', NINEFOLD_TEST_ALL: wanted.length === 0 ? '1' : '0', PATH: path }
  return new Promise(resolve => {
    const started = spawn(command, args, { cwd: home, stdio: ['pipe', 'inherit', 'inherit'], env, detached: true })
    child = started
    started.on('error', error => {
      console.error(`${command} could not be started: ${error.message}`)
      resolve(1)
    })
    started.on('exit', (code, signal) => {
      try {
        process.kill(-started.pid, 'SIGKILL')
      } catch {
        // Nothing is left.
      }
      resolve(code ?? 128 + constants.signals[signal])
    })
  })
}

for (const step of wanted.length === 0 ? [...checks, vitest] : [vitest]) {
  const status = await run(step)
  if (ended !== null) process.exit(128 + constants.signals[ended])
  if (status !== 0) process.exit(status)
}
