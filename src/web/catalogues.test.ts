/** The catalogues of `languages/`: complete, and with the values and plural forms that their texts need. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Catalogue, Entry } from '../expression/catalogue.ts'
import { holesOf } from '../expression/holes.ts'
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
  chrome: without(chrome.en, chromeOfDocument),
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

const isForms = (entry: Entry): boolean => typeof entry !== 'string' && 'other' in entry
const holes = (entry: Entry) => [
  ...new Set((typeof entry === 'string' ? [entry] : Object.values(entry)).flatMap(holesOf)),
]

/** The forms that whole numbers up to 200 take, and that of everything else. */
const formsIn = (language: string) => {
  const rules = new Intl.PluralRules(language)
  return [...new Set([...Array.from({ length: 201 }, (_, n) => rules.select(n)), 'other'])].sort()
}

/** What is wrong with what a catalogue says instead of an English text. */
function faults(language: string, said: Entry | undefined, meant: Entry): readonly string[] {
  if (said === undefined) return ['is missing']
  const forms = formsIn(language)
  const parts = isForms(meant) ? forms : typeof meant === 'string' ? null : Object.keys(meant).sort()
  const found = typeof said === 'string' ? null : Object.keys(said).sort()
  const [has, needs] = [holes(said), holes(meant)]
  const texts = typeof said === 'string' ? [said] : Object.values(said)
  const counted = texts.flatMap(text => [...text.matchAll(/\{\w+((?:\|[^{}|]*){2,})\}/g)])
  return [
    ...(String(found) === String(parts) ? [] : [`has the parts ${found}, and needs ${parts}`]),
    ...(texts.every(text => text.trim() !== '') ? [] : ['is empty']),
    ...has.filter(hole => !needs.includes(hole)).map(hole => `knows no {${hole}}`),
    ...(isForms(meant) ? [] : needs.filter(hole => !has.includes(hole)).map(hole => `lacks {${hole}}`)),
    ...counted.flatMap(([whole, words]) => {
      const count = words!.split('|').length - 1
      const most = new Set([...forms, 'other']).size
      return count === most || count === most - 1 ? [] : [`has ${count} forms in ${whole}, and needs ${most}`]
    }),
  ]
}

const catalogues = readdirSync(join(home, 'languages')).filter(name => name.endsWith('.json'))

test.each(catalogues)('languages/%s says all that people of an application read', name => {
  const language = name.slice(0, -'.json'.length)
  const catalogue = JSON.parse(readFileSync(join(home, 'languages', name), 'utf8')) as Catalogue
  const wrong = Object.entries(english).flatMap(([section, texts]) => [
    ...Object.entries(texts).flatMap(([key, meant]) =>
      faults(language, catalogue[section]?.[key], meant).map(fault => `${section}.${key} ${fault}`),
    ),
    ...Object.keys(catalogue[section] ?? {}).flatMap(key => (key in texts ? [] : [`${section}.${key} is not read`])),
  ])
  expect(wrong).toEqual([])
  expect(Object.keys(catalogue).sort()).toEqual(Object.keys(english).sort())
})

test('what a catalogue would get wrong is told', () => {
  expect(
    faults('pl', { one: '{count} plik', other: '{count} pliku' }, { one: '{count} file', other: '{count} files' }),
  ).toEqual(['has the parts one,other, and needs few,many,one,other'])
  expect(faults('fr', '{name}', '{thing}')).toEqual(['knows no {name}', 'lacks {thing}'])
  expect(faults('ar', '{days|a|b}', '{days} {days|day|days}')).toEqual(['has 2 forms in {days|a|b}, and needs 6'])
  expect(faults('fr', undefined, 'Save')).toEqual(['is missing'])
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
