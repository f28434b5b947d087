/** A language that a document brings: taken as far as it can be said, and what it lacks is told. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Catalogue } from '../../expression/catalogue.ts'
import { home } from '../../files.ts'
import { readApp } from '../index.ts'
import { rooted } from '../testing-standard.ts'

const shipped = JSON.parse(readFileSync(join(home, 'languages', 'es.json'), 'utf8')) as Catalogue

function read(language: string, catalogue: unknown) {
  const text = `## 1 What the product does and for whom

A team keeps its tasks here.

- **Time zone:** UTC
- **Languages:** English, [${language}](words/own.json)
- **Sign-in:** password
`
  const file = typeof catalogue === 'string' ? catalogue : JSON.stringify(catalogue)
  const files = new Map([
    ['document.md', rooted(text)],
    ['words/own.json', file],
  ])
  const { app, found } = readApp('document.md', path => files.get(path) ?? null)
  const own = found.filter(({ code }) => /^N113[5-8]$/.test(code))
  return {
    language: app?.product.languages.at(-1),
    found: own.map(({ code, severity, params }) => ({ code, severity, ...params })),
    lacks: app?.gaps.some(({ code }) => code === 'ownWords'),
  }
}

test('one that says everything is taken, and nothing is left to say', () => {
  const { language, found, lacks } = read('Portuguese', shipped)
  expect(language).toMatchObject({ tag: 'pt', catalogue: shipped })
  expect([found, lacks]).toEqual([[], false])
})

test('what it lacks is counted and named; what cannot be said so, or is not read, is left out', () => {
  const { skip: _, ...chrome } = shipped.chrome!
  const forms = { one: '{count}', other: '{count}' }
  const { language, found } = read('Polish', { chrome: { ...chrome, records: forms } })
  expect(found.map(({ code }) => code)).toEqual(['N1136'])
  expect(language?.catalogue?.chrome).not.toHaveProperty('records')
  const more = read('Spanish', { chrome: { sikp: 'x' } })
  expect(more.found).toMatchObject([{ code: 'N1138', count: 1, texts: '`chrome.sikp`' }])
  expect(more.language?.catalogue).toEqual({})
  const own = read('Portuguese', { ...shipped, chrome })
  expect(own.found).toMatchObject([{ code: 'N1137', severity: 'warning', count: 1, texts: '`chrome.skip`' }])
})

test.each([
  ['{', 'it is no JSON'],
  ['[]', 'it is no object of sections'],
  ['{"chrome":{"skip":7}}', 'it is no object of sections'],
  ['{"chrome":"skip"}', 'it is no object of sections'],
  [' '.repeat(500_001), 'it has more than 500 kB'],
])('%.20s is none', (text, why) => {
  const { language, found, lacks } = read('Portuguese', text)
  expect(found).toMatchObject([{ code: 'N1135', why: expect.stringContaining(why) }])
  expect(lacks).toBe(true)
  expect(language).not.toHaveProperty('catalogue')
})

test('English and German have none', () => {
  expect(read('German', shipped).found).toMatchObject([{ code: 'N1135' }])
})
