/** Values of records in what a call sends: none changes where it goes, and amounts are written as the API writes them. */
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { appOf } from '../../kinds/testing.ts'
import { input, made, startTestRun, type TestRun } from '../testing.ts'
import { change } from '../write/writes.ts'
import { sendAgain } from './send-again.ts'
import { type Partner, startPartner, workContext } from './testing.ts'
import { work } from './work.ts'

const parcels = `# Parcels

## 3 Entities and their fields

### Parcel

| Field | Type | Rules |
| --- | --- | --- |
| what | text 40 | |
| fee | money EUR 4 | |
| postage | money EUR 4 | = fee * 2 |
| stamps | money EUR | required; default 2 |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Porter | appointed by Porter |

### Parcel

| Role | See | Create | Change |
| --- | --- | --- | --- |
| Porter | yes | yes | yes |

## 7 The calls it makes

- **Send again:** Porter

### C-1 Tell the carrier

- **Trigger:** after Parcel created
- **Request:** POST {settings.carrier_url}/parcels/{what}/v{what}?of={what}
- **Safe to repeat:** yes

| Send | From |
| --- | --- |
| fee | fee |
| postage | postage |
| stamps | stamps |
`

let run: TestRun
let partner: Partner

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), appOf(parcels))
  await run.runtime.store.query(sql`delete from ninefold.outbox`)
  partner = await startPartner()
})
afterAll(async () => {
  partner?.stop()
  await run?.drop()
})
beforeEach(() => {
  partner.received = []
})

const porter = () => Object.keys(run.people)[0]!
const parcel = (values: Parameters<typeof input>[0]) => made(run, porter(), 'parcel', input(values))
const round = () =>
  work(run.runtime, workContext(run, { variable: name => ({ CARRIER_URL: `${partner.url}/erp` })[name], limit: 50 }))
const sent = async (record: string) =>
  (
    await run.runtime.store.query<{ id: string; state: string; last_error: string | null }>(
      sql`select id, state, last_error from ninefold.outbox where record = ${record}::uuid`,
    )
  )[0]!

test.each(['a/b', '../x', '%2e%2e', '%2E', '?', '#', '\\', '..\\..', '...', 'a b', '..;/', 'ä', '.a', '//x'])(
  'the value %s stays a part of the path',
  async what => {
    const id = await parcel({ what })
    await round()
    expect(partner.received).toHaveLength(1)
    const [path = '', query = ''] = partner.received[0]!.url.split('?')
    expect(path.split('/').slice(0, 3)).toEqual(['', 'erp', 'parcels'])
    expect(path.split('/').slice(3).map(decodeURIComponent)).toEqual([what, `v${what}`])
    expect(new URLSearchParams(query).get('of')).toBe(what)
    expect((await sent(id)).state).toBe('delivered')
  },
)

test.each([
  ['.', '`.`'],
  ['..', '`..`'],
  [null, 'empty'],
])('with %s for a part of the path nothing is sent, and it is said why', async (what, said) => {
  const id = await parcel({ what })
  await round()
  expect(partner.received).toEqual([])
  const { id: entry, ...row } = await sent(id)
  expect(row).toEqual({ state: 'failed', last_error: `a value in its path is ${said}: that would be another path` })
  // Put right, it can be sent again.
  await change(run.runtime, await run.as(porter()), 'parcel', id, null, input({ what: 'right' }))
  expect(await sendAgain(run.runtime, await run.as(porter()), { id: entry })).toBe(1)
  await round()
  expect(partner.received.map(({ url }) => url)).toEqual(['/erp/parcels/right/vright?of=right'])
})

test.each([
  ['1.5', { fee: '1.5000', postage: '3.0000', stamps: '2.00' }],
  ['1.2345', { fee: '1.2345', postage: '2.4690', stamps: '2.00' }],
  [null, { fee: null, postage: null, stamps: '2.00' }],
])('an amount of %s is sent with the decimals of its type, as from the API', async (fee, body) => {
  await parcel({ what: 'a', fee })
  await round()
  expect(JSON.parse(partner.received[0]!.body)).toEqual(body)
})
