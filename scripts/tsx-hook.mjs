/** Lets Node run `.tsx` from source: Node itself strips types, but knows no JSX. */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

let esbuild
registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.tsx')) return next(url, context)
    esbuild ??= process.getBuiltinModule('node:module').createRequire(import.meta.url)('esbuild')
    const path = fileURLToPath(url)
    const { code } = esbuild.transformSync(readFileSync(path, 'utf8'), {
      loader: 'tsx',
      jsx: 'automatic',
      format: 'esm',
      sourcefile: path,
      sourcemap: 'inline',
    })
    return { format: 'module', source: code, shortCircuit: true }
  },
})
