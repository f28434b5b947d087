/**
 * How PostgreSQL's values come back: as `Wire` values (see `expression/type.ts`). Numbers of every size are decimal text,
 * dates 'YYYY-MM-DD', instants ISO 8601 in UTC with milliseconds, times 'HH:MM'. Only `jsonb` and `bytea` are more than text.
 */
import { types } from 'pg'

const bool = 16
const bytea = 17
const json = 114
const jsonb = 3802
const time = 1083
const timestamptz = 1184
const interval = 1186

/** '2026-03-02 10:00:00.12+00' → '2026-03-02T10:00:00.120Z'. Other zones than UTC are understood too. */
export function momentFromSql(text: string): string {
  if (!text.endsWith('+00')) return new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).toISOString()
  const fraction = text.slice(20, -3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
}

/** '1 year 2 mons 3 days' → 'P14M3D', '01:30:00' → 'PT5400S' (clock durations have no days). Sessions keep the usual `intervalstyle`. */
export function durationFromSql(text: string): string {
  const part = (unit: string) => Number(new RegExp(`(-?\\d+) ${unit}`).exec(text)?.[1] ?? 0)
  const months = part('year') * 12 + part('mon')
  const days = part('day')
  if (months !== 0 || days !== 0) return `P${months === 0 ? '' : `${months}M`}${days === 0 ? '' : `${days}D`}`
  const clock = /(-?)(\d+):(\d+):(\d+(?:\.\d+)?)/.exec(text)
  if (clock === null) return 'PT0S'
  const [, sign, hours, minutes, seconds] = clock
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Math.trunc(Number(seconds))
  const fraction = /\.\d+/.exec(seconds!)?.[0].replace(/\.?0+$/, '') ?? ''
  return `${sign}PT${whole}${fraction}S`
}

const scalar = new Map<number, (text: string) => unknown>([
  [bool, text => text === 't'],
  [bytea, text => Buffer.from(text.slice(2), 'hex')],
  [json, text => JSON.parse(text) as unknown],
  [jsonb, text => JSON.parse(text) as unknown],
  [time, text => text.slice(0, 5)],
  [timestamptz, momentFromSql],
  [interval, durationFromSql],
])

/** Array types, by the type of what they hold. */
const elementOf = new Map<number, number>([
  [1000, bool],
  [1001, bytea],
  [199, json],
  [3807, jsonb],
  [1183, time],
  [1185, timestamptz],
  [1187, interval],
  // int2, int4, int8, numeric, text, varchar, date, uuid, name, oid: their elements stay text.
  ...[1005, 1007, 1016, 1231, 1009, 1015, 1182, 2951, 1003, 1028].map(oid => [oid, 0] as const),
])

const textArray = 1009
// The driver's list of type numbers in its types knows no arrays.
const elements = types.getTypeParser(textArray as never, 'text') as (text: string) => (string | null)[]

const asText = (text: string): string => text

/** What `pg` asks for each column: the parser of its type. */
export function parserOf(oid: number): (text: string) => unknown {
  const element = elementOf.get(oid)
  if (element === undefined) return scalar.get(oid) ?? asText
  const parse = scalar.get(element)
  if (parse === undefined) return elements
  return text => elements(text).map(element => (element === null ? null : parse(element)))
}
