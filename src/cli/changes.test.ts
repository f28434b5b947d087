import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Changes, changesOf } from './changes.ts'
import { loadApp } from './load.ts'

let folder: string
let file: string
let changes: Changes

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ninefold changes '))
  file = join(folder, 'app.md')
  changes = changesOf()
})
afterEach(() => {
  changes.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Several looks long; a change is noticed well before. */
const whether = (change: Promise<'changed'>) => Promise.race([change, wait(1500, 'quiet')])

test('the same text written again is no change, and neither is a root file that is away', async () => {
  writeFileSync(file, '# App\n')
  const change = changes.next(loadApp(file))
  writeFileSync(file, '# App\n')
  renameSync(file, `${file}~`)
  expect(await whether(change)).toBe('quiet')
  renameSync(`${file}~`, file)
  expect(await whether(change)).toBe('quiet')
})

test('a change counts, also where the editor replaces the file or saved it before anybody looked', async () => {
  writeFileSync(file, '# App\n')
  const before = loadApp(file)
  writeFileSync(file, '# Apple\n')
  expect(await whether(changes.next(before))).toBe('changed')
  const change = changes.next(loadApp(file))
  writeFileSync(`${file}.new`, '# Pear\n')
  renameSync(`${file}.new`, file)
  expect(await whether(change)).toBe('changed')
})

test('a part counts that is linked but not there yet, in a folder that is not there yet', async () => {
  writeFileSync(file, '# App\n- **Part:** [Entities](parts/entities.md)\n')
  const loaded = loadApp(file)
  expect([...loaded.texts]).toContainEqual(['parts/entities.md', null])
  const change = changes.next(loaded)
  renameSync(mkdtempSync(join(folder, 'new-')), join(folder, 'parts'))
  writeFileSync(join(folder, 'parts', 'entities.md'), '## 3 Entities and their fields\n')
  expect(await whether(change)).toBe('changed')
})
