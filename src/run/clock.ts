/** Days and times of the application's time zone. The moment itself always comes from the caller. */
import { Temporal } from 'temporal-polyfill'
import { memoize } from '../expression/memoize.ts'

let last = { minute: Number.NaN, zone: '', date: '' }

/** The date of a moment in a zone, `YYYY-MM-DD`. The last answer is kept: within a minute no zone begins another day. */
export function dateIn(now: Date, zone: string): string {
  const minute = Math.floor(now.getTime() / 60_000)
  if (last.minute !== minute || last.zone !== zone)
    last = {
      minute,
      zone,
      date: Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString(),
    }
  return last.date
}

/** The time of day of a moment in a zone, to the minute. */
export function timeIn(now: Date, zone: string): { readonly hour: number; readonly minute: number } {
  const { hour, minute } = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone)
  return { hour, minute }
}

/** Timers ask for the same few days again and again; beyond so many they are worked out anew. */
const mostMoments = 5000
const moments = new Map<string, number>()

/**
 * The moment at which a clock in the zone shows this time on this date. Where it shows it twice (the end of summer time) the
 * earlier one counts; where it never does (the beginning), the moment that the skipped time would have been.
 */
export function momentAt(
  date: string,
  { hour, minute, second = 0 }: { readonly hour: number; readonly minute: number; readonly second?: number },
  zone: string,
): Date {
  if (moments.size > mostMoments) moments.clear()
  const milliseconds = memoize(
    moments,
    `${date} ${hour}:${minute}:${second} ${zone}`,
    () =>
      Temporal.PlainDate.from(date)
        .toPlainDateTime({ hour, minute, second })
        .toZonedDateTime(zone, { disambiguation: 'earlier' }).epochMilliseconds,
  )
  return new Date(milliseconds)
}
