import { formatClock, parseDuration, writtenLength } from '../../../expression/dates.ts'
import { raw, sql } from '../../../expression/sql.ts'
import type { Wire } from '../../../expression/type.ts'
import { noArgument } from '../arguments.ts'
import { all } from '../checks.ts'
import type { FieldKind, FieldParameters, Parsed } from '../field-kind.ts'
import { invalidValue } from '../invalid-value.ts'
import { asSeen, jsonText } from '../texts.ts'

const mostHours = 1_000_000
const example = '1:30'

/** A length of time on the clock, to the second; on the wire `PT5400S`, where it may be below zero `-PT5400S` too. Days and longer are whole numbers with a unit of their own: they have no fixed length. */
export const duration: FieldKind = {
  name: 'duration',
  written: 'duration [signed]',
  meaning: 'A length of time: 1:30, 90 min, 1 h 30 min; `signed`: below zero, too.',
  read: argument => (argument === 'signed' ? { signed: true } : noArgument('duration', argument)),
  type: () => ({ kind: 'duration', of: 'clock' }),
  column: () => 'interval',
  // Intervals also hold months, days and fractions of seconds; none of them is a length on the clock to the second.
  check: ({ signed = false }, column) =>
    all([
      sql`${column} between interval '${raw(signed ? '-1000000 hours' : '0')}' and interval '1000000 hours'`,
      sql`date_part('day', ${column}) = 0`,
      sql`date_part('month', ${column}) = 0`,
      sql`date_part('year', ${column}) = 0`,
      sql`date_part('microseconds', ${column})::bigint % 1000000 = 0`,
    ]),
  parse: (text, parameters) => read(text, parameters),
  rounded: wire => formatClock(wholeSeconds(wire)),
  fromJson: (json, parameters) =>
    jsonText(json, 'a duration as a text, like PT1H30M', text => readIso(text, parameters)),
  toJson: wire => (wire === null ? null : isoText(secondsOf(wire))),
  schema: () => ({ type: 'string', format: 'duration' }),
  input: wire => (wire === null ? '' : writtenLength(secondsOf(wire) * 1000)),
  sample: n => `PT${(n % mostHours) * 3600}S`,
  filters: ['at least', 'at most', 'is', 'is empty'],
  sortable: true,
  entered: true,
  examples: [
    {
      type: 'duration',
      good: [
        { text: '0:00', wire: 'PT0S' },
        { text: '45 s', wire: 'PT45S' },
        { text: '90 min', wire: 'PT5400S' },
        { text: '1 h 31 min', wire: 'PT5460S' },
        { text: 'PT2H', wire: 'PT7200S' },
        { text: '100:00', wire: 'PT360000S' },
      ],
      bad: ['-1:00', '1:75', '2 days', '1000001:00', 'long', '1.5'],
    },
    {
      type: 'duration signed',
      good: [
        { text: '-PT2H', wire: '-PT7200S' },
        { text: '-1:30', wire: '-PT5400S' },
        { text: '-90 min', wire: '-PT5400S' },
        { text: '-0:00', wire: 'PT0S' },
        { text: '1:30', wire: 'PT5400S' },
      ],
      bad: ['--1:00', '- long', '-1000001:00'],
    },
  ],
}

/** Also reads what expressions compute: a sign, and fractions, which are left out. */
const secondsOf = (wire: Wire): number => Math.trunc(Number(/^-?PT\d+/.exec(String(wire))?.[0].replace('PT', '') ?? 0))

/** In milliseconds. */
function wholeSeconds(wire: string): number {
  const all = parseDuration(wire)?.milliseconds ?? 0
  return Math.sign(all) * Math.round(Math.abs(all) / 1000) * 1000
}

function isoText(all: number): string {
  const size = Math.abs(all)
  const [hours, minutes, seconds] = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60]
  const text = `${hours > 0 ? `${hours}H` : ''}${minutes > 0 ? `${minutes}M` : ''}${seconds > 0 ? `${seconds}S` : ''}`
  return `${all < 0 ? '-' : ''}PT${text === '' ? '0S' : text}`
}

function total(
  hours: number,
  minutes: number,
  seconds: number,
  sign: string,
  { signed = false }: FieldParameters,
): Parsed {
  const length = (hours * 60 + minutes) * 60 + seconds
  const isBelow = sign === '-' && length > 0
  return length > mostHours * 3600 || (isBelow && !signed)
    ? invalidValue('NF-RANGE', { min: signed ? `-${mostHours}:00` : '0:00', max: `${mostHours}:00` })
    : { value: `${isBelow ? '-' : ''}PT${length}S` }
}

function readIso(text: string, parameters: FieldParameters): Parsed {
  const iso = /^(-?)PT(?=.)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,12})S)?$/i.exec(text)
  if (!iso) return invalidValue('NF-DURATION', { example: 'PT1H30M' })
  return total(Number(iso[2] ?? 0), Number(iso[3] ?? 0), Number(iso[4] ?? 0), iso[1]!, parameters)
}

function read(text: string, parameters: FieldParameters): Parsed {
  const all = text.length > 60 ? '' : asSeen(text).toLowerCase()
  const [, sign = '', plain = ''] = /^([-−]?)\s*(\S.*)$/.exec(all) ?? []
  const isBelow = sign === '' ? '' : '-'
  const clock = /^(\d{1,9}):([0-5]\d)(?::([0-5]\d))?$/.exec(plain)
  if (clock) return total(Number(clock[1]), Number(clock[2]), Number(clock[3] ?? 0), isBelow, parameters)
  if (plain.startsWith('pt')) return readIso(`${isBelow}${plain}`, parameters)
  const words =
    /^(?:(\d{1,9})\s*(?:h|hr|hrs|hours?|std\.?|stunden?))?\s*(?:(\d{1,9})\s*(?:m|min\.?|mins|minutes?|minuten?))?\s*(?:(\d{1,9})\s*(?:s|sec\.?|secs|seconds?|sek\.?|sekunden?))?$/.exec(
      plain,
    )
  if (!words || plain === '') return invalidValue('NF-DURATION', { example })
  return total(Number(words[1] ?? 0), Number(words[2] ?? 0), Number(words[3] ?? 0), isBelow, parameters)
}
