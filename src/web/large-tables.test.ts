/** What comes as a table and is made to harm: it is read within bounds, in a thread of its own, and the process goes on. */
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { headingLetters, tableApartBytes } from './bounds.ts'
import { readAnyTable as readAny } from './large-tables.ts'
import { plainHeading, readTable as read, type TableWish } from './tables.ts'
import { unpackedBytes } from './workbooks.ts'

const wish: TableWish = { names: [], locale: 'en', sheet: null, heading: null }
const readTable = (bytes: Buffer) => read(bytes, wish)
const readAnyTable = (bytes: Buffer, ...within: [] | [{ megabytes: number; seconds: number }]) =>
  readAny(bytes, wish, ...within)

/** A ZIP archive of parts that are stored as they are. */
function zipOf(parts: Readonly<Record<string, string>>): Buffer {
  const [locals, heads]: [Buffer[], Buffer[]] = [[], []]
  let at = 0
  for (const [name, text] of Object.entries(parts)) {
    const content = Buffer.from(text)
    const about = Buffer.alloc(26)
    about.writeUInt16LE(20, 0)
    about.writeUInt32LE(crc32(content), 10)
    about.writeUInt32LE(content.length, 14)
    about.writeUInt32LE(content.length, 18)
    about.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    locals.push(Buffer.concat([Buffer.from('PK\x03\x04'), about, Buffer.from(name), content]))
    heads.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), about, place, Buffer.from(name)]))
    at += 30 + name.length + content.length
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(heads.length, 4)
  end.writeUInt16LE(heads.length, 6)
  end.writeUInt32LE(Buffer.concat(heads).length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...locals, ...heads, Buffer.from('PK\x05\x06'), end])
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const related = (id: string, kind: string, target: string) =>
  `<Relationship Id="${id}" Type="${relations}/${kind}" Target="${target}"/>`
const relationsOf = (...all: string[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`

/** A workbook of these rows, as XML, with these strings that cells share. */
const workbook = (
  rows: string,
  strings = '',
  more: Readonly<Record<string, string>> = {},
  sheet = `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
): Buffer =>
  zipOf({
    'xl/styles.xml': `<styleSheet xmlns="${main}"/>`,
    ...more,
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relationsOf(related('r1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationsOf(
      related('rId1', 'worksheet', 'worksheets/sheet1.xml'),
      related('rId2', 'sharedStrings', 'sharedStrings.xml'),
      related('rId3', 'styles', 'styles.xml'),
    ),
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${strings}</sst>`,
    'xl/worksheets/sheet1.xml': sheet,
  })

const row = (number: number, column: string, text: string) =>
  `<row r="${number}"><c r="${column}${number}" t="inlineStr"><is><t>${text}</t></is></c></row>`
const head = row(1, 'A', 'name')

test('a large table is the same as a small one', async () => {
  const lines = Buffer.from(`name,count\n${Array.from({ length: 30_000 }, (_, at) => `Tool ${at},${at}\n`).join('')}`)
  expect(await readAnyTable(lines)).toEqual(await readTable(lines))
  const book = workbook(head + Array.from({ length: 3000 }, (_, at) => row(at + 2, 'A', `Tool ${at}`)).join(''))
  expect(await readAnyTable(book)).toEqual(await readTable(book))
  expect(await readAnyTable(book)).toMatchObject({ columns: ['name'], delimiter: null, rows: { length: 3000 } })
  expect(await readAnyTable(Buffer.alloc(300_000, 'x'))).toBe('fileCellTooLong')
})

test('a workbook whose formats cannot be unpacked is none', async () => {
  const name = 'xl/styles.xml'
  const book = workbook(head + row(2, 'A', 'x'), '', { [name]: `<styleSheet xmlns="${main}"/>` })
  expect(await readTable(book)).toMatchObject({ columns: ['name'] })
  // Both of its heads say now that it is.
  book.writeUInt16LE(8, book.indexOf(name) - 22)
  book.writeUInt16LE(8, book.lastIndexOf(name) - 36)
  expect(await readTable(book)).toBe('fileUnreadable')
})

test('a workbook brings in neither files nor what it calls by a name of its own', async () => {
  const [file, laughs] = [
    '<!ENTITY x SYSTEM "file:///etc/passwd">',
    '<!ENTITY a "aaaaaaaaaa"><!ENTITY x "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">',
  ]
  for (const entity of [file, laughs]) {
    const doctype = `<!DOCTYPE worksheet [${entity}]>`
    const sheet = `${doctype}<worksheet xmlns="${main}"><sheetData>${head}${row(2, 'A', '&x;')}</sheetData></worksheet>`
    const read = await readAnyTable(workbook('', '', {}, sheet))
    expect(JSON.stringify(read)).not.toMatch(/root:|aaaaaaaaaa/)
  }
})

test('what takes more memory or time than a table needs ends with its thread, and the process answers others meanwhile', async () => {
  const strings = workbook(head + row(2, 'A', 'x'), '<si><t>x</t></si>'.repeat(200_000))
  let turns = 0
  const ticking = setInterval(() => turns++, 5)
  expect(await readAnyTable(strings, { megabytes: 24, seconds: 60 })).toBe('fileTooMuch')
  expect(await readAnyTable(strings, { megabytes: 512, seconds: 0.01 })).toBe('fileTooMuch')
  expect(await readAnyTable(strings)).toMatchObject({ rows: { length: 1 } })
  clearInterval(ticking)
  expect(turns).toBeGreaterThan(50)
})

test('one text that many cells share counts as often as it stands there', async () => {
  const shared = `<row>${'<c t="s"><v>0</v></c>'.repeat(200)}</row>`
  const book = workbook(shared.repeat(40), `<si><t>${'x'.repeat(9000)}</t></si>`)
  expect(await readTable(book)).toBe('fileTooMuch')
})

test.each([
  ['a cell far to the right', head + row(2, 'XFD', 'x'), 'fileTooWide'],
  ['a row behind the last', head + row(4_000_000_000, 'A', 'x'), 'fileUnreadable'],
  ['a row that comes twice', head + row(2, 'A', 'x') + row(2, 'A', 'y'), 'fileUnreadable'],
  ['a row of no number', `${head}<row r="two"><c r="A2"><v>1</v></c></row>`, 'fileUnreadable'],
])('%s is no table', async (_, rows, why) => {
  expect(await readAnyTable(workbook(rows))).toBe(why)
})

test.each([
  ['two cells that span a million', head + row(1_000_000, 'A', 'x'), ''],
  [
    'cells that share one text',
    `<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`.repeat(2),
    `<si><t>${'x'.repeat(9000)}</t></si>`,
  ],
])('a small file is read apart, too, where much comes of it: %s', async (_, rows, strings) => {
  const book = workbook(rows, strings)
  expect(unpackedBytes(book)).toBeLessThan(tableApartBytes)
  expect(await read(book, wish, tableApartBytes)).toBe(null)
  expect(await readAny(book, wish)).toMatchObject({ rows: { length: 1 } })
})

test('a heading is compared by as many letters as a name has, whatever else stands in the cell', () => {
  const letters = plainHeading('\ufdfa '.repeat(100_000)).length
  expect(letters).toBe(plainHeading('\ufdfa '.repeat(headingLetters / 2)).length)
})
