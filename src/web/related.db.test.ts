/** What refers to a record stands below it, as far as its reader sees it: bounded, in the order of the document, one statement for all. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { changeConstant } from '../run/limits.ts'
import { readSound } from '../run/testing.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

const rooms = join(import.meta.dirname, 'fixtures/rooms.md')
let web: TestWeb
let bo: TestBrowser
let gina: TestBrowser
let blue: string

const create = async (entity: string, values: Record<string, unknown>) => {
  const made = await bo.json('POST', `/api/v1/${entity}`, values)
  expect([made.status, made.text]).toEqual([201, expect.any(String)])
  return (JSON.parse(made.text) as { id: string }).id
}
/** Titles of the sheets of a page, with the words that follow. */
const sheets = (html: string) =>
  [...html.matchAll(/<section class="sheet"[^>]*><header><h2[^>]*>([^<]*)<\/h2>([\s\S]*?)<\/section>/g)].map(
    ([, title = '', rest = '']) =>
      [
        title,
        rest
          .replaceAll(/<[^>]*>/g, ' ')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      ] as const,
  )
const page = async (who: TestBrowser, path = '/rooms/Blue') => (await who.get(path)).text

beforeAll(async () => {
  web = await startTestWeb(
    inject('databaseUrl'),
    readSound(rooms, text =>
      text.replace(/(?<=### Fee\n[^#]*\| room \| Room \| )(?=\|)/, 'choose from Room where name != "Shut" '),
    ),
  )
  ;[bo, gina] = [await web.browser('Bo'), await web.browser('Gina')]
  blue = await create('room', { name: 'Blue' })
  const other = await create('room', { name: 'Other' })
  await create('booking', { title: 'Choir', room: blue })
  await create('booking', { title: 'Council', room: blue, secret: true })
  await create('booking', { title: 'Chess', room: other, overflow: blue })
  await create('fee', { title: 'Heating', room: blue })
  await create('key', { label: 'K 7', room: blue })
})
afterAll(() => web?.stop())

test('the lists that the document names stand there in its order; a field each, where an entity refers twice', async () => {
  const found = sheets(await page(bo))
  expect(found.map(([title]) => title)).toEqual(['Fees', 'Bookings by Room', 'Bookings by Overflow'])
  expect(found[0]![1]).toBe('1 Heating All fees New fee')
  expect(found[1]![1]).toMatch(/^2 Council Choir/)
  expect(found[2]![1]).toMatch(/^1 Chess/)
})

test('nobody sees more there than elsewhere: no rows, fields or lists that are not for them', async () => {
  const html = await page(gina)
  const found = sheets(html)
  expect(found.map(([title]) => title)).toEqual(['Bookings by Room'])
  expect(found[0]![1]).toMatch(/^1 Choir/)
  expect(html).not.toMatch(/Council|Heating|Chess|Overflow|\/fees/)
})

test('rows of other records stand there with the record that they are part of, as far as both are seen', async () => {
  const place = await create('room', { name: 'Place' })
  const hall = await create('room', { name: 'Hall' })
  const step = (what: string, rest: object) => ({ what, moved_to: place, minutes: 20, cost: '12.50', ...rest })
  const fair = await create('booking', {
    title: 'Fair',
    room: hall,
    steps: [
      step('Carry', {}),
      step('Sweep', { moved_to: hall }),
      step('Look', { moved_to: null, halls: [hall, place] }),
    ],
  })
  await create('booking', { title: 'Board', room: hall, secret: true, steps: [step('Lock', {})] })
  const whole = await page(bo, '/rooms/Place')
  const found = sheets(whole)
  expect(found).toContainEqual([
    'Booking steps by Moved to',
    '2 Booking steps by Moved to, table Booking What Minutes Cost Halls Board Lock 20 £12.50 – empty Fair Carry 20 £12.50 – empty',
  ])
  expect(found).toContainEqual([
    'Booking steps by Halls',
    '1 Booking steps by Halls, table Booking What Moved to Minutes Cost Fair Look – empty 20 £12.50',
  ])
  // The way to all of them is the list of what they are part of.
  for (const [name, titles] of [
    ['steps.moved_to', 'Board Fair'],
    ['steps.halls', 'Fair'],
  ]) {
    const href = `/bookings?${name}=${place}`
    expect(whole).toContain(`<a href="${href}">All bookings</a>`)
    const list = await page(bo, href)
    expect(list.replaceAll(/<[^>]*>/g, '')).toMatch(/(Moved to|Halls\W+contains) Place/)
    const rows = [...list.matchAll(/class="ttl"[^>]*>([^<]*)/g)].map(([, title]) => title)
    expect(rows.toSorted().join(' ')).toBe(titles)
  }
  const html = await page(gina, '/rooms/Place')
  expect(sheets(html)).toContainEqual([
    'Booking steps by Moved to',
    '1 Booking steps by Moved to, table Booking What Minutes Halls Fair Carry 20 – empty',
  ])
  expect(html).toContain(`<a href="/bookings/${fair}">Fair</a>`)
  expect(html).not.toMatch(/Board|Lock|12\.50/)
  const closed = (text: string) => text.replace('| overflow | Boss | Boss |', '$&\n| steps | Boss | Boss |')
  expect(await titlesWith(closed, 'Gina', '/rooms/Place')).toEqual([[], 3])
  const [titles] = await titlesWith(closed, 'Bo', '/rooms/Place')
  expect(titles).toContain('Booking steps by Halls')
})

test('a relation leads to a record that no screen shows, for whoever sees it, and there back to what has a page', async () => {
  const room = await create('room', { name: 'Red' })
  const id = await create('key', { label: 'K 9', room })
  const booking = await create('booking', { title: 'Band', room, secret: true })
  const at = (entity: string, of: string) => `/-/record?${new URLSearchParams({ entity, id: of })}`
  const { status, text } = await bo.get(at('key', id))
  expect([status, /<h1[^>]*>(.*?)<\/h1>/.exec(text)?.[1]]).toEqual([200, expect.stringContaining('K 9')])
  expect(text).toContain('href="/rooms/Red"')
  // Steps and forms are for screens of the document.
  expect([/\/do\//, /\/edit"/].map(part => part.test(text))).toEqual([false, false])
  expect((await bo.get(at('booking', booking))).location).toBe(`/bookings/${booking}`)
  for (const [entity, of] of [
    ['key', room],
    ['nothing', id],
    ['key', 'x'],
  ] as const)
    expect((await bo.get(at(entity, of))).status).toBe(404)
  expect((await gina.get(at('booking', booking))).status).toBe(404)
})

test('a new one is offered only where the record may be chosen in it', async () => {
  const of = async (path: string) => sheets(await page(bo, path)).find(([title]) => title === 'Fees')?.[1]
  const shut = await create('room', { name: 'Shut' })
  expect(await of('/rooms/Shut')).toBeUndefined()
  expect(await of('/rooms/Place')).toContain('New fee')
  expect((await bo.json('POST', '/api/v1/fee', { title: 'Water', room: shut })).status).toBe(422)
})

test('the way to all of them leads to the list, filtered by the record', async () => {
  const html = await page(gina)
  const href = `/bookings?room=${blue}`
  expect(html).toContain(`href="${href}"`)
  web.statements.length = 0
  const list = await page(gina, href)
  expect(web.statements).toHaveLength(2)
  expect(list).toContain('Choir')
  expect(list.replaceAll(/<[^>]*>/g, '')).toContain('Room Blue')
  expect(list).not.toMatch(/Council|Chess/)
})

test('ten are shown, and that there are more; the page costs three statements whatever refers to it', async () => {
  for (let number = 0; number < 11; number++) await create('booking', { title: `No. ${number}`, room: blue })
  web.statements.length = 0
  const [first] = sheets(await page(gina))
  expect(web.statements).toHaveLength(3)
  expect(first![1]).toMatch(/^10\+ No\. 10 /)
  expect(first![1]).not.toMatch(/No\. 0|Choir/)
})

test('where no list shows them all, the page itself does', async () => {
  const yellow = await create('room', { name: 'Yellow' })
  for (let number = 0; number < 12; number++) await create('key', { label: `K ${number}`, room: yellow })
  const runtime = {
    ...web.served.runtime,
    app: readSound(rooms, text => text.replace('Related:** Fee', 'Related:** Key, Fee')),
  }
  const other = await web.another({ served: { ...web.served, runtime } })
  try {
    const who = await web.signedIn(web.run.people.Bo!, other)
    const ten = await page(who, '/rooms/Yellow?_tab=x')
    expect(sheets(ten)[0]).toEqual(['Keys', expect.stringMatching(/^10\+ K 11 .* K 2 There All keys$/)])
    const [, href] = /<a href="([^"]*)">All keys</.exec(ten)!
    expect(href).toBe('/rooms/Yellow?_tab=x&amp;_related=key.room')
    const [all] = sheets(await page(who, href!.replaceAll('&amp;', '&')))
    expect(all).toEqual(['Keys', expect.stringMatching(/^12 K 11 .* K 0 There$/)])
  } finally {
    await other.close()
  }
})

test('the order of an entity holds wherever nothing else says one, page by page, and for choosing', async () => {
  const wanted = ['Air 9', 'Air 4', 'Air 4', 'Air 4', 'Heating', 'Water 1']
  for (const said of ['Air 4', 'Water 1', 'Air 9', 'Air 4', 'Air 4']) {
    const [title, amount] = said.split(' ')
    await create('fee', { title, amount: Number(amount), room: blue })
  }
  const [fees] = sheets(await page(bo))
  expect(fees![1]).toBe(`6 Air Air Air Air Heating Water All fees New fee`)
  const list = await page(bo, '/fees')
  expect([...list.matchAll(/>(Air|Heating|Water)</g)].map(([, title]) => title)).toEqual(
    wanted.map(one => one.split(' ')[0]),
  )
  expect(list).toMatch(/aria-sort="ascending"[^>]*>.{0,200}Title/s)
  const seen: { id: string; said: string }[] = []
  for (let after: string | null = null, pages = 0; pages === 0 || after !== null; pages++) {
    const { text } = await bo.get(`/api/v1/fee?limit=2${after === null ? '' : `&after=${after}`}`)
    const body = JSON.parse(text) as {
      data: { id: string; title: string; amount: number | null }[]
      next: string | null
    }
    seen.push(...body.data.map(({ id, title, amount }) => ({ id, said: [title, amount].join(' ').trim() })))
    after = body.next
  }
  expect(seen.map(({ said }) => said)).toEqual(wanted)
  expect(new Set(seen.map(({ id }) => id)).size).toBe(wanted.length)

  // How many stand on a page is the document's to say, and may be changed as far as Ninefold bears it.
  const sized = async (value: string) => changeConstant(web.run.runtime, await web.run.as('Bo'), 'page_size', value)
  expect(await sized('101')).toMatchObject({ kind: 'refused', problems: [{ code: 'NF-LIMIT-RANGE' }] })
  expect(await sized('0')).toMatchObject({ kind: 'refused', problems: [{ code: 'NF-LIMIT-RANGE' }] })
  expect(await sized('5')).toMatchObject({ kind: 'done' })
  expect((await page(bo, '/fees')).match(/>(Air|Heating|Water)</g)).toHaveLength(5)
  expect(JSON.parse((await bo.get('/api/v1/fee')).text)).toMatchObject({
    data: { length: 5 },
    next: expect.any(String),
  })
  expect((await page(bo, '/-/limits')).replaceAll(/<[^>]*>/g, ' ')).toMatch(/Page size\s.*1 to 100/s)
  const offered = JSON.parse((await bo.get('/-/options?entity=key&field=fee&q=')).text) as {
    options: { value: string }[]
  }
  expect(offered.options.map(({ value }) => value)).toEqual(seen.map(({ id }) => id))
})

/** The titles of the lists on the page of a room where the document is another one, and the statements that it costs. */
async function titlesWith(edit: (text: string) => string, name = 'Bo', path = '/rooms/Green') {
  const runtime = { ...web.served.runtime, app: readSound(rooms, edit) }
  const other = await web.another({ served: { ...web.served, runtime } })
  try {
    const who = await web.signedIn(web.run.people[name]!, other)
    await who.get(path)
    web.statements.length = 0
    return [sheets((await who.get(path)).text).map(([title]) => title), web.statements.length]
  } finally {
    await other.close()
  }
}

test('without a word of the document all lists are there; `none` leaves them out, and costs nothing', async () => {
  const id = await create('room', { name: 'Green' })
  await create('key', { label: 'K 8', room: id })
  expect(await titlesWith(text => text.replace('- **Related:** Fee, Booking, Booking step\n', ''))).toEqual([
    ['Bookings by Room', 'Bookings by Overflow', 'Fees', 'Keys'],
    3,
  ])
  expect(await titlesWith(text => text.replace('Related:** Fee, Booking, Booking step', 'Related:** none'))).toEqual([
    [],
    3,
  ])
})

test('what no screen shows has a list and pages where heading 1 assumes screens, and each says so', async () => {
  const assuming = (text: string) => text.replace('# Rooms\n', '# Rooms\n\n- **Assume:** screens\n')
  const served = await startTestWeb(inject('databaseUrl'), readSound(rooms, assuming))
  try {
    const [boss, guest] = [await served.browser('Bo'), await served.browser('Gina')]
    const made = await boss.json('POST', '/api/v1/key', { label: 'K 7' })
    const { id } = JSON.parse(made.text) as { id: string }
    const list = (await guest.get('/key')).text
    expect(list).toContain(`href="/key/${id}`)
    for (const html of [list, (await guest.get(`/key/${id}`)).text, (await boss.get('/key')).text])
      expect(html).toContain('A-SCREENS-KEY')
    expect((await boss.get('/rooms')).text).toMatch(/href="\/key"[\s\S]*>Keys</)
    expect((await boss.get('/fees')).text).not.toContain('A-SCREENS')
    expect((await boss.get('/key/new')).status).toBe(200)
    expect((await guest.get('/key/new')).status).toBe(403)
    expect((await bo.get('/key')).status).toBe(404)
    await formsOf(boss, guest)
  } finally {
    await served.stop()
  }
})

/** What another form is opened with, and what it offers then. */
async function formsOf(boss: TestBrowser, guest: TestBrowser): Promise<void> {
  const make = async (entity: string, values: Record<string, unknown>) =>
    (JSON.parse((await boss.json('POST', `/api/v1/${entity}`, values)).text) as { id: string }).id
  const [red, other] = [await make('room', { name: 'Red' }), await make('room', { name: 'Other' })]
  for (const [title, room] of [
    ['Heating', red],
    ['Water', other],
    ['Attic', red],
  ])
    await make('fee', { title, room })
  const offered = (html: string) =>
    [...(/<select[^>]*name="fee"[\s\S]*?<\/select>/.exec(html)?.[0] ?? '').matchAll(/>([^<]+)<\/option>/g)].map(
      ([, label]) => label,
    )

  // A record has a way to a new one of what refers to it, which knows it.
  const href = `/key/new?room=${red}`
  const own = (await boss.get('/rooms/Red')).text
  expect(sheets(own)).toContainEqual(['Bookings by Room', '0 New booking'])
  expect(own).toContain(`href="/bookings/new?room=${red}">New booking<`)
  const seen = (await guest.get('/rooms/Red')).text
  expect(seen).toContain('<h1>Room Red</h1>')
  expect(seen).not.toMatch(/New (booking|fee)|>Bookings by/)

  // Of a choice that goes by another field, the part that does not is kept to from the beginning.
  expect(offered((await boss.get('/key/new')).text)).toEqual(['Heating', 'Water'])
  const filled = (await boss.get(`${href}&label=K+9&state=Lost&fee=nonsense`)).text
  expect(filled).toMatch(new RegExp(`<option value="${red}" selected="">Red<`))
  expect(filled).toContain('value="K 9"')
  expect(offered(filled)).toEqual(['Heating'])
  const nobody = '00000000-0000-7000-8000-000000000000'
  expect((await boss.get(`/key/new?room=${nobody}`)).text).not.toContain(`value="${nobody}"`)
  const again = await boss.send('/key/new', { label: '', room: other })
  expect([again.status, offered(again.text)]).toEqual([422, ['Water']])

  // A script asks when that field changes.
  const options = async (query: string) =>
    (
      JSON.parse((await boss.get(`/-/options?entity=key&field=fee${query}`)).text) as { options: { label: string }[] }
    ).options.map(({ label }) => label)
  expect(await options(`&this.room=${other}`)).toEqual(['Water'])
  expect(await options(`&this.room=${red}&q=wat`)).toEqual([])
  expect(await options('&this.room=nonsense&q=')).toEqual(['Heating', 'Water'])
  expect(filled).toContain(`this.room=${red}`)
}
