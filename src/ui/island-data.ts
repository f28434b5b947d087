/** What both sides of an island agree on: the prefix of its ids, and its data as it stands in the page. */
import type { ReaderOptions } from './reader.tsx'

/** What an island is rendered from. */
export interface IslandData<Data> {
  readonly reader: ReaderOptions
  readonly data: Data
}

/** Of the ids that React makes inside an island. */
export const prefixOf = (name: string): string => `${name}-`

/**
 * JSON that may stand inside a `script` element: no `<`, so neither `</script` nor `<!--` can be in it. Lines of the document
 * (`mark`, `marks`) are left out where the reader does not see them.
 */
export function islandJson(reader: ReaderOptions, data: unknown): string {
  const withoutMarks = (key: string, value: unknown) => (key === 'mark' ? null : key === 'marks' ? {} : value)
  const json = JSON.stringify({ reader, data }, reader.provenance === true ? undefined : withoutMarks)
  return json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}
