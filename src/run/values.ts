/** Wire values as parameters: what PostgreSQL is told they are, and whether it could read them. */
import { dayNumber, momentOf, parseDuration } from '../expression/dates.ts'
import { parseDecimal } from '../expression/decimal.ts'
import { raw, type Sql, sql } from '../expression/sql.ts'
import type { Type, Wire } from '../expression/type.ts'
import { isStorable } from '../kinds/fields/texts.ts'

const names: Readonly<Partial<Record<Type['kind'], string>>> = {
  text: 'text',
  choice: 'text',
  choices: 'text',
  // As its column: compared with a `numeric`, no index of whole numbers would serve.
  integer: 'bigint',
  decimal: 'numeric',
  money: 'numeric',
  'yes/no': 'boolean',
  date: 'date',
  moment: 'timestamptz',
  time: 'time',
  duration: 'interval',
  reference: 'uuid',
  file: 'text',
  json: 'jsonb',
}

/** The PostgreSQL type that a parameter with a value of this type is read as. */
export const sqlType = (type: Type): Sql => raw(names[type.kind] ?? 'text')
export const sqlArrayType = (type: Type): Sql => raw(`${names[type.kind] ?? 'text'}[]`)

/** A wire value of this type, in PostgreSQL's: it knows no minus before a length of time, only before its parts. */
export const castWire = (type: Type, value: Sql): Sql =>
  type.kind === 'duration' ? sql`replace(${value}::text, '-PT', 'PT-')::interval` : sql`${value}::${sqlType(type)}`

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isId = (text: unknown): text is string => typeof text === 'string' && uuid.test(text)

/** Whether a value that came from outside (an address, a cursor) is one of this type, so that the database can read it. */
export function fits(type: Type, wire: unknown): wire is Wire {
  if (type.kind === 'yes/no') return typeof wire === 'boolean'
  if (typeof wire !== 'string' || !isStorable(wire)) return false
  switch (type.kind) {
    case 'integer':
      return /^-?\d{1,19}$/.test(wire) && BigInt.asIntN(64, BigInt(wire)) === BigInt(wire)
    case 'decimal':
    case 'money':
      return wire.length <= 200 && parseDecimal(wire) !== null
    case 'date':
      return dayNumber(wire) !== null
    case 'moment':
      return momentOf(wire) !== null
    case 'time':
      return /^([01]\d|2[0-3]):[0-5]\d$/.test(wire)
    case 'duration': {
      const length = parseDuration(wire)
      if (length === null) return false
      return type.of === 'clock' ? length.months === 0 && length.days === 0 : length.milliseconds === 0
    }
    case 'reference':
      return isId(wire)
    case 'text':
    case 'choice':
    case 'choices':
    case 'file':
      return true
    default:
      return false
  }
}
