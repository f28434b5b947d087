/** Names that the document gives to things: declared once, looked up from everywhere, with "did you mean" and a fix. */

import { slice, words } from '../document/cell.ts'
import type { ColumnName, NamedRow, TableSchema } from '../document/columns.ts'
import type { Diagnostic, Fix, ReportOptions } from '../document/diagnostic.ts'
import { withoutLines, writeInstead } from '../document/fix.ts'
import { didYouMean, nearest } from '../document/nearest.ts'
import type { Cell, Span } from '../document/source.ts'

export interface Names<T> {
  /** In the document's order. */
  readonly all: ReadonlyMap<string, T>
  /** Declares a name where it is written. Reports a second declaration at both places, also in other capitals, and gives false for it. */
  readonly declare: (cell: Cell, name: string, value: T) => boolean
  /** The thing that a cell names; null after one report. */
  readonly find: (cell: Cell) => T | null
}

interface Reports {
  readonly twice: (cell: Cell, first: Cell) => void
  readonly unknown: (cell: Cell, meant: string, options: { readonly fixes: readonly Fix[] }) => void
  /** The names are a short closed list: where none is near, each is offered. */
  readonly closed?: boolean
  /** Names that may be meant by an unknown one; all, unless this says otherwise. */
  readonly alike?: (written: string, known: string) => boolean
}

/** Evened names; `found` is the list that the reports end up in. */
export function names<T>(found: Diagnostic[], reports: Reports): Names<T> {
  const all = new Map<string, T>()
  const cells = new Map<string, Cell>()
  const unknown = new Map<string, Diagnostic>()
  return {
    all,
    declare(cell, name, value) {
      const key = evened(name)
      const first = cells.get(key.toLowerCase())
      if (first !== undefined) {
        reports.twice(cell, first)
        return false
      }
      all.set(key, value)
      cells.set(key.toLowerCase(), cell)
      return true
    },
    find(cell) {
      const key = evened(cell.text)
      const value = all.get(key)
      if (value !== undefined) return value
      const before = unknown.get(key)
      if (before !== undefined) unknown.set(key, alsoHere(found, before, cell))
      else {
        const known = [...all.keys()].filter(name => reports.alike?.(cell.text, name) ?? true)
        const fixes = reports.closed ? writeOneOf(cell, known) : writeNearest(cell, known)
        reports.unknown(cell, didYouMean(cell.text, known), { fixes })
        const reported = found.at(-1)
        if (reported !== undefined) unknown.set(key, reported)
      }
      return null
    },
  }
}

/** A name that is unknown in several places is one mistake: one message with all places, and fixes that write all of them. */
function alsoHere(found: Diagnostic[], before: Diagnostic, cell: Cell): Diagnostic {
  const span = placeOf(cell)
  const isHere = (fix: Fix) => fix.edits[0]?.span.start === before.span.start
  const merged: Diagnostic = {
    ...before,
    related: [...before.related, { span, message: 'also here' }],
    fixes: before.fixes.map(fix =>
      isHere(fix) ? { ...fix, edits: [...fix.edits, { span, text: fix.edits[0]!.text }] } : fix,
    ),
  }
  const index = found.indexOf(before)
  if (index >= 0) found[index] = merged
  return merged
}

/**
 * The phrase that the beginning of a cell misspells (`cpoied from item.value` means `copied from`), with the words that it stands
 * for; longer phrases first. Null where nothing is near.
 */
export function misspelt(
  cell: Cell,
  phrases: readonly string[],
): { readonly begin: Cell; readonly meant: string } | null {
  const found = words(cell)
  for (const phrase of [...phrases].sort((a, b) => b.split(' ').length - a.split(' ').length)) {
    const last = found[phrase.split(' ').length - 1]
    if (last === undefined) continue
    const begin = slice(cell, 0, cell.text.length - (cell.end - last.end))
    if (nearest(begin.text, [phrase]) !== null) return { begin, meant: phrase }
  }
  return null
}

/** A fix that writes the nearest of these names in place of what was written; none where nothing is near. */
export function writeNearest(cell: Cell, known: Iterable<string>): readonly Fix[] {
  const meant = nearest(cell.text, known)
  return meant === null ? [] : [writeInstead(cell, meant)]
}

/** The nearest, or where nothing is near, each of a few: for short closed lists such as the states of an entity. */
export function writeOneOf(cell: Cell, known: Iterable<string>): readonly Fix[] {
  const all = [...known]
  const near = writeNearest(cell, all)
  return near.length > 0 || all.length > mostOffered ? near : all.map(name => writeInstead(cell, name))
}

const mostOffered = 8

/** The fix that adds a row below another of the same schema; columns that `values` does not name stay empty. */
export function addRow<const S extends TableSchema>(
  row: NamedRow<ColumnName<S>>,
  schema: S,
  values: Readonly<Record<string, string>>,
  title: string,
): Fix | null {
  const columns = schema.columns
    .map(({ name }) => ({ name, cell: row.cell(name as ColumnName<S>) }))
    .filter(({ cell }) => cell !== null)
  const { file, start, end } = row
  // A row in block form has its title as its place; below that stand its keys.
  if (!file.text.slice(start, end).includes('|')) return null
  const cells = columns.sort((a, b) => a.cell!.start - b.cell!.start).map(({ name }) => values[name] ?? '')
  const text = `\n| ${cells.join(' | ')} |`.replaceAll('|  |', '| |')
  return { title, edits: [{ span: { file, start: end, end }, text }] }
}

/** Numbers tell names such as `E-DUE-1` and `V-2` apart on purpose: another number is another name, not a misspelt one. */
export const alikeNumbers = (written: string, known: string): boolean =>
  written.replace(/\D/g, '') === known.replace(/\D/g, '')

/** Takes a piece of a list out of its cell (`required; unique`), with the separator before it, or else behind it. */
export function removePiece({ file, start, end }: Span, title = 'take it out'): Fix {
  const before = /[ \t]*[;,][ \t]*$/.exec(file.text.slice(Math.max(0, start - 20), start))?.[0].length ?? 0
  const behind = before > 0 ? 0 : (/^[ \t]*[;,][ \t]*/.exec(file.text.slice(end, end + 20))?.[0].length ?? 0)
  return { title, edits: [{ span: { file, start: start - before, end: end + behind }, text: '' }] }
}

/** For what stands twice: both places, and where the second is the row of a table, the fix that takes it out. */
export function bothPlaces(cell: Cell, first: Span): ReportOptions {
  const { file, start } = cell
  const isRow = file.text
    .slice(file.text.lastIndexOf('\n', start - 1) + 1, start)
    .trimStart()
    .startsWith('|')
  return {
    related: [{ span: placeOf(first), message: 'first here' }],
    fixes: isRow ? [withoutLines('take out this row', cell)] : [],
  }
}

/** Name with every run of white space as one space. */
export const evened = (name: string): string => name.trim().replace(/\s+/g, ' ')

/** A cell's place without its text. */
export const placeOf = ({ file, start, end }: Span): Span => ({ file, start, end })
