/** Statements 1 to 12 and 14 of the brief: booking. */
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { type Desk, openDesk, refusals } from './desk.ts'
import { book, booked, did, kit, model, piece, step, stored, tuesday } from './scene.ts'

let desk: Desk

beforeEach(async () => {
  desk = await openDesk(inject('databaseUrl'))
})
afterEach(() => desk?.close())

const messages = (page: Parameters<typeof refusals>[0]) => refusals(page).map(({ message }) => message)
const nothingFree = 'Nothing of this model is free in that period.'

test('1: a free standard model is confirmed, with one barcode, and an e-mail says so', async () => {
  const { model: camera, barcode } = await kit(desk, { name: 'Canon C70' })
  const made = await booked(desk, 'Sam', {
    model: camera,
    collect_at: tuesday('10:00'),
    return_at: '2026-03-06T16:00:00Z',
  })
  expect(made).toMatchObject({ state: 'Confirmed' })
  const page = await desk.as('Sam').get(`/bookings/${String(made.number)}`)
  expect([page.status, page.text.includes(barcode)]).toEqual([200, true])
  await desk.settle()
  expect(desk.mails).toEqual([
    {
      to: 'sam@eastmere.example',
      subject: expect.stringContaining('Canon C70') as string,
      text: expect.stringContaining(barcode) as string,
    },
  ])
})

test('2 and 3: one piece is promised once, with half an hour between', async () => {
  const { model: camera } = await kit(desk)
  await booked(desk, 'Sam', { model: camera, collect_at: tuesday('10:00'), return_at: tuesday('12:00') })
  const overlapping = await book(desk, 'Sue', {
    model: camera,
    collect_at: tuesday('11:00'),
    return_at: tuesday('14:00'),
  })
  expect([overlapping.status, messages(overlapping)]).toEqual([422, [nothingFree]])
  const tooSoon = await book(desk, 'Sue', { model: camera, collect_at: tuesday('12:15'), return_at: tuesday('14:00') })
  expect([tooSoon.status, messages(tooSoon)]).toEqual([422, [nothingFree]])
  await booked(desk, 'Sue', { model: camera, collect_at: tuesday('12:30'), return_at: tuesday('14:00') })
})

test('2, by form: the message stands on the page, and nothing typed is lost', async () => {
  const { model: camera } = await kit(desk, { name: 'Zoom H6' })
  await booked(desk, 'Sam', { model: camera, collect_at: tuesday('10:00'), return_at: tuesday('12:00') })
  const page = await desk.as('Sue').submit('/bookings/new', '/bookings/new', {
    model: camera,
    collect_at: '2026-03-03T11:00',
    return_at: '2026-03-03T14:00',
  })
  expect([page.status, page.text.includes(nothingFree), page.text.includes('2026-03-03T11:00')]).toEqual([
    422,
    true,
    true,
  ])
})

test('4: of twenty who book the only piece at the same moment, one succeeds', async () => {
  const { model: camera } = await kit(desk)
  const who = ['Sam', 'Sue', 'Stan', 'Tess', 'Tom'] as const
  const wanted = { model: camera, collect_at: tuesday('10:00'), return_at: tuesday('12:00') }
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => book(desk, who[index % who.length]!, wanted)),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  for (const answer of answers) if (answer.status !== 201) expect(messages(answer)).toEqual([nothingFree])
  const [row] = await desk.query<{ n: string }>(
    `select count(*)::text as n from public.booking as a join public.booking as b on a.id < b.id and a.piece = b.piece
      and a.collect_at < b.return_at and b.collect_at < a.return_at`,
  )
  expect(row).toEqual({ n: '0' })
})

test('5: the desk is closed before nine, on Saturdays and on closing days; nine is nine on both sides of the change of clocks', async () => {
  const { model: camera } = await kit(desk)
  await desk.put('closing_day', { day: '2026-03-11', reason: 'Stocktaking' })
  const collect = (collect_at: string, return_at: string) =>
    book(desk, 'Tess', { model: camera, collect_at, return_at })
  const closed = [
    await collect('2026-03-03T08:30:00Z', '2026-03-03T12:00:00Z'),
    await collect('2026-03-07T10:00:00Z', '2026-03-09T10:00:00Z'),
    await collect('2026-03-11T10:00:00Z', '2026-03-12T10:00:00Z'),
    // The last Friday of winter time and the first Monday of summer time, a minute before nine.
    await collect('2026-03-27T08:59:00Z', '2026-03-27T12:00:00Z'),
    await collect('2026-03-30T07:59:00Z', '2026-03-30T08:30:00Z'),
  ]
  for (const page of closed) expect([page.status, messages(page)]).toEqual([422, ['The desk is closed at that time.']])
  for (const [from, to] of [
    ['2026-03-27T09:00:00Z', '2026-03-27T12:00:00Z'],
    ['2026-03-30T08:00:00Z', '2026-03-30T11:00:00Z'],
  ] as const)
    expect((await collect(from, to)).status).toBe(201)
})

test('6: high-demand equipment goes out for 24 hours', async () => {
  const { model: drone } = await kit(desk, { class: 'High-demand' })
  const page = await book(desk, 'Tess', {
    model: drone,
    collect_at: tuesday('10:00'),
    return_at: '2026-03-04T11:00:00Z',
  })
  expect([page.status, messages(page)]).toEqual([422, ['This equipment can be borrowed for at most 24 hours.']])
  await booked(desk, 'Tess', { model: drone, collect_at: tuesday('10:00'), return_at: '2026-03-04T10:00:00Z' })
})

test('7: for a student there are no staff-only models', async () => {
  const { model: laser } = await kit(desk, { class: 'Staff-only', name: 'Star projector' })
  const list = await desk.as('Sam').get('/catalogue')
  expect([list.status, list.text.includes('Star projector')]).toEqual([200, false])
  expect((await desk.as('Sam').get('/models/Star%20projector')).status).toBe(404)
  expect((await desk.as('Sam').get(`/api/v1/model/${laser}`)).status).toBe(404)
  const posted = await book(desk, 'Sam', { model: laser, collect_at: tuesday('10:00'), return_at: tuesday('12:00') })
  expect(posted.status).toBeGreaterThanOrEqual(400)
  expect(posted.text.toLowerCase()).toContain('not found')
  expect((await desk.as('Tess').get('/catalogue')).text).toContain('Star projector')
})

test('8: a model that needs a training needs a certificate that is valid until the return', async () => {
  const training = await desk.put('training', { name: 'Boat licence' })
  const { model: drone } = await kit(desk, { training })
  const wanted = { model: drone, collect_at: tuesday('10:00'), return_at: '2026-03-05T10:00:00Z' }
  const refused = async () => {
    const page = await book(desk, 'Sam', wanted)
    expect([page.status, page.text]).toEqual([422, expect.stringContaining('Boat licence')])
  }
  await refused()
  const certificate = await desk.put('certificate', {
    number: 'CT-90001',
    person: desk.id('Sam'),
    training,
    expires_on: '2026-03-04',
  })
  await refused()
  await desk.query(`update public.certificate set expires_on = '2026-03-05' where id = '${certificate}'`)
  await booked(desk, 'Sam', wanted)
})

test('9: a student has three bookings at a time, a member of staff ten', async () => {
  const { model: camera } = await kit(desk)
  for (let count = 0; count < 14; count++) await piece(desk, { model: camera })
  const wanted = { model: camera, collect_at: tuesday('10:00'), return_at: tuesday('12:00') }
  for (let count = 0; count < 3; count++) await booked(desk, 'Sam', wanted)
  expect(refusals(await book(desk, 'Sam', wanted)).map(({ code }) => code)).toEqual(['E-MANY-1'])
  for (let count = 0; count < 10; count++) await booked(desk, 'Tess', wanted)
  expect(refusals(await book(desk, 'Tess', wanted)).map(({ code }) => code)).toEqual(['E-MANY-1'])
})

test('10: nobody has two high-demand pieces at a time, staff neither', async () => {
  const first = await kit(desk, { class: 'High-demand' })
  const second = await kit(desk, { class: 'High-demand' })
  for (const who of ['Sam', 'Tess'] as const) {
    const made = await booked(desk, who, {
      model: first.model,
      collect_at: tuesday('10:00'),
      return_at: tuesday('12:00'),
    })
    const page = await book(desk, who, {
      model: second.model,
      collect_at: tuesday('14:00'),
      return_at: tuesday('15:00'),
    })
    expect([page.status, refusals(page).map(({ code }) => code)]).toEqual([422, ['E-MANY-2']])
    await did(desk, who, 'booking', made.id, 'cancel')
  }
})

test('11: what is worth more than 2,000 waits for the manager, and for nobody else', async () => {
  const dear = await kit(desk, { value: '2000.01' })
  const cheap = await kit(desk, { value: '2000.00' })
  const times = { collect_at: tuesday('10:00'), return_at: tuesday('12:00') }
  expect(await booked(desk, 'Sam', { model: cheap.model, ...times })).toMatchObject({ state: 'Confirmed' })
  const waiting = await booked(desk, 'Sam', { model: dear.model, ...times })
  expect(waiting).toMatchObject({ state: 'Awaiting approval' })
  const address = `/bookings/${String(waiting.number)}`
  const buttons = async (who: 'Mona' | 'Alma' | 'Sam') =>
    ['approve', 'refuse'].map(async name => (await desk.as(who).get(address)).text.includes(`/${name}"`))
  expect(await Promise.all(await buttons('Mona'))).toEqual([true, true])
  expect(await Promise.all(await buttons('Alma'))).toEqual([false, false])
  expect(await Promise.all(await buttons('Sam'))).toEqual([false, false])
  expect((await step(desk, 'Alma', 'booking', waiting.id, 'approve')).status).toBe(403)
  expect(await stored(desk, 'booking', waiting.id)).toMatchObject({ state: 'Awaiting approval' })
  await did(desk, 'Mona', 'booking', waiting.id, 'approve')
  expect(await stored(desk, 'booking', waiting.id)).toMatchObject({ state: 'Confirmed' })
})

test('12: while a booking waits, its piece is held', async () => {
  const { model: dear } = await kit(desk, { value: '5000.00' })
  const wanted = { model: dear, collect_at: tuesday('10:00'), return_at: tuesday('12:00') }
  expect(await booked(desk, 'Sam', wanted)).toMatchObject({ state: 'Awaiting approval' })
  const other = await book(desk, 'Sue', wanted)
  expect([other.status, messages(other)]).toEqual([422, [nothingFree]])
})

test('14: a borrower cancels bookings of their own, until they are collected', async () => {
  const { model: camera } = await kit(desk)
  const wanted = { model: camera, collect_at: tuesday('10:00'), return_at: tuesday('12:00') }
  const made = await booked(desk, 'Sam', wanted)
  expect((await step(desk, 'Sue', 'booking', made.id, 'cancel')).status).toBe(404)
  await did(desk, 'Sam', 'booking', made.id, 'cancel')
  expect(await stored(desk, 'booking', made.id)).toMatchObject({ state: 'Cancelled' })
  const again = await booked(desk, 'Sam', wanted)
  await desk.until(tuesday('10:00'))
  await did(desk, 'Alma', 'booking', again.id, 'hand_over')
  expect((await step(desk, 'Sam', 'booking', again.id, 'cancel')).status).toBeGreaterThanOrEqual(400)
  expect(await stored(desk, 'booking', again.id)).toMatchObject({ state: 'On loan' })
})

test('models without a piece have nothing free', async () => {
  const empty = await model(desk)
  const page = await book(desk, 'Sam', { model: empty, collect_at: tuesday('10:00'), return_at: tuesday('12:00') })
  expect([page.status, messages(page)]).toEqual([422, [nothingFree]])
})
