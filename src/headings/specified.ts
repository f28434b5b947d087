/** "Unspecified is a value": what a document leaves open is carried in the model instead of being guessed. */
import type { Cell } from '../document/source.ts'

export interface Unspecified {
  readonly unspecified: true
  /** The cell that leaves it open (`TBD (IT, before pilot)`), or the nearest place where it should stand. */
  readonly cell: Cell
  readonly owner: string | null
  readonly note: string | null
}

export type Specified<T> = T | Unspecified

export const isUnspecified = (value: unknown): value is Unspecified =>
  typeof value === 'object' && value !== null && 'unspecified' in value

/** The value, or null where the document leaves it open. */
export const specified = <T>(value: Specified<T>): T | null => (isUnspecified(value) ? null : (value as T))
