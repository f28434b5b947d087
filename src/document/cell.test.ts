import { expect, test } from 'vitest'
import { after, cellAt, link, position, renamed, slice, splitAt, splitCell, within, words } from './cell.ts'
import type { Cell, Span } from './source.ts'

const cell = (text: string): Cell => cellAt({ path: 'a.md', text }, 0, text.length)
const source = ({ file, start, end }: Span) => file.text.slice(start, end)
const texts = (cells: readonly Cell[]) => cells.map(({ text }) => text)

test('a cell is trimmed, its escaped bars are bars, and a code span that covers it is taken off', () => {
  expect(cell('  a \\| b  ').text).toBe('a | b')
  expect(cell(' ` a \\| b ` ')).toMatchObject({ text: 'a | b', start: 3, end: 9 })
  expect(cell('`` a`b ``').text).toBe('a`b')
  expect(cell('`a` or `b`').text).toBe('`a` or `b`')
  expect(cell('`a').text).toBe('`a')
  expect(cell('``').text).toBe('``')
  expect(cell('').text).toBe('')
})

test('a backslash before anything but a bar stays, and two backslashes do not escape a bar', () => {
  expect(cell('a \\_ b').text).toBe('a \\_ b')
  expect(cell('a \\\\| b').text).toBe('a \\\\| b')
  expect(cell('a \\\\\\| b').text).toBe('a \\\\| b')
})

test('a place behind escaped bars is exact to the column', () => {
  const found = cell('| x \\| y \\|\\| zed'.slice(2))
  expect(found.text).toBe('x | y || zed')
  const at = found.text.indexOf('zed')
  expect(source(within(found, at, at + 3))).toBe('zed')
  expect(source(within(found, 2, 3))).toBe('\\|')
  expect(source(within(found, 2, 8))).toBe('\\| y \\|\\|')
  expect(source(within(found, 3, 4))).toBe(' ')
  const piece = slice(found, 4)
  expect(piece).toMatchObject({ text: 'y || zed', gaps: [2, 3] })
  expect(source(within(piece, 5, 8))).toBe('zed')
})

test('lines end with LF, CR LF or CR, and columns begin at 1', () => {
  const file = { path: 'a.md', text: 'a\nbc\r\nd\re\u2028f' }
  expect(position(file, 0)).toEqual({ line: 1, column: 1 })
  expect(position(file, 1)).toEqual({ line: 1, column: 2 })
  expect(position(file, 3)).toEqual({ line: 2, column: 2 })
  expect(position(file, 6)).toEqual({ line: 3, column: 1 })
  expect(position(file, 8)).toEqual({ line: 4, column: 1 })
  expect(position(file, 10)).toEqual({ line: 4, column: 3 })
  expect(position(file, 999)).toEqual({ line: 4, column: 4 })
  expect(position({ path: 'b.md', text: '' }, 0)).toEqual({ line: 1, column: 1 })
})

test('a list is split only where its separator stands outside quotes, code and brackets', () => {
  expect(texts(splitCell(cell('Draft, Out ,`Over, due`'), ','))).toEqual(['Draft', 'Out', 'Over, due'])
  expect(texts(splitCell(cell('min(a, b), "c, d", [e, f], {g, h}'), ','))).toEqual([
    'min(a, b)',
    '"c, d"',
    '[e, f]',
    '{g, h}',
  ])
  expect(texts(splitCell(cell('required; pattern [;]; = a "b'), ';'))).toEqual(['required', 'pattern [;]', '= a "b'])
  expect(texts(splitCell(cell('a, (b, c'), ','))).toEqual(['a', '(b', 'c'])
  expect(texts(splitCell(cell('f((a, b), c), d'), ','))).toEqual(['f((a, b), c)', 'd'])
  expect(texts(splitCell(cell('a), b'), ','))).toEqual(['a)', 'b'])
})

test('an empty list has no pieces, a separator at the end makes none, one in the middle does', () => {
  expect(splitCell(cell('  '), ',')).toEqual([])
  expect(texts(splitCell(cell('a;'), ';'))).toEqual(['a'])
  expect(texts(splitCell(cell('a,,b'), ','))).toEqual(['a', '', 'b'])
})

test('pieces keep their places', () => {
  for (const piece of splitCell(cell('one \\| 1;  `two \\| 2` ; three'), ';'))
    expect(source(piece).replaceAll('\\|', '|')).toBe(piece.text)
})

test('what follows a leading phrase is found by whole words', () => {
  expect(after(cell('list of  Loan line'), 'list of')?.text).toBe('Loan line')
  expect(after(cell('List  Of Loan'), 'list of')?.text).toBe('Loan')
  expect(after(cell('listof Loan'), 'list of')).toBeNull()
  expect(after(cell('minimum 3'), 'min')).toBeNull()
  expect(after(cell('min'), 'min')?.text).toBe('')
  expect(source(after(cell('a \\| b c'), 'a |')!)).toBe('b c')
})

test('a cell is split at a word that stands outside quotes and brackets', () => {
  const parts = splitAt(cell('`due_back - 2 days` at 09:00'), 'at')
  expect([parts?.before.text, parts?.after.text]).toEqual(['due_back - 2 days', '09:00'])
  expect(splitAt(cell('"look at" (at home) that'), 'at')).toBeNull()
})

test('words keep their places', () => {
  expect(words(cell(' a  \\|b '))).toMatchObject([{ text: 'a' }, { text: '|b', start: 4, end: 7 }])
})

test('a link has a text and a target', () => {
  const found = link(cell('[Loans](parts/loans.md)'))
  expect([found?.text.text, found?.target.text]).toEqual(['Loans', 'parts/loans.md'])
  expect(source(found!.target)).toBe('parts/loans.md')
  expect(link(cell('[a](<my parts/a.md> "Title")'))?.target.text).toBe('my parts/a.md')
  expect(link(cell('[a]( b.md )'))?.target.text).toBe('b.md')
  for (const text of ['parts/loans.md', '[a]', '[a](b', '[a](b c)', 'see [a](b)', '[a](b) more'])
    expect(link(cell(text))).toBeNull()
})

test('a rename names what was before', () => {
  const found = renamed(cell('due_back (was `return_by`)'))
  expect([found.name.text, found.was?.text]).toEqual(['due_back', 'return_by'])
  expect(source(found.was!)).toBe('return_by')
  for (const text of ['due_back', 'due_back (wasp)', '(was x)', 'due (was x) back'])
    expect(renamed(cell(text))).toMatchObject({ name: { text }, was: null })
})
