/** Several records as one value: their ids, each once, in order, parted by spaces. */
import type { Wire } from '../../../expression/type.ts'

/** The ids of a value; none of an empty one. */
export const linked = (wire: Wire | undefined): readonly string[] =>
  typeof wire === 'string' ? wire.split(/\s+/).filter(id => id !== '') : []

/** What a form gives one by one, gathered into one text. */
export const gathered = (before: string | undefined, text: string): string =>
  [...new Set([...linked(before), ...linked(text.toLowerCase())])].sort().join(' ')

/** What stands between the commas of a text, with its place in it. A name with a comma in it is quoted: `"Boats, small", Sails`. */
export function namedIn(
  text: string,
): readonly { readonly name: string; readonly start: number; readonly end: number }[] {
  return [...text.matchAll(/\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))(?:,|$)/g)].flatMap(found => {
    const [whole, quoted, plain = ''] = found
    const name = quoted?.replaceAll('""', '"') ?? plain.trim()
    if (name.trim() === '') return []
    const written = quoted ?? name
    const start = found.index + whole.indexOf(written)
    return [{ name, start, end: start + written.length }]
  })
}
