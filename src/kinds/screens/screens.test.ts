import { expect, test } from 'vitest'
import { appOf } from '../testing.ts'
import { boardNeed } from './board/screen.ts'
import { screenKinds } from './index.ts'
import { list } from './list/screen.ts'
import { oneNeed } from './one-need.ts'
import { addressOf } from './testing.ts'

const app = appOf(`# Desk

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /loans | Loans | everyone signed in | list of Loan |
| /out | Out | everyone signed in | list of Loan |
| /board | Board | everyone signed in | board of Loan by state |
| /conditions | Conditions | everyone signed in | board of Loan by condition |
| /loans/{number} | Loan | everyone signed in | one Loan |
| /loans/new | New loan | everyone signed in | form for Loan |
| /loans/{number}/edit | Edit loan | everyone signed in | form for Loan |
| /later | Later | everyone signed in | TBD |

### Out

- **Where:** \`state = Out\`
- **Columns:** due_back, number
- **Sort:** due_back down, then number

### Board

- **Where:** \`state != Returned\`
- **Card:** number

## 3 Entities and their fields

### Loan

| Field | Type | Rules |
| --- | --- | --- |
| due_back | date | |
| note | text 500 | |
| tag | text 200 | |
| number | auto number {0000} | |
| purpose | long text | |
| condition | choice: New, Used, Broken | |
| secret | text | hidden |
| lines | list of Loan line | |

### Loan line (part of Loan)

| Field | Type |
| --- | --- |
| item | text |

## 4 States and transitions

### Loan

| State | Kind |
| --- | --- |
| Draft | start |
| Out | |
| Returned | end |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| hand out | Draft | Out | everyone signed in |
| take back | Out | Returned | everyone signed in |
`)

const screenOf = (key: string) => app.screens.find(screen => screen.key === key)!
const need = (key: string, query = '') => list.rows!(screenOf(key), app, addressOf(query))
const recordAt = (key: string, segments: Readonly<Record<string, string>>) =>
  oneNeed(screenOf(key), app, addressOf('x=1', { segments }), 50)

test('a list without columns shows what is short and not hidden: the title first, then the state', () => {
  expect(need('loans')).toMatchObject({
    need: {
      kind: 'rows',
      entity: 'loan',
      columns: ['number', 'state', 'due_back', 'tag', 'condition'],
      where: null,
      limit: 25,
      countTo: 1000,
    },
    ignored: [],
  })
})

test('what names a record stands in its list, however long it may be, and lines as long as those of other programs', () => {
  const other = appOf(`# Tasks

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /tasks | Tasks | everyone signed in | list of Task |

## 3 Entities and their fields

### Task

| Field | Type |
| --- | --- |
| done | yes/no |
| title | text 300 |
| city | text 255 |
| note | text 300 |
`)
  const [screen] = other.screens
  expect(list.rows!(screen!, other, addressOf(''))).toMatchObject({
    need: { columns: ['title', 'done', 'city'] },
  })
})

test('a list shows what the document says, in its order, unless the reader asks for another', () => {
  const sort = [
    { field: 'due_back', descending: true },
    { field: 'number', descending: false },
  ]
  expect(need('out')).toMatchObject({
    need: { columns: ['due_back', 'number'], where: { type: { kind: 'yes/no' } }, sort },
  })
  expect(need('out', 'sort=tag')).toMatchObject({ need: { sort: [{ field: 'tag', descending: false }] } })
})

const groups = (key: string) => boardNeed(screenOf(key), app, addressOf(''))

test('a board has the groups that can have cards', () => {
  expect(groups('board')).toMatchObject({
    need: { kind: 'groups', by: 'state', groups: ['Draft', 'Out'], columns: ['number'] },
  })
  expect(groups('conditions')).toMatchObject({
    need: { by: 'condition', groups: ['New', 'Used', 'Broken'], columns: ['number', 'due_back', 'tag', 'condition'] },
  })
})

test('a record is found by what its address names, where it names one', () => {
  const found = { kind: 'one', entity: 'loan', by: { field: 'number', value: '0007' }, history: 50 }
  for (const key of ['loan', 'edit_loan']) expect(recordAt(key, { number: '0007' })).toEqual(found)
  expect(recordAt('loan', { number: 'constructor' })).toMatchObject({ by: { value: 'constructor' } })
  expect(recordAt('new_loan', {})).toBe(null)
})

test('a screen that is not specified needs nothing', () => {
  expect(need('later')).toBe(null)
})

test('each kind is written as it begins, and no other begins like it', () => {
  const openings = [...screenKinds.values()].flatMap(({ opening, also }) => [
    opening,
    ...(also === undefined ? [] : [also]),
  ])
  expect(new Set(openings).size).toBe(openings.length)
  for (const { written, opening } of screenKinds.values()) expect(written.startsWith(opening)).toBe(true)
})
