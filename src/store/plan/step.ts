/** What a plan is made of. Plain data: it is printed, compared and executed. */
import type { Diagnostic } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'

/**
 * `together`: in one transaction. `one by one`: each in its own. `outside`: outside transactions, as `concurrently` wants.
 * `repeated`: each in its own transaction, again until it touches no row.
 */
type Mode = 'together' | 'one by one' | 'outside' | 'repeated'

/** What others wait for while the step runs, from best to worst. */
export const locks = {
  none: 'nobody waits',
  moment: 'reading and writing wait for a moment',
  writers: 'writing waits for a moment, reading goes on',
  scan: 'all rows are read; reading and writing go on',
  build: 'the index is built alongside; reading and writing go on',
  constrain: 'reading and writing wait while all rows are compared',
  rows: 'writers of the same rows wait',
  rewrite: 'the table is rewritten: reading and writing wait until it is done',
} as const

export type Lock = keyof typeof locks

export interface Step {
  /** When it comes: steps are in ascending order. */
  readonly phase: number
  /** "Add the column `purpose` to `loan`". */
  readonly what: string
  readonly statements: readonly string[]
  readonly mode: Mode
  readonly lock: Lock
  /** What happens to records that exist; `{count}` is what `count` finds. Null: nothing. */
  readonly rows: string | null
  readonly count: string | null
  /** The line that asks for it; null for what Ninefold needs for itself. */
  readonly because: Cell | null
  /** Data is lost: only ever for what was named to be dropped. */
  readonly drops: boolean
}

/** A question to the data before anything is changed. Gives `count` and up to five `examples`, ids of records. */
export interface Probe {
  readonly query: string
  /** Where the records have names by which people know them, as the table is now. */
  readonly called?: { readonly table: string; readonly columns: readonly string[] }
  /** Null when the count is fine, else what is wrong. */
  readonly judge: (count: number, examples: readonly string[], values: readonly string[]) => Diagnostic | null
}

/** Steps as they follow from the model, and what must be asked of the data before they may be taken. */
export interface Draft {
  readonly steps: readonly Step[]
  readonly probes: readonly Probe[]
  /** What is wrong whatever the data is. */
  readonly found: readonly Diagnostic[]
}

export const phases = {
  system: 10,
  release: 15,
  rename: 20,
  loosen: 30,
  create: 40,
  retype: 45,
  addColumn: 50,
  fill: 55,
  constrain: 60,
  require: 65,
  refer: 70,
  keep: 75,
  index: 80,
  drop: 90,
  systemAfter: 95,
} as const

interface StepOptions {
  readonly mode?: Mode
  readonly rows?: string
  readonly count?: string
  readonly drops?: boolean
}

/** A step with the usual options filled in. */
export function step(
  phase: number,
  lock: Lock,
  because: Step['because'],
  what: string,
  statements: readonly string[],
  { mode = 'together', rows, count, drops = false }: StepOptions = {},
): Step {
  return { phase, what, statements, mode, lock, rows: rows ?? null, count: count ?? null, because, drops }
}
