/** Several choices as one value: their names, parted by commas. */
import type { Wire } from '../../../expression/type.ts'

/** The names of a value; none of an empty one. */
export const chosen = (wire: Wire | undefined): readonly string[] =>
  typeof wire === 'string' && wire !== '' ? wire.split(', ') : []

export const joined = (names: readonly string[]): string => names.filter(name => name !== '').join(', ')
