/** What a scenario says of what somebody is shown, and of the mails that left: each row is true, and can be false. */
import { expect, inject, test } from 'vitest'
import { readApp } from '../headings/index.ts'
import { createTestDatabase } from '../store/testing.ts'
import { verifyOn } from './verify.ts'

const desk = (rows: string) => `# Repairs

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /orders | My orders | Clerk, Payer | list of Order |
| /late | Late orders | Clerk | list of Order |
| /board | Desk | Clerk | board of Order by state |
| /waiting | Waiting | Clerk | inbox |
| /orders/{number} | Order | Clerk, Payer | one Order |
| /tools | Tools | Clerk | list of Tool |
| /help | Help | everyone | text |
| /days | Days | Clerk | calendar of Order by due |
| /overview | Overview | Clerk | dashboard |
| /sums | Sums | Clerk | report of Order by note |

### Overview

#### Open orders

- **Measure:** count of Order where state = Open

#### Worth

- **Measure:** sum of amount of Order

#### Latest

- **Shows:** list of Order
- **Where:** \`state = Open\`
- **Columns:** title

### Sums

- **Measure:** count as Orders
- **Measure:** sum of amount as Worth

### Late orders

- **Where:** \`note = "Late"\`

## 3 Entities and their fields

### Person

#### Sample data

| name |
| --- |
| Anna Berg |

### Tool

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required; unique |

#### Sample data

| name |
| --- |
| Big pump |

### Order

| Field | Type | Rules |
| --- | --- | --- |
| number | auto number O-{0000} | |
| title | text 40 | required; searchable |
| tool | Tool | |
| amount | money EUR | |
| note | text 40 | |
| due | date | |
| lines | list of Order line | |

### Log

| Field | Type | Rules |
| --- | --- | --- |
| order | Order | required |
| text | text 40 | |

### Order line (part of Order)

| Field | Type | Rules |
| --- | --- | --- |
| what | text 40 | required |

## 4 States and transitions

### Order

| State | Kind |
| --- | --- |
| Open | start |
| Done | end |

| Transition | From | To | Who | Then |
| --- | --- | --- | --- | --- |
| finish | Open | Done | Clerk | send mail told; send mail kept; create Log with order = this, text = "Done" |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Clerk | appointed by Clerk |
| Payer | appointed by Clerk |

### Tool

| Role | See | Create | Change |
| --- | --- | --- | --- |
| Clerk | yes | yes | yes |

### Order

| Role | See | Create | Change | Do |
| --- | --- | --- | --- | --- |
| Clerk | yes | yes | yes | all |
| Payer | \`state = Done\` | no | no | none |

| Field | See | Change |
| --- | --- | --- |
| amount | Clerk | Clerk |

### Log

| Role | See |
| --- | --- |
| Clerk | no |

## 7 The calls it makes

### Mails

| Mail | To | Subject | Body |
| --- | --- | --- | --- |
| told | everyone in Payer | Done | none |
| kept | created_by | Done | none |

#### Scenario: an order

| Step | Who | What | Result |
| --- | --- | --- | --- |
${rows}
`

const read = (text: string) => readApp('repairs.md', name => (name === 'repairs.md' ? text : null))
const errorsIn = (rows: string) =>
  read(desk(rows)).found.flatMap(({ severity, message }) => (severity === 'error' ? [message] : []))

/** What failed, of an application that does what this text says. */
async function wrongIn(rows: string, mutated: (text: string) => string = text => text): Promise<readonly string[]> {
  expect(errorsIn(rows)).toEqual([])
  const text = mutated(desk(rows))
  const database = await createTestDatabase(inject('databaseUrl'))
  try {
    const lines = await verifyOn(read(text).app!, database.store, () => undefined, read(desk(rows)).app!, 'written')
    return lines.filter(({ passed }) => !passed).map(({ title, detail }) => `${title}: ${detail}`)
  } finally {
    await database.drop()
  }
}

const told = `| Given | Cleo the Clerk | Order O1 with title Leaking pump, amount 12.00, note Late, what Seal, tool Big pump | |
| Given | Cleo | Order O2 with title Door, amount 7.50, due 2027-03-05 | |
| When | Cleo | finish O1 | ok |
| Then | Cleo | O1 shows amount 12.00, title Leaking pump, note | |
| And | Cleo | O1 shows state Done, tool Big pump | |
| And | Paul the Payer | O1 does not show amount | |
| And | Paul | O1 shows title | |
| And | Paul | My orders shows O1 | |
| And | Paul | My orders does not show O2 | |
| And | Cleo | Late orders does not show O2 | |
| And | Cleo | Desk shows O2 | |
| And | Cleo | Waiting shows O2 | |
| And | Cleo | Waiting does not show O1 | |
| And | Cleo | search "pump" shows O1 | |
| And | Cleo | search "pump" does not show O2 | |
| And | Paul | search "door" does not show O2 | |
| And | Cleo | Days shows O2 | |
| And | Cleo | Overview shows Open orders 1 | |
| And | Cleo | Overview shows Worth €19.50 | |
| And | Cleo | Overview does not show Open orders 2 | |
| And | Cleo | Overview shows O2 | |
| And | Cleo | Overview does not show O1 | |
| And | Cleo | Sums shows Late 1 €12.00 | |
| And | Cleo | Sums shows Late 1 | |
| And | Cleo | Sums does not show Late 2 | |`

test('what somebody sees of a record, on a screen, and by a search', async () => {
  expect(await wrongIn(told)).toEqual([])
})

test('what is shown to whom the document denies it is found out', async () => {
  const opened = await wrongIn(told, text =>
    text
      .replace('| amount | Clerk | Clerk |', '| amount | Clerk, Payer | Clerk |')
      .replace('| Payer | `state = Done` |', '| Payer | yes |')
      .replace('- **Where:** `note = "Late"`', '- **Where:** `title is not empty`'),
  )
  expect(opened).toEqual([
    'then: Paul the Payer, O1 does not show amount: amount is shown',
    'then: Paul the Payer, My orders does not show O2: O2 is shown',
    'then: Cleo the Clerk, Late orders does not show O2: O2 is shown',
    'then: Paul the Payer, search "door" does not show O2: O2 is shown',
  ])
})

test('what is not shown to whom the document lets is found out, and hidden is not what one cannot look at', async () => {
  const closed = await wrongIn(
    `${told}
| And | Cleo | O1 shows amount 13.00 | |
| And | Paul | Late orders does not show O2 | |
| And | Cleo | Tools does not show Big pump | |
| And | Cleo | Sums shows Late 2 | |
| And | Cleo | Days does not show O2 | |
| And | Paul | Sums does not show Late 2 | |
| And | Cleo | search "big" does not show Big pump | |`,
    text => text.replace('| Payer | `state = Done` |', '| Payer | `state = Open` |'),
  )
  expect(closed).toEqual([
    'then: Paul the Payer, O1 does not show amount: Paul does not see O1',
    'then: Paul the Payer, O1 shows title: Paul does not see O1',
    'then: Paul the Payer, My orders shows O1: O1 is not shown',
    'then: Paul the Payer, My orders does not show O2: O2 is shown',
    'then: Paul the Payer, search "door" does not show O2: O2 is shown',
    'then: Cleo the Clerk, O1 shows amount 13.00: amount is 12.00',
    'then: Paul the Payer, Late orders does not show O2: the application says 403 to /late',
    'then: Cleo the Clerk, Tools does not show Big pump: the rows of /tools lead nowhere for Cleo: let them open a screen that shows one',
    'then: Cleo the Clerk, Sums shows Late 2: Late 2 is not shown, but Late 1 €12.00',
    'then: Cleo the Clerk, Days does not show O2: O2 is shown',
    'then: Paul the Payer, Sums does not show Late 2: the application says 403 to /sums',
    'then: Cleo the Clerk, search "big" does not show Big pump: a search finds records that a screen shows one by one',
  ])
})

test('such a row says who looks, at what there is', () => {
  const errors = (row: string) => errorsIn(`${told}\n${row}`)
  expect(errors('| And | | O1 shows amount | |')).toEqual([
    'this cannot be read as what somebody is shown: `Who` is empty',
  ])
  expect(errors('| And | Cleo | Help shows O1 | |')).toEqual([
    'this cannot be read as a screen that shows records or figures',
  ])
  expect(errors('| And | Cleo | Tools shows O1 | |')).toEqual([
    'this cannot be read as a Tool, which this screen shows',
  ])
  expect(errors('| And | Cleo | My ordres shows O1 | |')).toEqual([
    'nothing in this scenario is called `My ordres`; did you mean `My orders`?',
  ])
  expect(errors('| And | Cleo | O1 does not show amount 12.00 | |')).toEqual(['this cannot be read as a field alone'])
  expect(errors('| And | Cleo | O1 shows amuont | |')).toEqual(['Order has no field `amuont`; did you mean `amount`?'])
})

test('how many mails left, and to whom', async () => {
  const rows = `| Given | Cleo the Clerk | Order O1 with title Pump | |
| When | Paul the Payer | see O1 | denied |
| When | Petra the Payer | see O1 | denied |
| When | Cleo | finish O1 | ok |
| Then | | 3 mails were sent | |
| And | | 2 mails told were sent | |
| And | | 1 mail told was sent to Paul and Petra | |
| And | | mail told was sent to Paul, Petra | |
| And | | no mail told was sent to Cleo | |
| And | | 1 mail was sent to Cleo | |
| And | | no call was made | |`
  expect(await wrongIn(rows)).toEqual([])
  expect(await wrongIn(rows, text => text.replace('everyone in Payer', 'everyone in Clerk'))).toEqual([
    'when: Cleo the Clerk, finish O1 → ok: the mail told does not go to Paul; the mail told does not go to Petra; the mail told goes to Cleo, too',
    'then: 3 mails were sent: there was: kept to Cleo; told to Cleo',
    'then: 2 mails told were sent: there was: kept to Cleo; told to Cleo',
    'then: 1 mail told was sent to Paul and Petra: there was: kept to Cleo; told to Cleo',
    'then: mail told was sent to Paul, Petra: there was: kept to Cleo; told to Cleo',
    'then: no mail told was sent to Cleo: there was: kept to Cleo; told to Cleo',
    'then: 1 mail was sent to Cleo: there was: kept to Cleo; told to Cleo',
  ])
  expect(errorsIn(`${rows}\n| And | | 1 mail told was sent to Paul and Petar | |`)).toEqual([
    'nothing in this scenario is called `Petar`; did you mean `Petra`?',
  ])
})

test('names with several words are whole names', async () => {
  expect(errorsIn('| Given | | Anna Berg with name Anna | |')).toEqual([
    'this cannot be read as a record, and no row introduces a person `Anna Berg`',
  ])
  expect(errorsIn('| Given | | Order O1 by Anna Berg with title Pump | |')).toEqual([
    'nothing in this scenario is called `Anna Berg`',
  ])
  expect(errorsIn('| When | Cleo the Clerk | mend Big pump | ok |')).toEqual(['Tool has no step `mend`'])
  expect(
    await wrongIn(`| When | Anna Berg the Clerk | see Big pump | ok |
| Given | | Order O1 by Anna Berg with title Pump | |
| Then | Anna Berg | O1 shows title Pump | |`),
  ).toEqual([])
})

test('a row `Then` that names nobody is told of what is stored, whoever may see it', async () => {
  const rows = `| Given | Cleo the Clerk | Order O1 with title Pump | |
| When | Cleo | finish O1 | ok |
| Then | | Log G1 was made with order O1, text Done | |
| And | | \`G1.text = "Done" and G1.order = O1\` | |
| And | Cleo | \`G1.order.title = "Pump"\` | |`
  expect(await wrongIn(rows)).toEqual([])
  expect(await wrongIn(rows, text => text.replace('text = "Done"', 'text = "Over"'))).toEqual([
    'when: Cleo the Clerk, finish O1 → ok: no Log is made that says what it should',
    'then: Log G1 was made with order O1, text Done: none was made; 1 were made that say something else',
    expect.stringMatching(/G1 is not there/),
    expect.stringMatching(/G1 is not there/),
  ])
  expect(await wrongIn(`${rows}\n| And | | \`G1.text = "Over"\` | |`)).toEqual([
    'then: G1.text = "Over": it is not so (text is Done)',
  ])
})
