/** Installs the dependencies when they are not there, or not those of the lock file. Runs on Node 20 without any of them. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = dirname(dirname(fileURLToPath(import.meta.url)))

/** Packages by path: what a lock file wants, or what npm noted that it had installed. */
function packages(...path) {
  const file = join(home, ...path)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {}
}

const installed = packages('node_modules', '.package-lock.json')
const isInstalled = ([path, { version, optional }]) => path === '' || installed[path]?.version === version || optional
if (!Object.entries(packages('package-lock.json')).every(isInstalled)) {
  // What a command says on standard output stays its own.
  console.error('Installing the dependencies (first start, or the lock file changed); this takes up to a minute …')
  // Also where NODE_ENV or the user's npm leaves some out.
  const wanted = ['--include=dev', '--include=optional']
  const { status } = spawnSync('npm', ['ci', ...wanted, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: home,
    stdio: ['inherit', process.stderr, 'inherit'],
  })
  if (status !== 0) {
    console.error(
      'The dependencies could not be installed; the messages above say why. Then run the same command again.',
    )
    process.exit(status ?? 1)
  }
}
