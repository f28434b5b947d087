import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextAttempt } from './attempt.ts'

const start = Date.parse('2026-03-02T09:00:00.000Z')

test('repetitions grow apart and fill the time that the document gives, never more', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 60, max: 200_000 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (times, within, chance) => {
        let now = start
        let last = 0
        for (let attempt = 1; attempt <= times; attempt++) {
          const next = Date.parse(
            nextAttempt(
              { now: () => new Date(now), random: () => chance },
              { attempts: String(attempt), first_at: new Date(start).toISOString() },
              times,
              within,
              null,
            ),
          )
          expect(next).toBeGreaterThan(now)
          if (next - start < within * 1000 - 1000) expect(next - now).toBeGreaterThanOrEqual(last)
          last = next - now
          now = next
        }
        // Each pause is at least a second, however short the time.
        expect(now).toBeLessThanOrEqual(start + within * 1000 + times * 1000)
        expect(now).toBeGreaterThanOrEqual(start + within * 1000)
      },
    ),
    { seed: 9, numRuns: 500 },
  )
})
