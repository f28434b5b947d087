#!/usr/bin/env node
/** `npm create ninefold FOLDER` is `ninefold new FOLDER`. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const ninefold = dirname(createRequire(import.meta.url).resolve('ninefold/package.json'))
process.argv.splice(2, 0, 'new')
await import(pathToFileURL(join(ninefold, 'bin', 'ninefold.mjs')).href)
