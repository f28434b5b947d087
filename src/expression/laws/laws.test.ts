import { describe, expect, test } from 'vitest'
import { toPortable } from '../computed.ts'
import { formatDecimal, parseDecimal } from '../decimal.ts'
import { type Environment, evaluate, NOT_LOADED } from '../evaluate.ts'
import { expressionOf } from '../testing.ts'
import type { Wire } from '../type.ts'
import { boxes, closed, laws, limits, lines, me, now, old, parcel, people, scope, things, today } from './corpus.ts'

const all: Readonly<Record<string, Environment['row'][]>> = {
  person: [...people],
  parcel: [parcel],
  line: [...lines],
  box: [...boxes],
  thing: [...things],
}

const environment: Environment = {
  row: parcel,
  old,
  me,
  my: people[0]!,
  today,
  now,
  limits,
  closed,
  related: (entity, id) => all[entity]?.find(record => record.id === id),
  all: entity => all[entity],
}

const plain = (value: unknown) => {
  const number = typeof value === 'string' ? parseDecimal(value) : null
  return number === null ? value : formatDecimal(number)
}

describe.each(laws)('law $law', ({ rows }) => {
  test.each(rows)('$says: $text', ({ text, gives }) => {
    const expression = expressionOf(text, scope)
    expect(plain(evaluate(expression, environment))).toBe(gives)
    // As it travels to the browser.
    expect(plain(evaluate(JSON.parse(JSON.stringify(toPortable(expression))), environment))).toBe(gives)
  })
})

const loaded = (more: Partial<Environment>): Environment => ({ ...environment, related: () => undefined, ...more })
const of = (text: string, where: Environment): Wire | typeof NOT_LOADED | readonly Wire[] =>
  evaluate(expressionOf(text, scope), where)

test('a record that is not at hand leaves the decision to the server', () => {
  expect(of('to.name = "Ada"', loaded({}))).toBe(NOT_LOADED)
  expect(of('any(Person where name = "Bo")', loaded({ all: () => undefined }))).toBe(NOT_LOADED)
  expect(of('sum(lines.value)', loaded({ row: { ...parcel, lines: undefined } }))).toBe(NOT_LOADED)
  expect(of('to within my.boss', loaded({}))).toBe(NOT_LOADED)
})

test('what decides by itself needs no record', () => {
  expect(of('off and to.name = "Ada"', loaded({}))).toBe(false)
  expect(of('to.name = "Ada" or on', loaded({}))).toBe(true)
  expect(of('via.name', loaded({}))).toBe(null)
  expect(of('to = me', loaded({}))).toBe(true)
})

test('a missing field is empty, unless the row is only a part', () => {
  const { n: _, ...row } = parcel
  expect(of('n is empty', loaded({ row }))).toBe(true)
  expect(of('n is empty', loaded({ row, partial: true }))).toBe(NOT_LOADED)
})

test('a computed field that the row has is taken as it is', () => {
  expect(of('twice', loaded({ row: { ...parcel, twice: '99' } }))).toBe('99')
})

test('values of a list come in the order of its rows', () => {
  expect(of('lines.value', environment)).toEqual(['10', '20', null])
})

test('nobody who is signed in is unknown, not somebody', () => {
  expect(of('to = me', loaded({ me: null, my: null }))).toBe(null)
  expect(of('my.name = "Ada"', loaded({ me: null, my: null }))).toBe(null)
})

test('amounts are written with the places of their currency', () => {
  expect(of('m * 2', environment)).toBe('25.00')
  expect(of('m / 8', environment)).toBe('1.5625')
})
