/** Values of records as parts of the paths of screens. */

/** Browsers read `.` and `..` as steps through folders, however they are encoded: a mark stands before them. */
export const segmentOf = (value: string): string => encodeURIComponent(value.replace(/^(?=~*\.{1,2}$)/, '~'))

/** What `segmentOf` wrote. Throws a `URIError` where it is no text. */
export const segmentValue = (segment: string): string => decodeURIComponent(segment).replace(/^~(?=~*\.{1,2}$)/, '')
