/**
 * Every code has a page in `docs/codes`, and every page's examples do what they say. The convention stands in the README there.
 * Codes of plans (N09) are about data: see store/plan/codes.test.ts.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../document/diagnostic.ts'
import { applyFix } from '../document/fix.ts'
import { headingNumber } from '../document/nine.ts'
import { readExpression } from '../expression/read.ts'
import { allCodes } from './all-codes.ts'
import { unaccepted } from './gaps/list.ts'
import { readApp } from './index.ts'

const folder = new URL('../../docs/codes/', import.meta.url)
const page = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const pages = readdirSync(folder).filter(name => /^N(?!09)\d{4}\.md$/.test(name))
const standard = page('standard.md')

interface Part {
  /** The heading's number; 0 before the first heading 2, 10 for a heading that is none of the nine. */
  readonly number: number
  /** The heading 2's own line. */
  readonly title: string
  /** The heading 3 that it stands under; empty between heading 2 and the first heading 3. */
  readonly subject: string
  readonly text: string
}

function partsOf(text: string): readonly Part[] {
  return text.split(/^(?=## )/m).flatMap((section): readonly Part[] => {
    const title = /^## .*\n/.exec(section)?.[0] ?? ''
    const number = title === '' ? 0 : numberOf(title.slice(3).trim())
    const [own = '', ...subjects] = section.slice(title.length).split(/^(?=### )/m)
    return [
      { number, title, subject: '', text: own },
      ...subjects.map(text => ({ number, title, subject: /^### (.*?)(?: \(.*)?\n/.exec(text)?.[1] ?? '', text })),
    ]
  })
}

function numberOf(title: string): number {
  const file = { path: '', text: title }
  return headingNumber({ file, start: 0, end: title.length, text: title, gaps: [] }, () => undefined) ?? 10
}

/** The standard document with the parts of a block in the place of its own. */
function rooted(block: string): string {
  const own = partsOf(block).filter(({ text, subject, title }) => text.trim() !== '' || subject !== '' || title !== '')
  const replaces = (part: Part) =>
    own.some(({ number, subject, text }) => number === part.number && subject === part.subject && text.trim() !== '')
  const kept = partsOf(standard).filter(part => !replaces(part))
  const heading1 = /^# .*\n/.exec(standard)![0]
  let text = ''
  for (let number = 0; number <= 10; number++) {
    const mine = own.filter(part => part.number === number)
    const parts = [...kept.filter(part => part.number === number), ...mine]
    const intro = parts.filter(({ subject }) => subject === '').map(part => part.text)
    const title = mine[0]?.title || parts[0]?.title || ''
    const begin = number === 0 && !intro.join('').includes(heading1) ? heading1 : title
    text += [begin, ...intro, ...parts.filter(({ subject }) => subject !== '').map(part => part.text)].join('\n')
  }
  return text
}

/** The files of the blocks under a heading of a page. */
function filesOf(text: string, heading: 'Wrong' | 'Right'): ReadonlyMap<string, string> {
  const [wrong = '', right = ''] = text.slice(text.indexOf('## Wrong\n')).split('\n## Right\n')
  const section = heading === 'Wrong' ? wrong : right
  const files = new Map<string, string>()
  for (const [, , path = '', block = ''] of section.matchAll(/^(`{3,})(?:md|ts) ?(.*)\n([\s\S]*?)\n\1$/gm)) {
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
  return code === 'N1003' && app !== null ? [...found, ...unaccepted(app)] : found
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
