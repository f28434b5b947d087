/** Two tenants in one application: whatever one holds or does, nothing that the other one can ask for changes by a byte. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { fireTimers } from '../run/fire.ts'
import { remember } from '../run/history.ts'
import { changeConstant, constantsRecord, readLimitChanges } from '../run/limits.ts'
import { appoint, requestFor, systemRequest, withdraw } from '../run/people.ts'
import type { Request } from '../run/request.ts'
import { armSweeps } from '../run/sweeps.ts'
import { codes, done, input, readSound } from '../run/testing.ts'
import { change, create, remove, takeStep } from '../run/writes.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let site: TestWeb
const people: Record<string, string> = {}
const ids: Record<string, string> = {}

const browsers = new Map<string, TestBrowser>()
const as = (name: string): Promise<Request> => requestFor(site.run.runtime, people[name]!, site.run.door())
const signedIn = async (name: string): Promise<TestBrowser> => {
  const known = browsers.get(name)
  if (known !== undefined) return known
  const browser = await site.browser(null)
  await browser.signIn(people[name]!)
  browsers.set(name, browser)
  return browser
}

beforeAll(async () => {
  site = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, '../run/fixtures/tenants.md')))
  const { runtime, door } = site.run
  const seed = await systemRequest(runtime, 'seed', door())
  for (const company of ['Acme', 'Bolt']) {
    const id = done(await create(runtime, seed, 'company', input({ name: company })))
    ids[company] = id
    for (const role of ['Chief', 'Clerk', 'Member']) {
      const name = `${role} ${company}`
      const email = `${role}.${company}@example.com`
      const person = done(await create(runtime, seed, 'person', input({ name, email, company: id })))
      people[name] = person
      if (role !== 'Member') done(await appoint(runtime, seed, person, role))
    }
  }
  people.Nobody = done(await create(runtime, seed, 'person', input({ name: 'Nobody', email: 'nobody@example.com' })))
  done(await appoint(runtime, seed, people.Nobody, 'Clerk'))
  done(await appoint(runtime, seed, people.Nobody, 'Chief'))
  const known = Object.entries(people).map(([name, id]) => ({ id, name, email: name, roles: [] }))
  await site.web.reload({ ...site.served, people: known })
  ids.saw = done(await create(runtime, seed, 'kind', input({ name: 'Saw' })))
  for (const company of ['Acme', 'Bolt']) {
    const clerk = await as(`Clerk ${company}`)
    ids[`tool ${company}`] = done(await create(runtime, clerk, 'tool', input({ tag: 'T-1', kind: ids.saw })))
    ids[`rent ${company}`] = done(await create(runtime, clerk, 'rent', rent(company)))
  }
})
afterAll(() => site?.stop())

const rent = (company: string, begin = '2026-03-03', finish = '2026-03-05') =>
  input({ tool: ids[`tool ${company}`]!, begin, finish }, { lines: [{ what: 'bag', beside: ids[`tool ${company}`]! }] })

const number = async (id: string) =>
  (
    await site.run.runtime.store.query<{ number: string }>(sql`select number from public.rent where id = ${id}::uuid`)
  )[0]!.number

const paths = [
  '/',
  '/tools',
  '/tools/T-1',
  '/tools?sort=load&q=T',
  '/rents',
  '/rents/new',
  '/rents/R-0001',
  '/board',
  '/kinds',
  '/figures',
  '/-/people',
  '/-/unsent',
  '/-/account',
  '/-/inbox',
  '/-/search?q=T',
  '/-/search?q=R-0',
  '/tools/export?as=csv',
  '/rents/export?as=csv',
  '/api/v1/tool',
  '/api/v1/tool?tag=T-1',
  '/api/v1/tool?q=T',
  '/api/v1/rent',
  '/api/v1/rent?sort=number',
  '/api/v1/notice',
  '/api/v1/company',
  '/api/v1/person',
  '/api/v1/kind',
]

/** The page without the bar of `dev`, which names everybody. */
const pageOf = (text: string): string => text.replace(/<aside class="dev"[\s\S]*?<\/aside>/, '')

/** Everything that somebody can ask for; what is new in each answer is levelled. */
async function seen(name: string): Promise<readonly string[]> {
  const browser = await signedIn(name)
  const all: string[] = []
  for (const path of paths) {
    const { status, text } = await browser.get(path)
    const known = new Set([...Object.values(ids), ...Object.values(people)])
    const level = pageOf(text)
      .replace(/name="_(?:csrf|once)" value="[^"]*"|"name":"_(?:csrf|once)","value":"[^"]*"/g, '')
      .replace(/01940000-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, id => (known.has(id) ? id : ''))
    all.push(`${path} ${status} ${level}`)
  }
  return all
}

describe('tenants', () => {
  test('the same values, numbers and times in both', async () => {
    expect(await number(ids['rent Acme']!)).toBe('R-0001')
    expect(await number(ids['rent Bolt']!)).toBe('R-0001')
    const { runtime } = site.run
    expect(codes(await create(runtime, await as('Clerk Acme'), 'tool', input({ tag: 'T-1' })))).toEqual(['NF-UNIQUE'])
    expect(codes(await create(runtime, await as('Clerk Acme'), 'rent', rent('Acme')))).toEqual(['NF-OVERLAP'])
  })

  test('a record of another tenant is not there: not by its address, not to write, not to name', async () => {
    const { runtime } = site.run
    const clerk = await as('Clerk Acme')
    const other = { tool: ids['tool Bolt']!, rent: ids['rent Bolt']! }
    for (const [entity, id] of Object.entries(other)) {
      expect((await change(runtime, clerk, entity, id, null, input({}))).kind).toBe('not found')
      expect((await remove(runtime, clerk, entity, id, null)).kind).toBe('not found')
    }
    expect((await takeStep(runtime, clerk, 'rent', other.rent, 'hand_out', null)).kind).toBe('not found')
    const naming = {
      ...rent('Acme', '2027-01-01', '2027-01-02'),
      values: { tool: other.tool, begin: '2027-01-01', finish: '2027-01-02' },
    }
    expect(codes(await create(runtime, clerk, 'rent', naming))).toContain('NF-NO-RECORD')
    const line = { ...rent('Acme', '2027-01-01', '2027-01-02') }
    const rows = { ...line, children: { lines: [{ id: null, values: { what: 'x', beside: other.tool } }] } }
    expect(codes(await create(runtime, clerk, 'rent', rows))).toContain('NF-NO-RECORD')
    const theirs = {
      ...rent('Acme', '2027-01-01', '2027-01-02'),
      values: { tool: ids['tool Acme']!, begin: '2027-01-01', finish: '2027-01-02', person: people['Clerk Bolt']! },
    }
    expect(codes(await create(runtime, clerk, 'rent', theirs))).toContain('NF-NO-RECORD')
    const browser = await signedIn('Clerk Acme')
    for (const [entity, id] of Object.entries(other))
      expect((await browser.get(`/api/v1/${entity}/${id}`)).status).toBe(404)
    expect((await browser.get(`/api/v1/company/${ids.Bolt}`)).status).toBe(404)
    expect((await browser.get(`/api/v1/person/${people['Clerk Bolt']}`)).status).toBe(404)
  })

  test('nobody chooses their tenant, and nobody makes one', async () => {
    const { runtime } = site.run
    const chief = await as('Chief Acme')
    const person = { name: 'New', email: 'new@example.com', company: ids.Bolt! }
    expect((await create(runtime, chief, 'person', input(person))).kind).toBe('refused')
    expect(
      (await change(runtime, chief, 'person', people['Chief Acme']!, null, input({ company: ids.Bolt! }))).kind,
    ).toBe('refused')
    expect((await create(runtime, chief, 'company', input({ name: 'Third' }))).kind).toBe('refused')
    const browser = await signedIn('Clerk Acme')
    const reply = await browser.json('POST', '/api/v1/tool', { tag: 'T-9', company: ids.Bolt })
    expect(reply.status).toBe(422)
  })

  test('whoever belongs to no tenant, or is not signed in, sees nothing of any', async () => {
    const { runtime } = site.run
    const nobody = await signedIn('Nobody')
    for (const entity of ['tool', 'rent', 'notice', 'company', 'person']) {
      const { data } = JSON.parse((await nobody.get(`/api/v1/${entity}`)).text) as { data?: unknown[] }
      expect([entity, data ?? []]).toEqual([entity, []])
    }
    expect(pageOf((await nobody.get('/-/people')).text)).not.toContain('Acme')
    expect((await create(runtime, await as('Nobody'), 'tool', input({ tag: 'T-2' }))).kind).toBe('refused')
    const visitor = await site.browser(null)
    expect((await visitor.get('/api/v1/tool')).text).not.toContain('T-1')
    expect((await visitor.get('/api/v1/company')).text).not.toContain('Acme')
    expect((await appoint(runtime, await as('Nobody'), people['Member Acme']!, 'Clerk')).kind).toBe('not found')
    expect((await appoint(runtime, await as('Chief Acme'), people['Member Bolt']!, 'Clerk')).kind).toBe('not found')
  })

  test('whatever the other tenant holds or does, every page and every answer is the same to the byte', async () => {
    const { runtime } = site.run
    // Who has been here before is not invited any more; so everybody comes once.
    await seen('Member Acme')
    const before = [await seen('Chief Acme'), await seen('Clerk Acme'), await seen('Member Acme')]
    expect(before.flat().filter(text => text.includes('T-1')).length).toBeGreaterThan(10)
    for (const text of before.flat()) expect(text).not.toContain('Bolt')
    const clerk = await as('Clerk Bolt')
    for (let index = 2; index < 6; index++) {
      ids[`more ${index}`] = done(await create(runtime, clerk, 'tool', input({ tag: `T-${index}`, load: '3' })))
      await create(runtime, clerk, 'rent', rent('Bolt', `2026-04-0${index}`, `2026-04-0${index}`))
    }
    expect(codes(await create(runtime, clerk, 'rent', rent('Bolt', '2026-09-01', '2026-09-02')))).toEqual(['E-MANY-1'])
    done(await takeStep(runtime, clerk, 'rent', ids['rent Bolt']!, 'hand_out', null))
    done(await appoint(runtime, await as('Chief Bolt'), people['Member Bolt']!, 'Chief'))
    await runtime.store.inTransaction(tx =>
      tx.write(sql`update ninefold.outbox set state = 'failed', finished_at = created_at`),
    )
    expect((await (await signedIn('Chief Bolt')).get('/-/unsent')).text).toContain('handed')
    const after = [await seen('Chief Acme'), await seen('Clerk Acme'), await seen('Member Acme')].flat()
    for (const [index, text] of before.flat().entries()) expect(after[index]!.split('<')).toEqual(text.split('<'))
    // What is still free for this tenant stays so.
    const own = await as('Clerk Acme')
    expect(await number(done(await create(runtime, own, 'rent', rent('Acme', '2026-04-02', '2026-04-02'))))).toBe(
      'R-0002',
    )
    expect(codes(await create(runtime, own, 'tool', input({ tag: 'T-2' })))).toEqual([])
  })

  test('who changed a constant of everybody is named within the tenant only', async () => {
    const { runtime } = site.run
    await runtime.store.inTransaction(async tx =>
      remember(tx, runtime.app, await as('Chief Bolt'), {
        entity: 'constant',
        record: constantsRecord,
        version: 1,
        kind: 'constant',
        what: 'some_limit',
        changes: { some_limit: ['1', '2'] },
        because: null,
      }),
    )
    const by = async (name: string) =>
      (await readLimitChanges(runtime, await as(name), ['some_limit'])).map(change => change.by)
    expect([await by('Chief Acme'), await by('Chief Bolt')]).toEqual([[null], ['Chief Bolt']])
  })

  test('mails, effects and timers stay within', async () => {
    const { runtime } = site.run
    const sent = await runtime.store.query<{ address: string }>(
      sql`select payload -> 'to' ->> 'address' as address from ninefold.outbox where kind = 'mail' order by 1`,
    )
    expect(sent.map(({ address }) => address)).toEqual(['clerk.bolt@example.com'])
    site.run.now = new Date('2026-03-04T09:00:00.000Z')
    await fireTimers(runtime, await systemRequest(runtime, 'timer', site.run.door()), { worker: 'test', limit: 50 })
    const notices = await runtime.store.query<{ company: string; count: string }>(
      sql`select company, count from public.notice order by created_at, id`,
    )
    expect(notices.map(({ company }) => company)).toEqual(notices.map(() => ids.Bolt))
    expect(notices.length).toBeGreaterThan(0)
    expect(notices[0]!.count).toBe('1')
  })

  test('a constant that a tenant changes is another for that tenant only, until it goes by everybody’s again', async () => {
    const { runtime } = site.run
    const held = async (key: string) =>
      Promise.all(['Clerk Acme', 'Clerk Bolt', 'Nobody'].map(async name => (await as(name)).limits[key]))
    done(await changeConstant(runtime, await as('Chief Acme'), 'low_load', '5'))
    expect(await held('low_load')).toEqual(['5', '0', '0'])
    done(await changeConstant(runtime, await as('Nobody'), 'most_waiting', '3'))
    done(await changeConstant(runtime, await as('Chief Bolt'), 'most_waiting', '9', '2026-04-01'))
    expect(await held('most_waiting')).toEqual(['3', '3', '3'])
    const told = async (name: string) =>
      (await readLimitChanges(runtime, await as(name), ['low_load', 'most_waiting'])).map(change => change.after)
    expect([await told('Chief Acme'), await told('Chief Bolt')]).toEqual([
      ['3', '5'],
      ['9', '3'],
    ])
    const browser = await site.browser(null)
    await browser.signIn(people['Chief Acme']!)
    const page = (await browser.get('/-/limits')).text
    expect(page).toContain('holds for your Company only')
    expect(page).toContain('As for all')
    // The application itself, on each tenant's own records.
    await armSweeps(runtime, await systemRequest(runtime, 'timer', site.run.door()), 'tool')
    site.run.now = new Date('2026-04-02T06:00:00.000Z')
    const system = await systemRequest(runtime, 'timer', site.run.door())
    while ((await fireTimers(runtime, system, { worker: 'test', limit: 50 })) > 0);
    const filled = await runtime.store.query<{ company: string }>(
      sql`select company from public.tool group by company having bool_and(load >= 5)`,
    )
    expect(filled).toEqual([{ company: ids.Acme }])
    expect(await held('most_waiting')).toEqual(['3', '9', '3'])
    done(await changeConstant(runtime, await as('Chief Acme'), 'low_load', null))
    expect(await held('low_load')).toEqual(['0', '0', '0'])
    expect(codes(await changeConstant(runtime, await as('Nobody'), 'low_load', null))).toEqual(['NF-LIMIT-DENIED'])
  })

  test('the last who may appoint stays, in each tenant for itself', async () => {
    const outcome = await withdraw(site.run.runtime, await as('Chief Acme'), people['Chief Acme']!, 'Chief')
    expect(codes(outcome)).toEqual(['NF-LAST-HOLDER'])
  })
})
