/** Forms as they leave the server: whatever stands in a view can be sent from it without any script. */
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { LiveForm } from '../../../run/write/live-form.ts'
import { ReaderProvider, readerOf } from '../../../ui/reader.tsx'
import type { ControlView, ErrorView, FieldView } from '../view-model.ts'
import { arranged, listsOf, namesOf, placeOf, rowsAt, withRowsAt } from './arranged.ts'
import { moved, pairsOf, replaced, rowAt } from './names.ts'
import { shownNow } from './use-live.tsx'
import { FormScreen } from './view.tsx'
import type { FormView, RowsView } from './view-model.ts'

const mark = { section: 3, line: 70, file: 'app.md' }
const input: ControlView = {
  kind: 'input',
  type: 'text',
  inputMode: null,
  numeric: false,
  maxLength: 40,
  min: null,
  max: null,
  affix: null,
  autoComplete: 'off',
  size: 'medium',
}
const options = [
  { value: 'a', label: 'First <one>' },
  { value: 'b', label: 'Second' },
]
const wrong: ErrorView = { message: 'It is wrong.', whatToDo: 'Mend it.', code: 'E-1', href: '#day', mark }

function field(key: string, value: string, control: ControlView, more: Partial<FieldView> = {}): FieldView {
  return { key, name: key, id: key, label: key, hint: null, required: true, value, errors: [], control, mark, ...more }
}

const cell = (index: number | '#', value: string): FieldView =>
  field('item', value, input, { name: `lines.${index}.item`, id: `lines-${index}-item`, label: 'Item' })

const rows: RowsView = {
  key: 'lines',
  id: 'lines',
  label: 'Lines',
  hint: null,
  errors: [],
  columns: [{ label: 'Item', required: true, conditions: null }],
  rows: [0, 1].map(index => ({
    index,
    hidden: [{ name: `lines.${index}.id`, value: `id-${index}` }],
    fields: [cell(index, `value ${index}`)],
    lists: [],
    errors: [],
    remove: { name: '_remove', value: `lines.${index}` },
    removeLabel: 'Remove',
  })),
  naming: ['item'],
  add: { name: '_add', value: 'lines' },
  addLabel: 'Add',
  moves: true,
  blankLists: [],
  blank: [cell('#', '')],
  most: 3,
  mark,
}

const view: FormView = {
  kind: 'form',
  title: 'New thing',
  pageTitle: 'New thing',
  crumbs: [],
  mark,
  assumed: [],
  action: '/things/new',
  hidden: [{ name: '_csrf', value: 'token' }],
  errors: [wrong],
  conflict: null,
  note: null,
  trap: null,
  draft: null,
  wizard: null,
  confirm: null,
  parts: [
    field('name', '"quoted" & <b>', input, { hint: 'As on the door', required: false }),
    field('day', '2026-03-02', { ...input, type: 'date' }, { errors: [wrong] }),
    field('price', '12.50', { ...input, inputMode: 'decimal', numeric: true, affix: 'EUR' }),
    field('notes', 'two\nlines', { kind: 'textarea', rows: 4, maxLength: 500 }),
    field('kind', 'b', { kind: 'select', options, empty: 'Choose…' }),
    field('size', 'a', { kind: 'radio', options }),
    field('done', 'yes', { kind: 'checkbox' }),
    field('open', 'no', { kind: 'checkbox' }),
    field('who', 'b', {
      kind: 'pick',
      chosen: 'Second',
      query: 'se',
      results: options,
      note: 'Type more.',
      source: '/x',
    }),
    field('total', '', {
      kind: 'shown',
      value: { text: '€5', look: 'number', href: null, datetime: null, state: null },
    }),
  ]
    .map(one => ({ kind: 'field' as const, field: one }) as FormView['parts'][number])
    .concat({ kind: 'rows', rows }),
  sections: [
    {
      title: null,
      meaning: null,
      parts: ['name', 'day', 'price', 'kind', 'size', 'done', 'open', 'who', 'total', rows.key],
    },
    { title: 'More', meaning: 'As you like.', parts: ['notes'] },
  ],
  submit: 'Create thing',
  cancel: '/things',
  rules: [{ name: 'V-1', message: 'It must be right.', mark }],
  live: null,
}

const rendered = (of: FormView, provenance = true): string =>
  renderToStaticMarkup(
    <ReaderProvider reader={readerOf({ locale: 'en-GB', zone: 'UTC', provenance, document: '/-/document' })}>
      <FormScreen view={of} />
    </ReaderProvider>,
  )

const html = rendered(view)
const tag = (pattern: RegExp): string => pattern.exec(html)?.[0] ?? ''

test('every kind of control carries its name, its text and its label', () => {
  expect(tag(/<input[^>]*id="name"[^>]*>/)).toContain('value="&quot;quoted&quot; &amp; &lt;b&gt;"')
  expect(tag(/<input[^>]*id="day"[^>]*>/)).toContain('type="text" data-picker="date"')
  expect(html).toMatch(/<textarea[^>]*name="notes"[^>]*>two\nlines<\/textarea>/)
  expect(html).toMatch(/<option value="b" selected="">Second/)
  expect(html).toMatch(/<input[^>]*type="radio"[^>]*name="size"[^>]*checked=""[^>]*value="a"/)
  expect(html).toContain('First &lt;one&gt;')
  for (const key of ['name', 'day', 'price', 'notes', 'kind', 'who'])
    expect(html).toContain(`<label for="${key}">${key}`)
  expect(html).toContain('€5')
  expect(html).not.toContain('name="total"')
})

test('a rule that the server has refused by is broken, whatever the browser can check itself', () => {
  expect(html).toMatch(/Not kept(<!-- -->)?: <\/span>It must be right\./)
  expect(rendered({ ...view, errors: [] })).not.toContain('Not kept')
})

test('a box that is not ticked says no, and one that is ticked says yes after it', () => {
  const boxes = [...html.matchAll(/<input[^>]*name="(done|open)"[^>]*>/g)].map(([all, name]) => [
    name,
    /type="(\w+)"/.exec(all)?.[1],
    /value="(\w+)"/.exec(all)?.[1],
    all.includes('checked'),
  ])
  expect(boxes).toEqual([
    ['done', 'hidden', 'no', false],
    ['done', 'checkbox', 'yes', true],
    ['open', 'hidden', 'no', false],
    ['open', 'checkbox', 'yes', false],
  ])
})

test('a message stands beside its control and in the summary, in the same words, joined to both', () => {
  expect(html.match(/It is wrong\. Mend it\./g)).toHaveLength(2)
  expect(html).toContain('<a href="#day">It is wrong. Mend it.</a>')
  expect(tag(/<input[^>]*id="day"[^>]*>/)).toMatch(
    /aria-describedby="day-e".*aria-invalid="true"|aria-invalid="true".*aria-describedby="day-e"/,
  )
  expect(tag(/<input[^>]*id="name"[^>]*>/)).toContain('aria-describedby="name-h"')
  expect(tag(/<input[^>]*id="name"[^>]*>/)).not.toContain('aria-invalid')
})

test('the first submit of the form is the one that saves; rows and pickers have submits that do not insist', () => {
  const submits = [...html.matchAll(/<button[^>]*type="submit"[^>]*>/g)].map(([all]) => all)
  expect(submits[0]).toContain('hidden')
  expect(submits[0]).not.toContain('_remove')
  for (const [name, value] of [
    ['_add', 'lines'],
    ['_remove', 'lines.1'],
    ['_pick', 'who'],
  ])
    expect(
      submits.some(
        all => all.includes(`name="${name}"`) && all.includes(`value="${value}"`) && /formnovalidate/i.test(all),
      ),
    ).toBe(true)
})

test('a choice among what was found stands after the one that was made before, and so counts', () => {
  const [first, ...others] = [...html.matchAll(/<input[^>]*name="who"[^>]*>/g)].map(([all]) => all)
  expect(first).toContain('type="hidden"')
  expect(others).toHaveLength(2)
})

test('those who do not see lines of the document do not find them in the data either', () => {
  expect(html).toContain('app.md')
  expect(rendered(view, false)).not.toContain('app.md')
})

test('what is not refused is quoted, and rules that refuse in the same words stand once', () => {
  const rules = ['It must be right.', 'It is closed then.', 'It is closed then.'].map((message, at) => ({
    name: `V-${at}`,
    message,
    mark: { ...mark, line: 80 + at },
  }))
  const page = rendered({ ...view, rules })
  expect(page).toMatch(/line 81<\/a> <a[^>]*>§3 line 82/)
  expect(page.match(/<q>It is closed then\.<\/q>/g), 'nothing says that it is so').toHaveLength(1)
})

test('a conflict asks for a choice in a form of its own', () => {
  const shown = (text: string) => ({ text, look: 'text' as const, href: null, datetime: null, state: null })
  const page = rendered({
    ...view,
    errors: [],
    conflict: {
      who: null,
      when: 'now',
      moved: null,
      action: '/things/1/edit',
      hidden: [{ name: '_version', value: '3' }],
      differences: [
        { name: '_take.name', label: 'Name', yours: shown('Mine'), theirs: shown(''), choice: 'theirs', both: false },
      ],
      again: null,
      discard: '/things/1',
    },
  })
  expect(page).toContain('action="/things/1/edit"')
  expect(page).toContain('The application changed this now')
  expect(page).toMatch(/<input type="radio" name="_take\.name" value="yours"\/>/)
  expect(page).toMatch(
    /<input type="radio" name="_take\.name" checked="" value="theirs"\/>|name="_take\.name" value="theirs" checked=""/,
  )
  expect(page).not.toContain('data-island')
})

test('rows are numbered anew when one of them goes or moves', () => {
  const other = rowAt(rows, rows.rows[1]!, 0)
  expect(other.fields[0]).toMatchObject({ name: 'lines.0.item', id: 'lines-0-item', value: 'value 1' })
  expect(other.hidden).toEqual([{ name: 'lines.0.id', value: 'id-1' }])
  expect(other.remove?.value).toBe('lines.0')
  const names = new Set(['name', 'lines', 'lines.0.item', 'lines.2.item'])
  const without = (gone: number) => (at: number) => (at === gone ? null : at > gone ? at - 1 : at)
  expect([...replaced(names, 'lines', without(1))]).toEqual(['name', 'lines', 'lines.0.item', 'lines.1.item'])
  expect([...replaced(names, 'lines', without(0))]).toEqual(['name', 'lines', 'lines.1.item'])
  const places = moved([0, 1, 2], 2, 0)
  expect(places).toEqual([2, 0, 1])
  expect([...replaced(names, 'lines', at => places.indexOf(at))]).toEqual([
    'name',
    'lines',
    'lines.1.item',
    'lines.0.item',
  ])
})

test('a row has a handle for its place where the list may be ordered, with the ways that are open to it', () => {
  const values = (page: string) =>
    [...page.matchAll(/value="([^"]*)"[^>]*name="_move"|name="_move"[^>]*value="([^"]*)"/g)].map(
      ([, one, other]) => one ?? other,
    )
  const count = rows.rows.length
  expect(values(html)).toEqual(
    rows.rows.flatMap((_, at) => [
      ...(at > 1 ? [`lines.${at}.top`] : []),
      ...(at > 0 ? [`lines.${at}.up`] : []),
      ...(at < count - 1 ? [`lines.${at}.down`] : []),
    ]),
  )
  const fixed = {
    ...view,
    parts: view.parts.map(part => (part.kind === 'field' ? part : { ...part, rows: { ...part.rows, moves: false } })),
  }
  expect(values(rendered(fixed))).toEqual([])
})

test('what would be sent untouched, in the order of the form', () => {
  expect(pairsOf(view)).toContainEqual(['lines.1.id', 'id-1'])
  expect(pairsOf(view).map(([name]) => name)).not.toContain('total')
  const all = arranged(listsOf(view))
  const names = namesOf(view, withRowsAt(all, ['lines'], rowsAt(all, ['lines']).slice(0, 1)))
  expect([...names].slice(-4)).toEqual(['who', 'lines', 'lines.0', 'lines.0.item'])
})

test('rows of rows stay with their row wherever it goes, and are called by what stands in them', () => {
  const inner = (of: string, texts: readonly string[]): RowsView => ({
    ...rows,
    key: `${of}.parts`,
    id: `${of}.parts`.replaceAll('.', '-'),
    label: 'Parts',
    rows: texts.map((text, index) => ({
      ...rows.rows[0]!,
      index,
      hidden: [],
      fields: [field('item', text, input, { name: `${of}.parts.${index}.item` })],
    })),
  })
  const deep: RowsView = {
    ...rows,
    rows: rows.rows.map((row, at) => ({ ...row, lists: [inner(`lines.${at}`, at === 0 ? ['a', ''] : ['b'])] })),
  }
  const lists = [deep]
  const came = arranged(lists)
  const turned = withRowsAt(came, ['lines'], moved(rowsAt(came, ['lines']), 0, 1))
  const texts = (at: number) => rowsAt(turned, ['lines', String(at), 'parts']).map(({ row }) => row.fields[0]!.value)
  expect([texts(0), texts(1)]).toEqual([['b'], ['a', '']])
  expect(rowsAt(turned, ['lines', '1', 'parts']).map(({ key }) => key)).toEqual(['lines-0-parts-0', 'lines-0-parts-1'])
  const less = withRowsAt(turned, ['lines', '1', 'parts'], rowsAt(turned, ['lines', '1', 'parts']).slice(1))
  expect([...namesOf({ ...view, parts: [{ kind: 'rows', rows: deep }] }, less)]).toEqual([
    'lines',
    'lines.0',
    'lines.0.item',
    'lines.0.parts',
    'lines.0.parts.0',
    'lines.0.parts.0.item',
    'lines.1',
    'lines.1.item',
    'lines.1.parts',
    'lines.1.parts.0',
    'lines.1.parts.0.item',
  ])
  const words = { called: ({ value }: FieldView) => value, row: (number: number) => `Row ${number}` }
  const place = (name: string) => placeOf(lists, turned, name.split('.'), words)
  expect(place('lines.1.parts.1.item')).toEqual(['Lines', 'value 0', 'Parts', 'Row 2'])
  expect(place('lines.0.parts')).toEqual(['Lines', 'value 1'])
  expect([place('lines'), place('who'), place('lines.7.item')]).toEqual([[], [], []])
})

test('what is computed while typing is written as it stands once it is saved', () => {
  const live = {
    entity: 'thing',
    entities: {
      thing: { fields: [{ key: 'rate', type: { kind: 'decimal' }, parameters: { precision: 4, scale: 2 } }] },
    },
    locale: 'de-DE',
    zone: 'UTC',
  } as unknown as LiveForm
  const { format } = readerOf({ locale: 'de-DE', zone: 'UTC' })
  const value = { text: '1,00', look: 'number', href: null, datetime: null, state: null } as const
  const now = (found: string, untouched = false) => {
    const { control } = shownNow(field('rate', '', { kind: 'shown', value }), live, found, untouched, {
      format,
      later: 'later',
    })
    return control.kind === 'shown' && control.value.text
  }
  expect([now('7'), now('1234.565'), now('not known'), now('not known', true)]).toEqual([
    '7,00',
    '1.234,57',
    'later',
    '1,00',
  ])
})
