/** Every example does what its own document says; an application that does something else is found out. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { loanDesk, readSound } from '../run/testing.ts'
import { createTestDatabase } from '../store/testing.ts'
import { loadApp } from './load.ts'
import { verifyOn } from './verify.ts'

const folder = join(import.meta.dirname, '../../examples')
const examples = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(path => /^([\w-]+)[\\/]\1\.md$/.test(path))
  .sort()

/** Rows that each has at least: a table that is no longer found fails here. */
const rows: Readonly<Record<string, number>> = {
  'absence-desk': 65,
  'equipment-desk': 20,
  'loan-desk': 23,
  purchasing: 90,
  'street-defects': 70,
}

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

/** Serves the loan desk with these edits, and gives the titles of all that is not as the unedited document says. */
async function foundOut(edits: readonly (readonly [from: string, to: string])[]): Promise<readonly string[]> {
  const edited = readSound(loanDesk, text =>
    edits.reduce((before, [from, to]) => {
      expect(before).toContain(from)
      return before.replace(from, to)
    }, text),
  )
  const database = await createTestDatabase(inject('databaseUrl'))
  try {
    const lines = await verifyOn(edited, database.store, () => undefined, readSound(loanDesk))
    return lines.filter(({ passed }) => !passed).map(({ title }) => title.replace(/: \d.*/, ''))
  } finally {
    await database.drop()
  }
}

test('an application that lets people do what the document refuses is found out, cell by cell', async () => {
  const found = await foundOut([
    ['| approve | Requested | Approved | Clerk | `borrower != me` |', '| approve | Requested | Approved | Clerk | |'],
    ['| hand out | Approved |', '| hand out | Approved, Requested |'],
    ['| Clerk | yes | yes | `state in (Requested, Approved)` | no |', '| Clerk | yes | yes | yes | yes |'],
    ['| purpose | Borrower, Clerk, Manager | Borrower |', '| purpose | Borrower, Clerk, Manager | Borrower, Clerk |'],
    ['| total_value | Clerk, Manager, Auditor |', '| total_value | all |'],
  ])
  expect(found).toEqual([
    'when: Cleo the Clerk, approve L1 → denied',
    'when: Dan the Clerk, approve L1 → ok',
    'Loan: who may see it, field by field',
    'Loan, approve: who may, and when',
    'Loan, hand out: who may, and when',
    'Loan: who may change it',
    'Loan: who may delete it',
    'Loan, purpose: who may not write it does not',
  ])
})

test("one that shows what is another's, and one that refuses what the document lets, are found out too", async () => {
  const shown = await foundOut([['| Borrower | `borrower = me` | yes |', '| Borrower | yes | yes |']])
  expect(shown).toContain('Loan: who may see it, field by field')
  const refused = await foundOut([
    ['| decline | Requested | Declined | Clerk, Manager |', '| decline | Requested | Declined | Manager |'],
    ['| Manager | yes | yes | yes | no | all |', '| Manager | yes | no | `state = Draft` | no | all |'],
  ])
  expect(refused).toEqual(expect.arrayContaining(['Loan, decline: who may, and when', 'Loan: who may change it']))
})
