/** What happens at the same moment happens once, in one order, and loses nothing; and builds without that are found out. */
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { type Desk, openDesk, type Server, startServer } from '../desk.ts'
import { duplicates, edits, numbers, steps } from './once.ts'

let desk: Desk
let server: Server | null = null

beforeAll(async () => {
  desk = await openDesk(inject('databaseUrl'))
})
afterEach(async () => {
  await server?.stop()
  await desk.sql.query('delete from public.loan_line')
  await desk.sql.query('delete from public.loan')
  await desk.sql.query('truncate ninefold.history, ninefold.outbox, ninefold.idempotency')
})
afterAll(() => desk?.drop())

let series = 0x01900000
const start = async (fault?: string) => {
  server = await startServer(desk, { fault, series: `0${(++series).toString(16)}` })
  return server
}

test('what is sent again happens once, and gets the same answer', async () => {
  const running = await start()
  expect(await duplicates(desk, running, 15)).toEqual([])
  expect(running.complaints()).toBe('')
})

test('of 24 who take a step at once, one does', async () => {
  const running = await start()
  expect(await steps(desk, running, 10)).toEqual([])
  expect(running.complaints()).toBe('')
})

test('of 24 who save the same version, one does, and the others are told', async () => {
  const running = await start()
  expect(await edits(desk, running, 8)).toEqual([])
  expect(running.complaints()).toBe('')
})

test('numbers are given once', async () => {
  const running = await start()
  expect(await numbers(desk, running)).toEqual([])
  expect(running.complaints()).toBe('')
})

// Chance has a part in whether they meet: it may try again.
test.each([
  ['a repeat is a new request', duplicates],
  ['a key serves any request', duplicates],
  ['steps are read first and written later', steps],
  ['versions are not compared', edits],
  ['numbers are read first and written later', numbers],
] as const)('found: %s', { retry: 2 }, async (fault, tried) => {
  const wrong = await tried(desk, await start(fault), 3)
  expect(wrong.length).toBeGreaterThan(0)
})
