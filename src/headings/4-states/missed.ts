/** What becomes of a time that a timer missed, while nobody served the application: `, skip if missed by 2 hours`, `, each missed`. */
import { slice, trimmed } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import type { Context } from '../context.ts'
import { stateCodes } from './codes.ts'
import type { Missed } from './model.ts'

const minutes = { minute: 1, hour: 60, day: 1440 } as const

/** Cuts it off the end of an At cell. Null: it happens once, however late; `false`: it is wrong, and reported. */
export function readMissed(context: Context, at: Cell): { readonly at: Cell; readonly missed: Missed | null | false } {
  const found = /,\s*((?:skip|each)\b[^,]*)$/i.exec(at.text)
  if (found === null) return { at, missed: null }
  const said = slice(at, found.index + found[0].length - found[1]!.length)
  const before = trimmed(slice(at, 0, found.index))
  const wrong = (why: string): { at: Cell; missed: false } => {
    reporter(stateCodes, 4, context.found).report('N1460', said, { found: said.text, why })
    return { at: before, missed: false }
  }
  const comesBack = /^`?every\b/i.test(at.text)
  if (/^each\s+missed$/i.test(said.text)) {
    if (!comesBack) return wrong('what fires once has no other times')
    return /\bfor\s+each\b/i.test(before.text)
      ? wrong('behind `for each` stands which records match when it fires, and each time would find the same ones')
      : { at: before, missed: { kind: 'each', cell: said } }
  }
  const skip = /^skip\s+if\s+missed\s+by\s+(\d{1,6})\s*(minute|hour|day)s?$/i.exec(said.text)
  if (skip === null) return wrong('it is neither of these two')
  const count = Number(skip[1]) * minutes[skip[2]!.toLowerCase() as keyof typeof minutes]
  return count < 1
    ? wrong('it begins at 1 minute')
    : { at: before, missed: { kind: 'skip', cell: said, minutes: count } }
}
