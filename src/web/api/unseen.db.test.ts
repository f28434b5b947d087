/** A reference to a record that its reader may not see: everywhere they are told that there is one, and nowhere which. */
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { demoPeople } from '../../headings/demo-people.ts'
import { unseen } from '../../kinds/fields/reference/unseen.ts'
import { appOf } from '../../kinds/testing.ts'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from '../testing.ts'

const page = `# Parcel room

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /parcels | Parcels | Guest, Porter | list of Parcel |
| /parcels/new | New parcel | Guest, Porter | form for Parcel |
| /parcels/{number} | Parcel | Guest, Porter | one Parcel |
| /use | Use | Guest, Porter | report of Parcel by shelf |
| /board | Board | Guest, Porter | board of Parcel by state |

### Parcels

- **Columns:** number, note, shelf, spare, locker

## 3 Entities and their fields

### Shelf

| Field | Type | Rules |
| --- | --- | --- |
| name | text 20 | required; unique |
| open | yes/no | default no |

### Locker

| Field | Type | Rules |
| --- | --- | --- |
| number | auto number LO-{00} | |
| code | text 20 | required; display |

### Parcel

| Field | Type | Rules |
| --- | --- | --- |
| number | text 20 | required; unique |
| note | text 40 | |
| shelf | Shelf | |
| spare | several Shelf | |
| locker | Locker | |
| layers | list of Layer | |

### Layer (part of Parcel)

| Field | Type | Rules |
| --- | --- | --- |
| what | text 20 | required |
| from | Shelf | |

## 4 States and transitions

### Parcel

| State | Kind |
| --- | --- |
| In | start |
| Out | end |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| hand out | In | Out | Guest, Porter |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Guest | appointed by Porter |
| Porter | appointed by Porter |

### Shelf

| Role | See | Create | Change |
| --- | --- | --- | --- |
| Guest | open | no | no |
| Porter | yes | yes | yes |

### Locker

| Role | See | Create | Change |
| --- | --- | --- | --- |
| Guest | yes | no | no |
| Porter | yes | yes | yes |

| Field | See | Change |
| --- | --- | --- |
| code | Porter | Porter |

### Parcel

| Role | See | Create | Change | Delete | Do | Export |
| --- | --- | --- | --- | --- | --- | --- |
| Guest | yes | yes | yes | yes | all | yes |
| Porter | yes | yes | yes | yes | all | yes |
`

const words = 'not visible to you'
const shelves: Record<string, string> = {}
const nobody = '01900000-0000-7000-8000-00000000dead'

let web: TestWeb
let guest: TestBrowser
let porter: TestBrowser
let path = ''
let nth = 0

beforeAll(async () => {
  const app = appOf(page)
  web = await startTestWeb(inject('databaseUrl'), app)
  const named = (role: string) => demoPeople(app).find(({ roles }) => roles.join() === role)!.name
  guest = await web.browser(named('Guest'))
  porter = await web.browser(named('Porter'))
  for (const [name, open] of Object.entries({ Attic: false, Barn: false, Hall: true }))
    shelves[name] = JSON.parse((await porter.json('POST', '/api/v1/shelf', { name, open })).text).id
})
afterAll(() => web?.stop())
beforeEach(async () => {
  nth++
  const layers = [{ what: 'Foam', from: shelves.Attic }]
  const made = await porter.json('POST', '/api/v1/parcel', {
    number: `P${nth}`,
    note: 'a',
    shelf: shelves.Attic,
    layers,
  })
  path = made.headers.get('location')!
})

const bodyOf = async (who: TestBrowser, at = path) => JSON.parse((await who.get(at)).text)
const move = async (shelf: string | undefined) => {
  const [layer] = (await bodyOf(porter)).layers
  const moved = await porter.json('PATCH', path, { shelf, layers: [{ ...layer, from: shelf }] })
  expect(moved.status, moved.text).toBe(200)
}
const quiet = (text: string) =>
  text
    .replace(/name="_(?:csrf|key|once|form)[^>]*>/g, '')
    .replace(/"name":"_(?:csrf|once)","value":"[^"]*"/g, '')
    .replace(/nonce="[^"]*"/g, '')
    .replace(/<time.*?<\/time>/g, '')

test('every page, file and answer says that there is one, and stays the same where it is another one', async () => {
  const pages = ['/parcels', `/parcels/P${nth}`, `/parcels/P${nth}/edit`, '/use', '/board', '/parcels?_export=csv']
  const asked = [...pages, path, '/api/v1/parcel', `/parcels/P${nth}?_print=yes`]
  const all = async () => {
    const answers = []
    for (const one of asked) {
      const { status, text, headers } = await guest.get(one)
      answers.push([one, status, quiet(text), headers.get('etag')] as const)
    }
    return answers
  }
  const before = await all()
  for (const [one, status, text] of before) {
    expect([one, status]).toEqual([one, 200])
    expect([one, Object.keys(shelves).filter(name => name !== 'Hall' && text.includes(name))]).toEqual([one, []])
    expect([one, Object.values(shelves).filter(id => id !== shelves.Hall && text.includes(id))]).toEqual([one, []])
    if (!one.startsWith('/api')) expect([one, text.includes(words)]).toEqual([one, true])
  }
  await move(shelves.Barn)
  expect(await all()).toEqual(before)
})

test('over the API the reference is not there, and named; what was read can be sent back', async () => {
  const read = await bodyOf(guest)
  expect(read).toMatchObject({ unseen: ['shelf'], layers: [{ what: 'Foam', unseen: ['from'] }] })
  expect(read).not.toHaveProperty('shelf')
  expect(read.layers[0]).not.toHaveProperty('from')
  const { version, layers, unseen: named } = read
  const sent = await guest.json('PATCH', path, { version, layers, unseen: named, note: 'b' })
  expect(sent.status, sent.text).toBe(200)
  expect(await bodyOf(porter)).toMatchObject({ note: 'b', shelf: shelves.Attic, layers: [{ from: shelves.Attic }] })
  await move(shelves.Hall)
  expect(await bodyOf(guest)).toMatchObject({ shelf: shelves.Hall, layers: [{ from: shelves.Hall }] })
  expect(await bodyOf(guest)).not.toHaveProperty('unseen')
})

test('a form that is sent as it was keeps it; who wants to takes it out, or puts another in its place', async () => {
  const edit = `/parcels/P${nth}/edit`
  const sent = await guest.submit(edit, edit, { note: 'c' })
  expect([sent.status, sent.text.slice(0, 300)]).toEqual([303, ''])
  expect(await bodyOf(porter)).toMatchObject({ note: 'c', shelf: shelves.Attic, layers: [{ from: shelves.Attic }] })
  expect((await guest.submit(edit, edit, { shelf: shelves.Hall! })).status).toBe(303)
  expect(await bodyOf(porter)).toMatchObject({ shelf: shelves.Hall })
  await move(shelves.Barn)
  expect((await guest.submit(edit, edit, { shelf: '' })).status).toBe(303)
  expect(await bodyOf(porter)).toMatchObject({ shelf: null, layers: [{ from: shelves.Barn }] })
  // There is none any more that could be kept.
  expect((await guest.json('PATCH', path, { shelf: unseen })).status).toBe(422)
})

test('its id is as one that nothing has: in what is written, and in what is asked for', async () => {
  const [layer] = (await bodyOf(guest)).layers
  const told = async (id: string) => {
    const own = await guest.json('PATCH', path, { shelf: id })
    const row = await guest.json('PATCH', path, { layers: [{ id: layer.id, what: 'Foam', from: id }] })
    const asked = []
    for (const query of ['shelf=', 'shelf.is-not=', 'shelf.any-of='])
      asked.push((await guest.get(`/api/v1/parcel?${query}${id}&number=P${nth}`)).text)
    return [own.status, own.text, row.status, row.text, ...asked].map(one =>
      String(one).replace(/"request":"[^"]*"/, ''),
    )
  }
  const [true_, other, none] = [await told(shelves.Attic!), await told(shelves.Barn!), await told(nobody)]
  expect(true_).toEqual(none)
  expect(other).toEqual(none)
  expect(true_[0]).toBe('422')
  expect(JSON.parse(true_[4]!).data).toEqual([])
  const empty = await guest.get(`/api/v1/parcel?shelf.is-empty=yes&number=P${nth}`)
  expect(JSON.parse(empty.text).data).toEqual([])
  expect(await bodyOf(porter)).toMatchObject({ shelf: shelves.Attic, layers: [{ from: shelves.Attic }] })
})

test('the timeline tells that it was another one, and where it may be seen which', async () => {
  await move(shelves.Hall)
  await move(shelves.Barn)
  const { text } = await guest.get(`/parcels/P${nth}`)
  expect(text).toContain('Hall')
  expect(text).not.toMatch(/Attic|Barn/)
  expect(text.split(words).length).toBeGreaterThan(4)
})

test('of several those are given that may be seen, and told that there are others, which stay', async () => {
  const spare = [shelves.Attic, shelves.Barn, shelves.Hall]
  expect((await porter.json('PATCH', path, { spare })).status).toBe(200)
  expect(await bodyOf(guest)).toMatchObject({ unseen: ['shelf', 'spare'], spare: [shelves.Hall] })
  for (const one of [`/parcels/P${nth}`, '/parcels', '/parcels?_export=csv'])
    expect([one, (await guest.get(one)).text.includes(`Hall, ${words}`)]).toEqual([one, true])
  const { version } = await bodyOf(guest)
  for (const [given, stays] of [
    [[shelves.Hall], spare],
    [[], spare.slice(0, 2)],
    [null, spare.slice(0, 2)],
  ]) {
    const sent = await guest.json('PATCH', path, { spare: given })
    expect([sent.status, (await bodyOf(porter)).spare]).toEqual([200, stays])
  }
  expect(await bodyOf(guest)).toMatchObject({ unseen: ['shelf', 'spare'], spare: [] })
  const edit = `/parcels/P${nth}/edit`
  const others = 'Others that are not visible to you stay.'
  expect((await guest.get(edit)).text).toContain(others)
  const refused = await guest.submit(edit, edit, { note: 'd'.repeat(41) })
  expect([refused.status, refused.text.includes(others)]).toEqual([422, true])
  expect((await guest.submit(edit, edit, { note: 'd' })).status).toBe(303)
  expect((await bodyOf(porter)).spare).toEqual(spare.slice(0, 2))
  // Nobody touched the field here, so what became of it meanwhile is in nobody's way.
  const begun = fieldsOf((await guest.get(edit)).text, edit)
  expect((await porter.json('PATCH', path, { spare: spare.slice(0, 1) })).status).toBe(200)
  expect((await guest.post(edit, { ...begun, note: 'e' })).status).toBe(303)
  expect(await bodyOf(porter)).toMatchObject({ note: 'e', spare: spare.slice(0, 1) })
  expect((await porter.json('PATCH', path, { spare: spare.slice(0, 2) })).status).toBe(200)
  const empty = await guest.get(`/api/v1/parcel?spare.is-empty=yes&number=P${nth}`)
  expect(JSON.parse(empty.text).data).toEqual([])
  // Where none is left that is closed, the answer is another one, and so is its version.
  expect((await porter.json('PATCH', path, { spare: [shelves.Hall] })).status).toBe(200)
  const open = await bodyOf(guest)
  expect([open.unseen, open.spare]).toEqual([['shelf'], [shelves.Hall]])
  expect(open.version).not.toBe(version)
})

test('a record whose title is closed is called by what it is, and its number', async () => {
  const made = JSON.parse((await porter.json('POST', '/api/v1/locker', { code: 'Blue' })).text)
  expect((await porter.json('PATCH', path, { locker: made.id })).status).toBe(200)
  for (const one of [`/parcels/P${nth}`, '/parcels', '/parcels?_export=csv']) {
    const { text } = await guest.get(one)
    expect([one, text.includes(`Locker ${made.number}`), text.includes('Blue')]).toEqual([one, true, false])
  }
  expect((await porter.get('/parcels')).text).toContain('Blue')
})
