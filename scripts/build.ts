/**
 * Builds `dist`, what the package runs: the command and what it loads on demand, and what browsers load. `npm pack` does it first.
 * Dependencies stay outside: npm installs them.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { build } from 'esbuild'
import { builtAssets, home } from '../src/files.ts'
import { bundleAssets } from '../src/web/bundle.ts'
import type { BuiltAssets } from '../src/web/standard-assets.ts'

const dist = join(home, 'dist')
const cache = join(home, 'node_modules', '.cache', 'ninefold')

rmSync(dist, { recursive: true, force: true })
await build({
  entryPoints: { ninefold: 'src/cli/main.ts', 'table-thread': 'src/web/table-thread.ts' },
  absWorkingDir: home,
  outdir: dist,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.18',
  packages: 'external',
  jsx: 'automatic',
  chunkNames: 'chunk-[hash]',
  legalComments: 'none',
  logLevel: 'warning',
})

mkdirSync(builtAssets)
const built: BuiltAssets = { serve: await written(false), dev: await written(true) }
writeFileSync(join(builtAssets, 'index.json'), JSON.stringify(built))

/** Each in a file named by what is in it: both lists have most in common. */
async function written(dev: boolean): Promise<BuiltAssets['serve']> {
  return (await bundleAssets(cache, dev)).map(({ content, ...source }) => {
    const name = createHash('sha256').update(content).digest('hex').slice(0, 16) + extname(source.name)
    writeFileSync(join(builtAssets, name), content)
    return { ...source, in: name }
  })
}
