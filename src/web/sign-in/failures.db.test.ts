/** Wrong passwords are counted where they come from: who knows the password gets in, whatever others try. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { raw, sql } from '../../expression/sql.ts'
import { passwords } from '../../run/people/password.ts'
import { loanDesk, readSound, testId } from '../../run/testing.ts'
import { Busy } from '../../run/turns.ts'
import { countingFailures, guardedFrom } from '../rate-limit/failures.ts'
import { serveTestRun, startTestWeb, TestBrowser, type TestWeb } from '../testing.ts'
import { writePassword } from './accounts.ts'

let web: TestWeb
let hash: string
const start = new Date('2026-03-02T09:00:00.000Z')
const password = 'four unrelated words here'
const dan = 'dan@loans.example'

/** A browser behind the proxy, as seen from this address. */
const from = (address: string) => new BrowserFrom(web.url, address)
class BrowserFrom extends TestBrowser {
  readonly #address: string
  constructor(url: string, address: string) {
    super(url)
    this.#address = address
  }
  override request(
    method: string,
    path: string,
    init: { headers?: Record<string, string>; body?: string | Buffer } = {},
  ) {
    return super.request(method, path, { ...init, headers: { ...init.headers, 'x-forwarded-for': this.#address } })
  }
}
const signIn = (browser: TestBrowser, email: string, word: string) =>
  browser.send('/-/sign-in', { email, password: word, next: '/loans' })
const statuses = async (times: number, send: () => Promise<{ readonly status: number }>) => {
  const all: number[] = []
  for (let at = 0; at < times; at++) all.push((await send()).status)
  return all
}
const links = () =>
  web.run.runtime.store.query<{ text: string }>(
    sql`select payload->>'text' as text from ninefold.outbox where name = 'sign_in'`,
  )

/** Wrong ones that came before, as pages count them. */
async function wrong(times: number, of: (at: number) => { readonly account: string; readonly network: string }) {
  for (let at = 0; at < times; at++) {
    const guess = { of: 'password', ...of(at), device: null } as const
    const guessed = await countingFailures(web.run.runtime.store, await web.run.as('Mia'), guess, async () => null)
    expect(guessed).toEqual({ kind: 'wrong', guarded: false })
  }
}

beforeAll(async () => {
  const app = readSound(loanDesk, text =>
    text.replace('**Sign-in:** e-mail link', '**Sign-in:** e-mail link, password'),
  )
  web = await startTestWeb(inject('databaseUrl'), app, { trustedProxies: 1 })
  hash = await passwords(randomBytes).hash(password)
  const { store } = web.run.runtime
  await store.inTransaction(tx =>
    tx.write(sql`update public.person set email = ${dan} where id = ${web.run.people.Dan}::uuid`),
  )
  await store.inTransaction(tx => writePassword(tx, web.run.people.Dan!, hash, start))
})
beforeEach(async () => {
  web.run.now = start
  await web.run.runtime.store.inTransaction(async tx => {
    for (const table of ['attempt', 'outbox', 'device']) await tx.query(raw(`delete from ninefold.${table}`))
  })
})
afterAll(() => web?.stop())

test('a whole office signs in from one address: what is right is not counted', async () => {
  const { store } = web.run.runtime
  const office = Array.from({ length: 41 }, (_, at) => ({ id: testId(), email: `colleague${at}@loans.example` }))
  await store.inTransaction(async tx => {
    for (const { id, email } of office) {
      await tx.write(sql`insert into public.person (id, name, email, created_at, changed_at)
        values (${id}::uuid, ${email}, ${email}, ${start}, ${start})`)
      await tx.write(
        sql`insert into ninefold.account (person, password, changed_at) values (${id}::uuid, ${hash}, ${start})`,
      )
    }
  })
  // Beside the honest mistakes of that morning.
  await wrong(70, at => ({ account: `late${at}@loans.example`, network: '203.0.113.7' }))
  for (const { email } of office) expect((await signIn(from('203.0.113.7'), email, password)).status).toBe(303)
})

test('wrong passwords of a stranger keep nobody out who knows the right one', async () => {
  const stranger = from('198.51.100.1')
  expect(await statuses(9, () => signIn(stranger, dan, 'wrong'))).toEqual([422, 422, 422, 422, 422, 429, 429, 429, 429])
  // The stranger waits, to the right word too; Dan, from elsewhere, does not.
  const blocked = await signIn(stranger, dan, password)
  expect([blocked.status, blocked.text.includes('have a link mailed to you')]).toEqual([429, true])
  expect((await signIn(from('203.0.113.7'), dan, password)).status).toBe(303)
  expect((await signIn(stranger, dan, password)).status).toBe(429)
})

test('a device that signed in before passes, where its own network has to wait', async () => {
  const device = from('203.0.113.7')
  expect((await signIn(device, dan, password)).status).toBe(303)
  await device.send('/-/sign-out', {})
  expect(device.cookies.has('ninefold-device')).toBe(true)
  const colleague = from('203.0.113.7')
  expect((await statuses(6, () => signIn(colleague, dan, 'wrong'))).at(-1)).toBe(429)
  expect((await signIn(device, dan, password)).status).toBe(303)
  await device.send('/-/sign-out', {})
  // It has a count of its own, and is nothing for anybody else's account.
  expect((await statuses(6, () => signIn(device, dan, 'wrong'))).at(-1)).toBe(429)
  expect((await signIn(device, 'nobody@loans.example', 'wrong')).status).toBe(422)
  const thief = from('198.51.100.9')
  thief.cookies.set('ninefold-device', 'A'.repeat(43))
  expect((await statuses(6, () => signIn(thief, dan, 'wrong'))).at(-1)).toBe(429)
})

test('many machines on one account: the password alone lets in no unknown device, and a mailed link does', async () => {
  const known = from('203.0.113.7')
  expect((await signIn(known, dan, password)).status).toBe(303)
  await known.send('/-/sign-out', {})
  for (const account of [dan, 'nobody@loans.example'])
    await wrong(guardedFrom, at => ({ account, network: `10.0.${at}.1` }))
  // Right, wrong and nobody: the same bytes.
  const answers = []
  for (const [at, [email, word]] of (
    [
      [dan, password],
      [dan, 'wrong'],
      ['nobody@loans.example', password],
    ] as const
  ).entries()) {
    const answer = await signIn(from(`192.0.2.${at}`), email, word)
    answers.push([answer.status, answer.text.replaceAll(/value="[^"]*"/g, '')])
  }
  expect(answers[0]![1]).toContain('we have mailed you a link')
  expect(answers[1]).toEqual(answers[0])
  expect(answers[2]).toEqual(answers[0])
  await expect.poll(async () => (await links()).length).toBe(1)
  const [{ text }] = (await links()) as [{ text: string }]
  const token = new URL(/http\S+/.exec(text)![0]).searchParams.get('token')!
  const fresh = from('192.0.2.0')
  expect((await fresh.send('/-/link', { token, next: '/loans' })).status).toBe(303)
  expect((await fresh.get('/-/account')).status).toBe(200)
  await fresh.send('/-/sign-out', {})
  for (const device of [known, fresh]) expect((await signIn(device, dan, password)).status).toBe(303)
})

test('nor does the wait that follows tell whether the password was right', async () => {
  await wrong(guardedFrom, at => ({ account: dan, network: `10.0.${at}.1` }))
  const [told, untold] = [from('192.0.2.1'), from('192.0.2.2')]
  for (const [stranger, word] of [
    [told, password],
    [untold, 'wrong'],
  ] as const) {
    expect(await statuses(3, () => signIn(stranger, dan, 'wrong'))).toEqual([422, 422, 422])
    expect((await signIn(stranger, dan, word)).status).toBe(422)
    expect(await statuses(2, () => signIn(stranger, dan, 'wrong'))).toEqual([422, 429])
  }
})

test('where no mails are sent, the password is enough: nothing else would let anybody in', async () => {
  const unmailed = await serveTestRun(web.run, { trustedProxies: 1, mails: false })
  await wrong(guardedFrom, at => ({ account: dan, network: `10.0.${at}.1` }))
  const elsewhere = new BrowserFrom(unmailed.url, '192.0.2.1')
  expect((await signIn(elsewhere, dan, password)).status).toBe(303)
  await unmailed.stop()
})

test('one password on many names: the network waits, and other networks do not', async () => {
  const spraying = from('198.51.100.1')
  await wrong(98, at => ({ account: `name${at}@loans.example`, network: '198.51.100.1' }))
  const names = ['eve@loans.example', 'finn@loans.example', 'gil@loans.example']
  const all = []
  for (const name of names) all.push((await signIn(spraying, name, 'Spring2026!')).status)
  expect(all).toEqual([422, 422, 429])
  expect((await signIn(from('203.0.113.7'), dan, password)).status).toBe(303)
  // However the name is written, and whatever the address has behind it, it is the same.
  const spelled = [
    'dan@loans.example',
    ' DAN@loans.example',
    'Dan@Loans.Example ',
    'dan@LOANS.example',
    'dAn@loans.example',
  ]
  for (const [at, email] of spelled.entries()) await signIn(from(`192.0.2.1:${4000 + at}`), email, 'wrong')
  expect((await signIn(from('192.0.2.1'), dan, 'wrong')).status).toBe(429)
})

test('what strangers try at the door does not keep out who is inside', async () => {
  const inside = await web.browser('Dan')
  const stranger = await web.browser(null)
  expect((await statuses(7, () => signIn(stranger, dan, 'wrong'))).at(-1)).toBe(429)
  const change = (current: string) => inside.send('/-/account', { current, password })
  expect((await change(password)).status).toBe(303)
  // And who guesses inside holds up nobody at the door.
  expect(await statuses(6, () => change('wrong'))).toEqual([422, 422, 422, 422, 422, 429])
  expect((await change(password)).status).toBe(429)
  expect((await signIn(from('203.0.113.7'), dan, password)).status).toBe(303)
})

test('an attempt of which nobody could find out whether it is right is not counted', async () => {
  const { store } = web.run.runtime
  const guess = { of: 'password', account: dan, network: '203.0.113.7', device: null } as const
  const request = await web.run.as('Mia')
  for (let at = 0; at < 12; at++)
    await expect(
      countingFailures(store, request, guess, async () => {
        throw new Busy()
      }),
    ).rejects.toThrow()
  expect((await countingFailures(store, request, guess, async () => dan)).kind).toBe('right')
})

test('a new password makes every other device a stranger again', async () => {
  const device = from('203.0.113.7')
  const other = from('203.0.113.8')
  for (const one of [device, other]) expect((await signIn(one, dan, password)).status).toBe(303)
  expect((await device.send('/-/account', { current: password, password })).status).toBe(303)
  const known = await web.run.runtime.store.query(sql`select from ninefold.device`)
  expect(known).toHaveLength(1)
})
