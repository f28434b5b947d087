import { expect, test } from 'vitest'
import { explainPlan } from './explain.ts'

test('a plan without steps says whether that is because nothing is to do, or because nothing can be done', () => {
  const plan = { steps: [], found: [], from: 'aa49b8818f34' }
  expect(explainPlan({ ...plan, possible: true })).toBe('The database is as the document wants it. Nothing to do.\n')
  expect(explainPlan({ ...plan, possible: false })).toBe('Nothing can be done before the errors are corrected.\n')
})
