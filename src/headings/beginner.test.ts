/** Mistakes in the form of somebody's first documents: in headings, tables, keys and expressions. */
import { test } from 'vitest'
import { expectOneMessage, type Mistake } from './testing.ts'

const guard = '`out_on <= today` | set'
const rule = '`due_back > out_on`'

const mistakes: readonly Mistake[] = [
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
  ['a comma for `and`', [[guard, '`out_on <= today, purpose is not empty` | set']], 'N0102', ',', 'write `and`'],
  [
    'a number with a comma in a rule',
    [['`days <= limits.max_loan_days`', '`days <= 14,5`']],
    'N0102',
    ',',
    'write `14.5`',
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
    'a key before heading 1',
    [['- **Ninefold:** 1\n', '- **Ninefold:** 1\n- **Languages:** English\n']],
    'N0305',
    'Languages',
    null,
  ],
  ['`||`', [[rule, '`due_back > out_on || purpose is empty`']], 'N0311', '||', 'write `or`'],
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
  ['half a key', [['- **Empty text:**', '- **Empty:**']], 'N0305', 'Empty', 'write `Empty text`'],
  ['`== null`', [[guard, '`purpose == null` | set']], 'N0103', 'null', 'write `is empty`'],
  [
    'a key that is not bold',
    [['- **Time zone:** Europe/Berlin', '- Time zone: Europe/Berlin']],
    'N0320',
    'Time zone',
    'write `**Time zone:**`',
  ],
  ['a misspelt unit', [['`due_back - 2 days` at', '`due_back - 2 dyas` at']], 'N0109', 'dyas', 'write `days`'],
  [
    'working days by another word',
    [['`due_back - 2 days` at', '2 workdays after entering at']],
    'N0109',
    'workdays',
    'write `working days`',
  ],
  ['a misspelt field in a message', [['{item.name} was', '{item.nam} was']], 'N0201', 'nam', 'write `name`'],
  [
    'several states without parentheses',
    [['`borrower = me and state = Draft` | `borrower', '`borrower = me and state in Draft, Requested` | `borrower']],
    'N0102',
    ',',
    'write `(Draft, Requested)`',
  ],
  [
    'a scenario as heading 2',
    [['#### Scenario: a clerk', '## Scenario: a clerk']],
    'N0301',
    'Scenario: a clerk cannot approve her own loan',
    'write `#### Scenario: a clerk cannot approve her own loan`',
  ],
  [
    'a scenario that is misspelt',
    [['#### Scenario: a clerk', '#### Secnario: a clerk']],
    'N1004',
    'Secnario: a clerk cannot approve her own loan',
    'write `Scenario: a clerk cannot approve her own loan`',
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

test.each(mistakes)('%s gives one message at its place, and a fix that cures it', (_, ...mistake) =>
  expectOneMessage(...mistake),
)
