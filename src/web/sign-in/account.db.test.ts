/** One's own account: what somebody chose is obeyed by every page, and sessions can be ended, without scripts. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { readSound } from '../../run/testing.ts'
import { presentMinutes } from '../bounds.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from '../testing.ts'
import { agentText } from './sessions.ts'

let served: TestWeb
let sven: TestBrowser

beforeAll(async () => {
  const app = readSound(join(import.meta.dirname, '../../run/fixtures/requests.md'), text =>
    text
      .replace('Languages:** English', 'Languages:** English, German')
      .replace('| title | text 80 |', '| needed_at | date and time |  |\n| title | text 80 |'),
  )
  served = await startTestWeb(inject('databaseUrl'), app)
  sven = await served.browser('Sven')
})
afterAll(() => served?.stop())

const choose = (fields: Readonly<Record<string, string>>, who = sven) =>
  who.submit('/-/account', '/-/account/preferences', fields)

test('language, density and theme are obeyed by the page itself, whatever the browser asks for', async () => {
  const plain = await sven.get('/requests')
  expect(plain.text).toMatch(/<html lang="en-GB" dir="ltr" data-keys="">/)
  const kept = await choose({ language: 'de', density: 'compact', theme: 'dark' })
  expect(kept).toMatchObject({ status: 303, location: '/-/account' })
  const account = await sven.get('/-/account', { 'accept-language': 'en' })
  expect(account.text).toContain('Ihre Wahl ist gespeichert.')
  expect(account.text).toMatch(/<html lang="de-DE" dir="ltr" data-theme="dark" data-density="compact" data-keys="">/)
  expect(account.text).toContain('<meta name="color-scheme" content="dark"/>')
  expect(account.text).toMatch(/<option value="de" selected="">Deutsch</)
  const other = await served.browser('Cleo')
  expect((await other.get('/requests')).text).toMatch(/<html lang="en-GB" dir="ltr" data-keys="">/)
  await choose({ language: '', density: 'comfortable', theme: 'system' })
  expect((await sven.get('/requests')).text).toMatch(/<html lang="en-GB" dir="ltr" data-keys="">/)
})

test('what cannot be chosen is not kept', async () => {
  await choose({ language: 'fr', time_zone: 'Mars/Olympus', density: 'tight', theme: 'pink' })
  const [row] = await served.run.runtime.store.query(
    sql`select language, time_zone, density, theme from ninefold.preference where person = ${served.run.people.Sven}::uuid`,
  )
  expect(row).toEqual({ language: null, time_zone: null, density: null, theme: null })
})

test('moments are read and written in the zone of the person, and stay the same moment', async () => {
  await choose({ time_zone: 'America/New_York' })
  const made = await sven.submit('/requests/new', '/requests/new', { title: 'Chairs', needed_at: '2026-03-02T08:30' })
  expect(made.status).toBe(303)
  const id = made.location!.split('/').at(-1)!
  const edit = `/requests/${id}/edit`
  const isAt = async (needed_at: string) => {
    const token = await sven.token()
    const api = await sven.json('GET', `/api/v1/request/${id}`, undefined, { 'x-csrf-token': token })
    expect(JSON.parse(api.text)).toMatchObject({ needed_at })
  }
  expect((await sven.get(edit)).text).toMatch(/data-iso="2026-03-02T08:30"[^>]* value="2026-03-02 08:30"/)
  await isAt('2026-03-02T13:30:00.000Z')
  // Of two equal hours, when clocks go back, the first as the reader writes it and the second with its Z: neither moves by being saved.
  await choose({ time_zone: 'America/New_York', language: 'de' })
  for (const [typed, written, at] of [
    ['1.11.2026 1:30', '01.11.2026 01:30', '2026-11-01T05:30:00.000Z'],
    ['2026-11-01T06:30Z', '2026-11-01T06:30:00.000Z', '2026-11-01T06:30:00.000Z'],
  ] as const) {
    expect((await sven.submit(edit, edit, { needed_at: typed })).status).toBe(303)
    expect((await sven.get(edit)).text).toContain(` value="${written}"`)
    expect((await sven.submit(edit, edit, { title: `Chairs ${at}` })).status).toBe(303)
    await isAt(at)
  }
  await sven.submit(edit, edit, { needed_at: '02.03.2026 08:30' })
  await choose({ time_zone: '', language: '' })
  expect((await sven.get(`/requests/${id}`)).text).toContain('14:30')
})

test('sessions are listed, and ended one by one or all at once, by their own person only', async () => {
  const elsewhere = await served.browser('Sven')
  const cleo = await served.browser('Cleo')
  const page = await sven.get('/-/account')
  const ids = [...page.text.matchAll(/value="([0-9a-f]{64})" name="end"/g)].map(match => match[1]!)
  expect(ids.length).toBe(1)
  // Somebody else's session is not theirs to end.
  await cleo.send('/-/account/sessions', { end: ids[0]! })
  expect((await elsewhere.get('/-/account')).status).toBe(200)
  await sven.send('/-/account/sessions', { end: ids[0]! })
  expect((await elsewhere.get('/-/account')).status).toBe(303)
  expect((await sven.send('/-/account/sessions', { end: 'everything' })).status).toBe(404)

  const again = await served.browser('Sven')
  served.run.now = new Date(served.run.now.getTime() + (presentMinutes + 1) * 60_000)
  // Whoever finds this browser open puts nobody else out.
  const refused = await sven.send('/-/account/sessions', { end: 'others' })
  expect([refused.status, (await again.get('/-/account')).status]).toEqual([403, 200])
  const there = await served.browser('Sven')
  await there.send('/-/account/sessions', { end: 'others' })
  expect((await sven.get('/-/account')).status).toBe(303)
  sven = there
  expect((await again.get('/-/account')).status).toBe(303)
  expect((await sven.get('/-/account')).status).toBe(200)
  expect((await cleo.get('/-/account')).status).toBe(200)
})

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox, Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile Safari/604.1',
    'Safari, iOS',
  ],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0', 'Edge, Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/141.0.0.0 Safari/537.36', 'Chrome, Linux'],
  ['curl/8.5.0', 'curl/8.5.0'],
  [null, ''],
])('%s is told as %s', (agent, text) => {
  expect(agentText(agent)).toBe(text)
})
