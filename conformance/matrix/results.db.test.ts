/**
 * What a record would be decides whether it may be written, whichever way it comes; and what is denied writes nothing and uses nothing
 * up. With the defences taken away, the same cells say so.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Desk, openDesk, type Server, startServer } from '../desk.ts'
import { api, form, tryChanging, tryChangingLabels, tryCreating, ways } from './results.ts'

let desk: Desk
let servers = 0

beforeAll(async () => {
  desk = await openDesk(inject('databaseUrl'), join(import.meta.dirname, 'store-room.md'))
})
afterAll(() => desk?.drop())

async function withServer<Value>(faults: readonly string[], work: (server: Server) => Promise<Value>): Promise<Value> {
  const server = await startServer(desk, { faults, series: `0190000${++servers}` })
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

test('no change leads out of the rights of whoever makes it, and nothing denied uses anything up', async () => {
  await withServer([], async server => {
    for (const way of ways) expect([way.name, await tryChanging(desk, server, way)]).toEqual([way.name, []])
    for (const way of [api, form]) {
      expect([way.name, await tryChangingLabels(desk, server, way)]).toEqual([way.name, []])
      expect([way.name, await tryCreating(desk, server, way)]).toEqual([way.name, []])
    }
    expect(server.complaints()).toBe('')
  })
})

test('found: changes may lead anywhere, by every way', async () => {
  await withServer(['the record as it would be is not asked about'], async server => {
    for (const way of ways)
      expect(await tryChanging(desk, server, way)).toContainEqual(
        expect.stringMatching(
          /Ben: own of 50 to another's of 50 is done and not (403|NF-CHANGE-OUT|403 NF-CHANGE-OUT); written: true/,
        ),
      )
  })
})

const missing: Readonly<Record<string, RegExp>> = {
  'what nobody may change is led to': /Ben: own of 50 to own of 600 is done and not 403 NF-CHANGE-OUT/,
  'whoever leads some records further leads all':
    /Cleo: own of 150 to another's of 150 is done and not 403 NF-CHANGE-OUT/,
  'rows as they would be are not asked about': /Ben: a label to another's is done and not 403 NF-CHANGE-OUT/,
  'what is denied is given a number': /Ben, who keeps 2: create another's of 1000 with 2 labels uses up 1,2 numbers/,
  'what is denied claims its key': /Ben, who keeps 2: create another's of 1000 with 2 labels claims 1 keys/,
}

test(`found: ${Object.keys(missing).join('; ')}`, async () => {
  await withServer(Object.keys(missing), async server => {
    const wrong = [
      ...(await tryChanging(desk, server, api)),
      ...(await tryChangingLabels(desk, server, api)),
      ...(await tryCreating(desk, server, api)),
    ]
    for (const sign of Object.values(missing)) expect(wrong).toContainEqual(expect.stringMatching(sign))
  })
})
