/**
 * Every code has a page in `docs/codes`, and every page's examples do what they say. The convention stands in the README there.
 * Codes of plans (N09) are about data: see store/plan/codes.test.ts.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../document/diagnostic.ts'
import { applyFix } from '../document/fix.ts'
import { readExpression } from '../expression/read.ts'
import { allCodes } from './all-codes.ts'
import { unaccepted } from './gaps/list.ts'
import { readApp } from './index.ts'
import { questionCodes } from './questions/codes.ts'
import { questionsOf } from './questions/index.ts'
import { rooted, standard } from './testing-standard.ts'

const folder = new URL('../../docs/codes/', import.meta.url)
const page = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const pages = readdirSync(folder).filter(name => /^N(?!09)\d{4}\.md$/.test(name))

/** The files of the blocks under a heading of a page. */
function filesOf(text: string, heading: 'Wrong' | 'Right'): ReadonlyMap<string, string> {
  const [wrong = '', right = ''] = text.slice(text.indexOf('## Wrong\n')).split('\n## Right\n')
  const section = heading === 'Wrong' ? wrong : right
  const files = new Map<string, string>()
  for (const [, , path = '', block = ''] of section.matchAll(/^(`{3,})(?:md|ts|json) ?(.*)\n([\s\S]*?)\n\1$/gm)) {
    if (path === '' || path === 'whole') {
      const whole = many(`${block}\n`)
      files.set('document.md', path === 'whole' ? whole : rooted(whole))
    } else files.set(path, `${block}\n`)
  }
  return files
}

/** A line that is only `…` stands for very many lines like the one before it. */
const many = (block: string): string => block.replace(/^(.*\n)…\n/gm, (_, line: string) => line.repeat(12_000))

function foundIn(code: string, files: ReadonlyMap<string, string>): readonly Diagnostic[] {
  const { app, found } = readApp('document.md', path => files.get(path) ?? null)
  if (app === null) return found
  // Said only where they are asked for.
  return [...found, ...(code === 'N1003' ? unaccepted(app) : []), ...(code in questionCodes ? questionsOf(app) : [])]
}

const inShort = (found: readonly Diagnostic[]) =>
  found.map(({ code, severity, message }) => ({ code, severity, message }))

const codesOf = (code: string, files: ReadonlyMap<string, string>) => inShort(foundIn(code, files))

/** What people type where expressions are read outside of a document, as in the filter of a list; `␀` stands for NUL. */
function typedIn(block: string) {
  const text = block.replaceAll('␀', '\0')
  const cell = { file: { path: '', text }, start: 0, end: text.length, text, gaps: [] }
  const scope = { schema: new Map(), self: null, me: null, limits: new Map(), old: false, answer: false }
  return readExpression(cell, scope).found
}

test('the standard document has nothing to report', () => {
  expect(codesOf('', new Map([['document.md', standard]]))).toEqual([])
})

test('every code has a page, and every page a code', () => {
  expect(pages.map(name => name.replace('.md', ''))).toEqual([...allCodes.keys()])
})

describe.each(pages.map(name => name.replace('.md', '')))('%s', code => {
  const text = page(`${code}.md`)

  test('has a title with the code', () => expect(text).toMatch(new RegExp(`^# ${code}: .+\\n\\n\\S`)))

  test('its wrong example gives it once, and no other error; each of its fixes cures that', () => {
    const typed = /^```nx\n(.*)\n```$/m.exec(text)?.[1]
    const files = filesOf(text, 'Wrong')
    const found = typed === undefined ? foundIn(code, files) : typedIn(typed)
    expect(inShort(found.filter(item => item.code === code))).toHaveLength(1)
    expect(inShort(found.filter(item => item.severity === 'error' && item.code !== code))).toEqual([])
    const { severity, fixes } = found.find(item => item.code === code)!
    for (const fix of fixes) {
      const fixed = [...applyFix(fix)].map(([file, text]) => [file.path, text] as const)
      const left = codesOf(code, new Map([...files, ...fixed]))
      // What stood behind the mistake may come to light; where nothing was wrong, nothing is afterwards.
      const isWorse = (item: (typeof left)[number]) => item.severity === 'error' && severity !== 'error'
      expect(
        left.filter(item => item.code === code || isWorse(item)),
        fix.title,
      ).toEqual([])
    }
  })

  test('its right example does not give it, nor any error', () => {
    const files = filesOf(text, 'Right')
    expect(files.size).toBeGreaterThan(0)
    expect(codesOf(code, files).filter(item => item.severity === 'error' || item.code === code)).toEqual([])
  })
})
