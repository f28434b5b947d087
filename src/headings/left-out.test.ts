/** One line or column left out of an example is one mistake, and so is a misspelt column: it gives one message at most, whatever else the document says. */
import { expect, test } from 'vitest'
import { example, exampleNames } from './testing.ts'

/** A name that only this line used, or a translation of what it said, is another thing to decide, so it has a warning of its own. */
const unused = new Set(['N1106', 'N1711', 'N1804', 'N1906'])

/** Kinds of line that were left out of an example before: one of each is enough. */
const taken = new Set<string>()

/** The lines that say something, with what they are: a heading, a bold key, a table's header, dashes or a row, and under what. */
function linesOf(text: string): readonly { readonly index: number; readonly line: string; readonly kind: string }[] {
  let section = ''
  let table = ''
  return text.split('\n').map((line, index) => {
    const [, marks, title = ''] = /^(#{2,4}) (.*)/.exec(line) ?? []
    if (marks === '##') section = title
    const isRow = line.startsWith('|')
    const part = !isRow ? '' : table === '' ? 'header' : /^[| -]*$/.test(line) ? 'dashes' : 'row'
    table = isRow ? table || line : ''
    const what = isRow ? `${table} ${part}` : (marks ?? /^- \*\*[^*]*\*\*/.exec(line)?.[0])
    return { index, line, kind: what === undefined ? '' : `${section} / ${what}` }
  })
}

test.each(exampleNames)('one line of each kind left out of %s', name => {
  const { text, said } = example(name)
  const lines = text.split('\n')
  for (const { index, line, kind } of linesOf(text).toReversed()) {
    if (kind === '' || taken.has(kind)) continue
    taken.add(kind)
    const found = said(lines.toSpliced(index, 1).join('\n')).filter(({ code }) => !unused.has(code))
    expect(found.length, `${line}: ${found.map(({ message }) => message).join('; ')}`).toBeLessThanOrEqual(1)
  }
})

/** Columns of kinds that were left out before. */
const takenColumns = new Set<string>()

/** The table from a line on, as cells: of `|a|b|` also the empty texts before and behind. */
function tableFrom(lines: readonly string[], from: number): readonly (readonly string[])[] {
  const end = lines.findIndex((line, at) => at > from && !line.startsWith('|'))
  return lines.slice(from, end).map(line => line.split(/(?<!\\)\|/))
}

test.each(exampleNames)('one column of each kind left out of %s, or misspelt', name => {
  const { text, said } = example(name)
  const lines = text.split('\n')
  for (const { index, line, kind } of linesOf(text)) {
    if (!kind.endsWith(' header')) continue
    const table = tableFrom(lines, index)
    for (const [at, title] of table[0]!.entries()) {
      const column = `${kind} ${title}`
      if (title.trim() === '' || takenColumns.has(column)) continue
      takenColumns.add(column)
      const without = table.map(cells => cells.toSpliced(at, 1).join('|'))
      const misspelt = line.replace(title, ` ${title.trim().slice(0, -1)}x `)
      const others = table[0]!.length > 3 ? [lines.toSpliced(index, table.length, ...without)] : []
      for (const now of [...others, lines.with(index, misspelt)]) {
        const found = said(now.join('\n')).filter(({ code }) => !unused.has(code))
        const what = `${line}: ${title}: ${found.map(({ message }) => message).join('; ')}`
        expect(found.length, what).toBeLessThanOrEqual(1)
      }
    }
  }
})
