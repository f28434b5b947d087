import { expect, test } from 'vitest'
import { meantBy, pastedRows } from './pasted.ts'

test.each([
  [
    'a\tb\r\nc\td\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a\tb\nc', [['a', 'b'], ['c']]],
  [
    'a\t\n\tb',
    [
      ['a', ''],
      ['', 'b'],
    ],
  ],
  ['one', [['one']]],
  ['"two\nlines"\t"a ""b"""\tc\n', [['two\nlines', 'a "b"', 'c']]],
  [
    '"open\tb\n"c\td',
    [
      ['"open', 'b'],
      ['"c', 'd'],
    ],
  ],
  ['5"\tb', [['5"', 'b']]],
  ['a\n\nb\n', [['a'], [''], ['b']]],
  ['', [['']]],
])('%j', (text, rows) => {
  expect(pastedRows(text)).toEqual(rows)
})

test('a long text of marks that nothing ends costs its length', () => {
  const rows = pastedRows('"x\t'.repeat(200_000))
  expect(rows[0]).toHaveLength(200_001)
})

test('an option is meant by its whole label, else by a part that no other one has', () => {
  const options = ['Saw · T-1', 'Saw · T-2', 'Plane', 'Plane · T-3'].map(label => ({ label }))
  expect(['saw · t-2', 'T-1', 'Saw', 'plane', 'T', ''].map(text => meantBy(options, text)?.label)).toEqual([
    'Saw · T-2',
    'Saw · T-1',
    undefined,
    'Plane',
    undefined,
    undefined,
  ])
})
