/** Two hundred writers at once: whatever rule they break together, it is true in the end, and each loser reads its error. */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { raw, sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import type { Session } from '../../store/pool.ts'
import { circlesSql } from '../../store/trees.ts'
import type { Outcome } from '../outcome.ts'
import { codes, done, input, readSound, startTestRun, type TestRun } from '../testing.ts'
import { inside } from './inside.ts'
import { change, create, remove, takeStep } from './writes.ts'

let run: TestRun
let room: string
const rivals = 200

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), readSound(join(import.meta.dirname, '../fixtures/rivals.md')))
})
beforeEach(async () => {
  await run.runtime.store.query(
    raw(
      'truncate sitting, sitting_day, seat, stay, lodging, berth, ticket, gift, claim, bid, taking, withdrawal, shelf, licence, "use", place, tool, lending, wish, box, firm, job, key, room cascade',
    ),
  )
  room = done(await create(run.runtime, await anybody(), 'room', input({ name: 'Red' })))
})
afterAll(() => run?.drop())

const anybody = () => run.as(Object.keys(run.people)[0]!)
type Values = Readonly<Record<string, Wire>>
const make = async (entity: string, values: Values) => create(run.runtime, await anybody(), entity, input(values))

/** All at once; how often each answer came. */
async function rush(write: (index: number) => Promise<Outcome>): Promise<Record<string, number>> {
  const outcomes = await Promise.all(Array.from({ length: rivals }, (_, index) => write(index)))
  const tally: Record<string, number> = {}
  for (const outcome of outcomes) {
    const answer = outcome.kind === 'refused' ? codes(outcome).join() : outcome.kind
    tally[answer] = (tally[answer] ?? 0) + 1
  }
  return tally
}
const count = async (text: string) => {
  const [row] = await run.runtime.store.query<{ n: string }>(raw(text))
  return Number(row!.n)
}

test('unique while: one seat', async () => {
  expect(await rush(() => make('seat', { label: 'A1' }))).toEqual({ done: 1, 'E-SEAT': rivals - 1 })
})

test.each([
  ['seat', { label: 'A1' }, 'E-SEAT', 'A1 is taken.'],
  ['stay', { begins: '2026-03-10T08:00:00.000Z', ends: '2026-03-10T09:00:00.000Z' }, 'E-BUSY', 'Red is taken then.'],
] as const)('%s: who is told by the database alone is told in full', async (entity, values, code, message) => {
  const all = entity === 'stay' ? { room, ...values } : values
  const slower = await run.runtime.store.inTransaction(async tx => {
    done(await inside(run.runtime, tx, async within => create(within, await anybody(), entity, input(all))))
    const waiting = make(entity, all)
    await expect
      .poll(() =>
        count(
          "select count(*) as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        ),
      )
      .toBe(1)
    return { waiting }
  })
  const outcome = await slower.waiting
  expect(outcome).toMatchObject({ kind: 'refused', problems: [{ code, message }] })
})

test('no overlap: five hours for stays of one hour that begin at any quarter', async () => {
  const at = (quarter: number) => new Date(Date.UTC(2026, 2, 10, 8, 15 * quarter)).toISOString()
  const tally = await rush(index => {
    const quarter = (index * 7) % 17
    return make('stay', { room, begins: at(quarter), ends: at(quarter + 4) })
  })
  expect(Object.keys(tally).sort()).toEqual(['E-BUSY', 'done'])
  expect(
    await count(
      'select count(*) as n from stay a join stay b on a.id < b.id and a.room = b.room and a.begins < b.ends and b.begins < a.ends',
    ),
  ).toBe(0)
})

test('assigned: every room is given away before anybody is sent away', async () => {
  for (const name of ['Blue', 'Green', 'White', 'Black']) done(await make('room', { name }))
  const when = { begins: '2026-03-10T08:00:00.000Z', ends: '2026-03-10T09:00:00.000Z' }
  expect(await rush(() => make('lodging', when))).toEqual({ done: 5, 'E-FULL': rivals - 5 })
  expect(await count('select count(distinct room) as n from lodging')).toBe(5)
})

test('assigned beside a rule that counts: both hold, and nobody is sent away for the wrong one', async () => {
  for (const name of ['Blue', 'Green', 'White', 'Black']) done(await make('room', { name }))
  const when = { begins: '2026-03-10T08:00:00.000Z', ends: '2026-03-10T09:00:00.000Z' }
  expect(await rush(() => make('berth', when))).toEqual({ done: 5, 'E-FULL': rivals - 5 })
  const later = { begins: '2026-03-11T08:00:00.000Z', ends: '2026-03-11T09:00:00.000Z' }
  expect(await rush(() => make('berth', later))).toEqual({ done: 2, 'E-COUNT': rivals - 2 })
})

test('a count against a limit: seven tickets', async () => {
  expect(await rush(() => make('ticket', { room }))).toEqual({ done: 7, 'E-COUNT': rivals - 7 })
})

test('a sum against a limit: as many gifts as fit', async () => {
  const tally = await rush(index => make('gift', { room, amount: String(1 + (index % 9)) }))
  expect(Object.keys(tally).sort()).toEqual(['E-SUM', 'done'])
  const total = await count('select sum(amount) as n from gift')
  // Who was sent away for one would still not fit.
  expect(total).toBe(100)
})

test.each([
  ['claim', 'none: one of two hundred claims wins'],
  ['bid', 'a count of states: one of two hundred bids wins, by a step that changes nothing else'],
])('%s: %s', async entity => {
  const ids: string[] = []
  for (let index = 0; index < rivals; index++) ids.push(done(await make(entity, { room })))
  const tally = await rush(async index => takeStep(run.runtime, await anybody(), entity, ids[index]!, 'win', null))
  expect(tally).toEqual({ done: 1, 'E-WON': rivals - 1 })
})

test('who comes while others begin again stands in line: two hundred bids are hardly more transactions', async () => {
  const { value, statements } = await run.runtime.store.counted(() => rush(() => make('bid', { room })))
  expect(value).toEqual({ done: rivals })
  expect(statements.filter(text => text.startsWith('begin')).length).toBeLessThan(rivals * 2)
})

test('chosen among those that are free: one of two hundred has the tool', async () => {
  const tool = done(await make('tool', { name: 'Saw' }))
  expect(await rush(() => make('lending', { tool }))).toEqual({ done: 1, 'E-TAKEN': rivals - 1 })
})

test('what has to begin again inside of a larger transaction lets that begin again', async () => {
  let tries = 0
  const all = run.runtime.store.inTransaction(tx =>
    inside(run.runtime, tx, ({ store }) =>
      store
        .inTransaction(
          async () => {
            if (++tries < 3) throw new Error('taken')
            return tries
          },
          { beginsAgain: () => true },
        )
        .catch(() => 0),
    ),
  )
  expect(await all).toBe(3)
})

test('a permission that counts: three wishes', async () => {
  expect(await rush(() => make('wish', { room }))).toEqual({ done: 3, 'NF-CREATE-DENIED': rivals - 3 })
})

test('a permission that reads another record counts who changes that meanwhile', async () => {
  const me = (await anybody()).actor.id!
  done(await change(run.runtime, await anybody(), 'room', room, null, input({ keeper: me })))
  const keys = await Promise.all([1, 2, 3].map(async () => done(await make('key', { room }))))
  let settled = 0
  const writes = await run.runtime.store.inTransaction(async tx => {
    await tx.write(sql`update room set keeper = null, version = version + 1 where id = ${room}`)
    const asking = await anybody()
    const all = [
      make('key', { room }),
      change(run.runtime, asking, 'key', keys[0]!, null, input({ note: 'mine' })),
      remove(run.runtime, asking, 'key', keys[1]!, null),
      takeStep(run.runtime, asking, 'key', keys[2]!, 'give', null),
    ]
    for (const one of all) void one.then(() => settled++)
    const waiting = `select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => settled + (await count(waiting))).toBe(all.length)
    return { all }
  })
  const denied = ['CREATE', 'CHANGE', 'DELETE', 'STEP'].map(verb => [`NF-${verb}-DENIED`])
  expect((await Promise.all(writes.all)).map(codes)).toEqual(denied)
})

test('what a firm leaves behind when it is archived or closed includes what is just being made and begun', async () => {
  const open = () => count(`select count(*) as n from job where state <> 'Stopped'`)
  const first = done(await make('firm', { name: 'Acme' }))
  const made = await Promise.all(
    Array.from({ length: 48 }, async (_, index) =>
      index === 16 ? remove(run.runtime, await anybody(), 'firm', first, null) : make('job', { firm: first }),
    ),
  )
  expect(made.filter(one => one.kind !== 'done' && !codes(one).includes('NF-NO-RECORD'))).toEqual([])
  expect(await open()).toBe(0)
  const firm = done(await make('firm', { name: 'Bolt' }))
  const jobs = await Promise.all(Array.from({ length: 24 }, async () => done(await make('job', { firm }))))
  await Promise.all(
    jobs.map(async (job, index) => {
      if (index === 10) await takeStep(run.runtime, await anybody(), 'firm', firm, 'close', null)
      return takeStep(run.runtime, await anybody(), 'job', job, 'begin', null)
    }),
  )
  expect(await open()).toBe(0)
})

test.each(['taking', 'withdrawal'])('an effect takes from a shelf of seven: %s', async entity => {
  const shelf = done(await make('shelf', { stock: '7' }))
  expect(await rush(() => make(entity, { shelf }))).toEqual({ done: 7, 'E-STOCK': rivals - 7 })
  expect(await count('select stock as n from shelf')).toBe(0)
})

test('a record that an effect creates is held to its own rules, and whoever loses there is told so or begins again', async () => {
  const tally = await rush(index =>
    make('sitting', { room, day: new Date(Date.UTC(2026, 2, 1 + (index % 20))).toISOString().slice(0, 10) }),
  )
  expect(tally).toEqual({ done: 7, 'E-COUNT': rivals - 7 })
  expect(await count('select count(*) as n from sitting_day')).toBe(7)
})

test('first: each who cancels at the same moment promotes another one, those with the most urgency first', async () => {
  const ids: string[] = []
  for (let index = 0; index < 24; index++) {
    const urgency = index % 4 === 0 ? null : String(index % 4)
    ids.push(done(await make('place', { room, urgency })))
  }
  const given = ids.slice(0, 12)
  await run.runtime.store.query(sql`update place set state = 'Given' where id = any(${given}::uuid[])`)
  const cancel = async (id: string) => takeStep(run.runtime, await anybody(), 'place', id, 'cancel', null)
  const waiting = async () =>
    (
      await run.runtime.store.query<{ u: string | null }>(
        raw("select urgency as u from place where state = 'Waiting' order by id"),
      )
    ).map(({ u }) => u)
  const first = await Promise.all(given.slice(0, 7).map(cancel))
  expect(first.map(({ kind }) => kind)).toEqual(Array(7).fill('done'))
  // Three of urgency 3, three of 2, and the one of 1 that came first.
  expect(await waiting()).toEqual([null, null, '1', null, '1'])
  done(await change(run.runtime, await anybody(), 'room', room, null, input({ name: 'Green' })))
  const turns = raw(
    "select string_agg(coalesce(turn::text, '-'), ' ' order by id) as n from place where state = 'Waiting'",
  )
  expect(await run.runtime.store.query(turns)).toEqual([{ n: '3 4 100 5 2' }])
  const last = await Promise.all(given.slice(7).map(cancel))
  expect(last.map(({ kind }) => kind)).toEqual(Array(5).fill('done'))
  expect(await waiting()).toEqual([])
})

test('exists: whoever uses a licence keeps it, whoever takes one away leaves nobody who uses it', async () => {
  const held = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => done(await make('licence', { code: `L${index}` }))),
  )
  const tally = await rush(async index => {
    // Of each the first of its ten writers, or the last, takes it away.
    const [code, turn] = [index % held.length, Math.floor(index / held.length)]
    return turn === (code % 2) * 9
      ? remove(run.runtime, await anybody(), 'licence', held[code]!, null)
      : make('use', { code: `L${code}` })
  })
  expect(Object.keys(tally).filter(answer => !['done', 'E-LICENCE', 'E-USED'].includes(answer))).toEqual([])
  expect(
    await count('select count(*) as n from "use" u where not exists (select from licence l where l.code = u.code)'),
  ).toBe(0)
})

test('a tree: boxes are put into each other at once, and none ends up in itself', async () => {
  const boxes = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => done(await make('box', { name: `B${index}` }))),
  )
  const put = async (from: number, to: number) =>
    change(run.runtime, await anybody(), 'box', boxes[from]!, null, input({ above: boxes[to]! }))
  expect(codes(await put(0, 0))).toEqual(['NF-CIRCLE'])
  const tally = await rush(index => put(index % 20, (index * 7 + Math.floor(index / 20)) % 20))
  expect(Object.keys(tally).sort()).toEqual(['NF-CIRCLE', 'done'])
  expect(await count(`select count(*) as n from ${circlesSql('box', 'above')}`)).toBe(0)
})

test.each(['read committed', 'repeatable read'])(
  'a tree past the application: of two who move at once (%s) one is refused',
  async level => {
    const [red, blue] = [done(await make('box', { name: 'Red' })), done(await make('box', { name: 'Blue' }))]
    const { store } = run.runtime
    const move = (session: Session, box: string, into: string) =>
      session.execute(`update box set above = '${into}' where id = '${box}'`)
    const begin = (session: Session) => session.execute(`begin isolation level ${level}; select from box limit 1`)
    const refused = store.inSession(faster =>
      store.inSession(async slower => {
        await begin(faster)
        await begin(slower)
        await move(faster, red, blue)
        const moving = move(slower, blue, red).finally(() => slower.execute('rollback'))
        // It may be refused before the faster one hears of its commit.
        const [, moved] = await Promise.allSettled([faster.execute('commit'), moving])
        if (moved.status === 'rejected') throw moved.reason
      }),
    )
    await expect(refused).rejects.toMatchObject({ code: level === 'read committed' ? '23514' : '40001' })
  },
)

test('a rule without an occasion is not asked when its record is deleted', async () => {
  done(await make('licence', { code: 'Gone' }))
  const use = done(await make('use', { code: 'Gone' }))
  await run.runtime.store.query(sql`delete from licence where code = 'Gone'`)
  done(await remove(run.runtime, await anybody(), 'use', use, null))
})
