/** Heading 9: business constants and limits. */
import type { Cell } from '../../document/source.ts'
import type { Week } from '../../expression/calendar.ts'
import type { Type, Wire } from '../../expression/type.ts'
import type { Specified } from '../specified.ts'

/** When there is work; functions of time and timers obey it. */
export interface WorkingTime {
  readonly cell: Cell
  /** Monday to Sunday. */
  readonly days: readonly boolean[]
  /** As in `Week`. */
  readonly hours: Week['hours']
  /** The dates on which nobody works: a field of the records of an entity. `of`: the reference that says whose; null: everybody's. */
  readonly closed: {
    readonly cell: Cell
    readonly entity: string
    readonly field: string
    readonly of: string | null
  } | null
}

export interface Constant {
  /** `max_loan_days`; `limits.max_loan_days` in expressions. */
  readonly key: string
  readonly cell: Cell
  readonly type: Type
  /** As the document says; the running application may hold a newer one in `ninefold.constant`. */
  readonly value: Specified<{ readonly cell: Cell; readonly wire: Wire }>
  /** Values that hold from a day on, earliest first. */
  readonly later: readonly { readonly cell: Cell; readonly since: string; readonly wire: Wire }[]
  /** Some expression reads it as it is on a day: `limits.rate on invoiced_on`. */
  readonly onDays: boolean
  readonly unit: Cell | null
  readonly range: { readonly cell: Cell; readonly min: string; readonly max: string } | null
  /** Roles that may change it at run time; `fixed`: only the document. */
  readonly change: Specified<{ readonly cell: Cell; readonly roles: readonly string[] }> | 'fixed'
  readonly meaning: Cell | null
}
