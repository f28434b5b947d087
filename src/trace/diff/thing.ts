/** What two documents are compared by: things that both may have, and what each says of them. */
import type { Cell } from '../../document/source.ts'

/** Something that a document has or has not: a field, a step, a rule. */
export interface Thing {
  /** The same for the same thing in both documents: `field loan.due_back`. */
  readonly id: string
  readonly cell: Cell
  /** The heading that says it. */
  readonly section: number
  /** "Loan has the new field purpose: long text 500, required". */
  readonly comes: string
  /** "Loan no longer has the field purpose". */
  readonly goes: string
  readonly aspects: readonly Aspect[]
  /** Has no name of its own: it is one of those with the same words here, and known by what it says. */
  readonly among?: string
  /** Nothing uses it, so that what it says belongs to no record and cannot be compared: how that is told. */
  readonly unused?: string
  /** Of a thing that is part of another: it comes and goes with it without a line of its own. */
  readonly within?: string
}

export interface Aspect {
  readonly name: string
  readonly cell: Cell
  /** See `meaningOf`. */
  readonly meaning: string
  /** A list of which only the order counts: what is in one of the documents alone is told by itself. */
  readonly order?: readonly string[]
  /** Words for a message; null where the document says nothing of it. */
  readonly words: string | null
  /** How a difference is told: the words that stand in the old document, then those in the new one. */
  readonly tell: (was: string | null, is: string | null) => string
}

/** One line of `ninefold diff`. */
export interface Difference {
  readonly section: number
  readonly text: string
  /** Where the old document says it; null where it says nothing. */
  readonly before: Cell | null
  readonly after: Cell | null
}

/** "`max 5` (was `max 3`)", "`max 5` is new", "`max 5` is gone". */
export const changed =
  (title: string): Aspect['tell'] =>
  (was, is) =>
    was === is
      ? `${title} is worded differently`
      : is === null
        ? `${title}: \`${was}\` is gone`
        : was === null
          ? `${title}: \`${is}\` is new`
          : `${title}: \`${is}\` (was \`${was}\`)`
