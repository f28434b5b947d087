/** Nothing is wrong with the document of the tutorial after any of its steps, but for what the page says itself. */
import { expect, test } from 'vitest'
import { readApp } from './index.ts'
import { questionsOf } from './questions/index.ts'
import { firstHour } from './testing-standard.ts'

test('each step checks, and the last one leaves nothing to ask about', () => {
  const said = firstHour().steps.map(text => {
    const { app, found } = readApp('training.md', path => (path === 'training.md' ? text : null))
    const wrong = [...found, ...questionsOf(app!)].filter(({ severity }) => severity !== 'gap')
    return { app, found: wrong.map(({ code }) => code) }
  })
  // "The check warns now that nothing leads to Approved."
  expect(said.map(({ found }) => found)).toEqual([[], ['N1405'], [], [], [], []])
  expect(said.at(-1)!.app!.scenarios).toHaveLength(2)
})
