/** The documents that were written from the six briefs are clean, as the page beside them says. */
import { expect, test } from 'vitest'
import { loadApp } from '../src/cli/load.ts'
import { pagesIn } from './llms.ts'

const documents = pagesIn('briefs/').filter(path => path !== 'briefs/README.md')

test.each(documents)('nothing is wrong with %s', path => {
  const { found } = loadApp(`docs/${path}`)
  expect(found.filter(({ severity }) => severity === 'error' || severity === 'warning')).toEqual([])
})

test('there are six', () => expect(documents).toHaveLength(6))
