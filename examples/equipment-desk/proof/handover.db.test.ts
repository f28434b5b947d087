/** Statements 13 and 15 to 18 of the brief: collecting, returning, damage. */
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { type Desk, openDesk, refusals } from './desk.ts'
import { book, booked, did, fined, kit, lent, pay, piece, scan, step, stored, tuesday } from './scene.ts'

let desk: Desk

beforeEach(async () => {
  desk = await openDesk(inject('databaseUrl'))
})
afterEach(() => desk?.close())

const codes = (page: Parameters<typeof refusals>[0]) => refusals(page).map(({ code }) => code)
const messages = (page: Parameters<typeof refusals>[0]) => refusals(page).map(({ message }) => message)

test('13: what nobody collects lapses by itself, is free again, and the borrower is told once', async () => {
  const { model: camera } = await kit(desk)
  const wanted = { model: camera, collect_at: tuesday('10:00'), return_at: tuesday('16:00') }
  const made = await booked(desk, 'Sam', wanted)
  await desk.until(tuesday('11:59'))
  expect(await stored(desk, 'booking', made.id)).toMatchObject({ state: 'Confirmed' })
  await desk.until(tuesday('12:01'))
  expect((await desk.as('Sam').get(`/bookings/${String(made.number)}`)).text).toContain('Lapsed')
  await desk.until(tuesday('15:00'))
  expect(desk.mails.filter(({ subject }) => subject.includes('lapsed'))).toHaveLength(1)
  await booked(desk, 'Sue', { model: camera, collect_at: tuesday('15:00'), return_at: tuesday('16:00') })
})

test('15: a scan hands over what is due out, and changes nothing where nothing is due', async () => {
  const due = await kit(desk)
  const idle = await kit(desk)
  const made = await booked(desk, 'Sam', {
    model: due.model,
    collect_at: tuesday('10:00'),
    return_at: tuesday('16:00'),
  })
  await desk.until(tuesday('10:05'))
  expect((await scan(desk, 'Alma', due.barcode)).status).toBe(201)
  expect(await stored(desk, 'booking', made.id)).toMatchObject({ state: 'On loan', handed_out_by: desk.id('Alma') })
  const nothing = await scan(desk, 'Alma', idle.barcode)
  expect([nothing.status, messages(nothing)]).toEqual([422, ['No collection is due for this piece.']])
  expect(await desk.query('select id from public.collection')).toHaveLength(1)
})

test('16: nobody handles a loan of their own', async () => {
  const { model: camera, barcode } = await kit(desk)
  const made = await booked(desk, 'Alma', { model: camera, collect_at: tuesday('10:00'), return_at: tuesday('16:00') })
  await desk.until(tuesday('10:00'))
  const address = `/bookings/${String(made.number)}`
  const shows = async (who: 'Alma' | 'Axel', name: string) =>
    (await desk.as(who).get(address)).text.includes(`/${name}"`)
  expect([await shows('Alma', 'hand_over'), await shows('Axel', 'hand_over')]).toEqual([false, true])
  const own = 'Ask a colleague to handle your own loan.'
  expect(messages(await step(desk, 'Alma', 'booking', made.id, 'hand_over'))).toEqual([own])
  expect(messages(await scan(desk, 'Alma', barcode))).toEqual([own])
  expect(await stored(desk, 'booking', made.id)).toMatchObject({ state: 'Confirmed' })
  await did(desk, 'Axel', 'booking', made.id, 'hand_over')
  expect([await shows('Alma', 'take_back'), await shows('Axel', 'take_back')]).toEqual([false, true])
  expect(messages(await step(desk, 'Alma', 'booking', made.id, 'take_back', { returned_condition: 'Good' }))).toEqual([
    own,
  ])
  const fine = await fined(desk, 'Alma', '6.00')
  expect(messages(await pay(desk, 'Alma', fine, '1.00'))).toEqual([own])
  expect((await pay(desk, 'Axel', fine, '1.00')).status).toBe(201)
})

const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
  Buffer.from('0000000d49444154789c6360000002000001e221bc330000000049454e44ae426082', 'hex'),
])

/** Sends the form of the step as a browser does. */
async function takeBack(
  of: string,
  fields: { readonly [field: string]: string },
  photo?: { name: string; type: string; bytes: Buffer },
) {
  const browser = desk.as('Alma')
  const form = new FormData()
  for (const [name, value] of Object.entries({ _csrf: await browser.token(), ...fields })) form.append(name, value)
  if (photo !== undefined)
    form.append('damage_photo', new Blob([photo.bytes as BlobPart], { type: photo.type }), photo.name)
  const encoded = new Response(form)
  return browser.request('POST', `/bookings/${of}/do/take_back`, {
    headers: { 'content-type': encoded.headers.get('content-type')! },
    body: Buffer.from(await encoded.arrayBuffer()),
  })
}

test('17: damage needs a note and a photograph, which is one and is not too large', async () => {
  const { model: camera } = await kit(desk)
  const made = await lent(desk, 'Sam', { model: camera, collect_at: tuesday('10:00'), return_at: tuesday('16:00') })
  const number = String(made.number)
  const damaged = { returned_condition: 'Damaged', damage_note: 'The lens is cracked.' }
  const photo = { name: 'lens.png', type: 'image/png', bytes: png }

  const noPhoto = await takeBack(number, damaged)
  expect([noPhoto.status, noPhoto.text.includes('A photograph of the damage is needed.')]).toEqual([422, true])
  for (const damage_note of ['', 'Nine char']) {
    const noNote = await takeBack(number, { ...damaged, damage_note }, photo)
    expect([noNote.status, noNote.text.includes('Say in at least ten characters what is damaged.')]).toEqual([
      422,
      true,
    ])
  }
  const large = await takeBack(number, damaged, { ...photo, bytes: Buffer.concat([png, Buffer.alloc(6_000_000)]) })
  expect([large.status >= 400, large.text.includes('5 MB')]).toEqual([true, true])
  const pdf = { name: 'lens.jpg', type: 'image/jpeg', bytes: Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n') }
  const renamed = await takeBack(number, damaged, pdf)
  expect([renamed.status, /JPEG/.test(renamed.text)]).toEqual([422, true])
  expect(await stored(desk, 'booking', made.id)).toMatchObject({ state: 'On loan' })

  expect((await takeBack(number, damaged, photo)).status).toBe(303)
  expect(await stored(desk, 'booking', made.id)).toMatchObject({ state: 'Returned', damage_note: damaged.damage_note })
})

test('18: a damaged piece goes to repair; later bookings of it move to another, or wait for the desk', async () => {
  const { model: camera, piece: broken } = await kit(desk)
  const photo = { name: 'lens.png', type: 'image/png', bytes: png }
  const loan = await lent(desk, 'Sam', { model: camera, collect_at: tuesday('10:00'), return_at: tuesday('12:00') })
  const next = { model: camera, collect_at: '2026-03-04T10:00:00Z', return_at: '2026-03-04T12:00:00Z' }
  const moved = await booked(desk, 'Sue', next)
  const stranded = await booked(desk, 'Tess', {
    ...next,
    collect_at: '2026-03-05T10:00:00Z',
    return_at: '2026-03-05T12:00:00Z',
  })
  const spare = await piece(desk, { model: camera })
  // The spare is taken on Thursday.
  await booked(desk, 'Tom', { ...next, collect_at: '2026-03-05T09:00:00Z', return_at: '2026-03-05T16:00:00Z' })
  await desk.settle()
  const before = desk.mails.length
  expect(
    (await takeBack(String(loan.number), { returned_condition: 'Damaged', damage_note: 'The lens is cracked.' }, photo))
      .status,
  ).toBe(303)
  await desk.settle()
  expect(await stored(desk, 'piece', broken)).toMatchObject({ condition: 'In repair' })
  expect(await stored(desk, 'booking', moved.id)).toMatchObject({
    piece: spare,
    needs_attention: false,
    state: 'Confirmed',
  })
  expect(await stored(desk, 'booking', stranded.id)).toMatchObject({ piece: null, needs_attention: true })
  expect(desk.mails.slice(before).map(({ to }) => to)).toEqual(['tess@eastmere.example'])
  // There are bookings, though none that is late.
  expect((await desk.as('Alma').get('/late')).text).toContain('No bookings here at present.')
  const list = await desk.as('Alma').get('/attention')
  expect([list.text.includes(String(stranded.number)), list.text.includes(String(moved.number))]).toEqual([true, false])
  const again = await book(desk, 'Stan', {
    ...next,
    collect_at: '2026-03-06T10:00:00Z',
    return_at: '2026-03-06T12:00:00Z',
  })
  expect(again.status).toBe(201)
  const none = await book(desk, 'Stan', {
    ...next,
    collect_at: '2026-03-06T10:00:00Z',
    return_at: '2026-03-06T12:00:00Z',
  })
  expect(codes(none)).toEqual(['E-FREE-1'])
})
