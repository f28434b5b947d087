import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commands } from '../src/cli/commands.ts'
import { commandsPage } from './commands.ts'

const page = readFileSync(new URL('commands.md', import.meta.url), 'utf8')

test('the page of the commands is as the commands are', async () => {
  expect(page).toBe(await commandsPage())
  for (const name of Object.keys(commands)) expect(page).toContain(`\n## ${name}\n`)
})

test('every schema is named where it is used, and is there', () => {
  const named = new Set(Array.from(page.matchAll(/\(schemas\/([\w-]+\.json)\)/g), ([, name]) => name!))
  const all = readdirSync(new URL('schemas', import.meta.url))
  // What the others refer to.
  expect([...named, 'finding.json'].sort()).toEqual(all.sort())
})
