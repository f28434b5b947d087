import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { seed } from '../many/seed.ts'
import { codes, done, startTestRun, type TestRun } from '../testing.ts'
import { appoint, withdraw } from './appointments.ts'
import { personOf, readPersonRow, requestOf, systemRequest } from './people.ts'

let run: TestRun
beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'))
})
afterAll(() => run?.drop())

const hash = (token: string) => createHash('sha256').update(token).digest()
const who = async (token: string | null) => {
  const { value, statements } = await run.runtime.store.counted(() =>
    readPersonRow(run.runtime.store, personOf(run.runtime.app), {
      token_hash: token === null ? null : hash(token),
      now: run.now.toISOString(),
      today: '2026-03-02',
      screen: null,
    }),
  )
  expect(statements).toHaveLength(1)
  return requestOf(run.runtime.app, value, run.door())
}

test('a session says in one statement who asks, in which roles, under which constants', async () => {
  const session = (token: string, ends: string) =>
    run.runtime.store.query(sql`insert into ninefold.session (token_hash, person, created_at, seen_at, ends_at)
      values (${hash(token)}, ${run.people.Dan}, ${run.now.toISOString()}, ${run.now.toISOString()}, ${ends})`)
  await session('good', '2026-03-02T10:00:00Z')
  await session('over', '2026-03-02T09:00:00Z')
  expect((await who('good')).actor).toEqual({
    id: run.people.Dan,
    name: 'Dan',
    roles: ['Borrower', 'Clerk'],
    system: null,
  })
  expect(await who('good')).toMatchObject({
    today: '2026-03-02',
    limits: { max_loan_days: '14', max_items: '6', max_value: '5000.00', clerk_damage_limit: null },
  })
  for (const token of ['over', 'wrong', null])
    expect((await who(token)).actor).toEqual({ id: null, name: null, roles: [], system: null })
  await run.runtime.store.query(
    sql`insert into ninefold.account (person, disabled_at, changed_at) values (${run.people.Dan}, now(), now())`,
  )
  expect((await who('good')).actor.id).toBeNull()
})

test('today is the date at the desk', async () => {
  run.now = new Date('2026-07-01T22:30:00.000Z')
  expect((await who(null)).today).toBe('2026-07-02')
  run.now = new Date('2026-03-02T09:00:00.000Z')
})

test('demo people: those of the scenarios and one for each role that somebody can have', async () => {
  expect(Object.keys(run.people)).toEqual(['Cleo', 'Dan', 'Ben', 'Mia'])
  const roles = await run.runtime.store.query(
    sql`select p.name, a.role from ninefold.appointment a join person p on p.id = a.person order by 1`,
  )
  expect(roles).toEqual([
    { name: 'Cleo', role: 'Clerk' },
    { name: 'Dan', role: 'Clerk' },
    { name: 'Mia', role: 'Manager' },
  ])
  expect(await run.runtime.store.query(sql`select from ninefold.account where password is not null`)).toEqual([])
  const again = await seed(run.runtime, run.door())
  expect(again.created).toBe(0)
  expect(again.people.map(({ id }) => id)).toEqual(Object.values(run.people))
  const items = await run.runtime.store.query(
    sql`select i.tag, c.name as category, i.value from item i join category c on c.id = i.category order by 1`,
  )
  expect(items).toEqual([
    { tag: 'CA-0001', category: 'Cameras', value: '2400.00' },
    { tag: 'LA-0007', category: 'Laptops', value: '1800.00' },
  ])
})

test('demo people whose roles the document calls otherwise now have roles again', async () => {
  const { store } = run.runtime
  const rolesOf = (person: string) =>
    store.query(sql`select role from ninefold.appointment where person = ${run.people[person]} order by role`)
  await store.query(sql`update ninefold.appointment set role = 'Janitor' where person = ${run.people.Dan}`)
  await seed(run.runtime, run.door())
  expect(await rolesOf('Dan')).toEqual([{ role: 'Clerk' }, { role: 'Janitor' }])
  expect(await rolesOf('Cleo')).toEqual([{ role: 'Clerk' }])
  await store.query(sql`delete from ninefold.appointment where role = 'Janitor'`)
})

test('roles are given and taken by those whom the document names, and it is remembered', async () => {
  const [ben, mia] = [await run.as('Ben'), await run.as('Mia')]
  expect(codes(await appoint(run.runtime, ben, run.people.Ben!, 'Manager'))).toEqual(['NF-APPOINT-DENIED'])
  expect(codes(await appoint(run.runtime, await run.as('Dan'), run.people.Ben!, 'Clerk'))).toEqual([
    'NF-APPOINT-DENIED',
  ])
  for (const role of ['Auditor', 'Borrower', 'Nobody'])
    expect(codes(await appoint(run.runtime, mia, run.people.Ben!, role))).toEqual(['NF-APPOINT-DENIED'])
  expect((await appoint(run.runtime, mia, '018f2b6e-7c1a-7000-8000-000000000001', 'Clerk')).kind).toBe('not found')
  done(await appoint(run.runtime, mia, run.people.Ben!, 'Clerk'))
  expect((await run.as('Ben')).actor.roles).toEqual(['Borrower', 'Clerk'])
  done(await withdraw(run.runtime, mia, run.people.Ben!, 'Clerk'))
  expect((await run.as('Ben')).actor.roles).toEqual(['Borrower'])
  const history = await run.runtime.store.query(
    sql`select what, changes, actor from ninefold.history where kind = 'appointment' and actor is not null order by id`,
  )
  expect(history).toEqual([
    { what: 'clerk', changes: { clerk: [null, 'Clerk'] }, actor: run.people.Mia },
    { what: 'clerk', changes: { clerk: ['Clerk', null] }, actor: run.people.Mia },
  ])
})

test('a role for a time is held on its days alone, and is not what keeps the last one', async () => {
  const rolesOn = async (day: string) => {
    run.now = new Date(`${day}T09:00:00.000Z`)
    return (await run.as('Ben')).actor.roles
  }
  const given = async (role: string, from: string | null, until: string | null, person = 'Ben') =>
    codes(await appoint(run.runtime, await run.as('Mia'), run.people[person]!, role, { from, until }))
  expect(await given('Clerk', '2026-03-04', '2026-03-06')).toEqual([])
  const held = []
  for (const day of ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-06', '2026-03-07'])
    held.push((await rolesOn(day)).includes('Clerk'))
  expect(held).toEqual([false, false, true, true, false])
  run.now = new Date('2026-03-02T09:00:00.000Z')
  // Other days take the place of these.
  expect(await given('Clerk', null, '2026-03-02')).toEqual([])
  expect([await rolesOn('2026-03-02'), await rolesOn('2026-03-03')]).toEqual([['Borrower', 'Clerk'], ['Borrower']])
  run.now = new Date('2026-03-02T09:00:00.000Z')
  expect(await given('Clerk', null, '2026-03-01')).toEqual(['NF-ROLE-DAYS'])
  expect(await given('Clerk', '2026-03-09', '2026-03-08')).toEqual(['NF-ROLE-DAYS'])
  done(await withdraw(run.runtime, await run.as('Mia'), run.people.Ben!, 'Clerk'))
  // The last manager is not one until Friday, nor kept by somebody who is.
  expect(await given('Manager', null, '2026-03-06', 'Mia')).toEqual(['NF-LAST-HOLDER'])
  expect(await given('Manager', null, '2026-03-06')).toEqual([])
  expect(codes(await withdraw(run.runtime, await run.as('Ben'), run.people.Mia!, 'Manager'))).toEqual([
    'NF-LAST-HOLDER',
  ])
  done(await withdraw(run.runtime, await run.as('Mia'), run.people.Ben!, 'Manager'))
})

test('the last manager stays, whoever withdraws, also when two withdraw each other at once', async () => {
  const mia = await run.as('Mia')
  expect(codes(await withdraw(run.runtime, mia, run.people.Mia!, 'Manager'))).toEqual(['NF-LAST-HOLDER'])
  for (let round = 0; round < 15; round++) {
    const seeder = await systemRequest(run.runtime, 'seed', run.door())
    for (const name of ['Mia', 'Ben']) done(await appoint(run.runtime, seeder, run.people[name]!, 'Manager'))
    const [one, other] = [await run.as('Mia'), await run.as('Ben')]
    await Promise.all([
      withdraw(run.runtime, one, run.people.Ben!, 'Manager'),
      withdraw(run.runtime, other, run.people.Mia!, 'Manager'),
    ])
    const left = await run.runtime.store.query(sql`select person from ninefold.appointment where role = 'Manager'`)
    expect(left).toHaveLength(1)
  }
})

test('a stored constant that the document would refuse now does not count', async () => {
  await run.runtime.store.query(sql`insert into ninefold.constant (key, value, changed_at) values
    ('max_loan_days', '61', now()), ('max_value', '1', now()), ('max_items', '7', now()), ('gone', '1', now())`)
  const { limits } = await systemRequest(run.runtime, 'timer', run.door())
  expect(limits).toEqual({ max_loan_days: '14', max_items: '7', max_value: '5000.00', clerk_damage_limit: null })
})
