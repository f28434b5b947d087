import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { appOf } from '../testing.ts'
import { decodeForm, decodeJson, mostRows } from './input.ts'

const app = appOf(`# Desk

## 1 What the product does and for whom

- **Time zone:** Europe/Berlin

## 3 Entities and their fields

### Loan

| Field | Type | Rules |
| --- | --- | --- |
| number | auto number {0000} | |
| due_back | date | |
| handed_out_at | date and time | |
| value | money EUR | |
| insured | yes/no | |
| purpose | long text | |
| total | money EUR | = sum(lines.value) |
| lines | list of Loan line | |
| constructor | text | |

### Loan line (part of Loan)

| Field | Type |
| --- | --- |
| item | text 10 |
| value | money EUR |
| damaged | yes/no |

## 4 States and transitions

### Loan

| State | Kind |
| --- | --- |
| Draft | start |
| Out | end |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| hand out | Draft | Out | everyone signed in |
`)
const loan = app.entities.get('loan')!
const id = '018f2b6e-7c1a-7000-8000-000000000001'

const form = (query: string, shown?: readonly string[], locale = 'en') =>
  decodeForm(loan, app, new URLSearchParams(query), locale, {
    zone: app.product.timeZone.name,
    ...(shown === undefined ? {} : { shown: new Set(shown) }),
  })
const json = (body: unknown) => decodeJson(loan, app, body, id)
const codes = ({ invalidValues }: ReturnType<typeof form>) => invalidValues.map(({ path, code }) => `${path} ${code}`)

describe('a form', () => {
  test('speaks only of the fields that it has', () => {
    expect(form('')).toEqual({ values: {}, children: {}, invalidValues: [] })
  })

  test('has values as people write them, and blank is empty', () => {
    const query = 'due_back=28 March 2026&value=1.234,50&purpose= &handed_out_at=2026-07-01T09:00&insured=yes'
    expect(form(query, [], 'de')).toMatchObject({ invalidValues: [{ path: 'due_back', code: 'NF-DATE' }] })
    expect(form(query.replace('28 March 2026', '28.3.2026'), [], 'de')).toEqual({
      values: {
        due_back: '2026-03-28',
        value: '1234.50',
        purpose: null,
        handed_out_at: '2026-07-01T07:00:00.000Z',
        insured: true,
      },
      children: {},
      invalidValues: [],
    })
  })

  test('a box that was not ticked is no, where the form shows it', () => {
    expect(form('', ['insured']).values).toEqual({ insured: false })
    expect(form('insured=no&insured=yes', ['insured']).values).toEqual({ insured: true })
    expect(form('insured=no').values).toEqual({ insured: false })
    expect(form('lines.0.item=x', ['lines.damaged']).children.lines).toMatchObject([
      { values: { item: 'x', damaged: false } },
    ])
  })

  test('rows come in the order of their numbers, with the ids of those that are stored', () => {
    expect(form(`lines.10.item=b&lines.2.item=a&lines.2.id=${id}&lines.2.value=5`).children).toEqual({
      lines: [
        { id, values: { item: 'a', value: '5.00' }, children: {}, written: 2 },
        { id: null, values: { item: 'b' }, children: {}, written: 10 },
      ],
    })
  })

  test('new rows with nothing in them are left out, and paths count the rows that stay', () => {
    const decoded = form(
      `lines.0.item=&lines.0.damaged=no&lines.1.item=${'x'.repeat(11)}&lines.2.id=${id}&lines.2.item=`,
    )
    expect(decoded.children.lines).toEqual([
      { id: null, values: {}, children: {}, written: 1 },
      { id, values: { item: null }, children: {}, written: 2 },
    ])
    expect(codes(decoded)).toEqual(['lines.0.item NF-TOO-LONG'])
  })

  test('the name of a list says that it is shown, so that no rows means no rows', () => {
    expect(form('due_back=').children).toEqual({})
    expect(form('lines=').children).toEqual({ lines: [] })
    expect(codes(form('lines='))).toEqual([])
  })

  test('what belongs to the page is not looked at', () => {
    expect(form('_csrf=x&_version=3&_q.lines.0.item=x&id=1&version=2')).toEqual({
      values: {},
      children: {},
      invalidValues: [],
    })
  })

  test.each([
    ['number=0001', 'number NF-FILLED'],
    ['total=5', 'total NF-FILLED'],
    ['state=Out', 'state NF-FILLED'],
    ['nothing=5', 'nothing NF-UNKNOWN-FIELD'],
    ['lines.0.nothing=5', 'lines.0.nothing NF-UNKNOWN-FIELD'],
    ['things.0.item=5', 'things NF-UNKNOWN-FIELD'],
    ['due_back.0.item=5', 'due_back NF-UNKNOWN-FIELD'],
    ['lines.x.item=5', 'lines.x.item NF-UNKNOWN-FIELD'],
    ['lines.0.item.x=5', 'lines.0.item.x NF-UNKNOWN-FIELD'],
    ['lines.0.id=5&lines.0.item=a', 'lines.0.id NF-REFERENCE'],
    ['due_back=soon', 'due_back NF-DATE'],
    ['purpose=%00', 'purpose NF-TEXT'],
  ])('%s', (query, expected) => {
    const decoded = form(query)
    expect(codes(decoded)).toEqual([expected])
    expect(decoded.values).toEqual({})
    expect(decoded.invalidValues[0]!.detail).toHaveProperty('label')
  })

  test('there is an end to how many rows are read', () => {
    const rows = Array.from({ length: mostRows + 1 }, (_, row) => `lines.${row}.item=x`).join('&')
    expect(codes(form(rows))).toEqual(['lines NF-TOO-MANY'])
  })
})

describe('a JSON body', () => {
  test('has values in one way to write them, null and blank are empty', () => {
    const body = {
      due_back: '2026-03-28',
      value: '5',
      insured: false,
      purpose: ' ',
      handed_out_at: null,
      lines: [{ id, item: 'a' }, { value: '1.5' }, {}],
    }
    expect(json(body)).toEqual({
      values: { due_back: '2026-03-28', value: '5.00', insured: false, purpose: null, handed_out_at: null },
      children: {
        lines: [
          { id, values: { item: 'a' }, children: {}, written: 0 },
          { id: null, values: { value: '1.50' }, children: {}, written: 1 },
          { id: null, values: {}, children: {}, written: 2 },
        ],
      },
      invalidValues: [],
    })
  })

  test('a record that was read can be sent back, apart from what the application fills', () => {
    expect(codes(json({ id: id.toUpperCase(), version: 3, due_back: '2026-03-28' }))).toEqual([])
    expect(codes(decodeJson(loan, app, { id, due_back: '2026-03-28' }))).toEqual(['id NF-FILLED'])
    expect(codes(json({ number: '0001', total: '5', state: 'Out' }))).toEqual([
      'number NF-FILLED',
      'total NF-FILLED',
      'state NF-FILLED',
    ])
  })

  test.each([
    [[], ' NF-JSON'],
    ['x', ' NF-JSON'],
    [null, ' NF-JSON'],
    [{ due_back: '28.03.2026' }, 'due_back NF-DATE'],
    [{ due_back: 20260328 }, 'due_back NF-JSON'],
    [{ id: 'x' }, 'id NF-FILLED'],
    [{ id: null }, 'id NF-FILLED'],
    [{ insured: 'yes' }, 'insured NF-JSON'],
    [{ value: 1.005 }, 'value NF-DECIMALS'],
    [{ value: { amount: 1 } }, 'value NF-JSON'],
    [{ lines: {} }, 'lines NF-LIST'],
    [{ lines: null }, 'lines NF-LIST'],
    [{ lines: [1] }, 'lines.0 NF-JSON'],
    [{ lines: [{ id: 'x' }] }, 'lines.0.id NF-REFERENCE'],
    [{ lines: [{ id: 5 }] }, 'lines.0.id NF-JSON'],
    [{ lines: [{ items: 1 }] }, 'lines.0.items NF-UNKNOWN-FIELD'],
    [{ Due_back: null }, 'Due_back NF-UNKNOWN-FIELD'],
    [JSON.parse('{"__proto__": {"insured": true}}'), '__proto__ NF-UNKNOWN-FIELD'],
    [{ lines: Array.from({ length: mostRows + 1 }, () => ({})) }, 'lines NF-TOO-MANY'],
  ])('%j', (body, expected) => {
    const decoded = json(body)
    expect(codes(decoded)).toEqual([expected])
    expect(decoded.values).toEqual({})
  })

  test('names of JavaScript’s own objects are names like any other', () => {
    expect(json({ constructor: 'x' }).values).toEqual({ constructor: 'x' })
    expect(json({}).values).toEqual({})
    expect(codes(json({ toString: 1, hasOwnProperty: 2 }))).toEqual([
      'toString NF-UNKNOWN-FIELD',
      'hasOwnProperty NF-UNKNOWN-FIELD',
    ])
    expect(Object.prototype).not.toHaveProperty('insured')
  })
})

test('nothing that is sent makes it fail, and every problem has a message', () => {
  const keys = fc.oneof(
    fc.constantFrom('due_back', 'lines', 'lines.0.item', 'lines.0.id', 'value', 'insured', '__proto__'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, fc.string({ unit: 'binary' })), { maxLength: 20 }), pairs => {
      for (const { path, detail } of decodeForm(loan, app, pairs, 'de', { zone: 'UTC' }).invalidValues) {
        expect(path.isWellFormed()).toBe(true)
        expect(detail).toHaveProperty('label')
      }
    }),
  )
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(keys, fc.jsonValue())), body => {
      const { values } = json(body)
      for (const key of Object.keys(values)) expect(loan.fields.some(field => field.key === key)).toBe(true)
    }),
  )
})
