/** All field kinds, in the order of the reference. A new kind is one folder and one line here. */
import { autoNumber } from './auto-number/field.ts'
import { choice } from './choice/field.ts'
import { date } from './date/field.ts'
import { dateAndTime } from './date-and-time/field.ts'
import { decimal } from './decimal/field.ts'
import { duration } from './duration/field.ts'
import { eMail } from './e-mail/field.ts'
import type { FieldKind } from './field-kind.ts'
import { file } from './file/field.ts'
import { image } from './image/field.ts'
import { integer } from './integer/field.ts'
import { json } from './json/field.ts'
import { link } from './link/field.ts'
import { listOf } from './list-of/field.ts'
import { longText } from './long-text/field.ts'
import { markdown } from './markdown/field.ts'
import { money } from './money/field.ts'
import { moneyIn } from './money-in/field.ts'
import { percent } from './percent/field.ts'
import { phone } from './phone/field.ts'
import { reference } from './reference/field.ts'
import { secret } from './secret/field.ts'
import { several } from './several/field.ts'
import { severalOf } from './several-of/field.ts'
import { text } from './text/field.ts'
import { time } from './time/field.ts'
import { typeReader } from './type-cell.ts'
import { yesNo } from './yes-no/field.ts'

const all: readonly FieldKind[] = [
  text,
  longText,
  markdown,
  integer,
  decimal,
  money,
  moneyIn,
  percent,
  yesNo,
  date,
  dateAndTime,
  time,
  duration,
  eMail,
  phone,
  link,
  secret,
  choice,
  severalOf,
  autoNumber,
  reference,
  listOf,
  several,
  file,
  image,
  json,
]

/** By the name that a field of the model carries. */
export const fieldKinds: ReadonlyMap<string, FieldKind> = new Map(all.map(kind => [kind.name, kind]))

/** The kind of a field of the model. A name that is not in the registry is a mistake of ours. */
export function fieldKind(name: string): FieldKind {
  const kind = fieldKinds.get(name)
  if (kind === undefined) throw new Error(`There is no field kind named '${name}'.`)
  return kind
}

/** Reads a type cell: kind, parameters and type, or what is wrong, where, and what was meant. See `typeReader`. */
export const readType = typeReader(all)
