/** What `explain` and `diff` say of timers that look for their records. */
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
