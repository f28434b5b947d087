/** Tags and versions: they change whenever the answer does, and tell nothing of what its reader may not see. */
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { demoPeople } from '../../headings/demo-people.ts'
import { appOf } from '../../kinds/testing.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from '../testing.ts'

const page = `# Projects

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /projects | Projects | Member, Chief | list of Project |
| /projects/{title} | Project | Member, Chief | one Project |

## 3 Entities and their fields

### Rate

| Field | Type | Rules |
| --- | --- | --- |
| name | text 20 | required; unique |
| amount | money EUR | required |

### Project

| Field | Type | Rules |
| --- | --- | --- |
| title | text 20 | required; unique |
| note | text 40 | |
| rate | Rate | |
| each | money EUR | = rate.amount |
| budget | money EUR | |
| parts | list of Part | |

### Part (part of Project)

| Field | Type | Rules |
| --- | --- | --- |
| what | text 20 | required |
| cost | integer | |

## 4 States and transitions

### Project

| State | Kind |
| --- | --- |
| Open | start |
| Done | end |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| finish | Open | Done | Member, Chief |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Member | appointed by Chief |
| Chief | appointed by Chief |

### Rate

| Role | See | Create | Change |
| --- | --- | --- | --- |
| Member | yes | no | no |
| Chief | yes | yes | yes |

### Project

| Role | See | Create | Change | Delete | Do |
| --- | --- | --- | --- | --- | --- |
| Member | yes | no | yes | no | all |
| Chief | yes | yes | yes | yes | all |

| Field | See | Change |
| --- | --- | --- |
| budget | Chief | Chief |

### Part

| Role | See | Create | Change | Delete |
| --- | --- | --- | --- | --- |
| Member | yes | yes | yes | yes |
| Chief | yes | yes | yes | yes |

| Field | See | Change |
| --- | --- | --- |
| cost | Chief | Chief |
`

let web: TestWeb
let member: TestBrowser
let chief: TestBrowser
let path = ''
let rate = ''
let nth = 0

beforeAll(async () => {
  const app = appOf(page)
  web = await startTestWeb(inject('databaseUrl'), app)
  const named = (role: string) => demoPeople(app).find(({ roles }) => roles.join() === role)!.name
  member = await web.browser(named('Member'))
  chief = await web.browser(named('Chief'))
})
afterAll(() => web?.stop())
beforeEach(async () => {
  nth++
  const made = await chief.json('POST', '/api/v1/rate', { name: `r${nth}`, amount: '44.00' })
  rate = made.headers.get('location')!
  const parts = [{ what: 'Wood', cost: 5 }]
  const project = { title: `p${nth}`, note: 'a', budget: '10.00', rate: JSON.parse(made.text).id, parts }
  path = (await chief.json('POST', '/api/v1/project', project)).headers.get('location')!
  web.run.now = new Date(web.run.now.getTime() + 60_000)
})

const whole = async (who: TestBrowser, at = path) => {
  const { status, text, headers } = await who.get(at)
  return { status, text, tag: headers.get('etag') }
}
const closedChange = () => chief.json('PATCH', path, { budget: '99.00' })
const rowsOf = async (): Promise<{ id: string; what: string; cost: number }[]> =>
  JSON.parse((await whole(chief)).text).parts

test('a change of what somebody may not see changes nothing that they are given', async () => {
  const edit = `/projects/p${nth}/edit`
  const asked = [path, `/api/v1/project?title=p${nth}`, edit, `/projects/p${nth}`]
  const quiet = (text: string) => text.replace(/name="_(?:csrf|key|once|form)[^>]*>/g, '').replace(/nonce="[^"]*"/g, '')
  const all = async () => {
    const answers = []
    for (const one of asked) answers.push(await whole(member, one))
    return answers.map(one => ({ ...one, version: /name="_version"[^>]*value="(\d+)"/.exec(quiet(one.text))?.[1] }))
  }
  const before = await all()
  expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const seen = await whole(chief)
  expect((await closedChange()).status).toBe(200)
  const [part] = await rowsOf()
  expect((await chief.json('PATCH', path, { parts: [{ ...part, cost: 6 }] })).status).toBe(200)
  const after = await all()
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2))
  expect(after.map(({ version }) => version)).toEqual(before.map(({ version }) => version))
  expect(before[2]!.version).toMatch(/^\d+$/)
  expect((await member.get(path, { 'if-none-match': before[0]!.tag! })).status).toBe(304)
  expect(JSON.parse(before[0]!.text)).not.toHaveProperty('changed_at')
  // Whoever sees it all is told.
  const then = await whole(chief)
  expect(then.tag).not.toBe(seen.tag)
  expect(JSON.parse(seen.text)).toMatchObject({ version: 1, changed_at: expect.any(String) as unknown })
  expect(JSON.parse(then.text)).toMatchObject({ version: 3 })
})

test('whoever changes what they see keeps what was changed meanwhile where they do not', async () => {
  const { tag } = await whole(member)
  await closedChange()
  const changed = await member.json('PATCH', path, { note: 'b' }, { 'if-match': tag! })
  expect(changed.status, changed.text).toBe(200)
  expect(JSON.parse((await whole(chief)).text)).toMatchObject({ note: 'b', budget: '99.00' })
  const taken = await member.json('POST', `${path}/finish`, undefined, { 'if-match': changed.headers.get('etag')! })
  expect(taken.status, taken.text).toBe(200)
})

test.each([
  ['a field', () => chief.json('PATCH', path, { note: 'theirs' })],
  ['a row', async () => chief.json('PATCH', path, { parts: [...(await rowsOf()), { what: 'Nails' }] })],
  ['a field of a row', async () => chief.json('PATCH', path, { parts: [{ ...(await rowsOf())[0], what: 'Oak' }] })],
  ['the state', () => chief.json('POST', `${path}/finish`)],
])('nobody overwrites what somebody else changed meanwhile: %s', async (_, theirs) => {
  const { tag, text } = await whole(member)
  expect((await theirs()).status).toBe(200)
  const now = await whole(chief)
  const mine = { note: 'mine' }
  expect((await member.json('PATCH', path, mine, { 'if-match': tag! })).status).toBe(412)
  expect((await member.json('PATCH', path, { ...mine, version: JSON.parse(text).version })).status).toBe(409)
  expect([409, 412]).toContain((await member.json('POST', `${path}/finish`, undefined, { 'if-match': tag! })).status)
  expect(await whole(chief)).toEqual(now)
  // The tag of the refusal is the one to go on with.
  const refused = await member.json('PATCH', path, mine, { 'if-match': tag! })
  const again = await member.json('PATCH', path, mine, { 'if-match': refused.headers.get('etag')! })
  expect(again.status, again.text).toBe(200)
})

test('the tag changes with what is computed from another record, which does not make the record another one', async () => {
  const before = await whole(member)
  await chief.json('PATCH', rate, { amount: '51.77' })
  const again = await member.get(path, { 'if-none-match': before.tag! })
  expect([again.status, JSON.parse(again.text).each]).toEqual([200, '51.77'])
  expect(again.headers.get('etag')).not.toBe(before.tag)
  const changed = await member.json('PATCH', path, { note: 'b' }, { 'if-match': before.tag! })
  expect(changed.status, changed.text).toBe(200)
})

test('the tag changes with what may be done', async () => {
  const before = await whole(member)
  expect((await member.get(path, { 'if-none-match': `W/${before.tag}, "x"` })).status).toBe(304)
  await chief.json('POST', `${path}/finish`)
  expect((await member.get(path, { 'if-none-match': before.tag! })).status).toBe(200)
})

test('a write that answers little gives no number of changes to those who may not see them all', async () => {
  const little = { prefer: 'return=minimal' }
  const own = await member.json('PATCH', path, { note: 'c' }, little)
  expect([own.status, own.headers.get('etag')]).toEqual([204, null])
  const all = await chief.json('PATCH', path, { note: 'd' }, little)
  expect([all.status, all.headers.get('etag')]).toEqual([204, '"3"'])
})

test('lists are neither sorted nor filtered by when a record was changed where that would tell', async () => {
  for (const asked of ['sort=changed_at', 'changed_at.after=2026-01-01T00:00:00.000Z']) {
    expect((await member.get(`/api/v1/project?${asked}`)).status).toBe(400)
    expect((await chief.get(`/api/v1/project?${asked}`)).status).toBe(200)
  }
})
