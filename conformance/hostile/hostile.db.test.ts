/** Whatever is sent, wherever: an answer, never one of 500 and above, never a script, never a way out; and it lives on. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { someOf, whole } from '../../scripts/limits.ts'
import { type Desk, openDesk, startServer } from '../desk.ts'
import { attack } from './attack.ts'

let desk: Desk

beforeAll(async () => {
  desk = await openDesk(inject('databaseUrl'))
})
afterAll(() => desk?.drop())

test.each(['serve', 'dev'] as const)('hostile input is answered in %s', async mode => {
  const server = await startServer(desk, { mode, series: mode === 'dev' ? '01900001' : '01900000' })
  try {
    const oneOf = whole ? 12 : 36
    const { wrong, sent, statuses } = await attack(desk, server, { oneOf, turn: mode === 'dev' ? 1 : 0, upTo: 5 })
    expect(wrong).toEqual([])
    // Refused, not found, sent elsewhere, and also simply answered.
    expect(sent).toBeGreaterThan(24_000 / oneOf)
    for (const status of [200, 303, 400, 404, 413, 415, 422])
      expect([status, statuses[status] ?? 0]).not.toEqual([status, 0])
    expect(server.child.exitCode).toBe(null)
    expect(server.complaints()).toBe('')
  } finally {
    await server.stop()
  }
})

const faults = [
  'what the database cannot hold is sent to it',
  'places in lists are not looked at',
  'the next page may be anywhere',
]

test.each(someOf(faults, 3))('found: %s', async fault => {
  const server = await startServer(desk, { faults: [fault], series: '01900002' })
  try {
    expect((await attack(desk, server, { oneOf: 5, turn: 2, upTo: 1 })).wrong.length).toBeGreaterThan(0)
  } finally {
    await server.stop()
  }
})
