/** Calls and mails over days in which nobody takes them, by processes of which some are killed: all arrive, once, in order, and none is given up early. */
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, inject, test } from 'vitest'
import { patience } from '../../scripts/limits.ts'
import type { Client } from '../client.ts'
import { type MovedClock, startClock } from './clock.ts'
import { type Outside, startOutside } from './outside.ts'
import { openParcels, type Parcels, type Sent } from './parcels.ts'

const hour = 3_600_000
/** So many that each of three processes gets some of what is due at once. */
const names = Array.from({ length: 24 }, (_, index) => `P-${String(index + 1).padStart(2, '0')}`)
const bad = names[7]!
/** It is due on the Sunday on which the clocks change, and stays where it is. */
const still = 'P-00'
/** Hours: between two moves of each parcel, and until somebody is back. */
const apart = 24
const back = { mailServer: 70, partner: 72 }
/** As the document says of both calls. */
const within = { register: 96 * hour, depot: 6 * hour }

let clock: MovedClock | undefined
let outside: Outside | undefined
let parcels: Parcels | undefined
afterEach(async () => {
  await parcels?.drop()
  outside?.close()
  clock?.close()
})

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + patience.step
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`Waited in vain: ${what}`)
    await wait(20)
  }
}

async function sent(client: Client, path: string, body?: unknown): Promise<string> {
  const { status, text } = await client.api('POST', path, body)
  expect({ path, status, text }).toMatchObject({ path, status: body === undefined ? 200 : 201 })
  return (JSON.parse(text) as { id: string }).id
}

const ofName = (all: readonly Sent[], ...some: readonly string[]) => all.filter(({ name }) => some.includes(name))
const isBad = ({ name, parcel }: Sent) => name === 'C-1' && parcel === bad
const sorted = (all: readonly { readonly key: string }[]) => all.map(({ key }) => key).toSorted()
const keysOf = (all: readonly Sent[]) => all.map(one => one.repeat_key).toSorted()

test.each([
  ['ends', '2026-10-23T10:00:00Z', '2026-10-25', '2026-10-25T07:00'],
  ['begins', '2027-03-26T11:00:00Z', '2027-03-28', '2027-03-28T06:00'],
])('partner and mail server are away for three days, in which summer time %s', async (_, from, sunday, eight) => {
  const begin = new Date(from)
  clock = await startClock(begin)
  outside = await startOutside(clock.now, bad)
  parcels = await openParcels(inject('databaseUrl'), clock, outside)
  const { outbox, settled, atWork, start, signedIn } = parcels
  const { moveTo, workers } = clock
  const moveToHour = async (hours: number) => {
    await moveTo(new Date(begin.getTime() + hours * hour))
    await settled()
  }
  const two = await start(2)
  let one = await start(1)
  await workers(3)
  const keeper = await signedIn(two)
  const ids: string[] = []
  for (const [index, name] of names.entries())
    ids.push(await sent(keeper, '/parcel', { name, depot: index % 2 === 0 ? 'North' : 'South' }))
  await sent(keeper, '/parcel', { name: still, depot: 'North', due: sunday })

  outside.partner = 'away'
  outside.mailServer = 'away'
  const tries = () => ['/register', '/depot'].map(path => outside!.arrived.filter(it => it.path === path).length)
  for (let hours = 0; hours < back.partner; hours++) {
    const before = [...tries(), outside.turnedAway]
    await moveToHour(hours)
    // After five failures in a row everybody knows that nobody is there: one try in an hour, by one of all.
    if (hours > 4)
      expect({
        hours,
        most: Math.max(...[...tries(), outside.turnedAway].map((now, at) => now - before[at]!)),
      }).toEqual({
        hours,
        most: 1,
      })
    if (hours % apart === 0) {
      const keepers = [await signedIn(two), await signedIn(one)]
      const step = (hours / apart) % 2 === 0 ? 'go' : 'back'
      for (const [index, id] of ids.entries()) await sent(keepers[index % 2]!, `/parcel/${id}/${step}`)
    }
    if (hours === 30) {
      await one.started.kill()
      one = await start(1)
      await workers(3)
    }
    if (hours === back.mailServer) outside.mailServer = 'there'
  }
  const isMail = ({ name }: Sent) => !['C-1', 'C-2'].includes(name)
  const held = async () => (await outbox()).filter(one => isMail(one) && one.state === 'waiting')
  await until(async () => (await held()).length === 0, 'the mails have left')
  const during = await outbox()
  const later = during.filter(({ created_at: at }) => at.getTime() > begin.getTime() + hour)
  expect(outside.taken).toEqual([])
  expect(ofName(during, 'C-1').map(({ state }) => state)).toEqual(Array(3 * names.length).fill('waiting'))
  // Nothing that was caused since then has used up an attempt.
  expect(later.filter(({ state, attempts }) => state === 'waiting' && attempts > 0)).toEqual([])

  outside.partner = 'first'
  await moveTo(new Date(begin.getTime() + back.partner * hour))
  await until(async () => (await atWork()) > 1, 'something is on its way in more than one process')
  const [killed] = await workers(3)
  process.kill(killed!, 'SIGKILL')
  await until(async () => !(await workers(3)).includes(killed!), 'another in its place')
  outside.release()
  const waiting = async () => (await outbox()).filter(it => it.state === 'waiting' && !isBad(it))
  // At once: the clock is not moved.
  await until(async () => (await waiting()).length === 0, 'all that waited has arrived')

  const after = await outbox()
  const calls = ofName(after, 'C-1', 'C-2')
  const delivered = calls.filter(({ state }) => state === 'delivered')
  expect(sorted(outside.taken)).toEqual(keysOf(delivered))
  expect(ofName(calls, 'C-1').filter(it => it.state !== 'delivered' && !isBad(it))).toEqual([])
  // Given up is only what the document no longer wants, and not before.
  const failed = calls.filter(({ state }) => state === 'failed')
  expect(failed.map(({ name }) => name)).toEqual(failed.map(() => 'C-2'))
  for (const { first_at, finished_at } of failed)
    expect(finished_at!.getTime() - first_at!.getTime()).toBeGreaterThan(within.depot)
  const turns = new Map(calls.map(({ repeat_key, turn }) => [repeat_key, Number(turn)]))
  const inOrder = (it: { readonly path: string; readonly parcel: string; readonly depot?: string }) =>
    it.path === '/depot' ? `depot ${it.depot}` : `parcel ${it.parcel}`
  for (const queue of Map.groupBy(outside.taken, inOrder).values()) {
    const went = queue.map(({ key }) => turns.get(key)!)
    expect(went).toEqual(went.toSorted((a, b) => a - b))
  }
  const mails = ofName(after, 'moved', 'due')
  expect(mails.map(({ state }) => state)).toEqual(mails.map(() => 'delivered'))
  expect(sorted(outside.mails)).toEqual(keysOf(mails))
  expect(ofName(mails, 'due').map(it => it.created_at.toISOString().slice(0, eight.length))).toEqual([eight])

  // What is wrong with one record holds up that one, to the end of its time and not shorter.
  const first = ofName(after, 'C-1').find(isBad)!
  const end = first.first_at!.getTime() + within.register
  for (let at = clock.now().getTime() + 3 * hour; at < end - 60_000; at += 3 * hour) {
    await moveTo(new Date(at))
    await settled()
  }
  const moved = await sent(await signedIn(one), `/parcel/${ids[0]}/back`)
  const stateOf = async (is: (it: Sent) => boolean) => (await outbox()).filter(is).map(({ state }) => state)
  await until(async () => (await stateOf(it => it.record === moved)).every(state => state !== 'waiting'), 'it goes on')
  await moveTo(new Date(end - 60_000))
  await settled()
  expect(await stateOf(isBad)).toEqual(['waiting', 'waiting', 'waiting'])
  await moveTo(new Date(end + 600_000))
  await until(async () => (await stateOf(isBad))[0] === 'failed', 'the end')
  const ended = (await outbox()).filter(isBad)
  expect(ended[0]!.finished_at!.getTime()).toBeGreaterThanOrEqual(end)
  expect(ended.slice(1).map(({ state }) => state)).toEqual(['waiting', 'waiting'])
})
