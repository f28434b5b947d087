/**
 * A document and an application that say something else: figures, lines of a dashboard, files of sample data, what the database keeps, ends,
 * answers of calls, the look, words for an empty list, and what came of a step in a scenario. Each difference is a line of its own.
 */
import { afterEach, expect, inject, test, vi } from 'vitest'
import { readApp } from '../headings/index.ts'
import { createTestDatabase } from '../store/testing.ts'
import type { Line } from '../verify/verify.ts'
import { verifyOn } from './verify.ts'

const desk = `# Fees

## 1 What the product does and for whom

- **Colour:** #1e4fa3
- **Time zone:** Europe/Berlin
- **Sign-in:** password

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /fees | Fees | Clerk | list of Fee |
| /fees/{number} | Fee | Clerk | one Fee |
| /figures | Figures | Clerk | dashboard |
| /next | Next | Clerk | dashboard |

### Fees

- **Columns:** number, payer, amount, due, state
- **Empty text:** Nobody owes anything.

### Figures

#### Owed

- **Measure:** sum of amount of Fee where state = Open
- **Date:** due

#### Paid

- **Measure:** share of count of Fee where state = Paid out of count
- **Aim:** 0.9
- **Better:** higher

#### By payer

- **Measure:** sum of amount of Fee
- **By:** payer

### Next

#### Due first

- **Shows:** list of Fee
- **Where:** \`state = Open\`
- **Columns:** payer, amount, due
- **Sort:** due

## 3 Entities and their fields

### Payer

- **Sample data:** [payers.csv](payers.csv)

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required; unique |
| limit | integer | required; min 1 |

#### Sample data

| name | limit |
| --- | --- |
| Anders | 10 |

### Fee

- **Sample data:** [fees.csv](fees.csv)

| Field | Type | Rules |
| --- | --- | --- |
| number | auto number FE-{0000} | |
| payer | Payer | required |
| amount | money EUR | required; min 0 |
| due | date | required |
| paid_on | date | set by steps only |
| receipt | text 60 | set by calls only |

## 4 States and transitions

### Fee

| State | Kind |
| --- | --- |
| Open | start |
| Paid | end |
| Void | bad end |

| Transition | From | To | Who | Then |
| --- | --- | --- | --- | --- |
| pay | Open | Paid | Clerk | set paid_on = today; call C-2 |
| cancel | Open | Void | Clerk | |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Clerk | appointed by Clerk |

### Payer

| Role | See | Create | Change | Delete |
| --- | --- | --- | --- | --- |
| Clerk | yes | no | no | no |

### Fee

| Role | See | Create | Change | Delete | Do |
| --- | --- | --- | --- | --- | --- |
| Clerk | yes | yes | yes | yes | all |

## 7 The calls it makes

### C-1 Tell the treasury

- **Trigger:** after Fee pay
- **Request:** POST {settings.treasury_url}/fees
- **Sign with:** secret TREASURY_KEY
- **Timeout:** 5 seconds
- **Safe to repeat:** yes, key {number}

| Send | From |
| --- | --- |
| fee.number | number |
| fee.payer.name | \`payer.name\` |

| Answer | Then |
| --- | --- |
| 200 | set receipt = answer.receipt |
| 409 | stop; report E-TWICE |
| timeout, 5xx | repeat 3 times within 1 hour; then report E-AWAY |

### C-2 Ask what it came to

- **Request:** GET {settings.treasury_url}/fees/{number}?of=desk
- **Sign with:** secret TREASURY_KEY
- **Safe to repeat:** yes, key {number}-asked

| Send | From |
| --- | --- |
| payer | \`payer.name\` |
| receipt | receipt |

| Answer | Then |
| --- | --- |
| 2xx | stop |

## 8 The error catalogue

| Code | Message | What to do | Status |
| --- | --- | --- | --- |
| E-TWICE | The treasury has {number} already. | Ask there. | 502 |
| E-AWAY | The treasury does not answer. | Nothing. | 502 |

#### Scenario: somebody pays

| Step | Who | What | Result |
| --- | --- | --- | --- |
| Given | | Fee F1 with payer Anders, amount 3.00 | |
| When | | pay F1 | ok |
`

const files: Readonly<Record<string, string>> = {
  'payers.csv': 'name,limit\nBerg,20\nCarl,30\n',
  'fees.csv': `payer,amount,due,state
Berg,4.00,today - 9,Open
Carl,6.50,today - 3,Open
Berg,1.25,today + 8,Paid
Carl,2.00,today + 20,Void
`,
}

const read = (text: string, sheets = files) => {
  const { app, found } = readApp('fees.md', path => (path === 'fees.md' ? text : (sheets[path] ?? null)))
  expect(found.flatMap(({ severity, code, message }) => (severity === 'error' ? [`${code} ${message}`] : []))).toEqual(
    [],
  )
  return app!
}

async function failedOn(told: string, sheets = files): Promise<readonly Line[]> {
  const { store, drop } = await createTestDatabase(inject('databaseUrl'))
  try {
    const lines = await verifyOn(read(desk), store, () => undefined, read(told, sheets))
    return lines.filter(({ passed }) => !passed)
  } finally {
    await drop()
  }
}

afterEach(() => vi.restoreAllMocks())

test('where both say the same, nothing is told', async () => {
  expect(await failedOn(desk)).toEqual([])
})

test('each difference is told', async () => {
  const changes: readonly (readonly [string, string])[] = [
    ['#1e4fa3', '#7a1f3d'],
    ['**Sign-in:** password', '**Sign-in:** e-mail link'],
    ['sum of amount of Fee where state = Open', 'sum of amount of Fee where state = Paid'],
    ['where state = Paid out of count', 'where state = Void out of count'],
    ['- **Aim:** 0.9', '- **Aim:** 0.8'],
    ['- **Measure:** sum of amount of Fee\n', '- **Measure:** count of Fee\n'],
    ['- **Where:** `state = Open`', '- **Where:** `state = Void`'],
    ['min 1 |', 'min 5 |'],
    ['Nobody owes anything.', 'There are no fees.'],
    ['| Void | bad end |', '| Void | |'],
    ['set paid_on = today;', 'set paid_on = today + 1;'],
    ['}/fees\n', '}/charges\n'],
    ['/fees/{number}?of=desk', '/fees/{number}?of=clerk'],
    ['| fee.payer.name |', '| fee.payer |'],
    ['| 409 | stop; report E-TWICE |', '| 409 | stop; report E-AWAY |'],
    ['repeat 3 times', 'repeat 2 times'],
    ['| timeout, 5xx |', '| 5xx |'],
  ]
  const told = changes.reduce((text, [before, after]) => {
    expect(text).toContain(before)
    return text.replace(before, after)
  }, desk)
  const failed = await failedOn(told, { ...files, 'payers.csv': 'name,limit\nBerg,20\nCarl,31\n' })
  const said = failed.map(({ title, detail }) => `${title}: ${detail}`).join('\n')
  const expected = [
    'Colour: #7a1f3d',
    'the page to sign in has no way by e-mail link',
    'Owed: it is €',
    'Paid: it aims at',
    'By payer:',
    'Due first: Fee',
    'limit 4: the database takes it',
    "it does not say 'There are no fees.'",
    'in Void it is shown as ended',
    'paid_on is',
    'it asks for POST /fees',
    'it asks for GET /fees/FE-',
    'fee.payer is {"name":"',
    'E-TWICE is reported',
    'it is to be sent again',
    'no record says Carl, 31',
  ]
  expect(expected.filter(text => !said.includes(text))).toEqual([])
})

test('what to do about an error that only a call reports, and its status, are told where it was not delivered', async () => {
  const told = desk.replace('| Ask there. | 502 |', '| Ask here. | 503 |')
  expect(told).not.toBe(desk)
  const [failed, ...others] = await failedOn(told)
  expect([failed?.title, others]).toEqual(['C-1: what it asks for, and what its answers do, 3 rows', []])
  expect(failed?.detail).toContain("E-TWICE says 'The treasury has FE-0001 already. Ask there.'")
  expect(failed?.detail).toContain("what was not delivered does not say '503, E-TWICE'")
})

test('of an entity alone its screens are opened, too, and no others', async () => {
  const { store, drop } = await createTestDatabase(inject('databaseUrl'))
  try {
    const app = read(desk)
    const lines = await verifyOn(app, store, () => undefined, app, 'all', { entity: 'fee' })
    const opened = lines.flatMap(({ title }) => /^(\w+) as /.exec(title)?.[1] ?? [])
    expect([...new Set(opened)]).toEqual(['Fees', 'Fee'])
    expect(lines.filter(({ passed }) => !passed)).toEqual([])
  } finally {
    await drop()
  }
})
