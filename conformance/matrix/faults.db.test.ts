/** The matrix finds every defence that is taken away on purpose. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Desk, openDesk, startServer } from '../desk.ts'
import { api, form } from './doors.ts'
import { tryAll } from './matrix.ts'

const missing = [
  ['rows are shown to everybody', api, 'Ben'],
  ['hidden fields are shown', api, 'Ben'],
  ['fields are shown to everybody', form, 'Ben'],
  ['a write tells whether a record is there', api, 'Ben'],
  ['records may be changed by whoever sees them', api, 'Ben'],
  ['records may be deleted by whoever sees them', form, 'Ben'],
  ['fields may be set by whoever changes the record', api, 'Mia'],
  ['what steps and calls set can be set by hand', api, 'Ben'],
  ['what is read-only can be changed', form, 'Ben'],
  ['what is copied can be written', api, 'Ben'],
  ['anybody who sees a record takes its steps', api, 'Mia'],
  ['steps ask no guard', form, 'Cleo'],
  ['steps start from any state', api, 'Ben'],
  ['steps ask no rule', api, 'Ben'],
  ['refusals are not undone', form, 'Ben'],
] as const

let desk: Desk

beforeAll(async () => {
  desk = await openDesk(inject('databaseUrl'))
})
afterAll(() => desk?.drop())

for (const [fault, door, who] of missing)
  test(`found by ${door.name}, as ${who}: ${fault}`, async () => {
    const server = await startServer(desk, { fault })
    try {
      expect((await tryAll(desk, server, door, 1, who)).disagreements.length).toBeGreaterThan(0)
    } finally {
      await server.stop()
    }
  })
