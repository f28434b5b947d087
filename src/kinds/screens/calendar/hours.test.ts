import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Hours } from '../days/placed.ts'
import { dayOfSlots, mostLanes, shownHours } from './hours.ts'

const at = (from: number, until: number): Hours => ({ from: from * 60, until: until * 60 })

test('what is at the same time stands beside each other, what follows takes the whole width again', () => {
  const [early, beside, late, point] = [at(9, 11), at(10, 12), at(12, 13), at(14.25, 14.25)]
  expect(dayOfSlots([late, point, beside, early], 8 * 60)).toEqual([
    { of: early, row: 2, rows: 4, lane: 0, lanes: 2 },
    { of: beside, row: 4, rows: 4, lane: 1, lanes: 2 },
    { of: late, row: 8, rows: 2, lane: 0, lanes: 1 },
    { of: point, row: 12, rows: 1, lane: 0, lanes: 1 },
  ])
})

test('the hours that are shown are working hours, and what lies outside of them', () => {
  expect(shownHours([])).toEqual(at(8, 18))
  expect(shownHours([at(6.5, 7), at(20, 23.75)])).toEqual(at(6, 24))
})

test('all are there, within the day, and none lies over another while there are lanes', () => {
  const some = fc.array(fc.tuple(fc.nat({ max: 46 }), fc.integer({ min: 1, max: 6 })), { maxLength: 14 })
  fc.assert(
    fc.property(some, all => {
      const given = all.map(([from, length]) => ({ from: from * 30, until: Math.min((from + length) * 30, 24 * 60) }))
      const slots = dayOfSlots(given, 0)
      expect(slots).toHaveLength(given.length)
      for (const [index, one] of slots.entries()) {
        expect(one.lane).toBeLessThan(one.lanes)
        for (const other of slots.slice(index + 1)) {
          const isApart = one.row + one.rows <= other.row || other.row + other.rows <= one.row
          if (!isApart && one.lanes < mostLanes) expect([one.lane, one.lanes]).not.toEqual([other.lane, other.lanes])
        }
      }
    }),
  )
})
