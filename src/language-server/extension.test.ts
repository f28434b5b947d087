/** The extension for VS Code as it is packed: its bundle loads with nothing but VS Code beside it, and does what its manifest says. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleExtension, source } from '../../scripts/vscode.ts'
import { views } from './views.ts'

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'extension-'))
  await bundleExtension(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const manifest = () => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** VS Code's own module, as far as loading asks: any name is a class, and any call answers. */
const anything: unknown = new Proxy(class {}, {
  get: (target, name) => (name === 'prototype' ? target.prototype : anything),
  apply: () => anything,
})

test('the bundle needs VS Code and what Node has, and nothing else', () => {
  const asked: string[] = []
  const own = createRequire(import.meta.url)
  const load = (name: string) => {
    asked.push(name)
    return name === 'vscode' ? anything : own(name)
  }
  const module = { exports: {} as Readonly<Record<string, unknown>> }
  const code = readFileSync(join(folder, manifest().main), 'utf8')
  new Function('require', 'module', 'exports', code)(load, module, module.exports)
  expect(Object.keys(module.exports).sort()).toEqual(['activate', 'deactivate'])
  expect(asked).toContain('vscode')
  expect(asked.filter(name => name !== 'vscode' && !isBuiltin(name))).toEqual([])
})

test('every command of the manifest is registered, and asks for what the server shows', () => {
  const script = readFileSync(join(source, 'extension.js'), 'utf8')
  const { contributes } = manifest()
  const commands: readonly string[] = contributes.commands.map(({ command }: { command: string }) => command)
  for (const command of commands) expect(script).toContain(`'${command}'`)
  for (const view of Object.keys(views)) expect(script).toContain(`'${view}'`)
  // The client registers the server's own names, which no command of the manifest may have as well.
  expect(commands.filter(command => command in views)).toEqual([])
  for (const entry of Object.values(contributes.menus).flat() as { command: string }[])
    expect(commands).toContain(entry.command)
})

test('what is packed is there', () => {
  expect(readdirSync(folder).sort()).toEqual(['.vscodeignore', 'LICENSE.txt', 'README.md', 'dist', 'package.json'])
  const packed = readFileSync(join(folder, '.vscodeignore'), 'utf8').match(/(?<=^!).+/gm)
  expect(packed).toContain(manifest().main.replace('./', ''))
})
