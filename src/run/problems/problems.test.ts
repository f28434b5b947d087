import { expect, test } from 'vitest'
import { fillHoles, holesOf } from '../../expression/holes.ts'
import { readTemplate } from '../../expression/read.ts'
import { cellOf, schemaOf, scopeOf } from '../../expression/testing.ts'
import { builtIn } from '../../headings/8-errors/built-in.ts'
import { builtInWords } from './problems.ts'
import { render } from './raise.ts'
import { shownValue } from './shown.ts'

const holes = (text: string) => [...new Set(holesOf(text))].sort()

test.each(Object.entries(builtIn))('%s is said in German with the same values in it', (code, english) => {
  const german = builtInWords(code, 'de-DE')
  expect(holes(german.message)).toEqual(holes(english.message))
  expect(german.message).not.toBe(english.message)
  expect(german.whatToDo).not.toBe(english.whatToDo)
  expect(german.status).toBe(english.status)
})

test('a language without words of its own speaks English, and an unknown code says that the values do not fit', () => {
  expect(builtInWords('NF-REQUIRED', 'ja')).toBe(builtIn['NF-REQUIRED'])
  expect(builtInWords('NF-NEVER', 'en')).toBe(builtIn['NF-CHECK'])
})

test.each([
  ['en', 1, 'Days must have at most 1 decimal; this has 3.'],
  ['en', 2, 'Days must have at most 2 decimals; this has 3.'],
  ['de', 1, 'Days darf höchstens 1 Nachkommastelle haben; dies hat 3.'],
])('numbers in refusals have the right word: %s, %i', (language, scale, text) => {
  const { message } = builtInWords('NF-DECIMALS', language)
  expect(fillHoles(message, { label: 'Days', scale, found: 3 }, language)).toBe(text)
})

test('what is not known stays as it is written', () => {
  // As many words as the language has forms: Polish says one for 2 to 4, and another for 5; Japanese has one for all.
  const forms = (language: string, text: string) => [1, 2, 5, 22].map(n => fillHoles(text, { n }, language)).join(' ')
  expect(forms('pl', '{n|plik|pliki|plików}')).toBe('plik pliki plików pliki')
  expect(forms('pl', '{n|plik|pliki}')).toBe('plik pliki pliki pliki')
  expect(forms('ja', '{n|one|other}')).toBe('other other other other')
  expect(fillHoles('{label} {other|a|b} {n|one|many}', { label: '{n}', n: 1 }, 'en')).toBe('{n} {other|a|b} one')
})

test.each([
  ['clock', 'PT5400S', '1:30', '1:30'],
  ['clock', '-PT45S', '-0:00:45', '-0:00:45'],
  ['calendar', 'P0M3D', '3 days', '3 Tage'],
  ['calendar', 'P24M0D', '2 years', '2 Jahre'],
] as const)('a length of time is said as people read it: %s, %s', (of, wire, english, german) => {
  const type = { kind: 'duration', of } as const
  expect(['en', 'de'].map(language => shownValue(wire, type, language, 'UTC'))).toEqual([english, german])
})

test('a constant of hours reads in messages as it is written', () => {
  const duration = { kind: 'duration', of: 'clock' } as const
  const limits = new Map([['grace', { type: duration, optional: false }]])
  const { template } = readTemplate(
    cellOf('Within {limits.grace}, not {90 minutes}.'),
    scopeOf(schemaOf({ loan: {} }), 'loan', { limits }),
  )
  const row = { id: '1' }
  const environment = {
    row,
    old: null,
    me: null,
    my: null,
    today: '2026-03-02',
    now: '2026-03-02T09:00:00.000Z',
    limits: { grace: 'PT7200S' },
    related: () => undefined,
  }
  const said = (locale: string) => render(template!, { environment, locale, zone: 'UTC' })
  expect(['en', 'de'].map(said)).toEqual(['Within 2 hours, not 1:30.', 'Within 2 Stunden, not 1:30.'])
})
