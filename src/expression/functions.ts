/**
 * The closed list of functions: type rule, JavaScript and SQL of each in one entry, with the words for the reference.
 * An empty argument gives empty; only `coalesce` looks at empties. Aggregates over lists are in `aggregates`.
 */
import { partsOf as datePartsOf, workingDaysUpTo } from './dates.ts'
import { type Decimal, round, whole } from './decimal.ts'
import { join, raw, type Sql, sql } from './sql.ts'
import type { Type } from './type.ts'
import { order, type Value } from './values.ts'

/** What an argument may be. `places`: a written whole number from 0 to 10. `?` at the end: may be left out. */
export type Parameter = 'text' | 'number' | 'date' | 'places?'

/** An argument as the SQL back end hands it over. Numbers are `numeric` already. */
export interface SqlArgument {
  readonly sql: Sql
  readonly type: Type
  readonly optional: boolean
}

export interface ScalarFunction {
  readonly name: string
  /** How it is written, for the reference, messages and completion. */
  readonly written: string
  readonly meaning: string
  /** One by one; or two or more arguments of one type, out of these kinds (`any`: all that have single values). */
  readonly takes: readonly Parameter[] | { readonly alike: readonly Type['kind'][] | 'any' }
  /** Called when the arguments fit. */
  readonly gives: (types: readonly Type[]) => Type
  /** How often its SQL repeats its arguments. */
  readonly repeats: number
  /** No argument is null, except for `coalesce`. */
  readonly evaluate: (values: readonly Value[]) => Value
  readonly sql: (values: readonly SqlArgument[]) => Sql
}

const INTEGER: Type = { kind: 'integer' }
const ordered: readonly Type['kind'][] = ['integer', 'decimal', 'money', 'date', 'moment']

export const scalarFunctions: readonly ScalarFunction[] = [
  {
    name: 'length',
    written: 'length(text)',
    meaning: 'How many characters a text has.',
    takes: ['text'],
    gives: () => INTEGER,
    repeats: 1,
    evaluate: ([text]) => whole(Array.from(text as string).length),
    sql: ([text]) => sql`char_length(${text!.sql})`,
  },
  {
    name: 'round',
    written: 'round(number) · round(number, places)',
    meaning: 'The number rounded to so many places (none when they are not said), halves away from zero.',
    takes: ['number', 'places?'],
    gives: types => (types[0]!.kind === 'money' || types.length === 2 ? types[0]! : INTEGER),
    repeats: 1,
    evaluate: ([number, places]) =>
      round(number as Decimal, places === undefined ? 0 : Number((places as Decimal).units)),
    sql: ([number, places]) =>
      places === undefined ? sql`round(${number!.sql})` : sql`round(${number!.sql}, (${places.sql})::integer)`,
  },
  {
    name: 'min',
    written: 'min(lines.value) · min(a, b)',
    meaning: 'The smallest of several values; of a list without values: empty.',
    takes: { alike: ordered },
    gives: types => types[0]!,
    repeats: 1,
    evaluate: values => extreme(values, -1),
    sql: values => extremeSql(values, 'least', '-Infinity'),
  },
  {
    name: 'max',
    written: 'max(lines.value) · max(a, b)',
    meaning: 'The largest of several values; of a list without values: empty.',
    takes: { alike: ordered },
    gives: types => types[0]!,
    repeats: 1,
    evaluate: values => extreme(values, 1),
    sql: values => extremeSql(values, 'greatest', 'Infinity'),
  },
  {
    name: 'coalesce',
    written: 'coalesce(value, otherwise)',
    meaning: 'The first of its arguments that is not empty.',
    takes: { alike: 'any' },
    gives: types => types[0]!,
    repeats: 1,
    evaluate: values => values.find(value => value !== null) ?? null,
    sql: values =>
      sql`coalesce(${join(
        values.map(value => value.sql),
        ', ',
      )})`,
  },
  {
    name: 'year',
    written: 'year(date)',
    meaning: 'The year of a date.',
    takes: ['date'],
    gives: () => INTEGER,
    repeats: 1,
    evaluate: ([date]) => whole(datePartsOf(date as number)[0]),
    sql: ([date]) => sql`extract(year from ${date!.sql})`,
  },
  {
    name: 'month',
    written: 'month(date)',
    meaning: 'The month of a date, 1 to 12.',
    takes: ['date'],
    gives: () => INTEGER,
    repeats: 1,
    evaluate: ([date]) => whole(datePartsOf(date as number)[1]),
    sql: ([date]) => sql`extract(month from ${date!.sql})`,
  },
  {
    name: 'day',
    written: 'day(date)',
    meaning: 'The day of the month of a date, 1 to 31.',
    takes: ['date'],
    gives: () => INTEGER,
    repeats: 1,
    evaluate: ([date]) => whole(datePartsOf(date as number)[2]),
    sql: ([date]) => sql`extract(day from ${date!.sql})`,
  },
  {
    name: 'days_between',
    written: 'days_between(from, to)',
    meaning: 'Days from one date to another; negative when the second is earlier.',
    takes: ['date', 'date'],
    gives: () => INTEGER,
    repeats: 1,
    evaluate: ([from, to]) => whole((to as number) - (from as number)),
    sql: ([from, to]) => sql`(${to!.sql} - ${from!.sql})`,
  },
  {
    name: 'working_days',
    written: 'working_days(from, to)',
    meaning:
      'Days from Monday to Friday after the first date, up to and including the second; negative when it is earlier.',
    takes: ['date', 'date'],
    gives: () => INTEGER,
    repeats: 2,
    evaluate: ([from, to]) => whole(workingDaysUpTo(to as number) - workingDaysUpTo(from as number)),
    sql: ([from, to]) => sql`(${workingDaysSql(to!.sql)} - ${workingDaysSql(from!.sql)})`,
  },
]

export const scalarFunction = (name: string): ScalarFunction | undefined =>
  scalarFunctions.find(candidate => candidate.name === name)

export interface AggregateEntry {
  readonly name: 'count' | 'sum' | 'min' | 'max' | 'any' | 'none' | 'all'
  readonly written: string
  readonly meaning: string
}

export const aggregates: readonly AggregateEntry[] = [
  {
    name: 'count',
    written: 'count(lines) · count(lines where damaged) · count(Loan where borrower = this.borrower)',
    meaning: 'How many rows or records there are; of values, how many are not empty.',
  },
  { name: 'sum', written: 'sum(lines.value)', meaning: 'The total; of nothing: 0.' },
  { name: 'min', written: 'min(lines.value)', meaning: 'The smallest value; of nothing: empty.' },
  { name: 'max', written: 'max(lines.value)', meaning: 'The largest value; of nothing: empty.' },
  {
    name: 'any',
    written: 'any(lines where damaged)',
    meaning: 'Whether at least one is as the condition says; of nothing: no.',
  },
  {
    name: 'none',
    written: 'none(other Loan where item = this.item)',
    meaning: 'Whether not one is as the condition says.',
  },
  {
    name: 'all',
    written: 'all(lines where not damaged)',
    meaning:
      'Whether each one is as the condition says; of nothing: yes. Where the condition is unknown it does not hold.',
  },
]

/** All names of functions, for did-you-mean and completion. */
export const functionNames: readonly string[] = [
  ...new Set([...scalarFunctions.map(entry => entry.name), ...aggregates.map(entry => entry.name)]),
]

function extreme(values: readonly Value[], direction: 1 | -1): Value {
  return values.reduce((best, value) => (Math.sign(order(value!, best!)) === direction ? value : best))
}

/** `least` and `greatest` leave empties out; with infinity in their place one empty makes the whole empty, said once each. */
function extremeSql(values: readonly SqlArgument[], name: string, infinity: string): Sql {
  const kind = values[0]!.type.kind
  const type = kind === 'date' ? 'date' : kind === 'moment' ? 'timestamptz' : 'numeric'
  const end = raw(`'${infinity}'::${type}`)
  const parts = values.map(value => (value.optional ? sql`coalesce(${value.sql}, ${end})` : value.sql))
  const chosen = sql`${raw(name)}(${join(parts, ', ')})`
  return values.some(value => value.optional) ? sql`nullif(${chosen}, ${end})` : chosen
}

function workingDaysSql(date: Sql): Sql {
  const days = sql`(${date} - date '0001-01-01')`
  return sql`(${days} / 7 * 5 + least(${days} % 7 + 1, 5))`
}
