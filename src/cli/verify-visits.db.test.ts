/** What a row of a scenario leaves out, names of mails and calls, and changes of constants. */
import { expect, inject, test } from 'vitest'
import { readApp } from '../headings/index.ts'
import { createTestDatabase } from '../store/testing.ts'
import { verifyOn } from './verify.ts'

const visits = (rows: string) => `# Visits

- **Ninefold:** 1

## 3 Entities and their fields

### Visit

| Field | Type | Rules |
| --- | --- | --- |
| number | auto number V-{0000} | |
| guest | text 40 | required |
| note | text 40 | required when fee > 20 |
| fee | money EUR | required; max limits.most |

## 4 States and transitions

### Visit

| State | Kind |
| --- | --- |
| Open | start |
| Paid | end |

| Transition | From | To | Who | Then |
| --- | --- | --- | --- | --- |
| pay | Open | Paid | Clerk | send mail paid; call C-1 |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Clerk | appointed by Clerk |

### Visit

| Role | See | Create | Change | Delete | Do |
| --- | --- | --- | --- | --- | --- |
| Clerk | yes | yes | yes | no | all |

## 7 The calls it makes

### C-1 Tell the ledger

- **Request:** POST https://ledger.example/payments
- **Timeout:** 10 seconds

| Send | From |
| --- | --- |
| guest | guest |
| amount | fee |

| Answer | Then |
| --- | --- |
| 2xx | stop |

| Mail | To | Subject | Body |
| --- | --- | --- | --- |
| paid | created_by | {guest} has paid | Thank you for {fee}. |

## 9 Business constants and limits

| Name | Value | Unit | Range | Who may change |
| --- | --- | --- | --- | --- |
| most | 50 | EUR | 10 to 100 | Clerk |

#### Scenario: what is left out, said and changed

| Step | Who | What | Result |
| --- | --- | --- | --- |
${rows}
`

const played = async (rows: string) => {
  const { app, found } = readApp('visits.md', () => visits(rows))
  expect(found.filter(({ severity }) => severity === 'error')).toEqual([])
  const { store, drop } = await createTestDatabase(inject('databaseUrl'))
  try {
    const lines = await verifyOn(app!, store, () => undefined, app!, 'written')
    return lines.map(({ detail }) => detail)
  } finally {
    await drop()
  }
}

test('a row leaves out fields, names the words of a mail and the values of a call, and changes a constant', async () => {
  const rows = `| When | Cleo the Clerk | Visit V1 with fee 30.00 without guest | NF-REQUIRED |
| When | Cleo | Visit V2 with guest Ada, fee 30.00 without note | NF-REQUIRED |
| When | Cleo | Visit V3 with guest Ada, fee 10.00 without note | ok |
| When | Cleo | pay V3 | ok |
| Then | | mail paid was sent to Cleo saying "Ada has paid" | |
| And | | no mail paid was sent saying "Bob has paid" | |
| And | | call C-1 was made with guest Ada, amount 10 | |
| Given | | limits.most = 60 | |
| When | Cleo | Visit V4 with guest Ada, fee 60.00, note Late | ok |
| When | Cleo | Visit V5 with guest Ada, fee 61.00, note Late | NF-MAX |
| When | Cleo | limits.most = 101 | NF-LIMIT-RANGE |
| When | a visitor | limits.most = 20 | denied |`
  expect(await played(rows)).toEqual(Array(12).fill(null))
})

test('what is said otherwise is told', async () => {
  const rows = `| When | Cleo the Clerk | Visit V1 with guest Ada, fee 30.00, note Late without number | NF-REQUIRED |
| When | Cleo | Visit V3 with guest Ada, fee 10.00 | ok |
| When | Cleo | pay V3 | ok |
| Then | | mail paid was sent saying "Bob has paid" | |
| And | | call C-1 was made with amount 11 | |
| And | | no call C-1 was made with amount 10 | |
| When | Cleo | limits.most = 100 | denied |`
  const told = await played(rows)
  expect(told.map(detail => detail?.split(',')[0] ?? null)).toEqual([
    'the application says ok',
    null,
    null,
    'there was: paid to Cleo',
    expect.stringMatching(/^there was: C-1 with \{.*"guest":"Ada"/),
    expect.stringMatching(/^there was: C-1 with/),
    'the application says ok',
  ])
})

test('what a step asks for and writes over, and answers whose step is closed by then, are not held against it', async () => {
  const text = visits('')
    .split('#### Scenario')[0]!
    .replace('| fee | money EUR', '| wanted | text 40 | set by steps only |\n$&')
    .replace('## 4 States', '### Errand\n\n| Field | Type | Rules |\n| --- | --- | --- |\n| title | text 40 | |\n\n$&')
    .replace(
      '| Transition | From | To | Who | Then |\n| --- |',
      '| Transition | From | To | Who | Asks | Then |\n| --- | --- |',
    )
    .replace(
      '| pay | Open | Paid | Clerk |',
      '| send for | Open | Open | Clerk | wanted required | create Errand with title = wanted; set wanted = empty |\n$& |',
    )
    .replace('| 2xx | stop |', '| 2xx | set note = answer.word; do pay |')
  const { app, found } = readApp('visits.md', () => text)
  expect(found.filter(({ severity }) => severity === 'error')).toEqual([])
  const { store, drop } = await createTestDatabase(inject('databaseUrl'))
  try {
    const lines = await verifyOn(app!, store, () => undefined, app!)
    const ofIt = lines.filter(({ title }) => /^(Visit, send for: who may|C-1: )/.test(title))
    expect(ofIt.map(({ title, detail }) => [title.split(':')[0], detail])).toEqual([
      ['Visit, send for', null],
      ['C-1', null],
    ])
  } finally {
    await drop()
  }
})
