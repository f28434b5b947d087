import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openFiles } from './files.ts'

test('the folder of files is closed to others, and what it lies in is not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ninefold-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  openFiles(join(folder, 'desk.md'))
  const modeOf = (...path: string[]) => statSync(join(folder, '.ninefold', ...path)).mode & 0o777
  // The data folder holds the embedded database too, which is not root's where root starts it.
  expect(modeOf('desk')).toBe(modeOf())
  expect(modeOf('desk', 'files')).toBe(0o700)
  expect(modeOf('desk', 'files', 'incoming')).toBe(0o700)
})
