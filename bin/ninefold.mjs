#!/usr/bin/env node
/**
 * The `ninefold` command. Needs Node 24; where an older one starts it, it hands over to the pinned one in node_modules.
 * Node runs the TypeScript sources as they are; a hook adds JSX.
 */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

if (Number(process.versions.node.split('.')[0]) < 24) {
  handOver(join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node'))
} else {
  // Whatever the shell says: React's development form is several times slower.
  process.env.NODE_ENV = 'production'
  await import('../scripts/tsx-hook.mjs')
  const { main } = await import('../src/cli/main.ts')
  process.exitCode = await main(process.argv.slice(2))
}

function handOver(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  // The child ends cleanly and its code is ours. The terminal sends Ctrl-C to both: it takes the two for one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', error => {
    console.error(`Node 24 could not be started (${error.message}). Install the dependencies first: npm ci`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 130)))
}
