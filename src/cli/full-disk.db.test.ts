/** Commands that write to a disk on which there is no room. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../store/testing.ts'

const bin = fileURLToPath(new URL('../../bin/ninefold.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'ninefold-full-'))
const disk = join(folder, 'disk')
mkdirSync(disk)
// The account of the embedded server has to enter it: else its data would lie elsewhere.
chmodSync(folder, 0o755)
/** Who is not root, or in a container, has no disk of a size of their own. */
const hasDisk = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]).status === 0

const document =
  '# Desk\n\n- **Ninefold:** 1\n\n## 3 Entities and their fields\n\n### Thing\n|Field|Type|\n|-|-|\n|name|text 40|\n'
const isFull = /disk is full.* Make room/

const started: ChildProcess[] = []
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
  writeFileSync(join(folder, 'desk.md'), document)
  writeFileSync(join(folder, 'shop.jdl'), 'entity Item { name String }\n')
})
beforeEach(() => {
  rmSync(join(disk, 'filling'), { force: true })
  if (!hasDisk) return
  writeFileSync(join(disk, 'desk.md'), document)
  spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'filling')}`, 'bs=4k', 'count=400'])
})
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  if (hasDisk) spawnSync('umount', [disk])
  rmSync(folder, { recursive: true, force: true })
  await database.drop()
})

/** The exit code and what it says. */
const ninefold = (args: readonly string[], DATABASE_URL: string) =>
  new Promise<{ readonly code: number | null; readonly said: string }>(resolve => {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: folder,
      env: { ...process.env, DATABASE_URL, PORT: '0' },
    })
    started.push(child)
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (said += String(data)))
    child.once('close', code => resolve({ code, said }))
  })

test.runIf(hasDisk)('nothing of what has no room stays, and it is told', async () => {
  expect(await ninefold(['apply', 'desk.md'], database.url)).toMatchObject({ code: 0 })
  const calls = [
    ['backup', 'desk.md', '--to', 'disk/backup'],
    ['new', 'disk/project'],
    ['import', 'jdl', 'shop.jdl', '--out', 'disk/shop.md'],
  ]
  for (const args of calls) {
    const { code, said } = await ninefold(args, database.url)
    expect(said).toMatch(isFull)
    expect(said).not.toContain('    at ')
    expect(code).toBe(1)
  }
  expect(existsSync(join(disk, 'shop.md'))).toBe(false)
  for (const made of ['backup', 'project']) expect(readdirSync(join(disk, made))).toEqual([])
})

test.runIf(hasDisk)('a document that cannot be replaced stays as it is', async () => {
  const { code, said } = await ninefold(['format', join(disk, 'desk.md')], database.url)
  expect(said).toMatch(isFull)
  expect(code).toBe(1)
  expect(readFileSync(join(disk, 'desk.md'), 'utf8')).toBe(document)
  expect(readdirSync(disk).filter(name => name.endsWith('.tmp'))).toEqual([])
})

test.runIf(hasDisk)('a database that has no room is told, and leaves none of it behind', async () => {
  const data = join(disk, '.ninefold', 'desk')
  for (const room of [false, true]) {
    if (room) rmSync(join(disk, 'filling'))
    const { code, said } = await ninefold(['dev', join(disk, 'desk.md')], '')
    expect(said).toMatch(isFull)
    expect(code).toBe(1)
    expect(existsSync(data) ? readdirSync(data).filter(name => name.startsWith('postgres')) : []).toEqual([])
  }
})
