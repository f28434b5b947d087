/** A document as large as real applications have them: forty entities, every heading filled. */
import { expect, test } from 'vitest'
import { readApp } from './index.ts'

const numbers = Array.from({ length: 40 }, (_, index) => index + 1)
const table = (header: string, rows: readonly string[]) =>
  [header, header.replaceAll(/[^|]+/g, ' --- '), ...rows].map(row => `| ${row} |`).join('\n')

/** Every entity refers to the one before it, has child rows, six computed or checked fields, states, a rule and permissions. */
function documentOf(): string {
  const entity = (n: number) => `### Thing${n}

${table('Field | Type | Rules | Meaning', [
  `number | auto number T${n}-{00000} | | `,
  'title | text 80 | required; searchable | What it is',
  'owner | Person | required; default me; read-only after create | ',
  'begins_on | date | required; default today | ',
  'ends_on | date | | ',
  'price | money EUR | required; min 0 | ',
  `before | ${n === 1 ? 'Person' : `Thing${n - 1}`} | | `,
  `lines | list of Line${n} | max limits.most_lines | `,
  'total | money EUR | = sum(lines.amount) + price | ',
  'days | integer | = ends_on - begins_on | ',
  'kind | choice: Small, Large | required | ',
  'done_at | date and time | set by steps only | ',
])}

### Line${n} (part of Thing${n})

${table('Field | Type | Rules', ['text | text 80 | required', 'amount | money EUR | required; min 0', 'urgent | yes/no | default no'])}
`
  const states = (n: number) => `### Thing${n}

${table('State | Kind', ['Draft | start', 'Active | ', 'Done | end'])}

${table('Transition | From | To | Who | When | Then', [
  `start | Draft | Active | Member | \`owner = me\` | send mail started${n}`,
  'finish | Active | Done | Member | `all(lines where not urgent) or total <= limits.most` | set done_at = now',
])}
`
  const access = (n: number) => `### Thing${n}

${table('Role | See | Create | Change | Delete | Do', [
  'Member | `owner = me or total < limits.most` | yes | `owner = me and state = Draft` | no | all',
  'Chief | yes | yes | yes | yes | all',
])}
`
  return `# Forty

## 1 What the product does and for whom

Many things.

- **Time zone:** UTC
- **Languages:** English
- **Sign-in:** password

## 2 Screens and routes

${table(
  'Route | Screen | For | Shows',
  numbers.flatMap(n => [
    `/things${n} | Things ${n} | Member | list of Thing${n}`,
    `/things${n}/{number} | Thing ${n} | Member | one Thing${n}`,
  ]),
)}

## 3 Entities and their fields

${numbers.map(entity).join('\n')}
## 4 States and transitions

${numbers.map(states).join('\n')}
## 5 Validation rules

${table(
  'Rule | Applies to | Must hold | Field | Error',
  numbers.flatMap(n => [
    `V-${n}a | Thing${n} | \`ends_on > begins_on\` | ends_on | E-${n}-1`,
    `V-${n}b | Thing${n} on start | \`total <= limits.most or days < 30\` | price | E-${n}-2`,
  ]),
)}

## 6 Roles and permissions

${table('Role | Who', ['Member | everyone signed in', 'Chief | appointed by Chief'])}

${numbers.map(access).join('\n')}
## 7 The calls it makes

### Mails

${table(
  'Mail | To | Subject | Body',
  numbers.map(n => `started${n} | owner, Chief | {title} begins on {begins_on} | none`),
)}

## 8 The error catalogue

${table(
  'Code | Message | What to do',
  numbers.flatMap(n => [
    `E-${n}-1 | {title} must end after {begins_on}. | Choose another day.`,
    `E-${n}-2 | At most {limits.most}. | Ask {owner.name}.`,
  ]),
)}

## 9 Business constants and limits

${table('Name | Value | Unit | Range | Who may change', ['most | 5000.00 | EUR | 0 to 9000 | Chief', 'most_lines | 20 | lines | 1 to 50 | fixed'])}
`
}

test('forty entities with their lines are read whole and have nothing to report', () => {
  const text = documentOf()
  const { app, found } = readApp('forty.md', () => text)
  expect(found.map(({ message }) => message)).toEqual([])
  expect(app!.entities.size).toBe(81)
  expect(app!.rules).toHaveLength(80)
  expect(app!.screens).toHaveLength(80)
  expect(app!.workflows.size).toBe(40)
})
