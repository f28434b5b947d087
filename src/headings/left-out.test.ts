/** One line left out of an example is one mistake: it gives one message at most, whatever else the document says. */
import { expect, test } from 'vitest'
import { example, exampleNames } from './testing.ts'

/** A name that only this line used is another thing to decide, so it has a warning of its own. */
const unused = new Set(['N1711', 'N1804', 'N1906'])

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
