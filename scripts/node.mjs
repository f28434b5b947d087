/** The Node that runs a clone: the machine's own, or where that is too old the pinned one, which is fetched once. Runs on Node 20. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isNewEnough } from '../bin/node-version.mjs'

/** Its path. */
export function nodeOfClone() {
  if (isNewEnough(process.versions.node)) return process.execPath
  const folder = join(dirname(fileURLToPath(import.meta.url)), 'node')
  const node = join(folder, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (!existsSync(node)) {
    console.error(`Node ${process.versions.node} is too old to run the sources: fetching a newer one (once) …`)
    const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      // Standard output belongs to the command.
      stdio: ['ignore', process.stderr, 'inherit'],
    })
    if (status !== 0) {
      console.error('It could not be fetched; the messages above say why. Install Node 24.7 or newer instead.')
      process.exit(status ?? 1)
    }
  }
  return node
}
