import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readApp } from '../index.ts'
import { concerns } from './held.ts'

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

const told = (text: string) =>
  readApp('meters.md', () => text).found.flatMap(({ code, message }) => (code === 'N1616' ? [message] : []))

test('a row of the field that names the very role says that it is meant', () => {
  const closed = page('value + 1').replace('| tag |', '| value | integer | |\n| tag |')
  const rows = (...lines: readonly string[]) =>
    closed.replace(
      '### Reading\n\n| Role',
      `| Field | See |\n| --- | --- |\n${lines.join('\n')}\n\n### Reading\n\n| Role`,
    )
  expect(told(rows('| value | none |'))).toHaveLength(1)
  expect(told(rows('| value | none |', '| last | all |'))).toHaveLength(1)
  expect(told(rows('| value | none |', '| last | Tenant |'))).toEqual([])
})

test('a reference that leads to a field is told by what names the record, and by nothing else', () => {
  const through = (field: string) =>
    page('1')
      .replace('| taken_on |', `| shown | text 20 | = meter.${field} |\n| taken_on |`)
      .replace('| tag | text 20 | required |', '| tag | text 20 | required; unique; display |\n| place | text 20 | |')
      .replace(
        /\| Reader \| yes \|\n$/,
        '| Tenant | yes |\n| Reader | yes |\n\n| Field | See |\n| --- | --- |\n| meter | Reader |\n',
      )
  expect(told(through('tag'))).toEqual([expect.stringContaining('`meter`')])
  expect(told(through('place'))).toEqual([])
})

test('the latest of records that somebody never sees is one of them, and no number over many', () => {
  expect(told(page('first(Reading where meter = this order by taken_on down).value'))).toEqual([
    expect.stringContaining('`value` of Reading'),
  ])
  expect(told(page('sum(Reading.value where meter = this)'))).toEqual([])
})

/** A meter whose limit its tenants do not see, and what acts do with it. */
const given = (then: string, elsewhere: (text: string) => string = text => text) =>
  elsewhere(
    page('1')
      .replace('| tag |', '| cap | integer | |\n| told | integer | set by steps only |\n| tag |')
      .replace(
        '## 6 Roles',
        `## 4 States and transitions\n\n### Meter\n\n| State | Kind |\n| --- | --- |\n| Open | start |\n| Shut | end |\n
| Transition | From | To | Who | Then |\n| --- | --- | --- | --- | --- |\n| shut | Open | Shut | Reader | ${then} |\n\n## 6 Roles`,
      )
      .replace('### Reading\n\n| Role', '| Field | See |\n| --- | --- |\n| cap | Reader |\n\n### Reading\n\n| Role')
      .replace(/\| Reader \| yes \|\n$/, '| Tenant | yes |\n| Reader | yes |\n'),
  )

test.each([
  ['set', given('set told = cap + 1'), ['`told` of Meter']],
  ['what `let` names', given('let half = cap / 2; let more = half; set told = round(more)'), ['`told` of Meter']],
  ['create', given('create Reading with meter = this, value = cap, taken_on = today'), ['`value` of Reading']],
  ['for each', given('for each one in (Reading where meter = this): set value = this.cap'), ['`value` of Reading']],
  ['twice the same', given('set told = cap', text => text.replace(/(\| shut .*\n)/, '$1$1')), ['`told` of Meter']],
  ['what is set again', given('set told = cap; set told = 1'), []],
  ['what those who see it see', given('set told = last'), []],
  [
    'a field that is meant for them',
    given('set told = cap', text => text.replace('| cap | Reader |', '| cap | Reader |\n| told | Tenant |')),
    [],
  ],
])('a value that is given: %s', (_, text, fields) => {
  expect(told(text)).toEqual(
    fields.map(field => expect.stringMatching(new RegExp(`^Tenant may see ${field}.*\`cap\``))),
  )
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

test('what everybody may who is signed in is not what whoever comes may; the other way round it is', () => {
  const { app } = readApp('meters.md', () => page('1').replace('| Reader |', '| Anyone | everyone |\n| Reader |'))
  const pairs = [
    ['Tenant', 'Anyone'],
    ['Anyone', 'Tenant'],
    ['Tenant', 'Reader'],
    ['Reader', 'Tenant'],
  ] as const
  expect(pairs.map(([row, role]) => concerns(app!, row, role))).toEqual([false, true, true, false])
})
