/** Two tenants in one application: whatever one holds or does, nothing that the other one can ask for changes by a byte. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { slot, sql } from '../expression/sql.ts'
import { nameDeputy } from '../run/approvals/deputies.ts'
import { fireTimers } from '../run/later/fire.ts'
import { armSweeps } from '../run/later/sweeps.ts'
import { changeConstant, constantsRecord, readLimitChanges } from '../run/limits.ts'
import { workJobs } from '../run/many/work-jobs.ts'
import { among } from '../run/people/among.ts'
import { appoint, withdraw } from '../run/people/appointments.ts'
import { countForEach } from '../run/people/counted.ts'
import { requestFor, systemRequest } from '../run/people/people.ts'
import { remember } from '../run/read/history.ts'
import type { Request } from '../run/request.ts'
import { codes, done, input, readSound } from '../run/testing.ts'
import { change, create, remove, takeStep } from '../run/write/writes.ts'
import { multipart, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let site: TestWeb
const people: Record<string, string> = {}
const ids: Record<string, string> = {}

const browsers = new Map<string, TestBrowser>()
const as = async (name: string): Promise<Request> => ({
  ...(await requestFor(site.run.runtime, people[name]!, site.run.door())),
  present: true,
})
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

/** The value of a field that names what was sent. */
async function sentFile(browser: TestBrowser, content: string): Promise<string> {
  const reply = await browser.request('POST', '/api/v1/-/files', multipart([['file', content, 'manual.txt']]))
  const held = JSON.parse(reply.text) as { digest: string; size: number; type: string; name: string }
  return `${held.digest} ${held.size} ${held.type} ${held.name}`
}

/** Brings a file in as far as the word that it is right; gives the address of the job. */
async function imported(browser: TestBrowser, content: string): Promise<string> {
  const sent = multipart([
    ['_csrf', await browser.token()],
    ['file', content, 'tools.csv'],
  ])
  const { location } = await browser.request('POST', '/-/import?entity=tool', sent)
  expect((await browser.submit(location!, location!, { do: 'check' })).status).toBe(303)
  expect((await browser.submit(location!, location!, { do: 'apply' })).status).toBe(303)
  return location!
}

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
  '/tools?_export=csv',
  '/rents?_export=csv',
  '/claims',
  '/-/notices',
  '/-/reads',
  '/-/person-data?q=a',
  '/-/options?entity=rent&field=person&q=C',
  '/-/options?entity=rent_line&field=beside&q=T',
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
    // Nor where among one's own the names of others would stand.
    const behind = await (await signedIn('Chief Acme')).get(`/-/people?after=${people['Chief Bolt']}`)
    expect([behind.status, pageOf(behind.text).includes('Clerk Acme')]).toEqual([200, false])
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

  test('files, imports, jobs, comments, approvals, deputies, views and readings stay within, whatever is named', async () => {
    const { runtime } = site.run
    const { store } = runtime
    const [acme, bolt] = [await signedIn('Clerk Acme'), await signedIn('Clerk Bolt')]
    const [chief, other] = [await signedIn('Chief Acme'), await signedIn('Chief Bolt')]
    const { tool: theirs, rent: rented } = { tool: ids['tool Bolt']!, rent: ids['rent Bolt']! }

    // A file, by its address and by its digest.
    const manual = await sentFile(bolt, 'secret of Bolt')
    done(await change(runtime, await as('Clerk Bolt'), 'tool', theirs, null, input({ manual })))
    expect((await bolt.get(`/-/files/tool/${theirs}/manual`)).text).toBe('secret of Bolt')
    for (const path of [`/-/files/tool/${theirs}/manual`, `/api/v1/tool/${theirs}/manual`])
      expect((await acme.get(path)).status).toBe(404)
    const own = await change(runtime, await as('Clerk Acme'), 'tool', ids['tool Acme']!, null, input({ manual }))
    expect(own.kind).toBe('refused')

    // A file brought in finds the records of its own tenant by their keys.
    const job = await imported(acme, 'Tag,Load\nT-1,9\nT-3,8\n')
    await workJobs(runtime, site.run.door(), { worker: 'test', limit: 50 })
    const loads = await store.query<{ company: string; tag: string; load: string }>(
      sql`select company, tag, load from public.tool where tag in ('T-1', 'T-3') order by company, tag`,
    )
    expect(loads.filter(({ load }) => load === '9' || load === '8')).toEqual([
      { company: ids.Acme, tag: 'T-1', load: '9' },
      { company: ids.Acme, tag: 'T-3', load: '8' },
    ])
    for (const browser of [bolt, chief]) expect((await browser.get(job)).status).toBe(404)

    // Steps and changes for many records.
    const [before] = await store.query(sql`select state, finish, version from public.rent where id = ${rented}::uuid`)
    const bulk = (step: string, fields: readonly (readonly [string, string])[]) =>
      acme.send(`/-/bulk?entity=rent${step}`, [['_list', '/rents'], ['id', rented], ...fields])
    for (const reply of [
      await bulk('&step=take_back', []),
      await bulk('', [
        ['_field', 'finish'],
        ['_asked', 'yes'],
        ['finish', '2030-01-01'],
      ]),
    ])
      expect(reply.status).toBe(422)
    await workJobs(runtime, site.run.door(), { worker: 'test', limit: 50 })
    expect(await store.query(sql`select state, finish, version from public.rent where id = ${rented}::uuid`)).toEqual([
      before,
    ])

    // What people say, and who is told.
    const said = { do: 'add', entity: 'rent', record: rented, text: 'Hello @Clerk Bolt', _next: '/rents' }
    expect((await acme.send('/-/comments', said)).status).toBe(404)
    expect((await acme.send('/-/comments', { ...said, record: ids['rent Acme']! })).status).toBe(303)
    // Of those who are called Clerk the writer knows one: themselves.
    expect(await store.query(sql`select mentions from ninefold.comment`)).toEqual([
      { mentions: [people['Clerk Acme']] },
    ])
    expect(await store.query(sql`select from ninefold.notice where person = ${people['Clerk Bolt']!}::uuid`)).toEqual(
      [],
    )

    // All chiefs decide: those of the record's tenant.
    const chiefs = await as('Chief Acme')
    const claim = done(await create(runtime, chiefs, 'claim', input({ title: 'Acme claim', story: 'x' })))
    const days = { from: '2026-03-01', until: '2026-12-01' }
    expect(await nameDeputy(runtime, chiefs, { deputy: people['Clerk Bolt']!, ...days })).toBe('nobody')
    for (const name of ['Chief Bolt', 'Clerk Bolt'])
      expect((await takeStep(runtime, await as(name), 'claim', claim, 'pay', null)).kind).toBe('not found')
    expect(await takeStep(runtime, chiefs, 'claim', claim, 'pay', null)).not.toHaveProperty('waits')
    expect(await store.query(sql`select state from public.claim`)).toEqual([{ state: 'Paid' }])

    // A view that is shared with a role.
    const view = { do: 'save', _list: '/tools?q=Bolt', name: 'View of Bolt', role: 'Clerk' }
    expect((await other.send('/-/view', view)).status).toBe(303)
    expect((await bolt.get('/tools')).text).toContain('View of Bolt')
    expect((await acme.get('/tools')).text).not.toContain('View of Bolt')
    const [saved] = await store.query<{ id: string }>(sql`select id from ninefold.view`)
    expect((await chief.send('/-/view', { do: 'remove', _list: '/tools', id: saved!.id })).status).toBe(404)

    // Emergencies, the log of what was read, and what is held about people.
    const asked = { entity: 'claim', record: 'Acme claim', reason: 'Acme reason' }
    expect((await bolt.send('/-/emergency', asked)).status).toBe(404)
    expect((await acme.send('/-/emergency', asked)).status).toBe(303)
    expect((await acme.get('/claims/Acme%20claim')).status).toBe(200)
    expect((await chief.get('/-/reads')).text).toContain('Acme reason')
    expect(pageOf((await other.get('/-/reads')).text)).not.toContain('Acme')
    const person = people['Member Acme']!
    for (const path of [`/-/person-data?person=${person}`, `/-/person-data/json?person=${person}`])
      expect((await other.get(path)).status).toBe(404)
    expect(
      (
        await other.send('/-/person-data', [
          ['person', person],
          ['sure', 'yes'],
        ])
      ).status,
    ).toBe(404)
    expect(pageOf((await other.get('/-/person-data?q=e')).text)).not.toContain('Acme')
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
    const clerks = await Promise.all(['Clerk Acme', 'Clerk Bolt'].map(as))
    const about = { entity: 'tool', record: ids['tool Acme']! }
    const isFive = () => sql`${slot('limits.low_load')}::numeric = 5`
    const found = await among(runtime.store, runtime.app, clerks.toReversed(), about, 'a constant', isFive)
    expect(found.map(({ actor }) => actor.id)).toEqual([people['Clerk Acme']])
    const fives = { name: 'a constant', rows: () => [sql`select where ${isFive()}`] }
    const counts = await countForEach(runtime.store, runtime.app, clerks, fives)
    expect(clerks.map(clerk => counts.get(clerk))).toEqual([1, 0])
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

    // Each has its own room for files, and whoever belongs to none another one.
    const large = (name: string) =>
      sql`insert into ninefold.file values (${people[name]!}::uuid, 'f', 'text/plain', 'a', ${2 ** 20}::bigint, now())`
    await runtime.store.inTransaction(tx => tx.write(large('Member Bolt')))
    const sent = async (name: string) => {
      const part = multipart([['file', `room for ${name}`, 'a.txt']])
      const sender = await site.browser(null)
      await sender.signIn(people[name]!)
      return (await sender.request('POST', '/api/v1/-/files', part)).status
    }
    expect([await sent('Clerk Acme'), await sent('Clerk Bolt'), await sent('Nobody')]).toEqual([201, 422, 201])
    done(await changeConstant(runtime, await as('Chief Bolt'), 'max_storage', '2'))
    await runtime.store.inTransaction(tx => tx.write(large('Nobody')))
    expect([await sent('Clerk Bolt'), await sent('Nobody')]).toEqual([201, 422])
  })

  test('the last who may appoint stays, in each tenant for itself', async () => {
    const outcome = await withdraw(site.run.runtime, await as('Chief Acme'), people['Chief Acme']!, 'Chief')
    expect(codes(outcome)).toEqual(['NF-LAST-HOLDER'])
  })
})
