/**
 * The closed list of functions: type rule, JavaScript and SQL of each in one entry, with the words for the reference.
 * An empty argument gives empty; only `coalesce` looks at empties. Aggregates over lists are in `aggregates`.
 */

import { aggregates } from './aggregate-functions.ts'
import {
  type Calendar,
  type ClosedDays,
  isOpen,
  isOpenSql,
  localDay,
  localSql,
  momentOnSql,
  mondayToFriday,
  workedAfter,
  workedAfterSql,
  workedSql,
  workedUntil,
  workingDayAfter,
  workingDayAfterSql,
  workingDaysSql,
  workingDaysUpTo,
} from './calendar.ts'
import { currencyPlaces, mostPlaces, placesIn, placesSql } from './currency.ts'
import { partsOf as datePartsOf, LONGEST_CLOCK, weekdaysUpTo } from './dates.ts'
import { type Decimal, divide, divideCut, multiply, round, roundTo, whole } from './decimal.ts'
import { join, raw, type Sql, sql } from './sql.ts'
import { textFunctions } from './text-functions.ts'
import type { Money, Type } from './type.ts'
import { order, type Value } from './values.ts'
import { weekdayNameSql } from './written.ts'
import { writtenValue, writtenValueSql } from './written-value.ts'
import { clockText, localOf, minuteOf, momentOn } from './zone.ts'

/**
 * What an argument may be. `written`: a text in quotes, of 100 characters at most. `places`: a written whole number from 0 to 10. `day`: a date or a moment. `whole`, `count`: numbers, no
 * amounts of money. `shown`: what has a usual spelling. `whose`: a record that has closed days of its own. `?` at the end: may be left out.
 */
export type Parameter =
  | 'text'
  | 'written'
  | 'number'
  | 'amount'
  | 'currency'
  | 'whole'
  | 'count'
  | 'date'
  | 'time'
  | 'moment'
  | 'day'
  | 'shown'
  | 'places?'
  | 'whose?'

/** An argument as the SQL back end hands it over. Numbers are `numeric` already. */
export interface SqlArgument {
  readonly sql: Sql
  readonly type: Type
  readonly optional: boolean
}

/** How a function is called in JavaScript. */
export interface Called {
  readonly types: readonly Type[]
  readonly calendar: Calendar
  readonly closed: ClosedDays
}

export interface ScalarFunction {
  readonly name: string
  /** How it is written, for the reference, messages and completion. */
  readonly written: string
  readonly meaning: string
  /** One by one; or two or more arguments of one type, out of these kinds (`any`: all that have single values). */
  readonly takes: readonly Parameter[] | { readonly alike: readonly Type['kind'][] | 'any' }
  /** Called when the arguments fit; `places` are those written for `places?`. */
  readonly gives: (types: readonly Type[], places?: number) => Type
  /** How often its SQL repeats its arguments. */
  readonly repeats: number
  /** It looks at the clocks of the application, writes in its language, looks at its working days (`days`: where it declares them), or at its working hours; or it is given the currency of its amount, too. */
  readonly needs?: 'zone' | 'wording' | 'days' | 'week' | 'hours' | 'currency'
  /** What it gives may be empty though no argument is: outside of the years 1 to 9999, or where no text is left. */
  readonly leaves?: true
  /** No argument is null, except for `coalesce`. */
  readonly evaluate: (values: readonly Value[], call: Called) => Value
  readonly sql: (values: readonly SqlArgument[], calendar: Calendar) => Sql
}

const INTEGER: Type = { kind: 'integer' }
const TEXT: Type = { kind: 'text' }
const ordered: readonly Type['kind'][] = ['integer', 'decimal', 'money', 'date', 'moment', 'duration']

/** Amounts stay amounts; a price per unit that is rounded has no more decimals than it is rounded to. */
function rounded([type]: readonly Type[], places?: number): Type {
  if (type!.kind !== 'money') return places === undefined ? INTEGER : type!
  const { currency, places: own = 0 } = type!
  const left = Math.min(own, places ?? 0)
  return { kind: 'money', currency, ...(left > placesIn(type!) && { places: left }) }
}

function roundedTo(way: 'up' | 'down', cut: 'ceil' | 'floor'): ScalarFunction {
  const next =
    way === 'up' ? 'the next one that is not smaller: 13 / 12 is 2' : 'the last one that is not larger: 6.9 is 6'
  return {
    name: `round_${way}`,
    written: `round_${way}(number) · round_${way}(number, places)`,
    meaning: `The number with so many places (none when they are not said), ${next}, -1.5 is ${way === 'up' ? -1 : -2}.`,
    takes: ['number', 'places?'],
    gives: rounded,
    repeats: 1,
    evaluate: ([number, places]) =>
      roundTo(way, number as Decimal, places === undefined ? 0 : Number((places as Decimal).units)),
    sql: ([number, places]) => {
      if (places === undefined) return sql`${raw(cut)}(${number!.sql})`
      const power = (sign: string) => sql`(${raw(`'1e${sign}'`)} || (${places.sql})::integer)::numeric`
      return sql`(${raw(cut)}(${number!.sql} * ${power('')}) * ${power('-')})`
    },
  }
}

/** What it takes in a document, `check-convert.ts` makes of it: the amount, what multiplies and divides it, the currency, and the day. */
const conversion: ScalarFunction = {
  name: 'convert',
  written: 'convert(amount, currency, day)',
  meaning:
    'The amount in another currency (`EUR`, or a field that says it), by the last exchange rate on or before a day, rounded to the decimals of that currency, halves away from zero: `convert(price, EUR, bought_on)`.',
  takes: ['amount', 'currency', 'date'],
  gives: ([amount]) => amount!,
  repeats: 1,
  leaves: true,
  evaluate([amount, up, down, currency]) {
    const product = multiply(amount as Decimal, up as Decimal)
    const cut = divideCut(product, down as Decimal, mostPlaces + 1)
    return cut && round(cut, currencyPlaces(currency as string))
  },
  // Cut behind the digit that decides, so that there is one rounding.
  sql([amount, up, down, currency, day]) {
    const moved = raw(`1${'0'.repeat(mostPlaces + 1)}`)
    const back = raw(`0.${'0'.repeat(mostPlaces)}1`)
    const cut = sql`div(${amount!.sql} * ${up!.sql} * ${moved}, nullif(${down!.sql}, 0)) * ${back}`
    const converted = sql`round(${cut}, ${placesSql(currency!.sql)})`
    return day!.optional ? sql`(case when ${day!.sql} is not null then ${converted} end)` : converted
  },
}

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
  ...textFunctions,
  {
    name: 'round',
    written: 'round(number) · round(number, places)',
    meaning: 'The number rounded to so many places (none when they are not said), halves away from zero.',
    takes: ['number', 'places?'],
    gives: rounded,
    repeats: 1,
    evaluate: ([number, places]) =>
      round(number as Decimal, places === undefined ? 0 : Number((places as Decimal).units)),
    sql: ([number, places]) =>
      places === undefined ? sql`round(${number!.sql})` : sql`round(${number!.sql}, (${places.sql})::integer)`,
  },
  {
    name: 'round_amount',
    written: 'round_amount(amount)',
    meaning: 'The amount rounded to the decimals of its currency, halves away from zero.',
    takes: ['amount'],
    gives: ([type]) => ({ kind: 'money', currency: (type as Money).currency }),
    repeats: 1,
    needs: 'currency',
    evaluate: ([amount, currency]) => round(amount as Decimal, currencyPlaces(currency as string)),
    sql: ([amount, currency]) => sql`round(${amount!.sql}, ${placesSql(currency!.sql)})`,
  },
  conversion,
  roundedTo('up', 'ceil'),
  roundedTo('down', 'floor'),
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
    name: 'date',
    written: 'date(moment)',
    meaning: 'The day of a moment in the time zone of the application.',
    takes: ['moment'],
    gives: () => ({ kind: 'date' }),
    repeats: 1,
    needs: 'zone',
    evaluate: ([moment], { calendar }) => localDay(moment as number, calendar),
    sql: ([moment], calendar) => localDaySql(moment!, calendar),
  },
  {
    name: 'time',
    written: 'time(moment)',
    meaning: 'The time of day of a moment in the time zone of the application, to the minute.',
    takes: ['moment'],
    gives: () => ({ kind: 'time' }),
    repeats: 1,
    needs: 'zone',
    evaluate: ([moment], { calendar }) => clockText(localOf(moment as number, calendar.zone).minute),
    sql: ([moment], calendar) => sql`date_trunc('minute', ${localSql(moment!.sql, calendar)})::time`,
  },
  {
    name: 'weekday',
    written: 'weekday(date) · weekday(moment)',
    meaning: 'The day of the week, 1 for Monday to 7 for Sunday; of a moment, in the time zone of the application.',
    takes: ['day'],
    gives: () => INTEGER,
    repeats: 1,
    needs: 'zone',
    evaluate: ([value], { types, calendar }) => whole((dayOf(value, types[0]!, calendar) % 7) + 1),
    sql: ([value], calendar) =>
      sql`extract(isodow from ${value!.type.kind === 'date' ? value!.sql : localDaySql(value!, calendar)})`,
  },
  {
    name: 'weekday_name',
    written: 'weekday_name(date) · weekday_name(moment)',
    meaning: 'The name of the day of the week, in the language of the application: `"Monday"`.',
    takes: ['day'],
    gives: () => TEXT,
    repeats: 1,
    needs: 'wording',
    evaluate: ([value], { types, calendar }) => calendar.wording!.weekdays[dayOf(value, types[0]!, calendar) % 7]!,
    sql: ([value], calendar) =>
      weekdayNameSql(
        sql`extract(isodow from ${value!.type.kind === 'date' ? value!.sql : localDaySql(value!, calendar)})`,
        calendar.wording!,
      ),
  },
  {
    name: 'text',
    written: 'text(date) · text(moment) · text(number)',
    meaning:
      'A date, a date and time, a number, an amount, a time, a length of time, yes/no or a choice as it is shown in the language of the application: `"Due " + text(due_back)`.',
    takes: ['shown'],
    gives: () => TEXT,
    repeats: 1,
    needs: 'wording',
    evaluate: ([value, currency = null], { types, calendar }) =>
      writtenValue(value!, types[0]!, calendar, currency as string | null),
    sql: ([value, currency], calendar) => writtenValueSql(value!, calendar, currency?.sql),
  },
  {
    name: 'at',
    written: 'at(date, time)',
    meaning:
      'The moment at which the clocks of the application show a time on a day: `at(due_back, 18:00)`; the earlier one where they show it twice.',
    takes: ['date', 'time'],
    gives: () => ({ kind: 'moment' }),
    repeats: 1,
    leaves: true,
    needs: 'zone',
    evaluate: ([date, time], { calendar: { zone } }) =>
      momentOn(date as number, minuteOf(time as string) * 60_000, zone),
    sql: ([date, time], calendar) => momentOnSql(date!.sql, time!.sql, calendar),
  },
  {
    name: 'hours_between',
    written: 'hours_between(from, to)',
    meaning: 'Hours that pass from one moment to another, with decimals; negative when the second is earlier.',
    takes: ['moment', 'moment'],
    gives: () => ({ kind: 'decimal' }),
    repeats: 1,
    evaluate: ([from, to]) => divide({ units: BigInt((to as number) - (from as number)), scale: 3 }, whole(3600)),
    sql: ([from, to]) => hoursSql(secondsSql(from!, to!)),
  },
  {
    name: 'started_hours',
    written: 'started_hours(from, to)',
    meaning: 'Hours that have begun between two moments: 61 minutes are 2. 0 when the second is not later.',
    takes: ['moment', 'moment'],
    gives: () => INTEGER,
    repeats: 1,
    evaluate: ([from, to]) => started(from, to, 3_600_000),
    sql: ([from, to]) => startedSql(from!, to!, 3600),
  },
  {
    name: 'started_days',
    written: 'started_days(from, to)',
    meaning: 'Days of 24 hours that have begun between two moments: 25 hours are 2. 0 when the second is not later.',
    takes: ['moment', 'moment'],
    gives: () => INTEGER,
    repeats: 1,
    evaluate: ([from, to]) => started(from, to, 86_400_000),
    sql: ([from, to]) => startedSql(from!, to!, 86_400),
  },
  {
    name: 'working_days',
    written: 'working_days(from, to) · working_days(from, to, site)',
    meaning:
      'Working days after the first date, up to and including the second; negative when it is earlier. Monday to Friday, or as `Working time` of heading 9 says.',
    takes: ['date', 'date', 'whose?'],
    gives: () => INTEGER,
    repeats: 2,
    needs: 'days',
    evaluate: ([from, to], { calendar: { week }, closed }) => {
      const upTo = (day: number) => (week === undefined ? weekdaysUpTo(day) : workingDaysUpTo(day, week, closed))
      return whole(upTo(to as number) - upTo(from as number))
    },
    sql: ([from, to], { week }) =>
      week === undefined
        ? sql`(${weekdaysSql(to!.sql)} - ${weekdaysSql(from!.sql)})`
        : workingDaysSql(from!.sql, to!.sql, week),
  },
  {
    name: 'working_hours',
    written: 'working_hours(from, to) · working_hours(from, to, site)',
    meaning: 'Hours of working time from one moment to another, with decimals; negative when the second is earlier.',
    takes: ['moment', 'moment', 'whose?'],
    gives: () => ({ kind: 'decimal' }),
    repeats: 1,
    needs: 'hours',
    evaluate: ([from, to], { calendar, closed }) => {
      const until = (moment: Value | undefined) => workedUntil(moment as number, calendar, closed)
      return divide({ units: BigInt(until(to) - until(from)), scale: 3 }, whole(3600))
    },
    sql: ([from, to], calendar) => hoursSql(workedSql(from!.sql, to!.sql, calendar)),
  },
  {
    name: 'working_days_after',
    written: 'working_days_after(from, days) · working_days_after(from, days, site)',
    meaning:
      'The working day so many of them after a date; before it, where the number is negative. After 0 the date itself.',
    takes: ['date', 'whole', 'whose?'],
    gives: () => ({ kind: 'date' }),
    repeats: 1,
    leaves: true,
    needs: 'week',
    evaluate: ([from, days], { calendar: { week }, closed }) =>
      workingDayAfter(from as number, Number((days as Decimal).units), week ?? mondayToFriday, closed),
    sql: ([from, days], { week }) => workingDayAfterSql(from!.sql, days!.sql, week ?? mondayToFriday),
  },
  {
    name: 'working_hours_after',
    written: 'working_hours_after(from, hours) · working_hours_after(from, hours, site)',
    meaning:
      'The moment at which so many hours of working time have passed since another; where the number is negative, before it. Behind the last hour of a day it is its closing.',
    takes: ['moment', 'count', 'whose?'],
    gives: () => ({ kind: 'moment' }),
    repeats: 1,
    leaves: true,
    needs: 'hours',
    evaluate: ([from, hours], { calendar, closed }) => {
      const milliseconds = Number(round(multiply(hours as Decimal, whole(3_600_000)), 0).units)
      return Math.abs(milliseconds) > LONGEST_CLOCK ? null : workedAfter(from as number, milliseconds, calendar, closed)
    },
    sql: ([from, hours], calendar) => workedAfterSql(from!.sql, hours!.sql, calendar),
  },
  {
    name: 'is_open',
    written: 'is_open(moment) · is_open(moment, site)',
    meaning: 'Whether it is working time then: from the opening until before the closing of a working day.',
    takes: ['moment', 'whose?'],
    gives: () => ({ kind: 'yes/no' }),
    repeats: 1,
    needs: 'hours',
    evaluate: ([moment], { calendar, closed }) => isOpen(moment as number, calendar, closed),
    sql: ([moment], calendar) => isOpenSql(moment!.sql, calendar),
  },
]

export const scalarFunction = (name: string): ScalarFunction | undefined =>
  scalarFunctions.find(candidate => candidate.name === name)

/** All names of functions, for did-you-mean and completion. */
export const functionNames: readonly string[] = [
  ...new Set([...scalarFunctions.map(entry => entry.name), ...aggregates.map(entry => entry.name)]),
]

/** The day that a date is, or that a moment is on. */
const dayOf = (value: Value | undefined, { kind }: Type, calendar: Calendar): number =>
  kind === 'date' ? (value as number) : localDay(value as number, calendar)

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

function weekdaysSql(date: Sql): Sql {
  const days = sql`(${date} - date '0001-01-01')`
  return sql`(${days} / 7 * 5 + least(${days} % 7 + 1, 5))`
}

function localDaySql(moment: SqlArgument, calendar: Calendar): Sql {
  const day = sql`${localSql(moment.sql, calendar)}::date`
  const [first, last] = [raw("date '0001-01-01'"), raw("date '9999-12-31'")]
  const late = atLeast({ ...moment, sql: day }, first, raw("date 'infinity'"))
  const least = moment.optional ? sql`coalesce(${late}, '-infinity')` : late
  const both = sql`least(${least}, ${last})`
  return moment.optional ? sql`nullif(${both}, '-infinity')` : both
}

/** The greater of two, but empty stays empty. `infinite`: a value of the type that never comes out. */
const atLeast = ({ sql: value, optional }: Pick<SqlArgument, 'sql' | 'optional'>, low: Sql, infinite: Sql): Sql =>
  optional
    ? sql`nullif(greatest(coalesce(${value}, ${infinite}), ${low}), ${infinite})`
    : sql`greatest(${value}, ${low})`

/** Seconds as hours, as every division: rounded to 10 places. */
const hoursSql = (seconds: Sql): Sql => sql`round(div(${seconds} * 100000000000, 3600) * 0.00000000001, 10)`

const secondsSql = (from: SqlArgument, to: SqlArgument): Sql => sql`extract(epoch from ${to.sql} - ${from.sql})`

const started = (from: Value | undefined, to: Value | undefined, unit: number): Value =>
  whole(Math.max(0, Math.ceil(((to as number) - (from as number)) / unit)))

function startedSql(from: SqlArgument, to: SqlArgument, unit: number): Sql {
  const units = sql`ceil(${secondsSql(from, to)} / ${raw(String(unit))})`
  return atLeast({ sql: units, optional: from.optional || to.optional }, raw('0'), raw("'Infinity'::numeric"))
}
