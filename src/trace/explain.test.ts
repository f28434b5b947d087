import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { App } from '../headings/app.ts'
import { readApp } from '../headings/index.ts'
import { loanDeskAlone as text } from '../headings/testing.ts'
import { explain } from './explain.ts'

const app = readApp('loan-desk.md', () => text).app as App

function explained(name: string): string {
  const answer = explain(app, name)
  return 'lines' in answer ? answer.lines.join('\n') : `nothing; ${answer.nearest}`
}

test('a name that there is not has the nearest beside it', () => {
  expect(explained('tak back')).toBe('nothing; take back')
  expect(explained('Zebra')).toBe('nothing; null')
})

test('a screen says whose home it is, and where', () => {
  expect(explained('/desk')).toMatch(/Clerk come here after signing in \(loan-desk\.md:\d+:/)
})

test('who signs up, as what and how; and of the role, that it is given so', () => {
  expect(explained('sign-up')).toContain('Nobody: people are invited.')
  const open = text.replace('- **Serves:**', '- **Sign-up:** everyone as Clerk\n- **Serves:**')
  const of = (name: string) => {
    const answer = explain(readApp('loan-desk.md', () => open).app as App, name)
    return 'lines' in answer ? answer.lines.join('\n') : ''
  }
  expect(of('sign-up')).toMatch(/Everyone, as Clerk\.\n.* asks for Name, E-mail\./)
  expect(of('Clerk')).toMatch(/Given to whoever signs up: everyone, as Clerk \(loan-desk\.md:\d+:/)
})

test('how far apart two are that must not overlap, the last day that is taken with it', () => {
  const [row] = /\| due_back \| date \| required[^|]*/.exec(text)!
  const said = (rule: string) => {
    const apart = text.replace(row, `${row.trimEnd()}; no overlap of out_on ${rule} `)
    const answer = explain(readApp('loan-desk.md', () => apart).app as App, 'Loan.due_back')
    return 'lines' in answer ? answer.lines.join('\n') : ''
  }
  expect(said('to due_back within borrower')).toContain('overlap from out_on to due_back, held by')
  expect(said('through due_back within borrower')).toContain(
    'to due_back, with 1 day from due_back to the next out_on, held',
  )
  const apart = 'with 3 days from due_back to the next out_on'
  expect(said('through due_back within borrower with 2 days between')).toContain(apart)
})

test('a field that goes through rows says whether the database keeps it, and since when it would', () => {
  expect(explained('total_value')).toContain('If a list named it among its columns, or sorted by it')
  const sorted = text.replace('### Desk board\n\n', '### Desk board\n\n- **Sort:** total_value down\n')
  const answer = explain(readApp('loan-desk.md', () => sorted).app as App, 'total_value')
  const lines = 'lines' in answer ? answer.lines.join('\n') : ''
  expect(lines).toContain('the database keeps it in the column _total_value, and kept_by_loan_line works it out')
})

test.each<[string, readonly string[]]>([
  [
    'V-2',
    [
      'rule V-2 of Loan',
      '`days <= limits.max_loan_days`',
      'Database: no: a CHECK must not',
      'E-DUE-2, beside due_back',
    ],
  ],
  ['V-1', ['Database: yes, as a CHECK constraint']],
  ['Category', ['Comments: whoever is signed in and sees the record. `- **Comments:** none`']],
  ['Take  Back', ['From Out, Overdue to Returned', 'Clerk (loan-desk.md:', 'Then call C-2']],
  ['draft', ['Entered by being created.', 'Left by submit.']],
  ['Overdue', ['Entered by timer overdue.', 'Left by take back.']],
  ['Loan.purpose', ['Who may see it: Borrower, Clerk, Manager', 'Who may change it: Borrower, on']],
  ['total_value', ['Computed wherever it is read: `sum(lines.value)`', 'Who may change it: nobody']],
  [
    'Clerk',
    ['Who: appointed by Manager.', 'Loan: see yes, create yes, change `state in (Requested, Approved)`, delete no'],
  ],
  ['E-REG-1', ['Raised by C-2 (loan-desk.md:218:']],
  ['E-VAL-1', ['Raised by V-4 (loan-desk.md:168:']],
  ['limits.clerk_damage_limit', ['Its value is unspecified']],
  ['/desk', ['screen Desk board', 'Shows board of Loan by state.']],
])('%s', (name, parts) => {
  const answer = explained(name)
  for (const part of parts) expect(answer).toContain(part)
})

test('what nobody may is taken off what a role may', () => {
  const line = '| never | | | `state = Out` | yes | `limits.max_items > 3` |\n| Borrower | `borrower = me` | yes |'
  const { app } = readApp('loan-desk.md', () => text.replace('| Borrower | `borrower = me` | yes |', line))
  const of = (name: string) => {
    const answer = explain(app!, name)
    return 'lines' in answer ? answer.lines.join('\n') : ''
  }
  expect(of('Borrower')).toContain('change `borrower = me and state = Draft and not (state = Out)`, delete no')
  expect(of('Loan')).toContain('Nobody, whatever the role, may change when `state = Out`, delete, take a step when')
  expect(of('submit')).toContain('Nobody, whatever the role, takes it when `limits.max_items > 3`')
})

test('what a role never may is told of it, and of single steps', () => {
  const line =
    '| never Clerk | | | `state = Out` | | submit; approve when state = Out |\n| Borrower | `borrower = me` | yes |'
  const { app, found } = readApp('loan-desk.md', () => text.replace('| Borrower | `borrower = me` | yes |', line))
  expect(found.filter(({ severity }) => severity === 'error')).toEqual([])
  const of = (name: string) => {
    const answer = explain(app!, name)
    return 'lines' in answer ? answer.lines.join('\n') : ''
  }
  expect(of('Clerk')).toContain('change `state in (Requested, Approved) and not (state = Out)`')
  expect(of('Borrower')).toContain('change `borrower = me and state = Draft`, delete')
  const whom = 'Nobody who has the role Clerk, whatever others,'
  expect(of('Loan')).toContain(
    `${whom} may change when \`state = Out\`, take \`submit\`, take \`approve\` when \`state = Out\``,
  )
  expect(of('submit')).toContain(`${whom} takes it (`)
  expect(of('hand out')).not.toContain(whom)
})

test('what a change may lead to is told with what may be changed', () => {
  const head = '| Role | See | Create | Change | Delete | Do |\n|'
  const edited = text
    .replace(head, head.replace('| Do |', '| Do | Change to |').replace(/\|$/, '| --- |'))
    .replace('| submit |\n', '| submit | `state = Out` |\n| never | | | | | | `state = Returned` |\n')
  const { app } = readApp('loan-desk.md', () => edited)
  const answer = explain(app!, 'Loan')
  const lines = 'lines' in answer ? answer.lines.join('\n') : ''
  expect(lines).toContain('change to `state = Out`, delete `borrower = me')
  expect(lines).toContain('Nobody, whatever the role, may change to one when `state = Returned`')
})

test('everything that answers to a name is told', () => {
  const answer = explained('overdue')
  for (const part of ['timer overdue of Loan', 'state Overdue of Loan', 'mail overdue']) expect(answer).toContain(part)
})

test.each<[string, readonly string[]]>([
  ...['V-COUNT', 'V-SUM', 'V-NONE', 'V-ANY'].map((rule): [string, readonly string[]] => [
    rule,
    ['Database: a serialisable transaction'],
  ]),
  ['V-STOCK', ['Database: inside the writing transaction, with the records it reads locked']],
  ['Box.above', ['Never in a circle, because `above within this` climbs it', 'the trigger box_above_tree']],
  ['Lending.tool', ['the server checks in the same transaction and locks what was chosen']],
  [
    'Stay.room',
    ['No two with the same room overlap from begins to ends, held by an exclusion constraint', 'Refused with E-BUSY'],
  ],
  ['Seat.label', ['Unique among records of which `open` holds, held by a unique index']],
  ['Lodging.room', ['The application chooses and locks what it chose']],
])('what holds %s', (name, parts) => {
  const text = readFileSync(new URL('../run/fixtures/rivals.md', import.meta.url), 'utf8')
  const answer = explain(readApp('rivals.md', () => text).app as App, name)
  for (const part of parts) expect('lines' in answer && answer.lines.join('\n')).toContain(part)
})

test('a warning asks, and no CHECK holds it', () => {
  const warning = (document: string) =>
    document
      .replace(/(\| Rule \| Applies to .*\|)\n(\| --- .*\|)/, '$1 Severity |\n$2 --- |')
      .replace(/(\| V-1 \| Loan .*E-DUE-1 \|)/, '$1 warning |')
  const answer = explain(readApp('loan-desk.md', () => warning(text)).app as App, 'V-1')
  const said = 'lines' in answer ? answer.lines.join('\n') : ''
  expect(said).toContain('Database: no, what is confirmed is stored.')
  expect(said).toContain('whoever saves is asked to confirm E-DUE-1, beside due_back.')
})

test('a step that code or other records guard says when that is asked', () => {
  const guarded = text
    .replace(
      '## 4 States',
      '| Function | Takes | Gives | Code |\n| --- | --- | --- | --- |\n| fits | day: date | yes/no | [fits.ts](fits.ts) |\n\n## 4 States',
    )
    .replace(
      /(\| hand out \|[^|]*\|[^|]*\|[^|]*\|)[^|]*\|/,
      '$1 `fits(due_back) and count(Loan where state = Out) < 9` |',
    )
  const files: Readonly<Record<string, string>> = { 'fits.ts': 'export const fits = () => true' }
  const answer = explain(readApp('loan-desk.md', path => files[path] ?? guarded).app as App, 'hand out')
  const said = 'lines' in answer ? answer.lines.join('\n') : ''
  expect(said).toContain('fits: asked beforehand about the locked record')
  expect(said).toContain('It looks at other records, so that it is asked in a serialisable transaction')
})

test('what tells repetitions of a message, and what comes late', () => {
  const received = `### Receives counted

- **About:** Item
- **Found by:** tag
- **Then:** change
- **Key:** secret COUNT_KEY
- **Once per:** notice
- **Newest by:** retired_on

| Receive | Into |
| --- | --- |
| tag | tag |
| on | retired_on |
`
  const told = text.replace('### C-2 ', `${received}\n### C-2 `)
  const { app: read } = readApp('counts.md', () => told)
  const answer = explain(read as App, 'counted')
  const lines = 'lines' in answer ? answer.lines.join('\n') : ''
  expect(lines).toContain('One with the same notice is a repetition')
  expect(lines).toContain('One that is not newer by retired_on than the record')
})
