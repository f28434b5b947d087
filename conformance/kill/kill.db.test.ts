/** Nothing acknowledged is lost and nothing leaves that was rolled back, whoever is killed meanwhile. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, inject, test } from 'vitest'
import { someOf, whole } from '../../scripts/limits.ts'
import { startTestServer } from '../../src/store/testing.ts'
import { type Desk, openDesk } from '../desk.ts'
import { torture } from './torture.ts'

let desk: Desk | null = null
const open = async (url: string) => {
  desk = await openDesk(url, undefined, new Date().toISOString())
  return desk
}
afterEach(async () => {
  await desk?.drop()
  desk = null
})

test('the server is killed while people work', async () => {
  const loans = whole ? 32 : 16
  const between = 14
  const found = await torture(await open(inject('databaseUrl')), {
    loans,
    between,
    seed: 20_260_302,
    blow: server => server.kill(),
  })
  expect(found.wrong).toEqual([])
  // Of eight loans, seven of five writes come to their end with a call each, and one of three is declined.
  const [returned, declined] = [(loans / 8) * 7, loans / 8]
  const acknowledged = 5 * returned + 3 * declined
  expect(found.acknowledged).toBe(acknowledged)
  expect(found.calls).toBeGreaterThanOrEqual(returned)
  expect(found.blows).toBeGreaterThanOrEqual(Math.floor(acknowledged / between) - 2)
})

test('PostgreSQL is killed while people work', async () => {
  // One of its own, and as durable as it comes.
  const server = await startTestServer()
  try {
    const database = await open(server.url)
    const found = await torture(database, {
      loans: 16,
      between: 20,
      seed: 20_260_303,
      // What `pg_ctl stop -m immediate` does: the server ends as in a crash, and recovers when it is started again, which its owner does.
      blow: async () => {
        const { rows } = await database.sql
          .query<{ data_directory: string }>('show data_directory')
          .catch(() => ({ rows: [] }))
        const folder = rows[0]?.data_directory ?? folders.at(-1)!
        folders.push(folder)
        process.kill(Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT')
      },
    })
    expect(found.wrong).toEqual([])
    expect([found.acknowledged, found.blows >= 2]).toEqual([76, true])
  } finally {
    await desk?.drop()
    desk = null
    await server.stop()
  }
})

const folders: string[] = []

// Chance has a part in what a blow meets: it may try again.
const faults = [
  ['writes are acknowledged before they are committed', 8, 18],
  ['what leaves is written past the transaction', 8, 9],
  // Without any blow: now and then the register breaks off.
  ['every attempt has a key of its own', 12, 1000],
] as const

test.each(someOf(faults, 3))('found: %s', { retry: 2 }, async (fault, loans, between) => {
  const options = { loans, between, seed: 20_260_304, faults: [fault] }
  const found = await torture(await open(inject('databaseUrl')), { ...options, blow: server => server.kill() })
  expect(found.wrong.length).toBeGreaterThan(0)
})
