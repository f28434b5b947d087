/**
 * The laws of LANGUAGE, row by row: what each expression gives for one record. Every back end is held to the same rows.
 * `gives` is on the wire, numbers without superfluous zeros.
 */
import { schemaOf, scopeOf } from '../testing.ts'
import type { RecordValue, Wire } from '../type.ts'

export interface Row {
  readonly says: string
  readonly text: string
  readonly gives: Wire
}

interface Law {
  readonly law: string
  readonly rows: readonly Row[]
}

export const schema = schemaOf({
  person: { name: 'text', boss: 'person?' },
  parcel: {
    n: 'integer',
    zero: 'integer',
    huge: 'integer',
    e: 'integer?',
    d: 'decimal',
    p: 'percent',
    answer: 'text',
    m: 'money EUR',
    t: 'text',
    smile: 'text',
    wild: 'text',
    te: 'text?',
    on: 'yes/no',
    off: 'yes/no',
    be: 'yes/no?',
    day: 'date',
    leap: 'date',
    last: 'date',
    de: 'date?',
    at: 'moment',
    ae: 'moment?',
    tm: 'time',
    dur: 'clock',
    state: 'choice Draft Out Returned',
    mood: 'choice In Out',
    moods: 'choices In Up Out',
    none: 'choices In Out?',
    to: 'person',
    via: 'person?',
    lines: 'list line',
    spare: 'list crumb',
    twice: 'integer = n * 2',
    lost: 'integer = n / e',
  },
  line: { parcel: 'parcel ^', value: 'integer?', ok: 'yes/no', ok2: 'yes/no?' },
  crumb: { parcel: 'parcel ^', value: 'integer?', ok: 'yes/no' },
  box: { size: 'integer', archived_at: 'moment?' },
  thing: { box: 'box ^', value: 'integer?' },
})

export const scope = scopeOf(schema, 'parcel', {
  calendar: {
    zone: 'Europe/Berlin',
    week: {
      days: [true, true, true, true, true, false, false],
      hours: [...Array(5).fill({ from: 9 * 60, to: 17 * 60 }), null, null],
      closed: true,
    },
  },
  limits: new Map([
    ['most', { type: { kind: 'integer' }, optional: false }],
    ['open', { type: { kind: 'integer' }, optional: true }],
  ]),
})

const id = (kind: number, number: number) => `0000000${kind}-0000-7000-8000-00000000000${number}`

export const closed = ['2026-04-03', '2026-04-06']
export const me = id(1, 1)
export const today = '2026-03-28'
export const now = '2026-03-28T10:00:00.000Z'
export const limits: Readonly<Record<string, Wire>> = {
  most: '5',
  open: null,
  'most on':
    '[{"since":"0001-01-01","value":"4"},{"since":"2026-03-01","value":"5"},{"since":"2027-01-01","value":null}]',
  'open on': '[{"since":"0001-01-01","value":null}]',
}

export const people: readonly RecordValue[] = [
  { id: id(1, 1), name: 'Ada', boss: id(1, 2) },
  { id: id(1, 2), name: 'Bo', boss: id(1, 3) },
  { id: id(1, 3), name: 'Cy', boss: null },
]

export const lines: readonly RecordValue[] = [
  { id: id(3, 1), parcel: id(2, 1), value: '10', ok: true, ok2: true },
  { id: id(3, 2), parcel: id(2, 1), value: '20', ok: false, ok2: null },
  { id: id(3, 3), parcel: id(2, 1), value: null, ok: true, ok2: true },
]

export const boxes: readonly RecordValue[] = [
  { id: id(4, 1), size: '1', archived_at: null },
  { id: id(4, 2), size: '2', archived_at: '2026-03-01T08:00:00.000Z' },
]

export const things: readonly RecordValue[] = [
  { id: id(5, 1), box: id(4, 1), value: '3' },
  { id: id(5, 2), box: id(4, 2), value: '4' },
]

export const parcel: RecordValue = {
  id: id(2, 1),
  n: '7',
  zero: '0',
  huge: '9007199254740993',
  e: null,
  d: '-2.5',
  p: '0.075',
  answer: 'maybe',
  m: '12.50',
  t: 'abc',
  smile: 'a😀',
  wild: '50%_off',
  te: null,
  on: true,
  off: false,
  be: null,
  day: '2026-01-31',
  leap: '2024-02-29',
  last: '9999-12-31',
  de: null,
  at: '2026-03-28T08:30:00.500Z',
  ae: null,
  tm: '09:00',
  dur: 'PT5400S',
  state: 'Out',
  mood: 'Out',
  moods: 'In, Out',
  none: null,
  to: id(1, 1),
  via: null,
  lines,
  spare: [],
}

export const old: RecordValue = { ...parcel, n: '5', state: 'Draft', via: id(1, 2) }

const yes = (text: string, says: string): Row => ({ says, text, gives: true })
const no = (text: string, says: string): Row => ({ says, text, gives: false })
const unknown = (text: string, says: string): Row => ({ says, text, gives: null })
const gives = (text: string, gives: Wire, says: string): Row => ({ says, text, gives })

export const laws: readonly Law[] = [
  {
    law: '1 no expression raises',
    rows: [
      unknown('n / zero', 'division by zero is empty'),
      unknown('n / zero > 1', 'and unknown in a comparison'),
      no('zero is not 0 and n / zero > 1', 'also behind a condition that rules it out'),
      unknown('e + 1', 'an empty operand gives empty'),
      unknown('via.name', 'an empty reference leads to empty'),
      unknown('via.boss.name', 'over several steps too'),
      unknown('last + 1', 'a date beyond the year 9999 is empty'),
      unknown('day - 99_999_999_999', 'or before the year 1, however far'),
      unknown('length(te)', 'a function of empty is empty'),
      unknown('min(n, e)', 'also of several values'),
      gives('coalesce(e, 3)', '3', 'except for the one that asks about empty'),
    ],
  },
  {
    law: '2 and, or, not are three-valued',
    rows: [
      no('e = 1 and off', 'unknown and false is false'),
      unknown('e = 1 and on', 'unknown and true is unknown'),
      yes('e = 1 or on', 'unknown or true is true'),
      unknown('e = 1 or off', 'unknown or false is unknown'),
      unknown('be and be', 'unknown and unknown is unknown'),
      no('not on', 'not true is false'),
    ],
  },
  {
    law: '3 `=` with an empty side is unknown, `is` counts empty as a value',
    rows: [
      unknown('e = 1', '`=`'),
      unknown('e < 1', '`<`'),
      unknown('e between 1 and 2', '`between`'),
      unknown('e in (1, 2)', '`in`'),
      unknown('te contains "a"', '`contains`'),
      no('e is 1', '`is`'),
      yes('e is not 1', '`is not`'),
      yes('e is e', 'empty is empty'),
      yes('via is empty', '`is empty`'),
      yes('to is not empty', '`is not empty`'),
      yes('to is me', 'references compare by who they are'),
      no('7 between e and 3', 'false decides where the other end is unknown'),
    ],
  },
  {
    law: '4 an `if` whose condition is unknown takes the other way',
    rows: [gives('if e = 1 then "a" else "b"', 'b', 'unknown'), gives('if on then "a" else "b"', 'a', 'true')],
  },
  {
    law: '4 aggregates of nothing, and what a `where` leaves out',
    rows: [
      gives('sum(spare.value)', '0', 'the sum of nothing is 0'),
      gives('count(spare)', '0', 'the count too'),
      yes('all(spare where ok)', 'all of nothing holds'),
      no('any(spare where ok)', 'any of nothing does not'),
      yes('none(spare where ok)', 'none of nothing does'),
      unknown('min(spare.value)', 'the smallest of nothing is empty'),
      gives('sum(lines.value)', '30', 'empties do not count in a sum'),
      gives('count(lines)', '3', 'but their rows do'),
      gives('count(lines.value)', '2', 'where values are counted they do not'),
      gives('count(lines where ok2)', '2', 'a row for which the condition is unknown is left out'),
      no('all(lines where ok2)', 'and does not meet it'),
      no('all(lines where ok)', 'one that does not meet it'),
      gives('max(lines.value where ok)', '10', 'value and condition'),
      gives('first(lines order by value down).value', '20', 'the greatest: empties come last, going down too'),
      gives('first(lines order by value).value', '10', 'the smallest'),
      gives('first(lines where value > 99 order by value).value', null, 'of nothing: empty'),
      gives('sum(lines.value where value > 15)', '20', 'a condition over the row'),
      gives('count(lines where parcel.n = 7)', '3', 'rows know their parent'),
      gives('count(lines where this.n > value)', '0', '`this` is the record around'),
    ],
  },
  {
    law: '5 numbers are decimals, exact',
    rows: [
      yes('0.1 + 0.2 = 0.3', 'no floating point'),
      gives('7 / 2', '3.5', 'a quotient is a decimal'),
      gives('1 / 3', '0.3333333333', 'rounded to ten places'),
      gives('2 / 3', '0.6666666667', 'half away from zero'),
      gives('-2 / 3', '-0.6666666667', 'below zero too'),
      gives('1_000_000_000 / 3', '333333333.3333333333', 'whatever the size'),
      gives('huge * huge', '81129638414606699710187514626049', 'no overflow'),
      gives('huge + 1', '9007199254740994', 'beyond what floating point holds'),
      gives('round(2.5)', '3', 'rounding half away from zero'),
      gives('round(d)', '-3', 'below zero too'),
      gives('round(1.005, 2)', '1.01', 'to places'),
      gives('round_up(13 / 12)', '2', 'to the next larger one'),
      gives('round_up(-1.5)', '-1', 'below zero too'),
      gives('round_down(6.9)', '6', 'to the next smaller one'),
      gives('round_down(-1.5)', '-2', 'below zero too'),
      gives('round_up(1.0001, 2)', '1.01', 'to places'),
      gives('round_down(12, 2)', '12', 'what is whole stays'),
      gives('15% * 200', '30', 'a percentage is a hundredth'),
      gives('p * 200', '15', 'a field of percentages too'),
      yes('p + 25% = 32.5%', 'they are added as they are'),
      yes('p < 1', 'a number without the sign is the fraction'),
      gives('m * 3', '37.5', 'money times a number is money'),
      yes('m * 2 = 25', 'a written number takes the currency of the other side'),
      gives('m / m', '1', 'money by money is a number'),
    ],
  },
  {
    law: '6 texts',
    rows: [
      gives('length(smile)', '2', 'characters are code points'),
      yes('wild contains "%_"', 'nothing is a wildcard'),
      no('t contains "%"', 'nothing at all'),
      yes('t starts with "ab"', 'the beginning'),
      no('t starts with "AB"', 'upper and lower case differ'),
      gives('t + "d"', 'abcd', 'texts join'),
      unknown('t + te', 'with empty to empty'),
      yes('"e\u0301" = "é"', 'what is written is brought to one form'),
    ],
  },
  {
    law: '6 nothing said',
    rows: [
      gives('if n > 5 then n else empty', '7', '`empty` is a value behind `else`'),
      unknown('if n > 9 then n else empty', 'of the type of the other'),
      unknown('if n > 5 then empty else m', 'and behind `then`'),
      gives('coalesce(if n > 9 then 1 else if n > 8 then 2 else empty, 3)', '3', 'at the end of several, too'),
      yes('(if n > 9 then day else empty) is empty', 'a date'),
      yes('(if n > 9 then Out else if n > 8 then state else empty) is empty', 'a choice'),
      unknown('(if n > 9 then tm else empty) = 9:00', 'nothing is the same as it'),
      yes('mood = state and state is mood and state in (Draft, mood)', 'choices of two lists by their names'),
      yes('Out in moods and mood in moods and not (Up in moods)', 'among several choices, as a whole'),
      no('Out in none or not (Out not in none)', 'none is not several'),
      yes('none is empty and moods is "Out, In" and moods != Out', 'several choices, in any order'),
    ],
  },
  {
    law: '7 dates and moments',
    rows: [
      gives('day + 1 month', '2026-02-28', 'a month ends where it ends'),
      gives('day + 1 month - 1 month', '2026-01-28', 'so there and back is not always the same'),
      gives('leap + 1 year', '2025-02-28', 'a leap day a year later'),
      gives('leap - 4 years', '2020-02-29', 'and four years before'),
      gives('leap - day', '-702', 'dates are whole days apart'),
      gives('day + 2 weeks', '2026-02-14', 'weeks'),
      gives('day + 3', '2026-02-03', 'a whole number counts days'),
      yes('day < today', 'dates have an order'),
      gives('now - at', 'PT5399.5S', 'moments are a time apart, to the millisecond'),
      yes('now - at < dur', 'which has an order'),
      gives('at + 90 minutes', '2026-03-28T10:00:00.500Z', 'clock durations are added to moments'),
      gives('at + 0.5 hours', '2026-03-28T09:00:00.500Z', 'in parts as well'),
      yes('tm = 9:00', 'times of day'),
      gives('year(leap) * 10000 + month(leap) * 100 + day(leap)', '20240229', 'parts of a date'),
      gives('days_between(day, today)', '56', 'from one to the other'),
      gives('date(2026-03-28T23:30Z)', '2026-03-29', 'the day of a moment is a local one'),
      gives('date(2026-03-28T22:30Z)', '2026-03-28', 'in winter an hour ahead in Berlin'),
      gives('date(2026-06-30T22:30Z)', '2026-07-01', 'in summer two'),
      gives('time(2026-03-29T00:59Z)', '01:59', 'a minute before summer time'),
      gives('time(2026-03-29T01:00Z)', '03:00', 'the hour that is skipped is never shown'),
      gives('time(2026-10-25T00:30Z)', '02:30', 'the hour that comes twice'),
      gives('time(2026-10-25T01:30Z)', '02:30', 'is shown twice'),
      gives('time(2026-03-28T09:30:59.999Z)', '10:30', 'a time of day has no seconds'),
      yes('time(at) between 09:00 and 17:00', 'times of day lie between others'),
      no('time(at) not between 09:00 and 09:30', 'ends included'),
      gives('date(9999-12-31T23:30Z)', '9999-12-31', 'there is no later day than the last'),
      gives('weekday(2026-03-30)', '1', 'weeks begin on Monday'),
      gives('weekday(2026-03-29)', '7', 'and end on Sunday'),
      gives('weekday(2026-03-28T23:30Z)', '7', 'of a moment, where the application is'),
      unknown('weekday(ae)', 'of nothing, unknown'),
      unknown('date(ae) = today', 'and so is its day'),
      gives('hours_between(at, now)', '1.4998611111', 'hours with their parts'),
      gives('hours_between(now, at)', '-1.4998611111', 'backwards is negative'),
      gives('started_hours(at, now)', '2', 'an hour that has begun counts'),
      gives('started_hours(now, now + 60 minutes)', '1', 'a whole one is one'),
      gives('started_hours(now, at)', '0', 'backwards none has begun'),
      gives('started_hours(now, now)', '0', 'nor at once'),
      unknown('started_hours(ae, now)', 'from nothing, unknown'),
      gives('started_days(2026-03-28T12:00Z, 2026-03-29T12:00Z)', '1', 'a day is 24 hours, whatever the clocks do'),
      gives('started_days(2026-03-28T12:00Z, 2026-03-29T12:00:01Z)', '2', 'and the next begins a second later'),
      unknown('min(started_days(at, now) * 1, e, 5)', 'one that is unknown makes the smallest unknown'),
      gives('n * 90 minutes', 'PT37800S', 'a length of time so many times'),
      gives('0.5 * 1 hour', 'PT1800S', 'or a part of it'),
      gives('1 hour * n', 'PT25200S', 'either way round'),
      unknown('huge * 1 hour', 'not beyond 4,000 years'),
      yes('at + limits.most * 1 hour > now', 'a constant says how many'),
      gives('day + n * 1 month', '2026-08-31', 'months too'),
      gives('day - n * 1 week', '2025-12-13', 'and weeks'),
      unknown('day + huge * 1 day', 'far out of the calendar'),
      gives('working_days(2026-03-27, 2026-03-30)', '1', 'Friday to Monday is one working day'),
      gives('working_days(2026-03-28, 2026-03-29)', '0', 'a weekend has none'),
      gives('working_days(2026-03-30, 2026-03-27)', '-1', 'backwards is negative'),
      gives('working_days(2026-01-01, 2026-12-31)', '258', 'a year without two closed days'),
      gives('working_days(2026-04-02, 2026-04-07)', '1', 'closed days have none'),
      gives('working_days(2026-04-07, 2026-04-02)', '-1', 'backwards either'),
      unknown('working_days(de, today)', 'from nothing, unknown'),
      yes('is_open(2026-03-27T08:00Z)', 'open from the minute of opening'),
      no('is_open(2026-03-27T16:00Z)', 'until before that of closing'),
      yes('is_open(2026-03-30T07:00Z)', 'where the application is: an hour earlier in summer'),
      no('is_open(2026-03-28T12:00Z)', 'not on a weekend'),
      no('is_open(2026-04-03T12:00Z)', 'nor on a closed day'),
      unknown('is_open(ae)', 'unknown when it is unknown'),
      gives('working_hours(2026-03-27T14:00Z, 2026-03-30T08:30Z)', '3.5', 'over a weekend'),
      gives('working_hours(2026-03-30T08:30Z, 2026-03-27T14:00Z)', '-3.5', 'backwards'),
      gives('working_hours(2026-04-02T07:00Z, 2026-04-08T07:00Z)', '16', 'and over Easter'),
      gives('working_hours(2026-03-28T05:00Z, 2026-03-29T21:00Z)', '0', 'none at all'),
      unknown('working_hours(ae, now)', 'from nothing, unknown'),
      gives('at(2026-03-28, 18:00)', '2026-03-28T17:00:00.000Z', 'a time on a day, where the application is'),
      gives('at(2026-03-29, 18:00)', '2026-03-29T16:00:00.000Z', 'in summer an hour earlier'),
      gives('at(2026-03-29, 02:30)', '2026-03-29T00:30:00.000Z', 'a time that is skipped is an hour before'),
      gives('at(2026-10-25, 02:30)', '2026-10-25T00:30:00.000Z', 'of one that comes twice the first'),
      unknown('at(de, 09:00)', 'of nothing, unknown'),
      unknown('at(0001-01-01, 00:00)', 'not before the first moment'),
      gives('working_days_after(2026-03-27, 1)', '2026-03-30', 'Friday and one is Monday'),
      gives('working_days_after(2026-04-02, 2)', '2026-04-08', 'closed days are left out'),
      gives('working_days_after(2026-04-06, -1)', '2026-04-02', 'backwards either'),
      gives('working_days_after(2026-04-06, -2)', '2026-04-01', 'and further'),
      gives('working_days_after(2026-03-28, 0)', '2026-03-28', 'none is the day itself'),
      unknown('working_days_after(day, huge)', 'far out of the calendar'),
      unknown('working_days_after(de, 1)', 'from nothing, unknown'),
      gives(
        'working_hours_after(2026-03-27T14:00Z, 3.5)',
        '2026-03-30T08:30:00.000Z',
        'over a weekend and into summer',
      ),
      gives(
        'working_hours_after(2026-03-27T14:00Z, 2)',
        '2026-03-27T16:00:00.000Z',
        'the closing rather than the next opening',
      ),
      gives('working_hours_after(2026-03-30T07:00Z, -8)', '2026-03-27T08:00:00.000Z', 'before it: the opening'),
      gives('working_hours_after(2026-04-02T07:00Z, 16)', '2026-04-07T15:00:00.000Z', 'over Easter'),
      gives('working_hours_after(2026-03-28T12:00Z, 0)', '2026-03-28T12:00:00.000Z', 'none is the moment itself'),
      gives('working_hours_after(2026-03-28T12:00Z, 0.5)', '2026-03-30T07:30:00.000Z', 'from a weekend on'),
      unknown('working_hours_after(at, huge)', 'far out of the calendar'),
      unknown('working_hours_after(ae, 1)', 'from nothing, unknown'),
    ],
  },
  {
    law: '8 names',
    rows: [
      yes('answer = "maybe"', 'what a call answers has its name in answers only'),
      gives('twice + 1', '15', 'a computed field is its expression'),
      unknown('lost', 'and empty where that is'),
      gives('n - old.n', '2', 'what it was before'),
      yes('old.state is not state', 'a choice before and now'),
      gives('old.via.boss.name', 'Cy', 'over references of the record before'),
      yes('state in (Out, "Returned")', 'choices by their names'),
      gives('to.boss.boss.name', 'Cy', 'three steps'),
      gives('my.boss.name', 'Bo', 'over the person who is signed in'),
      no('n <= limits.most', 'constants'),
      unknown('n <= limits.open', 'one that is not specified is unknown'),
      gives('limits.most on 2026-02-28', '4', 'a constant as it was on a day'),
      gives('limits.most on 2026-03-01', '5', 'from the first day of a value on'),
      gives('limits.most on (2026-03-01 - 1 day)', '4', 'a day that is reckoned'),
      unknown('n <= limits.most on 2030-01-01', 'from that day on it is not specified'),
      unknown('n <= limits.open on today', 'it never was'),
      yes('to within my.boss', 'in the tree below'),
      yes('to within to', 'itself included'),
      no('to.boss within to', 'not above'),
      yes('any(Person where name = "Bo")', 'other records'),
      yes('none(other Parcel where n = this.n)', 'others than this one'),
      gives('count(Person where boss is empty)', '1', 'counted'),
    ],
  },
  {
    law: 'archived records are asked for by name',
    rows: [
      gives('count(Box)', '1', 'they are not counted'),
      no('any(Box where size = 2)', 'under a condition'),
      gives('sum(Thing.value)', '3', 'nor are their rows'),
      gives('count(Box where archived_at is not empty)', '1', 'unless it names the moment'),
      gives('sum(Box.size where archived_at is empty or size > 0)', '3', 'all of them'),
      gives('sum(Thing.value where box.archived_at is not empty)', '4', 'rows by what they are part of'),
    ],
  },
]
