/** The matrix finds every defence that is taken away on purpose. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Desk, openDesk, startServer } from '../desk.ts'
import { api, type Door, form } from './doors.ts'
import { tryAll } from './matrix.ts'
import type * as oracle from './oracle.ts'

/**
 * In one build are faults that the matrix tells apart: each with the disagreement that it alone brings about, in the situations of one
 * person at one door.
 */
const builds: readonly {
  readonly door: Door
  readonly who: oracle.Who
  readonly missing: Readonly<Record<string, RegExp>>
}[][] = [
  [
    {
      door: api,
      who: 'Ben',
      missing: {
        'hidden fields are shown': /own loan, Draft: see total_value, and not register_ref is status 0/,
        'a write tells whether a record is there':
          /another's loan, Draft: take the step submit is refused and not absent/,
        'records may be changed by whoever sees them': /own loan, Requested: change out_on is done/,
        'what steps and calls set can be set by hand': /own loan, Draft: change approved_by is done/,
        'what is copied can be written': /own loan, Draft: change lines\.value is done/,
        'steps start from any state': /own loan, Requested: take the step submit is done/,
        'steps ask no rule': /own loan, Draft, dear: take the step submit is done/,
      },
    },
  ],
  [
    {
      door: form,
      who: 'Ben',
      missing: {
        'fields are shown to everybody': /own loan, Draft: see total_value, and not register_ref is status 0/,
        'records may be deleted by whoever sees them': /own loan, Requested: delete is done/,
        'refusals are not undone': /take the step submit was not done, and changed the database/,
      },
    },
  ],
  [
    {
      door: api,
      who: 'Mia',
      missing: {
        'fields may be set by whoever changes the record': /own loan, Requested: change purpose is done/,
        'anybody who sees a record takes its steps': /own loan, Approved: take the step hand_out is done/,
        'what is read-only can be changed': /own loan, Draft: change borrower is done/,
      },
    },
  ],
  [
    {
      door: api,
      who: 'Ben',
      missing: { 'rows are shown to everybody': /another's loan, Draft: see is done and not absent/ },
    },
    {
      door: form,
      who: 'Cleo',
      missing: { 'steps ask no guard': /own loan, Requested: take the step approve is done/ },
    },
  ],
]

let desk: Desk

beforeAll(async () => {
  desk = await openDesk(inject('databaseUrl'))
})
afterAll(() => desk?.drop())

for (const build of builds) {
  const faults = build.flatMap(({ missing }) => Object.keys(missing))
  test(`found: ${faults.join('; ')}`, async () => {
    const server = await startServer(desk, { faults })
    try {
      for (const { door, who, missing } of build) {
        const unfound = (disagreements: readonly string[]) =>
          Object.entries(missing).flatMap(([fault, sign]) => (disagreements.some(one => sign.test(one)) ? [] : [fault]))
        const { disagreements } = await tryAll(desk, server, door, who, all => unfound(all).length === 0)
        expect(unfound(disagreements)).toEqual([])
      }
    } finally {
      await server.stop()
    }
  })
}
