/** A pattern that is accepted means the same in JavaScript and in PostgreSQL, on any text. */
import fc from 'fast-check'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { matches } from './matching.ts'
import { readPattern } from './pattern.ts'

const client = new Client({ connectionString: inject('databaseUrl') })
beforeAll(() => client.connect())
afterAll(() => client.end())

const characters = [
  'a',
  'b',
  'é',
  'Z',
  '0',
  '9',
  ' ',
  '-',
  '.',
  ']',
  '\\',
  '\n',
  '\t',
  '😀',
  '٣',
  '^',
  '$',
  '|',
  'ß',
  'İ',
]
const atom = fc.constantFrom(
  'a',
  'b',
  'é',
  '0',
  '\\.',
  '\\d',
  '\\\\',
  '\\]',
  '-',
  ' ',
  '😀',
  '\\$',
  '[a-z]',
  '[^a]',
  '[^0-9]',
  '[\\-\\]\\\\^]',
  '[é😀]',
  '[\\d.]',
)
const pattern = fc.letrec<{ expression: string; part: string }>(tie => ({
  part: fc.oneof(
    { weight: 4, arbitrary: atom },
    { weight: 1, arbitrary: tie('expression').map(inside => `(${inside})`) },
  ),
  expression: fc
    .array(fc.tuple(tie('part'), fc.constantFrom('', '', '?', '*', '+', '{2}', '{1,3}', '{0,2}')), {
      minLength: 1,
      maxLength: 4,
    })
    .chain(parts => fc.constantFrom(parts, [...parts, ['|', ''] as const, ...parts]))
    .map(parts => parts.map(part => part.join('')).join('')),
})).expression

test('patterns match the same texts in both', async () => {
  let compared = 0
  const texts = fc.array(
    fc.array(fc.constantFrom(...characters), { maxLength: 6 }).map(all => all.join('')),
    { minLength: 20, maxLength: 20 },
  )
  await fc.assert(
    fc.asyncProperty(pattern, texts, async (written, values) => {
      const read = readPattern(written)
      if ('wrong' in read) return
      const { rows } = await client.query('select value, value ~ $2 as matches from unnest($1::text[]) as value', [
        values,
        read.source,
      ])
      const expression = new RegExp(read.source, 'u')
      for (const { value, matches: stored } of rows as { value: string; matches: boolean }[]) {
        expect([read.source, value, expression.test(value), matches(read.source, value)]).toEqual([
          read.source,
          value,
          stored,
          stored,
        ])
        compared += 1
      }
    }),
    { numRuns: 500 },
  )
  expect(compared).toBeGreaterThan(2000)
})
