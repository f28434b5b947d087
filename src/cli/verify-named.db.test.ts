/** Records that a scenario names as the sample data call them. */
import { expect, inject, test } from 'vitest'
import { readApp } from '../headings/index.ts'
import { createTestDatabase } from '../store/testing.ts'
import { verifyOn } from './verify.ts'

const flats = (rows: string) => `# Flats

## 3 Entities and their fields

### Building

| Field | Type | Rules |
| --- | --- | --- |
| code | text 10 | required; unique |

#### Sample data

| code |
| --- |
| LB-01 |

### Flat

| Field | Type | Rules |
| --- | --- | --- |
| building | Building | required |
| number | text 10 | required |
| title | text 30 | = building.code + "/ " + number; display |
| keeper | Person | |

#### Sample data

| building | number | keeper |
| --- | --- | --- |
| LB-01 | 1 | |
| LB-01 | 2 | Cleo |

### Visit

| Field | Type | Rules |
| --- | --- | --- |
| flat | Flat | required |

## 4 States and transitions

### Building

| State | Kind |
| --- | --- |
| Open | start |
| Shut | end |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| shut | Open | Shut | Clerk |

### Flat

| State | Kind |
| --- | --- |
| Empty | start |
| Let | end |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| let out | Empty | Let | Clerk |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Clerk | appointed by Clerk |

### Building

| Role | See | Do |
| --- | --- | --- |
| Clerk | yes | all |

### Flat

| Role | See | Change | Do |
| --- | --- | --- | --- |
| Clerk | keeper = me | yes | all |

### Visit

| Role | See | Create |
| --- | --- | --- |
| Clerk | yes | yes |

#### Scenario: a visit

| Step | Who | What | Result |
| --- | --- | --- | --- |
${rows}
`

test('a record of the sample data is named by its text or its computed title, whoever may see it', async () => {
  const said = (rows: string) => readApp('flats.md', name => (name === 'flats.md' ? flats(rows) : null))
  const messages = (rows: string) =>
    said(rows).found.flatMap(({ severity, message }) => (severity === 'error' ? [message] : []))
  expect(messages('| When | Cleo the Clerk | shut LB-09 | ok |')).toEqual([
    expect.stringContaining('nothing in this scenario is called `LB-09`'),
  ])
  const { app, found } = said(`| When | Cleo the Clerk | shut LB-01 | ok |
| Then | | \`LB-01.state = Shut\` | |
| When | Cleo | shut LB-01 | denied |
| When | Cleo | see LB-01/ 1 | denied |
| When | Cleo | let out LB-01/ 1 | denied |
| When | Cleo | Visit V1 with flat LB-01/ 1 | NF-NO-RECORD |
| When | Cleo | Visit V2 with flat LB-01/ 2 | ok |
| When | Cleo | let out LB-01/ 2 | ok |
| When | Cleo | let out LB-01/ 9 | denied |`)
  expect(found.flatMap(({ severity, message }) => (severity === 'error' ? [message] : []))).toEqual([])
  const database = await createTestDatabase(inject('databaseUrl'))
  try {
    const lines = await verifyOn(app!, database.store, () => undefined)
    const wrong = lines.filter(({ title, passed }) => /^(when|then)/.test(title) && !passed)
    expect(wrong.map(({ title, detail }) => `${title}: ${detail}`)).toEqual([
      'when: Cleo the Clerk, let out LB-01/ 9 → denied: LB-01/ 9 is not there: no record of the sample data is called that, or the row that makes it failed',
    ])
  } finally {
    await database.drop()
  }
})
