import { expect, test } from 'vitest'
import type { Diagnostic } from './diagnostic.ts'
import { readDocument } from './markdown.ts'
import { printFrame, printFrames, printJsonLines, printSummary } from './print.ts'
import type { SourceFile } from './source.ts'

const esc = '\u001b'

function diagnostic(text: string, marked: string, more: Partial<Diagnostic> = {}): Diagnostic {
  const file = { path: 'loan-desk.md', text }
  const start = text.indexOf(marked)
  return {
    code: 'N0201',
    severity: 'error',
    params: {},
    message: 'no field named `due_bak`; did you mean `due_back`?',
    span: { file, start, end: start + marked.length },
    related: [],
    fixes: [],
    section: 5,
    ...more,
  }
}

const row = '| V-1 | Loan | `due_bak > out_on` | due_back | E-DUE-1 |'
const fix = (file: SourceFile) => ({
  title: 'due_back',
  edits: [{ span: { file, start: 0, end: 7 }, text: 'due_back' }],
})

test('a frame shows the line, the place below it and the fix', () => {
  const found = diagnostic(`${'\n'.repeat(119)}${row}\n`, 'due_bak')
  expect(printFrame({ ...found, fixes: [fix(found.span.file)] })).toBe(
    [
      'loan-desk.md:120:17 error N0201 no field named `due_bak`; did you mean `due_back`?',
      '   120 | | V-1 | Loan | `due_bak > out_on` | due_back | E-DUE-1 |',
      '       |                 ^^^^^^^',
      '       = fix: due_back',
    ].join('\n'),
  )
})

test('help and other places follow, each with its own frame', () => {
  const text = '# A\n\n- **Ninefold:** 1\n- **Ninefold:** 1\n'
  const { found } = readDocument('docs/a.md', () => text)
  expect(printFrames(found)).toBe(
    [
      'docs/a.md:4:5 error N0306 `Ninefold` appears twice',
      '     4 | - **Ninefold:** 1',
      '       |     ^^^^^^^^',
      '       = see: docs/a.md:3:5 first here',
      '     3 | - **Ninefold:** 1',
      '       |     ^^^^^^^^',
      '       = help: Keep one of the two lines.',
      '       = fix: take this line out',
      '',
    ].join('\n'),
  )
})

test('marks stand below what they mean, after tabs, wide letters and composed emoji', () => {
  const marksOf = (text: string, marked: string) => printFrame(diagnostic(text, marked)).split('\n').slice(1)
  expect(marksOf('\ta\tbad', 'bad')).toEqual(['     1 |     a   bad', '       |         ^^^'])
  expect(marksOf('| セン | bad |', 'bad')).toEqual(['     1 | | セン | bad |', '       |          ^^^'])
  expect(marksOf('| セン |', 'セン')).toEqual(['     1 | | セン |', '       |   ^^^^'])
  expect(marksOf('👩‍👩‍👧 e\u0301 bad', 'bad')).toEqual(['     1 | 👩‍👩‍👧 e\u0301 bad', '       |      ^^^'])
  expect(marksOf('👩‍👩‍👧x', '👧')).toEqual(['     1 | 👩‍👩‍👧x', '       | ^^'])
})

test('a place without extent gets one mark, one over several lines is marked to the end of the first', () => {
  expect(printFrame(diagnostic('ab\ncd\n', 'b\nc')).split('\n')[2]).toBe('       |  ^')
  expect(printFrame(diagnostic('ab\r\n', '\r\n')).split('\n')[2]).toBe('       |   ^')
  expect(printFrame(diagnostic('', '')).split('\n').slice(1)).toEqual(['     1 |', '       | ^'])
})

test.each([0, 20, 150, 297, 400])('a long line is cut around a place at %i', at => {
  const text = `${'a'.repeat(at)}BAD${'z'.repeat(400 - at)}`
  const [, line, marks] = printFrame(diagnostic(text, 'BAD'), { width: 60 }).split('\n')
  const shown = line!.slice('     1 | '.length)
  expect(shown.length).toBeLessThanOrEqual(60)
  expect(line!.slice(marks!.indexOf('^'), marks!.lastIndexOf('^') + 1)).toBe('BAD')
  expect([shown.startsWith('…'), shown.endsWith('…')]).toEqual([at > 20, at < 400])
})

test('a place wider than the frame is marked as far as it is shown', () => {
  const [, line, marks] = printFrame(diagnostic(`x${'y'.repeat(300)}x`, 'y'.repeat(300)), { width: 50 }).split('\n')
  expect(line!.length).toBeLessThanOrEqual(59)
  expect(marks!.length).toBeLessThanOrEqual(line!.length)
})

test('a line of megabytes is printed from its surroundings only', () => {
  const found = diagnostic(`${'a'.repeat(3_000_000)}BAD${'z'.repeat(3_000_000)}`, 'BAD')
  const [, line, marks] = printFrame(found).split('\n')
  expect(line!.slice(marks!.indexOf('^'), marks!.lastIndexOf('^') + 1)).toBe('BAD')
})

test('nothing that a terminal would obey comes out of a document', () => {
  const text = `${esc}[31mred\u202e\u0007`
  const printed = printFrame({
    ...diagnostic(text, 'red'),
    message: `${esc}]0;title\u0007\nsecond line`,
    help: text,
  })
  expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
  expect(printed.split('\n')).toHaveLength(4)
})

test('colours are written on request only', () => {
  const found = diagnostic(row, 'due_bak')
  expect(printFrame(found)).not.toContain(esc)
  const colourful = printFrame(found, { color: true })
  expect(colourful).toContain(`${esc}[31merror${esc}[0m`)
  expect(colourful.replace(new RegExp(`${esc}\\[\\d+m`, 'g'), '')).toBe(printFrame(found))
})

test('a summary counts by kind and leaves out what there is none of', () => {
  const of = (severity: Diagnostic['severity'], count: number) =>
    Array.from({ length: count }, () => diagnostic(row, 'due_bak', { severity }))
  expect(printSummary([...of('error', 2), ...of('warning', 1), ...of('gap', 5)])).toBe('2 errors, 1 warning, 5 gaps')
  expect(printSummary(of('hint', 1))).toBe('No errors, 1 hint')
  expect(printSummary([])).toBe('No errors')
})

test('JSON lines carry places, help, related places and edits', () => {
  const { found } = readDocument('a.md', () => '# A\n\n- **Ninefold:** 1\n- **Ninefold:** 1\n- **Part:** x\n')
  const lines = printJsonLines(found).split('\n')
  expect(lines.pop()).toBe('')
  expect(lines.map(line => JSON.parse(line))).toEqual([
    {
      path: 'a.md',
      line: 4,
      column: 5,
      endLine: 4,
      endColumn: 13,
      code: 'N0306',
      severity: 'error',
      message: '`Ninefold` appears twice',
      help: 'Keep one of the two lines.',
      section: 0,
      related: [{ path: 'a.md', line: 3, column: 5, endLine: 3, endColumn: 13, message: 'first here' }],
      fixes: [
        {
          title: 'take this line out',
          edits: [{ path: 'a.md', line: 4, column: 1, endLine: 5, endColumn: 1, text: '' }],
        },
      ],
    },
    expect.objectContaining({ code: 'N0007', line: 5, column: 13, endColumn: 14, related: [], fixes: [] }),
  ])
})
