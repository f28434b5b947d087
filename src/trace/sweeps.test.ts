/** What `explain` and `diff` say of timers that look for their records, and of those of rows. */
import { expect, test } from 'vitest'
import type { App } from '../headings/app.ts'
import { readApp } from '../headings/index.ts'
import { diffApps } from './diff.ts'
import { explain } from './explain.ts'

const contracts = `# Contracts

## 3 Entities and their fields

### Contract

| Field | Type | Rules |
| --- | --- | --- |
| ends_on | date | required |
| asked | yes/no | default no |

## 4 States and transitions

### Contract

| State | Kind |
| --- | --- |
| Running | start |
| Over | end |

| Timer | While | At | Then |
| --- | --- | --- | --- |
| end | Running | every day at 01:00 for each Contract where ends_on < today | go to Over |

## 8 The error catalogue

| Code | Message |
| --- | --- |
| E-ASK | Nobody asked. |
`

function read(text: string): App {
  const { app, found } = readApp('app.md', () => text)
  const wrong = found.filter(({ severity }) => severity === 'error' || severity === 'warning')
  expect(wrong.map(({ code, message }) => `${code} ${message}`)).toEqual(['N1804 nothing raises the error E-ASK'])
  return app!
}

const told = (old: string, now: string) => {
  expect(contracts).toContain(old)
  return diffApps(read(contracts), read(contracts.replace(old, now)), '2026-03-02').map(({ text }) => text)
}

test('it says when, which records, and where it leads', () => {
  const app = read(contracts)
  const timer = explain(app, 'Contract.end')
  expect('lines' in timer && timer.lines.join('\n')).toMatch(
    /Every day at 01:00 for each Contract where ends_on < today, in UTC\.[\s\S]*Only those that are Running\.[\s\S]*Then go to Over/,
  )
  const state = explain(app, 'Over')
  expect('lines' in state && state.lines.join('\n')).toContain('Entered by timer end.')
})

test('another time, other records, and one that comes, each in a sentence', () => {
  expect(told('at 01:00', 'at 02:00')).toEqual([
    'timer end of Contract, at: `every day at 02:00 for each Contract where ends_on < today` (was `every day at 01:00 for each Contract where ends_on < today`)',
  ])
  expect(told('ends_on < today', 'ends_on <= today')).toHaveLength(1)
  expect(told('ends_on < today', '(ends_on < today)')).toEqual([])
  expect(told('| Running | every', '| | every')).toEqual(['timer end of Contract, while: `Running` is gone'])
  const row = '| ask | | every Monday at 06:00 for each Contract where not asked | set asked = yes; report E-ASK |\n'
  const before = contracts.replace('| end | Running', `${row}| end | Running`)
  const { app } = readApp('app.md', () => before)
  expect(diffApps(app!, read(contracts), '2026-03-02').map(({ text }) => text)).toContain(
    'timer ask of Contract is gone',
  )
})

const permits = `# Permits

## 3 Entities and their fields

### Region

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |

### Holiday

| Field | Type | Rules |
| --- | --- | --- |
| day | date | required |
| region | Region | |

### Permit

| Field | Type | Rules |
| --- | --- | --- |
| region | Region | required |
| parts | list of Part | |

### Part (part of Permit)

| Field | Type | Rules |
| --- | --- | --- |
| due_on | date | required |
| late | yes/no | default no |

## 4 States and transitions

### Part

| Timer | At | Then |
| --- | --- | --- |
| miss | 2 working days of permit.region after due_on at 06:00 | set late = yes |

## 9 Business constants and limits

### Working time

- **Closed on:** Holiday.day of region
`

test('a timer of rows says so, and by whose closed days it counts', () => {
  const { app, found } = readApp('app.md', () => permits)
  expect(found.filter(({ severity }) => severity === 'error')).toEqual([])
  const timer = explain(app!, 'Part.miss')
  expect('lines' in timer && timer.lines.join('\n')).toMatch(
    /At 2 working days of permit\.region after due_on at 06:00 in UTC\.[\s\S]*a change of its Permit[\s\S]*with the closed days of `permit\.region`/,
  )
  const old = permits.replace(' of permit.region', '').replace('day of region', 'day')
  const { app: before } = readApp('app.md', () => old)
  expect(diffApps(before!, app!, '2026-03-02').map(({ text }) => text)).toEqual([
    'timer miss of Part, at: `2 working days of permit.region after due_on at 06:00` (was `2 working days after due_on at 06:00`)',
    'closed days: `Holiday.day of region` (was `Holiday.day`)',
  ])
  const none = readApp('app.md', () => permits.replace(/\| miss .*\n/, ''))
  expect(diffApps(none.app!, app!, '2026-03-02').map(({ text }) => text)).toContain(
    'timer miss of Part is new: at 2 working days of permit.region after due_on at 06:00',
  )
})
