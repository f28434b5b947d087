/** What is done on pages of their own: roles, people, limits; and entities that heading 6 does not mention, which nobody writes. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Desk, hashOfAll, openDesk, type Server, startServer } from '../desk.ts'
import * as oracle from './oracle.ts'

let desk: Desk
let server: Server

beforeAll(async () => {
  desk = await openDesk(inject('databaseUrl'))
  server = await startServer(desk)
})
afterAll(async () => {
  await server?.stop()
  await desk?.drop()
})

const clientOf = (who: oracle.Who) => (who === 'visitor' ? server.visitor : server.as(desk.people[who]))

/** Sends it, and says whether anything changed. */
async function changes(ask: () => Promise<{ status: number }>): Promise<{ changed: boolean; status: number }> {
  const before = await hashOfAll(desk.sql)
  const { status } = await ask()
  return { changed: (await hashOfAll(desk.sql)) !== before, status }
}

test('roles are given and taken by those whom the document names', async () => {
  for (const who of oracle.whos)
    for (const role of ['Borrower', 'Clerk', 'Manager', 'Auditor', 'clerk', 'Nonsense', ''])
      for (const deed of ['appoint', 'withdraw']) {
        const fields = { person: desk.people.Otto.id, role, do: deed }
        const { changed, status } = await changes(() => clientOf(who).post('/-/people/role', fields))
        expect([who, role, deed, changed]).toEqual([who, role, deed, oracle.appoints(who, role)])
        expect(status).toBeLessThan(500)
      }
})

test('people are added by the manager alone', async () => {
  for (const who of oracle.whos) {
    const fields = { name: 'Nora', email: 'nora@example.com' }
    const { changed } = await changes(() => clientOf(who).post('/-/people', fields))
    expect([who, changed]).toEqual([who, who === 'Mia'])
  }
})

test('limits are set by the manager, within their ranges, and not where they are fixed', async () => {
  const tries = [
    ['max_loan_days', '13'],
    ['max_loan_days', '0'],
    ['max_loan_days', '61'],
    ['max_items', '5'],
    ['max_value', '1'],
    ['clerk_damage_limit', '10'],
    ['nonsense', '1'],
    ['__proto__', '1'],
  ] as const
  for (const who of oracle.whos)
    for (const [key, value] of tries) {
      const { changed } = await changes(() => clientOf(who).post('/-/limits', { key, value }))
      expect([who, key, value, changed]).toEqual([who, key, value, oracle.setsLimit(who, key, value)])
    }
})

test('whoever lost a role has lost it with the next request, and whoever got one has it', async () => {
  const mia = server.as(desk.people.Mia)
  const role = (deed: string) => mia.post('/-/people/role', { person: desk.people.Dan.id, role: 'Clerk', do: deed })
  const dan = server.as(desk.people.Dan)
  expect((await dan.get('/desk')).status).toBe(200)
  await role('withdraw')
  expect((await dan.get('/desk')).status).toBe(403)
  await role('appoint')
  expect((await dan.get('/desk')).status).toBe(200)
  await desk.sql.query(
    'insert into ninefold.account (person, disabled_at, changed_at) values ($1, now(), now()) on conflict (person) do update set disabled_at = now()',
    [desk.people.Dan.id],
  )
  expect((await dan.get('/desk')).status).toBe(303)
  expect((await dan.api('GET', '/loan')).status).toBe(401)
})

test('what heading 6 does not mention is written by nobody', async () => {
  const item = desk.items['CA-0001']
  const { rows } = await desk.sql.query<{ id: string }>('select id from public.category limit 1')
  const bodies = {
    item: { tag: 'ZZ-0001', name: 'Z', category: rows[0]?.id, value: '1.00' },
    category: { name: 'Z' },
    person: { name: 'Z', email: 'z@example.com' },
    loan_line: { item },
  }
  const ids = { item, category: rows[0]?.id, person: desk.people.Otto.id, loan_line: item }
  for (const who of oracle.whos)
    for (const [entity, body] of Object.entries(bodies)) {
      const path = `/${entity}/${ids[entity as keyof typeof ids]}`
      for (const ask of [
        () => clientOf(who).api('POST', `/${entity}`, body),
        () => clientOf(who).api('PATCH', path, body),
        () => clientOf(who).api('DELETE', path),
        () => clientOf(who).api('POST', `${path}/submit`),
      ]) {
        const { changed, status } = await changes(ask)
        expect([who, entity, changed, [401, 403, 404].includes(status)]).toEqual([who, entity, false, true])
      }
    }
  expect(server.complaints()).toBe('')
})
