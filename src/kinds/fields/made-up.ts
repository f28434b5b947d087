/** Values that nobody wrote, for records that have to be there: of their kind and like their pattern, and another one for each number. */
import type { Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import { fitting } from '../../headings/3-entities/pattern.ts'
import { fieldKind } from './index.ts'

export const madeUp = ({ kind, parameters, pattern }: Field, n: number): Wire =>
  pattern === null ? fieldKind(kind).sample(n, parameters) : fitting(pattern.signs, n)
