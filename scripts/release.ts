/**
 * `npm run release -- 0.2.0 [--dry-run] [--out FOLDER]`: makes a release of what is committed. Version and change log, both packages, their checksums, what is in
 * them (CycloneDX) and under which licences come into `release/` (or FOLDER); then the commit, the tag, and npm with provenance. With `--dry-run` the
 * repository stays as it is, and npm is asked whether it would take the packages.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { home } from '../src/files.ts'

/** In the order of the change log. */
const kinds = {
  breaking: 'What has to be changed',
  feature: 'New',
  change: 'Different',
  fix: 'Fixed',
} as const

const isVersion = (text: string): boolean => /^\d+\.\d+\.\d+(?:-[\da-z.]+)?$/.test(text)

/** The notes of `.changes/` as the section of a version, before all others; their links lead on from where it stands. */
export function changeLogWith(log: string, notes: ReadonlyMap<string, string>, version: string, day: string): string {
  const unknown = [...notes.keys()].filter(name => !Object.keys(kinds).some(kind => name.startsWith(`${kind}-`)))
  if (unknown.length > 0) throw new Error(`.changes/${unknown[0]} is of no kind that .changes/README.md knows.`)
  const parts = Object.entries(kinds).flatMap(([kind, title]) => {
    const own = [...notes]
      .filter(([name]) => name.startsWith(`${kind}-`))
      .sort(([one], [other]) => (one < other ? -1 : 1))
    const items = own.map(([, text]) => `- ${text.trim().replaceAll('](../', '](').replaceAll('\n', '\n  ')}`)
    return items.length === 0 ? [] : [`### ${title}\n\n${items.join('\n')}`]
  })
  const at = /^## /m.exec(log)?.index ?? log.length
  return `${log.slice(0, at)}## ${version} (${day})\n\n${parts.join('\n\n')}\n\n${log.slice(at)}`
}

/** The package.json of a package at its new version; of `create-ninefold`, the Ninefold that it calls is of the same. */
export function versioned(manifest: string, version: string): string {
  const { dependencies } = JSON.parse(manifest) as { dependencies?: Readonly<Record<string, string>> }
  const own = manifest.replace(/("version": ")[^"]+/, `$1${version}`)
  return dependencies?.ninefold === undefined ? own : own.replace(/("ninefold": ")[^"]+/, `$1${version}`)
}

function notesIn(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(join(folder, '.changes')).filter(name => name.endsWith('.md') && name !== 'README.md')
  return new Map(names.map(name => [name, readFileSync(join(folder, '.changes', name), 'utf8')]))
}

/** Writes what the release changes. */
function write(folder: string, version: string, day: string): void {
  const edit = (path: string, by: (text: string) => string) =>
    writeFileSync(join(folder, path), by(readFileSync(join(folder, path), 'utf8')))
  const notes = notesIn(folder)
  edit('CHANGELOG.md', log => changeLogWith(log, notes, version, day))
  for (const name of notes.keys()) rmSync(join(folder, '.changes', name))
  edit('package.json', text => versioned(text, version))
  edit('package-lock.json', text => text.replace(/("name": "ninefold",\s+"version": ")[^"]+/g, `$1${version}`))
  edit('create-ninefold/package.json', text => versioned(text, version))
}

interface Component {
  readonly name: string
  readonly version: string
  readonly group?: string
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string }
    readonly expression?: string
  }[]
}

const idOf = ({ group, name, version }: Component): string =>
  `${group === undefined ? '' : `${group}/`}${name} ${version}`

/** All that is in the package or that npm installs with it, as CycloneDX; what stands in `LICENSES.md` of `dist` is built in. */
function bill(folder: string): { readonly components: readonly Component[] } {
  const told = (...omit: readonly string[]) =>
    JSON.parse(run(folder, 'npm', 'sbom', '--sbom-format=cyclonedx', '--package-lock-only', ...omit))
  const builtIn = new Set(
    Array.from(readFileSync(join(folder, 'dist', 'LICENSES.md'), 'utf8').matchAll(/^## (.+)$/gm), ([, id]) => id!),
  )
  const installed = new Set((told('--omit=dev') as { components: Component[] }).components.map(idOf))
  const all = told()
  const components = all.components.filter((one: Component) => installed.has(idOf(one)) || builtIn.has(idOf(one)))
  const kept = new Set(components.map((one: { 'bom-ref': string }) => one['bom-ref']))
  return {
    ...all,
    components,
    dependencies: all.dependencies.filter(
      ({ ref }: { ref: string }) => kept.has(ref) || ref === all.metadata.component['bom-ref'],
    ),
  }
}

/** Which licence each of them is under; the texts of what is built in follow. */
function licences(components: readonly Component[], texts: string): string {
  const named = ({ licenses = [] }: Component) =>
    licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name).join(', ') || 'not said'
  const rows = components.map(one => `| ${idOf(one)} | ${named(one)} |`).sort()
  return ['# Licences of others\n', '| Package | Licence |\n| --- | --- |', ...rows, `\n${texts}`].join('\n')
}

const run = (cwd: string, command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 28 })

/** What is committed, in a folder of its own, with the packages that are installed. */
function copied(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ninefold-release-'))
  run(home, 'git', 'worktree', 'add', '--quiet', '--detach', folder, 'HEAD')
  symlinkSync(join(home, 'node_modules'), join(folder, 'node_modules'), 'dir')
  return folder
}

/** Files of the release, in `into`. */
function make(folder: string, into: string, version: string): readonly string[] {
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { recursive: true })
  const pack = (...of: readonly string[]) =>
    run(folder, 'npm', 'pack', '--silent', '--pack-destination', into, ...of)
      .trim()
      .split('\n')
      .at(-1)!
  const tarballs = [pack(), pack('./create-ninefold')]
  const parts = bill(folder)
  writeFileSync(join(into, `ninefold-${version}.cdx.json`), `${JSON.stringify(parts, null, 2)}\n`)
  const texts = readFileSync(join(folder, 'dist', 'LICENSES.md'), 'utf8')
  writeFileSync(join(into, 'LICENSES.md'), licences(parts.components, texts))
  const sums = readdirSync(into)
    .sort()
    .map(
      name =>
        `${createHash('sha256')
          .update(readFileSync(join(into, name)))
          .digest('hex')}  ${name}`,
    )
  writeFileSync(join(into, 'SHA256SUMS'), `${sums.join('\n')}\n`)
  return tarballs.map(name => join(into, name))
}

function release(version: string, isTrial: boolean, into: string): void {
  if (!isVersion(version)) throw new Error(`'${version}' is no version: npm run release -- 0.2.0`)
  if (!isTrial && run(home, 'git', 'status', '--porcelain') !== '')
    throw new Error('Commit first: a release is made of what is committed.')
  const { repository } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  if (!isTrial && repository === undefined)
    throw new Error('package.json has no `repository`, which provenance needs: say where the sources are.')
  const day = new Date().toISOString().slice(0, 10)
  const folder = copied()
  try {
    write(folder, version, day)
    const tarballs = make(folder, into, version)
    console.log(`${into} has ${readdirSync(into).join(', ')}.`)
    if (!isTrial) {
      write(home, version, day)
      run(home, 'git', 'commit', '--quiet', '--all', '--message', `release: ${version}`)
      run(home, 'git', 'tag', `v${version}`)
    }
    for (const tarball of tarballs)
      run(into, 'npm', 'publish', tarball, '--access=public', ...(isTrial ? ['--dry-run'] : ['--provenance']))
    console.log(isTrial ? 'Nothing was committed or published.' : `Published. Now: git push --follow-tags`)
  } finally {
    run(home, 'git', 'worktree', 'remove', '--force', folder)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    options: { 'dry-run': { type: 'boolean' }, out: { type: 'string' } },
    allowPositionals: true,
  })
  release(positionals[0] ?? '', values['dry-run'] === true, resolve(values.out ?? join(home, 'release')))
}
