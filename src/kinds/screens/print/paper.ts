/** A print as a file for paper: the words and figures of its page. */
import type { Block, Sheet } from '../../../ui/paper/paper.ts'
import { wordsOf } from '../value.tsx'
import type { ChildTableView } from '../view-model.ts'
import type { PieceView, PrintView } from './view-model.ts'

export const printSheet = ({ title, parts, footer }: PrintView): Sheet => ({
  title,
  foot: footer,
  blocks: parts.flatMap((part): readonly Block[] => [
    ...(part.title === null ? [] : [{ kind: 'heading' as const, text: part.title }]),
    ...(part.text === null ? [] : [{ kind: 'text' as const, text: part.text }]),
    ...part.pieces.flatMap(blocksOf),
  ]),
})

function blocksOf(piece: PieceView): readonly Block[] {
  if (piece.kind === 'rows') return tablesOf(piece.rows)
  const facts = piece.facts.map(({ label, value }) => ({
    label,
    value: { text: wordsOf(value), ...(value.rich !== undefined && { rich: value.rich }) },
  }))
  return [{ kind: 'facts', facts }]
}

/** The rows of a list, and behind them those in each of them, by what the row begins with. */
function tablesOf({ columns, rows, totals }: ChildTableView): readonly Block[] {
  const table: Block = {
    kind: 'table',
    columns: columns.map(({ label, numeric }) => ({ label, numeric })),
    rows: rows.map(({ cells }) => ({ cells: cells.map(wordsOf) })),
    foot: totals,
  }
  const inner = rows.flatMap(({ cells: [first], lists }) =>
    lists.flatMap((list): readonly Block[] => {
      const text = first === undefined ? list.label : `${list.label}: ${wordsOf(first)}`
      return [{ kind: 'text', text, quiet: true }, ...tablesOf(list)]
    }),
  )
  return columns.length === 0 ? inner : [table, ...inner]
}
