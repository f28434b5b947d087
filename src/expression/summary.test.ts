import { describe, expect, test } from 'vitest'
import { circles, toPortable } from './computed.ts'
import { elsewhereOf } from './elsewhere.ts'
import { readExpression } from './read.ts'
import { cellOf, expressionOf, schemaOf, scopeOf } from './testing.ts'

const schema = schemaOf(
  {
    person: { name: 'text', boss: 'person?' },
    loan: {
      keeper: 'person?',
      out_on: 'date',
      due_back: 'date',
      above: 'loan?',
      lines: 'list line',
      days: 'integer = due_back - out_on',
      long: 'yes/no = days > limits.most',
      worth: 'money EUR = sum(lines.cost)',
      chain: 'integer = coalesce(above.chain, 0) + 1',
    },
    line: { loan: 'loan ^', price: 'money EUR', n: 'integer', cost: 'money EUR = price * n' },
  },
  { limits: new Map([['most', { type: { kind: 'integer' }, optional: false }]]) },
)

const scope = scopeOf(schema, 'loan', {
  limits: new Map([['most', { type: { kind: 'integer' }, optional: false }]]),
  functions: new Map([
    [
      'fee',
      {
        takes: [{ name: 'days', type: { kind: 'integer' } }],
        gives: { kind: 'money', currency: 'EUR' },
      },
    ],
  ]),
  code: true,
})

test.each([
  ['due_back > out_on', 0],
  ['days > 3', 0],
  ['old.days < days', 0],
  ['days <= limits.most', 1],
  ['long', 1],
  ['keeper is me', 1],
  ['due_back < today', 1],
  ['keeper.name = "x"', 2],
  ['my.name = "x"', 1],
  ['my.boss.name = "x"', 2],
  ['worth > 3', 2],
  ['any(Person where name = "x")', 2],
  ['me in lines.loan.keeper', null],
  ['fee(days) > 3', 3],
])('%s runs on tier %s', (text, tier) => {
  expect(readExpression(cellOf(text), scope).expression?.tier ?? null).toBe(tier)
})

describe('what is read', () => {
  test.each<[string, string[]]>([
    ['keeper.boss.name = "x"', ['keeper.boss.name']],
    ['days > 3', ['days', 'due_back', 'out_on']],
    ['long', ['long', 'days', 'due_back', 'out_on', 'limits.most']],
    ['above.days > 3', ['above.days', 'above.due_back', 'above.out_on']],
    ['old.days > 3', ['old.days', 'old.due_back', 'old.out_on']],
    ['worth > 3', ['worth', 'lines', 'lines.cost', 'lines.price', 'lines.n']],
    [
      'sum(lines.cost where n > 1 and loan.days > this.days) > 3',
      [
        'lines',
        'lines.cost',
        'lines.price',
        'lines.n',
        'lines.loan.days',
        'lines.loan.due_back',
        'lines.loan.out_on',
        'days',
        'due_back',
        'out_on',
      ],
    ],
    ['any(Person where boss = this.keeper and name is not empty)', ['Person.boss', 'keeper', 'Person.name']],
    ['my.name = "x" and keeper is me and today > now2', []],
  ])('%s', (text, reads) => {
    const { expression } = readExpression(cellOf(text), scope)
    expect(expression?.reads ?? []).toEqual(reads)
  })
})

test('a field that is computed from itself is found, and everything about it ends', () => {
  expect(circles(schema)).toEqual([['loan', 'chain']])
  const expression = expressionOf('chain > 1', scope)
  expect(expression.reads).toContain('above.chain')
  expect(Object.keys(toPortable(expression).computed)).toEqual(['loan.chain'])
  const mutual = schemaOf({ a: { x: 'integer = y + 1', y: 'integer = z + 1', z: 'integer = x + 1' } })
  expect(circles(mutual)).toHaveLength(1)
})

test('an expression brings the computed fields that it needs to the browser', () => {
  expect(Object.keys(toPortable(expressionOf('long or worth > 3', scope)).computed).sort()).toEqual([
    'line.cost',
    'loan.days',
    'loan.long',
    'loan.worth',
  ])
})

test('computed fields that multiply each other cost too much before they cost the database', () => {
  const fields: Record<string, string> = { f0: 'decimal' }
  for (let level = 1; level <= 14; level++) fields[`f${level}`] = `decimal = f${level - 1} * f${level - 1}`
  const doubling = schemaOf({ a: fields })
  const found = Array.from(
    { length: 14 },
    (_, level) => readExpression(cellOf(`f${level} * f${level}`), scopeOf(doubling, 'a')).found,
  )
  expect(found.flat().map(one => one.code)).toEqual(['N0227'])
})

test.each([
  ['due_back > out_on and keeper = me', []],
  ['worth > 3 and max(lines.n) > 1', []],
  ['keeper.boss.name = "x"', ['person.boss via keeper', 'person.name via keeper.boss']],
  ['above.days > 1', ['loan.days via above', 'loan.due_back via above', 'loan.out_on via above']],
  ['any(above.lines where n > this.days)', ['loan.lines via above', 'line', 'line.n']],
  [
    'count(other Loan where keeper.name = "x" and out_on < this.due_back and none(lines)) = 0',
    ['loan', 'loan.keeper', 'person.name', 'loan.out_on', 'loan.lines', 'line'],
  ],
])('%s reads elsewhere', (text, reads) => {
  const { root } = expressionOf(text, scope)
  const told = elsewhereOf(root, schema).map(
    ({ entity, field, via }) =>
      `${entity}${field === null ? '' : `.${field}`}${via === null ? '' : ` via ${via.join('.')}`}`,
  )
  expect(told).toEqual(reads)
})

test('code stands beside all records only where the database decides its parts, and never in one part with them', () => {
  const few = 'count(Loan where keeper = this.keeper) < 3'
  const codes = (text: string, code: true | 'by parts') =>
    readExpression(cellOf(text), { ...scope, code }, 'yes/no').found.map(one => one.code)
  expect(codes(`fee(days) < 1.00 and ${few}`, true)).toEqual(['N0242'])
  expect(codes(`fee(days) < 1.00 and long and ${few}`, 'by parts')).toEqual([])
  expect(codes(`fee(days) < 1.00 or ${few}`, 'by parts')).toEqual(['N0242'])
  expect(codes(`long and (fee(days) < 1.00 or ${few})`, 'by parts')).toEqual(['N0242'])
})
