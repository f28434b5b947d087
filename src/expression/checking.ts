/** What the parts of the checker hand to each other. */
import type { Ast, TextRange } from './ast.ts'
import { type Calendar, UTC } from './calendar.ts'
import type { Checked, Path } from './checked.ts'
import { isFixed } from './currency.ts'
import { typeWords } from './fit.ts'
import type { Reports } from './reports.ts'
import type { Scope } from './scope.ts'
import type { EntityShape, Type } from './type.ts'
import { withAmounts, wordingOf } from './wording.ts'

/** One expression being checked. */
export interface Checking extends Reports {
  readonly scope: Scope
  /** The cell's text, for quoting. */
  readonly text: string
  /** Constants that are left open and say nothing of their type, with the type that they are taken to have. */
  readonly open: Map<string, Type>
  /** The typed tree of a part. `hint`: the type on the other side, which choices and bare numbers take on. */
  readonly check: (ast: Ast, room: Room, hint?: Type) => Checked
  /** The same where a condition is needed. */
  readonly condition: (ast: Ast, room: Room) => Checked
}

/** What names mean and what is known at a part. */
export interface Room {
  /** Whose fields bare names are. */
  readonly own: EntityShape | null
  /** `this`. */
  readonly about: EntityShape | null
  /** `this` is the same record as the own one. */
  readonly same: boolean
  /** Paths that cannot be empty here, because a condition around says so. */
  readonly known: ReadonlySet<string>
  /** Under an odd number of `not`. */
  readonly negated: boolean
  /** What the part stands directly in; null: nothing that would need brackets. */
  readonly around: 'and' | 'or' | 'not' | 'operand' | null
  /** What is asked for may be the rows of rows: it is the argument of an aggregate. */
  readonly rowsOfRows?: true
  /** The `not` whose only content the part is, and what that stands in. */
  readonly not: { readonly ast: Ast; readonly around: Room['around'] } | null
}

/** The room of an operand: a value, no statement of its own. */
export const operandRoom = (room: Room): Room => ({ ...room, negated: false, around: 'operand', not: null })

/** What a failed part gives; it agrees with everything. */
export const FAILED: Checked = { op: 'error', type: { kind: 'error' }, optional: false }

export const YES_NO: Type = { kind: 'yes/no' }

export const failed = (...parts: readonly Checked[]): boolean => parts.some(part => part.type.kind === 'error')

export const wordsOf = (checking: Checking, type: Type): string =>
  typeWords(type, entity => checking.scope.schema.get(entity)?.name ?? entity)

export const sliceOf = (checking: Checking, { from, to }: TextRange): string => checking.text.slice(from, to)

const prefixes = { own: '', this: 'this.', old: 'old.', me: 'my.' } as const

/** A path as it is written. */
export const pathText = ({ base, name, steps }: Path): string =>
  (base === 'named' || base === 'self' ? `${name}.` : prefixes[base]) + steps.map(step => step.field).join('.')

/** The calendar of what is written as a text, with all that a value of this type needs. */
export function wordedFor({ scope }: Checking, type: Type): Calendar {
  const { zone, wording = wordingOf('en') } = scope.calendar ?? UTC
  return { zone, wording: type.kind === 'money' ? withAmounts(wording, isFixed(type) ? type.currency : null) : wording }
}
