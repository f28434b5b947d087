/** The order in which calls begin and timers fire: those of one round, and those of transactions that overlap. */
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { raw, sql } from '../../expression/sql.ts'
import { openStore } from '../../store/pool.ts'
import type { Runtime } from '../request.ts'
import { done, input, itemWith, loanDesk, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { relatedRecords } from '../write/environment.ts'
import { takeStep } from '../write/writes.ts'
import { enqueueCall } from './outbox.ts'
import { type Partner, startPartner } from './testing.ts'
import { loansAtWork } from './testing-loans.ts'
import { work } from './work.ts'

let run: TestRun
let camera: string
let partner: Partner

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'))
  camera = await itemWith(run, 'CA-0001')
  partner = await startPartner()
})
afterAll(async () => {
  partner?.stop()
  await run?.drop()
})
beforeEach(async () => {
  run.now = new Date('2026-03-02T09:00:00.000Z')
  await run.runtime.store.query(sql`delete from ninefold.outbox`)
})

const { context, round, handedOut, takenBack } = loansAtWork(
  () => run,
  () => partner,
  () => camera,
)

test('calls of one round begin in the order in which they were due, and then caused', async () => {
  const query = run.runtime.store.query
  for (let nth = 0; nth < 12; nth++) await takenBack()
  await query(sql`delete from ninefold.outbox where kind <> 'call'`)
  // As if several processes had caused them, whose clocks differ, and the last of all were due first.
  await query(sql`update ninefold.outbox set id = md5(turn::text)::uuid`)
  await query(sql`update ninefold.outbox set due_at = due_at - interval '1 minute'
    where turn = (select max(turn) from ninefold.outbox)`)
  const caused = await query<{ id: string }>(sql`select id from ninefold.outbox order by due_at, turn`)
  const begun: string[] = []
  await round({
    variable: () => undefined,
    standIn: 'http://127.0.0.1:9',
    redirect: url => {
      begun.push(url.split('/').at(-1)!)
      return null
    },
  })
  expect(begun).toEqual(caused.map(({ id }) => id))
})

test('timers of one round fire in the order in which they were due, whichever way the database finds them', async () => {
  const { query } = run.runtime.store
  await query(sql`delete from ninefold.timer`)
  for (let nth = 0; nth < 6; nth++) await handedOut()
  // As after days in which nothing ran; of those that were armed last the time came first.
  await query(sql`update ninefold.timer as t set due_at = o.at from (select entity, record, timer,
      ${run.now.toISOString()}::timestamptz - row_number() over (order by record, timer) * interval '1 minute' as at from ninefold.timer) as o
    where (t.entity, t.record, t.timer) = (o.entity, o.record, o.timer)`)
  const due = await query<{ record: string; timer: string }>(
    sql`select record, timer from ninefold.timer order by due_at`,
  )
  const [{ name } = { name: '' }] = await query<{ name: string }>(sql`select current_database() as name`)
  for (const way of ['nestloop', 'hashjoin']) await query(raw(`alter database ${name} set enable_${way} = off`))
  const url = new URL(inject('databaseUrl'))
  url.pathname = `/${name}`
  const store = openStore(url.href, { connections: 4 })
  try {
    const fired: { record: string; timer: string }[] = []
    const observe: Runtime['observe'] = one => {
      if (one.kind === 'timer') fired.push({ record: one.record, timer: one.timer })
    }
    await work({ ...run.runtime, store, observe }, context())
    expect(fired).toHaveLength(12)
    expect(fired).toEqual(due)
  } finally {
    await store.close()
    await query(raw(`alter database ${name} reset all`))
  }
})

const parcels = `# Parcels

- **Ninefold:** 1

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /orders | Orders | everyone signed in | list of Order |

## 3 Entities and their fields

### Order

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |

### Shipment

| Field | Type | Rules |
| --- | --- | --- |
| order | Order | |

## 4 States and transitions

### Shipment

| State | Kind |
| --- | --- |
| Packed | start |
| Sent | end |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| send | Packed | Sent | Packer |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Packer | everyone signed in |

### Order

| Role | See | Create |
| --- | --- | --- |
| Packer | yes | yes |

### Shipment

| Role | See | Create | Do |
| --- | --- | --- | --- |
| Packer | yes | yes | all |

## 7 The calls it makes

| Setting | Type |
| --- | --- |
| shop_url | link |

### C-1 Tell of the order

- **Trigger:** after Order created
- **Request:** POST {settings.shop_url}/orders
- **Safe to repeat:** yes

| Send | From |
| --- | --- |
| name | name |

### C-2 Tell of the shipment

- **Trigger:** after Shipment send
- **Request:** POST {settings.shop_url}/shipments
- **Safe to repeat:** yes
- **Order:** in order per order with C-1

| Send | From |
| --- | --- |
| name | order.name |
`

test('calls of several kinds that keep one order are stored in it where transactions overlap, and wait for no others', async () => {
  const other = await startTestRun(
    inject('databaseUrl'),
    readSound(loanDesk, () => parcels),
  )
  const { store, app } = other.runtime
  try {
    const [packer = ''] = Object.keys(other.people)
    const newOrder = (name: string) => made(other, packer, 'order', input({ name }))
    const shipmentOf = (order: string) => made(other, packer, 'shipment', input({ order }))
    const send = async (id: string) =>
      done(await takeStep(other.runtime, await other.as(packer), 'shipment', id, 'send', null))
    const held = () =>
      store.query(sql`select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`)
    const order = await newOrder('Tea')
    const [ours, others] = [await shipmentOf(order), await shipmentOf(await newOrder('Milk'))]
    const request = await other.as(packer)
    const { cell } = app.calls.get('C-1')!
    const ends: string[] = []
    let sent: Promise<unknown> = Promise.resolve()
    await store.inTransaction(async tx => {
      const about = { entity: 'order', record: { id: order, name: 'Tea' }, old: null }
      await enqueueCall(tx, other.runtime, request, relatedRecords(tx, app), about, { kind: 'call', call: 'C-1', cell })
      await send(others)
      sent = send(ours).then(() => ends.push('shipment'))
      while (ends.length === 0 && (await held()).length === 0);
      ends.push('order')
    })
    await sent
    expect(ends).toEqual(['order', 'shipment'])
  } finally {
    await other.drop()
  }
})
