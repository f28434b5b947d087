import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { expect, test } from 'vitest'
import { beside } from '../../scripts/beside.ts'
import { readDocument } from './markdown.ts'
import type { Cell } from './source.ts'
import type { Table } from './tree.ts'

const head = '# T\n\n## 5 Validation rules\n\n'

function tablesOf(markdown: string): readonly Table[] {
  const { document } = readDocument('t.md', () => head + markdown)
  return document.sections[0]!.tables
}

const textsOf = ({ header, rows }: Table) =>
  [header, ...rows.map(({ cells }) => cells)].map(row => row.map(c => c.text))

const definitions = (markdown: string) => markdown.split('\n').filter(line => /^\[[^\]]+\]: /.test(line))

/** What a reader of the rendered page sees of a cell's source. */
function seen({ file, start, end, text }: Cell, markdown: string): string {
  const isCode = file.text[start - 1] === '`' && file.text[end] === '`'
  // A space before keeps `1.` from being a list; the definitions of the page hold for its cells.
  const flat = (node: Nodes): string =>
    'value' in node ? node.value : 'children' in node ? node.children.map(flat).join('') : ''
  if (isCode) return text
  const tree = fromMarkdown(`&#8203;${text}\n\n${definitions(markdown).join('\n')}`)
  return flat(tree)
    .replace('\u200b', '')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function seenInHtml(html: string): readonly (readonly string[])[][] {
  const all = (text: string, tag: string) =>
    Array.from(text.matchAll(new RegExp(`<(${tag})\\b[^>]*>([^]*?)</\\1>`, 'g')), m => m[2]!)
  const plain = (text: string) =>
    text
      .replace(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
      .replace(/\s+/g, ' ')
      .trim()
  return all(html, 'table').map(table => all(table, 'tr').map(row => all(row, 't[hd]').map(plain)))
}

/** What a table looks like to a reader: our own, and the examples of the GFM specification where they stand beside the repository. */
interface Example {
  readonly markdown: string
  readonly html: string
}
const page = (header: readonly string[], ...rows: readonly (readonly string[])[]) =>
  `<table>${[header.map(cell => `<th>${cell}</th>`), ...rows.map(row => row.map(cell => `<td>${cell}</td>`))]
    .map(cells => `<tr>${cells.join('')}</tr>`)
    .join('')}</table>`
const own: readonly Example[] = [
  { markdown: '| a | b |\n| --- | --- |\n| 1 | 2 |\n', html: page(['a', 'b'], ['1', '2']) },
  { markdown: 'a | b\n:-: | --:\n1 | 2\n', html: page(['a', 'b'], ['1', '2']) },
  { markdown: '| a | b |\n|-|-|\n', html: page(['a', 'b']) },
  { markdown: '| a |\n| - |\n| x \\| y |\n| `x \\| y` |\n', html: page(['a'], ['x | y'], ['<code>x | y</code>']) },
  { markdown: '| a | b |\n|-|-|\n| 1 |\n| 1 | 2 | 3 |\n', html: page(['a', 'b'], ['1', ''], ['1', '2']) },
  { markdown: '| a | b |\n|-|-|\n| | |\n|x||\n', html: page(['a', 'b'], ['', ''], ['x', '']) },
  { markdown: '| a |\n| - |\n| *x* **y** ~z~ |\n', html: page(['a'], ['<em>x</em> <strong>y</strong> ~z~']) },
  { markdown: '| a |\n| - |\n| [x](/y) &amp; \\* |\n', html: page(['a'], ['<a href="/y">x</a> &amp; *']) },
  { markdown: '| a |\n| - |\n| [x] |\n\n[x]: /y\n', html: page(['a'], ['<a href="/y">x</a>']) },
  { markdown: '| a |\n| - |\n| 1 |\n> said\n', html: `${page(['a'], ['1'])}<blockquote>said</blockquote>` },
  { markdown: '| a |\n| - |\n| 1 |\nlazy\n\nnew\n', html: `${page(['a'], ['1'], ['lazy'])}<p>new</p>` },
  { markdown: '| a | b |\n| - |\n| 1 | 2 |\n', html: '<p>| a | b |<br>| - |<br>| 1 | 2 |</p>' },
  { markdown: '| a |\n| - |\n| 1 |\n\n| b |\n| - |\n| 2 |\n', html: page(['a'], ['1']) + page(['b'], ['2']) },
]
const published = beside('gfm-tables.json')
const examples: readonly Example[] = [...own, ...(published === null ? [] : JSON.parse(published).examples)]

test.each(examples)('GFM: $markdown', ({ markdown, html }) => {
  const read = tablesOf(markdown).map(({ header, rows }) =>
    [header, ...rows.map(({ cells }) => cells)].map(row => row.map(cell => seen(cell, markdown))),
  )
  expect(read).toEqual(seenInHtml(html))
})

test('short rows are filled, bars at the ends are optional, alignment does not count', () => {
  expect(tablesOf('a | b | c\n:-- | --- | --:\n1 | 2\n| 3\n4 | 5 | 6 |  \n').map(textsOf)).toEqual([
    [
      ['a', 'b', 'c'],
      ['1', '2', ''],
      ['3', '', ''],
      ['4', '5', '6'],
    ],
  ])
})

test('a cell keeps its source: nothing inside it is Markdown', () => {
  const text = '| a *b* c | <b>x</b> | `a \\| b` and `c` | \\_ & &amp; | [x](y) |'
  const [table] = tablesOf(`| 1 | 2 | 3 | 4 | 5 |\n|-|-|-|-|-|\n${text}\n`)
  expect(textsOf(table!)[1]).toEqual(['a *b* c', '<b>x</b>', '`a | b` and `c`', '\\_ & &amp;', '[x](y)'])
})

test('every cell has its exact place, and a missing one is at the end of its row', () => {
  const [table] = tablesOf('|  wide  |b|\r\n|-|-|\r\n| `x \\| y`|\t\\|\r\n|only|\r\n')
  const sources = [table!.header, ...table!.rows.map(({ cells }) => cells)].map(row =>
    row.map(({ file, start, end }) => file.text.slice(start, end)),
  )
  expect(sources).toEqual([
    ['wide', 'b'],
    ['x \\| y', '\\|'],
    ['only', ''],
  ])
  const row = table!.rows[1]!
  expect(row.cells[1]).toMatchObject({ start: row.end, end: row.end })
})

test('a row that a bar inside a cell has torn apart keeps its columns', () => {
  const rows = '| V-1 | a || b | x |\n| V-2 | `a | b` | y |\n| V-3 | a | b | z |\n'
  const [table] = tablesOf(`| 1 | 2 | 3 |\n|-|-|-|\n${rows}`)
  expect(textsOf(table!).slice(1)).toEqual([
    ['V-1', 'a || b', 'x'],
    ['V-2', 'a | b', 'y'],
    ['V-3', 'a', 'b'],
  ])
})

test('tables inside block quotes, lists and code are prose', () => {
  const table = '| a |\n| - |\n| b |\n'
  const indented = (mark: string) => table.replace(/^/gm, mark)
  expect(
    tablesOf(`${indented('> ')}\n- x\n\n${indented('  ')}\n\`\`\`\n${table}\`\`\`\n\ntext\n\n${indented('    ')}`),
  ).toEqual([])
})
