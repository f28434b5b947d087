/** Several records as one value: their ids, each once, in order, parted by spaces. */
import type { Wire } from '../../../expression/type.ts'

/** The ids of a value; none of an empty one. */
export const linked = (wire: Wire | undefined): readonly string[] =>
  typeof wire === 'string' ? wire.split(/\s+/).filter(id => id !== '') : []

/** What a form gives one by one, gathered into one text. */
export const gathered = (before: string | undefined, text: string): string =>
  [...new Set([...linked(before), ...linked(text.toLowerCase())])].sort().join(' ')
