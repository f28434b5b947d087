import { expect, test } from 'vitest'
import { completions, nameAt } from './complete.ts'
import { readApp } from './index.ts'
import { loanDeskAlone as text } from './testing.ts'

const { app } = readApp('loan-desk.md', () => text)

/** Completions where `written` ends, put in before a line that begins with `line`. */
function at(line: string, written: string): readonly string[] {
  const place = text.indexOf(line)
  if (place < 0) throw new Error(`There is no line ${line}`)
  const now = `${text.slice(0, place)}${written}\n${text.slice(place)}`
  return completions(app!, now, place + written.length).options.map(({ label }) => label)
}

test('states, roles, steps and errors stand where the columns are for them', () => {
  expect(at('| submit | Draft', '| x | ')).toEqual(expect.arrayContaining(['Draft', 'Returned', 'Clerk']))
  expect(at('| submit | Draft', '| x | Draft | ')).toEqual(expect.arrayContaining(['Requested']))
  expect(at('| submit | Draft', '| x | Draft | ')).not.toContain('Clerk')
  expect(at('| submit | Draft', '| x | Draft | Out | ')).toEqual(
    expect.arrayContaining(['Clerk', 'everyone signed in']),
  )
  expect(at('| V-1 | Loan', '| V-9 | Loan | `days > 1` | due_back | ')).toContain('E-DUE-1')
  expect(at('| Clerk | yes', '| Clerk | yes | no | no | no | ')).toEqual(expect.arrayContaining(['hand out', 'all']))
  expect(at('| purpose | Borrower', '| days | ')).toEqual(expect.arrayContaining(['Clerk', 'Manager']))
})

test('expressions know fields, paths, constants and functions', () => {
  const own = at('| V-1 | Loan', '| V-9 | Loan | `')
  expect(own).toEqual(expect.arrayContaining(['due_back', 'sum(', 'limits.', 'Draft']))
  expect(own).not.toContain('retired_on')
  expect(at('| V-1 | Loan', '| V-9 | Loan line | `item.')).toContain('item.retired_on')
  expect(at('| V-1 | Loan', '| V-9 | Loan | `days < limits.m')).toContain('limits.max_loan_days')
})

test('amounts know the fields and constants that say a currency, and say what these are', () => {
  const fields = (row: string) =>
    `# Desk\n\n## 3 Entities and their fields\n\n### Cost\n\n| Field | Type | Rules |\n| --- | --- | --- |\n${row}| paid_in | choice: EUR, USD | required |\n| size | choice: Small, Large | |\n| shop | Shop | required |\n\n### Shop\n\n| Field | Type | Rules |\n| --- | --- | --- |\n| currency | choice: EUR, JPY | required |\n\n## 9 Business constants and limits\n\n| Name | Value | Meaning |\n| --- | --- | --- |\n| house | "EUR" | Ours |\n| motto | "Be kind" | |\n| most | 4 | |\n`
  const known = readApp('desk.md', () => fields('| paid | money in limits.house | |\n')).app!
  const asked = (row: string) => {
    const now = fields(row)
    return completions(known, now, now.indexOf(row) + row.length).options.map(({ label }) => label)
  }
  expect(asked('| paid | money in ')).toEqual(['paid_in', 'shop.currency', 'limits.house'])
  expect(asked('| paid | money in limits.h')).toContain('limits.house')
  expect(asked('| paid | mon')).toContain('money in field')
  const now = fields('| paid | money in limits.house | |\n')
  expect(nameAt(known, now, now.indexOf('limits.house') + 'limits.ho'.length)).toBe('limits.house')
  expect(nameAt(known, now, now.indexOf('money in') + 1)).toBeNull()
})

test('what is frozen, and clocks that stand, know steps and states', () => {
  expect(at('| purpose |', '| x | text 80 | frozen on ')).toEqual(expect.arrayContaining(['hand out', 'submit']))
  expect(at('| item | Item', '| x | text 80 | frozen on ')).toEqual(expect.arrayContaining(['hand out', 'submit']))
  expect(at('| overdue | Out', '| x | Out; ')).toEqual(expect.arrayContaining(['stands in ', 'Returned']))
})

test('approvals know each other, and whom they may ask', () => {
  const rows = (row: string) => {
    const header = '| Approval | Of | After | Needs | From | Deputy |'
    const table = `${header}\n| --- | --- | --- | --- | --- | --- |\n| manager | approve | | 1 of | Manager | |\n${row}`
    const now = text.replace('| Transition |', `${table}\n\n| Transition |`)
    const known = readApp('loan-desk.md', () => now.replace(`\n${row}`, '')).app!
    return completions(known, now, now.indexOf(row) + row.length).options.map(({ label }) => label)
  }
  expect(rows('| clerk | approve | ')).toEqual(['manager'])
  expect(rows('| clerk | approve | manager | 1 of | ')).toEqual(expect.arrayContaining(['Clerk', 'borrower']))
  expect(rows('| clerk | approve | manager | 1 of | Clerk | ')).toEqual(expect.arrayContaining(['named', 'borrower']))
})

test('acts know what has a name before them in their cell', () => {
  const then = '| x | Draft | Out | Clerk | | '
  const named = at('| submit | Draft', `${then}let most = max(lines.value); for each line in lines: set `)
  expect(named).toEqual(expect.arrayContaining(['most', 'line', 'due_back', 'let <name> = <expression>']))
  expect(at('| submit | Draft', `${then}let most = m`)).not.toContain('most')
  expect(at('| submit | Draft', '| let most = 1; | Draft | Out | Clerk | | set ')).not.toContain('most')
})

test('columns and keys are those of the heading, without those that are there; prose has none', () => {
  expect(at('| Rule | Applies to', '| Rule | ')).toEqual(expect.arrayContaining(['Applies to', 'Must hold']))
  expect(at('| Rule | Applies to', '| Rule | ')).not.toContain('Rule')
  expect(at('- **Time zone:**', '- **')).toEqual(expect.arrayContaining(['Languages', 'Colour']))
  expect(at('A loan is one visit', 'A lo')).toEqual([])
})
