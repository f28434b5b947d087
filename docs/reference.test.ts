import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { documentCodes } from '../src/document/codes.ts'
import { nineTitles } from '../src/document/nine.ts'
import { commonCodes } from '../src/headings/codes.ts'
import { readApp } from '../src/headings/index.ts'
import { pages, referenceTables, tablesIn, withTables } from './language/reference.ts'

const all = pages()

test.each([...all])('%s has the tables that the code has', (_, page) => {
  expect(withTables(page)).toBe(page)
})

test('every column, key, type, rule, function, screen and refusal stands somewhere in the reference', () => {
  const used = new Set([...all.values()].flatMap(tablesIn))
  expect([...referenceTables().keys()].filter(name => !used.has(name))).toEqual([])
})

test('every heading has its page', () => {
  nineTitles.forEach((title, index) => {
    const [, page] = [...all].find(([name]) => name.startsWith(`${index + 1}-`)) ?? []
    expect(page).toMatch(new RegExp(`^# ${index + 1} ${title}\n`))
  })
})

test('every family of codes is named', () => {
  const families = [...Object.keys(documentCodes), ...Object.keys(commonCodes)].map(code => code.slice(0, 3))
  const more = ['N01', 'N02', 'N09', ...nineTitles.map((_, index) => `N1${index + 1}`)]
  for (const family of new Set([...families, ...more])) expect(all.get('diagnostics.md')).toContain(`\`${family}xx\``)
})

/** The fences of a page that are documents: together one, but those tagged `alone`. */
function documentsOf(page: string): readonly string[] {
  const fences = Array.from(page.matchAll(/^(`{3,})md ninefold( alone)?\n([\s\S]*?)^\1$/gm), ([, , alone, text]) => ({
    alone: alone !== undefined,
    text: text!,
  }))
  const together = fences.filter(({ alone }) => !alone).map(({ text }) => text)
  const one = together.length === 0 ? [] : [`# Example\n\n${together.join('\n')}`]
  return [...one, ...fences.filter(({ alone }) => alone).map(({ text }) => text)]
}

const documents = [...all].flatMap(([name, page]) =>
  documentsOf(page).map((text, index) => [name, index + 1, text] as const),
)

/** The files beside a page's documents: fences of TypeScript with a path. */
const codeOf = (page: string, path: string): string | null =>
  Array.from(page.matchAll(/^```ts (\S+)\n([\s\S]*?)^```$/gm)).find(match => match[1] === path)?.[2] ?? null

test.each(documents)('%s, document %i: nothing is wrong with it', (name, _, text) => {
  const { app, found } = readApp(name, path => (path === name ? text : codeOf(all.get(name)!, path)))
  const wrong = found.filter(({ severity }) => severity === 'error' || severity === 'warning')
  expect(wrong.map(({ code, message, span }) => `${code} ${message}: ${text.slice(span.start, span.end)}`)).toEqual([])
  expect(app).not.toBe(null)
})

test.each(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'src/kinds/README.md'])(
  'what %s says to open, or to run, is there',
  page => {
    const paths =
      readFileSync(page, 'utf8').match(/\b(?:src|docs|conformance|bench|scripts|examples)\/[\w./-]*[\w/]/g) ?? []
    expect(paths.length).toBeGreaterThan(1)
    expect(paths.filter(path => !path.includes('Nxxxx') && !existsSync(path))).toEqual([])
  },
)
