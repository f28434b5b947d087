/** Records that nobody sees until they say why, and what is personal: read in an emergency, kept for a time, given out, erased. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { text } from '../cli/output.ts'
import { handlePerson } from '../cli/person-data.ts'
import { identifier, sql } from '../expression/sql.ts'
import { keepTimes } from '../run/people/keep.ts'
import { systemRequest } from '../run/people/people.ts'
import { done, input, made, readSound, testId } from '../run/testing.ts'
import { change, create, takeStep } from '../run/write/writes.ts'
import { presentMinutes } from './bounds.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let nora: TestBrowser
let secret: string
let south: string
const begin = new Date('2026-03-02T09:00:00.000Z')

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, 'fixtures/ward.md')))
  const values = { name: 'Secret Sam', diagnosis: 'Gout', ward: 'North' }
  secret = await made(web.run, 'Mia', 'patient', input(values, { doses: [{ drug: 'Colchicine' }] }))
  south = await made(web.run, 'Mia', 'patient', input({ ...values, ward: 'South' }))
  nora = await web.browser('Nils')
})
afterAll(() => web?.stop())

const log = () =>
  web.run.runtime.store.query<{
    way: string
    reason: string | null
    record: string
    because: string | null
    ends_at: string | null
  }>(sql`select way, reason, record, because, ends_at from ninefold.read_log order by id`)
const json = (text: string) => JSON.parse(text) as Record<string, unknown>

test('nothing shows the record before: no page, list, search, picker, export or API; whether there is one is not said', async () => {
  const lists = ['/patients', '/patients?q=Secret', '/-/search?q=Secret', '/patients?_export=csv', '/api/v1/patient']
  for (const path of lists) expect((await nora.get(path)).text, path).not.toContain('Secret Sam')
  const [there, not] = [await nora.get('/patients/P-0001'), await nora.get('/patients/P-9999')]
  expect([there.status, not.status]).toEqual([404, 404])
  const same = (text: string) => text.replaceAll(/P-\d{4}|[0-9a-f]{8}-[0-9a-f-]{27}|value="[^"]*"/g, '')
  expect(same(there.text)).toBe(same(not.text))
  expect(there.text).toContain('href="/-/emergency?entity=patient&amp;record=P-0001"')
  const api = await nora.get(`/api/v1/patient/${secret}`)
  expect([api.status, json(api.text).emergency]).toEqual([404, '/api/v1/patient/emergency'])
  expect(await log()).toEqual([])
})

test('without a reason, for another ward, and for whoever has no such right, nothing opens', async () => {
  const missing = await nora.submit('/-/emergency?entity=patient&record=P-0001', '/-/emergency', { reason: '  ' })
  expect(missing.status).toBe(422)
  expect(missing.text).toContain('href="#reason"')
  expect(missing.text).toContain('value="P-0001"')
  for (const record of ['P-0002', south, 'P-9999']) {
    const other = await nora.send('/-/emergency', { entity: 'patient', record, reason: 'x' })
    expect(other.status).toBe(404)
    expect(other.text).toContain('This does not exist, or you may not see it.')
  }
  const long = await nora.json('POST', '/api/v1/patient/emergency', { record: 'P-0001', reason: 'x'.repeat(1001) })
  expect(long.status).toBe(422)
  for (const name of ['Paul', 'Mia']) {
    const browser = await web.browser(name)
    expect((await browser.get('/-/emergency?entity=patient')).status).toBe(404)
    expect((await browser.send('/-/emergency', { entity: 'patient', record: 'P-0001', reason: 'x' })).status).toBe(404)
    const post = await browser.json('POST', '/api/v1/patient/emergency', { record: 'P-0001', reason: 'x' })
    expect(post.status).toBe(404)
    expect((await browser.get('/patients')).text).not.toContain('/-/emergency')
  }
  expect((await nora.get('/patients')).text).toContain('href="/-/emergency?entity=patient"')
  expect((await nora.get('/-/emergency?entity=dose')).status).toBe(404)
  const visitor = await web.browser(null)
  expect((await visitor.get('/-/emergency?entity=patient')).status).toBe(303)
  expect(await log()).toEqual([])
})

test('with a reason it is open to that person alone: to read, not more than the row grants, for the time of the constant', async () => {
  const opened = await nora.submit('/-/emergency?entity=patient&record=P-0001', '/-/emergency', {
    reason: 'Fell on the stairs',
  })
  expect(opened.location).toBe('/patients/P-0001')
  web.statements.length = 0
  const page = await nora.get('/patients/P-0001')
  expect(web.statements.length).toBeLessThanOrEqual(7)
  expect(page.status).toBe(200)
  expect(page.text).toContain('Secret Sam')
  expect(page.text).toContain('Colchicine')
  expect(page.text).toContain('You read this in an emergency')
  expect(page.text).not.toContain('Gout')
  for (const not of ['/edit', '/delete', '/do/', '/-/comments']) expect(page.text, not).not.toContain(not)
  const api = await nora.get(`/api/v1/patient/${secret}`)
  expect(json(api.text)).toMatchObject({ name: 'Secret Sam', doses: [{ drug: 'Colchicine' }], steps: [] })
  expect(json(api.text)).not.toHaveProperty('diagnosis')
  expect((await nora.json('PATCH', `/api/v1/patient/${secret}`, { name: 'X' })).status).toBe(404)
  expect((await nora.json('POST', `/api/v1/patient/${secret}/discharge`)).status).toBe(404)
  const request = await web.run.as('Nils')
  expect((await takeStep(web.run.runtime, request, 'patient', secret, 'discharge', null)).kind).toBe('not found')
  for (const path of [
    '/patients',
    '/-/search?q=Secret',
    '/patients?_export=csv',
    '/api/v1/patient',
    '/patients/P-0001/edit',
  ])
    expect((await nora.get(path)).text, path).not.toContain('Secret Sam')
  expect((await (await web.browser('Paul')).get('/patients/P-0001')).status).toBe(404)
  const written = await log()
  expect(written.map(({ way, record }) => [way, record])).toEqual([
    ['emergency', secret],
    ['page', secret],
    ['api', secret],
  ])
  expect(written[0]).toMatchObject({ reason: 'Fell on the stairs', ends_at: '2026-03-02T09:20:00.000Z' })
  expect(written[0]!.because).toMatch(/^ward\.md:\d+$/)
})

test('the timeline has it for all who see the record, the log for those who may read it', async () => {
  const record = await (await web.browser('Mia')).get('/patients/P-0001')
  expect(record.text).toContain('Fell on the stairs')
  expect(record.text).toContain('and read it 2 times')
  const anna = await web.browser('Anna')
  const page = await anna.get('/-/reads')
  expect(page.status).toBe(200)
  expect(page.text).toContain('Fell on the stairs')
  expect(page.text).toContain('Nils')
  // She sees no patients: not what they are called either.
  expect(page.text).not.toContain('P-0001')
  expect(page.text).not.toContain('Secret Sam')
  expect((await anna.get('/-/account')).text).toContain('href="/-/reads"')
  expect((await anna.get(`/-/reads?entity=patient&record=${south}`)).text).not.toContain('Fell')
  expect((await anna.get('/-/reads?record=none&before=x&emergencies')).status).toBe(200)
  for (const name of ['Nils', 'Mia']) expect((await (await web.browser(name)).get('/-/reads')).status).toBe(404)
})

test('when the time is over it is closed again, and so is what the role does not grant any more', async () => {
  web.run.now = new Date(begin.getTime() + 20 * 60_000)
  expect((await nora.get('/patients/P-0001')).status).toBe(404)
  const again = await nora.json('POST', '/api/v1/patient/emergency', { record: secret, reason: 'Again' })
  expect([again.status, json(again.text)]).toEqual([201, { id: secret, until: '2026-03-02T09:40:00.000Z' }])
  expect((await nora.get('/patients/P-0001')).status).toBe(200)
  await web.run.runtime.store.query(sql`update patient set ward = 'South' where id = ${secret}::uuid`)
  expect((await nora.get('/patients/P-0001')).status).toBe(404)
  await web.run.runtime.store.query(
    sql`update patient set ward = 'North', nurse = ${web.run.people.Nils!}::uuid where id = ${secret}::uuid`,
  )
  const before = (await log()).length
  const seen = await nora.json('POST', '/api/v1/patient/emergency', { record: 'P-0001', reason: 'Why not' })
  expect([seen.status, json(seen.text).until]).toEqual([200, null])
  expect((await nora.get('/patients/P-0001')).text).not.toContain('You read this in an emergency')
  expect((await log()).length).toBe(before)
})

test('the API says where it is asked, to those who may', async () => {
  const paths = async (browser: TestBrowser) =>
    Object.keys(json((await browser.get('/api/v1/openapi.json')).text).paths as object)
  expect(await paths(nora)).toContain('/api/v1/patient/emergency')
  expect(await paths(await web.browser('Mia'))).not.toContain('/api/v1/patient/emergency')
})

/** Looks for a text in every table, as a dump of the database would have it. */
async function tablesWith(text: string): Promise<readonly string[]> {
  const { store } = web.run.runtime
  const tables = await store.query<{ schema: string; name: string }>(
    sql`select schemaname as schema, tablename as name from pg_tables where schemaname in ('public', 'ninefold') and tablename <> 'document' order by 1, 2`,
  )
  const found: string[] = []
  for (const { schema, name } of tables) {
    const rows = await store.query(
      sql`select from ${identifier(schema, name)} as t where strpos(t::text, ${text}) > 0 or strpos(to_jsonb(t)::text, ${text}) > 0 limit 1`,
    )
    if (rows.length > 0) found.push(`${schema}.${name}`)
  }
  return found
}

const keep = () => keepTimes(web.run.runtime, web.run.door())
const days = (count: number) => {
  web.run.now = new Date(begin.getTime() + count * 86_400_000)
}

test('who is shown a record that is to be watched is written down, by every way', async () => {
  days(1)
  const mia = await web.browser('Mia')
  const bill = await made(web.run, 'Mia', 'bill', input({ code: 'B-1', day: '2026-03-01', amount: '12.00' }))
  const before = (await log()).length
  await mia.get('/bills')
  await mia.get('/bills/B-1')
  await mia.get('/bills/B-1/edit')
  await mia.get('/bills?_export=csv')
  await mia.get('/api/v1/bill')
  await mia.get(`/api/v1/bill/${bill}`)
  await mia.get('/bills/B-9')
  await mia.get('/patients')
  const ways = (await log()).slice(before)
  expect([...new Set(ways.map(({ way }) => way))]).toEqual(['list', 'page', 'form', 'export', 'api'])
  expect(ways.filter(({ way }) => way === 'api')).toHaveLength(2)
  expect(new Set(ways.map(({ record }) => record))).toEqual(new Set([bill]))
  expect((await (await web.browser('Anna')).get('/-/reads')).text).toContain('in a list')
})

test('what is append only is added to, and neither changed nor deleted: not by people, not by the application, not by SQL', async () => {
  const { runtime } = web.run
  const mia = await web.browser('Mia')
  const doses = [{ drug: 'Aspirin' }, { drug: 'Zinc' }]
  const id = await made(web.run, 'Mia', 'patient', input({ name: 'Ada', ward: 'South' }, { doses }))
  const api = `/api/v1/patient/${id}`
  type Rows = { id: string; drug: string }[]
  const rows = json((await mia.get(api)).text).doses as Rows
  const put = async (given: readonly object[]) => {
    const reply = await mia.json('PATCH', api, { doses: given })
    return reply.status === 200 ? 'done' : (json(reply.text).errors as { code: string }[])[0]!.code
  }
  expect(await put([rows[0]!, { ...rows[1], drug: 'Copper' }])).toBe('NF-APPEND-ONLY')
  expect(await put([rows[1]!])).toBe('NF-APPEND-ONLY')
  expect(await put([rows[1]!, rows[0]!])).toBe('NF-APPEND-ONLY')
  expect(await put([{ drug: 'Copper' }, ...rows])).toBe('NF-APPEND-ONLY')
  expect(await put([...rows, { drug: 'Copper' }])).toBe('done')
  const stored = await runtime.store.query(
    sql`select drug, version from dose where patient = ${id}::uuid order by position`,
  )
  expect(stored).toEqual(['Aspirin', 'Zinc', 'Copper'].map(drug => ({ drug, version: '1' })))
  const kept = async (name: string) => {
    const { status, text } = await (await web.browser(name)).json('DELETE', api)
    return [status, json(text).code, text.includes('Dose')]
  }
  expect(await kept('Mia')).toEqual([409, 'NF-APPEND-ONLY-ROWS', true])
  expect(await kept('Rosa'), 'who does not see the rows').toEqual([409, 'NF-IN-USE', false])

  const visit = await made(web.run, 'Mia', 'visit', input({ purpose: 'Flowers', day: '2036-03-02' }))
  for (const method of ['PATCH', 'DELETE']) {
    const reply = await mia.json(method, `/api/v1/visit/${visit}`, method === 'PATCH' ? { purpose: 'x' } : undefined)
    expect(json(reply.text), method).toMatchObject({ code: 'NF-APPEND-ONLY' })
  }
  expect((await mia.get(`/-/r/visit/${visit}`)).text).not.toMatch(/href="[^"]*\/(edit|delete)"/)
  const system = await systemRequest(runtime, 'timer', web.run.door())
  expect(await change(runtime, system, 'visit', visit, null, input({ purpose: 'x' }))).toMatchObject({
    kind: 'refused',
    problems: [{ code: 'NF-APPEND-ONLY', because: { text: 'yes' } }],
  })
  for (const statement of [sql`update visit set purpose = 'x'`, sql`delete from visit`, sql`delete from patient`])
    await expect(runtime.store.query(statement)).rejects.toMatchObject({ code: '23514' })
})

test('when its time is over, what is personal goes from record, rows and history; the record stays', async () => {
  days(2)
  const { store } = web.run.runtime
  const doses = [{ drug: 'Aspirin', remark: 'CANARY-ROW' }]
  const patient = await made(
    web.run,
    'Mia',
    'patient',
    input({ name: 'CANARY-NAME', diagnosis: 'CANARY-TEXT' }, { doses }),
  )
  const visit = await made(web.run, 'Mia', 'visit', input({ purpose: 'CANARY-VISIT', day: '2026-03-04' }))
  const mia = await web.run.as('Mia')
  done(await change(web.run.runtime, mia, 'patient', patient, null, input({ diagnosis: 'CANARY-TEXT two' })))
  done(await takeStep(web.run.runtime, mia, 'patient', patient, 'discharge', null))
  expect(await tablesWith('CANARY')).toEqual(['ninefold.history', 'public.dose', 'public.patient', 'public.visit'])
  days(20)
  expect(await keep()).toEqual({ erased: 0, deleted: 0, failed: [] })
  days(33)
  expect(await keep()).toEqual({ erased: 0, deleted: 1, failed: [] })
  expect(await tablesWith('CANARY-VISIT')).toEqual([])
  expect(await store.query(sql`select from visit where id = ${visit}::uuid`)).toEqual([])
  expect((await tablesWith('CANARY')).length).toBe(3)
  days(368)
  expect(await keep()).toEqual({ erased: 1, deleted: 0, failed: [] })
  expect(await tablesWith('CANARY')).toEqual([])
  const [row] = await store.query<{ name: string; ward: string; state: string }>(
    sql`select name, ward, state from patient where id = ${patient}::uuid`,
  )
  expect(row).toMatchObject({ ward: 'North', state: 'Out' })
  expect(row!.name).toMatch(/^erased [0-9a-f]{12}$/)
  expect(await store.query(sql`select drug, remark from dose where patient = ${patient}::uuid`)).toEqual([
    { drug: 'Aspirin', remark: null },
  ])
  expect(await keep()).toEqual({ erased: 0, deleted: 0, failed: [] })
  const page = await (await web.browser('Mia')).get(`/api/v1/patient/${patient}`)
  expect(json(page.text).name).toBe(row!.name)
})

test('what a state locks goes when its time is over, and by nobody before', async () => {
  days(369)
  const { runtime } = web.run
  const badge = await made(web.run, 'Mia', 'badge', input({ holder: 'CANARY-BADGE of somebody' }))
  done(await takeStep(runtime, await web.run.as('Mia'), 'badge', badge, 'give_back', null))
  const reply = await (await web.browser('Mia')).json('DELETE', `/api/v1/badge/${badge}`)
  expect(json(reply.text).code).toBe('NF-LOCKED-DELETE')
  const lost = await made(web.run, 'Mia', 'badge', input({ holder: 'CANARY-BADGE of another' }))
  done(await takeStep(runtime, await web.run.as('Mia'), 'badge', lost, 'lose', null))
  const given = await made(web.run, 'Mia', 'badge', input({ holder: 'Somebody in the house' }))
  expect(await keep()).toEqual({ erased: 0, deleted: 0, failed: [] })
  days(370)
  expect(await keep()).toEqual({ erased: 0, deleted: 2, failed: [] })
  expect(await tablesWith('CANARY-BADGE')).toEqual([])
  expect(await runtime.store.query(sql`select id from badge`)).toEqual([{ id: given }])
})

test('all that is held about a person is shown, given out and erased, save what has to be kept, which goes when it may', async () => {
  days(370)
  const { runtime } = web.run
  const { store } = runtime
  const seed = await systemRequest(runtime, 'seed', web.run.door())
  const values = { name: 'CANARY-PERSON', email: 'canary-mail@example.com' }
  const person = done(await create(runtime, seed, 'person', input(values)))
  const about = { name: 'CANARY-NAME', person, diagnosis: 'CANARY-TEXT' }
  const patient = await made(
    web.run,
    'Mia',
    'patient',
    input(about, { doses: [{ drug: 'Aspirin', remark: 'CANARY-ROW' }] }),
  )
  const bill = await made(
    web.run,
    'Mia',
    'bill',
    input({ code: 'B-2', payer: person, address: 'CANARY-ROAD', day: '2027-03-01' }),
  )
  const note = await made(
    web.run,
    'Mia',
    'visit',
    input({ visitor: person, purpose: 'CANARY-VISIT', day: '2027-03-01' }),
  )
  const post = testId()
  await store.inTransaction(async tx => {
    // Rows of rows: what makes them is the application.
    await tx.write(sql`insert into post (id, version, created_at, changed_at, position, bill, "of")
      values (${post}::uuid, 1, now(), now(), 1, ${bill}::uuid, 'x')`)
    await tx.write(sql`insert into mark (id, version, created_at, changed_at, position, post, said)
      values (${testId()}::uuid, 1, now(), now(), 1, ${post}::uuid, 'CANARY-MARK')`)
    await tx.write(
      sql`insert into ninefold.comment (id, entity, record, person, at, text) values (${testId()}::uuid, 'patient', ${patient}::uuid, ${web.run.people.Mia!}::uuid, now(), 'CANARY-SAID')`,
    )
    await tx.write(
      sql`insert into ninefold.mailbox (id, at, sender, recipients, subject, body) values (${testId()}::uuid, now(), 'x', ${['canary-mail@example.com']}::text[], 'x', 'CANARY-BODY')`,
    )
  })
  const gone = await (await web.browser('Rosa')).json('DELETE', `/api/v1/bill/${bill}`)
  expect([gone.status, json(gone.text).code, gone.text.includes('Mark')]).toEqual([409, 'NF-IN-USE', false])
  // Whoever began to change a record has what it had in a draft.
  const [{ number } = { number: '' }] = await store.query<{ number: string }>(
    sql`select number from patient where id = ${patient}::uuid`,
  )
  for (const form of [`/patients/${number}/edit`, `/visits/${note}/edit`])
    await store.inTransaction(tx =>
      tx.write(sql`insert into ninefold.draft (person, form, pairs, files, step, kept_at, ends_at)
        values (${web.run.people.Mia!}::uuid, ${form}, '[["name", "CANARY-NAME"], ["purpose", "CANARY-VISIT"]]', '{}', 1, now(), now() + interval '30 years')`),
    )
  // A record of another kind that is named by the same value is another one.
  const other = `/bills/${number}/edit`
  await store.inTransaction(tx =>
    tx.write(sql`insert into ninefold.draft (person, form, pairs, files, step, kept_at, ends_at)
      values (${web.run.people.Mia!}::uuid, ${other}, '[]', '{}', 1, now(), now() + interval '30 years')`),
  )
  for (const name of ['Mia', 'Anna', 'Nils']) {
    const browser = await web.browser(name)
    for (const path of ['/-/person-data', `/-/person-data?person=${person}`, `/-/person-data/json?person=${person}`])
      expect((await browser.get(path)).status, `${name} ${path}`).toBe(404)
    expect((await browser.send('/-/person-data', { person, sure: 'yes' })).status).toBe(404)
  }
  const olga = await web.browser('Olga')
  expect((await olga.get('/-/person-data?q=canary-p')).text).toContain(`person=${person}`)
  const page = await olga.get(`/-/person-data?person=${person}`)
  expect(page.text).toContain('10 years after day: until')
  expect(page.text).toContain('1 year after Out: its time has not begun')
  const given = json((await olga.get(`/-/person-data/json?person=${person}`)).text)
  expect(given).toMatchObject({
    person: values,
    records: {
      patient: [{ name: 'CANARY-NAME', doses: [{ remark: 'CANARY-ROW' }] }],
      bill: [{ address: 'CANARY-ROAD' }],
      visit: [{ purpose: 'CANARY-VISIT' }],
    },
  })
  expect((await olga.send('/-/person-data', { person })).status).toBe(422)
  expect((await tablesWith('CANARY-VISIT')).length).toBeGreaterThan(0)
  // Whoever finds her browser open erases nobody.
  const there = web.run.now
  web.run.now = new Date(there.getTime() + (presentMinutes + 1) * 60_000)
  const absent = await olga.send('/-/person-data', { person, sure: 'yes' })
  web.run.now = there
  expect([absent.status, absent.text.includes('Confirm that it is you')]).toEqual([422, true])
  expect(await store.query(sql`select from ninefold.erasure`)).toEqual([])
  const erased = await olga.send('/-/person-data', [
    ['person', person],
    ['sure', 'no'],
    ['sure', 'yes'],
  ])
  expect(erased.status).toBe(303)
  expect((await olga.get(erased.location!)).text).toContain('Erased as far as it could be')
  // The visit is deleted by its own time only; until then it has to be kept, as the patient who is still in and the bill.
  expect((await tablesWith('CANARY-VISIT')).length).toBeGreaterThan(0)
  expect(await tablesWith('CANARY-PERSON')).toContain('public.person')
  expect(
    await store.query(sql`select disabled_at is not null as off from ninefold.account where person = ${person}::uuid`),
  ).toEqual([{ off: true }])
  done(await takeStep(runtime, await web.run.as('Mia'), 'patient', patient, 'discharge', null))
  days(402)
  expect(await keep()).toMatchObject({ deleted: 1, failed: [] })
  expect(await store.query(sql`select from visit where id = ${note}::uuid`)).toEqual([])
  days(370 + 366)
  await keep()
  expect(await tablesWith('CANARY-NAME')).toEqual([])
  expect(await store.query(sql`select form from ninefold.draft`)).toEqual([{ form: other }])
  expect(await tablesWith('CANARY-SAID')).toEqual([])
  expect(await tablesWith('CANARY-PERSON')).toContain('public.person')
  days(370 + 3660)
  await keep()
  expect(await tablesWith('CANARY')).toEqual([])
  expect(await tablesWith('canary')).toEqual([])
  expect(await store.query(sql`select name from person where id = ${person}::uuid`)).toEqual([
    { name: 'Erased person' },
  ])
  expect(await store.query(sql`select payer from bill where code = 'B-2'`)).toEqual([{ payer: person }])
})

test('who is the last to appoint stays until somebody else can', async () => {
  const olga = await web.browser('Olga')
  const refused = await olga.send('/-/person-data', { person: web.run.people.Mia!, sure: 'yes' })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('Nobody would be left who has the role')
  expect((await (await web.browser('Mia')).get('/patients')).status).toBe(200)
})

test('whoever runs the application gives out and erases by a command', async () => {
  const { runtime } = web.run
  const seed = await systemRequest(runtime, 'seed', web.run.door())
  done(await create(runtime, seed, 'person', input({ name: 'CANARY-LAST', email: 'last@example.com' })))
  const [folder, said] = [mkdtempSync(join(tmpdir(), 'ninefold-out-')), vi.spyOn(console, 'log').mockReturnValue()]
  vi.stubEnv('DATABASE_URL', runtime.store.url)
  vi.stubEnv('FILES_URL', pathToFileURL(web.folder).href)
  try {
    const wish = { folder, erase: true }
    expect(await handlePerson(join(import.meta.dirname, 'fixtures/ward.md'), 'last@example.com', wish, text)).toBe(0)
    expect(json(readFileSync(join(folder, 'data.json'), 'utf8'))).toMatchObject({ person: { name: 'CANARY-LAST' } })
    expect(said.mock.calls.flat()).toContain('Their name is gone too.')
    expect(await tablesWith('CANARY-LAST')).toEqual([])
  } finally {
    said.mockRestore()
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  }
})
