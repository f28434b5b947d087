/** The example that the language was designed with: read whole, and broken in ten deliberate ways. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { position } from '../document/cell.ts'
import { applyFix } from '../document/fix.ts'
import { listGaps, unaccepted } from './gaps/list.ts'
import { readApp } from './index.ts'
import { loanDeskAlone as loanDesk } from './testing.ts'

const seed = readFileSync(new URL('../../examples/seed/specification.md', import.meta.url), 'utf8')
const read = (text: string) => readApp('loan-desk.md', path => (path === 'loan-desk.md' ? text : null))

const placed = (text: string) =>
  read(text).found.map(({ code, severity, span, message, fixes }) => {
    const { line, column } = position(span.file, span.start)
    return { code, severity, at: `${line}:${column}`, message, fixes }
  })

test('the loan desk has nothing to report but its five gaps, each at its place', () => {
  expect(placed(loanDesk).map(({ at, severity }) => `${at} ${severity}`)).toEqual([
    '13:44 gap',
    '22:59 gap',
    '184:13 gap',
    '225:107 gap',
    '248:24 gap',
  ])
})

test('the listing of gaps says place, what follows, and who owes the answer; assumptions are counted apart', () => {
  expect(listGaps(read(loanDesk).app!)).toEqual([
    '5 gaps: left open by the document',
    '  loan-desk.md:13:44    signing in by single sign-on: nobody can sign in that way (IT, before pilot)',
    '  loan-desk.md:22:59    the content of screen Hand-out slip: it shows that it is not decided',
    '  loan-desk.md:184:13   role Auditor: nobody has it',
    '  loan-desk.md:225:107  the body of mail new_request: it is sent with its subject and a link only (Desk, before pilot)',
    '  loan-desk.md:248:24   limit clerk_damage_limit: unknown, so the step take back stays closed where it decides (Finance)',
    '',
    '3 assumptions: say it in the document, or accept it under heading 1 with `- **Assume:** …`',
    '  loan-desk.md:76:5     A-SEE-ITEM: everyone signed in may see Item, because Loan line names it; nobody may create, change or delete one',
    '  loan-desk.md:93:5     A-SEE-CATEGORY: everyone signed in may see Category, because Item names it; nobody may create, change or delete one',
    '  loan-desk.md:182:11   A-PEOPLE-1: whoever may appoint people sees the names and e-mail addresses of all people, because no rows for Person say whom they see',
  ])
})

test('a strict check fails on assumptions until the document accepts them', () => {
  expect(unaccepted(read(loanDesk).app!).map(({ code, severity }) => `${code} ${severity}`)).toEqual([
    'N1003 error',
    'N1003 error',
    'N1003 error',
  ])
  const accepting = loanDesk.replace(
    '- **Languages:** English',
    '- **Languages:** English\n- **Assume:** A-SEE-ITEM, A-PEOPLE-1\n- **Assume:** A-SEE-CATEGORY',
  )
  expect(unaccepted(read(accepting).app!)).toEqual([])
  expect(placed(accepting)).toHaveLength(5)
})

test('the seed document is valid: nine headings, all unspecified, each with what follows', () => {
  const { app, found } = readApp('specification.md', () => seed)
  expect(found.filter(({ severity }) => severity !== 'gap')).toEqual([])
  expect(app!.gaps.map(({ section }) => section)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(listGaps(app!)[3]).toBe('  specification.md:15:1  heading 3, Entities and their fields: nothing is stored')
  expect(app!.assumptions.map(({ name }) => name)).toEqual(['A-ZONE-1', 'A-LANGUAGE-1', 'A-SIGNIN-1'])
})

/** What is written in place of what, the one code that answers, and the column it points to. */
const mistakes: readonly (readonly [what: string, from: string, to: string, code: string, at: string])[] = [
  ['a misspelt field in a rule', '`due_back > out_on` | due_back', '`due_bak > out_on` | due_back', 'N0201', '165:17'],
  ['a wrong column name', '| Rule | Applies to | Must hold |', '| Rule | Applies to | Must be |', 'N0310', '163:23'],
  ['an unknown state', '| submit | Draft |', '| submit | Draught |', 'N1401', '143:12'],
  ['an unknown role', '| /loans | My loans | Borrower |', '| /loans | My loans | Borower |', 'N1601', '19:23'],
  ['`||` for `or`', 'limits.max_value or purpose is not', 'limits.max_value || purpose is not', 'N0311', '168:59'],
  ['a missing error code', '| E-DUE-2 | You can', '| E-DUE-3 | You can', 'N1801', '166:60'],
  ['a field twice', '| days | integer |', '| due_back | date | | |\n| days | integer |', 'N1303', '113:3'],
  ['a rule that the type does not know', 'unique within Loan |', 'unique within Loan; min 1 |', 'N1310', '123:47'],
  [
    'a negative statement about a field that may be empty',
    '`out_on <= today` | set',
    '`approved_by != me` | set',
    'N0251',
    '146:40',
  ],
  ['a wrong type', '| days | integer |', '| days | date |', 'N1318', '113:19'],
  ['an unknown entity', '| category | Category |', '| category | Categry |', 'N1305', '82:14'],
]

for (const [what, from, to, code, at] of mistakes) {
  test(`${what} gives one message at its column, and the first fix cures it`, () => {
    expect(loanDesk).toContain(from)
    const found = placed(loanDesk.replace(from, to)).filter(({ severity }) => severity !== 'gap')
    expect(found.map(({ code, at, message }) => `${code} ${at} ${message}`)).toEqual([
      expect.stringContaining(`${code} ${at} `),
    ])
    const [fix] = found[0]!.fixes
    expect(fix, found[0]!.message).toBeDefined()
    const [cured] = applyFix(fix!).values()
    expect(placed(cured!).filter(({ severity }) => severity === 'error')).toEqual([])
  })
}

test('a mail that tells what those it goes to never see is warned of, whoever it goes to', () => {
  const told = (mail: string, see: string, more = (text: string) => text, accept = '') =>
    read(
      more(
        loanDesk
          .replace('| total_value | Clerk, Manager, Auditor |', `| total_value | ${see} |`)
          .replace(new RegExp(`(\\| ${mail} \\| borrower[^|]*\\|) `), '$1 {total_value}: ')
          .replace(/(## 1 .*\n)/, `$1${accept}`),
      ),
    ).found.flatMap(({ code, message }) => (code.startsWith('N17') ? [`${code} ${message}`] : []))
  const named = (mail: string, who: string) => [
    `N1729 the mail ${mail} tells ${who} \`total_value\` of Loan, which they never see`,
  ]
  expect(told('overdue', 'Clerk')).toEqual(named('overdue', 'Manager'))
  expect(told('overdue', 'Manager')).toEqual([])
  // A person may be any: only what nobody sees is none of theirs.
  expect(told('due_soon', 'Clerk')).toEqual([])
  expect(told('due_soon', 'none')).toEqual(named('due_soon', 'whoever `borrower` names'))
  const instead = (text: string) =>
    text
      .replace('send mail overdue', 'send mail overdue to borrower')
      .replace('| overdue | borrower, Manager |', '| overdue | Manager |')
  expect(told('overdue', 'none', instead)).toEqual(named('overdue', 'Manager, whoever `borrower` names'))
  expect(told('overdue', 'Clerk', undefined, '\n- **Accept:** N1729 overdue\n')).toEqual([])
})
