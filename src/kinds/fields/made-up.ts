/** Texts that nobody wrote, for records that have to be there: of their kind, and another one for each number. */
import type { Field } from '../../headings/3-entities/model.ts'
import { fitting } from '../../headings/3-entities/pattern.ts'
import { fieldKind } from './index.ts'

export const madeUp = ({ kind, parameters, pattern }: Field, n: number): string =>
  pattern === null
    ? (distinct(n).find(text => 'value' in fieldKind(kind).parse(text, parameters, 'en', 'UTC')) ?? `x${n}`)
    : fitting(pattern.signs, n)

/** As they are, as an address of mail or of a page, as a number of a telephone. */
const distinct = (n: number): readonly string[] => [
  `x${n}`,
  `x${n}@example.org`,
  `https://example.org/x${n}`,
  `+44 20 7946 ${String(n).padStart(4, '0')}`,
]
