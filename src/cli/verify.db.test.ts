/** Every example does what its own Examples and Scenario tables say. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { createTestDatabase } from '../store/testing.ts'
import { loadApp } from './load.ts'
import { verifyOn } from './verify.ts'

const folder = join(import.meta.dirname, '../../examples')
const examples = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(path => /^([\w-]+)[\\/]\1\.md$/.test(path))
  .sort()

/** Rows that each has at least: a table that is no longer found fails here. */
const rows: Readonly<Record<string, number>> = { 'loan-desk': 6, purchasing: 31, 'street-defects': 15 }

test('there are examples with tables of their own', () => {
  const names = examples.map(path => path.split(/[\\/]/)[0]!)
  expect(names).toEqual(expect.arrayContaining(Object.keys(rows)))
})

for (const path of examples) {
  const name = path.split(/[\\/]/)[0]!
  test(path, { timeout: 120_000 }, async () => {
    const { app } = loadApp(join(folder, path))
    const database = await createTestDatabase(inject('databaseUrl'))
    try {
      const lines = await verifyOn(app!, database.store, () => undefined)
      expect(lines.filter(({ passed }) => !passed).map(({ title, detail }) => `${title}: ${detail}`)).toEqual([])
      expect(lines.length).toBeGreaterThanOrEqual(rows[name] ?? 0)
    } finally {
      await database.drop()
    }
  })
}
