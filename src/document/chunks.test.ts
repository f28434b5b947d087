import { expect, test } from 'vitest'
import { expectGrowthWithLength } from '../../scripts/growth.ts'
import { readDocument } from './markdown.ts'
import type { Content } from './tree.ts'

const head = '# A\n\n## 5 Validation rules\n\n'
const table = '| a | b |\n| - | - |\n'

/** Text made to be slow. Each took, read as one piece, time that grew with the square of its length (minutes at this size). */
const hostile: Readonly<Record<string, (size: number) => string>> = {
  'nested lists': n => '- a\n  - b\n    - c\n'.repeat(n / 18),
  'long items of nested lists': n => `- a\n${'  - b\n    - c\n'.repeat(900)}\n`.repeat(n / 13000),
  'lists in one line': n => '- '.repeat(n / 2),
  'quotes in one line': n => '>'.repeat(n),
  'lists opened again and again': n => `${'- '.repeat(49)}a\n`.repeat(n / 100),
  'a quote that goes on without its mark': n => `${'>'.repeat(49)}a\n${'b\n'.repeat(n / 2)}`,
  'columns for every row': n => `|${'a|'.repeat(n / 6)}\n|${'-|'.repeat(n / 6)}\n${'x\n'.repeat(n / 6)}`,
  'torn rows': n => `${table}${'| x || y |\n'.repeat(n / 11)}`,
  'lost rows': n => '| x | y |\n\n'.repeat(n / 11),
  'escaped bars': n => `${table}| ${'\\|, '.repeat(n / 4)} | x |\n`,
  'open brackets and quotes': n => `- **K:** ${'([{"`'.repeat(n / 5)}\n`,
  'fences that never close': n => '````\n```\n'.repeat(n / 9),
  'parentheses after a name': n => `### L ${'(was a)'.repeat(n / 7)}\n`,
  'said again': n => '- **Ninefold:** 1\n'.repeat(n / 18),
}

test.each([
  '<!-->',
  '<!x>',
  '<?>',
  '<!-- a -->',
  '  <pre></pre>',
  '```\n```',
  '~~~\n\n~~~',
  '<div>',
  '<![CDATA[]]>',
  '<a>',
])('a table below %j is read', above => {
  const { document } = readDocument('a.md', () => `${head}${above}\n\n${table}`)
  expect(document.sections[0]!.tables).toHaveLength(1)
})

test.each(['<!--', ' <!x', '<?', '<!--\n\n-- >', '   <pre>', '```', '~~~~\n\n~~~', '<![CDATA[]>'])(
  'a table below %j, which is never closed, is not read, and that is said',
  above => {
    const { document, found } = readDocument('a.md', () => `${head}${above}\n\n${table}`)
    expect(document.sections[0]!.tables).toHaveLength(0)
    expect(found.map(({ code }) => code)).toEqual(['N0013'])
  },
)

test.each(Object.entries(hostile))('%s are read in time that grows with their length', (_, make) => {
  const read = (size: number) => {
    const text = head + make(size)
    const { document, found } = readDocument('a.md', () => text)
    const contents: readonly Content[] = document.sections.flatMap(section => [section, ...section.subjects])
    const cells = contents.flatMap(({ tables }) => tables.flatMap(({ rows }) => rows.map(row => row.cells.length)))
    return { length: text.length, made: found.length + cells.reduce((sum, count) => sum + count, 0) }
  }
  const [small, large] = [read(15_000), read(60_000)]
  // What is made grows no faster than the text either.
  expect(large.made).toBeLessThanOrEqual(large.length / 2)
  expect(large.made * small.length).toBeLessThanOrEqual((small.made + 2) * large.length * 1.2)
  expectGrowthWithLength(15_000, read)
})

test('what was read before is found again further down, each time in its own place', () => {
  const placesIn = (above: number) => {
    const { document } = readDocument('a.md', () => `${head}${'Prose.\n\n'.repeat(above)}${table}| x | y |\n`)
    return document.sections[0]!.tables[0]!.rows[0]!.cells.map(({ file, start, end }) => file.text.slice(start, end))
  }
  // Behind whole pieces of twenty lines the table is one of its own.
  for (const above of [8, 28, 18]) expect(placesIn(above)).toEqual(['x', 'y'])
})
