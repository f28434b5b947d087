/** What names a record that has neither a number nor a text: never its id alone where it has anything that tells. */
import { expect, test } from 'vitest'
import { titleFields } from '../../headings/3-entities/titles.ts'
import { readApp } from '../../headings/index.ts'
import { policyFor } from '../access/policy.ts'
import { built } from '../statements.ts'
import { labelSql } from './select.ts'

const text = `# Rounds

## 3 Entities and their fields

### Shift

| Field | Type |
| --- | --- |
| length | integer |
| guard | Person |
| begins_at | date and time |
| day | date |
| ends_on | date |

### Day off

| Field | Type |
| --- | --- |
| taken | date |

### Left

| Field | Type |
| --- | --- |
| mate | Right |

### Right

| Field | Type |
| --- | --- |
| mate | Left |

### Reading

| Field | Type |
| --- | --- |
| value | decimal 8.2 |
`

test('a record without a text is called by what it refers to and its first date', () => {
  const { app, found } = readApp('rounds.md', () => text, { version: () => 'one' })
  expect(found.filter(({ severity }) => severity === 'error')).toEqual([])
  const of = (entity: string) => titleFields(app!.entities.get(entity)!)
  expect(['shift', 'day_off', 'left', 'reading'].map(of)).toEqual([['guard', 'begins_at'], ['taken'], ['mate'], []])
  const policy = policyFor(app!, { id: null, roles: [], system: 'seed' })
  const label = (entity: string) => labelSql(app!, policy, entity, 't')
  expect(built(label('shift')!).text).toContain('to_char(')
  // Two that are called by each other have no name in the end.
  expect([label('left'), label('reading')]).toEqual([null, null])
})
