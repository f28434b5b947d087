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
| note | text 40 | |
| lines | list of Loan line | |
| readers | several Person | |

### Person

| Field | Type | Rules |
| --- | --- | --- |
| badge | text 10 | set by steps only |

### Loan line (part of Loan)

| Field | Type | Rules |
| --- | --- | --- |
| what | text 40 | required |
| back | yes/no | default no |
| signer | Person | |

### Claim

| Field | Type | Rules |
| --- | --- | --- |
| line | Loan line | required |

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
| Lapsed | end |

| Transition | From | To | Who | Then |
| --- | --- | --- | --- | --- |
| hand out | Asked | Out | Clerk | do give on copy; create Loan line with loan = this, what = "Slip" |
| recall | Asked | Lapsed | readers, lines.signer | |
| give up | Asked | Lapsed | Clerk except readers | |

| Timer | While | At | Then |
| --- | --- | --- | --- |
| lapse | Asked | \`changed_at + 48 hours\` | go to Lapsed |

### Loan line

| Timer | At | Then |
| --- | --- | --- |
| miss | every day at 23:00 for each Loan line where what = "Lens" and not back and loan.state = Out | set back = yes; create Claim with line = id |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Clerk | appointed by Clerk |

### Person

| Role | See |
| --- | --- |
| Clerk | yes |

### Copy

| Role | See | Create | Change | Do |
| --- | --- | --- | --- | --- |
| Clerk | yes | yes | yes | all |

### Loan

| Role | See | Create | Change | Do |
| --- | --- | --- | --- | --- |
| Clerk | yes | yes | yes | all |

### Claim

| Role | See | Create |
| --- | --- | --- |
| Clerk | yes | yes |

#### Scenario: a loan

| Step | Who | What | Result |
| --- | --- | --- | --- |
${rows}
`

const read = (text: string) => readApp('library.md', name => (name === 'library.md' ? text : null))
const errorsIn = (rows: string) => errorsOf(desk(rows))
const errorsOf = (text: string) =>
  read(text)
    .found.filter(({ severity }) => severity === 'error')
    .map(({ message }) => message)

const linesOf = (rows: string) => linesOfDocument(desk(rows))

async function linesOfDocument(text: string) {
  expect(errorsOf(text)).toEqual([])
  const { app } = read(text)
  const database = await createTestDatabase(inject('databaseUrl'))
  try {
    return await verifyOn(app!, database.store, () => undefined)
  } finally {
    await database.drop()
  }
}

const wrongIn = (lines: Awaited<ReturnType<typeof linesOf>>) =>
  lines.filter(({ passed }) => !passed).map(({ title, detail }) => `${title}: ${detail}`)

test('only what is written is tried where no more is asked for', async () => {
  const { app } = read(desk('| Given | Cleo the Clerk | Copy C1 with name Atlas | |'))
  const database = await createTestDatabase(inject('databaseUrl'))
  try {
    const lines = await verifyOn(app!, database.store, () => undefined, app!, 'written')
    expect(lines.map(({ title }) => title)).toEqual(['given: Cleo the Clerk, Copy C1 with name Atlas'])
  } finally {
    await database.drop()
  }
})

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

test('a row is named once it was made, and looked at with the record that it is part of', async () => {
  const lines = await linesOf(`| When | | today 2026-03-02 at 08:59:30 | |
| Given | Cleo the Clerk | Copy C1 with name Atlas | |
| Given | Cleo | Loan L1 with copy C1, what Case | |
| Then | | Loan line A was made | |
| And | | \`A.what = "Case" and not A.back\` | |
| When | | 1 hour passes | |
| When | Cleo | hand out L1 | ok |
| Then | | Loan line B was made with what Slip, loan L1 | |
| And | | no Loan line was made with what Case | |
| And | | \`count(L1.lines) = 2 and any(L1.lines where what = "Slip")\` | |
| And | | \`L1.created_at = 2026-03-02T08:59:30Z and L1.changed_at = 2026-03-02T09:59:30Z\` | |
| And | | \`L1.changed_by = L1.created_by\` | |
| When | Cleo | Claim K1 with line B | ok |
| Then | | \`K1.line.what = "Slip"\` | |
| And | | \`B.back\` | |
| And | | \`all(L1.lines where back)\` | |
| When | Cleo | change A with back yes | ok |
| Then | | \`A.back\` | |
| And | | \`not B.back and B.what = "Slip"\` | |
| When | Cleo | delete A | ok |
| Then | | \`count(L1.lines) = 1 and any(L1.lines where what = "Slip")\` | |
| Given | Cleo | Copy C2 with name Globe | |
| Given | Cleo | Loan L2 with copy C2, what Case | |
| Then | | Loan line D was made with loan L1 | |
| Given | Ann the Clerk | Loan L3 with copy C2, readers Cleo, readers Ann | |
| Then | | Loan L4 was made with readers Ann, readers Cleo | |
| And | Cleo | L3 shows readers Ann, readers Cleo | |
| And | Cleo | L3 shows readers Ann | |
| When | Cleo | give up L3 | denied |
| And | Dan the Clerk | recall L3 | denied |
| And | Ann | recall L3 | ok |
| Given | Cleo | Loan L5 with copy C2, what Case, signer Dan | |
| When | Cleo | recall L5 | denied |
| And | Dan | recall L5 | ok |`)
  expect(wrongIn(lines)).toEqual([
    'then: B.back: it is not so (back is false)',
    'then: all(L1.lines where back): it is not so ()',
    'then: Loan line D was made with loan L1: none was made; 1 were made that say something else',
    expect.stringMatching(/^then: Cleo the Clerk, L3 shows readers Ann: readers is \S+$/),
  ])
})

test('what is done is done with a record, and what it has by itself is not given', () => {
  const given = `| Given | Cleo the Clerk | Copy C1 with name Atlas | |
| Given | Cleo | Loan L1 with copy C1, what Case | |
| Then | | Loan line A was made | |`
  expect(errorsIn(`${given}\n| When | Cleo | restore A | ok |`)).toEqual([
    'this cannot be read as what is done with a row: it is changed or deleted',
  ])
  expect(errorsIn(`${given}\n| When | Cleo | Loan L2 with created_at 2026-03-02 | ok |`)).toEqual([
    'this cannot be read as a field that people fill',
  ])
  expect(errorsIn(`${given}\n| Then | | \`count(L9.lines) = 1\` | |`)).toEqual([
    'this cannot be read as what holds then',
  ])
  expect(errorsIn(`${given}\n| And | Cleo | L1 shows created_by Cleo | |`)).toEqual([
    'this cannot be read as a field that a record shows: what each has by itself is asked for',
  ])
  expect(errorsIn(`${given}\n| When | Cleo | call C-1 answers 200 | ok |`)).toEqual([
    'this cannot be read as what is done',
  ])
  const twice = (values: string) => errorsIn(`${given}\n| When | Ann the Clerk | change L1 with ${values} | ok |`)
  expect(twice('note One, note Two')).toEqual(['`note` has a value in this row already'])
  expect(twice('readers Ann, Cleo')).toEqual(['this cannot be read as a field with a value'])
  expect(twice('readers Ann and Cleo')).toEqual(['this cannot be read as one name'])
  expect(errorsIn('| When | Cleo the Clerk | Loan line A with what Lens | ok |')).toEqual([
    'this cannot be read as a record of its own: Loan line is a row of Loan, and made with it',
  ])
  expect(errorsIn('| Given | Cleo the Clerk | Dane with name Dan | |')).toEqual([
    'this cannot be read as a record, and no row introduces a person `Dane`',
  ])
})

test('a record of the sample data may stand in a condition, and each scenario introduces its people', () => {
  const text = desk(`| Given | Cleo the Clerk | Copy C1 with name Atlas | |
| Then | | \`Nuts.state = There\` | |`).replace(
    '### Loan\n',
    '#### Sample data\n\n| name |\n| --- |\n| Nuts |\n\n### Loan\n',
  )
  expect(errorsOf(text)).toEqual([])
  const another = `#### Scenario: another\n\n| Step | Who | What | Result |\n| --- | --- | --- | --- |\n`
  const { found } = read(`${text}\n${another}| Given | Cleo | Copy C2 with name Globe | |\n`)
  expect(found.flatMap(({ code, help }) => (code === 'N1008' ? [help] : []))).toEqual([
    'Introduce a person with a role again, since each scenario introduces its own people: `Cleo the Clerk`, once in `Who` or after `by`.',
  ])
})

test('every name that a scenario does not know is told with its place, in one message', () => {
  const { found } = read(
    desk(`| Given | Cleo the Clerk | Copy C1 with name Atlas | |
| When | Zed | hand out L7 | ok |
| Then | Ann | L8 shows note | |
| And | | \`L5.state = Out and L6.note = "L3.note" and count(Loan.lines) = limits.few\` | |
| When | Bob | change L9 with note x | ok |`),
  )
  const [first, ...others] = found.flatMap(({ code, span, related }) =>
    code === 'N1008' ? [span, ...related.map(one => one.span)] : [],
  )
  const names = [first!, ...others].map(({ file, start, end }) => file.text.slice(start, end))
  expect(names).toEqual(['Zed', 'L7', 'Ann', 'L8', 'L5', 'L6', 'Bob', 'L9'])
  expect(found.filter(({ code }) => code === 'N1008')).toHaveLength(1)
})

test('a timer counts from the last change, whoever made it, and its own change is one by nobody', async () => {
  const lines = await linesOf(`| Given | Cleo the Clerk | Copy C1 with name Atlas | |
| Given | Cleo | Loan L1 with copy C1 | |
| When | | 1 day passes | |
| When | Cleo | change L1 with note Tomorrow | ok |
| When | | 1 day passes | |
| Then | | \`L1.state = Asked and L1.changed_by = L1.created_by\` | |
| When | | 1 day passes | |
| Then | | \`L1.state = Lapsed and L1.changed_by is empty\` | |`)
  expect(wrongIn(lines)).toEqual([])
})

test('a timer looks for rows, which are written with their record', async () => {
  const lines = await linesOf(`| Given | Cleo the Clerk | Copy C1 with name Atlas | |
| Given | Cleo | Loan L1 with copy C1, what Lens | |
| Then | | Loan line A was made | |
| Given | Cleo | Copy C2 with name Globe | |
| Given | Cleo | Loan L2 with copy C2, what Lens | |
| When | Cleo | hand out L1 | ok |
| When | | 1 day passes | |
| Then | | Claim K1 was made with line A | |
| And | | \`count(L1.lines where back) = 1 and L1.changed_by is empty\` | |
| And | | \`none(L2.lines where back)\` | |
| When | | 1 day passes | |
| Then | | no Claim was made | |`)
  expect(wrongIn(lines)).toEqual([])
})

test('moments are those of the time zone, in examples and scenarios, and so is the day', async () => {
  const lines = await linesOfDocument(`# Visits

## 1 What the product does and for whom

- **Time zone:** Pacific/Auckland

## 3 Entities and their fields

### Visit

| Field | Type | Rules |
| --- | --- | --- |
| name | text 20 | required |
| starts_at | date and time | required |
| day | date | default today |

## 5 Validation rules

| Rule | Applies to | Must hold | Error |
| --- | --- | --- | --- |
| V-1 | Visit | \`time(starts_at) >= 08:00\` | E-HOURS |

#### Examples: V-1

| starts_at | Result |
| --- | --- |
| 2026-07-08 08:30 | ok |
| 2026-07-08 07:30 | E-HOURS |
| 2026-07-07T20:30Z | ok |

#### Scenario: on an evening of UTC

| Step | Who | What | Result |
| --- | --- | --- | --- |
| When | | today 2026-07-08 at 08:00 | |
| When | Ann the Member | Visit L1 with starts_at 2026-07-08 08:00 | ok |
| Then | | \`L1.starts_at = 2026-07-07T20:00Z\` | |
| And | | \`L1.day = today\` | |
| When | Ann | Visit L2 with starts_at 2026-07-08 07:30 | E-HOURS |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Member | everyone signed in |

### Visit

| Role | See | Create |
| --- | --- | --- |
| Member | yes | yes |

## 8 The error catalogue

| Code | Message |
| --- | --- |
| E-HOURS | Not so early. |
`)
  expect(wrongIn(lines)).toEqual([])
})

test('what is tried with records of another day is not taken away by their timers', async () => {
  const lines = await linesOfDocument(`# Orders

## 3 Entities and their fields

### Quote

| Field | Type | Rules |
| --- | --- | --- |
| name | text 20 | required |

### Order

| Field | Type | Rules |
| --- | --- | --- |
| quote | Quote | required |
| note | text 20 | |
| until | date and time | \`= created_at + 24 hours\` |

## 4 States and transitions

| On | Of | Then |
| --- | --- | --- |
| created | Quote | create Order with quote = this |

### Order

| State | Kind |
| --- | --- |
| Placed | start |
| Declined | end |
| Lapsed | end |

| Transition | From | To | Who | Then |
| --- | --- | --- | --- | --- |
${[1, 2, 3, 4, 5, 6].map(n => `| remind ${n} | Placed | Placed | Member | set note = "${n}" |`).join('\n')}
| decline | Placed | Declined | Member | |

| Timer | While | At | Then |
| --- | --- | --- | --- |
| lapse | Placed | \`until\` | go to Lapsed |

#### Scenario: long ago

| Step | Who | What | Result |
| --- | --- | --- | --- |
| When | | today 2025-07-06 | |
| When | Ann the Member | Quote Q1 with name Roof | ok |
| Then | | Order O1 was made | |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Member | everyone signed in |
| Clerk | appointed by Clerk |
| Chief | appointed by Clerk |

### Quote

| Role | See | Create |
| --- | --- | --- |
| Member | yes | yes |

### Order

| Role | See | Change | Do |
| --- | --- | --- | --- |
| Member | yes | yes | all |
`)
  expect(wrongIn(lines)).toEqual([])
})

test('what a record refers to is compared with the names that the scenario gave', async () => {
  const given = `| Given | Cleo the Clerk | Copy C1 with name Atlas | |
| Given | Cleo | Copy C2 with name Globe | |
| Given | Cleo | Loan L1 with copy C1, what Case | |
| Then | | Loan line A was made | |`
  const lines = await linesOf(`${given}
| And | | \`L1.copy = C1 and C1 = L1.copy and L1.copy != C2\` | |
| And | | \`L1.copy in (C1, C2)\` | |
| And | | \`L1.created_by = Cleo\` | |
| And | | \`A.loan = L1\` | |
| And | | \`count(L1.lines where loan = L1) = 1\` | |
| And | | \`L1.copy = C2\` | |
| And | | \`L1.state = Asked\` | |
| When | Cleo | Loan Globe with copy C1, what Case | ok |
| When | Cleo | Loan L2 with copy Globe, what Case | ok |
| Then | | \`L2.copy = C2\` | |`)
  expect(wrongIn(lines)).toEqual([expect.stringMatching(/^then: L1\.copy = C2: it is not so/)])
  expect(errorsIn(`${given}\n| And | | \`L1.copy = Cleo\` | |`)).toEqual([
    'a reference to Copy and a reference to Person cannot be compared',
  ])
  expect(errorsIn(`${given}\n| And | | \`L1.copy = C9\` | |`)).toEqual([
    'the choice `C9` and a reference to Copy cannot be compared',
  ])
})

test('a row `Given` gives people what nobody may write', async () => {
  const { app } = read(
    desk(`| Given | Cleo the Clerk | Copy C1 with name C1 | |
| And | | Cleo with badge B-7 | |
| Then | | \`Cleo.badge = "B-7"\` | |
| Given | | Dan the Clerk with badge B-9 | |
| When | Dan | see C1 | ok |
| Given | | Cleo with badge B-1234567890 | |
| When | Cleo | change Cleo with badge B-8 | denied |`),
  )
  const database = await createTestDatabase(inject('databaseUrl'))
  try {
    const lines = await verifyOn(app!, database.store, () => undefined, app!, 'written')
    expect(lines.map(({ title }) => title)).toContain('given: Dan the Clerk with badge B-9')
    expect(wrongIn(lines)).toEqual(["given: Cleo with badge B-1234567890: 'B-1234567890' is not a value of badge"])
  } finally {
    await database.drop()
  }
})
