/** Records that nobody sees until they say why: opened one at a time, for a while, read only, and written down. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { input, made, readSound } from '../run/testing.ts'
import { takeStep } from '../run/writes.ts'
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
    expect(other.text).toContain('It is not there, or you may not see it.')
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
