/** What a write comes to. Expected outcomes are values; exceptions are for our own mistakes. */
import type { Cell } from '../document/source.ts'
import type { RecordValue, Wire } from '../expression/type.ts'

/** A refusal as a person reads it (shape of RFC 9457 plus where it is decided). */
export interface Problem {
  /** `E-DUE-1` from the catalogue, or a built-in `NF-…`. */
  readonly code: string
  readonly message: string
  readonly whatToDo: string | null
  readonly status: number
  /** `due_back`, `lines.2.item`; null: the record as a whole. */
  readonly field: string | null
  /** The rows on the way to `field`: what their list is called, and what they are, as far as whoever is told sees it. */
  readonly rows?: readonly (readonly [list: string, name: string])[]
  /** The line of the document that decides; null for what Ninefold itself demands. */
  readonly because: Cell | null
  /** It may be confirmed by its code; absent: it refuses. */
  readonly warning?: true
  /**
   * It was refused by what followed from the write, of this record, perhaps another one; `id` null: a new one, or one that the reader does
   * not see. Absent: the write itself was. `title`: what names another record.
   */
  readonly of?: { readonly entity: string; readonly id: string | null; readonly title?: string }
}

export type Outcome =
  /**
   * `waits`: it was decided, and the step happens when others have decided too. `gone`: what followed deleted the record, or put it
   * aside.
   */
  | {
      readonly kind: 'done'
      readonly id: string
      readonly version: number
      readonly waits?: true
      readonly gone?: true
    }
  /** Rules, field rules, closed steps, denied permissions: at least one problem, in the order of the form. */
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] }
  /** Somebody else changed it meanwhile; nothing was written. `theirs` holds only what this person may see. */
  | {
      readonly kind: 'stale'
      readonly version: number
      readonly theirs: RecordValue
      /** Titles of the records that `theirs` names, by path: `borrower`, `lines.0.item`. */
      readonly labels: Readonly<Record<string, string>>
      /** Who changed it last, and when; empty: somebody who is not to be named; null: the application itself. */
      readonly by: string | null
      readonly at: string | null
      /** The state that the last change brought it to, where whoever is told sees it; null: none. */
      readonly moved: string | null
      readonly problem: Problem
    }
  /** It does not exist, or this person may not know that it does. */
  | { readonly kind: 'not found'; readonly problem: Problem }

/** What a form or an API call wants to write: wire values by field key, child rows with their id where they exist already. */
export interface Input {
  readonly values: Readonly<Record<string, Wire>>
  readonly children: Readonly<Record<string, readonly ChildInput[]>>
  /** What could not be read as a value of its field's kind, by path (`lines.0.value`). */
  readonly invalidValues: readonly Problem[]
  /** Why somebody decides as they do about a step that waits for approvals. */
  readonly reason?: string | null
}

export interface ChildInput {
  readonly id: string | null
  readonly values: Readonly<Record<string, Wire>>
  /** Rows of its own; what is not spoken of stays. */
  readonly children?: Input['children']
}
