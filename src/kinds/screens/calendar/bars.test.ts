import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Span, weekOfBars } from './bars.ts'

const days = Array.from({ length: 7 }, (_, at) => `2026-11-${String(16 + at)}`)
const span = (first: number, last: number): Span => ({ first: `2026-11-${first}`, last: `2026-11-${last}` })

test('a span is one bar in each week, cut where the week ends; of what begins together the longest lies first', () => {
  const [begun, short, long, later] = [span(10, 17), span(18, 18), span(18, 30), span(19, 19)]
  const { bars, left } = weekOfBars(days, [begun, short, long, later, span(10, 12), span(23, 24)], 3)
  expect(bars).toEqual([
    { of: begun, column: 0, days: 2, level: 0, begun: true, goesOn: false },
    { of: long, column: 2, days: 5, level: 0, begun: false, goesOn: true },
    { of: short, column: 2, days: 1, level: 1, begun: false, goesOn: false },
    { of: later, column: 3, days: 1, level: 1, begun: false, goesOn: false },
  ])
  expect(left).toEqual([0, 0, 0, 0, 0, 0, 0])
})

test('what has no place is counted on each of its days, and no two bars lie over each other', () => {
  const some = fc.array(fc.tuple(fc.integer({ min: 10, max: 28 }), fc.nat({ max: 9 })), { maxLength: 30 })
  fc.assert(
    fc.property(some, fc.integer({ min: 1, max: 4 }), (all, levels) => {
      const spans = all
        .map(([first, more]) => span(first, Math.min(first + more, 30)))
        .toSorted((a, b) => a.first.localeCompare(b.first))
      const { bars, left } = weekOfBars(days, spans, levels)
      days.forEach((day, at) => {
        const here = bars.filter(({ column, days: length }) => column <= at && at < column + length)
        expect(new Set(here.map(({ level }) => level)).size).toBe(here.length)
        expect(here.length + left[at]!).toBe(spans.filter(({ first, last }) => first <= day && day <= last).length)
      })
      for (const { level } of bars) expect(level).toBeLessThan(levels)
    }),
  )
})
