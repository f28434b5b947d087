import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { readSound } from '../run/testing.ts'
import { planMigration } from '../store/migrate.ts'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let lena: TestBrowser
let mia: TestBrowser
const topics: Record<string, string> = {}
let people: Readonly<Record<string, string>> = {}

const app = () => readSound(join(import.meta.dirname, 'fixtures/projects.md'))

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), app())
  people = web.run.people
  const [lead, member] = Object.keys(people) as [string, string]
  lena = await web.browser(lead)
  mia = await web.browser(member)
  for (const name of ['Boats', 'Sails', 'Radar'])
    topics[name] = JSON.parse((await lena.json('POST', '/api/v1/topic', { name, secret: name === 'Radar' })).text).id
})
afterAll(() => web?.stop())

const ids = () => Object.values(people) as [string, string]
const project = async (values: object) => JSON.parse((await lena.json('POST', '/api/v1/project', values)).text)

/** Names and values as the form has them; of boxes those that are ticked. */
const pairsOf = (html: string, action: string, boxes: readonly (readonly [string, string])[]) => {
  const { members: _, topics: __, ...rest } = fieldsOf(html, action)
  return [...Object.entries(rest), ['members', ''], ['topics', ''], ...boxes] as [string, string][]
}

test('the form has a box for each record, and what is ticked is saved, in the list and on the page', async () => {
  const { text } = await lena.get('/projects/new')
  expect(text).toMatch(/<legend>Members/)
  expect(text).toMatch(new RegExp(`<input[^>]*type="checkbox"[^>]*name="topics"[^>]*value="${topics.Boats}"`))
  const [lead, member] = ids()
  const boxes = [
    ['members', lead],
    ['members', member],
    ['topics', topics.Sails!],
    ['topics', topics.Boats!],
  ] as const
  const saved = await lena.post('/projects/new', [...pairsOf(text, '/projects/new', boxes), ['name', 'Regatta']])
  expect(saved.location).toBe('/projects/Regatta')
  const page = (await lena.get('/projects/Regatta')).text
  expect(page).toContain('Boats, Sails')
  expect(page).toMatch(/<dt[^>]*>Size[\s\S]{0,200}?>2</)
  expect((await lena.get('/projects')).text).toContain('Boats, Sails')
})

test('required, a bound, and rules that count and look into them hold, and nothing ticked is lost', async () => {
  const [lead] = ids()
  const { text } = await lena.get('/projects/new')
  const none = await lena.post('/projects/new', [
    ...pairsOf(text, '/projects/new', [['topics', topics.Boats!]]),
    ['name', 'None'],
  ])
  expect(none.status).toBe(422)
  expect(none.text).toContain('Members is missing.')
  expect(none.text).toMatch(
    new RegExp(`<input[^>]*checked=""[^>]*value="${topics.Boats}"|value="${topics.Boats}"[^>]*checked=""`),
  )
  const all = await lena.json('POST', '/api/v1/project', {
    name: 'Many',
    members: [lead],
    topics: Object.values(topics),
  })
  expect(JSON.parse(all.text).errors).toMatchObject([{ code: 'E-TOPICS' }])
  const secret = await lena.json('POST', '/api/v1/project', {
    name: 'Private',
    members: [lead],
    topics: [topics.Radar],
  })
  expect(JSON.parse(secret.text).errors).toMatchObject([{ code: 'E-PRIVATE' }])
})

test('the API takes and gives an array of ids, and an empty one empties', async () => {
  const [lead, member] = ids()
  const made = await project({ name: 'Api', members: [member, lead, lead], topics: [topics.Boats] })
  expect(made.members).toEqual([lead, member].sort())
  expect(made.topics).toEqual([topics.Boats])
  const changed = JSON.parse((await lena.json('PATCH', `/api/v1/project/${made.id}`, { topics: [] })).text)
  expect([changed.topics, changed.version]).toEqual([[], 2])
  for (const wrong of [['x'], [1], 'Boats', { id: lead }])
    expect((await lena.json('PATCH', `/api/v1/project/${made.id}`, { topics: wrong })).status).toBe(422)
  expect((await lena.json('PATCH', `/api/v1/project/${made.id}`, { topics: [lead] })).status).toBe(422)
  const links = await web.run.runtime.store.query(sql`select from project_topics where owner = ${made.id}`)
  expect(links).toHaveLength(0)
  const { text } = await lena.get('/api/v1/openapi.json')
  expect(JSON.parse(text).components.schemas.Project.properties.topics).toMatchObject({
    type: 'array',
    items: { format: 'uuid' },
  })
})

test('a list is filtered by who is in it, as far as that may be seen', async () => {
  const [, member] = ids()
  await project({ name: 'Hers', members: ids(), topics: [topics.Radar] })
  const names = async (browser: TestBrowser, query: string) =>
    (JSON.parse((await browser.get(`/api/v1/project?${query}`)).text).data as { name: string }[]).map(
      ({ name }) => name,
    )
  expect(await names(lena, `topics=${topics.Radar}`)).toEqual(['Hers'])
  expect(await names(mia, `topics=${topics.Radar}`)).toEqual([])
  expect(await names(mia, `members=${member}&topics.is-empty=yes`)).toContain('Hers')
  expect((await lena.get('/api/v1/project?topics=nonsense')).status).toBe(400)
})

test('“me in members” lets in, and somebody who is taken out is out', async () => {
  const [lead, member] = ids()
  const made = await project({ name: 'Inner', members: [lead] })
  expect((await mia.get(`/api/v1/project/${made.id}`)).status).toBe(404)
  await lena.json('PATCH', `/api/v1/project/${made.id}`, { members: [lead, member] })
  expect((await mia.get(`/api/v1/project/${made.id}`)).status).toBe(200)
  await lena.json('PATCH', `/api/v1/project/${made.id}`, { members: [lead] })
  expect((await mia.get('/projects/Inner')).status).toBe(404)
})

test('only what one may see can be named; what one does not see is neither told nor lost', async () => {
  const made = await project({ name: 'Shared', members: ids(), topics: [topics.Boats, topics.Radar] })
  const seen = JSON.parse((await mia.get(`/api/v1/project/${made.id}`)).text)
  expect(seen.topics).toEqual([topics.Boats])
  expect((await mia.get('/projects/Shared')).text).not.toContain('Radar')
  expect((await mia.get('/projects/Shared/edit')).text).not.toContain(topics.Radar)
  const denied = await mia.json('PATCH', `/api/v1/project/${made.id}`, { topics: [topics.Radar, topics.Boats] })
  // It is there already, so naming it changes nothing that she could not leave as it is.
  expect(denied.status).toBe(200)
  const own = await project({ name: 'Own', members: ids() })
  const strange = await mia.json('PATCH', `/api/v1/project/${own.id}`, { topics: [topics.Radar] })
  expect(JSON.parse(strange.text).errors).toMatchObject([{ code: 'NF-NO-RECORD', pointer: '/topics' }])
  await mia.json('PATCH', `/api/v1/project/${made.id}`, { topics: [topics.Sails] })
  const after = JSON.parse((await lena.get(`/api/v1/project/${made.id}`)).text)
  expect(after.topics).toEqual([topics.Radar, topics.Sails].sort())
  const history = (await mia.get('/projects/Shared')).text
  expect(history).toContain('Sails')
  expect(history).not.toContain('Radar')
})

test('what is named cannot be deleted, and links go with their record', async () => {
  const made = await project({ name: 'Gone', members: ids(), topics: [topics.Sails] })
  const refused = await lena.json('DELETE', `/api/v1/topic/${topics.Sails}`)
  expect(JSON.parse(refused.text)).toMatchObject({ code: 'NF-IN-USE' })
  expect((await lena.json('DELETE', `/api/v1/project/${made.id}`)).status).toBe(204)
  const left = await web.run.runtime.store.query(sql`select from project_topics where owner = ${made.id}`)
  expect(left).toHaveLength(0)
})

test('the tables are planned once, and renamed with their field', async () => {
  const { store } = web.run.runtime
  expect((await planMigration(store, app())).steps).toEqual([])
  const renamed = readSound(join(import.meta.dirname, 'fixtures/projects.md'), text =>
    text.replaceAll('topics', 'themes').replace('| themes | several', '| themes (was topics) | several'),
  )
  const { steps, possible } = await planMigration(store, renamed)
  expect(possible).toBe(true)
  expect(steps.map(({ what }) => what).join('\n')).toMatch(/project_topics.*project_themes/)
})

test('two who change it at once: the later one sees both', async () => {
  await project({ name: 'Both', members: ids(), topics: [topics.Boats] })
  const { text } = await lena.get('/projects/Both/edit')
  const members = ids().map(id => ['members', id] as const)
  await lena.post(
    '/projects/Both/edit',
    pairsOf((await lena.get('/projects/Both/edit')).text, '/projects/Both/edit', [
      ...members,
      ['topics', topics.Sails!],
    ]),
  )
  const late = await lena.post(
    '/projects/Both/edit',
    pairsOf(text, '/projects/Both/edit', [...members, ['topics', topics.Radar!]]),
  )
  expect(late.status).toBe(409)
  expect(late.text).toContain('Radar')
  expect(late.text).toContain('Sails')
})

test('a step does not ask for several records, and its document hears why', () => {
  const states = `## 4 States and transitions

### Project

| State | Kind |
| --- | --- |
| Idea | start |
| Planned | |
| Done | end |

| Transition | From | To | Who | Asks |
| --- | --- | --- | --- | --- |
| plan | Idea | Planned | Lead | topics required, note |
| finish | Planned | Done | Lead | |

## 5 Validation rules`
  expect(() =>
    readSound(join(import.meta.dirname, 'fixtures/projects.md'), text => text.replace('## 5 Validation rules', states)),
  ).toThrow('N1425 `plan` cannot ask for `topics`: it names several records')
})
