/** `node scripts/run.mjs FILE …`: runs a TypeScript file of this clone, whatever Node the machine has. */
import './setup.mjs'
import { spawnSync } from 'node:child_process'
import { nodeOfClone } from './node.mjs'

const hook = new URL('tsx-hook.mjs', import.meta.url).href
const { status } = spawnSync(nodeOfClone(), ['--import', hook, ...process.argv.slice(2)], { stdio: 'inherit' })
process.exit(status ?? 1)
