/** What a plan calls the rules that it brings: by the words of the document, and by their lines where it says who is refused. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { raw } from '../../expression/sql.ts'
import { readApp } from '../../headings/index.ts'
import { applyMigration, planMigration } from '../migrate.ts'
import { createTestDatabase, type TestDatabase } from '../testing.ts'
import { explainPlan } from './explain.ts'

const document = (fields: string, rules: string) => `# Shop

## 3 Entities and their fields

### Piece

| Field | Type | Rules |
| --- | --- | --- |
${fields}

## 5 Validation

${rules}
`
const before = document('| name | text 80 | |\n| tag | text 12 | |\n| size | integer | |\n| price | integer | |', '')
const after = document(
  `| name | text 40 | unique |
| tag | text 12 | pattern AA-9999 |
| size | integer | min 1; max 90 |
| price | integer | only when \`size > 2\` |`,
  `| Rule | Applies to | Must hold | Field | Error |
| --- | --- | --- | --- | --- |
| V-1 | Piece | \`price < 500\` | price | TBD |`,
)

const read = (text: string) => {
  const { app, found } = readApp('shop.md', () => text, { version: () => String(text.length) })
  expect(found.filter(({ severity, code }) => severity === 'error' && code !== 'N0201')).toEqual([])
  return app!
}

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
})
afterAll(() => database?.drop())

test('rules are called as the document writes them', async () => {
  const { store } = database
  await applyMigration(store, read(before), null, { now: new Date('2026-03-02T10:00:00Z') })
  await store.query(
    raw(`with made as (insert into piece (id, version, created_at, changed_at, name, size)
      values (gen_random_uuid(), 1, now(), now(), 'A', 1) returning id) select from made`),
  )
  const plan = await planMigration(store, read(after))
  const [name, tag, size, price, rule] = ['name', 'tag', 'size', 'price', 'V-1'].map(
    word => after.split('\n').findIndex(line => line.startsWith(`| ${word} `)) + 1,
  )
  const enforced = plan.steps
    .map(({ what }) => what)
    .filter(what => what.startsWith('Enforce') && !what.includes('existing'))
  expect(enforced).toEqual([
    'Enforce `text 40` for name of piece',
    'Enforce `pattern AA-9999` for tag of piece',
    'Enforce `min 1` for size of piece',
    'Enforce `max 90` for size of piece',
    'Enforce `only when size > 2` for price of piece',
    'Enforce `unique` for name of piece',
    'Enforce V-1, `price < 500`, for price of piece',
    'Enforce `unique` for name of piece by the index that was built',
  ])
  expect(explainPlan(plan).split('but it\n\n')[1]).toBe(
    [
      `   - is refused what breaks \`text 40\` for name of piece (shop.md:${name})`,
      `   - is refused what breaks \`pattern AA-9999\` for tag of piece (shop.md:${tag})`,
      `   - is refused what breaks \`min 1\` for size of piece (shop.md:${size})`,
      `   - is refused what breaks \`max 90\` for size of piece (shop.md:${size})`,
      `   - is refused what breaks \`only when size > 2\` for price of piece (shop.md:${price})`,
      '   - is refused records of piece that are alike in name',
      `   - is refused what breaks V-1, \`price < 500\`, for price of piece (shop.md:${rule})`,
      '',
    ].join('\n'),
  )
})
