/** The four kinds of "nothing" that a cell can say. Unspecified is a value: it never fails the build and never disappears. */
import { slice, trimmed } from './cell.ts'
import type { Cell } from './source.ts'

/** What the document leaves open, with the person who is to decide it, where it says so: `TBD (Finance, before pilot)`. */
export interface Unspecified {
  readonly unspecified: true
  readonly owner: string | null
  readonly note: string | null
}

/**
 * - `none`: explicitly nothing (`none`, `no`, `–`);
 * - `empty`: an empty cell: the documented default in an optional column, unspecified in a required one;
 * - {@link Unspecified}: `TBD`, `not shown`, `unspecified`, `to be decided`, `?`, each optionally followed by `(owner, note)`.
 */
export type Nothing = 'none' | 'empty' | Unspecified

const none = /^(?:none|no|[-–—])$/i
/** Who owes the answer, in brackets that may hold others: `(Council, question (e))`. */
const by = String.raw`(?:\s*\((?<by>[^()]*(?:\([^()]*\)[^()]*)*)\))?`
const open = new RegExp(String.raw`^(?:tbd|not shown|unspecified|to be decided|\?)(?:\s*\.)?${by}(?:\s*\.)?$`, 'i')
const openEnd = new RegExp(
  String.raw`(?<=[\s,;:])(?:tbd|not shown|unspecified|to be decided)(?:\s*\.)?${by}(?:\s*\.)?$`,
  'i',
)

/** Which kind of nothing the whole cell says; null when it says something. Upper and lower case are alike. */
export function nothing(cell: Cell): Nothing | null {
  const text = cell.text.trim()
  if (text === '') return 'empty'
  if (none.test(text)) return 'none'
  const found = open.exec(text)
  if (found === null) return null
  const said = found.groups?.by ?? ''
  const comma = said.indexOf(',')
  return {
    unspecified: true,
    owner: wordsOrNull(comma < 0 ? said : said.slice(0, comma)),
    note: wordsOrNull(comma < 0 ? '' : said.slice(comma + 1)),
  }
}

/** Whether a kind of nothing is the unspecified one. */
export function isUnspecified(kind: Nothing | null): kind is Unspecified {
  return typeof kind === 'object' && kind !== null
}

/** Something whose end is left open: `single sign-on TBD (IT, before pilot)`. Null where the end is not open or nothing precedes it. */
export function leftOpen(cell: Cell): { readonly what: Cell; readonly place: Cell; readonly by: Unspecified } | null {
  const found = openEnd.exec(cell.text)
  if (found === null || found.index === 0) return null
  const place = slice(cell, found.index)
  const owed = nothing(place)
  const what = trimmed(slice(cell, 0, found.index))
  return isUnspecified(owed) && what.text !== '' ? { what, place, by: owed } : null
}

function wordsOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim()
}
