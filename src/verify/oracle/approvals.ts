/** Steps that wait for several people: whether one of them decides now. It knows rows of approvals and decisions, and nothing of who is who. */
import { isNone, isOpen, keyOf, pieces, type Row } from './cells.ts'

/** Somebody decided about the version that the record has. */
export interface Decision {
  readonly step: string
  readonly approval: string
  readonly person: string
  /** Whose deputy they were; null: they are one of those who are asked. */
  readonly represents: string | null
}

/** What is to be known of one record. */
export interface Made {
  readonly decisions: readonly Decision[]
  /** Whether the record needs it: unknown counts as needed. */
  readonly isNeeded: (row: Row) => boolean
}

/** What is to be known of one person, too. */
export interface Deciding extends Made {
  readonly me: string | null
  /** Whether they are one of its people, or a deputy of one; null: that is not told. */
  readonly isAsked: (row: Row) => boolean | null
  /** They take the step where nothing is needed. */
  readonly takes: boolean
}

/** Null: it cannot be told. */
export function decides(rows: readonly Row[], of: Deciding): boolean | null {
  const needed = rows.filter(of.isNeeded)
  if (needed.length === 0) return of.takes
  if (needed.some(row => ['When', 'Needs', 'From'].some(column => isOpen(row(column)?.text ?? '')))) return false
  if (of.decisions.some(({ person, represents }) => person === of.me || represents === of.me)) return false
  const found = needed.map(row => counts(row, rows, of))
  return found.includes(true) ? true : found.includes(null) ? null : false
}

/** Whether the step happens with what they decide: nothing is missing then. Null: it cannot be told. */
export function happens(rows: readonly Row[], of: Deciding): boolean | null {
  const needed = rows.filter(of.isNeeded)
  if (needed.length === 0) return of.takes
  const counted = needed.map(row => counts(row, rows, of))
  const at = counted.indexOf(true)
  if (at === -1 || counted.slice(0, at).includes(null)) return null
  const made = { step: '', approval: keyOf(needed[at]!('Approval')!.text), person: of.me ?? '', represents: null }
  const then = { ...of, decisions: [...of.decisions, made] }
  return every(needed.map(row => isGiven(row, then)))
}

/** What they decide counts for this approval. */
const counts = (row: Row, rows: readonly Row[], of: Deciding): boolean | null =>
  every([isTurn(row, rows, of), of.isAsked(row)])

/** Its turn has come, and it is not given. Null: it cannot be told. */
export const isTurn = (row: Row, rows: readonly Row[], of: Made): boolean | null =>
  every([isDue(row, rows, of), not(isGiven(row, of))])

export const every = (all: readonly (boolean | null)[]): boolean | null =>
  all.includes(false) ? false : all.includes(null) ? null : true

const not = (is: boolean | null): boolean | null => (is === null ? null : !is)

/** `all of`, `majority of` and shares are of people who are not counted here: one decision may be enough, or not. */
function isGiven(row: Row, { decisions }: Made): boolean | null {
  const key = keyOf(row('Approval')!.text)
  const given = decisions.filter(({ approval }) => approval === key).length
  const [, least] = /^(\d+)\s+of$/i.exec(row('Needs')!.text) ?? []
  if (least === undefined) return given === 0 ? false : null
  return given >= Number(least)
}

/** What comes before it is given or not needed, and so is what comes before that. */
function isDue(row: Row, rows: readonly Row[], of: Made): boolean | null {
  const after = isNone(row('After')?.text) ? [] : pieces(row('After')!.text, ',').map(keyOf)
  const before = rows.filter(one => after.includes(keyOf(one('Approval')!.text)))
  return every(before.flatMap(one => [isDue(one, rows, of), !of.isNeeded(one) || isGiven(one, of)]))
}
