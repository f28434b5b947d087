import { expect, test } from 'vitest'
import { explainPlan } from './explain.ts'

test('a plan without steps says whether that is because nothing is to do, or because nothing can be done', () => {
  const plan = { steps: [], takenOver: [], found: [], from: 'aa49b8818f34' }
  expect(explainPlan({ ...plan, possible: true })).toBe('The database matches the document. Nothing to do.\n')
  expect(explainPlan({ ...plan, possible: false })).toBe('Correct the errors first; until then nothing can be done.\n')
})
