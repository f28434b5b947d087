/** What can be read out of the source of a bullet or a heading: `**Key:** value`, `Loan line (was Item) (part of Loan)`. */
import { after, cellAt, codeless, slice, splitCell, trimmed } from './cell.ts'
import type { DocumentReport } from './codes.ts'
import type { Cell, Span } from './source.ts'
import type { Property } from './tree.ts'

/**
 * A bold key and a colon at the beginning of a range, and what follows; null for anything else. The colon may stand inside
 * or behind the bold part, and a space behind it may be missing.
 */
export function readProperty({ file, start, end }: Span): Property | null {
  const source = file.text.slice(start, end)
  const mark = source.slice(0, 2)
  const length = source.indexOf(mark, 2) - 2
  if ((mark !== '**' && mark !== '__') || length <= 0) return null
  const close = start + 2 + length
  const inner = file.text.slice(start + 2, close)
  const inside = inner.trimEnd().endsWith(':')
  const behind = inside ? null : /^[ \t]*:/.exec(file.text.slice(close + 2, end))
  if (!inside && behind === null) return null
  const keyEnd = inside ? start + 2 + inner.lastIndexOf(':') : close
  const key = cellAt(file, start + 2, keyEnd)
  if (key.text === '') return null
  return { key, value: cellAt(file, close + 2 + (behind?.[0].length ?? 0), end) }
}

/**
 * What begins nearly like a key, with text behind it: a bold word without a colon (`**Time zone** UTC`), or a colon behind words that
 * are not bold (`Time zone: UTC`). Null for anything else.
 */
export function readNearly({ file, start, end }: Span): Property | null {
  const found = /^(\*\*|__)([^*_:]+)\1[ \t]+(?=\S)|^([A-Z][A-Za-z -]*):[ \t]+(?=\S)/.exec(file.text.slice(start, end))
  if (found === null) return null
  const from = start + (found[1]?.length ?? 0)
  return {
    key: cellAt(file, from, from + (found[2] ?? found[3])!.length),
    value: cellAt(file, start + found[0].length, end),
  }
}

export interface Name {
  readonly title: Cell
  readonly was: Cell | null
  readonly partOf: Cell | null
}

/** The title of a heading 3 with `(was …)` and `(part of …)` taken off, in either order, in one pair of parentheses or two. */
export function readName(heading: Cell, report: DocumentReport): Name {
  let title = heading
  let was: Cell | null = null
  let partOf: Cell | null = null
  while (title.text.endsWith(')')) {
    const open = title.text.lastIndexOf('(')
    if (open <= 0) break
    const group = trimmed(slice(title, open + 1, title.text.length - 1))
    const said = splitCell(group, ',').map(piece => ({
      piece,
      was: after(piece, 'was'),
      partOf: after(piece, 'part of'),
    }))
    if (said.length === 0 || said.some(each => each.was === null && each.partOf === null)) break
    for (const each of said) {
      const name = codeless((each.was ?? each.partOf)!)
      if (name.text === '') report('N0309', each.piece, { written: `(${each.piece.text})` })
      else if (each.was !== null) was ??= name
      else partOf ??= name
    }
    title = codeless(trimmed(slice(title, 0, open)))
  }
  return { title, was, partOf }
}
