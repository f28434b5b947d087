/**
 * One table of time zones. PostgreSQL and Node each bring one, and they may be of different ages; the database's is the one that holds,
 * because every process shares it and what stands in indexes was worked out by it (`docs/decisions/0024-one-table-of-time-zones.md`).
 */
import { sql } from '../expression/sql.ts'
import { learnZone, TABLE_ENDS } from '../expression/zone.ts'
import { codeOf } from './failures.ts'
import type { Reader } from './pool.ts'

/** Where two tables part. Offsets are in seconds ahead of UTC. */
interface ZonesApart {
  readonly zone: string
  readonly from: string
  readonly database: number
  readonly platform: number
}

const WEEK = 7 * 86_400_000
/** Compared are the years that records are about. */
const [first, last] = [Date.UTC(1970, 0, 1), Date.UTC(2050, 0, 1)]
const begins = Date.UTC(1800, 0, 1)

/** Whether the database has the zone at all. Not asked inside of a transaction: PostgreSQL ends it where it has not. */
export async function knowsZone(reader: Reader, zone: string): Promise<boolean> {
  try {
    await reader.query(sql`select now() at time zone ${zone}::text`)
    return true
  } catch (error) {
    if (codeOf(error) === invalidParameter) return false
    throw error
  }
}

const invalidParameter = '22023'

/**
 * Compares the zone's clocks in PostgreSQL with those of the platform (`platform`: milliseconds ahead of UTC), week by week, and takes over
 * the database's where they are not the same. Null: they are.
 */
export async function agreeOnZone(
  reader: Reader,
  zone: string,
  platform: (at: number, zone: string) => number,
): Promise<ZonesApart | null> {
  if (zone === 'UTC') return null
  const moments = Array.from({ length: Math.ceil((last - first) / WEEK) }, (_, week) => first + week * WEEK)
  const [row] = await reader.query<{ offsets: string }>(sql`
    select string_agg(extract(epoch from (at at time zone ${zone}::text) - (at at time zone 'UTC'))::int::text, ' ' order by at) as offsets
    from generate_series(${new Date(first)}::timestamptz, ${new Date(last - 1)}::timestamptz, interval '168 hours') as at`)
  const database = row!.offsets.split(' ').map(Number)
  const apart = moments.findIndex((at, week) => platform(at, zone) !== database[week]! * 1000)
  learnZone(zone, null)
  if (apart < 0) return null
  await learnFrom(reader, zone)
  return {
    zone,
    from: new Date(moments[apart]!).toISOString(),
    database: database[apart]!,
    platform: platform(moments[apart]!, zone) / 1000,
  }
}

/** Reads the database's clocks: looks at each week, and halves those within which they were set. */
async function learnFrom(reader: Reader, zone: string): Promise<void> {
  const rows = await reader.query<{ at: string; was: string; is: string }>(sql`
    with recursive week as (
      select at, extract(epoch from (at at time zone ${zone}::text) - (at at time zone 'UTC'))::int as ahead
      from generate_series(${new Date(begins)}::timestamptz, ${new Date(TABLE_ENDS)}::timestamptz, interval '168 hours') as at
    ), pair as (
      select lag(at) over w as low, at as high, lag(ahead) over w as was, ahead from week window w as (order by at)
    ), halved(low, high, was, ahead) as (
      select extract(epoch from low)::bigint, extract(epoch from high)::bigint, was, ahead from pair where was <> ahead
      union all
      select case when m.ahead = h.was then m.at else h.low end, case when m.ahead = h.was then h.high else m.at end,
        h.was, case when m.ahead = h.was then h.ahead else m.ahead end
      from halved as h cross join lateral (select at, extract(epoch from (to_timestamp(at) at time zone ${zone}::text)
        - (to_timestamp(at) at time zone 'UTC'))::int as ahead from (select (h.low + h.high) / 2 as at) as half) as m
      where h.high - h.low > 1
    )
    select high::text as at, was::text, ahead::text as is from halved where high - low = 1 order by high`)
  const [start] = await reader.query<{ ahead: string }>(sql`
    select extract(epoch from (at at time zone ${zone}::text) - (at at time zone 'UTC'))::int::text as ahead
    from (select ${new Date(begins)}::timestamptz as at) as s`)
  learnZone(zone, {
    from: begins,
    until: TABLE_ENDS,
    changes: rows.map(({ at }) => Number(at) * 1000),
    offsets: [Number(start!.ahead), ...rows.map(({ is }) => Number(is))].map(ahead => ahead * 1000),
    endless: true,
  })
}
