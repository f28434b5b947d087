/** One record that is shared with a person, or with a team: what they may then, for how long, and who else may nothing. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { forgetComments } from '../run/people/comments.ts'
import { input, made, readSound } from '../run/testing.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let [first, second, letter, other, team] = ['', '', '', '', '']
const browsers = new Map<string, TestBrowser>()
const people: Record<string, string> = {}

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, 'fixtures/shared.md')))
  for (const name of ['Cleo', 'Carl']) browsers.set(name, await web.browser(name))
  for (const name of ['Gil', 'Hal', 'Ida']) browsers.set(name, await web.newcomer(name))
  const found = await web.run.runtime.store.query<{ id: string; name: string }>(sql`select id, name from public.person`)
  for (const { id, name } of found) people[name] = id
  const values = { subject: 'A leak', remark: 'Kitchen', notes: 'Insured twice' }
  first = await made(web.run, 'Cleo', 'case', input(values, { papers: [{ title: 'Survey' }] }))
  second = await made(web.run, 'Cleo', 'case', input({ ...values, subject: 'A fire' }))
  letter = await made(web.run, 'Cleo', 'letter', input({ title: 'To the tenant', case: first }))
  other = await made(web.run, 'Cleo', 'letter', input({ title: 'To nobody', case: second }))
  team = await made(web.run, 'Cleo', 'team', input({ name: 'Plumbers', members: [people.Hal!].join(' ') }))
})
afterAll(() => web?.stop())

const as = (name: string): TestBrowser => browsers.get(name)!
const api = async (name: string, method: string, path: string, value?: unknown) => {
  const { status, text } = await as(name).json(method, `/api/v1/${path}`, value)
  return { status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> }
}
const statuses = (name: string, ...paths: string[]) =>
  Promise.all(paths.map(async path => (await as(name).get(path)).status))
const sharesOf = (record: string) =>
  web.run.runtime.store.query<{ id: string; role: string; until: string | null }>(
    sql`select id, role, until_on::text as until from ninefold.share where record = ${record}::uuid order by at, id`,
  )
const today = () => web.run.now.toISOString().slice(0, 10)
const inDays = (days: number) => new Date(Date.parse(today()) + days * 86_400_000).toISOString().slice(0, 10)
const here = () => `/-/share?${new URLSearchParams({ entity: 'case', id: first })}`

test('before, nothing is seen; nobody but those who share it and see it does', async () => {
  expect(await statuses('Gil', '/cases', '/cases/C-0001', `/api/v1/case/${first}`)).toEqual([403, 403, 404])
  const sharing = { role: 'Guest', with: people.Gil! }
  for (const name of ['Gil', 'Hal']) {
    expect((await api(name, 'POST', `case/${first}/shares`, sharing)).status, name).toBe(404)
    expect((await as(name).get(here())).status, name).toBe(404)
  }
  // Carl sees it, and may not change it: he cannot give that away, but may let somebody read.
  const wider = await api('Carl', 'POST', `case/${first}/shares`, sharing)
  expect([wider.status, wider.body.code]).toEqual([403, 'NF-SHARE-DENIED'])
  const wrong = [
    { role: 'Clerk', with: people.Gil },
    { role: 'Nobody', with: people.Gil },
    { role: 'Guest', with: people.Cleo },
    { role: 'Guest', with: first },
    { role: 'Reader', with: team },
    { role: 'Guest', with: people.Gil, until: inDays(15) },
    { role: 'Guest', with: people.Gil, until: inDays(-1) },
  ]
  const refusals = await Promise.all(
    wrong.map(async one => (await api('Cleo', 'POST', `case/${first}/shares`, one)).body.code),
  )
  expect(refusals).toEqual([
    'NF-SHARE-DENIED',
    'NF-SHARE-DENIED',
    'NF-NO-RECORD',
    'NF-NO-RECORD',
    'NF-NO-RECORD',
    'NF-SHARE-LONG',
    'NF-ROLE-DAYS',
  ])
  for (const body of [null, {}, { role: 'Guest' }, { role: 'Guest', with: people.Gil, until: 'soon' }])
    expect((await api('Cleo', 'POST', `case/${first}/shares`, body)).status).toBe(400)
  expect(await sharesOf(first)).toEqual([])
})

test('whom it is shared with on its page reads, changes and steps as the role may, on this record alone', async () => {
  const cleo = as('Cleo')
  expect((await cleo.get('/cases/C-0001')).text).toContain('href="/-/share?entity=case&amp;id=')
  const shared = await cleo.submit(here(), '/-/share', { with: people.Gil!, role: 'Guest' })
  expect(shared.status).toBe(303)
  expect(await sharesOf(first)).toMatchObject([{ role: 'Guest', until: inDays(14) }])
  const page = await cleo.get('/cases/C-0001')
  expect(page.text).toContain('Gil as Guest until')
  expect(page.text).toContain('has shared it with Gil as Guest until')
  expect(await statuses('Gil', '/cases', '/cases/C-0001', '/cases/C-0002', `/api/v1/case/${second}`)).toEqual([
    200, 200, 404, 404,
  ])
  const own = await as('Gil').get('/cases/C-0001')
  expect(own.text).toContain('You as Guest until')
  expect(own.text).toContain('Survey')
  for (const not of ['Insured twice', '/-/share', 'do/close']) expect(own.text, not).not.toContain(not)
  expect((await as('Gil').get('/cases')).text).not.toContain('A fire')
  expect((await as('Gil').get('/-/search?q=fire')).text).not.toContain('A fire')
  const letters = (await api('Gil', 'GET', 'letter')).body.data as { id: string }[]
  expect(letters.map(({ id }) => id)).toEqual([letter])
  expect(other).not.toBe(letter)
  expect((await api('Gil', 'PATCH', `case/${first}`, { remark: 'Bath' })).status).toBe(200)
  expect((await api('Gil', 'PATCH', `case/${second}`, { remark: 'Bath' })).status).toBe(404)
  expect((await api('Gil', 'PATCH', `case/${first}`, { notes: 'x' })).status).toBe(422)
  expect((await api('Gil', 'POST', `case/${second}/assess`)).status).toBe(404)
  expect((await api('Gil', 'POST', `case/${first}/close`)).status).toBe(403)
  expect((await api('Gil', 'POST', `case/${first}/assess`)).status).toBe(200)
  expect((await api('Gil', 'POST', `case/${first}/shares`, { role: 'Guest', with: people.Ida })).body.code).toBe(
    'NF-SHARE-DENIED',
  )
  expect(await statuses('Hal', '/cases', `/api/v1/case/${first}`)).toEqual([403, 404])
  expect(await statuses('Ida', '/cases', `/api/v1/case/${first}`)).toEqual([403, 404])
})

test('a team is shared with as its members are now', async () => {
  const shared = await api('Cleo', 'POST', `case/${second}/shares`, { role: 'Guest', with: team, until: inDays(1) })
  expect(shared.status).toBe(201)
  expect(await statuses('Hal', '/cases/C-0002', '/cases/C-0001')).toEqual([200, 404])
  // He is told of what reaches him, and its name is not his to know.
  expect((await api('Hal', 'GET', `case/${second}/shares`)).body.data).toMatchObject([{ role: 'Guest', name: null }])
  expect((await api('Cleo', 'PATCH', `team/${team}`, { members: [people.Ida] })).status).toBe(200)
  expect(await statuses('Hal', '/cases/C-0002')).toEqual([403])
  expect(await statuses('Ida', '/cases/C-0002')).toEqual([200])
  expect((await api('Hal', 'DELETE', `case/${second}/shares/${shared.body.id}`)).status).toBe(404)
  expect((await api('Ida', 'DELETE', `case/${second}/shares/${shared.body.id}`)).status).toBe(403)
})

test('after the end, or the last day, it is as before; both are in the history', async () => {
  const [share] = await sharesOf(first)
  const ended = await as('Cleo').submit(here(), '/-/share', { end: share!.id })
  expect(ended.status).toBe(303)
  expect(await statuses('Gil', '/cases', '/cases/C-0001', `/api/v1/case/${first}`)).toEqual([403, 403, 404])
  const told = await as('Cleo').get('/cases/C-0001')
  expect(told.text).toContain('has ended that it is shared with Gil as Guest')
  expect(told.text).not.toContain('>Shared with<')
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`update ninefold.share set until_on = ${inDays(-1)}::date where record = ${second}::uuid`),
  )
  expect(await statuses('Ida', '/cases/C-0002', `/api/v1/case/${second}`)).toEqual([403, 404])
  expect((await api('Cleo', 'GET', `case/${second}/shares`)).body.data).toEqual([])
})

test('reading alone is given by whoever reads; shares go with their record', async () => {
  expect((await api('Carl', 'POST', `case/${first}/shares`, { role: 'Reader', with: people.Gil })).status).toBe(201)
  expect(await sharesOf(first)).toMatchObject([{ role: 'Reader', until: null }])
  expect((await api('Gil', 'GET', `case/${first}`)).body).toMatchObject({ subject: 'A leak' })
  expect((await api('Gil', 'PATCH', `case/${first}`, { remark: 'x' })).status).toBe(403)
  const again = await api('Carl', 'POST', `case/${first}/shares`, {
    role: 'Reader',
    with: people.Gil,
    until: inDays(3),
  })
  expect([again.status, await sharesOf(first)]).toMatchObject([201, [{ role: 'Reader', until: inDays(3) }]])
  const paths = (await api('Carl', 'GET', 'openapi.json')).body.paths as Record<string, unknown>
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(['/api/v1/case/{id}/shares', '/api/v1/case/{id}/shares/{share}']),
  )
  await web.run.runtime.store.inTransaction(tx => forgetComments(tx, 'case', first))
  expect(await sharesOf(first)).toEqual([])
})
