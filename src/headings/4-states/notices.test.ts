/** Timers that need more notice than a rule asks for: found however it is written, and nothing else is. */
import { expect, test } from 'vitest'
import { readApp } from '../index.ts'

const said = (rule: string, at: string, bound = '', accept = '', when = '') => {
  const text = `# Visits

## 1 What the product does and for whom

${accept}

## 3 Entities and their fields

### Visit

| Field | Type | Rules |
| --- | --- | --- |
| day | date | required; ${bound} |
| begin | date and time | required |

## 4 States and transitions

### Visit

| State | Kind |
| --- | --- |
| Asked | start |
| Over | end |

| Timer | While | At | When | Then |
| --- | --- | --- | --- | --- |
| prepare | Asked | ${at} | ${when} | go to Over |

## 5 Validation rules

| Rule | Applies to | Must hold | Error |
| --- | --- | --- | --- |
| V-1 | Visit | \`${rule}\` | E-LATE |

## 8 The error catalogue

| Code | Message |
| --- | --- |
| E-LATE | Too late. |

## 9 Business constants and limits

| Name | Value | Unit |
| --- | --- | --- |
| notice | 3 | days |
`
  const { found } = readApp('visits.md', name => (name === 'visits.md' ? text : null))
  expect(found.flatMap(({ severity, message }) => (severity === 'error' ? [message] : []))).toEqual([])
  return found.flatMap(({ code, message }) => (['N1446', 'N1108'].includes(code) ? [message] : []))
}

const five = '`day - 5 days` at 09:00'
const told =
  '`prepare` is due 111 hours before `day`, which may be only 3 days ahead: then it fires as soon as the record exists'

test.each([
  ['day >= today + 3 days', five],
  ['today + 3 days <= day and begin > now', five],
  ['day - 3 days >= today', five],
  ['day > today + 2 days', five],
  ['days_between(today, day) >= 3', five],
  ['day >= today + limits.notice', five],
])('%s leaves no time for %s', (rule, at) => {
  expect(said(rule, at)).toEqual([told])
})

test('a bound asks for notice, too; moments are compared to the minute', () => {
  expect(said('begin > now', five, 'min today + 3 days')).toEqual([told])
  expect(said('begin >= now + 12 hours', '`begin - 24 hours`')[0]).toContain(
    '1 day before `begin`, which may be only 12 hours',
  )
  expect(said('begin >= now + 24 hours', '`begin - 24 hours`')).toEqual([])
})

test.each([
  ['day >= today + 3 days', '`day - 3 days` at 09:00'],
  ['day >= today + 3 days', '`day + 5 days` at 09:00'],
  ['day >= today', five],
  ['day > today', '`day - 1 day` at 09:00'],
  ['day <= today + 3 days', five],
  ['day >= today + 3 days or begin > now', five],
  ['begin >= now + 72 hours', five],
])('%s says nothing against %s', (rule, at) => {
  expect(said(rule, at)).toEqual([])
})

test('a timer that says itself of which records it fires is not told', () => {
  expect(said('day >= today + 3 days', five, '', '', '`today <= day - 5 days`')).toEqual([])
})

test('it is accepted by name; whether a warning is there is not known beside an error', () => {
  expect(said('day >= today + 3 days', five, '', '- **Accept:** N1446')).toEqual([])
  const wrong = '# Visits\n\n## 1 What the product does and for whom\n\n- **Accept:** N1446\n- **Wrong:** yes\n'
  expect(readApp('visits.md', () => wrong).found.map(({ code }) => code)).not.toContain('N1108')
})
