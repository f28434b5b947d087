/**
 * Whether a kind is a room: in a copy of the sources its folder is deleted, and its lines in the registries beside it; the rest has to
 * compile. `node scripts/run.mjs scripts/without.ts screens/calendar` says how many files and lines that takes.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/** Lines of a registry without what it imports from a folder, and without the places where that stands. */
function without(text: string, folder: string): string {
  const imported = new RegExp(`^import (?:type )?\\{ ([^}]+) \\} from '\\./${folder}/.*\\n`, 'gm')
  const names = [...text.matchAll(imported)].flatMap(([, found]) => found!.split(', '))
  return names.reduce(
    (left, name) => left.replace(new RegExp(`(?:\\.\\.\\.)?\\b${name}\\b(?:, |,\\n *)?`, 'g'), ''),
    text.replace(imported, ''),
  )
}

function tried(kind: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'ninefold-without-'))
  try {
    for (const part of ['src', 'scripts', 'types', 'package.json', 'tsconfig.json'])
      cpSync(join(root, part), join(copy, part), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    const folder = join(copy, 'src/kinds', kind)
    const files = globSync('**/*.*', { cwd: folder })
    rmSync(folder, { recursive: true })
    const lines = globSync('*.ts', { cwd: dirname(folder), exclude: ['*.test.ts'] }).map(name => {
      const path = join(dirname(folder), name)
      const before = readFileSync(path, 'utf8')
      const after = without(before, kind.split('/')[1]!)
      if (after === before) return 0
      writeFileSync(path, after)
      return before.split('\n').filter(line => !after.includes(line)).length
    })
    writeFileSync(
      join(copy, 'tsconfig.without.json'),
      JSON.stringify({
        extends: './tsconfig.json',
        include: ['src', 'scripts/test-*.ts'],
        exclude: ['src/**/*.test.*'],
      }),
    )
    const { status, stdout } = spawnSync(
      join(root, 'node_modules/.bin/tsc'),
      ['--noEmit', '-p', 'tsconfig.without.json'],
      {
        cwd: copy,
        encoding: 'utf8',
      },
    )
    const registries = lines.filter(count => count > 0)
    const size = `${files.length} files in its folder, ${registries.reduce((sum, count) => sum + count, 0)} lines in ${registries.length} registries`
    if (status !== 0) process.exitCode = 1
    return `${kind}: ${size}; ${status === 0 ? 'the rest compiles' : `the rest does not compile\n${stdout}`}`
  } finally {
    rmSync(copy, { recursive: true })
  }
}

for (const kind of process.argv.slice(2)) console.log(tried(kind))
