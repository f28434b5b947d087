import fc from 'fast-check'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ReaderProvider, readerOf } from '../../../ui/reader.tsx'
import { type Column, DataTable, type DataTableProps, shapedRows } from '../../../ui/table.tsx'
import { distinctNames } from '../distinct.ts'
import type { TableFrame } from '../table-view.ts'
import type { ActionView, ValueView } from '../view-model.ts'
import { rowMenu } from './row-menu.tsx'
import { keptRow, listContent, shapedRow } from './view.tsx'
import type { ListView } from './view-model.ts'

type Row = ListView['rows'][number]

/** Anything that a person may have typed, and what hurts most. NUL is in no database. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }).map(found => found.replaceAll('\0', '')),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '\n',
    '<b>"x" & \'y\'</b>',
    '&amp;',
    '</td><script>',
    '<!-- -->',
    '$&',
    '\u0001',
    '\ue000',
  ),
)
const address = fc.oneof(
  text.map(part => `/loans/${encodeURIComponent(part)}?a=1&b='`),
  fc.constantFrom('javascript:alert(1)', ' JavaScript:1', '\u0001j\na\tvascript:1', 'job:1'),
)
const orNull = <Value,>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null })
const state = fc.record({
  name: fc.constant('Raw'),
  label: fc.constantFrom('Out', 'Draft', '<Done>'),
  ring: fc.constantFrom(
    { family: 'mute', shape: 'start', part: 0 } as const,
    { family: 'go', shape: 'part', part: 0.5 } as const,
    { family: 'good', shape: 'tick', part: 1 } as const,
  ),
})
const value: fc.Arbitrary<ValueView> = fc.record({
  text,
  look: fc.constantFrom('text', 'long', 'number', 'date', 'code'),
  href: orNull(address),
  datetime: orNull(fc.constantFrom('2026-03-02', '2026-03-02T10:00:00.000Z', 'x"')),
  state: orNull(state),
})
const step = fc
  .record({
    label: fc.constantFrom('Approve', 'Take <back>'),
    danger: fc.boolean(),
    primary: fc.boolean(),
    action: address,
    confirm: orNull(address),
  })
  .map(
    some =>
      ({ key: 's', open: true, why: '', hidden: [], to: null, asks: false, mark: null, ...some }) satisfies ActionView,
  )
const row: fc.Arbitrary<Row> = fc.record({
  id: text,
  title: text,
  href: orNull(address),
  under: fc.constantFrom('', 'T-1 · <Ann>'),
  cells: fc.array(value, { minLength: 4, maxLength: 4 }),
  places: orNull(fc.constant('/-/place?entity=loan')),
  marks: fc.subarray([
    { label: 'Late', tone: 'bad' },
    { label: '<New>', tone: 'plain' },
  ] as const),
  actions: fc.array(step, { maxLength: 2 }),
  more: fc.subarray([
    { kind: 'edit', label: 'Edit', href: '/loans/1/edit' },
    { kind: 'delete', label: 'Delete', href: '/loans/1/delete?a=1&b=2' },
  ] as const),
})

const columns: readonly Column[] = [
  { key: 'number', label: 'Number', slot: 'title', priority: 1, sort: null },
  { key: 'state', label: 'State', slot: 'state', priority: 1, sort: null },
  { key: 'due', label: 'Due & back', priority: 2, sort: null },
  { key: 'value', label: '<Value>', priority: 3, numeric: true, bare: true, sort: null },
]
const reader = readerOf({ locale: 'en-GB', zone: 'UTC' })
/** Signs that stand in shapes as numbers are the signs. */
const html = (rows: DataTableProps['rows'], selectable: boolean) =>
  renderToString(
    <ReaderProvider reader={reader}>
      <DataTable caption="Loans" columns={columns} rows={rows} selectable={selectable} />
      <p>after</p>
    </ReaderProvider>,
  ).replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))

const inOne = ({ each, ...rest }: ReturnType<typeof shapedRows>) => ({ ...rest, html: each.join('') })

test('rows made from their shapes are what React makes of them, whatever stands in them', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), fc.boolean(), (rows, selectable) => {
      const { places } = rowMenu(rows)
      const plain = rows.map((one, at) => shapedRow(one, places[at]!)).map(shaped => shaped.row(shaped.texts))
      const made = () => {
        const found = rows.map((one, at) => keptRow(one, places[at]))
        return html(inOne(shapedRows(reader, found, { columns, selectable })), selectable)
      }
      const wanted = html(plain, selectable)
      expect(made()).toBe(wanted)
      // Kept from the first time.
      expect(made()).toBe(wanted)
    }),
    { numRuns: 150 },
  )
})

test('a shape that is known gives each row its own texts', () => {
  const cell = { look: 'text', href: null, datetime: null, state: null } as const
  const rowOf = (name: string): Row => ({
    id: name,
    title: name,
    href: `/loans/${name}`,
    under: '',
    cells: ['number', 'state', 'due', 'value'].map(of => ({ ...cell, text: `${name} ${of}` })),
    marks: [],
    places: null,
    actions: [],
    more: [],
  })
  const rows = ['one', 'two', 'three'].map(name => keptRow(rowOf(name)))
  const found = shapedRows(reader, rows, { columns, selectable: false }).each.join('')
  for (const name of ['one', 'two', 'three']) {
    expect(found).toContain(`<a class="ttl" href="/loans/${name}">${name} number</a>`)
    expect(found).toContain(`>${name} due</td>`)
  }
  expect(found).not.toContain('\0')
})

test('of rows with the same title, each is named by what tells it apart', () => {
  const named = (...rows: readonly (readonly string[])[]) =>
    distinctNames(rows.map(cells => ({ title: cells[0]!, cells: cells.map(text => ({ text })) })))
  expect(named(['A', 'x'], ['B', 'x'])).toEqual(['A', 'B'])
  expect(named(['A', 'x', '1'], ['A', 'x', '2'], ['B', 'x', '1'])).toEqual(['A, 1', 'A, 2', 'B'])
  expect(named(['A', 'x', '1'], ['A', '', '1'], ['A', '', '2'])).toEqual(['A, x', 'A, 1', 'A, 2'])
  expect(named(['A', 'x'], ['A', 'x'], ['A', 'y'])).toEqual(['A, x, 1', 'A, x, 2', 'A, y'])
  expect(named()).toEqual([])
})

test('a row that was made before is named anew beside one of the same title', () => {
  const one = (id: string): Row => ({
    id,
    title: 'Same',
    href: null,
    under: '',
    cells: [],
    marks: [],
    places: null,
    actions: [],
    more: [],
  })
  const rows = [one('1'), one('2')]
  const made = (names: readonly string[]) =>
    shapedRows(
      reader,
      rows.slice(0, names.length).map((row, at) => keptRow(row, null, names[at])),
      { columns: columns.slice(0, 1), selectable: true },
    ).each.join('')
  expect(made(['Same'])).toContain('aria-label="Select Same"')
  expect(made(['Same, 1', 'Same, 2'])).toMatch(/Select Same, 1.*Select Same, 2/)
})

test('rows share the items of their menus, and what is not said by their address keeps its own', () => {
  const rowOf = (name: string, more: Row['more'], href: string | null = `/loans/${name}?_list=%2Floans`): Row => ({
    id: name,
    title: name,
    href,
    under: '',
    cells: [],
    marks: [],
    places: null,
    actions: [],
    more,
  })
  const edit = (name: string) => ({ kind: 'edit', label: 'Edit', href: `/loans/${name}/edit` }) as const
  const copy = (name: string) => ({ kind: 'copy', label: 'Duplicate', href: `/loans/new?_copy=${name}` }) as const
  const { items, places } = rowMenu([
    rowOf('e', [edit('e'), copy('e')]),
    rowOf('2', [copy('2')]),
    // Only begins like it.
    rowOf('3', [edit('30')]),
    rowOf('4', []),
    rowOf('5', [edit('5')], null),
    rowOf('6', [edit('6')], '/loans/'),
  ])
  expect(items).toMatchObject([
    { href: '{path}/edit' },
    { href: '/loans/new?_copy={value}' },
    { href: '/loans/30/edit' },
    { href: '/loans/6/edit' },
  ])
  expect(places).toEqual(['0 1', '1', '2', null, null, '3'])
})

test('what is kept of a table is for the same rows in the same frame, with the same steps and for the same reader', () => {
  const closed = { open: '/loans?_open=1', close: '/loans', form: null }
  const frameOf = (label: string): TableFrame => ({
    title: 'Loans',
    meaning: null,
    assumed: [],
    bar: {
      action: '/loans',
      search: null,
      filters: [],
      choosers: [],
      keep: [],
      builder: closed,
      chips: [],
      clear: null,
    },
    chooser: closed,
    ignored: [],
    columns: [{ field: 'number', label, numeric: false, amount: false, bare: true, edited: false, sort: null }],
    grouping: null,
    order: '',
    countAll: '/loans?_count=all',
    first: '/loans',
    create: null,
    import: null,
    emergency: null,
    exports: [],
  })
  const rowsOf = (name: string): ListView['rows'] => [
    {
      id: name,
      title: name,
      href: `/loans/${name}`,
      under: '',
      cells: [{ text: name, look: 'text', href: null, datetime: null, state: null }],
      marks: [],
      places: null,
      actions: [],
      more: [{ kind: 'edit', label: 'Edit', href: `/loans/${name}/edit` }],
    },
  ]
  const [frame, rows] = [frameOf('Number'), rowsOf('LN-1')]
  const view: ListView = {
    title: 'Loans',
    pageTitle: 'Loans',
    crumbs: [],
    mark: null,
    assumed: [],
    frame,
    views: [],
    saver: null,
    count: '1 loan',
    more: false,
    range: '1 loan',
    caption: 'Loans',
    rows,
    groups: [],
    totals: null,
    bulk: [],
    here: { name: '_list', value: '/loans' },
    token: { name: '_csrf', value: 'one' },
    next: null,
    previous: null,
    further: false,
    drafts: [],
    held: null,
    empty: null,
  }
  const htmlOf = (more: Partial<ListView> = {}, of = reader) => listContent(of, { ...view, ...more }).html
  const html = htmlOf()
  expect(htmlOf()).toBe(html)
  expect(html).not.toContain('type="checkbox"')
  expect(htmlOf({ token: { name: '_csrf', value: 'two' } })).toBe(html.replace('"one"', '"two"'))
  expect(htmlOf({ frame: frameOf('No.') })).toContain('No.')
  expect(htmlOf({ rows: rowsOf('LN-2') })).toBe(html.replaceAll('LN-1', 'LN-2'))
  expect(htmlOf({ bulk: [{ label: 'Approve', action: '/-/bulk/loan/approve', danger: false }] })).toContain('Approve')
  expect(htmlOf({}, readerOf({ locale: 'de-DE', zone: 'UTC' }))).toContain('Aktionen')
  expect(htmlOf()).toBe(html)
})
