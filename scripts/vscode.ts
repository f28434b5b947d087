/** The extension for VS Code: bundled, and packed as `ninefold-VERSION.vsix`. `npm run vscode` packs it; `npm run release` goes on from there. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import own from '../package.json' with { type: 'json' }

const home = join(import.meta.dirname, '..')
export const source = join(home, 'editors/vscode')

/** Writes into a folder what the extension consists of. VS Code gives `vscode` itself. */
export async function bundleExtension(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await build({
    entryPoints: [join(source, 'extension.js')],
    outfile: join(folder, 'dist/extension.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    minify: true,
    legalComments: 'inline',
  })
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, version: own.version }, null, 2)}\n`)
  copyFileSync(join(home, 'LICENSE'), join(folder, 'LICENSE.txt'))
  for (const file of ['README.md', '.vscodeignore']) copyFileSync(join(source, file), join(folder, file))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = join(home, 'release/vscode')
  await bundleExtension(folder)
  const out = join(home, 'release', `ninefold-${own.version}.vsix`)
  const { status } = spawnSync(
    'npx',
    [
      '--yes',
      '@vscode/vsce@4.1.0',
      'package',
      '--no-dependencies',
      '--skip-license',
      '--allow-missing-repository',
      '--out',
      out,
    ],
    { cwd: folder, stdio: 'inherit' },
  )
  process.exit(status ?? 1)
}
