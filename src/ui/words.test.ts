import { expect, test } from 'vitest'
import { languages, sentence, wordsFor } from './words.ts'

test('no two keys say the same thing in both languages', () => {
  const seen = new Map<string, string>()
  for (const key of Object.keys(languages().en as object)) {
    if (key.startsWith('problem.')) continue
    const both = JSON.stringify([languages().en?.[key], languages().de?.[key]])
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
  expect(wordsFor('ja-JP')('signOut')).toBe('Sign out')
})

test('a parameter is put in once, whatever it contains', () => {
  expect(wordsFor('en-GB')('select', { object: '{object} $& \\' })).toBe('Select {object} $& \\')
})

test('sentence case touches the first letter only', () => {
  expect(sentence('hand out')).toBe('Hand out')
  expect(sentence('')).toBe('')
  expect(sentence('über 1 Jahr')).toBe('Über 1 Jahr')
})
