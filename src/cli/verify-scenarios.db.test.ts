/** What a scenario can name, and what its rows are told where something else stands in the way. */
import { expect, inject, test } from 'vitest'
import { readApp } from '../headings/index.ts'
import { createTestDatabase } from '../store/testing.ts'
import { verifyOn } from './verify.ts'

const desk = (rows: string) => `# Library

## 3 Entities and their fields

### Copy

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required; unique |

### Loan

| Field | Type | Rules |
| --- | --- | --- |
| copy | Copy | required |
| days | integer | default 1 |

## 4 States and transitions

### Copy

| State | Kind |
| --- | --- |
| There | start |
| Away | |
| Lost | end |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| give | There | Away | none |
| take | Away | There | none |
| lose | There | Lost | Clerk |

### Loan

| State | Kind |
| --- | --- |
| Asked | start |
| Out | end |

| Transition | From | To | Who | Then |
| --- | --- | --- | --- | --- |
| hand out | Asked | Out | Clerk | do give on copy |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Clerk | appointed by Clerk |

### Copy

| Role | See | Create | Change | Do |
| --- | --- | --- | --- | --- |
| Clerk | yes | yes | yes | all |

### Loan

| Role | See | Create | Change | Do |
| --- | --- | --- | --- | --- |
| Clerk | yes | yes | yes | all |

#### Scenario: a loan

| Step | Who | What | Result |
| --- | --- | --- | --- |
${rows}
`

async function linesOf(rows: string) {
  const { app, found } = readApp('library.md', name => (name === 'library.md' ? desk(rows) : null))
  expect(found.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([])
  const database = await createTestDatabase(inject('databaseUrl'))
  try {
    return await verifyOn(app!, database.store, () => undefined)
  } finally {
    await database.drop()
  }
}

const wrongIn = (lines: Awaited<ReturnType<typeof linesOf>>) =>
  lines.filter(({ passed }) => !passed).map(({ title, detail }) => `${title}: ${detail}`)

test('what another record refuses is told of that one, and is no refusal of the step', async () => {
  const lines = await linesOf(`| Given | Cleo the Clerk | Copy C1 with name Atlas | |
| Given | Cleo | Loan L1 with copy C1 | |
| When | Cleo | lose C1 | ok |
| When | Cleo | hand out L1 | denied |
| When | Cleo | hand out L1 | NF-STEP-STATE |
| When | Cleo | lose C1 | denied |`)
  expect(wrongIn(lines)).toEqual([
    'when: Cleo the Clerk, hand out L1 → denied: the application says NF-STEP-STATE (Copy Atlas: “give” is not possible from Lost; it starts from There.)',
  ])
})
