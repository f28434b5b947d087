/** Approval processes that others publish, each as a document, do what their scenarios say. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { someOf } from '../../scripts/limits.ts'
import { createTestDatabase } from '../store/testing.ts'
import { loadApp } from './load.ts'
import { verifyOn } from './verify.ts'

const folder = join(import.meta.dirname, '../../docs/approvals')
const documents = readdirSync(folder).filter(name => name !== 'README.md')

test('the page names each of them', () => {
  const page = readFileSync(join(folder, 'README.md'), 'utf8')
  expect(documents.filter(name => !page.includes(`(${name})`))).toEqual([])
})

for (const name of someOf(documents, 4))
  test(name, async () => {
    const { app } = loadApp(join(folder, name))
    const database = await createTestDatabase(inject('databaseUrl'))
    try {
      const lines = await verifyOn(app!, database.store, () => undefined)
      expect(lines.filter(({ passed }) => !passed).map(({ title, detail }) => `${title}: ${detail}`)).toEqual([])
      expect(app!.scenarios.length).toBeGreaterThan(0)
    } finally {
      await database.drop()
    }
  })
