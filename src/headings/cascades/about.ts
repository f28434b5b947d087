/** What a finding is about, by its code, its place and its words. */
import type { Diagnostic } from '../../document/diagnostic.ts'
import type { Span } from '../../document/source.ts'

/** Where names of a kind are declared: "there is no such name" is no news while that heading cannot be read whole. */
export const declaredUnder: Readonly<Record<string, number>> = {
  N0201: 3,
  N0204: 3,
  N0218: 3,
  N1010: 3,
  N1205: 3,
  N1301: 3,
  N1304: 3,
  N1305: 3,
  N1316: 3,
  N0207: 4,
  N1210: 4,
  N1227: 4,
  N1401: 4,
  N1403: 4,
  N1417: 4,
  N1429: 4,
  N1502: 4,
  N1503: 5,
  N1601: 6,
  N0205: 7,
  N1701: 7,
  N1703: 7,
  N1011: 8,
  N1801: 8,
  N1808: 8,
  N0203: 9,
}

/** A line or a table that nothing reads where it stands, and that is not like one that is read there. */
export const isMisplaced = ({ code, fixes }: Diagnostic): boolean =>
  misplaced.has(code) && fixes.every(({ kind }) => kind !== 'write')

const misplaced = new Set(['N0305', 'N0306', 'N0310', 'N1004', 'N1013'])

/** A name that cannot be one: it is missing under the name that it would have. */
export const misnamed = new Set(['N1309', 'N1421', 'N1901'])

export const isInScenario = (span: Span): boolean =>
  /^scenario\b/i.test(titleAbove(span, 4)) && /\.md$/.test(span.file.path)

/** The entity that a name is no record of. */
export const recordsOf = ({ code, params }: Diagnostic): string | undefined =>
  code === 'N1010' ? String(params.entity) : undefined

export const textAt = ({ file, start, end }: Span): string => file.text.slice(start, end)

/** The line of a place. */
export function lineOf({ file, start }: Span): Span {
  const from = file.text.lastIndexOf('\n', start - 1) + 1
  const to = file.text.indexOf('\n', start)
  return { file, start: from, end: to < 0 ? file.text.length : to }
}

/** The heading of this depth that a place stands under; empty: there is none since a heading above it. */
export function titleAbove({ file, start }: Span, depth: number): string {
  const mark = `\n${'#'.repeat(depth)} `
  const from = file.text.lastIndexOf(mark, start - 1)
  if (from < 0 || new RegExp(`\n#{1,${depth - 1}} `).test(file.text.slice(from, start))) return ''
  return file.text.slice(from + mark.length, file.text.indexOf('\n', from + 1))
}

export const isInside = (span: Span, row: Span): boolean =>
  span.file === row.file && span.start >= row.start && span.end <= row.end
