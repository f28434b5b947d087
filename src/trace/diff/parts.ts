/** From a part of the model to the aspects of a thing. */
import type { Cell } from '../../document/source.ts'
import { meaningOf, type Renames, wordsOf } from './meaning.ts'
import { type Aspect, changed } from './thing.ts'

export interface Part {
  readonly name: string
  readonly value: unknown
  readonly words?: string | null
  readonly tell?: Aspect['tell']
}

/** An aspect of each part; its place is the cell of the part, else that of the thing. */
export function aspects(parts: readonly Part[], cell: Cell, renames: Renames, about: string | null): readonly Aspect[] {
  return parts.map(({ name, value, words, tell }) => ({
    name,
    cell: cellOf(value) ?? cell,
    meaning: meaningOf(value, renames, about),
    words: words === undefined ? wordsOf(value) : words,
    tell: tell ?? changed(name),
  }))
}

function cellOf(value: unknown): Cell | null {
  if (typeof value !== 'object' || value === null) return null
  if ('text' in value && 'file' in value) return value as Cell
  return 'cell' in value ? cellOf(value.cell) : null
}

/** Properties of a model's part that have no words of their own above: what a later heading adds is compared under its name. */
export function rest(thing: object, known: readonly string[], title: string): readonly Part[] {
  const not = new Set([...known, 'key', 'cell', 'meaning', 'was', 'entity', 'name'])
  return Object.entries(thing)
    .filter(([name]) => !not.has(name) && !name.endsWith('Cell'))
    .map(([name, value]) => ({
      name,
      value,
      words: wordsOf(value) ?? (value === null || value === undefined || value === false ? null : 'otherwise'),
      tell: changed(`${title}, ${name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)}`),
    }))
}

/** Names one after the other; null where there are none. */
export const list = (names: readonly string[]): string | null => (names.length === 0 ? null : names.join(', '))
