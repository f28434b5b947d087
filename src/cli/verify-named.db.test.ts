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

test('a document whose records belong to tenants, and whose people have a role by theirs, holds', async () => {
  const text = `# Lifts

## 1 What the product does and for whom

- **Time zone:** UTC
- **Languages:** English
- **Sign-in:** password
- **Tenant:** Company

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /lifts | Lifts | everyone signed in | list of Lift |
| /lifts/{name} | Lift | everyone signed in | one Lift |
| /kinds | Kinds | everyone signed in | list of Kind |
| /kinds/{name} | Kind | everyone signed in | one Kind |
| /company | Company | everyone signed in | list of Company |
| /company/{name} | One company | everyone signed in | one Company |

## 3 Entities and their fields

### Company

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required; unique |

### Kind

- **Tenant:** none

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required; unique |

### Lift

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required; unique |
| keeper | Person | required; default me |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Member | \`my.company is not empty\` |
| Keeper | appointed by Keeper |

### Company

| Role | See | Create | Change | Delete |
| --- | --- | --- | --- | --- |
| Member | yes | no | no | no |
| Keeper | yes | yes | yes | no |

### Kind

| Role | See | Create | Change | Delete |
| --- | --- | --- | --- | --- |
| Member | yes | no | no | no |
| Keeper | yes | yes | yes | no |

### Lift

| Role | See | Create | Change | Delete |
| --- | --- | --- | --- | --- |
| Member | yes | \`keeper = me\` | no | no |
| Keeper | yes | yes | yes | no |
`
  const { app } = readApp('lifts.md', path => (path === 'lifts.md' ? text : null))
  const database = await createTestDatabase(inject('databaseUrl'))
  try {
    const lines = await verifyOn(app!, database.store, () => undefined)
    expect(lines.filter(({ passed }) => passed === false).map(({ title, detail }) => `${title}: ${detail}`)).toEqual([])
    expect(lines.map(({ title }) => title)).toContainEqual(expect.stringMatching(/^Lift: who may create it/))
  } finally {
    await database.drop()
  }
})
