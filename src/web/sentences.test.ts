import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { sentences as ofDays } from '../kinds/screens/days/texts.ts'
import { screenPages } from '../kinds/screens/pages.ts'
import { languages as chrome } from '../ui/words.ts'
import { say, sentences } from './sentences.ts'
import type { Site } from './site.ts'

const source = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(source, path), 'utf8')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map(path => path.replaceAll('\\', '/'))
  .filter(path => /^(ui|kinds|web)\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$|\/gallery\/|testing\.ts$/.test(path))

/** Of each kind of screen, what it says itself, and what several say. */
const ofScreens = [
  ...[...screenPages.values()].flatMap(({ name, texts }) =>
    texts === null ? [] : [[`kinds/screens/${name}/texts.ts`, texts.languages] as const],
  ),
  ['kinds/screens/days/texts.ts', ofDays.languages] as const,
]

/** Same in both languages, and rightly so. */
const alike: ReadonlySet<string> = new Set([
  'atLeast',
  'caseCode',
  'diagnosticsCounts',
  'mailText',
  'countOf',
  'behind',
  'caption',
  'name',
  'roleOf',
  'like.time',
  'total.smallest',
  'total.largest',
  'filter.is',
  'filter.any of',
  'filter.within',
])
const holes = (text: unknown) => new Set([...JSON.stringify(text).matchAll(/\{(\w+)\}/g)].map(match => match[1]))

test.each([['ui/locales', chrome()], ['web/locales', sentences.languages], ...ofScreens] as const)(
  '%s: each language says all of it, with the same parameters and forms, and nothing in English',
  (_, languages) => {
    for (const [key, english] of Object.entries(languages.en!)) {
      const german = languages.de![key]
      expect(holes(german), key).toEqual(holes(english))
      expect(typeof german, key).toBe(typeof english)
      if (!alike.has(key)) expect(german, key).not.toEqual(english)
    }
    expect(Object.keys(languages.de!).sort()).toEqual(Object.keys(languages.en!).sort())
  },
)

test('every sentence is said somewhere', () => {
  const code = files.filter(path => !path.startsWith('web/locales/')).map(read)
  const said = (key: string) => code.some(text => text.includes(`'${key}'`))
  const families = [
    'verb.',
    'grant.',
    'passwordFault.',
    'filter.',
    'days.',
    'refused.',
    'density.',
    'shortcuts.',
    'theme.',
    'told.',
    'way.',
    'mailWay.',
    'builtIn.',
    'measure.',
    'by.',
    'reads.',
    'activity.',
    'function.',
    'when.',
    'assumption.',
    'total.',
  ]
  const unsaid = Object.keys(sentences.languages.en!).filter(
    key => !said(key) && !families.some(family => key.startsWith(family)),
  )
  expect(unsaid).toEqual([])
})

/** Things that are counted: a number before one of them is not always more than one. */
const things =
  /\{\w+\} (?:rows|records|times|seconds|minutes|hours|days|files|errors|wait|have|are|Zeilen|Datensätze|Mal|Sekunden|Minuten|Stunden|Tage|Dateien|Fehlschläge|warten|haben|sind)\b/

test('nothing is counted in the wrong number', () => {
  // These are always the same number, and more than one.
  const fixed = new Set([
    'importHint',
    'fileTooLong',
    'linkMailBody',
    'passwordMailBody',
    'invitationMailBody',
    'actAsText',
    'confirmSentText',
    'confirmGoneWhy',
    'confirmMailBody',
    'signUpSentText',
    'signUpMailBody',
    'signUpGoneWhy',
  ])
  const wrong = [chrome(), sentences.languages, ...ofScreens.map(([, texts]) => texts)].flatMap(languages =>
    Object.values(languages).flatMap(texts =>
      Object.entries(texts).filter(
        ([key, text]) => typeof text === 'string' && things.test(text) && !fixed.has(key) && !/^atLeast/.test(key),
      ),
    ),
  )
  expect(wrong).toEqual([])
  const site = (locale: string) => ({ reader: { locale } }) as Site
  expect(say(site('en-GB'), 'waitingAfter', { count: 1 })).toBe('tried once, will be tried again')
  expect(say(site('en-GB'), 'heading.4', { count: 1 })).toBe('1 workflow')
  expect(say(site('en-GB'), 'jobTried', { right: 1, same: 0, wrong: 1 })).toBe(
    '1 row is right, 0 would change nothing, 1 has something wrong.',
  )
  expect(say(site('de-DE'), 'jobTried', { right: 1, same: 1, wrong: 2000 })).toBe(
    '1 Zeile ist richtig, 1 würde nichts ändern, 2.000 haben Fehler.',
  )
  expect(say(site('de-DE'), 'heading.4', { count: 1000 })).toBe('1.000 Abläufe')
})

interface Node {
  readonly type: string
  readonly start: number
}

/** Texts that a `.tsx` file writes out itself: between tags, and in the attributes that are read aloud or shown. */
function writtenIn(code: string): readonly string[] {
  const found: string[] = []
  const shown = new Set(['aria-label', 'title', 'alt', 'placeholder', 'label', 'hint', 'text', 'aria-description'])
  const isWord = (text: unknown): text is string => typeof text === 'string' && /\p{L}{2}/u.test(text)
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one)
    if (typeof node !== 'object' || node === null || !('type' in node)) return
    const { type, name, value } = node as Node & { name?: { name?: string }; value?: unknown }
    if (type === 'JSXText' && isWord(value)) found.push(value.trim())
    if (type === 'JSXAttribute' && shown.has(String(name?.name)) && isWord((value as { value?: unknown })?.value))
      found.push(String((value as { value: unknown }).value))
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseAst(code, { lang: 'tsx' }))
  return found
}

test('no page writes out words of its own: they stand in a language', () => {
  /** Names that are the same everywhere. */
  const proper = new Set(['UTC'])
  expect(writtenIn('<p title="Read me" className="two words">Hello {name} there</p>')).toEqual([
    'Read me',
    'Hello',
    'there',
  ])
  const pages = files.filter(path => path.endsWith('.tsx'))
  expect(pages.length).toBeGreaterThan(40)
  expect(
    pages.flatMap(path =>
      writtenIn(read(path))
        .filter(text => !proper.has(text))
        .map(text => `${path}: ${text}`),
    ),
  ).toEqual([])
})
