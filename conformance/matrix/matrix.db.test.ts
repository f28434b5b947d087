/**
 * Every role, every state, one's own loan and another's, every operation, by form and by API, against an oracle that was written by
 * hand from the document's text. What is not done changes nothing: the hash of all tables is the same afterwards.
 */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Desk, openDesk, type Server, startServer } from '../desk.ts'
import { api, form } from './doors.ts'
import { tryAll, tryCreating } from './matrix.ts'

for (const door of [api, form]) {
  let desk: Desk
  let server: Server

  test.describe(`by ${door.name}`, () => {
    beforeAll(async () => {
      desk = await openDesk(inject('databaseUrl'))
      server = await startServer(desk)
    })
    afterAll(async () => {
      await server?.stop()
      await desk?.drop()
    })

    test('every operation in every situation is answered as the document says', async () => {
      const { disagreements, tried, done } = await tryAll(desk, server, door)
      expect(disagreements).toEqual([])
      expect([tried > 2000, done > 150]).toEqual([true, true])
      expect(server.complaints()).toBe('')
    })

    test('nothing can be slipped into a new loan', async () => {
      const { disagreements, tried, done } = await tryCreating(desk, server, door)
      expect(disagreements).toEqual([])
      expect([tried > 80, done > 15]).toEqual([true, true])
      expect(server.complaints()).toBe('')
    })
  })
}
