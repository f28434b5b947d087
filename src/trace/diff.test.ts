import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { position } from '../document/cell.ts'
import type { App } from '../headings/app.ts'
import { readApp } from '../headings/index.ts'
import { diffApps } from './diff.ts'

const loanDesk = readFileSync(new URL('../../examples/loan-desk/loan-desk.md', import.meta.url), 'utf8')

function read(files: Readonly<Record<string, string>>): App {
  const { app, found } = readApp('app.md', path => files[path] ?? null)
  const errors = found.filter(({ severity }) => severity === 'error')
  expect(errors.map(({ code, message }) => `${code} ${message}`)).toEqual([])
  return app!
}

/** Which days are past. */
const today = '2026-03-02'

const before = read({ 'app.md': loanDesk })

/** The loan desk with each text put in the place of another, all of which must be there. */
function changed(...edits: readonly (readonly [string, string])[]): App {
  let text = loanDesk
  for (const [old, now] of edits) {
    expect(text).toContain(old)
    text = text.replaceAll(old, now)
  }
  return read({ 'app.md': text })
}

const told = (after: App) => diffApps(before, after, today).map(({ text }) => text)

test('what is written otherwise and means the same is no difference', () => {
  expect(told(before)).toEqual([])
  expect(
    told(
      changed(
        ['`borrower = me and state = Draft`', '`(borrower  =  me) and (state = Draft)`'],
        ['| Loan line on create |', '| Loan line  on  create |'],
        ['approve, decline, hand out, take back |\n', 'all |\n'],
        ['The loan desk lends', 'Our loan desk lends'],
        ['| CA-0001 | Sony A7 | Cameras | 2400.00 |', '| CA-0002 | Sony A7 | Cameras | 2300.00 |'],
        ['with item CA-0001', 'with item CA-0002'],
        [
          '| decline | Requested | Declined | Clerk, Manager | | send mail declined |\n| hand out | Approved | Out | Clerk | `out_on <= today` | set handed_out_at = now |',
          '| hand out | Approved | Out | Clerk | `out_on <= today` | set handed_out_at = now |\n\n#### decline\n\n- **From:** Requested\n- **To:** Declined\n- **Who:** Clerk, Manager\n- **Then:** send mail declined',
        ],
      ),
    ),
  ).toEqual([])
  const [root, ...rest] = loanDesk.split('\n## 3 ')
  const parts = {
    'app.md': root!.replace('- **Ninefold:** 1', '- **Ninefold:** 1\n- **Part:** [Rest](rest.md)'),
    'rest.md': `## 3 ${rest.join('\n## 3 ')}`,
  }
  expect(told(read(parts))).toEqual([])
})

test('the last day that is taken means the same as a day between behind it', () => {
  const [row] = /\| due_back \| date \| required[^|]*/.exec(loanDesk)!
  const apart = (rule: string) => changed([row, `${row.trimEnd()}; no overlap of out_on ${rule} `])
  const between = (one: string, other: string) => diffApps(apart(one), apart(other), today).map(({ text }) => text)
  expect(between('to due_back within borrower with 1 day between', 'through due_back within borrower')).toEqual([])
  expect(between('to due_back within borrower', 'through due_back within borrower')).toEqual([
    'Loan.due_back: `no overlap of out_on through due_back within borrower` (was `no overlap of out_on to due_back within borrower`)',
  ])
})

test.each<[readonly (readonly [string, string])[], readonly string[]]>([
  [
    [
      [
        '| Borrower | `borrower = me` | yes |',
        '| never | | | `state = Out` | yes |\n| Borrower | `borrower = me` | yes |',
      ],
    ],
    ['nobody may change Loan when `state = Out` (was: not closed)', 'nobody may delete Loan (was: not closed)'],
  ],
  [
    [
      [
        '| Borrower | `borrower = me` | yes |',
        '| never Clerk | | | `state = Out` | | approve when state = Out; decline |\n| Borrower | `borrower = me` | yes |',
      ],
    ],
    [
      'nobody who has the role Clerk may change Loan when `state = Out` (was: not closed)',
      'nobody who has the role Clerk may take approve of Loan when `state = Out` (was: not closed)',
      'nobody who has the role Clerk may take decline of Loan (was: not closed)',
    ],
  ],
  [
    [['### Loan (was Booking)\n', '### Loan (was Booking)\n\n- **Delete:** archives\n']],
    ['Loan, what is deleted: `is archived` (was `is gone`)'],
  ],
  [
    [['### Loan (was Booking)\n', '### Loan (was Booking)\n\n- **Order:** out_on down, number\n']],
    ['Loan, the order of its records: `out_on down, number` is new'],
  ],
  [
    [['### Loan (was Booking)\n', '### Loan (was Booking)\n\n- **Mark:** Late where out_on < today; bad\n']],
    ['Loan, what its records are marked with: `Late where out_on < today; bad` is new'],
  ],
  [
    [['- **Serves:**', '- **Sign-up:** example.org as Clerk\n- **Serves:**']],
    ['who may sign up uninvited: everyone with an address at example.org, as Clerk (was nobody)'],
  ],
  [[['| max_loan_days | 14 |', '| max_loan_days | 21 |']], ['limits.max_loan_days 14 → 21 days, for V-2']],
  [
    [['### Desk board\n', '### My loans\n\n- **Filters:** state, borrower.name\n\n### Desk board\n']],
    ['screen My loans, its filters: `state, borrower.name` is new'],
  ],
  [
    [
      [
        '## 9 Business constants and limits\n',
        '## 9 Business constants and limits\n\n### Later\n\n| Name | Value | Since |\n| --- | --- | --- |\n| grace | 3 | |\n| grace | 5 | 2027-01-01 |\n\n### Numbers\n',
      ],
    ],
    ['limits.grace is new: 3, 5 from 2027-01-01'],
  ],
  [
    [
      [
        '## 9 Business constants and limits\n',
        '## 9 Business constants and limits\n\n### Working time\n\n- **Hours:** 09:00 to 17:00\n\n### Numbers\n',
      ],
    ],
    ['working time is new: Monday, Tuesday, Wednesday, Thursday, Friday, 09:00 to 17:00'],
  ],
  [
    [
      [
        '## 9 Business constants and limits\n',
        '## 9 Business constants and limits\n\n### Working time\n\n- **Hours:** Tuesday, Friday 09:00 to 12:00, Monday 08:00 to 14:30\n\n### Numbers\n',
      ],
    ],
    [
      'working time is new: Monday, Tuesday, Friday, Monday 08:00 to 14:30, Tuesday 09:00 to 12:00, Friday 09:00 to 12:00',
    ],
  ],
  [
    [['| 1 to 60 | Manager |', '| 1 to 90 | fixed |']],
    [
      'limits.max_loan_days, its range: `1 to 90` (was `1 to 60`)',
      'limits.max_loan_days may be changed by nobody (was Manager)',
    ],
  ],
  [
    [['| TBD (Finance) | EUR |', '| 100.00 | EUR |']],
    ['limits.clerk_damage_limit not specified → 100.00 EUR, for Loan take back'],
  ],
  [
    [['`days <= limits.max_loan_days`', '`days < limits.max_loan_days`']],
    ['V-2 must hold `days < limits.max_loan_days` (was `days <= limits.max_loan_days`)'],
  ],
  [
    [['| V-1 | Loan | `due_back > out_on` | due_back | E-DUE-1 |\n', '']],
    ['V-1 is gone: Loan no longer has to hold `due_back > out_on`'],
  ],
  [
    [
      [
        '| Rule | Applies to | Must hold | Field | Error |\n| --- | --- | --- | --- | --- |',
        '| Rule | Applies to | Must hold | Field | Error | Severity |\n| --- | --- | --- | --- | --- | --- |',
      ],
      ['| due_back | E-DUE-1 |', '| due_back | E-DUE-1 | warning |'],
    ],
    ['V-1 is a warning, which may be confirmed (was error)'],
  ],
  [[['| V-3 | Loan line on create |', '| V-3 | Loan line |']], ['V-3 applies on every change (was on create)']],
  [
    [
      [
        '| purpose | long text 500 | | |',
        '| purpose | long text 400 | required when days > 7 | |\n| colour | text 20 | required; min 3 | |',
      ],
    ],
    [
      'Loan has the new field colour: text 20; required; min 3',
      'Loan, what its records are called by: `colour, number` (was `borrower, number`)',
      'Loan.purpose is now `required when days > 7` (was optional)',
      'Loan.purpose, its type: `long text 400` (was `long text 500`)',
    ],
  ],
  [[['| keeper | Person | | Clerk who looks after it |\n', '']], ['Category no longer has the field keeper (Person)']],
  [
    [
      ['| Field | See | Change |\n| --- | --- | --- |', '| Field | See | Change | When |\n| --- | --- | --- | --- |'],
      [
        '| purpose | Borrower, Clerk, Manager | Borrower |',
        '| purpose | Borrower, Clerk, Manager | Borrower | state != Draft |',
      ],
    ],
    ['purpose of Loan may be seen and changed only where `state != Draft` (was: on every record)'],
  ],
  [[['required; unique; pattern AA-9999', 'required; unique']], ['Item.tag: `pattern AA-9999` is gone']],
  [
    [['| Declined | end |', '| Declined | good end |']],
    ['state Declined of Loan is of the kind good end now (was end)'],
  ],
  [
    [['`borrower != me` | set', '`borrower != me and out_on >= today` | set']],
    ['Loan approve is open when `borrower != me and out_on >= today` (was when `borrower != me`)'],
  ],
  [
    [['| Out | Clerk | `out_on <= today` |', '| Out | Clerk | |']],
    ['Loan hand out is no longer bound to a condition (was open when `out_on <= today`)'],
  ],
  [[['| set handed_out_at = now |', '| |']], ['Loan hand out, then: `set handed_out_at = now` is gone']],
  [
    [['- **From:** Out, Overdue', '- **From:** Out']],
    [
      'Loan take back leads Out → Returned (was Out, Overdue → Returned)',
      'Loan in Overdue can go no further: nothing leads out of it any more',
    ],
  ],
  [
    [['`due_back + 1 day` at 08:00', '`due_back + 1 day` at 10:00']],
    ['timer overdue of Loan, at: `due_back + 1 day at 10:00` (was `due_back + 1 day at 08:00`)'],
  ],
  [
    [['| approve | Requested | Approved | Clerk |', '| approve | Requested | Approved | Clerk, Manager |']],
    ['Manager may now approve Loan (was: no)'],
  ],
  [
    [['approve, decline, hand out, take back |', 'approve, decline, take back |']],
    [
      'Clerk may no longer hand out Loan (was: yes)',
      'Loan in Approved can go no further: nothing leads out of it any more',
      'no Loan reaches Out, Overdue, Returned any more',
    ],
  ],
  [
    [
      [
        '| decline | Requested | Declined | Clerk, Manager |',
        '| decline | Requested | Declined | Clerk, Manager, Auditor |',
      ],
    ],
    ['Loan decline, by: `Clerk, Manager, Auditor` (was `Clerk, Manager`): heading 6 lets nobody else'],
  ],
  [
    [
      [
        '| Clerk | yes | yes | `state in (Requested, Approved)` | no |',
        '| Clerk | TBD | `borrower = me` | yes | `state = Draft` |',
      ],
    ],
    [
      'Clerk may no longer see Loan, which is not specified (was: yes)',
      'Clerk may only create Loan when `borrower = me` (was: yes)',
      'Clerk may now change Loan (was: when `state in (Requested, Approved)`)',
      'Clerk may now delete Loan when `state = Draft` (was: no)',
      'Loan in Approved, Overdue can go no further: nothing leads out of it any more',
      'no Loan reaches Approved, Out, Overdue, Returned any more',
    ],
  ],
  [
    [['| Borrower | `borrower = me` | yes |', '| Borrower | `borrower = me or state = Out` | yes |']],
    ['Borrower may see Loan in more cases: when `borrower = me or state = Out` (was: when `borrower = me`)'],
  ],
  [
    [['| purpose | Borrower, Clerk, Manager | Borrower |', '| purpose | Clerk, Manager, Auditor | Borrower |']],
    ['Borrower may no longer see purpose of Loan', 'Auditor may now see purpose of Loan, where it may the record'],
  ],
  [
    [['| Auditor | TBD | |', '| Auditor | appointed by Manager | |']],
    ['role Auditor, who has it: `appointed by Manager` (was `not specified`)'],
  ],
  [
    [
      [
        '| /loans/{number}/slip | Hand-out slip | Clerk, Manager | TBD |',
        '| /slips | Hand-out slip | Manager, Auditor | list of Item |',
      ],
    ],
    [
      'screen Hand-out slip, its address: `/slips` (was `/loans/{number}/slip`)',
      'screen Hand-out slip may now be opened by Auditor, and may no longer be opened by Clerk',
      'screen Hand-out slip shows: `list of Item` (was `not specified`)',
    ],
  ],
  [
    [
      ['- **Timeout:** 10 seconds', '- **Timeout:** 20 seconds\n- **Order:** in order per borrower'],
      ['repeat 6 times', 'repeat 5 times'],
    ],
    [
      'call C-2, its time-out: `20 seconds` (was `10 seconds`)',
      'call C-2, in order per: `borrower` is new',
      'call C-2, its answers: `200, 201: set register_ref = answer.id, 409: stop; report E-REG-1, timeout, 5xx: repeat 5 times within 2 hours; report E-REG-2` (was `200, 201: set register_ref = answer.id, 409: stop; report E-REG-1, timeout, 5xx: repeat 6 times within 2 hours; report E-REG-2`)',
    ],
  ],
  [
    [['| overdue | borrower, Manager |', '| overdue | Manager |']],
    ['mail overdue, to: `Manager` (was `borrower, Manager`)'],
  ],
  [
    [['Choose a later return date.', 'Choose another day.']],
    ['E-DUE-1 advises: `Choose another day.` (was `Choose a later return date.`)'],
  ],
  [
    [['### Loan (was Booking)', '### Loan (was Booking)\n\n- **Face:** facts borrower']],
    ['Loan, what is shown of its records among others: `facts borrower` is new'],
  ],
  [
    [['- **Time zone:** Europe/Berlin', '- **Time zone:** Europe/Paris']],
    ['time zone: `Europe/Paris` (was `Europe/Berlin`)'],
  ],
])('%j is told as %j', (edits, lines) => {
  expect(told(changed(...edits)).sort()).toEqual([...lines].sort())
})

test('what may be read in an emergency, and who sees that it was, is told', () => {
  const after = changed(
    ['## 6 Roles and permissions\n', '## 6 Roles and permissions\n\n- **Read log for:** Auditor\n'],
    [
      '| Role | See | Create | Change | Delete | Do |\n|',
      '| Role | See | Create | Change | Delete | Do | Emergency |\n| --- |',
    ],
    ['| submit |\n', '| submit | `state = Out` |\n'],
  )
  expect(told(after).sort()).toEqual([
    'Borrower may now read Loan in an emergency when `state = Out` (was: no)',
    'who read what, seen by: `Auditor` (was `Manager`)',
  ])
})

test('what a change may lead to, and what it may not for anybody, is told', () => {
  const after = changed(
    [
      '| Role | See | Create | Change | Delete | Do |\n|',
      '| Role | See | Create | Change | Delete | Do | Change to |\n| --- |',
    ],
    ['| submit |\n', '| submit | `state = Out` |\n| never | | | | | | `state = Returned` |\n'],
  )
  expect(told(after).sort()).toEqual([
    'Borrower may now change Loan beyond what Change says when `state = Out` (was: no)',
    'nobody may change Loan to one when `state = Returned` (was: not closed)',
  ])
})

test('the other way round every gain is a loss', () => {
  const after = changed([
    '| Clerk | yes | yes | `state in (Requested, Approved)` | no |',
    '| Clerk | yes | yes | `state in (Requested, Approved)` | yes |',
  ])
  expect(told(after)).toEqual(['Clerk may now delete Loan (was: no)'])
  expect(diffApps(after, before, today).map(({ text }) => text)).toEqual(['Clerk may no longer delete Loan (was: yes)'])
})

test('what is renamed with `was` is the same thing under another name, in every rule that names it', () => {
  const after = changed(
    ['| due_back | date | required | |', '| RENAMED | date | required | |'],
    ['due_back', 'due'],
    ['RENAMED', 'due (was due_back)'],
    ['| Declined | end | |', '| RENAMED | end | |'],
    ['Declined', 'Refused'],
    ['RENAMED', 'Refused (was Declined)'],
  )
  expect(told(after)).toEqual(['Loan.due_back is now called due', 'the state Declined of Loan is now called Refused'])
})

test('a thing that comes or goes whole is told once, with what it brings', () => {
  const after = changed([
    '### Category\n',
    '### Shelf\n\n| Field | Type |\n| --- | --- |\n| name | text 40 |\n| room | text 10 |\n\n### Category\n',
  ])
  expect(told(after)).toEqual(['the entity Shelf is new, with name, room'])
  expect(diffApps(after, before, today).map(({ text }) => text)).toEqual(['the entity Shelf is gone, with name, room'])
})

test('each difference has its place in both documents', () => {
  const after = changed(
    ['# Loan desk\n', '# Loan desk\n\nMoved down.\n'],
    ['| max_loan_days | 14 |', '| max_loan_days | 21 |'],
  )
  const line = (app: App) => {
    const { cell } = app.limits.get('max_loan_days')!
    return position(cell.file, cell.start).line
  }
  const [only] = diffApps(before, after, today)
  expect(position(only!.before!.file, only!.before!.start).line).toBe(line(before))
  expect(position(only!.after!.file, only!.after!.start).line).toBe(line(after))
  expect(line(after)).toBe(line(before) + 2)
})

test('another translation is told once, whatever it translates', () => {
  const german = (words: string): readonly [string, string] => [
    '## 2 Screens',
    `### German\n\n| Text | Translation |\n| --- | --- |\n| Loan | ${words} |\n| Choose a later return date. | Später. |\n\n## 2 Screens`,
  ]
  const languages = ['- **Languages:** English\n', '- **Languages:** English, German\n'] as const
  const [one, other] = [changed(languages, german('Ausleihe')), changed(languages, german('Leihe'))]
  expect(diffApps(one, other, today).map(({ text }) => text)).toEqual(['translations change'])
  expect(diffApps(one, one, today)).toEqual([])
})

test('a constant that gets another value for days that are past acts backwards; others do not', () => {
  const fined = (...rows: readonly string[]) =>
    read({
      'app.md': `# Fines\n\n## 9 Business constants and limits\n\n| Name | Value | Unit | Since |\n| --- | --- | --- | --- |\n${rows
        .map(row => `| fine | ${row} |\n`)
        .join('')}`,
    })
  const one = fined('1.00 | EUR |')
  const backwards = (before: App, after: App) =>
    diffApps(before, after, today).flatMap(({ text }) => (text.includes('backwards') ? [text] : []))
  expect(backwards(one, fined('1.00 | EUR | ', '1.50 | | 2027-01-01'))).toEqual([])
  expect(backwards(one, fined('2.00 | EUR | '))).toEqual([])
  expect(backwards(one, fined('1.00 | EUR | ', '1.50 | | 2026-01-01'))).toEqual([
    'limits.fine acts backwards: from 2026-01-01 on, which is past, it was 1.00 EUR and is 1.50 EUR now',
  ])
  const dated = fined('1.00 | EUR | ', '1.50 | | 2026-01-01')
  expect(backwards(dated, fined('1.10 | EUR | ', '1.50 | | 2026-01-01'))).toEqual([
    'limits.fine acts backwards: on days that are past it was 1.00 EUR and is 1.10 EUR now',
  ])
})

test('effects of one event are known by what they do, whichever row they stand in', () => {
  const rows = [
    '| created | Loan | `days > 3` | set purpose = "long" |',
    '| created | Loan | | set purpose = "short" |',
    '| created | Loan | `days > 7` | send mail new_request |',
  ]
  const effects = (...all: readonly string[]) =>
    changed([
      '#### take back',
      `| On | Of | When | Then |\n| --- | --- | --- | --- |\n${all.join('\n')}\n\n#### take back`,
    ])
  const [long, short, mail] = rows as [string, string, string]
  const between = (one: App, other: App) => diffApps(one, other, today).map(({ text }) => text)
  const all = effects(long, short, mail)
  expect(between(all, effects(short, mail))).toEqual(['on created Loan: set purpose = "long" no longer happens'])
  expect(between(effects(short, mail), all)).toEqual(['on created Loan: set purpose = "long" happens now'])
  expect(between(all, effects(mail, long.replace('> 3', '> 4'), short))).toEqual([
    'on created Loan, row 2, when: `days > 4` (was `days > 3`)',
  ])
  const next = (order: string) => `| created | Loan | | do approve on first(other Loan order by ${order}) |`
  expect(between(effects(next('days')), effects(next('days down')))).toEqual([
    'on created Loan, then: `do approve on first(other Loan order by days down)` (was `do approve on first(other Loan order by days)`)',
  ])
})

test('which fields of rows a form and the pages of a wizard ask for is a difference', () => {
  const desk = (form: string, page: string) =>
    read({
      'app.md': `# Desk

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /order | Order | everyone signed in | form for Order |
| /step-by-step | Step by step | everyone signed in | wizard for Order |

### Order

- **Columns:** ${form}

### Step by step

#### What?

- **Columns:** ${page}

## 3 Entities and their fields

### Order

| Field | Type |
| --- | --- |
| lines | list of Line |

### Line (part of Order)

| Field | Type |
| --- | --- |
| what | text 40 |
| note | text 40 |
`,
    })
  const told = diffApps(desk('lines.what', 'lines'), desk('lines.what, lines.note', 'lines.what'), today)
  expect(told.map(({ text }) => text)).toEqual([
    'screen Order, its columns: `lines.what, lines.note` (was `lines.what`)',
    'screen Step by step, its pages: `What? (lines.what)` (was `What? (lines)`)',
  ])
})

test('roles that nobody may hold both are told of each of the two', () => {
  const roles = '| Role | Who | Meaning |\n| --- | --- | --- |\n'
  const all = ['Borrower | everyone signed in', 'Clerk | appointed by Manager', 'Manager | appointed by Manager']
  const apart = changed(
    [roles, '| Role | Who | Never with | Meaning |\n| --- | --- | --- | --- |\n'],
    ...all.map(row => [`| ${row} |`, `| ${row} | ${row.startsWith('Manager') ? 'Clerk' : ''} |`] as const),
    ['| Auditor | TBD |', '| Auditor | TBD | |'],
  )
  expect(told(apart)).toEqual([
    'role Clerk, roles that nobody may hold beside it: `Manager` is new',
    'role Manager, roles that nobody may hold beside it: `Clerk` is new',
  ])
})
