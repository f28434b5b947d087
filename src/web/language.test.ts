import { expect, test } from 'vitest'
import { acceptedLanguages } from './language.ts'

test.each([
  ['de', ['de']],
  ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.85, *;q=0.5', ['fr-ch', 'fr', 'de', 'en']],
  ['de;q=0, en', ['en']],
  ['<script>, ;;;, de;q=x, a', []],
  [undefined, []],
])('Accept-Language %s', (header, languages) => {
  expect(acceptedLanguages(header)).toEqual(languages)
})
