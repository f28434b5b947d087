import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readApp } from '../index.ts'

const page = (last: string) => `# Meters

- **Ninefold:** 1

## 3 Entities and their fields

### Meter

| Field | Type | Rules |
| --- | --- | --- |
| tag | text 20 | required |
| last | integer | = ${last} |

### Reading

| Field | Type | Rules |
| --- | --- | --- |
| meter | Meter | required |
| value | integer | required |
| taken_on | date | required |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Tenant | everyone signed in |
| Reader | appointed by Reader |

### Meter

| Role | See |
| --- | --- |
| Tenant | yes |

### Reading

| Role | See |
| --- | --- |
| Reader | yes |
`

test('the latest of records that somebody never sees is one of them, and no number over many', () => {
  const told = (last: string) =>
    readApp('meters.md', () => page(last)).found.flatMap(({ code, message }) => (code === 'N1616' ? [message] : []))
  expect(told('first(Reading where meter = this order by taken_on down).value')).toEqual([
    expect.stringContaining('`value` of Reading'),
  ])
  expect(told('sum(Reading.value where meter = this)')).toEqual([])
})

test('the condition of an approval is told to whoever may take its step, and that is warned of', () => {
  const path = join(import.meta.dirname, '../../run/fixtures/approvals.md')
  const told = (edit: (text: string) => string) =>
    readApp('approvals.md', () => edit(readFileSync(path, 'utf8'))).found.flatMap(({ code, message }) =>
      code === 'N1625' ? [message] : [],
    )
  expect(told(text => text)).toEqual([expect.stringMatching(/^Finance may take `take`.*`director`.*`together`/)])
  expect(told(text => text.replace('| together | Director |', '| together | Director, Finance |'))).toEqual([])
  expect(
    told(text =>
      text.replace(
        '| Finance, Director |\n\n| Approval | Of | When | Needs | From |\n| --- | --- | --- | --- | --- |\n| director',
        '| Director |\n\n| Approval | Of | When | Needs | From |\n| --- | --- | --- | --- | --- |\n| director',
      ),
    ),
  ).toEqual([])
})
