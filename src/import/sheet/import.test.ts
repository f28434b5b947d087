import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampled } from '../../../scripts/limits.ts'
import type { FileCell } from '../../document/file-cells.ts'
import { readApp } from '../../headings/index.ts'
import { importSheets } from './import.ts'
import type { Sheet } from './sheet.ts'

/** The first row has the headings; nothing stands in an empty cell. */
const sheet = (name: string, [columns, ...rows]: readonly (readonly FileCell[])[]): Sheet => ({
  name,
  columns: columns!.map(String),
  rows: rows.map((cells, index) => ({ number: index + 2, cells })),
  place: { heading: 1, above: 0, hidden: 0, merged: 0 },
})

function imported(...sheets: readonly Sheet[]) {
  const { files, notes } = importSheets(sheets, 'shop.xlsx')
  const load = (path: string) => files.find(file => file.path === path)?.text ?? null
  const { app, found } = readApp('app.md', load, { version: () => 'imported' })
  const document = files[0]!.text
  return {
    app: app!,
    notes,
    document,
    wrong: found.filter(({ severity }) => severity === 'error' || severity === 'warning').map(({ code }) => code),
    /** The lines of a file of data. */
    data: (entity: string) => load(`data/${entity}.csv`)!.trimEnd().split('\n'),
    fields: (entity: string) =>
      document
        .split(`### ${entity}\n`)[1]!
        .split('\n##')[0]!
        .split('\n')
        .filter(line => /^\| [a-z]/.test(line)),
  }
}

/** So many rows of one column. */
const column = (heading: string, ...cells: readonly FileCell[]) =>
  imported(sheet('Things', [[heading], ...cells.map(cell => [cell])]))

test.each<[string, string, FileCell[], string, string[]]>([
  ['whole numbers', 'Pieces', ['1', '12,000', { v: '7' }], '| pieces | integer | required |', ['1', '12000', '7']],
  [
    'numbers of one writing',
    'Weight',
    ['1.234,5', '0,25', '3'],
    '| weight | decimal 12.2 | required |',
    ['1234.50', '0.25', '3.00'],
  ],
  [
    'amounts',
    'Price',
    ['€1,234.50', { v: '12.5', shown: '12.50 €' }],
    '| price | money EUR | required |',
    ['1234.50', '12.50'],
  ],
  [
    'amounts by their heading',
    'Cost (CHF)',
    ['3', '4.5'],
    '| cost_chf | money CHF | required | Cost (CHF) |',
    ['3.00', '4.50'],
  ],
  [
    'percentages',
    'VAT',
    [{ v: '0.19', shown: '19%', percent: true }, '7.5 %'],
    '| vat | percent | required | VAT |',
    ['19%', '7.5%'],
  ],
  ['days', 'Born', ['28.03.2026', '1.4.2026'], '| born | date | required |', ['2026-03-28', '2026-04-01']],
  [
    'days of another order',
    'Born',
    ['03/28/2026', '04/01/2026'],
    '| born | date | required |',
    ['2026-03-28', '2026-04-01'],
  ],
  [
    'moments, some without their time',
    'At',
    [{ v: '2026-03-28T09:30' }, { v: '2026-03-29' }],
    '| at | date and time | required |',
    ['2026-03-28T09:30', '2026-03-29T00:00'],
  ],
  ['times of day', 'Opens', ['09:30', '10:00'], '| opens | time | required |', ['09:30', '10:00']],
  ['lengths of time', 'Took', [{ v: '26:15' }, { v: '1:30' }], '| took | duration | required |', ['26:15', '1:30']],
  ['yes and no', 'Paid', ['yes', 'No'], '| paid | yes/no | required |', ['yes', 'no']],
  ['a cross or nothing', 'Paid', ['x', '', 'X'], '| paid | yes/no | default no |', ['yes', 'no', 'yes']],
  [
    'figures of which a few have decimals',
    'Weight',
    [...Array.from({ length: 20 }, (_, n) => String(n + 1)), '3.50', { v: '0.125' }],
    '| weight | decimal 14.4 | required |',
    [...Array.from({ length: 20 }, (_, n) => `${n + 1}.0000`), '3.5000', '0.1250'],
  ],
  [
    'amounts of which one has three decimals',
    'Price €',
    [...Array.from({ length: 11 }, (_, n) => String(n + 1)), '0.125'],
    '| price | money EUR 4 | required | Price € |',
    [...Array.from({ length: 11 }, (_, n) => `${n + 1}.00`), '0.125'],
  ],
  [
    'figures of which one has zeros at its front',
    'Shelf',
    [...Array.from({ length: 11 }, (_, n) => String(n + 10)), '007'],
    '| shelf | text 20 | required |',
    [...Array.from({ length: 11 }, (_, n) => String(n + 10)), '007'],
  ],
  [
    'figures to which a format gives zeros at their front',
    'Shelf',
    [
      { v: '7', shown: '0007' },
      { v: '12', shown: '0012' },
    ],
    '| shelf | text 20 | required |',
    ['0007', '0012'],
  ],
  ['digits that nobody counts with', 'Zip', ['00123', '10115'], '| zip | text 20 | required |', ['00123', '10115']],
  [
    'words that come again',
    'Kind',
    ['book', 'Film', 'Book', 'film', 'film'],
    '| kind | choice: Book, Film | required |',
    ['Book', 'Film', 'Book', 'Film', 'Film'],
  ],
  ['what identifies', 'Item no.', ['7', '8'], '| item_no | text 20 | required; unique | Item no. |', ['7', '8']],
  [
    'what a word of its own kind names',
    'Rechnungsnr.',
    ['R-1', 'R-2'],
    '| rechnungsnr | text 20 | required; unique | Rechnungsnr. |',
    ['R-1', 'R-2'],
  ],
  [
    'addresses',
    'Mail',
    ['a@example.com', 'b@example.com'],
    '| mail | e-mail | required |',
    ['a@example.com', 'b@example.com'],
  ],
  [
    'texts of several lines',
    'Notes',
    ['One\nTwo', 'Three'],
    '| notes | long text 1000 | required |',
    ['"One', 'Two"', 'Three'],
  ],
])('%s', (_, heading, cells, field, values) => {
  // A second column, so that no row is empty.
  const { fields, data, wrong } = imported(
    sheet('Things', [[heading, 'Row'], ...cells.map((cell, index) => [cell, `r${index}`])]),
  )
  expect(wrong).toEqual([])
  expect(fields('Thing')[0]!.replace(/\|(?: \|)+$/, '|')).toBe(field)
  expect(
    data('thing')
      .slice(1)
      .map(line => line.replace(/,r\d+$/, '')),
  ).toEqual(values)
})

test('what does not fit is left out and told by its cell, with how many speak for the rest', () => {
  const { document, notes, data, wrong } = imported(
    sheet('Orders', [
      ['Order no', 'Due', 'Total'],
      ...Array.from({ length: 10 }, (_, n) => [
        `O-${n}`,
        n === 3 ? 'n/a' : n === 4 ? 'soon' : `2026-11-${10 + n}`,
        { v: '#REF!', wrong: 'error' } as const,
      ]),
      ['Sum', '', '45'],
    ]),
  )
  expect(wrong).toEqual([])
  expect(document).toContain('> - `due`: date, in 8 of 10 cells\n')
  expect(document).toContain('> - `order_no`: text 20, in 10 of 10 cells; required, since no row is without\n')
  expect(notes).toEqual(
    expect.arrayContaining([
      'Orders!A12: begins a row that adds up the others, and is no record',
      'Orders!B5: "n/a" is no date: left out',
      'Orders!B6: "soon" is no date: left out',
      expect.stringMatching(/^Orders!C2, Orders!C3, .*: #REF! is an error of the spreadsheet: left out$/),
    ]),
  )
  expect(data('order')[4]).toBe('O-3,,')
})

test('formulas without a result are told once for each column', () => {
  const { notes, data, wrong } = imported(
    sheet('Orders', [
      ['Name', 'Net', 'Gross'],
      ...Array.from({ length: 5 }, (_, n): FileCell[] => [
        `Desk ${n}`,
        n === 1 ? { v: '=1+1', wrong: 'uncounted' } : String(n),
        { v: `=B${n + 2}*1.19`, wrong: 'uncounted' },
      ]),
    ]),
  )
  expect(wrong).toEqual([])
  expect(notes).toEqual([
    expect.stringMatching(/^Orders!B3: `=1\+1` is a formula whose result is not in the file, and is left out\. /),
    expect.stringMatching(
      /^Orders!C2: `=B2\*1\.19` is a formula .*, and so are 4 more of this column: all are left out\. /,
    ),
  ])
  expect(data('order').slice(1, 3)).toEqual(['Desk 0,0,', 'Desk 1,,'])
})

test('what lies around a table, and what its sheet does not show, is told', () => {
  const { document, notes } = imported({
    ...sheet('Orders', [['Name'], ['A'], ['B']]),
    place: { heading: 3, above: 1, hidden: 2, merged: 1 },
  })
  expect(notes).toEqual([
    'Orders: its headings stand in row 3; what stands above, in 1 row, is left out',
    'Orders: 2 rows that it hides came along, too',
    'Orders: merged cells: 1 cell without a value of its own took that of the cell above',
  ])
  expect(document.split('## 4')[0]).toContain('> - `Orders`: 2 rows that it hides came along, too\n')
})

test('an error among states is told, and as what its record begins', () => {
  const states = ['Open', 'Done', 'Open', 'Done', 'Done', { v: '#N/A', wrong: 'error' } as const]
  const { document, notes, data, wrong } = imported(
    sheet('Jobs', [['What', 'Status'], ...states.map((state, n) => [`Job ${n}`, state])]),
  )
  expect(wrong).toEqual([])
  expect(document).toContain('> - `state`: 2 states, in 5 of 6 cells; a row without one begins as Open\n')
  expect(notes).toEqual(['Jobs!B7: #N/A is an error of the spreadsheet: left out'])
  expect(data('job').at(-1)).toBe('Job 5,')
})

test('addresses write umlauts as people do who have none', () => {
  const { document, wrong } = imported(sheet('Geräte', [['Größe'], ['A'], ['B']]))
  expect(wrong).toEqual([])
  expect(document).toContain('| /geraete/new | New geräte |')
})

test('a text says which of its cells keep it from being something better', () => {
  const days = (...others: readonly string[]) => [
    ...Array.from({ length: 9 }, (_, n) => `2026-11-${10 + n}`),
    ...others,
  ]
  const near = column('Due', ...days('soon', 'next week'))
  expect(near.fields('Thing')).toEqual(['| due | text 20 | required |'])
  expect(near.notes).toEqual([
    'Things!A11, Things!A12: is no date, as 9 of 11 cells are: `due` stays a text, which keeps them all',
  ])
  expect(column('Due', ...days('a', 'b', 'c', 'd', 'e')).notes).toEqual([])
  const many = Array.from({ length: 6 }, (_, n) => `word ${n}`)
  expect(column('Due', ...days(...days(...many))).notes).toEqual([
    expect.stringMatching(/^Things!A20, .*, Things!A24: is no date, as 18 of 24 cells are: /),
  ])
})

test('a column that holds keys of another sheet refers to it, and what names nobody is told', () => {
  const { fields, data, notes, app, wrong } = imported(
    sheet('Customers', [
      ['ID', 'Name'],
      ['101', 'Alfreds'],
      ['102', 'Chop-suey'],
      ['103', 'Ernst'],
    ]),
    sheet('Orders', [
      ['Customer ID', 'Contact', 'Stock'],
      ...Array.from({ length: 11 }, (_, n) => [
        n === 5 ? '999' : String(101 + (n % 3)),
        ['alfreds', 'Ernst', 'Chop-suey'][n % 3]!,
        String(101 + (n % 3)),
      ]),
    ]),
  )
  expect(wrong).toEqual([])
  expect(fields('Customer')).toEqual([
    '| customer_id | text 20 | required; unique | ID |',
    '| name | text 20 | required; unique | |',
  ])
  expect(fields('Order').slice(0, 3)).toEqual([
    '| customer | Customer | |',
    '| contact | Customer | required |',
    '| stock | integer | required |',
  ])
  expect(data('order').slice(1, 3)).toEqual(['101,Alfreds,101', '102,Ernst,102'])
  expect(notes).toEqual(['Orders!A7: "999" is no Customer: left out'])
  expect(app.entities.get('customer')?.title).toEqual(['name', 'customer_id'])
})

test('records that name each other are not required to, for neither could be the first', () => {
  const { fields, wrong } = imported(
    sheet('Teams', [
      ['Team', 'Lead member'],
      ['Red', 'Ann'],
      ['Blue', 'Bob'],
    ]),
    sheet('Members', [
      ['Member', 'Team'],
      ['Ann', 'Red'],
      ['Bob', 'Blue'],
      ['Cid', 'Blue'],
    ]),
  )
  expect(wrong).toEqual([])
  expect(fields('Team')[1]).toBe('| lead | Member | |')
  expect(fields('Member')[1]).toBe('| team | Team | |')
})

test('a column of states gives the entity states, each of which leads to every other', () => {
  const { app, data, document, wrong } = imported(
    sheet('Requests', [
      ['What', 'Status'],
      ...['done', 'Done', 'In work', 'open', 'Open', ''].map((state, n) => [`Request of day ${n}`, state]),
      ['Request of day 6', 'In work'],
    ]),
  )
  expect(wrong).toEqual([])
  expect(app.workflows.get('request')?.states.map(({ name }) => name)).toEqual(['Open', 'Done', 'In work'])
  expect(document).toContain('| mark in work | Open, Done | In work | Administrator |')
  expect(data('request').slice(1, 3)).toEqual(['Request of day 0,Done', 'Request of day 1,Done'])
})

test('sheets with names that spreadsheets give are called as the file', () => {
  expect(imported(sheet('Sheet1', [['Name'], ['A'], ['B']])).app.entities.has('shop')).toBe(true)
  expect(column('2024', 'a').document).toContain('| column_2024 |')
})

const word = fc.oneof(
  fc.constantFrom(
    '',
    'id',
    'ID',
    'state',
    'Status',
    'name',
    'where',
    'Größe',
    '2024',
    'Заказ',
    'a|b',
    '`x`',
    'TBD',
    'created_at',
    'Price €',
    'Person',
    'version',
    'list',
  ),
  fc.string({ maxLength: 8 }),
)
const cell: fc.Arbitrary<FileCell> = fc.oneof(
  word,
  fc.constantFrom(
    '',
    '1',
    '2.5',
    '03/04/2026',
    '2026-02-30',
    'yes',
    'x',
    '-',
    'no',
    '?',
    '19%',
    '€5',
    'a@b.example',
    '09:30',
    '3 days',
    '"',
    'a,b',
    '=1+1',
    'Open',
    'open',
    'today',
    '-1',
    '99999999999999999999',
  ),
  fc.record({
    v: fc.constantFrom('1', '0.19', '2026-03-28', '2026-03-28T09:30', '09:30', 'yes'),
    shown: fc.constantFrom('1 €', '19%', 'x'),
  }),
  fc.constant({ v: '#N/A', wrong: 'error' as const }),
)
const anySheet = fc
  .tuple(
    word,
    fc.array(word, { minLength: 1, maxLength: 5 }),
    fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 12 }),
  )
  .map(([name, columns, rows]) => sheet(name, [columns, ...rows.filter(cells => cells.some(cell => cell !== ''))]))

test('whatever stands in them, sheets become a document without mistakes', () => {
  fc.assert(
    fc.property(fc.array(anySheet, { minLength: 1, maxLength: 3 }), sheets => {
      expect(imported(...sheets).wrong).toEqual([])
    }),
    { numRuns: sampled(400) },
  )
})

test('a sheet that is named after a year is named by its codes, whatever their heading', () => {
  const codes = Array.from({ length: 6 }, (_, n) => `P0${n + 10}`)
  const { fields, wrong } = imported(
    sheet('Projects 2026', [['Code', 'Title'], ...codes.map((code, n) => [code, `Work ${n}`])]),
    sheet('Tasks', [
      ['Task no', 'Project', 'Charged'],
      ...codes.flatMap(code => [
        ['1', code, code],
        ['2', code, code],
      ]),
    ]),
  )
  expect(wrong).toEqual([])
  expect(fields('Task').slice(1)).toEqual([
    expect.stringMatching(/^\| project \| Projects 2026 \| required/),
    expect.stringMatching(/^\| charged \| Projects 2026 \| required/),
  ])
})

test('a sheet in another language keeps its own words, its days with two digits of a year, and its amounts among plain figures', () => {
  const { document, fields, data, notes, wrong } = imported(
    sheet('Mitglieder', [
      ['Mitgl.-Nr.', 'Eintritt', 'Beitrag'],
      ...Array.from({ length: 12 }, (_, n): FileCell[] => [
        n === 7 ? 'M-102' : `M-${100 + n}`,
        n === 3 ? 'keine Angabe' : `${n + 1}.2.${n === 4 ? '85' : '26'}`,
        n % 2 === 0 ? { v: `${100 + n}.5` } : `1.${200 + n},50 €`,
      ]),
    ]),
  )
  expect(wrong).toEqual([])
  expect(document).toContain('| /mitglieder | Mitglieder | Administrator | list of Mitglieder |\n')
  expect(fields('Mitglieder')).toEqual([
    '| mitgl_nr | text 20 | required | Mitgl.-Nr. |',
    '| eintritt | date | | |',
    '| beitrag | money EUR | required | |',
  ])
  expect(data('mitglieder').slice(4, 6)).toEqual(['M-103,,1203.50', 'M-104,1985-02-05,104.50'])
  expect(notes).toEqual([
    'Mitglieder!A9: "M-102" stands in a row above, too: otherwise `mitgl_nr` would tell records apart',
    'Mitglieder!B5: "keine Angabe" is no date: left out',
  ])
})
