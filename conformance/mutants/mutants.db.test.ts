/** A sample of `npm run mutants`, one of a kind: what verify saw once, it sees. */
import { expect, inject, test } from 'vitest'
import { judged } from './judged.ts'

const sample = ['See is read as yes', 'a change is not stored', 'rules that name a step are not asked']

test.each(sample)('seen: %s', async name => {
  expect((await judged(inject('databaseUrl'), name)).verdict).toBe('seen')
})
