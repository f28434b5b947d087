/** Approval processes that others publish, each as a document, do what their scenarios say. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { someOf } from '../../scripts/limits.ts'
import { createTestDatabase } from '../store/testing.ts'
import { loadApp } from './load.ts'
import { verifyOn } from './verify.ts'

const docs = join(import.meta.dirname, '../../docs')
const documents = readdirSync(join(docs, 'approvals'))

test('the page names each of them', () => {
  const page = readFileSync(join(docs, 'approvals.md'), 'utf8')
  expect(documents.filter(name => !page.includes(`(approvals/${name})`))).toEqual([])
})

for (const name of someOf(documents, 4))
  test(name, async () => {
    const { app } = loadApp(join(docs, 'approvals', name))
    const database = await createTestDatabase(inject('databaseUrl'))
    try {
      const lines = await verifyOn(app!, database.store, () => undefined)
      expect(lines.filter(({ passed }) => !passed).map(({ title, detail }) => `${title}: ${detail}`)).toEqual([])
      expect(app!.scenarios.length).toBeGreaterThan(0)
    } finally {
      await database.drop()
    }
  })
