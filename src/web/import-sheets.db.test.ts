/** What a sheet shows is what its import takes, and each cell that cannot be taken is named. */
import { type WriteSheet, writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { fieldsOf } from './testing.ts'
import { type ImportDesk, rowOf, startImports } from './testing-import.ts'

let web: ImportDesk['web']
let keeper: ImportDesk['keeper']
let clear: ImportDesk['clear']
let upload: ImportDesk['upload']
let tried: ImportDesk['tried']

beforeAll(async () => {
  ;({ web, keeper, clear, upload, tried } = await startImports(inject('databaseUrl')))
})
afterAll(() => web?.stop())

const book = async (...sheets: WriteSheet[]) => Buffer.from(await writeXlsx({ sheets }))

test('a row with more cells than there are columns is refused by name, and comes back whole to be corrected', async () => {
  const job = await tried('Code,Name,Kind,Price\nW-1,Plane,Saw,1,,\nW-2,Smith, Sons,Saw,1\n')
  const { text } = await keeper.get(job)
  expect(text).toContain('1 row is right, 0 would change nothing, 1 has something wrong.')
  expect(rowOf(text, 3)).toContain('E3 has no heading above: 1.')
  const file = (await keeper.get(`${job}&_export=csv`)).text.replace('\ufeff', '')
  expect(file).toMatch(/^Code,Name,Kind,Price,Why refused\r\nW-2,Smith, Sons,Saw,"E3 has no .*\(C3\).*\(D3\)",1$/)
  // Brought in as it is, it is refused again; corrected, it is taken.
  const again = await tried(file)
  expect(rowOf((await keeper.get(again)).text, 2)).toContain('E2 has no heading above: 1.')
  const right = await tried('Code,Name,Kind,Price,Why refused\nW-2,"Smith, Sons",Saw,1,…\n')
  expect((await keeper.get(right)).text).toContain('1 row is right')
})

test('errors of a sheet and formulas without a result are no values, and their cells are named', async () => {
  const rows = [
    ['Code', 'Name', 'Kind', 'Price', 'Bought', 'Count', 'Notes'],
    ['E-1', '#N/A', '#REF!', 1, null, null, '#NAME?'],
    ['E-2', 'Plane', 'Saw', null, null, 2, null],
  ]
  const cells = new Map([['2,3', { formula: 'F3*2' }]])
  const job = await tried(await book({ name: 'A', rows, cells }))
  const { text } = await keeper.get(job)
  expect(rowOf(text, 2)).toContain(
    'Name is #N/A, an error of the spreadsheet and no value. Correct the cell, or empty it. (B2)',
  )
  expect(rowOf(text, 2)).toContain('Kind is #REF!')
  expect(rowOf(text, 2)).toContain('(C2)')
  expect(rowOf(text, 3)).toContain('Price is a formula whose result is not in the file: =F3*2.')
  expect(rowOf(text, 3)).toContain('(D3)')
  const csv = await tried('Code,Name,Kind,Price\nE-3,#WERT!,Saw,1\n')
  expect(rowOf((await keeper.get(csv)).text, 2)).toContain('Name is #WERT!')
})

test('what formats show is taken: zeros in front, rounded amounts, the day of a moment', async () => {
  const day = new Date('2026-02-28T09:30:00Z')
  const rows = [
    ['Code', 'Name', 'Kind', 'Price', 'Count', 'Bought', 'Rate', 'Condition'],
    [1067, 491701234567, 'Saw', 4.349999999, 3, day, 4.35 * 100, 'Good'],
    [1068, 5, 'Saw', 4.355, 3.4, new Date('2026-02-28T00:00:00Z'), 1 / 3, 'Good'],
  ]
  const shows = (numFmt: string) => ({ style: { numFmt } })
  const cells = new Map([
    ['1,0', shows('00000')],
    ['2,0', shows('00000')],
    ['1,1', shows('"+"0')],
    ['1,3', shows('0.00')],
    ['1,5', shows('dd.mm.yyyy')],
    ['2,4', shows('0')],
    ['2,6', shows('0.00')],
  ])
  const job = await tried(await book({ name: 'A', rows, cells }))
  const right = (await keeper.get(`${job}&rows=rowsRight`)).text
  expect(rowOf(right, 2)).toContain('|01067|+491701234567|Saw|4.35|3|28.02.2026|435|')
  expect(rowOf((await keeper.get(job)).text, 3)).toContain(
    'Price must have at most 2 decimals; this has 3. Round the number; it is not rounded automatically. (D3)',
  )
  await keeper.submit(job, job, { do: 'apply' })
  expect(await web.run.runtime.store.query(sql`select code, name, price, bought, rate from tool`)).toEqual([
    { code: '01067', name: '+491701234567', price: '4.35', bought: '2026-02-28', rate: '435.0000' },
  ])
  await clear()
})

test('the page says what was read of the file, and reads another sheet or row of headings, without a script', async () => {
  const rows = [
    ['Tools of 2026'],
    [],
    ['Code', 'Name', 'Kind', 'Price'],
    ['S-1', 'Plane', 'Saw', 1],
    ['S-2', 'Auger', null, 2],
  ]
  const other = [
    ['Code', 'Name', 'Kind', 'Price'],
    ['O-1', 'Adze', 'Saw', 1],
  ]
  const merges = [{ startRow: 3, endRow: 4, startCol: 2, endCol: 2 }]
  const file = await book(
    { name: 'Intro', rows: [['Read me first']] },
    { name: 'Tools', rows, merges, rowDefs: new Map([[3, { hidden: true }]]) },
    { name: 'Old', rows: other, hidden: true },
  )
  const { location } = await upload(keeper, file)
  const page = (await keeper.get(location!)).text
  for (const said of [
    'Read from the sheet “Tools”; its headings are in row 3.',
    'Not read: Intro and Old (hidden).',
    'The row above them is left out.',
    'One row that the sheet hides is among those that are brought in.',
    'One cell is merged with the one above it and has its value.',
  ])
    expect(page).toContain(said)
  const german = (await keeper.get(location!, { 'accept-language': 'de' })).text
  expect(german).toContain('Gelesen wurde das Blatt „Tools“; seine Überschriften stehen in Zeile 3.')
  const action = `${location}&from=file`
  expect(fieldsOf(page, action)).toMatchObject({ sheet: 'Tools', heading: '' })
  // A row with nothing below it is no heading: what was read stays.
  const wrong = await keeper.submit(location!, action, { do: 'read', heading: '5' })
  expect((await keeper.get(wrong.location!)).text).toContain('There is no row below the row of headings')
  const again = await keeper.submit(location!, action, { do: 'read', sheet: 'Old' })
  expect((await keeper.get(again.location!)).text).toContain('Read from the sheet “Old”; its headings are in row 1.')
  expect((await keeper.get(location!)).status, 'there is one import, not two').toBe(404)
  // After the trial, too; once it is written, its file is not kept.
  const job = again.location!
  await keeper.submit(job, job, { do: 'check' })
  const back = await keeper.submit(job, `${job}&from=file`, { do: 'read', sheet: 'Tools', heading: '4' })
  expect((await keeper.get(back.location!)).text).toContain('its headings are in row 4.')
  const last = await keeper.submit(back.location!, `${back.location}&from=file`, { do: 'read', heading: '3' })
  await keeper.submit(last.location!, last.location!, { do: 'check' })
  const held = () =>
    web.run.runtime.store.query<{ kept: boolean }>(
      sql`select file is not null as kept from ninefold.job order by id desc limit 1`,
    )
  expect(await held()).toEqual([{ kept: true }])
  await keeper.submit(last.location!, last.location!, { do: 'apply' })
  expect(await held()).toEqual([{ kept: false }])
  expect((await keeper.get(last.location!)).text).toContain('2 rows done, 0 refused')
  await clear()
})
