import { expect, test } from 'vitest'
import { toPortable } from '../../expression/computed.ts'
import { type Environment, NOT_LOADED } from '../../expression/evaluate.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import { loanDesk, readSound } from '../testing.ts'
import { brokenCount, brokenFieldRule, type FieldRules, ruleHolds } from './validate.ts'

const app = readSound(loanDesk)
const environment = (row: RecordValue, limits: Record<string, Wire> = {}): Environment => ({
  row,
  old: null,
  me: null,
  my: null,
  today: '2026-03-02',
  now: '2026-03-02T09:00:00.000Z',
  limits: { max_loan_days: '14', max_items: '6', max_value: '5000.00', clerk_damage_limit: null, ...limits },
  related: () => undefined,
})
const field = (entity: string, key: string) => app.entities.get(entity)!.fields.find(one => one.key === key)!
const rule = (name: string) => {
  const { mustHold } = app.rules.find(one => one.name === name)!
  if ('unspecified' in mustHold) throw new Error(name)
  return mustHold
}

test('the same rules, as the browser gets them: plain data, the same answers', () => {
  const { type, required, min, max, pattern } = field('item', 'value')
  const portable = JSON.parse(
    JSON.stringify({
      type,
      required: required && { when: null },
      min: min && toPortable(min),
      max,
      pattern,
      currency: null,
      onlyWhen: null,
      readOnlyWhen: null,
    }),
  ) as FieldRules
  for (const value of [null, '', '-0.01', '0', '0.00', '2400.00'])
    expect(brokenFieldRule(portable, value, environment({}))).toEqual(
      brokenFieldRule(field('item', 'value'), value, environment({})),
    )
  expect(brokenFieldRule(portable, null, environment({}))).toEqual({ code: 'NF-REQUIRED' })
  expect(brokenFieldRule(portable, '-0.01', environment({}))).toEqual({ code: 'NF-MIN', limit: '0.00', value: '-0.01' })
  expect(brokenFieldRule(portable, '0', environment({}))).toBeNull()
})

test('a pattern must fit the whole text', () => {
  const tag = (text: string) => brokenFieldRule(field('item', 'tag'), text, environment({}))?.code ?? null
  expect(tag('CA-0001')).toBeNull()
  for (const text of ['CA-00011', 'xCA-0001', 'CA-0001\n', 'ca-0001', 'CA-000']) expect(tag(text)).toBe('NF-PATTERN')
})

test('counts of child rows follow the constants of the moment', () => {
  const lines = field('loan', 'lines')
  expect(brokenCount(lines, 0, environment({}))).toEqual({ code: 'NF-FEW', limit: '1', found: '0' })
  expect(brokenCount(lines, 6, environment({}))).toBeNull()
  expect(brokenCount(lines, 6, environment({}, { max_items: '5' }))).toEqual({
    code: 'NF-MANY',
    limit: '5',
    found: '6',
  })
  expect(brokenCount(lines, 600, environment({}, { max_items: null }))).toBeNull()
})

test('a rule that lacks a value passes, and one that lacks a record waits for the server', () => {
  expect(ruleHolds(rule('V-1'), environment({ out_on: '2026-03-02', due_back: '2026-03-02' }))).toBe(false)
  expect(ruleHolds(rule('V-1'), environment({ out_on: '2026-03-02', due_back: null }))).toBe(true)
  expect(ruleHolds(rule('V-2'), environment({ out_on: '2026-03-02', due_back: '2026-03-17' }))).toBe(false)
  expect(
    ruleHolds(rule('V-2'), environment({ out_on: '2026-03-02', due_back: '2026-03-17' }, { max_loan_days: null })),
  ).toBe(true)
  expect(ruleHolds(rule('V-3'), environment({ item: '018f2b6e-7c1a-7000-8000-000000000001' }))).toBe('not loaded')
  expect(NOT_LOADED).toBeTypeOf('symbol')
})
