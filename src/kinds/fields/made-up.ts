/** Texts that nobody wrote, for records that have to be there: of their kind, and another one for each number. */
import type { Field } from '../../headings/3-entities/model.ts'
import { fieldKind } from './index.ts'

export const madeUp = ({ kind, parameters, pattern }: Field, n: number): string =>
  pattern === null
    ? (distinct(n).find(text => 'value' in fieldKind(kind).parse(text, parameters, 'en')) ?? `x${n}`)
    : fitting(pattern.shown, n)

/** A text of a picture, or of a regular expression in which nothing but figures is left open. */
function fitting(pattern: string, n: number): string {
  const picture = pattern.replace(/\\d(?:\{(\d+)[^}]*\})?/g, (_, count = '1') => '9'.repeat(Number(count)))
  const open = picture.split('9').length - 1
  const figures = [...`1${String(n).padStart(open - 1, '0')}`.slice(-open)]
  return picture.replace(/9/g, () => figures.shift()!)
}

/** As they are, as an address of mail or of a page, as a number of a telephone. */
const distinct = (n: number): readonly string[] => [
  `x${n}`,
  `x${n}@example.org`,
  `https://example.org/x${n}`,
  `+44 20 7946 ${String(n).padStart(4, '0')}`,
]
