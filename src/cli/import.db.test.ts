/** `ninefold import` and `ninefold diff` as people type them: files, streams and exit codes. */
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeXlsx } from 'hucre/xlsx'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createTestDatabase } from '../store/testing.ts'

const bin = fileURLToPath(new URL('../../bin/ninefold.mjs', import.meta.url))

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ninefold-import-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const ninefold = (...args: readonly string[]) =>
  new Promise<{ readonly code: number; readonly out: string; readonly said: string }>(resolve => {
    execFile(process.execPath, [bin, ...args], { cwd: folder }, (error, out, said) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, said }),
    )
  })

const file = (name: string, text: string) => writeFileSync(join(folder, name), text)

test('what cannot be imported is said, with the exit code of a wrong call or of a wrong source', async () => {
  expect(await ninefold('import')).toMatchObject({
    code: 2,
    said: expect.stringContaining('takes one of: sheet, jdl, prisma, doctype, database'),
  })
  expect(await ninefold('import', 'jdl', 'shop.jdl')).toMatchObject({
    code: 2,
    said: expect.stringContaining("There is no file 'shop.jdl'."),
  })
  expect(await ninefold('import', 'database', 'shop')).toMatchObject({ code: 2, out: '' })
  expect(await ninefold('import', 'database', 'postgres://a:b:c/d')).toMatchObject({ code: 2, out: '' })
  const nobody = await ninefold('import', 'database', 'postgres://127.0.0.1:1/shop')
  expect(nobody).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^No PostgreSQL server answers at 127\.0\.0\.1:1\./),
  })
  file('shop.jdl', 'entity Book {\n  title\n}')
  expect(await ninefold('import', 'jdl', 'shop.jdl', '--out', 'app.md')).toEqual({
    code: 1,
    out: '',
    said: 'shop.jdl:3:1 `}` stands where the type of title is expected\n',
  })
  expect(existsSync(join(folder, 'app.md'))).toBe(false)
})

test('a document is printed or written, its notes go to the error stream, and no file is written over', async () => {
  file('shop.jdl', 'entity Book { title String required }\npaginate Book with pagination')
  const printed = await ninefold('import', 'jdl', 'shop.jdl')
  expect(printed).toMatchObject({
    code: 0,
    said: expect.stringContaining('paginate Book with pagination: every list has pages here'),
  })
  expect(printed.out).toContain('| title | text 255 | required |')
  expect(await ninefold('import', 'jdl', 'shop.jdl', '--out', 'app.md')).toMatchObject({ code: 0, out: '' })
  expect(readFileSync(join(folder, 'app.md'), 'utf8')).toBe(printed.out)
  expect(await ninefold('check', 'app.md')).toMatchObject({ code: 0 })
  file('app.md', 'mine')
  expect(await ninefold('import', 'jdl', 'shop.jdl', '--out', 'app.md')).toMatchObject({ code: 2 })
  expect(readFileSync(join(folder, 'app.md'), 'utf8')).toBe('mine')
})

test('a spreadsheet needs a place for its rows, which stand beside the document', async () => {
  file('shop.csv', 'Name;Price\nDesk;1.234,50\nLamp;19,90\n')
  expect(await ninefold('import', 'sheet', 'shop.csv')).toMatchObject({
    code: 2,
    said: expect.stringContaining('The document has 2 files. Say where they are to be written: --out app.md'),
  })
  expect(await ninefold('import', 'sheet', 'shop.csv', '--dev')).toMatchObject({
    code: 2,
    said: expect.stringContaining('--out app.md --dev'),
  })
  expect(await ninefold('import', 'sheet', 'shop.csv', '--out', 'app.md')).toMatchObject({ code: 0, out: '' })
  expect(readFileSync(join(folder, 'data/shop.csv'), 'utf8')).toBe('name,price\nDesk,1234.50\nLamp,19.90\n')
  expect(await ninefold('check', 'app.md')).toMatchObject({ code: 0 })
  file('empty.csv', '\n')
  expect(await ninefold('import', 'sheet', 'empty.csv', '--out', 'other.md')).toMatchObject({
    code: 1,
    said: 'empty.csv has no table: empty: has no rows below a row of headings\n',
  })
})

test('of a workbook, sheets that it hides and lines above a table are told, in the document, too', async () => {
  const rows = [['Tools of 2026'], [], ['Name', 'Price'], ['Saw', 12], ['Plane', 30]]
  const bytes = await writeXlsx({
    sheets: [
      { name: 'Tools', rows },
      { name: 'Prices', rows: [['Of'], ['x']], hidden: true },
      { name: 'Empty', rows: [] },
    ],
  })
  writeFileSync(join(folder, 'shop.xlsx'), bytes)
  const { code, said } = await ninefold('import', 'sheet', 'shop.xlsx', '--out', 'app.md')
  const document = readFileSync(join(folder, 'app.md'), 'utf8')
  expect(code).toBe(0)
  for (const [about, why] of [
    ['Prices', 'is a hidden sheet, which is left out'],
    ['Empty', 'has no rows below a row of headings'],
    ['Tools', 'its headings stand in row 3; what stands above, in 1 row, is left out'],
  ]) {
    expect(said).toContain(`  ${about}: ${why}\n`)
    expect(document).toContain(`> - \`${about}\`: ${why}\n`)
  }
})

test('DocTypes are read from a file, or from all of a folder', async () => {
  mkdirSync(join(folder, 'crm/lead'), { recursive: true })
  file('crm/lead/lead.json', '{"doctype":"DocType","name":"Lead","fields":[{"fieldname":"who","fieldtype":"Data"}]}')
  file('crm/other.json', '{"doctype":"Report"}')
  const imported = await ninefold('import', 'doctype', 'crm')
  expect(imported).toMatchObject({ code: 0, out: expect.stringContaining('| who | text 140 | |') })
  expect(await ninefold('import', 'doctype', 'crm/other.json')).toMatchObject({
    code: 1,
    said: 'crm/other.json has no DocType.\n',
  })
  expect(await ninefold('import', 'doctype', 'nowhere')).toMatchObject({ code: 2 })
  file('crm/broken.json', '{')
  expect(await ninefold('import', 'doctype', 'crm')).toMatchObject({
    code: 1,
    said: expect.stringContaining('broken.json is no JSON.'),
  })
})

test('whoever stops reading what is printed is no failure', async () => {
  file('shop.jdl', 'entity Book { title String required }')
  const child = spawn(process.execPath, [bin, 'import', 'jdl', 'shop.jdl'], { cwd: folder })
  child.stdout.destroy()
  let said = ''
  child.stderr.on('data', text => {
    said += text
  })
  const code = await new Promise(resolve => child.on('close', resolve))
  expect([code, said]).toEqual([0, ''])
})

test('a database is imported by its address', async () => {
  const { url, store, drop } = await createTestDatabase(inject('databaseUrl'))
  try {
    expect(await ninefold('import', 'database', url)).toMatchObject({
      code: 1,
      said: expect.stringContaining('has no tables'),
    })
    await store.inSession(session =>
      session.execute('create schema shop; create table shop.book (isbn varchar(13) primary key)'),
    )
    const imported = await ninefold('import', 'database', url, '--schema', 'shop', '--out', 'app.md')
    expect(imported).toMatchObject({ code: 0, out: '' })
    expect(readFileSync(join(folder, 'app.md'), 'utf8')).toContain('| isbn | text 13 | required; unique |')
  } finally {
    await drop()
  }
})

test('differences are told one per line with both places; no difference is the exit code 0', async () => {
  const document = (type: string) =>
    `# Shop\n\n## 3 Entities and their fields\n\n### Book\n\n| Field | Type |\n| --- | --- |\n| title | ${type} |\n`
  file('old.md', document('text 80'))
  file('new.md', document('text 90'))
  file('wrong.md', document('txt'))
  expect(await ninefold('diff', 'old.md')).toMatchObject({ code: 2 })
  expect(await ninefold('diff', 'old.md', 'wrong.md')).toMatchObject({ code: 2, out: expect.stringContaining('N1305') })
  expect(await ninefold('diff', 'old.md', 'old.md')).toEqual({ code: 0, out: 'No differences.\n', said: '' })
  expect(await ninefold('diff', 'old.md', 'new.md')).toEqual({
    code: 1,
    out: 'Book.title, its type: `text 90` (was `text 80`)  [old.md:9:3 → new.md:9:3]\n',
    said: '',
  })
})
