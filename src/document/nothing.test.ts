import { expect, test } from 'vitest'
import { cellAt } from './cell.ts'
import { leftOpen, nothing } from './nothing.ts'

const cell = (text: string) => cellAt({ path: 'a.md', text }, 0, text.length)

test.each(['none', 'None', 'no', 'NO', '–', '-', '—', ' `none` '])('%s is explicitly nothing', text => {
  expect(nothing(cell(text))).toBe('none')
})

test.each(['', '   '])('an empty cell is neither explicit nor unspecified', text => {
  expect(nothing(cell(text))).toBe('empty')
})

test.each([
  ['TBD', null, null],
  ['tbd.', null, null],
  ['not shown.', null, null],
  ['Not shown', null, null],
  ['unspecified', null, null],
  ['to be decided', null, null],
  ['?', null, null],
  ['TBD (Finance)', 'Finance', null],
  ['TBD (IT, before pilot)', 'IT', 'before pilot'],
  ['? (, soon, or later)', null, 'soon, or later'],
  ['to be decided (Anna).', 'Anna', null],
  ['TBD ()', null, null],
  ['TBD (Council, question (e))', 'Council', 'question (e)'],
])('%s is unspecified', (text, owner, note) => {
  expect(nothing(cell(text))).toEqual({ unspecified: true, owner, note })
})

test.each(['nobody', 'no one', 'TBDs', 'not shown here', 'TBD or 14', '0', '??', 'TBD (a) b', '--'])(
  '%s is something',
  text => {
    expect(nothing(cell(text))).toBeNull()
  },
)

test('the end of something may be left open', () => {
  const found = leftOpen(cell('single sign-on TBD (IT, before pilot)'))
  expect(found).toMatchObject({ what: { text: 'single sign-on' }, place: { start: 15 }, by: { owner: 'IT' } })
  expect(leftOpen(cell('sign-on TBD (IT (pilot))'))).toMatchObject({ by: { owner: 'IT (pilot)' } })
  expect(leftOpen(cell('TBD'))).toBeNull()
  expect(leftOpen(cell('notTBD'))).toBeNull()
  expect(leftOpen(cell('single sign-on'))).toBeNull()
})
