import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { llmsText, pagesIn, tokensOf } from './llms.ts'

const text = readFileSync(new URL('llms.txt', import.meta.url), 'utf8')

test('llms.txt names every page, as they are', () => {
  expect(text).toBe(llmsText())
  for (const page of [...pagesIn(''), ...pagesIn('language/')]) expect(text).toContain(`](${page}): `)
})

test('the language in one page is read in one go', () => {
  expect(tokensOf('language/core.md')).toBeLessThanOrEqual(12_000)
})
