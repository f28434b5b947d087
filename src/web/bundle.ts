/** Makes what browsers load of the sources: the style sheets, and the scripts of `client/`. A package has it ready. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'
import { screenSheets } from '../kinds/screens/pages.ts'
import { bundleStyles } from '../ui/styles.ts'
import { iconOf } from './brand.ts'
import { type AssetSource, assetRoot } from './client.ts'

/** Everything; entries `dev-…` only for `dev`. `cacheFolder`: where the bundle of the scripts is kept from start to start. */
export async function bundleAssets(cacheFolder: string, dev = false): Promise<readonly AssetSource[]> {
  const { css, beside, fonts } = bundleStyles(assetRoot.slice(0, -1), screenSheets)
  const files = await Promise.all(
    fonts.map(
      async (font): Promise<AssetSource> => ({
        name: font.width === null ? font.name : `sans-${font.width}.woff2`,
        file: font.name,
        content: await readFile(font.path),
      }),
    ),
  )
  return [
    { name: 'ninefold.css', content: css },
    ...Object.entries(beside).map(([name, content]) => ({ name: `${name}.css`, content })),
    { name: 'icon.svg', content: iconOf('#1b5a70') },
    ...files,
    ...(await bundleClient(cacheFolder, dev)),
  ]
}

const clientFolder = path.join(import.meta.dirname, 'client')

/**
 * The browser's scripts: every `client/*.ts` and `client/*.tsx` that is no test is an entry; what they share becomes chunks of its own.
 * Bundled once per state of the sources: `cacheFolder` keeps the result for the next start. Islands are loaded by `import()` from the
 * entries, so React only travels to pages that have one.
 */
export async function bundleClient(cacheFolder: string, dev = false): Promise<readonly AssetSource[]> {
  const entries = (await readdir(clientFolder)).filter(
    name => /^[\w-]+\.tsx?$/.test(name) && !name.endsWith('.d.ts') && (dev || !name.startsWith('dev-')),
  )
  if (entries.length === 0) return []
  const key = await stateOf(path.dirname(clientFolder))
  const cached = path.join(cacheFolder, `client-${key}${dev ? '-dev' : ''}.json`)
  const known = await readFile(cached, 'utf8').catch(() => null)
  if (known !== null) return JSON.parse(known) as readonly AssetSource[]
  const result = await build({
    entryPoints: entries.map(name => path.join(clientFolder, name)),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    minify: true,
    write: false,
    metafile: true,
    outdir: '/',
    entryNames: '[name]',
    chunkNames: 'chunk-[hash]',
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    logLevel: 'silent',
  })
  const strays = Object.keys(result.metafile.inputs).filter(input => stray.test(input))
  if (strays.length > 0) throw new Error(`This must not go to browsers: ${strays.join(', ')}`)
  const sources = result.outputFiles.map(({ path: file, text }): AssetSource => {
    const name = path.basename(file)
    return { name, content: text, ...(name.startsWith('chunk-') ? { file: name } : {}) }
  })
  // Written aside and renamed: another process that starts at the same time never reads half a file.
  const draft = `${cached}.${process.pid}`
  try {
    await mkdir(cacheFolder, { recursive: true })
    await writeFile(draft, JSON.stringify(sources))
    await rename(draft, cached)
  } catch (error) {
    // Installed by somebody else: the next start bundles again.
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  return sources
}

/** Code of the server, and what reads documents and expressions: browsers get checked expressions as data. */
const stray =
  /(^|\/)src\/(store|cli|verify|trace|document\/(markdown|print)|expression\/(parse|lexer|check|to-sql)|run\/(read\/read|write\/(write|step)|people\/people|later\/deliver)\.|web\/(?!client\/))|react-dom\/(cjs\/)?[\w-]*server|node_modules\/(pg|fastify)\//

/** Hash over everything that may end up in the bundle: the sources below `src` that a browser can have. */
async function stateOf(web: string): Promise<string> {
  const root = path.dirname(web)
  const hash = createHash('sha256')
  for (const folder of ['web/client', 'ui', 'kinds', 'expression', 'run', 'document', 'headings']) {
    const names = await readdir(path.join(root, folder), { recursive: true }).catch(() => [])
    for (const name of names.filter(name => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name)).sort())
      hash.update(name).update(await readFile(path.join(root, folder, name)))
  }
  return hash.digest('hex').slice(0, 16)
}
