/** What demo people are given so that they have the role of a condition. */
import { expect, test } from 'vitest'
import { readApp } from '../../headings/index.ts'
import { valuesFor } from './roles.ts'

const valuesOf = (condition: string) => {
  const text = `# Desk

## 3 Entities and their fields

### Person

| Field | Type | Rules |
| --- | --- | --- |
| level | integer | required |
| kind | choice: Student, Staff | required |
| boss | Person | |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Lead | \`${condition}\` |
`
  return valuesFor(readApp('desk.md', name => (name === 'desk.md' ? text : null)).app!, 'Lead')
}

test.each([
  ['my.kind = Staff and my.level >= 3', { kind: 'Staff', level: '3' }],
  ['my.kind != Student', { kind: 'Staff' }],
  ['my.level > 3', { level: '4' }],
  ['my.level < 0', { level: '-1' }],
  ['my.level between 2 and 5', { level: '2' }],
  ['my.kind in (Staff, Student)', { kind: 'Staff' }],
  ['any(Person where boss = me)', {}],
  ['my.kind = Staff or my.level > 3', {}],
])('%s', (condition, values) => {
  expect(valuesOf(condition)).toEqual(values)
})
