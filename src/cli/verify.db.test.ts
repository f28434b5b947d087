/** Every example does what its own document says; an application that does something else is found out. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { someOf } from '../../scripts/limits.ts'
import { readApp } from '../headings/index.ts'
import { loanDesk, readSound } from '../run/testing.ts'
import { createTestDatabase } from '../store/testing.ts'
import { loadApp } from './load.ts'
import { verifyOn } from './verify.ts'

const folder = join(import.meta.dirname, '../../examples')
const examples = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(path => /^([\w-]+)[\\/]\1\.md$/.test(path))
  .sort()

/** Rows that each has at least: a table that is no longer found fails here. */
const rows: Readonly<Record<string, number>> = {
  'absence-desk': 65,
  'equipment-desk': 20,
  'loan-desk': 23,
  purchasing: 90,
  requests: 20,
  'street-defects': 70,
}

test('there are examples with tables of their own', () => {
  const names = examples.map(path => path.split(/[\\/]/)[0]!)
  expect(names).toEqual(expect.arrayContaining(Object.keys(rows)))
})

for (const path of someOf(examples, examples.length)) {
  const name = path.split(/[\\/]/)[0]!
  test(path, async () => {
    const { app } = loadApp(join(folder, path))
    const database = await createTestDatabase(inject('databaseUrl'))
    try {
      const lines = await verifyOn(app!, database.store, () => undefined)
      expect(lines.filter(({ passed }) => !passed).map(({ title, detail }) => `${title}: ${detail}`)).toEqual([])
      expect(lines.filter(({ untried }) => untried === true).map(({ title }) => title)).toEqual([])
      expect(lines.length).toBeGreaterThanOrEqual(rows[name] ?? 0)
    } finally {
      await database.drop()
    }
  })
}

/** Serves the loan desk with these edits, and gives the titles of all that is not as the unedited document says. */
async function foundOut(edits: readonly (readonly [from: string, to: string])[]): Promise<readonly string[]> {
  const edited = readSound(loanDesk, text =>
    edits.reduce((before, [from, to]) => {
      expect(before).toContain(from)
      return before.replace(from, to)
    }, text),
  )
  const database = await createTestDatabase(inject('databaseUrl'))
  try {
    const lines = await verifyOn(edited, database.store, () => undefined, readSound(loanDesk))
    const failed = lines.filter(({ passed }) => !passed)
    // What is tried with the files of sample data, too, has the same title there.
    return [...new Set(failed.map(({ title }) => title.replace(/: (\d|shown|refused).*/, '')))]
  } finally {
    await database.drop()
  }
}

test('an application that lets people do what the document refuses is found out, cell by cell', async () => {
  const found = await foundOut([
    ['| approve | Requested | Approved | Clerk | `borrower != me` |', '| approve | Requested | Approved | Clerk | |'],
    ['| hand out | Approved |', '| hand out | Approved, Requested |'],
    ['| Clerk | yes | yes | `state in (Requested, Approved)` | no |', '| Clerk | yes | yes | yes | yes |'],
    ['| purpose | Borrower, Clerk, Manager | Borrower |', '| purpose | Borrower, Clerk, Manager | Borrower, Clerk |'],
    ['| total_value | Clerk, Manager, Auditor |', '| total_value | all |'],
  ])
  expect(found).toEqual([
    'when: Cleo the Clerk, approve L1 → denied',
    'when: Dan the Clerk, approve L1 → ok',
    'Loan: who may see it, field by field',
    'Loan, approve: who may, and when',
    'Loan, hand out: who may, and when',
    'Loan: who may change it',
    'Loan: who may delete it',
    'Loan: a change of many is one of each',
    'Loan: a cell of a list is changed by whoever may',
    'Loan: it is deleted on its page by whoever may',
    'Loan, purpose: whoever may not write it cannot',
    'My loans as Borrower',
    'Desk board as Clerk',
    'Loan as Borrower',
  ])
})

test("one that shows what is another's, and refuses what the document lets, is found out too", async () => {
  const found = await foundOut([
    ['| Borrower | `borrower = me` | yes |', '| Borrower | yes | yes |'],
    ['| My loans | Borrower |', '| My loans | everyone |'],
    ['| Desk board | Clerk, Manager |', '| Desk board | Clerk |'],
    ['| decline | Requested | Declined | Clerk, Manager |', '| decline | Requested | Declined | Manager |'],
    ['| Manager | yes | yes | yes | no | all |', '| Manager | yes | no | `state = Draft` | no | all |'],
  ])
  expect(found).toEqual(
    expect.arrayContaining([
      'Loan: who may see it, field by field',
      'Loan, decline: who may, and when',
      'Loan: who may change it',
      'My loans as a visitor',
      'Desk board as Manager',
      'Loan as Borrower',
    ]),
  )
  expect(found).not.toContain('Reports as Manager')
})

test('other records, another order and other columns on a list are found out; so are other moments of timers, and other constants', async () => {
  const shown = await foundOut([
    ['- **Where:** `state not in (Draft, Returned, Declined)`', '- **Where:** `state != Returned`'],
    ['### Desk board\n', '### My loans\n\n- **Columns:** number, state\n- **Sort:** number\n\n### Desk board\n'],
    ['| overdue | Out | `due_back + 1 day` at 08:00 |', '| overdue | Out | `due_back + 1 day` at 09:00 |'],
    ['| max_loan_days | 14 | days | 1 to 60 | Manager |', '| max_loan_days | 14 | days | 1 to 61 | Clerk, Manager |'],
    ['| max_items | 6 | items | 1 to 20 | Manager |', '| max_items | 6 | items | 1 to 20 | fixed |'],
  ])
  expect(shown).toEqual([
    'when: Dan the Clerk, hand out L1 → ok',
    'Loan, hand out: who may, and when',
    'My loans as Clerk',
    'My loans as Borrower',
    'My loans as Manager',
    'Desk board as Clerk',
    'Desk board as Manager',
    'max_loan_days: who may change it',
    'max_loan_days: its range, and that a change holds',
    'max_items: who may change it',
    'Loan, overdue: what happens when it is due, and not before',
  ])
})

const desk = (rows: string) => `# Leave

## 3 Entities and their fields

### Team

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required; unique |

#### Sample data

| name |
| --- |
| Sails |
| Boats |

### Person

| Field | Type | Rules |
| --- | --- | --- |
| manager | Person | |
| team | Team | required |

#### Sample data

| name | manager | team |
| --- | --- | --- |
| Ben | Cleo | Boats |
| Cleo | | Boats |
| Ada | Cleo | Sails |

### Desk

- **Append only:** yes

| Field | Type | Rules |
| --- | --- | --- |
| tag | text 10 | required; unique |
| mail | e-mail | required; unique |
| width | integer | required |

### Leave

- **Keep:** 30 days after Granted

| Field | Type | Rules |
| --- | --- | --- |
| days | integer | required; min 1 |
| phone | phone | personal |
| of | Person | default me |
| desk | Desk | required |
| notices | integer | = count(Notice where leave = this) |
| marked | yes/no | default no; set by steps only |
| asked_at | date and time | default now; read-only |
| reminded | yes/no | default no; set by steps only |

### Notice

| Field | Type |
| --- | --- |
| leave | Leave |
| days | integer |

## 4 States and transitions

### Leave

| State | Kind | Locks |
| --- | --- | --- |
| Asked | start | |
| Shelved | | days, of |
| Granted | end | all |

| Transition | From | To | Who | When | Then |
| --- | --- | --- | --- | --- | --- |
| grant | Asked | Granted | everyone signed in | \`of.manager = me\` | send mail granted |
| mark | Asked | Asked | Head | | set marked = yes |
| hurry | Asked | Shelved | Head | \`not marked\` | |
| shelve | Asked | Shelved | Head | | |
| take up | Shelved | Asked | Head | | |
| give up | Asked | Shelved | Head | \`days > 98\` | |

| Timer | While | At | When | Then |
| --- | --- | --- | --- | --- |
| remind | Asked | 3 days after entering | \`now < asked_at + 96 hours\` | set reminded = yes |

| On | Of | When | Then |
| --- | --- | --- | --- |
| grant | Leave | \`days > 15\` | create Notice with leave = this, days = days; create Notice with leave = this, days = 1 |

#### Scenario: the manager grants it

| Step | Who | What | Result |
| --- | --- | --- | --- |
| Given | | Leave L1 by Ben with days 20 | |
${rows}

## 5 Validation rules

| Rule | Applies to | Must hold | Error | Severity |
| --- | --- | --- | --- | --- |
| V-1 | Leave on create | \`days <= 10\` | E-LONG | warning |
| V-2 | Leave on grant | \`days <= 15\` | E-LATE | warning |
| V-3 | Leave | \`days < 99\` | E-LONG | |
| V-4 | Desk | \`width > 5\` | E-LATE | |

#### Examples: V-3

| days | Result |
| --- | --- |
| 1 | ok |
| 99 | E-LONG |

#### Examples: V-4

| tag | width | Result |
| --- | --- | --- |
| A-1 | 9 | ok |
| A-1 | 8 | ok |
| A-1 | 5 | E-LATE |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Member | everyone signed in |
| Head | appointed by Head |
| Office | appointed by Head |

### Leave

| Role | See | Create | Change | Delete | Do |
| --- | --- | --- | --- | --- | --- |
| Member | yes | yes | no | no | grant |
| Head | yes | no | yes | yes | all |

### Notice

| Role | See |
| --- | --- |
| Head | yes |

### Desk

| Role | See | Create |
| --- | --- | --- |
| Member | yes | yes |

### Person

| Role | See | Create | Change |
| --- | --- | --- | --- |
| Member | yes | no | no |
| Office | yes | no | yes |

### Team

| Role | See | Create | Change |
| --- | --- | --- | --- |
| Member | yes | no | no |

## 7 The calls it makes

| Mail | To | Subject | Body |
| --- | --- | --- | --- |
| granted | of | Your leave | none |

### C-2 Tell the office

- **Trigger:** after Leave grant
- **Request:** POST {settings.office_url}/leaves

| Send | From |
| --- | --- |
| days | days |

| Answer | Then |
| --- | --- |
| 4xx | stop |

## 8 The error catalogue

| Code | Message |
| --- | --- |
| E-LONG | That is long. |
| E-LATE | That is late. |
`

test('a scenario confirms a warning, people have the values that samples and scenarios give them, examples do not meet', async () => {
  const lines = async (rows: string) => {
    const { app, found } = readApp('leave.md', name => (name === 'leave.md' ? desk(rows) : null))
    expect(found.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([])
    const database = await createTestDatabase(inject('databaseUrl'))
    try {
      return await verifyOn(app!, database.store, () => undefined)
    } finally {
      await database.drop()
    }
  }
  const right = await lines(`| When | Ben the Member | Leave L2 with days 12 | ok with E-LONG confirmed |
| When | Ben | Leave L3 with days 12 | E-LONG |
| When | Ben | grant L1 | denied |
| Then | | no mail was sent | |
| And | | no call C-2 was made | |
| When | Cleo the Head | grant L1 | ok with E-LATE confirmed |
| Then | | mail granted was sent to Ben | |
| And | | no mail granted was sent to Cleo | |
| And | | no mail granted was sent to Ada | |
| And | | call C-2 was made | |
| Then | | \`L1.state = Granted\` | |
| And | | Notice N1 was made with days 20, leave L1 | |
| And | | no Notice was made with days 3 | |
| And | | \`N1.leave.notices = 2 and N1.days = 20\` | |
| Given | | Cleo with manager Ben | |
| Given | | Leave L4 by Cleo with days 3 | |
| When | Cleo | grant L4 | denied |
| When | Ben | grant L4 | ok |
| Then | | no Notice was made | |
| When | Ben | change Cleo with manager Cleo | denied |
| Given | | Leave L5 by Ben with days 3, phone +441632960101 | |
| When | Cleo | grant L5 | ok |
| When | | 29 days pass | |
| Then | | \`L5.phone is not empty\` | |
| When | | 2 days pass | |
| Then | | \`L5.phone is empty\` | |
| When | | today 2027-03-26 at 16:05 | |
| Given | | Leave L6 by Ben with days 3 | |
| Then | | \`L6.asked_at = 2027-03-26T16:05Z and not L6.reminded\` | |
| When | | 3 weeks pass | |
| Then | | \`L6.reminded\` | |`)
  expect(right.filter(({ passed }) => !passed).map(({ title, detail }) => `${title}: ${detail}`)).toEqual([])
  // What only a mark keeps from being hurried is led to where it is not marked.
  expect(right.filter(({ untried }) => untried === true).map(({ title }) => title.replace(/: \d.*/, ''))).toEqual([
    'Leave, give up: who may, and when',
  ])
  expect(right.map(({ title }) => title)).toContain('Desk: the database keeps it as it is: 2 tries, 0 let through')
  const wrong = await lines(`| When | Ben the Member | Leave L2 with days 5 | ok with E-LONG confirmed |
| When | Cleo the Head | grant L1 | ok |
| Then | | Notice N1 was made | |
| When | Cleo | grant L1 | ok with E-LATE confirmed |
| Then | | Notice N1 was made | |
| Then | | no Notice was made with days 20 | |
| Then | | mail granted was sent to Cleo | |
| Then | | no call was made | |`)
  expect(wrong.filter(({ passed }) => !passed).map(({ detail }) => detail)).toEqual([
    'the application says ok instead of asking to confirm E-LONG',
    'the application says E-LATE (That is late.)',
    'none was made',
    '2 of them were made: say which, as in `Notice N1 was made with …`',
    '1 of them were made',
    'there was: granted to Ben',
    'there was: C-2',
  ])
})
