import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { appOf } from '../testing.ts'
import { filterableFields, filterName, readQuery } from './query.ts'
import { addressOf } from './testing.ts'

const app = appOf(`# Desk

## 1 What the product does and for whom

- **Time zone:** Europe/Berlin

## 3 Entities and their fields

### Loan

| Field | Type | Rules |
| --- | --- | --- |
| number | auto number {0000} | |
| borrower | Person | |
| due_back | date | |
| handed_out_at | date and time | |
| value | money EUR | |
| insured | yes/no | |
| purpose | long text | |
| condition | choice: New, Used, Broken | |
| secret | text | hidden |
| lines | list of Loan line | |

### Loan line (part of Loan)

| Field | Type |
| --- | --- |
| item | text |

## 4 States and transitions

### Loan

| State | Kind |
| --- | --- |
| Draft | start |
| Out | |
| Returned | end |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| hand out | Draft | Out | everyone signed in |
| take back | Out | Returned | everyone signed in |
`)
const loan = app.entities.get('loan')!
const read = (query: string, more = {}) =>
  readQuery(loan, app, addressOf(query, more), [{ field: 'due_back', descending: false }])

test('nothing in the address: the screen’s own order and nothing else', () => {
  expect(read('')).toEqual({
    filters: [],
    search: null,
    sort: [{ field: 'due_back', descending: false }],
    after: null,
    before: null,
    ignored: [],
  })
})

describe('filters', () => {
  test.each([
    ['state=Out', 'state', 'is', 'Out'],
    ['state=out', 'state', 'is', 'Out'],
    ['state=Out&state=Draft', 'state', 'any of', ['Out', 'Draft']],
    ['state.any-of=Out', 'state', 'any of', ['Out']],
    ['state.is-not=Out', 'state', 'is not', 'Out'],
    ['state.is-not=Out&state.is-not=Draft', 'state', 'is not', ['Out', 'Draft']],
    ['due_back.before=2026-03-01', 'due_back', 'before', '2026-03-01'],
    ['due_back.at-least=28 March 2026', 'due_back', 'at least', '2026-03-28'],
    ['due_back=&due_back=2026-03-01', 'due_back', 'is', '2026-03-01'],
    ['value=1,200', 'value', 'at least', '1200.00'],
    ['value.at-most=5', 'value', 'at most', '5.00'],
    ['insured=yes', 'insured', 'is', true],
    ['insured=no', 'insured', 'is', false],
    ['purpose=50%25 off_', 'purpose', 'contains', '50% off_'],
    ['number.starts-with=00', 'number', 'starts with', '00'],
    ['borrower.is-empty=yes', 'borrower', 'is empty', true],
  ])('%s', (query, field, comparison, value) => {
    expect(read(query)).toMatchObject({ filters: [{ field, comparison, value }], ignored: [] })
  })

  test.each([
    'state=Lost',
    'state=Out&state=Lost',
    'due_back.before=31.02.2026',
    'due_back.before=03/04/2026',
    'due_back.contains=2026',
    'due_back.like=x',
    'due_back.before.x=2026-01-01',
    'borrower=Ada',
    "borrower=1' or '1'='1",
    'borrower.is-empty=perhaps',
    'due_back.within=some-day',
    'value.within=today',
    'borrower.name.x=Ada',
    'borrower.nothing=Ada',
    'number.name=Ada',
    '0.state=Out',
    '12.state=Out',
    'secret=x',
    'lines=x',
    'id=x',
    'nothing=x',
    'x.__proto__=x',
    'constructor=x',
    'toString.is=x',
    'value=%00',
    'purpose=%00',
  ])('%s is left out and named', query => {
    const { filters, ignored } = read(query)
    expect(filters).toEqual([])
    expect(ignored).toHaveLength(1)
    expect(ignored[0]).toContain(query.split('=')[0])
    expect(ignored[0]).not.toContain('\0')
  })

  test('several values of a comparison that takes one: each holds', () => {
    expect(read('purpose=film&purpose=set').filters).toMatchObject([
      { field: 'purpose', comparison: 'contains', value: 'film' },
      { field: 'purpose', comparison: 'contains', value: 'set' },
    ])
    expect(read('1.number.starts-with=A&1.number.starts-with=B').filters).toMatchObject([
      { group: 1, value: 'A' },
      { group: 1, value: 'B' },
    ])
    expect(read('value.at-most=5&value.at-most=x')).toMatchObject({
      filters: [],
      ignored: ['value.at-most=5, x'],
    })
  })

  test('blank controls of the filter form are no filters and no mistakes', () => {
    expect(read('q=&state=&due_back.before= &sort=')).toEqual(read(''))
  })

  test('what belongs to the page is not looked at', () => {
    expect(read('_done=1')).toEqual(read(''))
  })

  test('values are read as the reader’s language writes them, moments in the zone of the application', () => {
    expect(read('value=1.200,50', { locale: 'de' }).filters).toMatchObject([{ value: '1200.50' }])
    expect(read('handed_out_at.after=2026-07-01T09:00', { zone: 'Europe/Berlin' }).filters).toMatchObject([
      { value: '2026-07-01T07:00:00.000Z' },
    ])
  })

  test('there is an end to how many are read', () => {
    const many = Array.from({ length: 60 }, () => 'state=Out').join('&')
    expect(read(many).filters).toMatchObject([{ value: expect.objectContaining({ length: 50 }) }])
  })
})

describe('order, search and place', () => {
  test.each([
    [
      'sort=-due_back,number',
      [
        ['due_back', true],
        ['number', false],
      ],
      0,
    ],
    ['sort=state', [['state', false]], 0],
    ['sort=number,number', [['number', false]], 1],
    ['sort=purpose', [['due_back', false]], 1],
    ['sort=lines,-number', [['number', true]], 1],
    ['sort=secret', [['due_back', false]], 1],
    ['sort=--number', [['due_back', false]], 1],
    ['sort=number;drop', [['due_back', false]], 1],
  ])('%s', (query, expected, ignored) => {
    const result = read(query)
    expect(result.sort.map(({ field, descending }) => [field, descending])).toEqual(expected)
    expect(result.ignored).toHaveLength(ignored)
  })

  test('search is trimmed and bounded', () => {
    expect(read('q= sony ')).toMatchObject({ search: 'sony', ignored: [] })
    expect(read(`q=${'x'.repeat(201)}`)).toMatchObject({ search: null, ignored: [expect.stringMatching(/^q=x+…$/)] })
    expect(read('q=%00')).toMatchObject({ search: null })
  })

  test('places of pages are passed on as they are', () => {
    expect(read('after=abc&before=')).toMatchObject({ after: 'abc', before: null })
  })
})

test('every filterable field has a name for each of its comparisons, and it is read back', () => {
  const values: Readonly<Record<string, string>> = {
    number: '0001',
    borrower: '018f2b6e-7c1a-7000-8000-000000000001',
    due_back: '2026-03-28',
    handed_out_at: '2026-03-28T09:00',
    value: '5',
    insured: 'yes',
    purpose: 'x',
    condition: 'New',
    state: 'Out',
  }
  const fields = filterableFields(loan, app)
  expect([...fields.keys()].sort()).toEqual(Object.keys(values).sort())
  for (const [key, field] of fields)
    for (const comparison of field.kind.filters) {
      const value = comparison === 'is empty' ? 'yes' : comparison === 'within' ? 'today' : values[key]!
      const query = new URLSearchParams([[filterName(key, comparison, field), value]])
      expect(read(query.toString())).toMatchObject({ filters: [{ field: key, comparison }], ignored: [] })
    }
})

test('one relation away, in groups, and on days of the application that move with the calendar', () => {
  const today = { today: '2026-03-05', zone: 'America/New_York' }
  const filters = (query: string) => read(query, today).filters
  expect(filters('borrower.name.contains=Ada')).toEqual([
    { field: 'name', via: 'borrower', comparison: 'contains', value: 'Ada' },
  ])
  expect(filters('2.state=Out&1.borrower.name=Ada')).toEqual([
    { field: 'state', group: 2, comparison: 'is', value: 'Out' },
    { field: 'name', via: 'borrower', group: 1, comparison: 'contains', value: 'Ada' },
  ])
  expect(filters('due_back.within=this-week')).toEqual([
    { field: 'due_back', comparison: 'within', value: ['2026-03-02', '2026-03-09'], relative: 'this-week' },
  ])
  expect(filters('handed_out_at.within=today')).toMatchObject([
    { value: ['2026-03-04T23:00:00.000Z', '2026-03-05T23:00:00.000Z'], relative: 'today' },
  ])
  expect(filters('due_back.before=tomorrow')).toEqual([
    { field: 'due_back', comparison: 'before', value: '2026-03-06', relative: 'tomorrow' },
  ])
  expect(filters('purpose.is-empty=no')).toEqual([{ field: 'purpose', comparison: 'is empty', value: false }])
  const days = (name: string) => filters(`due_back.within=${name}`)[0]?.value
  expect(days('last-7-days')).toEqual(['2026-02-27', '2026-03-06'])
  expect(days('next-30-days')).toEqual(['2026-03-05', '2026-04-04'])
  expect(days('last-month')).toEqual(['2026-02-01', '2026-03-01'])
  expect(days('next-month')).toEqual(['2026-04-01', '2026-05-01'])
  expect(days('this-year')).toEqual(['2026-01-01', '2027-01-01'])
  expect(days('last-year')).toEqual(['2025-01-01', '2026-01-01'])
})

test('a week begins on the day that is the first for the application', () => {
  const american = appOf(
    '# Desk\n\n## 1 What the product does and for whom\n\n- **Languages:** en-US\n\n## 3 Entities and their fields\n\n### Loan\n\n| Field | Type |\n| --- | --- |\n| due_back | date |\n',
  )
  const week = (word: string, today: string) =>
    readQuery(american.entities.get('loan')!, american, addressOf(`due_back.within=${word}`, { today }), []).filters[0]!
      .value
  // 1 March 2026 was a Sunday.
  expect(week('this-week', '2026-03-01')).toEqual(['2026-03-01', '2026-03-08'])
  expect(week('this-week', '2026-03-07')).toEqual(['2026-03-01', '2026-03-08'])
  expect(week('last-week', '2026-03-01')).toEqual(['2026-02-22', '2026-03-01'])
  expect(week('next-week', '2026-02-28')).toEqual(['2026-03-01', '2026-03-08'])
})

test('what is never seen of a record that is one relation away is not there', () => {
  const sees = (entity: string, field: string) => entity !== 'person' || field !== 'name'
  expect(read('borrower.name=Ada', { sees }).ignored).toEqual(['borrower.name=Ada'])
})

test('no address whatever makes it fail', () => {
  const names = fc.oneof(
    fc.constantFrom('q', 'sort', 'after', 'state', 'due_back.before', 'value', 'borrower'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(names, fc.string({ unit: 'binary' })), { maxLength: 30 }), pairs => {
      const result = readQuery(loan, app, addressOf('', { query: new URLSearchParams(pairs) }), [])
      for (const { field } of result.filters) expect(['state', ...loan.fields.map(({ key }) => key)]).toContain(field)
      for (const text of result.ignored) expect(text.length).toBeLessThanOrEqual(80)
    }),
  )
})
