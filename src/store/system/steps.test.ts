import { expect, test } from 'vitest'
import { systemSteps } from './steps.ts'

test('each step has a number of its own, and none is left out', () => {
  expect(systemSteps.map(({ number }) => number)).toEqual(systemSteps.map((_, index) => index + 1))
})
