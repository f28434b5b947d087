/** What happens at the same moment happens once, in one order, and loses nothing; and builds without that are found out. */
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { type Desk, openDesk, type Server, startServer } from '../desk.ts'
import { duplicates, edits, numbers, steps } from './once.ts'

let desk: Desk
let server: Server

beforeAll(async () => {
  desk = await openDesk(inject('databaseUrl'))
  server = await startServer(desk)
})
afterEach(async () => {
  await desk.sql.query('delete from public.loan_line')
  await desk.sql.query('delete from public.loan')
  await desk.sql.query('truncate ninefold.history, ninefold.outbox, ninefold.idempotency')
})
afterAll(async () => {
  await server?.stop()
  await desk?.drop()
})

test('what is sent again happens once, and gets the same answer', async () => {
  expect(await duplicates(desk, server, 15)).toEqual([])
  expect(server.complaints()).toBe('')
})

test('of 24 who take a step at once, one does', async () => {
  expect(await steps(desk, server, 10)).toEqual([])
  expect(server.complaints()).toBe('')
})

test('of 24 who save the same version, one does, and the others are told', async () => {
  expect(await edits(desk, server, 8)).toEqual([])
  expect(server.complaints()).toBe('')
})

test('numbers are given once', async () => {
  expect(await numbers(desk, server)).toEqual([])
  expect(server.complaints()).toBe('')
})

/** In one build are faults of which none makes what finds another go wrong. */
const builds = [
  {
    'a repeat is a new request': duplicates,
    'steps are read first and written later': steps,
    'numbers are read first and written later': numbers,
  },
  { 'a key serves any request': duplicates, 'versions are not compared': edits },
]

let series = 0x01900000

// Chance has a part in whether they meet: it may try again.
test.each(builds.map(build => [Object.keys(build).join('; '), build] as const))(
  'found: %s',
  { retry: 2 },
  async (_, build) => {
    const faulty = await startServer(desk, { faults: Object.keys(build), series: `0${(++series).toString(16)}` })
    try {
      for (const [fault, tried] of Object.entries(build))
        expect([fault, (await tried(desk, faulty, 3)).length > 0]).toEqual([fault, true])
    } finally {
      await faulty.stop()
    }
  },
)
