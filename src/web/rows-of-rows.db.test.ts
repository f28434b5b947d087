/** A record with rows that have rows of their own: read and written as one, by API, form and file. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { readSound } from '../run/testing.ts'
import { undo } from '../run/write/undo.ts'
import { fieldsOf, type Page, pagesOf, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let planner: TestBrowser
let worker: TestBrowser
let guest: TestBrowser

interface Use {
  readonly id: string
  readonly item: string
  readonly pieces: number
  readonly worth: string
  readonly said: string
}
interface Task {
  readonly id: string
  readonly what: string
  readonly minutes: number
  readonly number: string
  readonly cost: string
  readonly uses: readonly Use[]
}
interface Part {
  readonly id: string
  readonly name: string
  readonly minutes: number
  readonly tasks: readonly Task[]
}
interface Job {
  readonly id: string
  readonly version: number
  readonly minutes: number
  readonly deep: number
  readonly used: number
  readonly parts: readonly Part[]
}
interface Refused {
  readonly errors: readonly { readonly code: string; readonly pointer: string; readonly place?: string }[]
}

const body = <Body>({ text }: Page) => JSON.parse(text) as Body
const told = (page: Page) => [page.status, ...(body<Refused>(page).errors ?? []).map(one => [one.code, one.pointer])]
const read = async (id: string, who = planner) => body<Job>(await who.get(`/api/v1/job/${id}`))
const change = (id: string, parts: readonly object[], who = planner) =>
  who.json('PATCH', `/api/v1/job/${id}`, { parts })
const names = ({ parts }: Job) => parts.map(({ name, tasks }) => [name, ...tasks.map(({ what }) => what)])

let made = 0
async function job(parts: readonly object[]): Promise<Job> {
  const answer = await planner.json('POST', '/api/v1/job', { code: `N-${++made}`, parts })
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)])
  return body<Job>(answer)
}
const usual = [
  {
    name: 'Cleaning',
    tasks: [
      { what: 'Mop', minutes: 30 },
      { what: 'Dust', minutes: 20 },
    ],
  },
  { name: 'Paint', tasks: [{ what: 'Undercoat', minutes: 90 }] },
]

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, 'fixtures/jobs.md')))
  ;[planner, worker, guest] = [await web.browser('Pia'), await web.browser('Wim'), await web.browser('Gus')]
})
afterAll(() => web?.stop())

test('sample data has rows of rows, and sums go through them', async () => {
  const page = body<{ data: readonly { readonly id: string }[] }>(await planner.get('/api/v1/job?code=J-1'))
  const found = await read(page.data[0]!.id)
  expect(names(found)).toEqual([
    ['Cleaning', 'Mop', 'Dust'],
    ['Paint', 'Undercoat'],
  ])
  expect([found.minutes, found.deep, found.parts[0]!.minutes]).toEqual([140, 140, 50])
})

test('a record is made with its rows and theirs, in their order, each with its number and what is worked out', async () => {
  const one = await job(usual)
  const again = await read(one.id)
  expect(names(again)).toEqual([
    ['Cleaning', 'Mop', 'Dust'],
    ['Paint', 'Undercoat'],
  ])
  const tasks = again.parts.flatMap(part => part.tasks)
  expect(tasks.map(({ cost }) => cost)).toEqual(['300.00', '200.00', '900.00'])
  expect(new Set(tasks.map(({ number }) => number)).size).toBe(3)
  expect(again.deep).toBe(140)
})

test('rows of rows are added, changed, moved and taken out, and keep their ids; what is not spoken of stays', async () => {
  const { id, parts } = await job(usual)
  const [cleaning, paint] = parts
  const [mop, dust] = cleaning!.tasks
  const answer = await change(id, [
    { id: paint!.id },
    { id: cleaning!.id, tasks: [{ id: dust!.id, minutes: 25 }, { what: 'Wipe', minutes: 5 }, { id: mop!.id }] },
  ])
  expect(answer.status).toBe(200)
  const now = await read(id)
  expect(names(now)).toEqual([
    ['Paint', 'Undercoat'],
    ['Cleaning', 'Dust', 'Wipe', 'Mop'],
  ])
  expect(now.parts[1]!.tasks.map(task => task.id)).toEqual([dust!.id, expect.any(String), mop!.id])
  expect(now.deep).toBe(150)
  await change(id, [{ id: cleaning!.id, tasks: [{ id: mop!.id }] }])
  expect(names(await read(id))).toEqual([['Cleaning', 'Mop']])
  const same = await read(id)
  await change(id, same.parts)
  expect((await read(id)).version).toBe(same.version)
})

test('what is refused is named by its place on every level', async () => {
  const tasks = [
    { what: 'Mop', minutes: 30 },
    { what: 'Idle', minutes: 500 },
    { what: 'Mop', minutes: 0 },
    { minutes: 1 },
  ]
  const answer = await planner.json('POST', '/api/v1/job', {
    code: 'R-1',
    parts: [{ name: 'Paint' }, { name: 'Cleaning', tasks, nothing: 1 }],
  })
  expect(told(answer)).toEqual([
    422,
    ['NF-MANY', '/parts/1/tasks'],
    ['E-IDLE', '/parts/1/tasks/1'],
    ['NF-MAX', '/parts/1/tasks/1/minutes'],
    ['NF-TWICE', '/parts/1/tasks/2/what'],
    ['NF-MIN', '/parts/1/tasks/2/minutes'],
    ['NF-REQUIRED', '/parts/1/tasks/3/what'],
    ['NF-UNKNOWN-FIELD', '/parts/1/nothing'],
  ])
})

test('a row of another record, or of another row, is none', async () => {
  const [one, other] = [await job(usual), await job(usual)]
  const [cleaning, paint] = one.parts
  for (const strange of [other.parts[0]!.tasks[0]!, paint!.tasks[0]!]) {
    const answer = await change(one.id, [{ id: cleaning!.id, tasks: [{ id: strange.id }] }, { id: paint!.id }])
    expect(told(answer).slice(0, 2)).toEqual([422, ['NF-NO-RECORD', '/parts/0/tasks/0']])
  }
  expect(names(await read(one.id))).toEqual(names(one))
})

test('rows of rows have rows: made, added up, changed, refused, closed, told in the history and taken back', async () => {
  const uses = [
    { item: 'Soap', pieces: 2 },
    { item: 'Cloth', pieces: 3 },
  ]
  const { id, parts, used } = await job([
    { name: 'Cleaning', tasks: [{ what: 'Mop', minutes: 30, uses }] },
    { name: 'Paint', tasks: [{ what: 'Undercoat', minutes: 90, hidden: true, uses: [{ item: 'Paint', pieces: 10 }] }] },
  ])
  const usesOf = ({ parts: all }: Job) =>
    all.flatMap(({ tasks }) => tasks.flatMap(task => task.uses.map(one => [one.item, one.pieces, one.worth])))
  expect(used).toBe(15)
  expect(usesOf(await read(id))).toEqual([
    ['Soap', 2, '20.00'],
    ['Cloth', 3, '30.00'],
    ['Paint', 10, '100.00'],
  ])
  expect(usesOf(await read(id, worker))).toHaveLength(2)
  const [mop, undercoat] = parts.flatMap(part => part.tasks)
  const changed = (first: readonly object[], second: readonly object[]) => [
    { id: parts[0]!.id, tasks: [{ id: mop!.id, uses: first }] },
    { id: parts[1]!.id, tasks: [{ id: undercoat!.id, uses: second }] },
  ]
  const [soap, cloth] = mop!.uses
  const [paint] = undercoat!.uses
  const wrong = [{ id: soap!.id, item: 'Cloth', pieces: 51 }, { id: cloth!.id }, { id: paint!.id }]
  expect(told(await change(id, changed(wrong, [{ id: paint!.id }, { item: 'Water', pieces: 1 }])))).toEqual([
    422,
    ['NF-MAX', '/parts/0/tasks/0/uses/0/pieces'],
    ['NF-TWICE', '/parts/0/tasks/0/uses/1/item'],
    ['NF-NO-RECORD', '/parts/0/tasks/0/uses/2'],
    ['NF-REQUIRED', '/parts/0/tasks/0/uses/2/item'],
    ['NF-REQUIRED', '/parts/0/tasks/0/uses/2/pieces'],
    ['E-WATER', '/parts/1/tasks/0/uses/1'],
  ])
  const { errors } = body<Refused>(await change(id, changed([{ pieces: 1 }], [{ item: 'Water', pieces: 1 }])))
  expect(errors.map(({ place }) => place)).toEqual([
    `Parts › Cleaning › Tasks › Mop · ${mop!.number} › Uses › Row 1`,
    `Parts › Paint › Tasks › Undercoat · ${undercoat!.number} › Uses › Water`,
  ])
  const right = changed(
    [{ id: cloth!.id }, { item: 'Wax', pieces: 1 }, { id: soap!.id, pieces: 4 }],
    [{ id: paint!.id }],
  )
  expect((await change(id, right)).status).toBe(200)
  const now = await read(id)
  expect([usesOf(now).slice(0, 3), now.used]).toEqual([
    [
      ['Cloth', 3, '30.00'],
      ['Wax', 1, '10.00'],
      ['Soap', 4, '40.00'],
    ],
    18,
  ])
  const { text } = await planner.get(`/jobs/N-${made}`)
  expect(text).toContain(`Parts › Cleaning › Tasks › Mop · ${mop!.number} › Uses › Soap, pieces`)
  expect(text).toContain('Uses of Mop')
  const entries = await web.run.runtime.store.query<{ version: string }>(
    sql`select version from ninefold.history where record = ${id}::uuid order by id desc limit 1`,
  )
  const done = { entity: 'job', id, version: Number(entries[0]!.version) }
  expect((await undo(web.run.runtime, await web.run.as('Pia'), done)).kind).toBe('done')
  expect(usesOf(await read(id))).toEqual([
    ['Soap', 2, '20.00'],
    ['Cloth', 3, '30.00'],
    ['Paint', 10, '100.00'],
  ])
})

test('rows know their places, in what is worked out and in what is refused', async () => {
  const uses = [
    { item: 'Soap', pieces: 2 },
    { item: 'Cloth', pieces: 3 },
  ]
  const { id, parts } = await job([
    {
      name: 'Cleaning',
      tasks: [
        { what: 'Dust', minutes: 20 },
        { what: 'Mop', minutes: 30, uses },
      ],
    },
    { name: 'Paint', tasks: [{ what: 'Undercoat', minutes: 90 }] },
  ])
  const places = async () =>
    (await read(id)).parts.flatMap(({ tasks }) => tasks.flatMap(task => task.uses.map(one => [one.item, one.said])))
  expect(await places()).toEqual([
    ['Soap', '1.2.1'],
    ['Cloth', '1.2.2'],
  ])
  const [cleaning, paint] = parts
  const [dust, mop] = cleaning!.tasks
  const [soap, cloth] = mop!.uses
  const turned = [{ id: mop!.id, uses: [{ id: cloth!.id }, { id: soap!.id }] }, { id: dust!.id }]
  expect((await change(id, [{ id: paint!.id }, { id: cleaning!.id, tasks: turned }])).status).toBe(200)
  expect(await places()).toEqual([
    ['Cloth', '2.1.1'],
    ['Soap', '2.1.2'],
  ])
  const water = [
    { item: 'Paint', pieces: 1 },
    { item: 'Water', pieces: 4 },
  ]
  const wrong = [{ id: paint!.id, tasks: [{ what: 'Top coat', minutes: 5, uses: water }] }, { id: cleaning!.id }]
  const { errors } = body<{ errors: readonly { detail: string }[] }>(await change(id, wrong))
  expect(errors.map(({ detail }) => detail)).toEqual(['Item 2: 4 of Water spoil the paint of Top coat.'])
})

test('all rows together are bounded', async () => {
  const tasks = Array.from({ length: 3 }, (_, index) => ({ what: `T${index}`, minutes: 1 }))
  const parts = Array.from({ length: 260 }, (_, index) => ({ name: `P${index}`, tasks }))
  const answer = await planner.json('POST', '/api/v1/job', { code: 'L-1', parts })
  expect(told(answer).slice(0, 2)).toEqual([422, ['NF-MANY', '/parts/246/tasks']])
})

test('rights of rows of rows are asked of each, and what somebody does not see stays where it is', async () => {
  const { id, parts } = await job([
    {
      name: 'Cleaning',
      hint: 'wet',
      tasks: [
        { what: 'Mop', minutes: 30, secret: 'S1', hidden: true },
        { what: 'Dust', minutes: 20, secret: 'S2' },
        { what: 'Wipe', minutes: 120 },
      ],
    },
  ])
  const [cleaning] = parts
  const [mop, dust, wipe] = cleaning!.tasks
  const theirs = await read(id, worker)
  expect(names(theirs)).toEqual([['Cleaning', 'Dust', 'Wipe']])
  expect(Object.keys(theirs.parts[0]!.tasks[0]!)).not.toContain('secret')
  expect(Object.keys((await read(id, guest)).parts[0]!)).not.toContain('hint')
  const all = (tasks: readonly object[]) => [{ id: cleaning!.id, tasks }]
  const keep = [{ id: dust!.id }, { id: wipe!.id }]
  const tried = async (tasks: readonly object[]) => told(await change(id, all(tasks), worker))
  expect(await tried([{ id: mop!.id }, ...keep])).toContainEqual(['NF-NO-RECORD', '/parts/0/tasks/0'])
  expect(await tried([{ id: dust!.id }])).toEqual([403, ['NF-DELETE-DENIED', '/parts/0/tasks']])
  expect(await tried([{ id: dust!.id }, { id: wipe!.id, minutes: 60 }])).toEqual([
    403,
    ['NF-CHANGE-DENIED', '/parts/0/tasks/1'],
  ])
  expect(await tried([{ id: dust!.id, minutes: 110 }, { id: wipe!.id }])).toEqual([
    403,
    ['NF-CHANGE-OUT', '/parts/0/tasks/0'],
  ])
  expect(await tried([{ id: dust!.id, secret: 'x' }, { id: wipe!.id }])).toEqual([
    422,
    ['NF-UNKNOWN-FIELD', '/parts/0/tasks/0/secret'],
  ])
  expect(told(await change(id, [{ id: cleaning!.id, hint: 'dry' }], worker))).toEqual([
    403,
    ['NF-FIELD-DENIED', '/parts/0/hint'],
  ])
  expect(await tried([{ id: dust!.id, minutes: 21 }, { id: wipe!.id }])).toEqual([200])
  const now = await read(id)
  expect(now.parts[0]!.tasks.map(({ what, minutes }) => [what, minutes])).toEqual([
    ['Mop', 30],
    ['Dust', 21],
    ['Wipe', 120],
  ])
})

test('the history says of which row of which row it speaks', async () => {
  const { id, parts } = await job(usual)
  const [cleaning] = parts
  const [mop] = cleaning!.tasks
  await change(id, [
    {
      id: cleaning!.id,
      tasks: [
        { id: mop!.id, minutes: 35 },
        { what: 'Wipe', minutes: 5 },
      ],
    },
  ])
  const { text } = await planner.get(`/jobs/N-${made}`)
  const said = [...text.matchAll(/<dt[^>]*>([^<]*)<\/dt>/g)].map(([, label]) => label)
  expect(said.filter(label => label?.startsWith('Parts'))).toEqual([
    'Parts',
    'Parts › Paint › Tasks',
    'Parts › Cleaning › Tasks',
    'Parts › Cleaning › Tasks',
    `Parts › Cleaning › Tasks › Mop · ${mop!.number}, minutes`,
    'Parts',
    'Parts › Cleaning › Tasks',
    'Parts › Cleaning › Tasks',
    'Parts',
    'Parts › Paint › Tasks',
  ])
})

test('what was done to rows of rows is taken back', async () => {
  const { id, parts } = await job(usual)
  const [cleaning, paint] = parts
  const [mop, dust] = cleaning!.tasks
  const tasks = [{ id: mop!.id, minutes: 35 }, { what: 'Wipe', minutes: 5 }, { id: dust!.id }]
  await change(id, [{ id: cleaning!.id, tasks }, { id: paint!.id }])
  const entries = await web.run.runtime.store.query<{ version: string }>(
    sql`select version from ninefold.history where record = ${id}::uuid order by id desc limit 1`,
  )
  const done = { entity: 'job', id, version: Number(entries[0]!.version) }
  expect((await undo(web.run.runtime, await web.run.as('Pia'), done)).kind).toBe('done')
  const now = await read(id)
  expect(names(now)).toEqual([
    ['Cleaning', 'Mop', 'Dust'],
    ['Paint', 'Undercoat'],
  ])
  expect([now.deep, now.parts[0]!.tasks[0]!.id]).toEqual([140, mop!.id])
})

test('rows that are put in another order are told, and put back', async () => {
  const { id, parts } = await job(usual)
  const [cleaning, paint] = parts
  const [mop, dust] = cleaning!.tasks
  await change(id, [{ id: paint!.id }, { id: cleaning!.id, tasks: [{ id: dust!.id }, { id: mop!.id }] }])
  const { text } = await planner.get(`/jobs/N-${made}`)
  const words = text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
  expect(words).toContain('Parts was Cleaning, Paint became Paint, Cleaning')
  expect(words).toContain(`Tasks was Mop · ${mop!.number}, Dust · ${dust!.number} became Dust · ${dust!.number}, Mop`)
  const [last] = await web.run.runtime.store.query<{ version: string }>(
    sql`select version from ninefold.history where record = ${id}::uuid order by id desc limit 1`,
  )
  const done = { entity: 'job', id, version: Number(last!.version) }
  expect((await undo(web.run.runtime, await web.run.as('Pia'), done)).kind).toBe('done')
  expect(names(await read(id))).toEqual([
    ['Cleaning', 'Mop', 'Dust'],
    ['Paint', 'Undercoat'],
  ])
})

test('a form has the rows of rows: shown, added to, refused in place and saved, without a script', async () => {
  const made = await job(usual)
  const path = `/jobs/${(await planner.get(`/api/v1/job/${made.id}`)).text.match(/"code":"([^"]*)"/)![1]}/edit`
  const page = await planner.get(path)
  const action = /<form[^>]*action="([^"]*edit[^"]*)"/.exec(page.text)![1]!
  const fields = fieldsOf(page.text, action)
  const rows = (of: Readonly<Record<string, string>>) =>
    Object.entries(of).flatMap(([name, value]) =>
      /^parts\.\d+\.(tasks\.\d+\.what|name)$/.test(name) ? [[name, value]] : [],
    )
  expect(rows(fields)).toEqual([
    ['parts.0.name', 'Cleaning'],
    ['parts.0.tasks.0.what', 'Mop'],
    ['parts.0.tasks.1.what', 'Dust'],
    ['parts.1.name', 'Paint'],
    ['parts.1.tasks.0.what', 'Undercoat'],
  ])
  const more = await planner.send(action, { ...fields, _add: 'parts.1.tasks' })
  const added = fieldsOf(more.text, action)
  expect(rows(added).slice(4)).toEqual([
    ['parts.1.tasks.0.what', 'Undercoat'],
    ['parts.1.tasks.1.what', ''],
  ])
  const less = await planner.send(action, { ...added, _remove: 'parts.0.tasks.0' })
  const left = fieldsOf(less.text, action)
  const typed = { ...left, 'parts.1.tasks.1.what': 'Top coat', 'parts.1.tasks.1.minutes': '500' }
  const wrong = await planner.send(action, typed)
  expect(wrong.status).toBe(422)
  expect(wrong.text).toMatch(/href="#parts-1-tasks-1-minutes"[^>]*>Parts › Paint › Tasks › Top coat: Minutes/)
  const saved = await planner.send(action, { ...typed, 'parts.1.tasks.1.minutes': '60' })
  expect(saved.status).toBe(303)
  expect(names(await read(made.id))).toEqual([
    ['Cleaning', 'Dust'],
    ['Paint', 'Undercoat', 'Top coat'],
  ])
  const shown = await planner.get(path.replace('/edit', ''))
  expect(shown.text).toContain('Tasks of Paint')
})

test('paper has the rows of rows that it names, on the page and in the file', async () => {
  const uses = [{ item: 'Soap', pieces: 2 }]
  await job([{ name: 'Cleaning', hint: 'wet', tasks: [{ what: 'Mop', minutes: 30, uses }] }, { name: 'Paint' }])
  const page = await planner.get(`/jobs/N-${made}/paper`)
  const [named = '', alone = ''] = page.text.split('Parts alone')
  for (const said of ['Cleaning', 'Paint', 'Tasks', 'Mop', 'Uses', 'Soap']) expect(named).toContain(said)
  expect([alone.includes('Cleaning'), alone.includes('Mop'), page.text.includes('wet')]).toEqual([true, false, false])
  const [sheet = ''] = await pagesOf(await planner.get(`/jobs/N-${made}/paper?_export=pdf`))
  for (const said of ['Tasks: Cleaning', 'Mop', 'Uses: Mop', 'Soap']) expect(sheet).toContain(said)
  expect(sheet.split('Mop').length - 1).toBe(2)
})

test('acts reach rows of rows', async () => {
  const { id } = await job(usual)
  expect((await planner.json('POST', `/api/v1/job/${id}/finish`, {})).status).toBe(200)
  const found = body<{ parts: readonly { tasks: readonly { what: string; after: string }[] }[] }>(
    await planner.get(`/api/v1/job/${id}`),
  )
  expect(found.parts.map(({ tasks }) => tasks.map(({ what, after }) => [what, after]))).toEqual([
    [
      ['Mop', '2026-03-02'],
      ['Dust', '2026-03-02'],
      ['Check', '2026-03-02'],
    ],
    [
      ['Undercoat', '2026-03-02'],
      ['Check', '2026-03-02'],
    ],
  ])
})

test('a record is created with rows on all levels by an act, and a row with rows of its own', async () => {
  const uses = [
    { item: 'Soap', pieces: 2 },
    { item: 'Cloth', pieces: 3 },
  ]
  const { id } = await job([
    {
      name: 'Cleaning',
      hint: 'wet',
      tasks: [
        { what: 'Mop', minutes: 30, uses },
        { what: 'Dust', minutes: 20 },
      ],
    },
    { name: 'Paint' },
  ])
  expect((await planner.json('POST', `/api/v1/job/${id}/copy`, {})).status).toBe(200)
  const found = body<{ data: readonly { readonly id: string }[] }>(await planner.get(`/api/v1/job?code=N-${made}-copy`))
  const { parts, used } = await read(found.data[0]!.id)
  const plain = parts.map(({ name, tasks }) => [
    name,
    ...tasks.map(({ what, minutes, uses: own }) => [what, minutes, ...own.map(({ item, pieces }) => [item, pieces])]),
  ])
  expect([plain, used]).toEqual([[['Cleaning', ['Mop', 30, ['Soap', 2], ['Cloth', 3]], ['Dust', 20]], ['Paint']], 5])
  expect((await planner.json('POST', `/api/v1/job/${found.data[0]!.id}/append`, {})).status).toBe(200)
  expect(names(await read(found.data[0]!.id))).toEqual([['Cleaning', 'Mop', 'Dust'], ['Paint'], ['All', 'Mop', 'Dust']])
})

test('a step that a row of a row is against says which one', async () => {
  const { id } = await job([{ name: 'Paint' }, { name: 'Cleaning', tasks: [{ what: 'Check', minutes: 5 }] }])
  const refused = await planner.json('POST', `/api/v1/job/${id}/finish`, {})
  expect(told(refused)).toEqual([422, ['NF-TWICE', '/parts/1/tasks/1/what']])
  const path = `/jobs/N-${made}`
  const page = await planner.submit(path, `${path}/do/finish`)
  expect([page.status, page.text]).toEqual([422, expect.stringMatching(/Parts › Cleaning › Tasks › Check[^:]*: What /)])
})

test('many rows take as many statements as few', async () => {
  const counted = async (parts: readonly object[]) => {
    const before = web.statements.length
    const { id } = await job(parts)
    const created = web.statements.length
    await read(id)
    return [created - before, web.statements.length - created]
  }
  const tasks = [1, 2, 3].map(one => ({ what: `T${one}`, minutes: 1 }))
  const many = Array.from({ length: 40 }, (_, index) => ({ name: `P${index}`, tasks }))
  expect(await counted(many)).toEqual(await counted(usual))
})

test('a record goes with all rows below it', async () => {
  const { id } = await job(usual)
  expect((await planner.json('DELETE', `/api/v1/job/${id}`)).status).toBe(204)
  expect((await planner.get(`/api/v1/job/${id}`)).status).toBe(404)
})
