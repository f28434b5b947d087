import { expect, test } from 'vitest'
import { type Deciding, type Decision, decides, happens } from './approvals.ts'
import type { Row } from './cells.ts'

const row =
  (cells: Readonly<Record<string, string>>): Row =>
  column =>
    column in cells ? ({ text: cells[column] } as NonNullable<ReturnType<Row>>) : null

const keeper = row({ Approval: 'keeper', Needs: '1 of', From: 'keeper' })
const finance = row({ Approval: 'finance', Needs: '2 of', From: 'Accountant' })
const director = row({ Approval: 'director', After: 'keeper, finance', Needs: '1 of', From: 'Director' })
const middle = row({ Approval: 'middle', After: 'keeper', Needs: '1 of', From: 'Accountant' })
const last = row({ Approval: 'last', After: 'middle', Needs: '1 of', From: 'Director' })
const all = row({ Approval: 'all', Needs: 'all of', From: 'Accountant' })

const made = (approval: string, person: string, represents: string | null = null): Decision => ({
  step: 'approve',
  approval,
  person,
  represents,
})
const of = (asked: readonly Row[], decisions: readonly Decision[] = [], more: Partial<Deciding> = {}): Deciding => ({
  me: 'me',
  decisions,
  isNeeded: () => true,
  isAsked: one => asked.includes(one),
  takes: true,
  ...more,
})

test.each([
  ['one who is asked', [keeper], of([keeper]), true],
  ['one who is not', [keeper], of([]), false],
  ['one who has decided', [keeper, finance], of([keeper, finance], [made('keeper', 'me')]), false],
  ['one for whom somebody has', [keeper], of([keeper], [made('keeper', 'deputy', 'me')]), false],
  ['one whose turn it is not', [keeper, director], of([director]), false],
  ['one whose turn has come', [keeper, director], of([director], [made('keeper', 'other')]), true],
  [
    'one who waits behind what is not needed',
    [keeper, middle, last],
    of([last], [], { isNeeded: one => one !== middle }),
    false,
  ],
  ['one who is too late', [keeper, finance], of([keeper], [made('keeper', 'other')]), false],
  ['anybody, where nothing is needed', [keeper], of([], [], { isNeeded: () => false }), true],
  ['nobody, where it is left open', [row({ Approval: 'x', Needs: 'TBD', From: 'Clerk' })], of([keeper]), false],
  ['one of all, once some have', [all], of([all], [made('all', 'other')]), null],
] as const)('%s', (_, rows, deciding, expected) => {
  expect(decides(rows, deciding)).toBe(expected)
})

test.each([
  ['with the last', [keeper], of([keeper]), true],
  ['not while one is missing', [keeper, finance], of([keeper]), false],
  ['not with the first of two', [finance], of([finance]), false],
  ['with the second of two', [finance], of([finance], [made('finance', 'other')]), true],
  ['it is not told of all of them', [all], of([all]), null],
] as const)('the step is taken: %s', (_, rows, deciding, expected) => {
  expect(happens(rows, deciding)).toBe(expected)
})
