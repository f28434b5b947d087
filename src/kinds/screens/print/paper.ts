/** A print as a file for paper: the words and figures of its page. */
import type { Block, Sheet } from '../../../ui/paper/paper.ts'
import { wordsOf } from '../value.tsx'
import type { PieceView, PrintView } from './view-model.ts'

export const printSheet = ({ title, parts, footer }: PrintView): Sheet => ({
  title,
  foot: footer,
  blocks: parts.flatMap((part): readonly Block[] => [
    ...(part.title === null ? [] : [{ kind: 'heading' as const, text: part.title }]),
    ...(part.text === null ? [] : [{ kind: 'text' as const, text: part.text }]),
    ...part.pieces.map(blockOf),
  ]),
})

function blockOf(piece: PieceView): Block {
  if (piece.kind === 'facts')
    return {
      kind: 'facts',
      facts: piece.facts.map(({ label, value }) => ({
        label,
        value: { text: wordsOf(value), ...(value.rich !== undefined && { rich: value.rich }) },
      })),
    }
  const { columns, rows, totals } = piece.rows
  return {
    kind: 'table',
    columns: columns.map(({ label, numeric }) => ({ label, numeric })),
    rows: rows.map(({ cells }) => ({ cells: cells.map(wordsOf) })),
    foot: totals,
  }
}
