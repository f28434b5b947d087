import { expect, test } from 'vitest'
import { spoken } from './speak.ts'

const texts = spoken('test', { done: '{thing} is done by {count}.' }, { done: '{thing} ist von {count} erledigt.' })

test('what is filled in keeps its own direction where text runs from right to left', () => {
  const thing = 'Boiler (mill 1)'
  expect(texts.in('ar')('done', { thing, count: 'Kim' })).toBe(
    '\u2068Boiler (mill 1)\u2069 is done by \u2068Kim\u2069.',
  )
  expect(texts.in('ar')('done', { thing: '12 %', count: 'Kim' })).toContain('12 % is')
  expect(texts.in('en-GB')('done', { thing, count: 'Kim' })).toBe('Boiler (mill 1) is done by Kim.')
})
