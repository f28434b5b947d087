/** Values and dates in PostgreSQL's words: literals, casts, and date arithmetic that ends in null instead of an error. */
import type { Checked } from './checked.ts'
import { type Duration, LAST_DAY, LONGEST_CLOCK, LONGEST_DAYS, LONGEST_MONTHS, parseDuration } from './dates.ts'
import { raw, type Sql, sql } from './sql.ts'
import type { Type, Wire } from './type.ts'

/** The type that a parameter or a column of this type has. */
export function castOf(type: Type): Sql {
  switch (type.kind) {
    case 'integer':
      return raw('bigint')
    case 'decimal':
    case 'money':
      return raw('numeric')
    case 'yes/no':
      return raw('boolean')
    case 'date':
      return raw('date')
    case 'moment':
      return raw('timestamptz')
    case 'time':
      return raw('time')
    case 'duration':
      return raw('interval')
    case 'reference':
      return raw('uuid')
    case 'json':
      return raw('jsonb')
    default:
      return raw('text')
  }
}

/** A value that the document says, as text of the statement: a CHECK and the condition of an index can hold no parameter. */
export function literal(value: Wire, type: Type): Sql {
  // A length of time by the clock is reckoned with in seconds.
  if (value === null)
    return type.kind === 'duration' && type.of === 'clock' ? raw('null::numeric') : sql`null::${castOf(type)}`
  if (typeof value === 'boolean') return raw(String(value))
  switch (type.kind) {
    case 'integer':
    case 'decimal':
    case 'money':
      if (!/^\d+(\.\d+)?$/.test(value)) throw new Error(`'${value}' is not written as a number.`)
      return raw(value)
    case 'date':
      return sql`date ${quoted(value)}`
    case 'moment':
      return sql`timestamptz ${quoted(value)}`
    case 'time':
      return sql`time ${quoted(value)}`
    case 'duration': {
      const duration = parseDuration(value)!
      if (type.of === 'clock') return raw(String(duration.milliseconds / 1000))
      return sql`interval ${quoted(`${duration.months} months ${duration.days} days`)}`
    }
    default:
      return quoted(value)
  }
}

/** A text constant, safe whatever `standard_conforming_strings` says. */
export function quoted(text: string): Sql {
  if (text.includes('\0')) throw new Error('PostgreSQL cannot hold NUL in a text.')
  const doubled = text.replaceAll("'", "''")
  return raw(doubled.includes('\\') ? ` E'${doubled.replaceAll('\\', '\\\\')}'` : `'${doubled}'`)
}

/**
 * A date so many days, months or years on. `by` is a number (days) or an interval. Null outside of the years 1 to 9999; the
 * value beyond either end stands for "outside" and is turned into null, so that no operand is written twice.
 */
export function shiftDate(from: Sql, sign: '+' | '-', by: Sql, node: Checked): Sql {
  if (node.type.kind !== 'duration') {
    const days = sql`(${from} - date '0001-01-01') ${raw(sign)} ${by}`
    return sql`(date '0001-01-01' + ${inside(days, raw('-1'), raw(String(LAST_DAY + 1)))}::integer)`
  }
  const shifted = sql`(${from} ${raw(sign)} ${node.op === 'literal' || node.op === 'times' ? by : boundedInterval(by)})::date`
  return inside(shifted, raw("date '0001-12-31 BC'"), raw("date '10000-01-01'"))
}

/** An instant so many seconds on, in milliseconds; null outside of the years 1 to 9999. */
export function shiftMoment(from: Sql, sign: '+' | '-', seconds: Sql): Sql {
  const longest = LONGEST_CLOCK / 1000
  const bounded = inside(seconds, raw(`-${longest}.001`), raw(`${longest}.001`))
  const shifted = sql`(${from} ${raw(sign)} ${bounded} * interval '1 second')::timestamptz(3)`
  return inside(
    shifted,
    raw("timestamptz '0001-12-31 23:59:59.999+00 BC'"),
    raw("timestamptz '10000-01-01 00:00:00+00'"),
  )
}

/** Seconds, to the millisecond; null beyond 4,000 years. */
export function boundedSeconds(seconds: Sql): Sql {
  const longest = LONGEST_CLOCK / 1000
  return inside(sql`round(${seconds}, 3)`, raw(`-${longest}.001`), raw(`${longest}.001`))
}

/** A written length of days or of months so many times; null beyond 4,000 years. */
export function timesDays(by: Sql, { months, days }: Duration): Sql {
  const [unit, size, longest] = months === 0 ? ['days', days, LONGEST_DAYS] : ['months', months, LONGEST_MONTHS]
  const count = inside(sql`${by} * ${raw(String(size))}`, raw(`-${longest + 1}`), raw(String(longest + 1)))
  return sql`make_interval(${raw(unit)} => ${count}::integer)`
}

/** The value, or null where it is at or beyond one of the ends. `greatest` turns null into the lower end, which is null again. */
const inside = (value: Sql, below: Sql, above: Sql): Sql =>
  sql`nullif(nullif(least(greatest(${value}, ${below}), ${above}), ${below}), ${above})`

function boundedInterval(by: Sql): Sql {
  const months = sql`abs(extract(year from ${by}) * 12 + extract(month from ${by})) <= ${raw(String(LONGEST_MONTHS))}`
  const days = sql`abs(extract(day from ${by})) <= ${raw(String(LONGEST_DAYS))}`
  return sql`(case when ${months} and ${days} then ${by} end)`
}
