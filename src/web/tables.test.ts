/** What a file shows is what is taken of it: cells of workbooks by their formats, rows and sheets by their places, texts in every encoding that offices have. */
import fc from 'fast-check'
import { type Cell, type CellValue, type WriteSheet, writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { cellName, type FileCell, shownOf } from '../document/file-cells.ts'
import { readTable, type TableWish } from './tables.ts'

const wished = (wish: Partial<TableWish> = {}): TableWish => ({
  names: ['Name', 'Zip', 'Price'],
  locale: 'en',
  sheet: null,
  heading: null,
  ...wish,
})

async function read(bytes: Buffer | Uint8Array | string, wish: Partial<TableWish> = {}) {
  const table = await readTable(Buffer.from(bytes as string), wished(wish))
  if (typeof table === 'string') throw new Error(table)
  return table
}

const book = (sheets: readonly WriteSheet[], more: { readonly dateSystem?: '1904' } = {}) =>
  writeXlsx({ sheets: [...sheets], ...more })

/** One cell of a workbook, as it is read. */
async function cellOf(
  cell: Partial<Cell>,
  locale = 'en',
  more: { readonly dateSystem?: '1904' } = {},
): Promise<FileCell> {
  const sheet = {
    name: 'A',
    rows: [
      ['Name', 'Price'],
      ['x', cell.value ?? null],
    ],
    cells: new Map([['1,1', cell]]),
  }
  return (await read(await book([sheet], more), { locale })).rows[0]!.cells[1] ?? ''
}

const formatted = (value: CellValue, numFmt: string): Partial<Cell> => ({ value, style: { numFmt } })
const at = (text: string) => new Date(`${text}Z`)

test.each<[string, Partial<Cell>, FileCell]>([
  ['a code with zeros in front', formatted(1067, '00000'), { v: '1067', shown: '01067' }],
  ['a customer number', formatted(5, '"KD-"0000'), { v: '5', shown: 'KD-0005' }],
  ['a rounded figure', formatted(12.345678, '0.00'), { v: '12.345678', less: '12.35' }],
  ['half a cent', formatted(1.005, '0.00'), { v: '1.005', less: '1.01' }],
  ['an amount', formatted(-1234.5, '#,##0.00 "€"'), { v: '-1234.5', shown: '-1,234.50 €' }],
  ['an amount in brackets', formatted(-12.5, '0.00_);\\(0.00\\)'), { v: '-12.5', shown: '(12.50)' }],
  ['a percentage', formatted(0.1934, '0.0%'), { v: '0.1934', less: '0.193', shown: '19.3%', percent: true }],
  ['thousands', formatted(1234567, '#,##0,'), { v: '1234567', shown: '1,235' }],
  ['a figure with an exponent', formatted(1e21, 'General'), { v: '1000000000000000000000' }],
  ['a number kept as text', formatted('00501', '@'), '00501'],
  ['a day', formatted(at('2026-02-28T00:00:00'), 'dd.mm.yyyy'), { v: '2026-02-28', shown: '28.02.2026' }],
  ['a day as the language has it', formatted(at('2026-02-28T00:00:00'), 'm/d/yyyy'), { v: '2026-02-28' }],
  ['a day with its month by name', formatted(at('2026-02-28T00:00:00'), 'd-mmm-yy'), { v: '2026-02-28' }],
  [
    'a day that has a time',
    formatted(at('2026-02-28T09:30:00'), 'yyyy-mm-dd'),
    { v: '2026-02-28T09:30:00', less: '2026-02-28' },
  ],
  ['a time', formatted(at('1899-12-31T09:30:00'), 'h:mm'), { v: '09:30', shown: '9:30' }],
  ['a time in the afternoon', formatted(at('1899-12-31T21:30:00'), 'h:mm AM/PM'), { v: '21:30', shown: '9:30 PM' }],
  ['seconds that are not shown', formatted(at('1899-12-31T09:30:15'), 'hh:mm'), { v: '09:30:15', less: '09:30' }],
  ['the time of a day', formatted(at('2026-02-28T09:30:00'), 'hh:mm'), { v: '2026-02-28T09:30:00', less: '09:30' }],
  ['hours beyond a day', formatted(at('1900-01-01T13:30:00'), '[h]:mm'), { v: '37:30' }],
  ['a day that never was', formatted(at('1899-12-31T09:30:00'), 'yyyy-mm-dd'), { v: '1900-01-00T09:30:00' }],
  ['yes', { value: true }, { v: 'yes', shown: 'TRUE' }],
  ['an error', { value: '#N/A', type: 'error' }, { v: '#N/A', wrong: 'error' }],
  ['an error kept as text', { value: '#BEZUG!' }, { v: '#BEZUG!', wrong: 'error' }],
  ['a formula that was not worked out', { formula: 'A2*2' }, { v: '=A2*2', wrong: 'uncounted' }],
  ['a formula of nothing', { formula: '""', formulaResult: '' }, ''],
  ['a formula of a figure', { formula: '4.35*100', formulaResult: 4.35 * 100 }, { v: '435' }],
  ['a formula of a fraction', { formula: '0.1+0.2', formulaResult: 0.1 + 0.2 }, { v: '0.3' }],
  ['a formula that fails', { formula: '1/0', formulaResult: '#DIV/0!' }, { v: '#DIV/0!', wrong: 'error' }],
])('%s', async (_, cell, expected) => {
  expect(await cellOf(cell)).toEqual(expected)
})

test('what a format makes of a number is written as the reader writes numbers', async () => {
  expect(shownOf(await cellOf(formatted(1234.5, '#,##0.00 "€"'), 'de'))).toBe('1.234,50 €')
  expect(shownOf(await cellOf({ value: 12.5 }, 'de'))).toBe('12,5')
})

test('a workbook that counts its days from 1904 has the same days, and times', async () => {
  const day = formatted(at('2026-02-28T09:30:00'), 'yyyy-mm-dd hh:mm')
  expect(await cellOf(day, 'en', { dateSystem: '1904' })).toEqual(await cellOf(day))
  expect(await cellOf(formatted(at('1904-01-01T09:30:00'), 'h:mm'), 'en', { dateSystem: '1904' })).toMatchObject({
    v: '09:30',
  })
})

test('titles above the headings are passed over, and so is a sheet that only explains', async () => {
  const explained = { name: 'Read me', rows: [['This is about prices'], ['Ask Ann']] }
  const secret = {
    name: 'Old',
    hidden: true,
    rows: [
      ['Name', 'Zip', 'Price'],
      ['x', '1', 2],
    ],
  }
  const rows = [['Companies of 2026'], [], ['Name', 'Zip'], ['Acme', '1']]
  const found = await read(await book([explained, secret, { name: 'List', rows }]))
  expect(found).toMatchObject({
    columns: ['Name', 'Zip'],
    place: {
      sheet: 'List',
      sheets: [
        { name: 'Read me', hidden: false },
        { name: 'Old', hidden: true },
        { name: 'List', hidden: false },
      ],
      heading: 3,
      above: 1,
    },
    rows: [{ number: 4, cells: ['Acme', '1'] }],
  })
  const told = await read(await book([explained, secret, { name: 'List', rows }]), { sheet: 'Read me', heading: 1 })
  expect(told).toMatchObject({ columns: ['This is about prices'], place: { sheet: 'Read me' }, rows: [{ number: 2 }] })
  // Where no column has a name that is looked for, titles are narrower than the table.
  expect(await read('Prices of 2026\n\nArtikel;Ort;Preis\nHobel;Ulm;1\n')).toMatchObject({
    columns: ['Artikel', 'Ort', 'Preis'],
    place: { heading: 3, above: 1 },
  })
  expect(await readTable(Buffer.from('Name\nx\n'), wished({ heading: 2 }))).toBe('fileEmpty')
  expect(await readTable(Buffer.from('Name\nx\n'), wished({ heading: 9 }))).toBe('fileEmpty')
})

test('rows that are hidden and cells that are merged are taken, and counted', async () => {
  const rows = [['Name', 'Zip'], ['Acme', '1'], [null, '2'], [], [null, '3'], ['Bolt', '4']]
  const merges = [
    { startRow: 1, endRow: 4, startCol: 0, endCol: 0 },
    { startRow: 2, endRow: 5, startCol: 0, endCol: 0 },
  ]
  const found = await read(await book([{ name: 'A', rows, merges, rowDefs: new Map([[2, { hidden: true }]]) }]))
  expect(found.rows).toEqual([
    { number: 2, cells: ['Acme', '1'] },
    { number: 3, cells: ['Acme', '2'] },
    { number: 5, cells: ['Acme', '3'] },
    { number: 6, cells: ['Bolt', '4'] },
  ])
  expect(found.place).toMatchObject({ hidden: 1, merged: 2 })
})

test('a sheet that is nearly all gaps is none: it would be read as a rectangle', async () => {
  const rows: CellValue[][] = [['Name'], ...Array.from({ length: 60_000 }, () => []), [...Array(50).fill(null), 'x']]
  expect(await readTable(Buffer.from(await book([{ name: 'A', rows }])), wished())).toBe('fileUnreadable')
})

const lines = 'Name;Price\r\nSäge;"1,5\r\n2"\r\n'
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
test.each<[string, Buffer]>([
  ['UTF-8', Buffer.from(lines)],
  ['UTF-8 with its mark', Buffer.from(`\ufeff${lines}`)],
  ['UTF-16, as "Unicode text" is saved', utf16(lines)],
  ['UTF-16 the other way round', utf16(lines).swap16()],
  ['UTF-16 without a mark', utf16(lines).subarray(2)],
  ['UTF-16 the other way round without a mark', utf16(lines).swap16().subarray(2)],
  ['what Windows writes', Buffer.from(lines, 'latin1')],
  ['what DOS wrote, and spreadsheets save as "MS-DOS"', Buffer.from(lines.replace('ä', '\x84'), 'latin1')],
  ['tabs', utf16(lines.replaceAll(';', '\t'))],
  ['a line that says what parts the cells', Buffer.from(`sep=;\r\n${lines}`)],
  ['a sign that nobody would guess', Buffer.from(`sep=~\r\n${lines.replaceAll(';', '~')}`)],
])('CSV in %s', async (_, bytes) => {
  expect(await read(bytes)).toMatchObject({
    columns: ['Name', 'Price'],
    rows: [{ number: 2, cells: ['Säge', '1,5\r\n2'] }],
  })
})

test.each([
  [
    'names of Windows with signs of their own',
    'Name\nO\x92Brien \x96 l\x92Or\xe9al \x84M\xfcller\x93 Jaro\x9a 5 \x80\n',
    'O’Brien – l’Oréal „Müller“ Jaroš 5 €',
  ],
  ['a sign between letters that no set has', 'Name\na\xacb \xe9t\xe9\n', 'a¬b été'],
  ['the Macintosh, whose lines end otherwise', 'Name\rS\x8age, M\x9fller, Pr\x8es\r', 'Säge'],
  ['DOS', 'Name\nM\x81ller, G\x94tz, Stra\xe1e, Caf\x82s\n', 'Müller'],
])('letters that are not UTF-8: %s', async (_, text, shown) => {
  const found = await read(Buffer.from(text, 'latin1'))
  expect(found.rows[0]!.cells[0]).toEqual(shown)
})

/** What each language has beside a to z, as people and places are called. */
const accented = {
  French: 'Hélène Élodie François Benoît Noël Besançon Saint-Étienne Zoé Loïc Château Nîmes André Évry reçu',
  Spanish: 'Muñoz Peña José Ángel Martínez Núñez Iñigo Ávila León García Óscar Úbeda María mañana',
  Italian: 'Città perché Università più caffè Nicolò lunedì Cantù Forlì',
  Portuguese: 'João Conceição Açores Três Évora Ângela Setúbal limões',
  Danish: 'Søren Åse Håkon Øystein Ærø Bjørn Århus Tromsø Næss',
  Swedish: 'Åsa Göran Malmö Örebro Jönköping Växjö Ängelholm Märta',
  German: 'Müller Jörg Straße Köln Ärzte Übung Weiß Gänse',
}
const above = (label: string) => new TextDecoder(label).decode(Uint8Array.from({ length: 128 }, (_, at) => at + 128))
const asBytes = (text: string, set: string) =>
  Buffer.from(
    text.replaceAll(/[^\0-\x7f]/g, letter => String.fromCharCode(set.indexOf(letter) + 128)),
    'latin1',
  )

test.each(Object.entries(accented))(
  'words in %s are read as they were written, on Windows and the Macintosh',
  async (_, words) => {
    for (const [label, end] of [
      ['windows-1252', '\r\n'],
      ['macintosh', '\r\n'],
      ['macintosh', '\n'],
      ['macintosh', '\r'],
    ] as const) {
      const { rows } = await read(asBytes(`Name${end}${words.replaceAll(' ', end)}${end}`, above(label)))
      expect([label, end, rows.map(({ cells }) => cells[0]).join(' ')]).toEqual([label, end, words])
    }
  },
)

test('a file of few words is read as its line ends say', async () => {
  for (const word of Object.values(accented).flatMap(words => words.split(' ')))
    for (const [label, end] of [
      ['windows-1252', '\r\n'],
      ['macintosh', '\r'],
    ] as const) {
      const { rows } = await read(asBytes(`Name${end}${word}${end}Ben${end}`, above(label)))
      expect([label, rows[0]!.cells[0]]).toEqual([label, word])
    }
})

test('cells behind the last column are kept, and errors of spreadsheets known in CSV too', async () => {
  const found = await read('Name,Zip,,\nSmith, Sons,04109,,\n#N/A,"Err:502"\n')
  expect(found.columns).toEqual(['Name', 'Zip'])
  expect(found.rows.map(({ cells }) => cells)).toEqual([
    ['Smith', ' Sons', '04109'],
    [
      { v: '#N/A', wrong: 'error' },
      { v: 'Err:502', wrong: 'error' },
    ],
  ])
})

test('cells are called as spreadsheets call them', () => {
  expect([0, 1, 25, 26, 701, 702].map(one => cellName(one, 7))).toEqual(['A7', 'B7', 'Z7', 'AA7', 'ZZ7', 'AAA7'])
})

test('no number is changed on its way through a workbook', async () => {
  const figure = fc.oneof(
    fc.integer(),
    fc.maxSafeInteger(),
    fc.integer().map(cents => cents / 100),
  )
  await fc.assert(
    fc.asyncProperty(figure, async value => {
      expect(await cellOf({ value })).toEqual({ v: String(value === 0 ? 0 : value) })
    }),
    { numRuns: 60 },
  )
})

test.each([
  ['amounts with decimal commas', 'Kunde;Betrag;Faktor', 'A;3,50;1,25\nB;4,75;2,50\nC;5,25;0,75', ';'],
  ['a title above, and semicolons in texts', 'Orders\nname,note,price', 'A,"x; y",1\nB,"a; b; c; d; e",2\nC,z,3', ','],
  ['tabs', 'a\tb', '1,5\t2,5\n3,5\t4,5', '\t'],
])('what parts the cells is what gives the rows one width: %s', async (_, heading, rows, delimiter) => {
  expect((await read(`${heading}\n${rows}\n`, { names: [] })).delimiter).toBe(delimiter)
})
