/** A document's text as everybody writes it: one space around what a cell says. Changes no meaning, and nothing that is written so already. */
import type { Table } from 'mdast'
import { topLevelBlocks } from './chunks.ts'
import type { SourceFile } from './source.ts'
import { bars, spanOf } from './table.ts'

/** Tables with one space around each cell and three dashes a column; everything else as it stands. */
export function formatted(text: string): string {
  const file: SourceFile = { path: '', text }
  const tables = [...topLevelBlocks(file, () => {})].flatMap(block => (block.type === 'table' ? [block] : []))
  let done = 0
  let result = ''
  for (const table of tables) {
    const { start, end } = spanOf(file, table)
    result += text.slice(done, start) + tableOf(file, table)
    done = end
  }
  return result + text.slice(done)
}

function tableOf(file: SourceFile, table: Table): string {
  const { start, end } = spanOf(file, table)
  const parts = file.text.slice(start, end).split(/(\r\n|\n|\r)/)
  let at = start
  return parts
    .map((part, i) => {
      const from = at
      at += part.length
      return i % 2 === 1 ? part : rowOf(file, from, at, i === 2)
    })
    .join('')
}

/** `isDelimiter`: the line of dashes below the header. */
function rowOf(file: SourceFile, start: number, end: number, isDelimiter: boolean): string {
  const line = file.text.slice(start, end)
  const written = line.trim()
  const from = start + line.indexOf(written)
  const to = from + written.length
  const cuts = bars({ file, start: from, end: to })
  // A row with a single cell and no bar reads as prose to people; its meaning is `check`'s to tell.
  if (cuts.length === 0) return line
  const inner = cuts.filter(cut => cut !== from && cut !== to - 1)
  const first = cuts[0] === from ? from + 1 : from
  const last = cuts.at(-1) === to - 1 ? to - 1 : to
  const edges = [first - 1, ...inner, last]
  const cells = edges.slice(1).map((edge, i) => file.text.slice(edges[i]! + 1, edge).trim())
  return `${cells.map(cell => (cell === '' ? '| ' : `| ${isDelimiter ? dashes(cell) : cell} `)).join('')}|`
}

const dashes = (cell: string): string => cell.replace(/-+/, '---')
