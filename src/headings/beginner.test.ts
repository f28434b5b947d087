/** Mistakes of somebody's first documents: each gives one message at its place, and what its fix writes is right. */
import { expect, test } from 'vitest'
import { applyFix } from '../document/fix.ts'
import { readApp } from './index.ts'
import { loanDeskAlone as loanDesk } from './testing.ts'

function said(text: string) {
  const { found } = readApp('loan-desk.md', path => (path === 'loan-desk.md' ? text : null))
  return found.filter(({ severity }) => severity !== 'gap')
}

type Edit = readonly [string | RegExp, string | ((found: string) => string)]

const guard = '`out_on <= today` | set'
const rule = '`due_back > out_on`'

/** Edits, code, the text at its place, and the title of the first fix; null: it says what to do, and writes nothing. */
const mistakes: readonly (readonly [
  what: string,
  edits: readonly Edit[],
  code: string,
  at: string,
  fix: string | null,
])[] = [
  ['a misspelt column', [['| Transition | From |', '| Transition | Form |']], 'N0310', 'Form', 'write `From`'],
  [
    'headings in another order',
    [[/(## 4 [\s\S]*?)(## 5 [\s\S]*?)(?=## 6 )/, '$2$1']],
    'N0319',
    '4 States and transitions',
    'put it before heading 5',
  ],
  ['a field that there is not', [[rule, '`due_date > out_on`']], 'N0201', 'due_date', null],
  [
    'an `if` without `else`',
    [
      [
        '| purpose | long text 500 | | |',
        '| purpose | long text 500 | | |\n| long | yes/no | = if days > 7 then true | |',
      ],
    ],
    'N0115',
    '',
    null,
  ],
  [
    'a table without its header',
    [['| Rule | Applies to | Must hold | Field | Error |\n', '']],
    'N0314',
    '| --- | --- | --- | --- | --- |',
    null,
  ],
  [
    'a table without its line of dashes',
    [[/(\| Rule \| Applies to \| Must hold \| Field \| Error \|\n)\|[ -|]*\n/, '$1']],
    'N0314',
    '| Rule | Applies to | Must hold | Field | Error |',
    'write a line of dashes below the first line',
  ],
  [
    'two tables without an empty line between them',
    [[/\n\n(\| Transition \| From )/, '\n$1']],
    'N0325',
    '| Transition | From | To | Who | When | Then |',
    'put an empty line between them',
  ],
  [
    'a field with a type that is none, over which a list is filtered',
    [
      ['| purpose | long text 500 |', '| purpose | long txt 500 |'],
      ['## 3 Entities', '### My loans\n\n- **Filters:** state, purpose\n\n## 3 Entities'],
    ],
    'N1305',
    'long txt',
    'write `long text`',
  ],
  ['a misspelt state', [['| hand out | Approved |', '| hand out | Aproved |']], 'N1401', 'Aproved', 'write `Approved`'],
  ['a comma for `and`', [[guard, '`out_on <= today, purpose is not empty` | set']], 'N0102', ',', 'write `and`'],
  [
    'a number with a comma',
    [['| max_loan_days | 14 | days', '| max_loan_days | 14,5 | hours']],
    'N1903',
    '14,5',
    'write `14.5`',
  ],
  [
    'a number with a comma in a rule',
    [['`days <= limits.max_loan_days`', '`days <= 14,5`']],
    'N0102',
    ',',
    'write `14.5`',
  ],
  [
    'a date that reads otherwise elsewhere',
    [['| 2026-03-02 | 2026-03-16 | ok |', '| 03/02/2026 | 2026-03-16 | ok |']],
    'N1009',
    '03/02/2026',
    'write `2026-02-03`',
  ],
  [
    'a role that is not declared',
    [['| approve | Requested | Approved | Clerk |', '| approve | Requested | Approved | Clerk, Librarian |']],
    'N1601',
    'Librarian',
    'add `Librarian` to the roles',
  ],
  [
    'a link to a missing file',
    [['- **Ninefold:** 1', '- **Ninefold:** 1\n- **Part:** [Loans](parts/loans.md)']],
    'N0002',
    'parts/loans.md',
    'take this line out',
  ],
  ['`==`', [[rule, '`due_back == out_on`']], 'N0103', '==', 'write `=`'],
  ['`&&`', [[guard, '`out_on <= today && purpose is not empty` | set']], 'N0103', '&&', 'write `and`'],
  ['`null`', [[guard, '`purpose != null` | set']], 'N0103', 'null', 'write `is not empty`'],
  ['single quotes', [[guard, "`purpose is 'x'` | set"]], 'N0103', "'", 'write `"x"`'],
  ['a label for a name', [[rule, '`Due back > out_on`']], 'N0102', 'back', 'write `due_back`'],
  [
    'a type of a database',
    [['| handed_out_at | date and time |', '| handed_out_at | datetime |']],
    'N1305',
    'datetime',
    'write `date and time`',
  ],
  [
    'choices without a colon',
    [['| due_back | date | required | |', '| due_back | date | required | |\n| sort | choice A, B | | |']],
    'N1305',
    'choice A, B',
    'write `choice: A, B`',
  ],
  [
    'a rule of a database',
    [['| due_back | date | required | |', '| due_back | date | not null | |']],
    'N1306',
    'not null',
    'write `required`',
  ],
  [
    'a comma between two rules',
    [['| approved_by | Person | set by steps only |', '| approved_by | Person | set by steps only, hidden |']],
    'N1306',
    ',',
    'write `;`',
  ],
  [
    'two roles without a comma',
    [['| Declined | Clerk, Manager |', '| Declined | Clerk and Manager |']],
    'N1601',
    'Clerk and Manager',
    'write `Clerk, Manager`',
  ],
  [
    'a step that leads elsewhere: states that follow from the one that it missed are not told',
    [['| approve | Requested | Approved |', '| approve | Requested | Declined |']],
    'N1404',
    'Approved',
    null,
  ],
  [
    'a key before heading 1',
    [['- **Ninefold:** 1\n', '- **Ninefold:** 1\n- **Languages:** English\n']],
    'N0305',
    'Languages',
    null,
  ],
  ['an entity that there is not', [[/(## 4 [^\n]*\n\n)### Loan\n/, '$1### Loans\n']], 'N1301', 'Loans', 'write `Loan`'],
  [
    'an error that there is not',
    [
      ['| due_back | E-DUE-1 |', '| due_back | E-DUE-9 |'],
      [/\n\| E-DUE-1 \|[^\n]*/, ''],
    ],
    'N1801',
    'E-DUE-9',
    'add `E-DUE-9` to the error catalogue',
  ],
  ['`||`', [[rule, '`due_back > out_on || purpose is empty`']], 'N0311', '||', 'write `or`'],
  [
    'an assignment',
    [['| set handed_out_at = now |', '| handed_out_at = now |']],
    'N1411',
    'handed_out_at',
    'write `set handed_out_at = now`',
  ],
  ['a date as at home', [[guard, '`out_on <= 31.12.2026` | set']], 'N0106', '31.12.2026', 'write `2026-12-31`'],
  [
    'a constant without `limits`',
    [['`days <= limits.max_loan_days`', '`days <= max_loan_days`']],
    'N0201',
    'max_loan_days',
    'write `limits.max_loan_days`',
  ],
  [
    'a key without its colon',
    [['- **Time zone:** Europe/Berlin', '- **Time zone** Europe/Berlin']],
    'N0320',
    'Time zone',
    'write `**Time zone:**`',
  ],
  [
    'a cell too many',
    [['`due_back > out_on` | due_back |', '`due_back > out_on` | | due_back |']],
    'N0311',
    '| E-DUE-1 |',
    'take the empty cell out',
  ],
  ['money of no currency', [['| money EUR |', '| money |']], 'N1305', 'money', 'write `money EUR`'],
  [
    'a sign too many',
    [['`days <= limits.max_loan_days`', '`days <= limits.max_loan_days %`']],
    'N0102',
    '%',
    'take out `%`',
  ],
  [
    'a record that an effect creates with a value of another type',
    [
      [
        /(?=## 4 )/,
        '### Fine\n\n| Field | Type | Rules |\n| --- | --- | --- |\n| loan | Loan | required; read-only |\n\n',
      ],
      [
        /(?=## 5 )/,
        '| On | Of | When | Then |\n| --- | --- | --- | --- |\n| created | Loan | | create Fine with loan = borrower |\n\n',
      ],
    ],
    'N0213',
    'borrower',
    null,
  ],
  [
    'a misspelt type',
    [['| purpose | long text 500 |', '| purpose | long txt 500 |']],
    'N1305',
    'long txt',
    'write `long text`',
  ],
  [
    'a cell too few',
    [['`due_back > out_on` | due_back |', '`due_back > out_on` |']],
    'N1304',
    'E-DUE-1',
    'put an empty cell before it',
  ],
  [
    'an order of a database',
    [['- **Sort:** due_back,', '- **Sort:** due_back desc,']],
    'N1205',
    'due_back desc',
    'write `due_back down`',
  ],
  [
    'an order of an address',
    [['- **Sort:** due_back,', '- **Sort:** -due_back,']],
    'N1205',
    '-due_back',
    'write `due_back down`',
  ],
  ['half a key', [['- **Empty text:**', '- **Empty:**']], 'N0305', 'Empty', 'write `Empty text`'],
  ['a range the wrong way round', [['| 1 to 20 |', '| 20 to 1 |']], 'N1904', '20 to 1', 'write `1 to 20`'],
  ['`== null`', [[guard, '`purpose == null` | set']], 'N0103', 'null', 'write `is empty`'],
  [
    'a key that is not bold',
    [['- **Time zone:** Europe/Berlin', '- Time zone: Europe/Berlin']],
    'N0320',
    'Time zone',
    'write `**Time zone:**`',
  ],
  ['a misspelt unit', [['`due_back - 2 days` at', '`due_back - 2 dyas` at']], 'N0109', 'dyas', 'write `days`'],
  ['half a time of day', [['at 08:00 |', 'at 8 |']], 'N1415', '8', 'write `08:00`'],
  ['a misspelt mail', [['| send mail declined |', '| send mail declnied |']], 'N1703', 'declnied', 'write `declined`'],
  ['a misspelt field in a message', [['{item.name} was', '{item.nam} was']], 'N0201', 'nam', 'write `name`'],
  [
    'a misspelt field in an address',
    [['| /loans/{number} |', '| /loans/{nubmer} |']],
    'N1205',
    'nubmer',
    'write `number`',
  ],
  [
    'several states without parentheses',
    [['`borrower = me and state = Draft` | `borrower', '`borrower = me and state in Draft, Requested` | `borrower']],
    'N0102',
    ',',
    'write `(Draft, Requested)`',
  ],
  ['a step that is written twice', [[/(\| hand out \|.*\n)/, '$1$1']], 'N1416', 'hand out', null],
  [
    'a date as at home among examples',
    [['| 2026-03-02 | 2026-03-16 | ok |', '| 02.03.2026 | 2026-03-16 | ok |']],
    'N1009',
    '02.03.2026',
    'write `2026-03-02`',
  ],
  [
    'a date as elsewhere in a scenario',
    [['out_on 2026-03-02, due_back', 'out_on 02/27/2026, due_back']],
    'N1009',
    '02/27/2026',
    'write `2026-02-27`',
  ],
  [
    'a scenario as heading 2',
    [['#### Scenario: a clerk', '## Scenario: a clerk']],
    'N0301',
    'Scenario: a clerk cannot approve her own loan',
    'write `#### Scenario: a clerk cannot approve her own loan`',
  ],
  [
    'a scenario as heading 3',
    [['#### Scenario: a clerk', '### Scenario: a clerk']],
    'N0323',
    'Scenario: a clerk cannot approve her own loan',
    'write `#### Scenario: a clerk cannot approve her own loan`',
  ],
  ['an entity as heading 2', [['### Category\n', '## Category\n']], 'N0301', 'Category', 'write `### Category`'],
  [
    'people under another name',
    [['### Item\n', '### Persons\n\n| Field | Type |\n| --- | --- |\n| phone | text 20 |\n\n### Item\n']],
    'N1301',
    'Persons',
    'write `Person`',
  ],
  [
    'type and rules exchanged',
    [['| name | text 40 | required; unique |', '| name | required; unique | text 40 |']],
    'N0329',
    'required; unique',
    'exchange the two cells',
  ],
  [
    'type and rules exchanged where the type is an entity that a rule is spelled like',
    [['| keeper | Person | |', '| keeper | | Person |']],
    'N0329',
    'Person',
    'exchange the two cells',
  ],
  [
    'type and rules exchanged in a header',
    [
      [
        '| Field | Type | Rules | Meaning |\n| --- | --- | --- | --- |\n| number',
        '| Field | Rules | Type | Meaning |\n| --- | --- | --- | --- |\n| number',
      ],
    ],
    'N0329',
    'Rules',
    'exchange the two columns',
  ],
  [
    'step and person exchanged in a row of a scenario',
    [['| When | Cleo the Clerk | approve L1', '| Cleo the Clerk | When | approve L1']],
    'N0329',
    'Cleo the Clerk',
    'exchange the two cells',
  ],
  [
    'step and person exchanged where nobody is named',
    [['| Then | | `L1.state', '| | Then | `L1.state']],
    'N0329',
    'Then',
    'exchange the two cells',
  ],
  [
    'step and person exchanged in the header of a scenario',
    [['| Step | Who | What | Result |', '| Who | Step | What | Result |']],
    'N0329',
    'Who',
    'exchange the two columns',
  ],
  [
    'name and type exchanged',
    [['| borrower | Person | required;', '| Person | borrower | required;']],
    'N1309',
    'Person',
    'exchange the two cells',
  ],
  [
    'state and kind exchanged',
    [['| Draft | start | |', '| start | Draft | |']],
    'N1410',
    'Draft',
    'exchange the two cells',
  ],
  [
    'role and holder exchanged',
    [['| Borrower | everyone signed in | |', '| everyone signed in | Borrower | |']],
    'N1603',
    'Borrower',
    'exchange the two cells',
  ],
  [
    'a step without its name',
    [['| approve | Requested | Approved |', '| Requested | Approved |']],
    'N1401',
    'Clerk',
    null,
  ],
  ['a role without its holder', [['| Borrower | everyone signed in | |', '| Borrower | |']], 'N1211', 'Borrower', null],
  [
    'a row of a scenario without its person',
    [['| When | Cleo the Clerk | approve L1 | denied |', '| When | approve L1 | denied |']],
    'N1007',
    'denied',
    null,
  ],
  [
    'a row of a scenario without its step',
    [['| When | Cleo the Clerk | approve L1 | denied |', '| Cleo the Clerk | approve L1 | denied |']],
    'N1006',
    'Cleo the Clerk',
    null,
  ],
  [
    'a table pasted from a spreadsheet',
    [
      [
        /\| Rule \| Applies[^#]*/,
        (all: string) =>
          all
            .replace(/^\| ---.*\n/gm, '')
            .replace(/^\| | \|$/gm, '')
            .replace(/ \| ?/g, '\t'),
      ],
    ],
    'N0326',
    'Rule\tApplies to\tMust hold\tField\tError',
    'write it with bars',
  ],
  [
    'a table in a code block',
    [[/\| Rule \| Applies[^#]*/, '```\n$&```\n\n']],
    'N0326',
    '| Rule | Applies to | Must hold | Field | Error |',
    'put it at the beginning of the line',
  ],
  ['an entity as heading 4', [['### Item\n', '#### Item\n']], 'N0327', '#### Item', 'write `### Item`'],
  ['a step as heading 3', [['#### take back', '### take back']], 'N0327', '### take back', 'write `#### take back`'],
  [
    'a step as heading 5',
    [['#### take back', '##### take back']],
    'N0327',
    '##### take back',
    'write `#### take back`',
  ],
  [
    'a word before the name of an entity',
    [['### Item\n', '### Entity: Item\n']],
    'N0327',
    'Entity: Item',
    'write `Item`',
  ],
  ['everything a level too low', [[/^(#+) /gm, '#$1 ']], 'N0301', 'Loan desk', 'take one `#` out of every heading'],
  [
    'a heading in German',
    [['## 5 Validation rules', '## Validierungsregeln']],
    'N0301',
    'Validierungsregeln',
    'write `5 Validation rules`',
  ],
  [
    'two rows in one line',
    [['| E-DUE-1 |\n| V-2', '| E-DUE-1 | V-2']],
    'N0311',
    '| V-2 | Loan | `days <= limits.max_loan_days` | due_back | E-DUE-2 |',
    'begin a new row there',
  ],
  [
    'a line of equals signs for dashes',
    [[/(\| Error \|\n)\| --- \| --- \| --- \| --- \| --- \|/, '$1| === | === | === | === | === |']],
    'N0314',
    '| Rule | Applies to | Must hold | Field | Error |',
    'write a line of dashes below the first line',
  ],
  [
    'a parameter of a route as frameworks write it',
    [['/loans/{number} |', '/loans/:number |']],
    'N1203',
    '/loans/:number',
    'write `{number}`',
  ],
  [
    'rules parted by line breaks',
    [
      ['default me; read-only after', 'default me<br>read-only after'],
      ['| required; default me', '| required<br>default me'],
    ],
    'N1306',
    'required<br>default me<br>read-only after create',
    'write `required; default me; read-only after create`',
  ],
  [
    'a rule in German',
    [['| due_back | date | required |', '| due_back | date | Pflichtfeld |']],
    'N1306',
    'Pflichtfeld',
    'write `required`',
  ],
  ['a bound as a comparison', [['required; min 0 |', 'required; >= 0 |']], 'N1306', '>= 0', 'write `min 0`'],
  [
    'a rule that nobody needs',
    [['| due_back | date | required |', '| due_back | date | optional |']],
    'N1306',
    'optional',
    'take it out',
  ],
  [
    'a calculation without its sign',
    [['= due_back - out_on', 'due_back - out_on']],
    'N1306',
    'due_back - out_on',
    'write `= due_back - out_on`',
  ],
  [
    'roles parted by a semicolon',
    [['| Clerk, Manager | | send', '| Clerk; Manager | | send']],
    'N1601',
    'Clerk; Manager',
    'write `Clerk, Manager`',
  ],
  ['a range with a dash', [['| 1 to 60 |', '| 1–60 |']], 'N1904', '1–60', 'write `1 to 60`'],
  [
    'an amount as in Germany',
    [['| max_value | 5000.00 |', '| max_value | 5.000,00 € |']],
    'N1903',
    '5.000,00 €',
    'write `5000.00`',
  ],
  ['a time of day as it is spoken', [['at 08:00 |', 'at 8 Uhr |']], 'N1415', '8 Uhr', 'write `08:00`'],
  [
    'a name in camel case',
    [['| due_back | date | required |', '| dueBack | date | required |']],
    'N1309',
    'dueBack',
    'write `due_back`',
  ],
  [
    'two roles whose names differ in capitals',
    [['| Auditor | TBD | |', '| Auditor | TBD | |\n| clerk | appointed by Manager | |']],
    'N1602',
    'clerk',
    'take out this row',
  ],
  [
    'acts parted by a comma',
    [['set returned_at = now; call C-2', 'set returned_at = now, call C-2']],
    'N1411',
    ',',
    'write `;`',
  ],
  [
    'acts parted by a word',
    [['set returned_at = now; call C-2', 'set returned_at = now and call C-2']],
    'N1411',
    'and',
    'write `;`',
  ],
  [
    'a value set in words',
    [['| set handed_out_at = now', '| set handed_out_at to now']],
    'N1411',
    'handed_out_at to now',
    'write `handed_out_at = now`',
  ],
  [
    'states as a list',
    [
      [
        /\| State \| Kind \| Meaning \|\n(?:\|.*\n)*/,
        '- Draft\n- Requested\n- Approved\n- Out\n- Overdue\n- Returned\n- Declined\n',
      ],
    ],
    'N0330',
    '- Draft',
    'write it as a table',
  ],
  [
    'fields as a list',
    [
      [
        /\| Field \| Type \| Rules \| Meaning \|\n.*\n\| name \| text 40.*\n.*\n/,
        '- name: text 40, required, unique\n- shelf: integer, min 1\n- keeper: Person\n',
      ],
    ],
    'N0330',
    '- name: text 40, required, unique',
    'write it as a table',
  ],
  [
    'roles as a list',
    [[/\| Role \| Who \| Meaning \|\n(?:\|.*\n)*/, '- Borrower: everyone signed in\n- Clerk\n- Manager\n- Auditor\n']],
    'N0330',
    '- Borrower: everyone signed in',
    'write it as a table',
  ],
  [
    'constants as a list',
    [
      [
        /\| Name \| Value \| Unit .*\n(?:\|.*\n)*/,
        '- max_loan_days: 14 days\n- max_items: 6 items\n- max_value: 5000.00 EUR\n- clerk_damage_limit: TBD\n',
      ],
    ],
    'N0330',
    '- max_loan_days: 14 days',
    'write it as a table',
  ],
  [
    'a field without a type that much reads',
    [['| borrower | Person | required;', '| borrower | | required;']],
    'N0213',
    'me',
    null,
  ],
]

test.each(mistakes)('%s gives one message at its place, and a fix that cures it', (_, edits, code, at, title) => {
  const text = edits.reduce((all, [old, now]) => {
    expect(all.search(old instanceof RegExp ? old : old.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))).toBeGreaterThanOrEqual(
      0,
    )
    return all.replace(old, now as string)
  }, loanDesk)
  const found = said(text)
  expect(found.map(one => [one.code, one.span.file.text.slice(one.span.start, one.span.end)])).toEqual([[code, at]])
  const [fix] = found[0]!.fixes
  expect(fix?.title ?? null).toBe(title)
  if (fix === undefined) expect(found[0]!.help).not.toBeNull()
  else {
    const [mended] = applyFix(fix).values()
    expect(said(mended!).filter(({ severity }) => severity === 'error')).toEqual([])
  }
})
