/** Statement 23 of the brief: reminders. */
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { type Desk, openDesk } from './desk.ts'
import { did, kit, lent } from './scene.ts'

let desk: Desk

beforeEach(async () => {
  desk = await openDesk(inject('databaseUrl'))
})
afterEach(() => desk?.close())

/** Lets time pass and tells in which hour each mail came. */
async function mailsUntil(end: string): Promise<readonly string[]> {
  const times: string[] = []
  while (desk.now() < new Date(end)) {
    const before = desk.mails.length
    await desk.until(new Date(desk.now().getTime() + 3_600_000).toISOString())
    for (let count = before; count < desk.mails.length; count++) times.push(desk.now().toISOString().slice(0, 13))
  }
  return times
}

test('23: a day before, an hour after, then each working day at nine for seven days, none on closing days', async () => {
  const { model: camera } = await kit(desk)
  await desk.put('closing_day', { day: '2026-03-09', reason: 'Stocktaking' })
  await lent(desk, 'Sam', { model: camera, collect_at: '2026-03-03T10:00:00Z', return_at: '2026-03-05T16:00:00Z' })
  const already = desk.mails.length
  const times = await mailsUntil('2026-03-18T10:00:00Z')
  expect(times).toEqual([
    '2026-03-04T16',
    '2026-03-05T17',
    '2026-03-06T09',
    // Saturday, Sunday and the closing day are left out.
    '2026-03-10T09',
    '2026-03-11T09',
    '2026-03-12T09',
  ])
  expect(desk.mails.slice(already).every(({ to }) => to === 'sam@eastmere.example')).toBe(true)
})

test('23: none after the return', async () => {
  const { model: camera } = await kit(desk)
  const loan = await lent(desk, 'Sam', {
    model: camera,
    collect_at: '2026-03-03T10:00:00Z',
    return_at: '2026-03-05T16:00:00Z',
  })
  await desk.until('2026-03-06T10:00:00Z')
  await did(desk, 'Axel', 'booking', loan.id, 'take_back', { returned_condition: 'Good' })
  await desk.settle()
  const before = desk.mails.length
  await desk.until('2026-03-12T10:00:00Z')
  expect(desk.mails.length).toBe(before)
})
