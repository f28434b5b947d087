/** Nothing that somebody sends costs more than its share: processor time grows with the length, not faster. */
import { expect, inject, test } from 'vitest'
import { startNode } from '../desk.ts'

async function growing(faults: readonly string[]): Promise<readonly string[]> {
  const started = startNode(['conformance/hostile/measure.ts'], { DATABASE_URL: inject('databaseUrl') }, faults)
  return JSON.parse(await started.find(/^growing (\[.*\])$/m))
}

test('what is sent, and what is shown of it, takes time in proportion to its length', async () => {
  expect(await growing([])).toEqual([])
})

test('found: marks are put into order however many they are; long numbers are read to their end', async () => {
  const found = await growing([
    'marks are put into order however many they are',
    'numbers of JSON are read to their end',
  ])
  expect(found).toContain('long numbers in JSON')
  expect(found).toContain(`sent ${JSON.stringify('\u0315\u0300')}`)
})
