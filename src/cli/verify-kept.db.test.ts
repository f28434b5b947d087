/** Rows of records: examples that give a draft one, and what the database keeps of their sums. */
import { expect, inject, test } from 'vitest'
import { raw } from '../expression/sql.ts'
import { readApp } from '../headings/index.ts'
import { createTestDatabase } from '../store/testing.ts'
import { verifyOn } from './verify.ts'

const withRows = `# Loans

## 1 What the product does and for whom

- **Languages:** English

## 3 Entities and their fields

### Item

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required; unique |

#### Sample data

| name |
| --- |
| Saw |

### Loan

| Field | Type | Rules |
| --- | --- | --- |
| reason | text 40 | |
| lines | list of Loan line | |

### Loan line (part of Loan)

| Field | Type | Rules |
| --- | --- | --- |
| item | Item | required |
| pieces | integer | required |

## 5 Validation rules

| Rule | Applies to | Must hold | Error |
| --- | --- | --- | --- |
| V-1 | Loan | \`all(lines where pieces > 0)\` | E-1 |

#### Examples: V-1

| reason | item | pieces | Result |
| --- | --- | --- | --- |
| a | Saw | 1 | ok |
| b | Saw | 0 | E-1 |
| c | Saw | 0 | ok |
| d | | | ok |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Clerk | everyone signed in |

### Loan

| Role | See | Create |
| --- | --- | --- |
| Clerk | yes | yes |

### Item

| Role | See |
| --- | --- |
| Clerk | yes |

## 8 The error catalogue

| Code | Message |
| --- | --- |
| E-1 | No. |
`

test('examples give a draft one row, with the fields that only rows have', async () => {
  const { app } = readApp('loans.md', path => (path === 'loans.md' ? withRows : null))
  const database = await createTestDatabase(inject('databaseUrl'))
  try {
    const lines = (await verifyOn(app!, database.store, () => undefined)).filter(({ title }) =>
      title.startsWith('V-1:'),
    )
    expect(lines.map(({ title, passed, detail }) => [title, passed, detail])).toEqual([
      ['V-1: reason a, item Saw, pieces 1 → ok', true, null],
      ['V-1: reason b, item Saw, pieces 0 → E-1', true, null],
      ['V-1: reason c, item Saw, pieces 0 → ok', false, 'the application says E-1'],
      ['V-1: reason d → ok', true, null],
    ])
  } finally {
    await database.drop()
  }
})

test('what the database keeps of records is compared with their rows: a sum that stays behind is found out', async () => {
  const text = withRows
    .replace('| lines | list of Loan line | |', '$&\n| total | integer | = sum(lines.pieces) |')
    .replace(
      '## 5 Validation rules',
      '#### Scenario: with rows\n\n| Step | Who | What | Result |\n| --- | --- | --- | --- |\n| Given | Cleo the Clerk | Loan L1 with reason a, item Saw, pieces 2 | |\n\n$&',
    )
    .replace(
      '## 3 Entities',
      '## 2 Screens and routes\n\n| Route | Screen | For | Shows |\n| --- | --- | --- | --- |\n| / | Loans | everyone signed in | list of Loan |\n\n### Loans\n\n- **Columns:** reason, total\n\n$&',
    )
  const { app } = readApp('loans.md', path => (path === 'loans.md' ? text : null))
  const database = await createTestDatabase(inject('databaseUrl'))
  const { store } = database
  const kept = async () => {
    const lines = await verifyOn(app!, store, () => undefined, app!, 'written')
    return lines.filter(({ title }) => title.startsWith('Loan, total: '))
  }
  try {
    expect(await kept()).toMatchObject([{ passed: true, untried: false, detail: null }])
    // Its comment stays, so that no plan finds it.
    await store.query(
      raw(
        "create or replace function public.kept_by_loan_line() returns trigger language plpgsql as 'begin return null; end'",
      ),
    )
    const [line] = await kept()
    expect(line).toMatchObject({ passed: false, cell: { text: 'sum(lines.pieces)' } })
    expect(line!.detail).toMatch(/^Loan a [\w-]{36}: 0 is kept, its rows say 2$/)
  } finally {
    await database.drop()
  }
})
