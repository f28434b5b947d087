/** The clocks of JavaScript and of PostgreSQL show the same, also where their tables of time zones are of different ages. */
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../store/testing.ts'
import { agreeOnZone } from '../../store/zones.ts'
import { localSql } from '../calendar.ts'
import { dateOf, FIRST_MOMENT, formatMoment, LAST_MOMENT } from '../dates.ts'
import { dayFormat } from '../day-format.ts'
import { sql } from '../sql.ts'
import { learnZone, localOf, momentOn, offsetAt, platformOffset } from '../zone.ts'
import { packedZone, unpackedZone, zoneTable } from '../zone-table.ts'
import { chance } from './chance.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
})
afterAll(() => database.drop())

const DAY = 86_400_000
/** Three whose rules changed lately, and some with clocks of their own kind. */
const zones = [
  'America/Edmonton',
  'Africa/Casablanca',
  'Africa/El_Aaiun',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Kathmandu',
]
afterEach(() => {
  for (const zone of zones) learnZone(zone, null)
})

/** Tables of another age: clocks of summer are no longer set back; one that knows none of it; one that knows another hour lately. */
const ages: Readonly<Record<string, (at: number, zone: string) => number>> = {
  'as it is': platformOffset,
  'without clocks of summer from 2021 on': (at, zone) => platformOffset(Math.min(at, Date.UTC(2021, 0, 1)), zone),
  'an hour ahead in the winter of 2026': (at, zone) =>
    platformOffset(at, zone) + (at > Date.UTC(2026, 10, 1) && at < Date.UTC(2027, 2, 1) ? 3_600_000 : 0),
}

/** Whenever, mostly lately, and around the moments at which clocks are set. */
function someMoments(zone: string, seed: number): readonly number[] {
  const dice = chance(seed)
  const between = (from: number, until: number) => from + dice.below(Math.floor((until - from) / 60_000)) * 60_000
  const around = zoneTable(zone, Date.UTC(2015, 0, 1), Date.UTC(2040, 0, 1)).changes.flatMap(at => [
    at - 60_000,
    at,
    at + 60_000,
    at + 3_600_000,
  ])
  return [
    FIRST_MOMENT + 2 * DAY,
    LAST_MOMENT - 2 * DAY,
    Date.UTC(2026, 11, 11, 6, 30),
    ...around,
    ...Array.from({ length: 150 }, () => between(FIRST_MOMENT + 2 * DAY, LAST_MOMENT - 2 * DAY)),
    ...Array.from({ length: 150 }, () => between(Date.UTC(1970, 0, 1), Date.UTC(2060, 0, 1))),
  ]
}

const inJavaScript = (at: number, zone: string) => {
  const { day, millisecond } = localOf(at, zone)
  return `${dateOf(day)} ${new Date(millisecond).toISOString().slice(11, 19)}`
}

async function inPostgres(moments: readonly number[], zone: string): Promise<readonly string[]> {
  const texts = moments.map(at => formatMoment(at)!)
  const local = localSql(sql`at`, { zone })
  const rows = await database.store.query<{ shown: string }>(
    sql`select to_char(${local}, 'YYYY-MM-DD HH24:MI:SS') as shown from unnest(${texts}::timestamptz[]) with ordinality as m(at, n) order by n`,
  )
  return rows.map(({ shown }) => shown)
}

for (const [age, platform] of Object.entries(ages))
  test(`every zone shows the same in both, with a table ${age}`, { timeout: 120_000 }, async () => {
    for (const [index, zone] of zones.entries()) {
      const apart = await agreeOnZone(database.store, zone, platform)
      if (age === 'an hour ahead in the winter of 2026') expect(apart?.zone).toBe(zone)
      const moments = someMoments(zone, index + 1)
      // What tables of the same years leave open is their history, before the years that are compared.
      const compared = apart === null ? moments.filter(at => at >= 0) : moments
      expect([zone, compared.map(at => inJavaScript(at, zone))]).toEqual([zone, await inPostgres(compared, zone)])
    }
  })

test('a table of another age is told by the first week in which it is one, and by what both show', async () => {
  const [, , winter] = Object.values(ages)
  expect(await agreeOnZone(database.store, 'Europe/Berlin', winter!)).toEqual({
    zone: 'Europe/Berlin',
    from: '2026-11-05T00:00:00.000Z',
    database: 3600,
    platform: 7200,
  })
  expect(await agreeOnZone(database.store, 'UTC', winter!)).toBeNull()
})

test('what was learnt holds for days that begin, and for what people read', () => {
  const [from, until] = [Date.UTC(2020, 0, 1), Date.UTC(2030, 0, 1)]
  const at = Date.UTC(2026, 11, 11, 6, 30)
  learnZone('Europe/Berlin', { from, until, changes: [], offsets: [-7 * 3_600_000], endless: false })
  expect(inJavaScript(at, 'Europe/Berlin')).toBe('2026-12-10 23:30:00')
  expect(momentOn(localOf(at, 'Europe/Berlin').day, 0, 'Europe/Berlin')).toBe(Date.UTC(2026, 11, 10, 7))
  const full = dayFormat('en-GB', { dateStyle: 'long', timeStyle: 'long' }, 'Europe/Berlin')
  expect(full(at)).toBe('10 December 2026 at 23:30:00 UTC-07:00')
  // Outside of what was learnt the platform knows it.
  expect(offsetAt(until, 'Europe/Berlin')).toBe(3_600_000)
})

test('a browser of any age is handed the clocks of all years, as they are known here', async () => {
  for (const [index, zone] of zones.entries())
    for (const platform of Object.values(ages)) {
      await agreeOnZone(database.store, zone, platform)
      const sent = JSON.stringify(packedZone(zone))
      expect(sent.length).toBeLessThan(4000)
      const moments = [
        ...someMoments(zone, 40 + index),
        Date.UTC(1890, 5, 1),
        Date.UTC(1945, 5, 1),
        Date.UTC(2140, 6, 1),
      ]
      const here = moments.map(at => offsetAt(at, zone))
      learnZone(zone, unpackedZone(JSON.parse(sent)))
      expect([zone, moments.map(at => offsetAt(at, zone))]).toEqual([zone, here])
    }
})
