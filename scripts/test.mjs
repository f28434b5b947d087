/** `npm test`: everything that must hold. Lint, lock file, types, then all tests (pure, PostgreSQL, Chromium). Stops at the first that fails. */
import './setup.mjs'
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = name => join(home, 'node_modules', '.bin', name)
const steps = [
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
  [
    'Tests',
    join(home, 'node_modules', 'node', 'bin', 'node'),
    [join(home, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...process.argv.slice(2)],
  ],
]

for (const [title, command, args] of steps) {
  console.log(`\n== ${title}`)
  const env = { ...process.env, NODE_ENV: 'test', PATH: `${join(home, 'node_modules', '.bin')}:${process.env.PATH}` }
  const { status, error } = spawnSync(command, args, { cwd: home, stdio: 'inherit', env })
  if (error !== undefined) console.error(`${command} could not be started: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}
