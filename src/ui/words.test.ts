import { expect, test } from 'vitest'
import { languages, sentence, wordsFor } from './words.ts'

const placeholders = (text: unknown) => [...JSON.stringify(text).matchAll(/\{(\w+)\}/g)].map(match => match[1])

test('every language has the same keys, the same parameters and no text left in English by mistake', () => {
  const english = languages.en as Record<string, unknown>
  const same = new Set(['atLeast', 'diagnosticsCounts', 'mailText'])
  for (const [language, table] of Object.entries(languages)) {
    if (language === 'en') continue
    expect(Object.keys(table).sort(), language).toEqual(Object.keys(english).sort())
    for (const [key, text] of Object.entries(table)) {
      expect(new Set(placeholders(text)), key).toEqual(new Set(placeholders(english[key])))
      expect(typeof text, key).toBe(typeof english[key])
      if (!same.has(key)) expect(text, key).not.toEqual(english[key])
    }
  }
})

test('no two keys say the same thing in both languages', () => {
  const seen = new Map<string, string>()
  for (const key of Object.keys(languages.en as object)) {
    if (key.startsWith('problem.')) continue
    const both = JSON.stringify([languages.en?.[key], languages.de?.[key]])
    expect(seen.get(both), key).toBeUndefined()
    seen.set(both, key)
  }
})

test('plural forms and numbers follow the language', () => {
  expect(wordsFor('en-GB')('records', { count: 1 })).toBe('1 record')
  expect(wordsFor('en-GB')('records', { count: 1000 })).toBe('1,000 records')
  expect(wordsFor('de-DE')('records', { count: 1000 })).toBe('1.000 Datensätze')
  expect(wordsFor('de-DE')('records', { count: 0 })).toBe('0 Datensätze')
})

test('a language without words of its own speaks English', () => {
  expect(wordsFor('fr-FR')('signOut')).toBe('Sign out')
})

test('a parameter is put in once, whatever it contains', () => {
  expect(wordsFor('en-GB')('select', { object: '{object} $& \\' })).toBe('Select {object} $& \\')
})

test('sentence case touches the first letter only', () => {
  expect(sentence('hand out')).toBe('Hand out')
  expect(sentence('')).toBe('')
  expect(sentence('über 1 Jahr')).toBe('Über 1 Jahr')
})
