/** Timers of the document itself, which are about no record: what they may do, and where they may stand. */
import { expect, test } from 'vitest'
import { readApp } from '../index.ts'

const written = (at: string, then: string, more = '') => `# Rounds
${more}
## 3 Entities and their fields

### Round

| Field | Type | Rules |
| --- | --- | --- |
| day | date | required |
| closed | yes/no | default no |

## 4 States and transitions

| Timer | At | Then |
| --- | --- | --- |
| go round | ${at} | ${then} |

### Round

| State | Kind |
| --- | --- |
| Open | start |
| Done | end |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| close | Open | Done | none |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Clerk | appointed by Clerk |

## 7 The calls it makes

| Mail | To | Subject | Body |
| --- | --- | --- | --- |
| gone | Clerk | Gone on {day} | none |
`
const read = (...given: Parameters<typeof written>) => readApp('rounds.md', () => written(...given))
const errors = (...given: Parameters<typeof written>) =>
  read(...given).found.flatMap(({ code, severity }) => (severity === 'error' ? [code] : []))
const monday = 'every Monday at 08:00'

test.each([
  'create Round with day = today',
  'for each (Round where not closed): send mail gone',
  'do close on (Round where closed)',
  'delete first(Round order by day)',
  'set first(Round order by day).closed = yes',
  'let oldest = first(Round order by day); set oldest.closed = yes; do close on oldest',
])('%s names its records', then => {
  expect(errors(monday, then)).toEqual([])
  expect(read(monday, then).app!.sweeps).toMatchObject([{ key: 'go_round', entity: 'round', alone: true, where: null }])
})

test.each([
  ['send mail gone', ['N1473']],
  ['set closed = yes', ['N1473']],
  ['go to Done', ['N1473']],
  ['delete', ['N1473']],
  ['do close on this', ['N0220']],
  ['create Round with day = day', ['N0220']],
])('%s is about a record', (then, codes) => expect(errors(monday, then)).toEqual(codes))

test('it comes back, and where there are tenants it says whose records they are', () => {
  const then = 'create Round with day = today'
  expect(errors('`2026-05-04 at 08:00`', then)).toEqual(['N1434'])
  const tenants = '\n- **Tenant:** Round\n'
  expect(errors(monday, then, `\n## 1 What the product does and for whom\n${tenants}`)).toContain('N1434')
})
