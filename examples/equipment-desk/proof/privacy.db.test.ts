/** Statement 26 of the brief: who sees what. */
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { type Desk, json, openDesk } from './desk.ts'
import { booked, fined, kit, stored, tuesday } from './scene.ts'

let desk: Desk

beforeEach(async () => {
  desk = await openDesk(inject('databaseUrl'))
})
afterEach(() => desk?.close())

test('26: students see what is theirs; assistants see all bookings, and no certificate’s document', async () => {
  const { model: camera } = await kit(desk)
  const made = await booked(desk, 'Sam', { model: camera, collect_at: tuesday('10:00'), return_at: tuesday('12:00') })
  const fine = await fined(desk, 'Sam', '3.00')
  const { number } = await stored(desk, 'fine', fine)
  const training = await desk.put('training', { name: 'Boat licence' })
  const certificate = await desk.put('certificate', {
    number: 'CT-90001',
    person: desk.id('Sam'),
    training,
    expires_on: '2026-12-31',
  })
  const addresses = [
    `/bookings/${String(made.number)}`,
    `/fines/${String(number)}`,
    '/certificates/CT-90001',
    `/api/v1/booking/${made.id}`,
    `/api/v1/fine/${fine}`,
    `/api/v1/certificate/${certificate}`,
  ]
  for (const address of addresses) {
    expect([address, (await desk.as('Sam').get(address)).status]).toEqual([address, 200])
    expect([address, (await desk.as('Sue').get(address)).status]).toEqual([address, 404])
    expect([address, (await desk.as('Alma').get(address)).status]).toEqual([address, 200])
  }
  for (const [list, mine] of [
    ['/bookings', String(made.number)],
    ['/fines', String(number)],
    ['/certificates', 'CT-90001'],
  ] as const) {
    expect((await desk.as('Sam').get(list)).text).toContain(mine)
    expect((await desk.as('Sue').get(list)).text).not.toContain(mine)
    expect((await desk.as('Alma').get(list)).text).toContain(mine)
  }
  const of = async (who: 'Sam' | 'Alma' | 'Mona') =>
    'document' in json(await desk.as(who).get(`/api/v1/certificate/${certificate}`))
  expect([await of('Sam'), await of('Alma'), await of('Mona')]).toEqual([true, false, true])
})
