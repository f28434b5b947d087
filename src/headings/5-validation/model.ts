/** Heading 5: validation rules. */
import type { Cell } from '../../document/source.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Specified } from '../specified.ts'

export interface Rule {
  /** `V-2`. */
  readonly name: string
  readonly cell: Cell
  readonly entity: string
  /** Null: whenever the record is written. Else only on these: `create`, `change`, `delete` or a step's key. */
  readonly on: readonly string[] | null
  readonly mustHold: Specified<Expression>
  /** The field beside which the message stands; null: above the form. */
  readonly field: string | null
  /** Code in the error catalogue. */
  readonly error: Specified<string>
  readonly errorCell: Cell
  /** Whoever writes may confirm that it does not hold. Without a code there is nothing to confirm: then it refuses. */
  readonly warns: boolean
  readonly examples: readonly Example[]
}

/** A row of `#### Examples: V-2`: a draft with these values must give this result. */
export interface Example {
  readonly cell: Cell
  /** `child`: the list of rows that the field is of; null: it is the record's own. */
  readonly values: readonly { readonly field: string; readonly child: string | null; readonly cell: Cell }[]
  /** `ok` or an error code. */
  readonly result: Cell
}
