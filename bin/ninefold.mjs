#!/usr/bin/env node
/** The `ninefold` command: what was built, in a package; in a clone the TypeScript sources as they are, where a hook adds JSX. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
// Not by its parts, which an older Node does not have.
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { isNewEnough } from './node-version.mjs'

const isClone = existsSync(new URL('../src', import.meta.url))

if (isNewEnough(process.versions.node)) {
  // Whatever the shell says: React's development form is several times slower.
  process.env.NODE_ENV = 'production'
  if (isClone) {
    await import('../scripts/setup.mjs')
    await import('../scripts/tsx-hook.mjs')
  } else module.enableCompileCache(fileURLToPath(new URL('../../.cache/ninefold', import.meta.url)))
  const { start } = await import(isClone ? '../src/cli/main.ts' : '../dist/ninefold.js')
  process.exitCode = await start(process.argv.slice(2))
} else if (isClone) {
  const { nodeOfClone } = await import('../scripts/node.mjs')
  handOver(nodeOfClone())
} else {
  console.error(`Ninefold needs Node 24.7 or newer, and this is Node ${process.versions.node}.`)
  console.error(
    'Install a newer one from https://nodejs.org or with your version manager, and run the same command again.',
  )
  process.exitCode = 1
}

function handOver(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  // The child ends cleanly and its code is ours. The terminal sends Ctrl-C to both: it takes the two for one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', error => {
    console.error(`${node} could not be started: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 130)))
}
