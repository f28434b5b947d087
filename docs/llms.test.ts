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

test('what a first application needs stands at its beginning, and is read in ten minutes', () => {
  const page = readFileSync(new URL('language/core.md', import.meta.url), 'utf8')
  const first = page.slice(0, page.indexOf('\n## 1 Product\n'))
  // As many words as are read in ten minutes.
  expect(first.split(/\s+/).length).toBeLessThanOrEqual(2300)
  expect(first).toContain('This was the first ten minutes')
})
