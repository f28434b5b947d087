/**
 * Builds `dist`, what the package runs: the command and what it loads on demand, and what browsers load. `npm pack` does it first.
 * `dependencies` of package.json stay outside, and npm installs them; what else is imported is built in, with its licence.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join, posix } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import manifest from '../package.json' with { type: 'json' }
import { builtAssets, home } from '../src/files.ts'
import { builtFaces, faceFiles } from '../src/ui/paper/faces.ts'
import { bundleAssets } from '../src/web/bundle.ts'
import type { BuiltAssets } from '../src/web/standard-assets.ts'

const dist = join(home, 'dist')
const cache = join(home, 'node_modules', '.cache', 'ninefold')

rmSync(dist, { recursive: true, force: true })
const common = {
  absWorkingDir: home,
  outdir: dist,
  bundle: true,
  splitting: true,
  format: 'esm',
  jsx: 'automatic',
  legalComments: 'none',
  // Names stay, for the traces of faults. Node keeps the text of all that it runs.
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: 'warning',
  metafile: true,
} as const satisfies BuildOptions

/** As `require` gives it: an `import` reads each of its exports, and one of them loads all of undici, a twentieth of what a start takes. */
const httpAsRequired: Plugin = {
  name: 'http as required',
  setup(building) {
    const namespace = 'required'
    building.onResolve({ filter: /^(?:node:)?http$/ }, () => ({ path: 'node:http', namespace }))
    building.onLoad({ filter: /^/, namespace }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}')`,
    }))
  },
}

const server = await build({
  ...common,
  entryPoints: {
    ninefold: 'src/cli/main.ts',
    'table-thread': 'src/web/table-thread.ts',
    'paper-thread': 'src/web/paper-thread.ts',
    index: 'src/package/index.ts',
    testing: 'src/package/testing.ts',
  },
  platform: 'node',
  target: 'node24.7',
  external: Object.keys(manifest.dependencies),
  plugins: [httpAsRequired],
  // Of what is built in, some is CommonJS and asks for modules of Node.
  banner: {
    js: `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`,
  },
  chunkNames: 'chunk-[hash]',
})
for (const path of globSync('*.js', { cwd: dist })) {
  const file = join(dist, path)
  writeFileSync(file, inLatin(readFileSync(file, 'utf8')))
}
// The parts of `ninefold/ui`, as the scripts of blocks take them: these are made where a document is served.
await build({
  ...common,
  entryPoints: ['src/ui/kit.tsx'],
  outdir: join(dist, 'kit'),
  splitting: false,
  platform: 'browser',
  external: ['react', 'react/jsx-runtime', 'react-dom', 'react-dom/server'],
})
// What browsers load is made below; this tells what is in it.
const browsers = await build({
  ...common,
  entryPoints: globSync('src/web/client/*.{ts,tsx}', { cwd: home, exclude: ['**/*.test.*'] }),
  platform: 'browser',
  write: false,
})
writeFileSync(join(dist, 'LICENSES.md'), licences(server.metafile, browsers.metafile))
writeTypes(['package/index', 'package/testing'])

mkdirSync(builtFaces)
for (const file of faceFiles) copyFileSync(join(home, 'node_modules', file), join(builtFaces, basename(file)))

mkdirSync(builtAssets)
const built: BuiltAssets = { serve: await written(false), dev: await written(true) }
writeFileSync(join(builtAssets, 'index.json'), JSON.stringify(built))

/** One letter beyond Latin 1 doubles what the text of a file takes in memory; they are left in regular expressions alone, where numbers mean the same. */
function inLatin(code: string): string {
  return code.replaceAll(/(?<!\\)[^\0-\xff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Each in a file named by what is in it: both lists have most in common. */
async function written(dev: boolean): Promise<BuiltAssets['serve']> {
  return (await bundleAssets(cache, dev)).map(({ content, ...source }) => {
    const name = createHash('sha256').update(content).digest('hex').slice(0, 16) + extname(source.name)
    writeFileSync(join(builtAssets, name), content)
    return { ...source, in: name }
  })
}

/** The types of what programs import, and of what these mention; `tsc` makes those of all sources, which the package has no use for. */
function writeTypes(entries: readonly string[]): void {
  const all = mkdtempSync(join(tmpdir(), 'ninefold-types-'))
  const made = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--noCheck', '--outDir', all]
  // Where it fails for a file that is wanted, that file is missing below.
  spawnSync(join(home, 'node_modules', '.bin', 'tsc'), made, { cwd: home, stdio: 'ignore' })
  const wanted = new Set(entries)
  for (const name of wanted) {
    const text = readFileSync(join(all, 'src', `${name}.d.ts`), 'utf8')
    for (const [, from] of text.matchAll(/from '(\.[^']+)\.ts'/g)) wanted.add(posix.join(posix.dirname(name), from!))
    const path = join(dist, 'types', `${name}.d.ts`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text.replaceAll(/(from '\.[^']+)\.ts'/g, "$1.js'"))
  }
  rmSync(all, { recursive: true })
}

/** The licences of what is built in, by package. */
function licences(...built: readonly Metafile[]): string {
  const inputs = built.flatMap(({ inputs }) => Object.keys(inputs))
  const folders = inputs.flatMap(path => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  const fonts = faceFiles.map(file => `node_modules/${file.split('/').slice(0, 2).join('/')}`)
  const own = [...new Set([...folders, 'node_modules/@fontsource-variable/ibm-plex-sans', ...fonts])]
    .sort()
    .map(folder => {
      const { name, version, license } = JSON.parse(readFileSync(join(home, folder, 'package.json'), 'utf8'))
      const file = readdirSync(join(home, folder)).find(file => /^licen[cs]e/i.test(file))
      const text = file === undefined ? `Licence: ${license}` : readFileSync(join(home, folder, file), 'utf8')
      return `## ${name} ${version}\n\n${text.trim()}\n`
    })
  return ['# What is built in, and its licences\n', ...own].join('\n')
}
