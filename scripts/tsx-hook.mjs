/**
 * Lets Node run the sources that have JSX, and start fast: what was made of them is kept in `node_modules/.cache/ninefold` for the next start,
 * by what they say. Where nothing can be kept there, it is made anew each time.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire, enableCompileCache, registerHooks } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const folder = join(dirname(import.meta.dirname), 'node_modules', '.cache', 'ninefold')
enableCompileCache(folder)

const { version } = require('esbuild/package.json')

registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.tsx')) return next(url, context)
    const text = next(url, { ...context, format: 'module' }).source.toString()
    const key = createHash('sha256').update(`${version}\n${text}`).digest('hex').slice(0, 32)
    return {
      format: 'module',
      source: kept(join(folder, `tsx-${key}.js`), () => made(fileURLToPath(url), text)),
      shortCircuit: true,
    }
  },
})

function made(path, text) {
  const { code } = require('esbuild').transformSync(text, {
    loader: 'tsx',
    jsx: 'automatic',
    format: 'esm',
    sourcefile: basename(path),
    sourcesContent: false,
    sourcemap: 'inline',
  })
  return code
}

function kept(file, make) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    const text = make()
    const draft = `${file}.${process.pid}`
    try {
      mkdirSync(folder, { recursive: true })
      writeFileSync(draft, text)
      renameSync(draft, file)
    } catch {}
    return text
  }
}
