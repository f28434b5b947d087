import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { importRow } from '../run/many/import.ts'
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
  const others = Object.values(topics).filter(id => id !== topics.Radar)
  expect(await names(lena, `topics=${others[0]}`)).not.toContain('Hers')
  expect(await names(lena, `topics=${topics.Radar}&topics=${others[0]}`), 'one of them').toContain('Hers')
  expect(await names(mia, `topics=${topics.Radar}`)).toEqual([])
  expect(await names(mia, `members=${member}&topics.is-empty=yes`), 'others are told of').not.toContain('Hers')
  expect(await names(mia, `members=${member}&topics.is-empty=no`)).toContain('Hers')
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
  expect([seen.topics, seen.unseen]).toEqual([[topics.Boats], ['topics']])
  expect((await mia.get('/projects/Shared')).text).not.toContain('Radar')
  expect((await mia.get('/projects/Shared/edit')).text).not.toContain(topics.Radar)
  const denied = await mia.json('PATCH', `/api/v1/project/${made.id}`, { topics: [topics.Radar, topics.Boats] })
  // Though it is there already: an answer that differed would tell her so.
  expect(JSON.parse(denied.text).errors).toMatchObject([{ code: 'NF-NO-RECORD', pointer: '/topics' }])
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

test('what is sent is named in one statement, however much it is, and only what one sees', async () => {
  await project({ name: 'Much', members: ids() })
  const address = '/projects/Much/edit'
  const head = pairsOf(
    (await mia.get(address)).text,
    address,
    ids().map(id => ['members', id] as const),
  )
  const sent = async (more: readonly string[]) => {
    web.statements.length = 0
    const page = await mia.post(address, [
      ...head.filter(([name]) => name !== 'name' && name !== 'topics'),
      ['name', ''],
      ['topics', [topics.Radar!, ...more].join(' ')],
    ])
    expect([page.status, page.text.includes('Radar')]).toEqual([422, false])
    return web.statements.length
  }
  const many = Array.from({ length: 300 }, (_, at) => `01940000-0000-7000-8000-${String(at).padStart(12, '0')}`)
  expect(await sent(many)).toBe(await sent([]))
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

test('a step asks for several records: in its form as boxes, by the API as an array, and what one does not see stays', async () => {
  const made = await project({ name: 'Asked', members: ids(), topics: [topics.Radar] })
  const address = '/projects/Asked/do/plan'
  const { text } = await mia.get(address)
  expect(text).toMatch(/<legend>Topics/)
  expect(text).not.toContain(topics.Radar)
  const own = fieldsOf(text, address)
  const none = await lena.post(address, { ...fieldsOf((await lena.get(address)).text, address), topics: '' })
  expect(none.status).toBe(422)
  expect(none.text).toContain('Topics is missing.')
  const { topics: _, ...rest } = own
  const boxes = [topics.Boats!, topics.Sails!].map(id => ['topics', id] as [string, string])
  const many = await mia.post(address, [...Object.entries(rest), ['topics', ''], ...boxes])
  expect(many.text).toContain('A project has at most two topics.')
  expect(many.text).toMatch(new RegExp(`checked=""[^>]*value="${topics.Sails}"|value="${topics.Sails}"[^>]*checked=""`))
  const strange = await mia.json('POST', `/api/v1/project/${made.id}/plan`, { topics: ['nobody'] })
  expect(JSON.parse(strange.text).errors).toMatchObject([{ code: 'NF-REFERENCE', pointer: '/topics' }])
  const done = await mia.json('POST', `/api/v1/project/${made.id}/plan`, { topics: [topics.Boats], note: 'ready' })
  expect([done.status, JSON.parse(done.text).topics]).toEqual([200, [topics.Boats]])
  const after = JSON.parse((await lena.get(`/api/v1/project/${made.id}`)).text)
  expect([after.state, after.topics]).toEqual(['Planned', [topics.Boats, topics.Radar].sort()])
  const { text: history } = await lena.get('/projects/Asked')
  expect(history).toMatch(/Radar[\s\S]{0,400}Boats, Radar/)
  const api = JSON.parse((await lena.get('/api/v1/openapi.json')).text)
  const body = api.paths['/api/v1/project/{id}/plan'].post.requestBody.content['application/json'].schema
  expect([body.properties.topics.type, body.required]).toEqual(['array', ['topics']])
})

test('what a step may be given and is not: nothing, and what its taker does not see stays', async () => {
  const plan = (closed: boolean) =>
    readSound(join(import.meta.dirname, 'fixtures/projects.md'), text =>
      text
        .replace('| topics required, note |', '| topics, note |')
        .replace(
          '\n### Topic\n\n| Role',
          closed ? '\n| Field | See |\n| --- | --- |\n| topics | Lead |\n| note | Lead |\n$&' : '$&',
        ),
    )
  const taken = async (name: string, closed: boolean, more: object) => {
    await web.web.reload({ ...web.served, runtime: { ...web.served.runtime, app: plan(closed) } })
    const made = await project({ name, members: ids(), ...more })
    const address = `/projects/${name}/do/plan`
    const { topics: _, ...form } = fieldsOf((await mia.get(address)).text, address)
    const { status } = await mia.post(address, { ...form, topics: '' })
    const { topics: kept, note, state } = JSON.parse((await lena.get(`/api/v1/project/${made.id}`)).text)
    return [status, state, kept, note]
  }
  expect(await taken('Bare', false, {})).toEqual([303, 'Planned', [], null])
  expect(await taken('Known', false, { topics: [topics.Boats], note: 'as it was' })).toEqual([
    303,
    'Planned',
    [],
    'as it was',
  ])
  expect(await taken('Unknown', true, { topics: [topics.Boats], note: 'as it was' })).toEqual([
    303,
    'Planned',
    [topics.Boats],
    'as it was',
  ])
  await web.web.reload(web.served)
})

test('rows have several of their own: in the form, by the API, in rules and in the history', async () => {
  const [lead, member] = ids()
  const { text } = await lena.get('/projects/new')
  const lines = [
    ['tasks', ''],
    ['tasks.0.what', 'Paint'],
    ['tasks.0.helpers', ''],
    ['tasks.0.helpers', lead],
    ['tasks.0.helpers', member],
    ['tasks.0.about', ''],
    ['tasks.0.about', topics.Boats!],
    ['tasks.0.about', topics.Sails!],
  ] as [string, string][]
  const head = [...pairsOf(text, '/projects/new', [['members', lead]]), ['name', 'Rows']] as [string, string][]
  const many = await lena.post('/projects/new', [...head, ...lines])
  expect(many.text).toContain('Helpers')
  expect(many.status).toBe(422)
  expect(many.text).toMatch(new RegExp(`name="tasks.0.about"[^>]*checked=""[^>]*value="${topics.Sails}"`))
  const saved = await lena.post('/projects/new', [...head, ...lines.filter(([, value]) => value !== member)])
  expect(saved.location).toBe('/projects/Rows')
  expect((await lena.get('/projects/Rows')).text).toContain('Boats, Sails')
  const [row] = JSON.parse((await lena.get('/api/v1/project?name=Rows')).text).data
  const stored = JSON.parse((await lena.get(`/api/v1/project/${row.id}`)).text)
  expect(stored.tasks).toMatchObject([{ helpers: [lead], about: [topics.Boats, topics.Sails].sort() }])
  const change = (tasks: object[]) => lena.json('PATCH', `/api/v1/project/${row.id}`, { tasks })
  const secret = await change([{ id: stored.tasks[0].id, about: [topics.Radar] }])
  expect(JSON.parse(secret.text).errors).toMatchObject([{ code: 'E-PRIVATE', pointer: '/tasks/0' }])
  const less = await change([
    { id: stored.tasks[0].id, about: [topics.Sails], helpers: [] },
    { what: 'Row', about: [topics.Boats] },
  ])
  const after = JSON.parse(less.text).tasks
  expect(after.map(({ helpers, about }: { helpers: string[]; about: string[] }) => [helpers, about])).toEqual([
    [[], [topics.Sails]],
    [[], [topics.Boats]],
  ])
  expect((await lena.get('/projects/Rows')).text).toMatch(/Tasks › Paint › About[\s\S]{0,200}Boats, Sails/)
  const edit = (await lena.get('/projects/Rows/edit')).text
  expect(edit).toMatch(/role="group"[^>]*aria-label="Row 1, About"|aria-label="Row 1, About"[^>]*role="group"/)
  await change([])
  expect(await web.run.runtime.store.query(sql`select from task_about`)).toHaveLength(0)
})

test('of several in a row, too, what one does not see is neither told nor lost, and nothing strange is named', async () => {
  const made = await project({
    name: 'Row secrets',
    members: ids(),
    tasks: [{ what: 'Look', about: [topics.Boats, topics.Sails] }],
  })
  await web.run.runtime.store.query(
    sql`update task_about set member = ${topics.Radar}::uuid where member = ${topics.Sails}::uuid`,
  )
  const seen = JSON.parse((await mia.get(`/api/v1/project/${made.id}`)).text)
  expect(seen.tasks[0].about).toEqual([topics.Boats])
  expect((await mia.get('/projects/Row%20secrets')).text).not.toContain('Radar')
  const [{ id }] = seen.tasks
  const strange = await mia.json('PATCH', `/api/v1/project/${made.id}`, {
    tasks: [{ id }, { what: 'New', about: [topics.Radar] }],
  })
  expect(JSON.parse(strange.text).errors).toMatchObject([{ code: 'NF-NO-RECORD', pointer: '/tasks/1/about' }])
  await web.run.runtime.store.query(sql`update topic set secret = false where id = ${topics.Radar}::uuid`)
  await web.run.runtime.store.query(sql`update topic set secret = true where id = ${topics.Boats}::uuid`)
  const kept = await mia.json('PATCH', `/api/v1/project/${made.id}`, { tasks: [{ id, what: 'Looked', about: [] }] })
  await web.run.runtime.store.query(sql`update topic set secret = (name = 'Radar')`)
  expect([kept.status, JSON.parse(kept.text).tasks[0].about]).toEqual([200, []])
  const after = JSON.parse((await lena.get(`/api/v1/project/${made.id}`)).text)
  expect(after.tasks[0].about).toEqual([topics.Boats])
})

test('a file has their names between commas, going out and coming in', async () => {
  const as = await web.run.as(Object.keys(people)[0]!)
  const bring = (name: string, named: string) =>
    importRow(
      web.run.runtime,
      as,
      { entity: 'project', what: { mapping: ['name', 'members', 'topics'], key: 'name' } as never },
      { cells: [name, Object.keys(people)[0], named] } as never,
    )
  expect((await bring('Filed', 'Sails , Boats')).outcome.kind).toBe('done')
  expect((await bring('Filed', 'Boats, Sails')).did).toBe('same')
  const wrong = (await bring('Filed', 'Boats, Masts')).outcome
  expect(wrong).toMatchObject({ kind: 'refused', problems: [{ code: 'NF-NO-RECORD', field: 'topics' }] })
  expect((await lena.json('POST', '/api/v1/topic', { name: 'Boats, "small"' })).status).toBe(201)
  expect((await bring('Quoted', 'Sails,"Boats, ""small""" ,')).outcome.kind).toBe('done')
  const [, line = ''] = (await lena.get('/projects?name=Quoted&_export=csv')).text.split('\r\n')
  const written = /^Quoted,[^,]*,"(.*)"$/.exec(line)![1]!.replaceAll('""', '"')
  expect(written).toBe('"Boats, ""small""", Sails')
  expect((await bring('Quoted', written)).did).toBe('same')
  expect((await lena.get('/projects/Quoted')).text).toContain('Boats, &quot;small&quot;, Sails')
  for (const unsaid of ['Boats, "small"', '"Boats, small'])
    expect((await bring('Quoted', unsaid)).outcome).toMatchObject({ problems: [{ code: 'NF-NO-RECORD' }] })
  const { text } = await lena.get('/projects?name=Filed&_export=csv')
  expect(text.trim().split('\r\n')).toEqual(['Name,Members,Topics', `Filed,${Object.keys(people)[0]},"Boats, Sails"`])
})

test('sample data name several, and a mail goes to each of them once', async () => {
  const store = web.run.runtime.store
  const found = JSON.parse((await lena.get('/api/v1/project?name=Old+club')).text).data[0]
  expect([...found.members].sort()).toEqual([...ids()].sort())
  expect((await lena.get('/projects/Old%20club')).text).toContain('Masts, spare')
  await store.query(sql`delete from ninefold.outbox`)
  const mails = () =>
    store.query<{ to: string }>(
      sql`select payload -> 'to' ->> 'name' as to from ninefold.outbox where kind = 'mail' order by name desc, 1`,
    )
  const address = `/api/v1/project/${found.id}`
  expect((await mia.json('POST', `${address}/plan`, { topics: found.topics })).status).toBe(200)
  const all = Object.keys(people).map(to => ({ to }))
  expect(await mails()).toEqual(all)
  expect((await lena.json('POST', `${address}/finish`)).status).toBe(200)
  expect(await mails()).toEqual([...all, ...all])
})

test('several of a list of names: boxes, a bound, conditions, a filter and an array, and one spelling in the database', async () => {
  const { text } = await lena.get('/projects/new')
  expect(text).toMatch(/<legend>Seasons/)
  const [lead] = ids()
  const boxes = [
    ['members', lead],
    ['seasons', ''],
    ['seasons', 'Late autumn'],
    ['seasons', 'Spring'],
  ] as const
  const saved = await lena.post('/projects/new', [...pairsOf(text, '/projects/new', boxes), ['name', 'Reed']])
  expect(saved.location).toBe('/projects/Reed')
  expect((await lena.get('/projects/Reed')).text).toContain('Spring, Late autumn')
  expect((await lena.get('/projects/Reed/edit')).text).toMatch(
    /name="seasons"[^>]*checked=""[^>]*value="Late autumn"|value="Late autumn"[^>]*checked=""/,
  )
  const names = async (query: string) =>
    (JSON.parse((await lena.get(`/api/v1/project?${query}`)).text).data as { name: string }[]).map(({ name }) => name)
  expect(await names('seasons=late%20autumn')).toEqual(expect.arrayContaining(['Reed', 'Old club']))
  expect(await names('seasons=Summer')).toEqual([])
  expect(await names('seasons=late%20autumn&seasons=Summer'), 'one of them').toContain('Reed')
  expect((await lena.get('/api/v1/project?seasons=Winter')).status).toBe(400)
  const made = await project({ name: 'Oars', members: [lead], seasons: ['Summer', 'Spring', 'Summer'] })
  expect([made.seasons, 'note' in made && made.note]).toEqual([['Spring', 'Summer'], null])
  const change = async (values: object) => {
    const answer = JSON.parse((await lena.json('PATCH', `/api/v1/project/${made.id}`, values)).text)
    return answer.errors?.map(({ code }: { code: string }) => code) ?? answer.seasons
  }
  expect(await change({ seasons: ['Winter'] })).toEqual(['NF-CHOICES'])
  expect(await change({ seasons: ['Spring', 'Summer', 'Late autumn'] })).toEqual(['NF-MANY'])
  expect(await change({ note: 'Warm' })).toEqual(['NF-ONLY-WHEN'])
  expect(await change({ seasons: [] })).toEqual([])
  const run = web.run.runtime.store
  for (const wrong of [
    'Summer, Spring',
    'Winter',
    'Spring,Summer',
    '',
    'Spring, Spring',
    'Spring, Summer, Late autumn',
  ])
    await expect(
      run.query(sql`update project set seasons = ${wrong} where id = ${made.id}`),
      wrong,
    ).rejects.toMatchObject({ code: '23514' })
})
