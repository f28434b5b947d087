/** Cards beside each other on twelve columns, without holes. */
import type { CardWidth } from '../../../headings/2-screens/model.ts'

interface Placed {
  /** Null: as there is room. */
  readonly width: CardWidth | null
  /** It has more to show from side to side than others. */
  readonly wide: boolean
}

const columns = 12

/** How many columns each takes: what is said, and of what says nothing two in a row. */
export function spansOf(cards: readonly Placed[]): readonly number[] {
  const spans: number[] = []
  for (let at = 0; at < cards.length; ) {
    const row = rowFrom(cards, at)
    spans.push(...row)
    at += row.length
  }
  return spans
}

function rowFrom(cards: readonly Placed[], at: number): readonly number[] {
  const row: Placed[] = []
  let room = columns
  for (const card of cards.slice(at)) {
    const needs = card.width ?? (row.some(({ width }) => width === null) || row.length === 0 ? 5 : 4)
    if (needs > room || (card.width === null && row.filter(({ width }) => width === null).length === 2)) break
    row.push(card)
    room -= card.width ?? needs
  }
  const said = row.reduce((sum, { width }) => sum + (width ?? 0), 0)
  const [first, second] = row.filter(({ width }) => width === null)
  const rest = columns - said
  if (first === undefined) return row.map(({ width }) => width!)
  const half = Math.floor(rest / 2)
  const own = second === undefined ? rest : first.wide === second.wide ? half : half + (first.wide ? 1 : -1)
  return row.map(card => card.width ?? (card === first ? own : rest - own))
}
