/** What people sent after their session had ended: kept for them alone, for a while, and however many come at once. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { startTestRun, type TestRun } from '../../run/testing.ts'
import { keptBytes, keptMinutes, keptPosts } from '../bounds.ts'
import { keepPost, takePost } from './kept-posts.ts'
import { openSession } from './session.ts'

let run: TestRun
beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'))
})
afterAll(() => run?.drop())

const now = new Date('2026-03-02T09:00:00Z')
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const visit = 'v'.repeat(43)
const keep = (text: string, at = now, session?: string) =>
  keepPost(
    run.runtime.store,
    { path: '/loans/new', form: new URLSearchParams({ text, _csrf: 'x', _once: 'y' }) },
    { visit, session, now: at, random: randomBytes },
  )
const take = (id: string | null, more: { path?: string; visit?: string; person?: string; now?: Date } = {}) =>
  takePost(run.runtime.store, id ?? undefined, { path: '/loans/new', visit, person: null, now, ...more })

test('it comes back once, to the browser that sent it, on its page, in time', async () => {
  const id = await keep('a ü \0 & b')
  expect(await take(id, { path: '/loans' })).toBeNull()
  expect(await take(id, { visit: 'w'.repeat(43) })).toBeNull()
  expect(await take(id, { now: later(keptMinutes + 1) })).toBeNull()
  expect([...(await take(id))!]).toEqual([['text', 'a ü \0 & b']])
  expect(await take(id)).toBeNull()
  for (const made of [null, '', 'x', 'A'.repeat(43)]) expect(await take(made)).toBeNull()
  expect(await keep('x'.repeat(keptBytes))).toBeNull()
})

test('it comes back to whoever sent it, and to nobody else who signs in with that browser', async () => {
  const { Anna, Ben } = run.people as Readonly<Record<string, string>>
  const session = await openSession(run.runtime.store, Ben!, { now, random: randomBytes, agent: undefined })
  const id = await keep('of Ben', later(24 * 60), session)
  for (const person of [Anna!, undefined])
    expect(await take(id, { now: later(24 * 60), ...(person === undefined ? {} : { person }) })).toBeNull()
  expect((await take(id, { now: later(24 * 60), person: Ben! }))?.get('text')).toBe('of Ben')
})

test('hundreds at once are kept, the oldest make room, and nothing waits', async () => {
  await Promise.all(Array.from({ length: keptPosts }, (_, index) => keep(`first ${index}`)))
  const ids = await Promise.all(Array.from({ length: 300 }, (_, index) => keep(`then ${index}`, later(1))))
  for (const id of ids) expect(await take(id, { now: later(1) })).not.toBeNull()
  await keep('last', later(2))
  const [left] = await run.runtime.store.query<{ n: string }>(sql`select count(*) as n from ninefold.kept_post`)
  expect(Number(left!.n)).toBeLessThanOrEqual(keptPosts)
})
