/** Negative statements over what may be empty: what is asked about, with which cures, and what needs no asking. */
import { expect, test } from 'vitest'
import { readExpression } from './read.ts'
import { cellOf, loanScope as scope, told } from './testing.ts'

test.each<[string, string, ...string[]]>([
  [
    'keeper != me',
    '`keeper`',
    'keeper is not me',
    'keeper is not empty and keeper != me',
    'keeper is empty or keeper != me',
  ],
  [
    'done and keeper != me',
    '`keeper`',
    'done and keeper is not me',
    'done and keeper is not empty and keeper != me',
    'done and (keeper is empty or keeper != me)',
  ],
  [
    'done or keeper != me',
    '`keeper`',
    'done or keeper is not me',
    'done or (keeper is not empty and keeper != me)',
    'done or keeper is empty or keeper != me',
  ],
  [
    'not (keeper = me)',
    '`keeper`',
    'not (keeper is me)',
    'keeper is not empty and not (keeper = me)',
    'keeper is empty or not (keeper = me)',
  ],
  [
    'not damaged',
    '`damaged`',
    'not damaged is true',
    'damaged is not empty and not damaged',
    'damaged is empty or not damaged',
  ],
  [
    'ratio not in (1, 2)',
    '`ratio`',
    'ratio is not empty and ratio not in (1, 2)',
    'ratio is empty or ratio not in (1, 2)',
  ],
  [
    'purpose not contains "x"',
    '`purpose`',
    'purpose is not empty and purpose not contains "x"',
    'purpose is empty or purpose not contains "x"',
  ],
  [
    'not (done and ratio > 3)',
    '`ratio`',
    'not (done and (ratio is empty or ratio > 3))',
    'not (done and (ratio is not empty and ratio > 3))',
  ],
  [
    'keeper.manager != me',
    '`keeper.manager`',
    'keeper.manager is not me',
    'keeper.manager is not empty and keeper.manager != me',
    'keeper.manager is empty or keeper.manager != me',
  ],
  [
    'days != 7 / number',
    '`7 / number`',
    'days is not 7 / number',
    '7 / number is not empty and days != 7 / number',
    '7 / number is empty or days != 7 / number',
  ],
  [
    '(keeper != me) = done',
    '`keeper`',
    '(keeper is not me) = done',
    '(keeper is not empty and (keeper != me)) = done',
    '(keeper is empty or (keeper != me)) = done',
  ],
  [
    'any(lines where this.keeper != me)',
    '`this.keeper`',
    'any(lines where this.keeper is not me)',
    'any(lines where this.keeper is not empty and this.keeper != me)',
    'any(lines where this.keeper is empty or this.keeper != me)',
  ],
])('%s', (text, name, ...cures) => {
  const { found } = readExpression(cellOf(text), scope)
  expect(found.map(one => `${one.code} ${one.message}`)).toEqual([
    `N0251 ${name} may be empty, and this does not say what happens then`,
  ])
  const applied = found[0]!.fixes.map(({ edits: [edit] }) =>
    [text.slice(0, edit!.span.start), edit!.text, text.slice(edit!.span.end)].join(''),
  )
  expect(applied).toEqual(cures)
  for (const cure of cures) expect(told(cure)).toEqual([])
})

test.each([
  'borrower != me',
  'keeper is not me',
  'keeper is not empty and keeper != me',
  'keeper != me and keeper is not empty',
  'keeper is empty or keeper != me',
  'not (keeper is empty) and keeper != me',
  'if keeper is not empty then keeper != me else done',
  'if keeper is empty then done else keeper != me',
  'keeper is borrower and keeper != me',
  'keeper.manager is not empty and keeper != me',
  'keeper is not empty and any(lines where this.keeper != me)',
  'coalesce(ratio, 0) != 3',
  'due_back != out_on + 14',
  'not done',
  'not (keeper is empty)',
  'state not in (Draft, Out)',
  'all(lines where not damaged)',
  'not not (keeper = me)',
  'if keeper = me then done else not done',
  'days != 7 / 2',
  'days != limits.open',
  'days != round(number * limits.open)',
  'number not in (1, limits.open)',
  'not limits.undecided',
])('nothing to ask about: %s', text => {
  expect(told(text)).toEqual([])
})
