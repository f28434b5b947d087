/** What `explain` and `diff` say of approvals. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { App } from '../headings/app.ts'
import { readApp } from '../headings/index.ts'
import { diffApps } from './diff.ts'
import { explain } from './explain.ts'

const payments = readFileSync(new URL('../run/fixtures/approvals.md', import.meta.url), 'utf8')

function read(text: string): App {
  const { app, found } = readApp('payments.md', () => text)
  expect(found.filter(({ severity }) => severity === 'error')).toEqual([])
  return app!
}

function told(old: string, now: string): readonly string[] {
  expect(payments).toContain(old)
  return diffApps(read(payments), read(payments.replace(old, now)), '2026-03-02').map(({ text }) => text)
}

test('a step says what it waits for, and an approval how it counts', () => {
  const step = explain(read(payments), 'Payment.approve')
  expect('lines' in step && step.lines.join('\n')).toContain(
    'Waits for finance: 2 of Finance, when `net > limits.finance_above`',
  )
  const approval = explain(read(payments), 'finance')
  expect('lines' in approval && approval.lines.join('\n')).toMatch(
    /Guards the step approve: 2 of Finance[\s\S]*Never counts: requester/,
  )
  const level = explain(read(payments), 'Trip.finance')
  expect('lines' in level && level.lines.join('\n')).toContain(
    'Nobody is asked before it is given, or not needed: head, second.',
  )
})

test('more people, others, another band, and an approval that comes or goes, each in a sentence', () => {
  expect(told('| 2 of | Finance | requester', '| 3 of | Finance | requester')).toEqual([
    'approval finance of Payment, number of people: `3 of` (was `2 of`)',
  ])
  expect(told('`net > limits.finance_above`', '`net > 500`')).toContain(
    'approval finance of Payment is needed when `net > 500` (was when `net > limits.finance_above`)',
  )
  const row = '| heads | approve | `any(shares)` | all of | shares.head | requester | |\n'
  expect(told(row, '')).toEqual([
    'Payment approve no longer waits for heads; what was decided for it counts for nothing',
  ])
  expect(told('ask, answer, remarks |', 'ask, remarks |')).toEqual([
    'approval second of Trip, what decisions survive: `ask, remarks` (was `ask, answer, remarks`)',
  ])
  expect(told('| approve | finance | `net > 100`', '| approve | head | `net > 100`')).toEqual([
    'approval director of Trip, what comes before it: `head` (was `finance`)',
  ])
  expect(told('| 2 of | Finance | requester | named |', '| 2 of | Finance | requester | |')).toHaveLength(1)
})
