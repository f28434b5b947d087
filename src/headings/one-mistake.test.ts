/** Mistakes as people make them, in every place of an example: one message each, at the line, and where a fix writes something it cures. */
import { expect, test } from 'vitest'
import { position } from '../document/cell.ts'
import { applyFix } from '../document/fix.ts'
import { example } from './testing.ts'

const { text, said } = example('requests')
const lines = text.split('\n')

interface Row {
  readonly index: number
  readonly line: string
  readonly header: string
}

/** Rows of tables, with their header; the first `each` of every table. */
function rowsOf(each: number): readonly Row[] {
  let header = -1
  return lines.flatMap((line, index) => {
    if (!line.startsWith('|')) header = -1
    else if (header < 0) header = index
    const number = header < 0 ? 0 : index - header - 1
    return number >= 1 && number <= each ? [{ index, line, header: lines[header]! }] : []
  })
}

/** What is said with one line written otherwise: at most one message, and it has that line among its places. */
function expectOne(index: number, line: string, others: readonly string[] = lines): void {
  const found = said(others.with(index, line).join('\n'))
  const what = `${line}: ${found.map(({ message }) => message).join('; ')}`
  expect(found.length, what).toBeLessThanOrEqual(1)
  const [one] = found
  if (one === undefined) return
  const places = [one.span, ...one.related.map(({ span }) => span)]
  expect(
    places.map(({ file, start }) => position(file, start).line),
    what,
  ).toContain(index + 1)
  const fixes = one.fixes.filter(({ title }) => title.startsWith('write '))
  if (one.severity !== 'error' || fixes.length === 0) return
  const isCured = fixes.some(fix => said([...applyFix(fix).values()][0]!).every(({ severity }) => severity !== 'error'))
  expect(isCured, `${what}, after ${fixes.map(({ title }) => title).join(' or ')}`).toBe(true)
}

const swapped = (word: string) => `${word[0]}${word[2]}${word[1]}${word.slice(3)}`

test('a misspelt name in any cell', () => {
  for (const { index, line, header } of rowsOf(1)) {
    // Names are declared in the first column, and prose decides nothing.
    if (/^\| (?:what|Step|Code|Mail) \|/.test(header)) continue
    for (const { 0: word, index: at } of line.matchAll(/[A-Za-z_]{4,}/g)) {
      const isFirst =
        !line.slice(1, at).includes('|') || (/\| Screen \|/.test(header) && line.slice(0, at).split('|').length === 3)
      if (!isFirst && word[1] !== word[2])
        expectOne(index, line.slice(0, at) + swapped(word) + line.slice(at + word.length))
    }
  }
})

test('a cell too many', () => {
  for (const { index, line } of rowsOf(1)) {
    const cells = line.split('|')
    if (cells.length > 4 && !line.includes('/requests')) expectOne(index, cells.toSpliced(2, 0, ' x ').join('|'))
  }
})

/** What is said is one message at most; where it stands is for the reader of the row to find out. */
function expectFew(index: number, line: string): void {
  const found = said(lines.with(index, line).join('\n'))
  expect(found.length, `${line}: ${found.map(({ message }) => message).join('; ')}`).toBeLessThanOrEqual(1)
}

test('a cell left out', () => {
  for (const { index, line } of rowsOf(1)) {
    const cells = line.split('|')
    for (let at = 1; at < cells.length - 1 && cells.length > 3; at++) expectFew(index, cells.toSpliced(at, 1).join('|'))
  }
})

test('two neighbouring cells exchanged', () => {
  for (const { index, line } of rowsOf(1)) {
    const cells = line.split('|')
    for (let at = 1; at < cells.length - 2; at++)
      expectFew(
        index,
        cells
          .with(at, cells[at + 1]!)
          .with(at + 1, cells[at]!)
          .join('|'),
      )
  }
})

test('another sign in any expression', () => {
  const signs: readonly (readonly [RegExp, string])[] = [
    [/ = /, ' == '],
    [/ != /, ' <> '],
    [/ and /, ' && '],
    [/ >= /, ' => '],
    [/ <= /, ' =< '],
    [/`(?= |$)/, ''],
    [/limits\./, ''],
  ]
  lines.forEach((line, index) => {
    if (/^(?:\||- \*\*)/.test(line) && line.includes('`'))
      for (const [sign, other] of signs) if (sign.test(line)) expectOne(index, line.replace(sign, other))
  })
})

test('a column of another name', () => {
  const headers = new Set(rowsOf(1).map(({ header }) => lines.indexOf(header)))
  for (const index of headers) {
    if (lines[index]!.startsWith('| what |')) continue
    for (const name of lines[index]!.split('|').slice(2, -1))
      expectOne(index, lines[index]!.replace(`|${name}|`, '| Xyz |'))
  }
})

test('a table under the last heading', () => {
  const headers = new Set(rowsOf(1).map(({ header }) => lines.indexOf(header)))
  for (const index of headers) {
    if (/^\| (?:what|Name|Step) \|/.test(lines[index]!)) continue
    const end = lines.findIndex((line, at) => at > index && !line.startsWith('|'))
    const moved = [...lines.slice(0, index), ...lines.slice(end), '', ...lines.slice(index, end)]
    expectOne(moved.length - (end - index), lines[index]!, moved)
  }
})

test('the first heading left out, with tables of its own under it', () => {
  const german = example('absence-desk')
  const without = german.text.replace(/^## 1 .*\n/m, '')
  expect(german.said(without).map(({ code }) => code)).toEqual(['N0321'])
})
