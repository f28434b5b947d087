/** Statements 19 to 22, 24, 25 and 27 of the brief: fines, payments, waivers, the ledger. */
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { type Desk, json, openDesk, refusals } from './desk.ts'
import { book, booked, did, fined, kit, lent, pay, step, stored, tuesday } from './scene.ts'

let desk: Desk

beforeEach(async () => {
  desk = await openDesk(inject('databaseUrl'))
})
afterEach(() => desk?.close())

const messages = (page: Parameters<typeof refusals>[0]) => refusals(page).map(({ message }) => message)
const fines = () =>
  desk.query<{ id: string; amount: string; kind: string; state: string }>(
    'select * from public.fine order by created_at, id',
  )
const good = { returned_condition: 'Good' }

test('19: what a late return costs', async () => {
  const standard = await kit(desk)
  const demanded = await kit(desk, { class: 'High-demand' })
  const tripod = await kit(desk, { value: '8.00' })
  const times = { collect_at: tuesday('10:00'), return_at: tuesday('12:00') }
  const loans = [
    await booked(desk, 'Sam', { model: standard.model, ...times }),
    await booked(desk, 'Sue', { model: demanded.model, ...times }),
    await booked(desk, 'Stan', { model: tripod.model, ...times }),
  ]
  await desk.until(tuesday('10:00'))
  for (const { id } of loans) await did(desk, 'Axel', 'booking', id, 'hand_over')
  await desk.until(tuesday('13:01'))
  await did(desk, 'Axel', 'booking', loans[1]!.id, 'take_back', good)
  await desk.until('2026-03-04T13:00:00Z')
  await did(desk, 'Axel', 'booking', loans[0]!.id, 'take_back', good)
  await desk.until('2026-03-15T12:00:00Z')
  await did(desk, 'Axel', 'booking', loans[2]!.id, 'take_back', good)
  expect((await fines()).map(({ amount, kind }) => `${kind} ${amount}`)).toEqual([
    'Late 1.00',
    'Late 2.00',
    'Late 8.00',
  ])
})

test('19: what comes back in time costs nothing', async () => {
  const { model: camera } = await kit(desk)
  const loan = await lent(desk, 'Sam', { model: camera, collect_at: tuesday('10:00'), return_at: tuesday('12:00') })
  await desk.until(tuesday('12:00'))
  await did(desk, 'Axel', 'booking', loan.id, 'take_back', good)
  expect(await fines()).toEqual([])
})

test('20: with 9.99 of debt one books, with 10.00 one neither books nor collects', async () => {
  const { model: camera } = await kit(desk)
  const other = await kit(desk)
  const times = { collect_at: tuesday('10:00'), return_at: tuesday('12:00') }
  await fined(desk, 'Sam', '9.99')
  const made = await booked(desk, 'Sam', { model: camera, ...times })
  await fined(desk, 'Sam', '0.01')
  const owes = 'You owe £10.00. Please pay at the desk first.'
  expect(messages(await book(desk, 'Sam', { model: other.model, ...times }))).toEqual([owes])
  await desk.until(tuesday('10:00'))
  expect(messages(await step(desk, 'Axel', 'booking', made.id, 'hand_over'))).toEqual([owes])
})

test('21: a fine is paid in parts, and never more than remains', async () => {
  const fine = await fined(desk, 'Sam', '6.00')
  expect((await pay(desk, 'Alma', fine, '4.00')).status).toBe(201)
  expect(json(await desk.as('Sam').get(`/api/v1/fine/${fine}`))).toMatchObject({ remainder: '2.00', state: 'Open' })
  const much = await pay(desk, 'Alma', fine, '2.01')
  expect([much.status, messages(much)]).toEqual([422, ['That is more than what remains: £2.00.']])
  // Two at the same moment do not pay it twice.
  const both = await Promise.all([pay(desk, 'Alma', fine, '2.00'), pay(desk, 'Axel', fine, '2.00')])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 422])
  expect(await stored(desk, 'fine', fine)).toMatchObject({ state: 'Settled' })
})

test('22: only the manager waives what remains, with a reason', async () => {
  const fine = await fined(desk, 'Sam', '6.00')
  expect((await pay(desk, 'Alma', fine, '4.00')).status).toBe(201)
  const waive = (who: 'Mona' | 'Alma', body?: { waive_reason: string }) => step(desk, who, 'fine', fine, 'waive', body)
  expect((await waive('Mona')).status).toBe(422)
  expect((await waive('Mona', { waive_reason: 'too short' })).status).toBe(422)
  const { number } = await stored(desk, 'fine', fine)
  const shows = async (who: 'Mona' | 'Alma') =>
    (await desk.as(who).get(`/fines/${String(number)}`)).text.includes('/waive')
  expect([await shows('Mona'), await shows('Alma')]).toEqual([true, false])
  expect((await waive('Alma', { waive_reason: 'a good reason' })).status).toBe(403)
  expect((await waive('Mona', { waive_reason: 'a good reason' })).status).toBe(200)
  expect(await stored(desk, 'fine', fine)).toMatchObject({ state: 'Waived', waived: '2.00' })
  expect(json(await desk.as('Sam').get(`/api/v1/fine/${fine}`))).toMatchObject({ remainder: '0.00' })
})

test('24: on the fourteenth day the loan is lost, the piece written off, and its value charged once', async () => {
  const { model: camera, piece } = await kit(desk, { value: '450.00' })
  const loan = await lent(desk, 'Sam', { model: camera, collect_at: tuesday('10:00'), return_at: tuesday('12:00') })
  await desk.until('2026-03-17T11:59:00Z')
  expect(await stored(desk, 'booking', loan.id)).toMatchObject({ state: 'Overdue' })
  await desk.until('2026-03-17T12:01:00Z')
  expect(await stored(desk, 'booking', loan.id)).toMatchObject({ state: 'Lost' })
  expect(await stored(desk, 'piece', piece)).toMatchObject({ condition: 'Written off' })
  await desk.until('2026-03-20T12:00:00Z')
  expect((await fines()).map(({ amount, kind }) => `${kind} ${amount}`)).toEqual(['Replacement 450.00'])
  // Statement 25 of a replacement: the ledger has it once, too.
  expect(desk.booked.map(({ path, body }) => `${path} ${String(body.amount)}`)).toEqual(['/charges 450.00'])
})

test('25: the ledger gets every charge once although it is away for an hour; what it rejects can be sent again', async () => {
  const { model: camera, barcode: _ } = await kit(desk)
  // It answers waivers and no charge: nothing of a waiver arrives before what it waives.
  desk.ledger = path => (path === '/waivers' ? 201 : 'silent')
  const loan = await lent(desk, 'Sam', { model: camera, collect_at: tuesday('10:00'), return_at: tuesday('11:00') })
  await desk.until(tuesday('12:00'))
  await did(desk, 'Axel', 'booking', loan.id, 'take_back', good)
  const [late] = await fines()
  await did(desk, 'Mona', 'fine', late!.id, 'waive', { waive_reason: 'The lift was stuck.' })
  await desk.until(tuesday('13:00'))
  expect(desk.booked).toEqual([])
  desk.ledger = () => 201
  await desk.until(tuesday('20:00'))
  expect(desk.booked.map(({ path }) => path)).toEqual(['/charges', '/waivers'])
  expect(desk.booked[0]!.body).toMatchObject({ amount: '1.00' })

  desk.ledger = () => 422
  const next = await kit(desk)
  const other = await lent(desk, 'Sue', {
    model: next.model,
    collect_at: '2026-03-04T10:00:00Z',
    return_at: '2026-03-04T11:00:00Z',
  })
  await desk.until('2026-03-04T12:00:00Z')
  await did(desk, 'Axel', 'booking', other.id, 'take_back', good)
  await desk.settle()
  expect(desk.booked).toHaveLength(2)
  const rejected = (await fines()).at(-1)!
  const { number } = await stored(desk, 'fine', rejected.id)
  const list = await desk.as('Mona').get('/-/unsent')
  expect([list.status, list.text.includes(String(number)), (await desk.as('Alma').get('/-/unsent')).status]).toEqual([
    200,
    true,
    404,
  ])
  desk.ledger = () => 201
  const id = /name="id" value="([^"]+)"/.exec(list.text)?.[1] ?? ''
  expect((await desk.as('Mona').send('/-/unsent', { id })).status).toBe(303)
  await desk.settle()
  expect(desk.booked.map(({ body }) => body.charge)).toContain(number)
})

test('27: a changed limit holds at once, in its message too, and who changed it is remembered', async () => {
  const { model: camera } = await kit(desk)
  const wanted = { model: camera, collect_at: tuesday('10:00'), return_at: tuesday('12:00') }
  await fined(desk, 'Sam', '10.00')
  expect((await book(desk, 'Sam', wanted)).status).toBe(422)
  expect((await desk.as('Alma').get('/-/limits')).status).toBe(404)
  const page = await desk.as('Mona').send('/-/limits', { key: 'debt_limit', value: '20.00' })
  expect(page.status).toBe(303)
  await booked(desk, 'Sam', wanted)
  await fined(desk, 'Sam', '10.00')
  const other = await kit(desk)
  expect(messages(await book(desk, 'Sam', { ...wanted, model: other.model }))).toEqual([
    'You owe £20.00. Please pay at the desk first.',
  ])
  const history = (await desk.as('Mona').get('/-/limits')).text
  for (const said of ['Mona', '10.00', '20.00', '2 Mar 2026, 09:00']) expect(history).toContain(said)
})
