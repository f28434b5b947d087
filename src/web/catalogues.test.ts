/** The catalogues of `languages/`: complete, and with the values and plural forms that their texts need. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Catalogue, Entry } from '../expression/catalogue.ts'
import { compared, faultsOf } from '../expression/catalogue-faults.ts'
import { englishTexts } from '../expression/wording.ts'
import { home } from '../files.ts'
import { builtIn } from '../headings/8-errors/built-in.ts'
import { engineLimits } from '../headings/9-limits/engine.ts'
import '../headings/catalogues.ts'
import { sentences as ofDays } from '../kinds/screens/days/texts.ts'
import { screenPages } from '../kinds/screens/pages.ts'
import { builtInWords } from '../run/problems/problems.ts'
import { englishCredentials, englishMessages, wordsIn } from '../run/problems/words.ts'
import { englishDocument as chromeOfDocument } from '../ui/locales/english-document.ts'
import { languages as chrome, wordsFor } from '../ui/words.ts'
import { englishDocument } from './locales/english-document.ts'
import { sentences } from './sentences.ts'

/** What those read who use an application, in English: all but what is about the document itself. */
const english: Catalogue = {
  chrome: without(chrome().en, chromeOfDocument),
  pages: without(sentences.languages.en, englishDocument),
  ...Object.fromEntries(
    [ofDays, ...[...screenPages.values()].flatMap(({ texts }) => texts ?? [])].map(({ section, languages }) => [
      section,
      languages.en,
    ]),
  ),
  messages: englishMessages,
  credentials: englishCredentials,
  texts: englishTexts,
  refusals: each(builtIn, ({ message, whatToDo }) => ({ message, whatToDo })),
  limits: Object.fromEntries(engineLimits.map(({ key, unit, meaning }) => [key, { name: key, unit, meaning }])),
}

function without(all: Catalogue[string], some: object): Catalogue[string] {
  return Object.fromEntries(Object.entries(all).filter(([key]) => !(key in some)))
}

function each<T>(all: Readonly<Record<string, T>>, make: (one: T) => Entry): Catalogue[string] {
  return Object.fromEntries(Object.entries(all).map(([key, one]) => [key, make(one)]))
}

const catalogues = readdirSync(join(home, 'languages')).filter(name => name.endsWith('.json'))

test.each(catalogues)('languages/%s says all that people of an application read', name => {
  const language = name.slice(0, -'.json'.length)
  const catalogue = JSON.parse(readFileSync(join(home, 'languages', name), 'utf8')) as Catalogue
  const { faults, missing, unknown } = compared(language, catalogue, english)
  expect({ faults, missing, unknown }).toEqual({ faults: [], missing: [], unknown: [] })
  expect(Object.keys(catalogue).sort()).toEqual(Object.keys(english).sort())
})

test('what a catalogue would get wrong is told', () => {
  expect(
    faultsOf('pl', { one: '{count} plik', other: '{count} pliku' }, { one: '{count} file', other: '{count} files' }),
  ).toEqual(['has one, other, and needs few, many, one, other'])
  expect(faultsOf('fr', '{name}', '{thing}')).toEqual(['knows no {name}', 'lacks {thing}'])
  expect(faultsOf('ar', '{days|a|b}', '{days} {days|day|days}')).toEqual(['has 2 forms in {days|a|b}, and needs 6'])
  expect(faultsOf('fr', { one: 'a', other: 'b' }, 'Save')).toEqual(['has one, other, and needs one text'])
  const whole = { pages: { save: 'Save', back: 'Back', days: '{days} days' } }
  expect(compared('pt', { pages: { save: 'Guardar', days: '{day} dias', bakc: 'Voltar' } }, whole)).toEqual({
    sound: { pages: { save: 'Guardar' } },
    faults: ['pages.days knows no {day}', 'pages.days lacks {days}'],
    missing: ['pages.back'],
    unknown: ['pages.bakc'],
  })
})

test('a language is spoken with its own plurals, and by every part that says something', () => {
  expect(wordsFor('fr-FR')('signOut')).toBe('Se déconnecter')
  expect(wordsFor('fr-CA')('records', { count: 0 })).toBe('0 enregistrement')
  expect([1, 3, 12, 22].map(count => wordsFor('pl')('records', { count }))).toEqual([
    '1 rekord',
    '3 rekordy',
    '12 rekordów',
    '22 rekordy',
  ])
  expect([0, 1, 2, 11].map(count => sentences.in('ar')('daysLate', { count }))).toEqual([
    'دون تأخير',
    'متأخر يومًا واحدًا',
    'متأخر يومين',
    `متأخر ${new Intl.NumberFormat('ar').format(11)} يومًا`,
  ])
  expect(sentences.in('fr-FR')('daysLate', { count: 2 })).toBe('2 jours de retard')
  expect(builtInWords('NF-REQUIRED', 'fr')).toMatchObject({ message: '{label} manque.', status: 422 })
  expect(wordsIn('fr')).toMatchObject({
    yes: 'oui',
    credential: { codes: expect.stringContaining('codes de secours') },
  })
})
