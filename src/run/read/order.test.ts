import { expect, test } from 'vitest'
import { identifier, statement } from '../../expression/sql.ts'
import { policyFor } from '../access/policy.ts'
import { loanDesk, readSound } from '../testing.ts'
import { beyond, keysOf, orderBy, readCursor, writeCursor } from './order.ts'

const app = readSound(loanDesk)
const clerk = policyFor(app, { id: 'x', roles: ['Borrower', 'Clerk'], system: null })
const keys = (...sorts: readonly [string, boolean][]) =>
  keysOf(
    app,
    clerk,
    'loan',
    't',
    sorts.map(([field, descending]) => ({ field, descending })),
  )
const text = (...sorts: readonly [string, boolean][]) =>
  statement(orderBy(keys(...sorts), index => identifier(`k${index}`), false)).text
const id = '018f2b6e-7c1a-7000-8000-000000000001'

test('newest first where nothing is said; the id always ends it', () => {
  expect(text()).toBe('"k0" desc')
  expect(text(['due_back', false])).toBe('"k0", "k1"')
  expect(text(['due_back', true], ['number', false])).toBe('"k0" desc, "k1", "k2"')
})

test('what does not exist, has many values or may not be seen orders nothing', () => {
  const borrower = policyFor(app, { id: 'x', roles: ['Borrower'], system: null })
  const by = (field: string) => keysOf(app, borrower, 'loan', 't', [{ field, descending: false }]).map(key => key.field)
  for (const field of ['nothing', 'lines', 'total_value', 'register_ref']) expect(by(field)).toEqual(['id'])
  expect(by('due_back')).toEqual(['due_back', 'id'])
})

test('one direction without empties is a row comparison, which an index can begin at', () => {
  const { condition, bindings } = beyond(keys(['due_back', false]), ['2026-03-09', id], false)
  expect(statement(condition()).text).toBe('("t"."due_back", "t"."id") > ($1::date, $2::uuid)')
  expect(bindings).toEqual({ 'place.0': '2026-03-09', 'place.1': id })
})

test('empties come last, going up and going down, in both directions of leafing', () => {
  const after = (descending: boolean, value: string | null, backwards: boolean) =>
    statement(beyond(keys(['purpose', descending]), [value, id], backwards).condition()).text
  expect(after(false, null, false)).toContain('(false or ("t"."purpose" collate "ninefold"."counting" is null and')
  expect(after(false, null, true)).toContain('is not null or')
  expect(after(true, null, false)).toContain('(false or')
  expect(after(true, null, true)).toContain('is not null or')
  for (const descending of [false, true]) {
    expect(after(descending, 'x', false)).toContain('or "t"."purpose" collate "ninefold"."counting" is null')
    expect(after(descending, 'x', true)).not.toContain('null')
  }
  const order = (descending: boolean, backwards: boolean) =>
    statement(orderBy(keys(['purpose', descending]), index => identifier(`k${index}`), backwards)).text
  expect([order(false, false), order(false, true)]).toEqual(['"k0", "k1"', '"k0" desc, "k1" desc'])
  expect([order(true, false), order(true, true)]).toEqual(['"k0" desc nulls last, "k1" desc', '"k0" nulls first, "k1"'])
})

test('a cursor survives the address and nothing else does', () => {
  const due = keys(['due_back', false])
  expect(readCursor(writeCursor(['2026-03-09', id]), due)).toEqual(['2026-03-09', id])
  for (const place of [
    ['2026-02-30', id],
    [null, id],
    ['2026-03-09', '1'],
    ['2026-03-09'],
    ['2026-03-09', id, 'x'],
    [1, id],
  ])
    expect(readCursor(writeCursor(place as never), due)).toBeNull()
  for (const cursor of [null, '', '%', 'bnVsbA', 'x'.repeat(9000)]) expect(readCursor(cursor, due)).toBeNull()
})
