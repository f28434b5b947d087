import { expect, test } from 'vitest'
import { builtIn, builtInWords } from './problems.ts'

const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(match => match[1]).sort()

test.each(Object.entries(builtIn))('%s is said in German with the same values in it', (code, english) => {
  const german = builtInWords(code, 'de-DE')
  expect(holes(german.message)).toEqual(holes(english.message))
  expect(german.message).not.toBe(english.message)
  expect(german.whatToDo).not.toBe(english.whatToDo)
  expect(german.status).toBe(english.status)
})

test('a language without words of its own speaks English, and an unknown code says that the values do not fit', () => {
  expect(builtInWords('NF-REQUIRED', 'fr')).toBe(builtIn['NF-REQUIRED'])
  expect(builtInWords('NF-NEVER', 'en')).toBe(builtIn['NF-CHECK'])
})
