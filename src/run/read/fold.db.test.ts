/** What is compared in the database and here is folded alike: every letter, mark and sign of the scripts that have case or accents. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { startTestRun, type TestRun } from '../testing.ts'
import { folded } from './fold.ts'

let run: TestRun
beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'))
})
afterAll(() => run?.drop())

/** First and last of each: Latin to Cyrillic, more of Latin and Greek with the signs behind them, wide forms. */
const ranges = [
  [0x20, 0x52f],
  [0x1e00, 0x218f],
  [0x2700, 0x27bf],
  [0x3000, 0x303f],
  [0xfe00, 0xffef],
] as const

test('JavaScript folds each of them as the database does', async () => {
  const characters = ranges
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)))
    .filter(character => /\p{Assigned}/u.test(character))
  const rows = await run.runtime.store.query<{ one: string; becomes: string }>(
    sql`select one, ninefold.fold(one) as becomes from unnest(${characters}::text[]) as one`,
  )
  expect(rows).toHaveLength(characters.length)
  expect(rows.filter(({ one, becomes }) => folded(one) !== becomes)).toEqual([])
})

test.each([
  ["'", ...'’‘‚‛‹›′`´＇'],
  ['"', ...'“”„‟«»″＂'],
])('%s is what all marks of its kind become', (plain, ...marks) => {
  expect(marks.map(folded)).toEqual(marks.map(() => plain))
})
