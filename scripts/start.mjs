/**
 * `npm start`: the dependencies, then the loan desk. One process, and `exec` in package.json instead of a shell that waits for it,
 * so that a signal which reaches only npm ends it too.
 */
import './setup.mjs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = dirname(dirname(fileURLToPath(import.meta.url)))
process.argv.push('dev', relative('.', join(home, 'examples', 'loan-desk', 'loan-desk.md')))
await import('../bin/ninefold.mjs')
