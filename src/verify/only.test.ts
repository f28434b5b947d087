import { expect, test } from 'vitest'
import { loanDesk, readSound } from '../run/testing.ts'
import { headingOf, onlyOf, sumsOf, wants } from './only.ts'

const app = readSound(loanDesk)

test('a part is a heading by its number, or an entity by its name or key', () => {
  expect(onlyOf(app, '6')).toEqual({ heading: 6 })
  expect(onlyOf(app, 'Loan line')).toEqual({ entity: 'loan_line' })
  expect(onlyOf(app, 'loan_line')).toEqual({ entity: 'loan_line' })
  expect(onlyOf(app, '10')).toBe(null)
  expect(onlyOf(app, 'Boat')).toBe(null)
})

test('what is wanted of it', () => {
  expect(wants(null, [2])).toBe(true)
  expect(wants({ heading: 5 }, [3, 5])).toBe(true)
  expect(wants({ heading: 2 }, [3, 5])).toBe(false)
  expect(wants({ entity: 'loan' }, [5], 'loan')).toBe(true)
  expect(wants({ entity: 'loan' }, [2])).toBe(false)
})

test('lines are summed up under the headings that their cells stand under', () => {
  const rule = app.rules[0]!.cell
  const access = app.access.get('loan')!.cell
  expect([headingOf(app, rule), headingOf(app, access)]).toEqual([5, 6])
  expect(
    sumsOf(app, [
      { cell: access, passed: true },
      { cell: rule, passed: false },
      { cell: access, passed: true, untried: true },
    ]),
  ).toEqual([
    { heading: 5, passed: 0, failed: 1, untried: 0 },
    { heading: 6, passed: 1, failed: 0, untried: 1 },
  ])
})
