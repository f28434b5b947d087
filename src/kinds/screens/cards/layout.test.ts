import { expect, test } from 'vitest'
import { spansOf } from './layout.ts'

const [wide, slim] = [
  { width: null, wide: true },
  { width: null, wide: false },
]
const said = (width: 3 | 4 | 6 | 8 | 12) => ({ width, wide: false })

test('cards that say nothing stand two in a row, the wider one with more room, and the last one alone', () => {
  expect(spansOf([wide, slim, wide, wide, slim])).toEqual([7, 5, 6, 6, 12])
  expect(spansOf([slim, wide])).toEqual([5, 7])
})

test('what is said holds, and another one beside it takes the rest', () => {
  expect(spansOf([said(4), wide, said(12), slim])).toEqual([4, 8, 12, 12])
  expect(spansOf([said(6), said(6), said(3), said(3), said(6)])).toEqual([6, 6, 3, 3, 6])
  expect(spansOf([said(8), said(8)])).toEqual([8, 8])
})
