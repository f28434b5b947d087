/** Cells of a file: what stands in them, as what it may be read, and what they are called. */

/** Text as somebody typed it, or what a spreadsheet knows better. */
export type FileCell = string | KnownCell

interface KnownCell {
  /** A number, date, time or yes/no in its canonical form, which no language reads otherwise; of what cannot be taken, what stands there. */
  readonly v: string
  /** The same as far as the sheet shows it, where that is less: rounded, a day without its time, or a time without its day. */
  readonly less?: string
  /** The text that the sheet shows, where that is another one. */
  readonly shown?: string
  /** The sheet shows the number as a percentage; it is the fraction. */
  readonly percent?: true
  /** It is no value: an error of the spreadsheet, or a formula whose result is not in the file. */
  readonly wrong?: 'error' | 'uncounted'
}

/** The whole of it. */
export const textOf = (cell: FileCell): string => (typeof cell === 'string' ? cell : cell.v)

/** As the sheet shows it. */
export const shownOf = (cell: FileCell): string =>
  typeof cell === 'string' ? cell : (cell.shown ?? cell.less ?? cell.v)

export const isEmpty = (cell: FileCell): boolean => typeof cell === 'string' && cell.trim() === ''

/** `B7`, for the second cell of row 7. */
export function cellName(at: number, row: number): string {
  let letters = ''
  for (let rest = at + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return `${letters}${row}`
}
