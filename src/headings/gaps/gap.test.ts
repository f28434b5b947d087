import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readApp } from '../index.ts'
import * as english from './english.ts'
import { gapTexts } from './gap.ts'
import * as german from './german.ts'

const holesOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort()
const textsOf = ({ gaps, uses }: typeof english | typeof german) => [
  ...Object.entries(gaps).flatMap(([code, { what, consequence }]) => [
    [`${code} what`, what],
    [`${code} consequence`, consequence],
  ]),
  ...Object.entries(uses),
]

test('German says everything that English does, with the same holes', () => {
  const holes = (catalogue: typeof english | typeof german) =>
    textsOf(catalogue).map(([code, text]) => [code, holesOf(text!)])
  expect(holes(german)).toEqual(holes(english))
})

test('each code of the catalogue is left open, or used, somewhere', () => {
  const headings = new URL('../', import.meta.url)
  const sources = readdirSync(headings, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('gaps'))
    .map(path => readFileSync(new URL(path, headings), 'utf8'))
    .join('\n')
  const codes = [...Object.keys(english.gaps), ...Object.keys(english.uses)]
  expect(codes.filter(code => !sources.includes(`'${code}'`))).toEqual([])
})

function gapsOf(text: string) {
  const { app } = readApp('one.md', path => (path === 'one.md' ? text : null))
  return app!.gaps
}

const head = '# Desk\n\n## 1 Product\n\nA desk.\n\n- **Languages:** English, German, Finnish\n\n'

test('languages are told by name, in the language of the reader', () => {
  const gap = gapsOf(head).find(({ code }) => code === 'ownWords')!
  expect(gap.params).toEqual({ language: 'fi' })
  expect([gapTexts(gap).what, gapTexts(gap, 'de-AT').what, gapTexts(gap, 'fi').what]).toEqual([
    'the words of Ninefold itself in Finnish',
    'die Wörter von Ninefold selbst auf Finnisch',
    'the words of Ninefold itself in Finnish',
  ])
})

test('a constant without a value says who reads it, each use once and in the language of the reader', () => {
  const rule = (name: string) => `| ${name} | Loan | days < limits.most | E-1 |\n`
  const gaps = gapsOf(
    `${head}## 3 Entities\n\n### Loan\n\n| Field | Type | Rules |\n| --- | --- | --- |\n| days | integer | max limits.most; default limits.most |\n\n` +
      `## 5 Rules\n\n| Rule | Applies to | Must hold | Error |\n| --- | --- | --- | --- |\n${rule('V-1')}${rule('V-2')}\n` +
      '## 9 Limits\n\n| Name | Value | Unit |\n| --- | --- | --- |\n| most | TBD (IT) | days |\n| least | TBD | days |\n',
  )
  const [most, least] = ['most', 'least'].map(limit => gaps.find(({ params }) => params.limit === limit)!)
  expect([most!.code, least!.code]).toEqual(['limit', 'limitUnread'])
  expect(gapTexts(most!).consequence).toBe(
    'unknown, so the bounds of `days` of Loan are not checked; `days` of Loan begins empty; V-1 is not applied where it decides; V-2 is not applied where it decides',
  )
  expect(gapTexts(most!, 'de').consequence).toContain(
    'unbekannt, darum: die Grenzen von `days` von Loan werden nicht geprüft; `days` von Loan ist am Anfang leer; V-1',
  )
  expect(gapTexts(least!, 'de').consequence).toBe('unbekannt; noch liest ihn nichts')
})

test('what is left open at the end of a list is named', () => {
  const gaps = gapsOf(
    `${head}## 6 Permissions\n\n- **Second factor:** Clerk, the council TBD\n\n| Role | Who |\n| --- | --- |\n| Clerk | appointed by Clerk |\n`,
  )
  const gap = gaps.find(({ code }) => code === 'aRole')!
  expect([gap.named, gapTexts(gap, 'de').what]).toEqual(['the council', 'eine Rolle: the council'])
})
