/** What a plan is made of. Plain data: it is printed, compared and executed. */
import { position } from '../../document/cell.ts'
import type { Diagnostic } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'

/** `loan-desk.md:64`. */
export const placeOf = ({ file, start }: Cell): string => `${file.path}:${position(file, start).line}`

/** `together`: in one transaction. `one by one`: each in its own. `outside`: outside transactions, as `concurrently` and what comes in portions want. */
type Mode = 'together' | 'one by one' | 'outside'

interface LockText {
  /** PostgreSQL's name of the lock, and what others wait for while the step runs. */
  readonly says: string
  /** Rows that the step goes through in a second, on a usual machine; null where it takes the same time whatever there is. */
  readonly pace: number | null
}

/** What others wait for, from best to worst. */
export const locks = {
  none: { says: 'nobody waits', pace: null },
  moment: {
    says: 'reading and writing wait for a moment (ACCESS EXCLUSIVE; where it is not had within 0.1 seconds, others go first)',
    pace: null,
  },
  writers: { says: 'writing waits for a moment, reading goes on (SHARE ROW EXCLUSIVE)', pace: null },
  scan: { says: 'all rows are read; reading and writing go on (SHARE UPDATE EXCLUSIVE)', pace: 1_500_000 },
  build: { says: 'the index is built alongside; reading and writing go on (SHARE UPDATE EXCLUSIVE)', pace: 400_000 },
  rows: {
    says: 'rows are written in portions of 2,000, for which writers of the same rows wait (ROW EXCLUSIVE)',
    pace: 15_000,
  },
  constrain: { says: 'reading and writing wait while all rows are compared (ACCESS EXCLUSIVE)', pace: 30_000 },
  rewrite: {
    says: 'the table is rewritten: reading and writing wait until it is done (ACCESS EXCLUSIVE)',
    pace: 300_000,
  },
} as const satisfies Record<string, LockText>

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
  /** The table, as SQL names it now, whose rows the step goes through; null: none. */
  readonly through: string | null
  /** Asked before it is planned: left out where nothing comes back. Null: it is always done. */
  readonly onlyIf: string | null
  /** What the version of the application that runs meanwhile cannot do any more; null: nothing that it could do before. */
  readonly ends: string | null
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
  /** What served the version before the last one alone: no reason to change anything, and goes with what is changed. */
  readonly leftOver: readonly Step[]
  /** What says, ahead of all steps, that this document keeps what another one began to keep. */
  readonly takenOver: readonly string[]
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
  reworded: 57,
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
  readonly through?: string
  readonly onlyIf?: string
  readonly ends?: string | null
  readonly drops?: boolean
}

/** A step with the usual options filled in. */
export function step(
  phase: number,
  lock: Lock,
  because: Step['because'],
  what: string,
  statements: readonly string[],
  { mode = 'together', rows, count, through, onlyIf, ends, drops = false }: StepOptions = {},
): Step {
  return {
    phase,
    what,
    statements,
    mode,
    lock,
    rows: rows ?? null,
    count: count ?? null,
    through: through ?? null,
    onlyIf: onlyIf ?? null,
    ends: ends ?? null,
    because,
    drops,
  }
}
