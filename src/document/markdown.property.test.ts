import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import type { Nodes, RootContent } from 'mdast'
import { expect, test } from 'vitest'
import { sampled } from '../../scripts/limits.ts'
import { link, renamed, slice, splitAt, splitCell, words } from './cell.ts'
import { topLevelBlocks, wholeFile } from './chunks.ts'
import { documentReport } from './codes.ts'
import { matchTable, readProperties, readRows, rowOf } from './columns.ts'
import type { Diagnostic } from './diagnostic.ts'
import { applyFix } from './fix.ts'
import { readDocument } from './markdown.ts'
import { leftOpen, nothing } from './nothing.ts'
import { printFrames, printJsonLines, printSummary } from './print.ts'
import { toSarif } from './sarif.ts'
import type { Cell, Span } from './source.ts'
import type { Content, Document } from './tree.ts'

const desk = readFileSync(new URL('../../examples/loan-desk/loan-desk.md', import.meta.url), 'utf8')
const sections = desk.split(/(?=^## )/m).map(section => `# Loan desk\n\n${section}`)
const tables = desk.match(/(?:^\|.*\n)+/gm)!

/** What breaks readers of Markdown: marks of blocks, escapes, half-open things, odd characters and line ends. */
const fragments = [
  ...['|', '||', '\\|', '\\', '\\\\|', '`', '``', '```', '~~~', '```ninefold mail\n', '```ninefold', '<!--', '-->'],
  ...[
    '| --- | --- |',
    '|-|',
    ':-:',
    '---',
    '===',
    '**',
    '__',
    '- **',
    ':** ',
    '- ',
    '* ',
    '1. ',
    '> ',
    '>',
    '#',
    '## ',
  ],
  ...[
    '### ',
    '#### ',
    '## 5 Validation rules\n',
    '### Loan (was ',
    ' (part of ',
    ')',
    '(',
    '"',
    "'",
    ',',
    ';',
    '{',
    '[',
  ],
  ...[
    '- **Part:** [a](b.md)\n',
    '- **Part:** [a](../a.md)',
    '- **Ninefold:** 2\n',
    '](',
    'TBD (IT, x)',
    'none',
    'must ',
  ],
  ...['\n', '\n\n', '\r\n', '\r', '\t', '    ', '  ', '\u00a0', '\u2028', '\ufeff', '\0', '\u202e', '\u001b[31m'],
  ...[
    '😀',
    '👩‍👩‍👧',
    'セン',
    'e\u0301',
    '\ud83d',
    '\udc00',
    '\ufffd',
    '<div>',
    '<pre>',
    '</pre>',
    '<?',
    '<![CDATA[',
    '<!x',
    '&amp;',
  ],
]

const fragment = fc.constantFrom(...fragments)
const soup = fc.array(fc.oneof({ weight: 4, arbitrary: fragment }, fc.string({ unit: 'binary', maxLength: 6 })), {
  maxLength: 40,
})

type Change = readonly ['insert' | 'delete' | 'double' | 'move', number, number, string]
const change: fc.Arbitrary<Change> = fc.tuple(
  fc.constantFrom('insert', 'delete', 'double', 'move'),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fragment,
)

function changed(text: string, [kind, where, far, piece]: Change): string {
  const at = Math.floor(where * text.length)
  const to = Math.min(text.length, at + Math.floor(far * far * 60))
  if (kind === 'insert') return text.slice(0, at) + piece + text.slice(at)
  if (kind === 'delete') return text.slice(0, at) + text.slice(to)
  if (kind === 'double') return text.slice(0, to) + text.slice(at)
  return text.slice(0, at) + text.slice(to) + text.slice(at, to)
}

const mutated = (base: fc.Arbitrary<string>, most: number) =>
  fc
    .tuple(base, fc.array(change, { minLength: 1, maxLength: most }))
    .map(([text, changes]) => changes.reduce(changed, text))

const schemas = [
  { name: 'rules', columns: ['Rule', 'Applies to', 'Must hold', 'Error'] },
  { name: 'states', columns: ['State', 'Kind', 'Meaning'] },
  { name: 'constants', columns: ['Name', 'Value'] },
].map(({ name, columns }) => ({
  name,
  columns: columns.map((column, i) => ({ name: column, required: i < 2, meaning: `The ${column}.` })),
}))

function isInside({ file, start, end }: Span): boolean {
  return start >= 0 && start <= end && end <= file.text.length
}

/** Like `expect`, but cheap: some of these are asked a million times. */
function insist(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

/** A cell's text is its source without the backslashes that its gaps name, and nothing else. */
function expectExact(cell: Cell): void {
  insist(isInside(cell), 'a cell lies in its file')
  let source = ''
  let from = cell.start
  cell.gaps.forEach((gap, i) => {
    const backslash = cell.start + gap + i
    insist(cell.file.text.slice(backslash, backslash + 2) === '\\|', 'a gap is an escaped bar')
    source += cell.file.text.slice(from, backslash)
    from = backslash + 1
  })
  insist(source + cell.file.text.slice(from, cell.end) === cell.text, `the source of a cell is its text: ${cell.text}`)
}

function contentsOf({ sections: all }: Document): readonly Content[] {
  const owners = all.flatMap(section => [section, ...section.subjects])
  return [...owners, ...owners.flatMap(({ blocks }) => blocks)]
}

function cellsOf(document: Document): Cell[] {
  const titles = document.sections.flatMap(section => [
    section.title,
    ...section.blocks.map(({ title }) => title),
    ...section.subjects.flatMap(({ title, was, partOf, blocks }) => [
      title,
      was,
      partOf,
      ...blocks.map(each => each.title),
    ]),
  ])
  const inside = contentsOf(document).flatMap(({ properties, tables: found, fences, prose }) => [
    ...properties.flatMap(({ key, value }) => [key, value]),
    ...found.flatMap(({ header, rows }) => [...header, ...rows.flatMap(({ cells }) => cells)]),
    ...fences.map(({ text }) => text),
    ...prose,
  ])
  const head = document.properties.flatMap(({ key, value }) => [key, value])
  return [document.title, ...titles, ...inside, ...head].filter(cell => cell !== null)
}

function expectSoundCell(cell: Cell): void {
  expectExact(cell)
  const pieces = [...splitCell(cell, ','), ...splitCell(cell, ';'), ...words(cell)]
  const name = renamed(cell)
  const parts = [name.name, name.was, link(cell)?.text, link(cell)?.target, leftOpen(cell)?.what, leftOpen(cell)?.place]
  const around = splitAt(cell, 'at')
  for (const piece of [...pieces, ...parts, around?.before, around?.after, slice(cell, 1, 3)]) {
    if (piece == null) continue
    expectExact(piece)
    insist(piece.start >= cell.start && piece.end <= cell.end, 'a piece lies in its cell')
  }
  nothing(cell)
}

/** Everything that readers of headings do with a document, and what must hold whatever the text is. */
function expectSound(text: string): void {
  const { document, found } = readDocument('docs/a.md', path =>
    path === 'docs/b.md' || path === 'docs/a.md' ? text : null,
  )
  const all: Diagnostic[] = [...found]
  const report = documentReport(5, all)
  expect(document.title !== null || document.sections.length > 0 || found.length > 0).toBe(true)
  for (const cell of cellsOf(document)) expectSoundCell(cell)
  for (const { tables: read, properties } of contentsOf(document)) {
    for (const table of read) {
      for (const { cells } of table.rows) insist(cells.length === table.header.length, 'rows are as long as the header')
      const schema = matchTable(table, schemas, report)
      if (schema !== null)
        for (const row of readRows(table, schema))
          insist(row.cell(schema.columns[0]!.name) !== null, 'a required column is there')
    }
    readProperties(properties, schemas[0]!, emptySpan(document), report)
  }
  for (const { blocks } of document.sections) for (const block of blocks) rowOf(block, schemas[1]!, report)
  for (const each of all) expectSoundDiagnostic(each)
  const printed = printFrames(all)
  expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
  for (const line of printJsonLines(all).split('\n').slice(0, -1)) JSON.parse(line)
  JSON.stringify(toSarif(all))
  printSummary(all)
}

function emptySpan({ files: [file] }: Document): Span {
  return { file: file!, start: 0, end: 0 }
}

function expectSoundDiagnostic({ message, help, span, related, fixes }: Diagnostic): void {
  for (const each of [span, ...related.map(other => other.span)]) insist(isInside(each), 'a place lies in its file')
  insist(!/undefined|null|NaN|\{\w+\}$/.test(`${message} ${help ?? ''}`), message)
  for (const fix of fixes) {
    fix.edits.forEach((edit, i) => {
      insist(isInside(edit.span), 'an edit lies in its file')
      insist(edit.span.start >= (fix.edits[i - 1]?.span.end ?? 0), 'edits are in order and do not overlap')
    })
    for (const [file, text] of applyFix(fix)) insist(text !== file.text, `a fix changes something: ${fix.title}`)
  }
}

const runs = (all: number) => ({ numRuns: sampled(all), seed: 9, endOnFailure: false })

test('heaps of fragments are read', () => {
  fc.assert(
    fc.property(
      soup.map(pieces => pieces.join('')),
      expectSound,
    ),
    runs(5000),
  )
})

test('mutated tables are read', () => {
  const table = mutated(fc.constantFrom(...tables), 6).map(text => `# A\n\n## 5 Validation rules\n\n${text}`)
  fc.assert(fc.property(table, expectSound), runs(4000))
})

test('mutated headings of the loan desk are read', () => {
  fc.assert(fc.property(mutated(fc.constantFrom(...sections), 12), expectSound), runs(900))
})

test('mutated loan desks are read', () => {
  fc.assert(fc.property(mutated(fc.constant(desk), 20), expectSound), runs(100))
})

test('a file read piece by piece has the blocks of the file read as a whole', () => {
  const noReport = () => {}
  // The pieces may cut a list between its items; nothing is read from how items are grouped.
  const flat = (nodes: Iterable<RootContent>): readonly unknown[] =>
    [...nodes].flatMap((node): unknown[] =>
      node.type === 'list' ? node.children.map(each => shape(each)) : [shape(node, true)],
    )
  // Where quotes, lists and what is left open in them end is of no interest; the texts that are read must be the same.
  const ending = new Set(['paragraph', 'heading', 'table', 'tableRow', 'tableCell'])
  const shape = (node: Nodes, top = false): unknown => [
    node.type,
    node.position?.start.offset,
    ending.has(node.type) || (top && node.type === 'code') ? node.position?.end.offset : null,
    'children' in node ? node.children.map(each => shape(each)) : null,
  ]
  const text = fc.oneof(
    soup.map(pieces => pieces.join('')),
    fc.array(fc.oneof(fragment, fc.constant('\n'), fc.constant('a')), { maxLength: 60 }).map(pieces => pieces.join('')),
    mutated(fc.constantFrom(...sections), 12),
  )
  fc.assert(
    fc.property(text, source => {
      const file = { path: 'a.md', text: source.replace(/^\ufeff/, '') }
      expect(flat(topLevelBlocks(file, noReport, 1))).toEqual(flat(wholeFile(file)))
    }),
    runs(1500),
  )
})
