/**
 * Calendar dates as day numbers in the proleptic Gregorian calendar, and instants as milliseconds. Years 1 to 9999;
 * what would fall outside is null, in SQL too. Month arithmetic clamps at the month's end, as PostgreSQL does (trap 21).
 */

/** Day number of 9999-12-31; 0001-01-01 is day 0, a Monday. */
export const LAST_DAY = 3_652_058

/** 9999-12-31T23:59:59.999Z and 0001-01-01T00:00:00.000Z. */
export const LAST_MOMENT = 253_402_300_799_999
export const FIRST_MOMENT = -62_135_596_800_000

/** No duration is longer than 4,000 years: PostgreSQL's timestamps end 4713 BC. */
export const LONGEST_MONTHS = 48_000
export const LONGEST_DAYS = 1_460_969
export const LONGEST_CLOCK = LONGEST_DAYS * 86_400_000

/** The day number of `YYYY-MM-DD`; null where there is no such day. */
export function dayNumber(text: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (match === null) return null
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null
  return numberOf(year, month, day)
}

/** `YYYY-MM-DD` of a day number; null outside of the years 1 to 9999. */
export function dateOf(number: number): string | null {
  if (!(number >= 0 && number <= LAST_DAY)) return null
  const [year, month, day] = partsOf(number)
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** Year, month (1 to 12) and day of the month of a day number. */
export function partsOf(number: number): readonly [number, number, number] {
  // Howard Hinnant's civil_from_days, with eras of 400 years that begin on 1 March.
  const shifted = number + 306
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day]
}

/** The same day so many months later; the month's last day where that month is shorter. */
export function addMonths(number: number, months: number): number | null {
  const [year, month, day] = partsOf(number)
  const count = year * 12 + (month - 1) + months
  const [toYear, toMonth] = [Math.floor(count / 12), (((count % 12) + 12) % 12) + 1]
  if (toYear < 1 || toYear > 9999) return null
  return numberOf(toYear, toMonth, Math.min(day, daysInMonth(toYear, toMonth)))
}

/** How many days from Monday to Friday there are from day 0 up to and including this one. */
export const weekdaysUpTo = (number: number): number =>
  Math.floor(number / 7) * 5 + Math.min(number - Math.floor(number / 7) * 7 + 1, 5)

/** Milliseconds of an ISO 8601 instant with `Z` or an offset; null for anything else. */
export function momentOf(text: string): number | null {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?(Z|[+-]\d{2}:\d{2})$/.exec(text)
  if (match === null) return null
  const [, date, hour, minute, second = '0', fraction = '', zone] = match
  const day = dayNumber(date!)
  if (day === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const offset =
    zone === 'Z' ? 0 : (Number(zone!.slice(1, 3)) * 60 + Number(zone!.slice(4))) * (zone![0] === '-' ? -1 : 1)
  const minutes = Number(hour) * 60 + Number(minute) - offset
  const moment =
    FIRST_MOMENT + day * 86_400_000 + minutes * 60_000 + Number(second) * 1000 + Number(fraction.padEnd(3, '0'))
  return moment < FIRST_MOMENT || moment > LAST_MOMENT ? null : moment
}

/** `YYYY-MM-DDTHH:MM:SS.mmmZ`; null outside of the years 1 to 9999. */
export function formatMoment(moment: number): string | null {
  return moment < FIRST_MOMENT || moment > LAST_MOMENT ? null : new Date(moment).toISOString()
}

/** A duration: calendar ones have months and days, clock ones milliseconds. On the wire `P14M3D` and `PT5400S`. */
export interface Duration {
  readonly months: number
  readonly days: number
  readonly milliseconds: number
}

/** Reads an ISO 8601 duration of one kind (calendar or clock); null for anything else, and for more than 4,000 years. */
export function parseDuration(text: string): Duration | null {
  const match =
    /^(-?)P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,3}))?S)?)?$/.exec(
      text,
    )
  if (match === null || text.endsWith('P') || text.endsWith('T')) return null
  const part = (index: number) => Number(match[index] ?? '0')
  const sign = match[1] === '-' ? -1 : 1
  const months = part(2) * 12 + part(3)
  const days = part(4) * 7 + part(5)
  const milliseconds = part(6) * 3_600_000 + part(7) * 60_000 + part(8) * 1000 + Number((match[9] ?? '').padEnd(3, '0'))
  if ((months !== 0 || days !== 0) && milliseconds !== 0) return null
  if (months > LONGEST_MONTHS || days > LONGEST_DAYS || milliseconds > LONGEST_CLOCK) return null
  return { months: signed(months, sign), days: signed(days, sign), milliseconds: signed(milliseconds, sign) }
}

/** The one way in which a clock duration is written on the wire: seconds, with at most three places. */
export function formatClock(milliseconds: number): string {
  const size = Math.abs(milliseconds)
  const fraction =
    size % 1000 === 0
      ? ''
      : `.${String(size % 1000)
          .padStart(3, '0')
          .replace(/0+$/, '')}`
  return `${milliseconds < 0 ? '-' : ''}PT${Math.floor(size / 1000)}${fraction}S`
}

/** Empty beyond 4,000 years, as every duration. */
export const boundedClock = (milliseconds: number): number | null =>
  Math.abs(milliseconds) > LONGEST_CLOCK ? null : milliseconds

/** As people read it: hours and minutes, `1:30`, and seconds where there are some. What is less than one is left out. */
export function writtenLength(milliseconds: number): string {
  const all = Math.trunc(milliseconds / 1000)
  const size = Math.abs(all)
  const two = (part: number) => String(part % 60).padStart(2, '0')
  const seconds = size % 60 === 0 ? '' : `:${two(size)}`
  return `${all < 0 ? '-' : ''}${Math.floor(size / 3600)}:${two(Math.floor(size / 60))}${seconds}`
}

const signed = (value: number, sign: number): number => (value === 0 ? 0 : value * sign)

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

const MONTH_DAYS: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const daysInMonth = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : (MONTH_DAYS[month - 1] ?? 0)

function numberOf(year: number, month: number, day: number): number {
  const shiftedYear = month <= 2 ? year - 1 : year
  const era = Math.floor(shiftedYear / 400)
  const yearOfEra = shiftedYear - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 306
}

/** Whether a calendar duration is within the 4,000 years that every duration is. */
export const calendarUnitsFit = ({ months, days }: Duration): boolean =>
  Math.abs(months) <= LONGEST_MONTHS && Math.abs(days) <= LONGEST_DAYS
