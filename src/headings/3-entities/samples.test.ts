import { expect, test } from 'vitest'
import { position } from '../../document/cell.ts'
import { readApp } from '../index.ts'

const document = (rows: string, file = '[loans.csv](data/loans.csv)') => `# Desk

- **Ninefold:** 1

## 3 Entities and their fields

### Loan

- **Sample data:** ${file}

| Field | Type | Rules |
| --- | --- | --- |
| borrower | Person | required |
| due_back | date | |
| called_at | date and time | |
| year | integer | |
| lines | list of Line | |

#### Sample data

${rows}

### Line (part of Loan)

| Field | Type |
| --- | --- |
| item | text 20 |

## 4 States and transitions

### Loan

| State | Kind |
| --- | --- |
| Draft | start |
| Out | |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| hand out | Draft | Out | Clerk |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Clerk | appointed by Clerk |
`

const read = (rows: string, csv: string | null = 'borrower\n', file?: string) =>
  readApp('desk.md', path => (path === 'desk.md' ? document(rows, file) : path === 'data/loans.csv' ? csv : null))

const said = (...given: Parameters<typeof read>) =>
  read(...given)
    .found.filter(({ code }) => /^N(0|10(09|10)|13)/.test(code))
    .map(({ code, message, span }) => {
      const { line, column } = position(span.file, span.start)
      return `${span.file.path}:${line}:${column} ${code} ${message}`
    })

test('states, names, dates from today, moments with a time and people of roles are understood', () => {
  const rows = `| Loan | borrower | due_back | called_at | year | state |
| --- | --- | --- | --- | --- | --- |
| L1 | Cleo | today - 3 days | today - 2 working days at 14:30 | year(today) | Out |
| | Cleo | 2026-03-28 | \`now - 2 hours\` | 2026 | |`
  expect(said(rows, 'Loan,borrower,due_back,state\nL2,Cleo,"today + 1 week",Out\n')).toEqual([])
  const [table, file] = read(rows, 'Loan,borrower,due_back\nL2,Cleo,today\n').app!.entities.get('loan')!.samples
  expect(table!.names.map(name => name?.text)).toEqual(['L1', undefined])
  expect([...table!.reckoned.values()].map(({ workingDays, time }) => [workingDays, time])).toEqual([
    [0, null],
    [-2, { hour: 14, minute: 30 }],
    [0, null],
    [0, null],
  ])
  expect([table!.isFile, file!.isFile, file!.columns.map(({ field }) => field)]).toEqual([
    false,
    true,
    ['borrower', 'due_back'],
  ])
})

test.each([
  ['borrower,state\nCleo,Outt', '2:6 N1009 `Outt` is not a value of `state`: it is none of Draft, Out'],
  ['borrower\nClio', '2:1 N1010 `Clio` names no Person of the sample data; did you mean `Cleo`?'],
  ['borrower,due_back\nCleo,today - 3 dais', '2:16 N0'],
  ['borrower,due_back\nCleo,tomorrow', '2:6 N1009 `tomorrow` is not a value of `due_back`'],
  ['borrower,due_back\nCleo,today at 09:00', '2:6 N1009 `today at 09:00` is not a value of `due_back`: a time stands'],
  ['borrower,due_back\nCleo,now', '2:6 N0'],
  [
    'borrower,called_at\nCleo,today - 1 day',
    '2:6 N1009 `today - 1 day` is not a value of `called_at`: it says no time',
  ],
  [
    'borrower,called_at\nCleo,today at 25:00',
    '2:6 N1009 `today at 25:00` is not a value of `called_at`: `25:00` is no time',
  ],
  ['borrower,bottle\nCleo,1', '1:10 N1304 Loan has no field `bottle`'],
  ['borrower,created_at\nCleo,1', '1:10 N1319 sample data cannot have the column `created_at`'],
  ['borrower\nCleo,Out', '2:1 N1353 this is not a file of sample data: this line has 2 values'],
  ['', '9:32 N1353 this is not a file of sample data: it is empty'],
  [null, '9:32 N1354 there is no file `data/loans.csv`'],
])('%j: %s', (csv, message) => {
  const found = said('| borrower |\n| --- |\n| Cleo |', csv)
  const file = /^9:/.test(message) ? 'desk.md' : 'data/loans.csv'
  expect(found).toEqual([expect.stringContaining(`${file}:${message}`)])
})

test('a link that is none, a file of another kind, and a name for two rows of table and file', () => {
  const rows = '| Loan | borrower |\n| --- | --- |\n| L1 | Cleo |'
  expect(said(rows, null, 'loans.csv')).toEqual([expect.stringContaining('N1353')])
  expect(said(rows, null, '[loans](data/loans.xlsx)')).toEqual([expect.stringContaining('does not end with .csv')])
  expect(said(rows, 'Loan,borrower\nL1,Cleo')).toEqual([expect.stringContaining('data/loans.csv:2:1 N1355')])
})

test('rows say which record they are part of by what their loader looks for', () => {
  const rows = (of: readonly string[]) =>
    `| loan | item |\n| --- | --- |\n${of.map(one => `| ${one} | Saw |\n`).join('')}`
  const text = (of: readonly string[]) =>
    document('| Loan | code | note | borrower |\n| --- | --- | --- | --- |\n| L1 | C-1 | Late | Cleo |')
      .replace('| due_back | date | |', '| code | text 20 | required; unique |\n| note | text 20 | |\n$&')
      .replace('| item | text 20 |\n', `$&\n#### Sample data\n\n${rows(of)}`)
  const found = (of: readonly string[]) =>
    readApp('desk.md', path => (path === 'desk.md' ? text(of) : 'borrower\n')).found.filter(({ code }) =>
      ['N1010', 'N1374'].includes(code),
    )
  expect(found(['L1', 'C-1'])).toEqual([])
  for (const [of, code] of [
    ['Late', 'N1010'],
    ['L2', 'N1010'],
    ['', 'N1374'],
  ] as const)
    expect([of, found([of]).map(one => one.code)]).toEqual([of, [code]])
})

test.each([
  ['a row that everything takes', '5 | 6 | Low | X | Open', null],
  ['a bound', '50 | 60 | Low | X | Open', '`a` is 50, and it must be at most 10'],
  ['a rule over two cells', '5 | 4 | Low | X | Open', 'V-1 does not hold'],
  ['a rule over several choices', '5 | 6 | Low | X, Y | Open', 'V-2 does not hold'],
  ['a rule over the state', '5 | 6 | High | X | Done', 'V-3 does not hold'],
  ['the same in the state that records begin in', '5 | 6 | High | X |', null],
  ['what is asked when a record is created', '5 | 99 | Low | X | Open', null],
  ['a rule over a constant', '8 | 21 | Low | X | Open', 'V-5 does not hold'],
  ['a constant that is another from a day on', '5 | 41 | Low | X | Open', null],
  ['what the day decides', '5 | 6 | Low | X | Open', null],
])('sample data and rules: %s', (_, cells, why) => {
  const text = `# Desk

## 3 Entities and their fields

### Thing

| Field | Type | Rules |
| --- | --- | --- |
| a | integer | max 10 |
| b | integer | |
| size | choice: Low, High | |
| tags | several of: X, Y | |
| day | date | max today |

#### Sample data

| a | b | size | tags | state | day |
| --- | --- | --- | --- | --- | --- |
| ${cells} | 2050-01-01 |

## 4 States and transitions

### Thing

| State | Kind |
| --- | --- |
| Open | start |
| Done | end |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| finish | Open | Done | Member |

## 5 Validation rules

| Rule | Applies to | Must hold | Error |
| --- | --- | --- | --- |
| V-1 | Thing | \`a < b\` | E-1 |
| V-2 | Thing | \`X not in tags or Y not in tags\` | E-1 |
| V-3 | Thing | \`state = Open or size = Low\` | E-1 |
| V-4 | Thing on create | \`b < 90\` | E-1 |
| V-5 | Thing | \`b <= limits.most or a < 8 or a > 10\` | E-1 |
| V-6 | Thing | \`b <= limits.later\` | E-1 |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Member | everyone signed in |

## 8 The error catalogue

| Code | Message |
| --- | --- |
| E-1 | No. |

## 9 Business constants and limits

| Name | Value | Since | Who may change |
| --- | --- | --- | --- |
| most | 20 | | Member |
| later | 40 | | fixed |
| later | 50 | 2060-01-01 | fixed |
`
  const found = readApp('desk.md', () => text).found.filter(({ code }) => code === 'N1375')
  expect(found.map(({ params }) => params?.why)).toEqual(why === null ? [] : [why])
})
