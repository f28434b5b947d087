/** The second factor: asked for after every first one, each code once, never tried out, and given up only by whoever has a code. */
import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { passwords } from '../../run/people/password.ts'
import { loanDesk, readSound } from '../../run/testing.ts'
import { recoveryCodes, secondFactorMinutes } from '../bounds.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from '../testing.ts'
import { writePassword } from './accounts.ts'
import { openLink } from './links.ts'
import { sealWith } from './seal.ts'
import { resealSecrets } from './second-factor.ts'

let web: TestWeb
let dan: string
let email: string
const start = new Date('2026-03-02T09:00:00.000Z')
const password = 'four unrelated words here'
const address = '/-/account/second-factor'

beforeAll(async () => {
  const app = readSound(loanDesk, text =>
    text.replace('**Sign-in:** e-mail link', '**Sign-in:** e-mail link, password'),
  )
  web = await startTestWeb(inject('databaseUrl'), app, {
    seal: sealWith('a key of at least 32 characters, somewhere else'),
  })
  dan = web.run.people.Dan!
  const [row] = await web.run.runtime.store.query<{ email: string }>(
    sql`select email from public.person where id = ${dan}::uuid`,
  )
  email = row!.email
})
beforeEach(async () => {
  web.run.now = start
  const hash = await passwords(randomBytes).hash(password)
  await web.run.runtime.store.inTransaction(tx => writePassword(tx, dan, hash, start))
  await web.run.runtime.store.inTransaction(async tx => {
    await tx.write(sql`delete from ninefold.attempt`)
    await tx.write(sql`delete from ninefold.second_factor`)
    await tx.write(sql`delete from ninefold.recovery_code`)
  })
})
afterAll(() => web?.stop())

const later = (seconds: number) => new Date(web.run.now.getTime() + seconds * 1000)
const codeAt = (secret: string, at = web.run.now) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() })
const wrongFor = (secret: string) => {
  const near = [-30, 0, 30].map(seconds => codeAt(secret, later(seconds)))
  return ['000000', '000001', '000002', '000003'].find(code => !near.includes(code))!
}
const signIn = (browser: TestBrowser) => browser.send('/-/sign-in', { email, password, next: '/loans' })
const tokenIn = (page: { readonly text: string }) => /name="token" value="([\w-]{43})"/.exec(page.text)?.[1] ?? ''
const isIn = async (browser: TestBrowser) => (await browser.get('/-/account')).status === 200

/** Dan with a second factor, ready for the next code. */
async function withFactor(): Promise<{ browser: TestBrowser; secret: string; codes: readonly string[] }> {
  const browser = await web.browser('Dan')
  await browser.send(address, { do: 'begin', current: password })
  const page = await browser.get(address)
  const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '').replaceAll(' ', '')
  const on = await browser.send(address, { do: 'confirm', code: codeAt(secret) })
  expect(on.status).toBe(200)
  const codes = [...on.text.matchAll(/<code>((?:[A-Z2-7]{4}-){6}[A-Z2-7]{2})<\/code>/g)].map(match => match[1]!)
  web.run.now = later(30)
  return { browser, secret, codes }
}

test('it is on only after a code has shown that it works, and ends other sessions', async () => {
  const other = await web.browser('Dan')
  const browser = await web.browser('Dan')
  expect((await browser.send(address, { do: 'begin', current: 'wrong' })).status).toBe(422)
  expect((await browser.get(address)).text).not.toContain('<code>')
  await browser.send(address, { do: 'begin', current: password })
  expect((await browser.get(address)).text).toContain('otpauth://totp/')
  expect((await browser.send(address, { do: 'confirm', code: 'abcdef' })).status).toBe(422)
  // Not confirmed: nobody is asked.
  expect((await signIn(await web.browser(null))).status).toBe(303)
  const { codes } = await withFactor()
  expect(new Set(codes).size).toBe(recoveryCodes)
  expect(await isIn(other)).toBe(false)
  const stored = JSON.stringify(await web.run.runtime.store.query(sql`select code_hash from ninefold.recovery_code`))
  expect(stored).not.toContain(codes[0]!.replaceAll('-', ''))
})

test('after the password a code is asked for; without one nobody is in', async () => {
  const { secret } = await withFactor()
  const browser = await web.browser(null)
  const first = await signIn(browser)
  expect([first.status, await isIn(browser)]).toEqual([200, false])
  const token = tokenIn(first)
  for (const code of ['', 'x', wrongFor(secret), '12345'])
    expect([code, (await browser.send('/-/sign-in/code', { token, code, next: '/loans' })).status]).toEqual([code, 422])
  expect(await isIn(browser)).toBe(false)
  const done = await browser.send('/-/sign-in/code', { token, code: codeAt(secret), next: '/loans' })
  expect([done.status, done.location, await isIn(browser)]).toEqual([303, '/loans', true])
  // The first factor is used up with it.
  web.run.now = later(30)
  const again = await web.browser(null)
  expect((await again.send('/-/sign-in/code', { token, code: codeAt(secret) })).status).toBe(403)
})

test('a code is good once, also for two at once, and an older one never again', async () => {
  const { secret } = await withFactor()
  const browsers = await Promise.all([1, 2, 3].map(() => web.browser(null)))
  const tokens: string[] = []
  for (const browser of browsers) tokens.push(tokenIn(await signIn(browser)))
  const code = codeAt(secret)
  const answers = await Promise.all(
    browsers.map((browser, at) => browser.send('/-/sign-in/code', { token: tokens[at]!, code })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422])
  const late = await web.browser(null)
  const token = tokenIn(await signIn(late))
  expect((await late.send('/-/sign-in/code', { token, code: codeAt(secret, later(-30)) })).status).toBe(422)
  // A clock that is one step ahead is believed, two steps are not.
  expect((await late.send('/-/sign-in/code', { token, code: codeAt(secret, later(60)) })).status).toBe(422)
  expect((await late.send('/-/sign-in/code', { token, code: codeAt(secret, later(30)) })).status).toBe(303)
})

test('a new key takes over what the one before sealed', async () => {
  const { store } = web.run.runtime
  const [before, now] = ['b'.repeat(32), 'n'.repeat(32)]
  const kept = async () =>
    (await store.query<{ secret: string }>(sql`select secret from ninefold.second_factor`))[0]!.secret
  await store.query(
    sql`insert into ninefold.second_factor (person, secret) values (${dan}::uuid, ${sealWith(before).close('JBSWY3DP', dan)})`,
  )
  expect(await resealSecrets(store, sealWith(now)), 'without the one before nothing is lost').toBe(0)
  const both = sealWith(now, before)
  expect([await resealSecrets(store, both), await resealSecrets(store, both)]).toEqual([1, 0])
  expect(sealWith(now).open(await kept(), dan)).toBe('JBSWY3DP')
})

test('codes cannot be tried out, and the first factor does not hold for long', async () => {
  const { secret } = await withFactor()
  const browser = await web.browser(null)
  const token = tokenIn(await signIn(browser))
  const send = (code: string) => browser.send('/-/sign-in/code', { token, code })
  const statuses = []
  for (let at = 0; at < 7; at++) statuses.push((await send(wrongFor(secret))).status)
  expect(statuses.slice(0, 5)).toEqual([422, 422, 422, 422, 422])
  expect(statuses.slice(-1)).toEqual([429])
  expect((await send(codeAt(secret))).status).toBe(429)
  web.run.now = later(secondFactorMinutes * 60)
  expect((await send(codeAt(secret))).status).toBe(403)
})

test('links and invitations ask for it too', async () => {
  await withFactor()
  for (const purpose of ['sign_in', 'invitation'] as const) {
    const browser = await web.browser(null)
    const token = await openLink(web.run.runtime.store, dan, web.run.now, randomBytes, purpose)
    const page = await browser.send('/-/link', { token })
    expect([purpose, page.status, await isIn(browser)]).toEqual([purpose, 200, false])
    expect(tokenIn(page)).not.toBe(token)
    // What stands for the first factor is no link of any other kind.
    expect((await browser.send('/-/link', { token: tokenIn(page) })).status).toBe(403)
    expect((await browser.send('/-/password', { token: tokenIn(page), password })).status).toBe(403)
  }
  const browser = await web.browser(null)
  const token = await openLink(web.run.runtime.store, dan, web.run.now, randomBytes, 'password')
  const page = await browser.send('/-/password', { token, password: 'some other words now' })
  expect([page.status, await isIn(browser)]).toEqual([200, false])
})

test('a recovery code lets in once, however it is typed', async () => {
  const { codes } = await withFactor()
  const enter = async (code: string) => {
    const browser = await web.browser(null)
    return (await browser.send('/-/sign-in/code', { token: tokenIn(await signIn(browser)), code })).status
  }
  expect(await enter(codes[0]!)).toBe(303)
  expect(await enter(codes[0]!)).toBe(422)
  expect(await enter(codes[1]!.toLowerCase().replaceAll('-', ' '))).toBe(303)
  expect(await enter(codes[2]!.slice(0, -1))).toBe(422)
})

test('it is turned off, and its codes made anew, only with a code', async () => {
  const { browser, secret, codes } = await withFactor()
  for (const does of ['off', 'codes'])
    expect((await browser.send(address, { do: does, code: '', current: password })).status).toBe(422)
  // Beginning again does not take away what is on.
  await browser.send(address, { do: 'begin', current: password })
  expect(tokenIn(await signIn(await web.browser(null)))).not.toBe('')
  const renewed = await browser.send(address, { do: 'codes', code: codeAt(secret) })
  expect(renewed.status).toBe(200)
  expect(renewed.text).not.toContain(codes[0])
  expect((await browser.send(address, { do: 'off', code: codes[0]! })).status).toBe(422)
  web.run.now = later(30)
  expect((await browser.send(address, { do: 'off', code: codeAt(secret) })).status).toBe(303)
  expect((await signIn(await web.browser(null))).status).toBe(303)
  expect((await browser.send(address, { do: 'everything' })).status).toBe(404)
})

test('whose role needs one reaches nothing else without it', async () => {
  const app = readSound(loanDesk, text =>
    text
      .replace('**Sign-in:** e-mail link', '**Sign-in:** e-mail link, password, passkey')
      .replace(/(## 6 .*\n)/, '$1\n- **Second factor:** Clerk\n'),
  )
  await web.web.reload({ ...web.served, runtime: { ...web.served.runtime, app } })
  const browser = await web.browser(null)
  expect((await signIn(browser)).status).toBe(303)
  for (const path of ['/', '/loans', '/loans/new', '/-/account', '/-/account/keys', '/-/search?q=x', '/-/limits', '/x'])
    expect([path, (await browser.get(path)).location]).toEqual([path, address])
  const page = await browser.get(address)
  expect(page.text).toContain('only for people with a second factor')
  const csrf = /name="_csrf" value="([^"]+)"/.exec(page.text)![1]!
  for (const path of ['/loans/new', '/-/account/keys', '/-/account', '/-/comments'])
    expect([path, (await browser.post(path, { _csrf: csrf })).status]).toEqual([path, 403])
  const api = (method: string) =>
    browser.json(method, '/api/v1/loan', method === 'GET' ? undefined : {}, { 'x-csrf-token': csrf })
  expect([(await api('GET')).status, (await api('POST')).status]).toEqual([403, 403])
  for (const id of ['\0', 'no such key', ''])
    for (const does of ['remove', 'rename', 'nothing'])
      expect((await browser.post('/-/account/passkeys', { _csrf: csrf, do: does, id, name: 'x' })).status).toBe(404)
  // Others are as they were.
  expect((await (await web.browser('Ben')).get('/loans')).status).toBe(200)

  expect((await browser.submit(address, address, { do: 'begin', current: password })).status).toBe(303)
  const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec((await browser.get(address)).text)?.[1] ?? '').replaceAll(' ', '')
  expect((await browser.get('/loans')).location).toBe(address)
  expect((await browser.submit(address, address, { do: 'confirm', code: codeAt(secret) })).status).toBe(200)
  expect([(await browser.get('/loans')).status, (await api('GET')).status]).toEqual([200, 200])
  web.run.now = later(30)
  const second = await web.browser(null)
  await second.send('/-/sign-in/code', { token: tokenIn(await signIn(second)), code: codeAt(secret) })
  expect((await second.get('/loans')).status).toBe(200)
  web.run.now = later(30)
  expect((await browser.send(address, { do: 'off', code: codeAt(secret) })).status).toBe(303)
  // The session that turned it off has to set up another one; the other has ended.
  expect([(await browser.get('/loans')).location, await isIn(second)]).toEqual([address, false])

  // Who has a passkey must show it, and cannot put something else in its place with the password alone.
  const { store } = web.run.runtime
  await store.inTransaction(tx =>
    tx.write(sql`insert into ninefold.passkey (id, person, public_key, counter, name, made_at)
      values ('x', ${dan}::uuid, ''::bytea, 0, 'Laptop', ${start})`),
  )
  expect((await browser.get(address)).text).toContain('sign in with it')
  await browser.post(address, { _csrf: csrf, do: 'begin', current: password })
  expect(await store.query(sql`select from ninefold.second_factor`)).toEqual([])
  expect((await browser.get('/-/account/passkeys')).status).toBe(404)
  const asked = await signIn(await web.browser(null))
  expect([asked.status, asked.text.includes('data-passkey="proof"')]).toEqual([200, true])
  await store.inTransaction(tx => tx.write(sql`delete from ninefold.passkey`))
  await web.web.reload(web.served)
})

test('a passkey goes, and an address that links are sent to changes, only for whoever is there', async () => {
  const app = readSound(loanDesk, text =>
    text
      .replace('**Sign-in:** e-mail link', '**Sign-in:** e-mail link, password, passkey')
      .replace(
        '## 7 ',
        '### Person\n\n| Role | See | Change |\n| --- | --- | --- |\n| Borrower | `this = me` | `this = me` |\n| Clerk | yes | yes |\n| Manager | yes | yes |\n\n## 7 ',
      ),
  )
  await web.web.reload({ ...web.served, runtime: { ...web.served.runtime, app } })
  const { store } = web.run.runtime
  const keys = '/-/account/passkeys'
  const left = () => store.query(sql`select id from ninefold.passkey`)
  const add = (person: string) =>
    store.inTransaction(tx =>
      tx.write(sql`insert into ninefold.passkey (id, person, public_key, counter, name, made_at)
        values ('abc', ${person}::uuid, ''::bytea, 0, 'Laptop', ${start})`),
    )
  const browser = await web.browser('Dan')
  await add(dan)
  const asked = await browser.get(`${keys}?remove=abc`)
  expect(asked.text).toMatch(/name="current".*value="remove"/s)
  for (const current of ['', 'wrong'])
    expect((await browser.send(keys, { do: 'remove', id: 'abc', current })).status).toBe(422)
  expect(await left()).toHaveLength(1)
  expect((await browser.send(keys, { do: 'remove', id: 'abc', current: password })).status).toBe(303)
  expect(await left()).toEqual([])

  // Whoever has no password has just signed in.
  await store.inTransaction(tx =>
    tx.write(sql`update ninefold.account set password = null where person = ${dan}::uuid`),
  )
  await add(dan)
  const own = await web.browser('Dan')
  const address = async (email: string) => {
    const headers = { 'x-csrf-token': await own.token() }
    const answer = await own.json('PATCH', `/api/v1/person/${dan}`, { email }, headers)
    return [answer.status, answer.text.includes('NF-PRESENCE')]
  }
  expect(await address('dan@new.example')).toEqual([200, false])
  web.run.now = later(16 * 60)
  expect(await address('dan@other.example')).toEqual([403, true])
  expect((await own.send(keys, { do: 'remove', id: 'abc' })).status).toBe(403)
  expect(await left()).toHaveLength(1)
  web.run.now = start
  expect((await own.send(keys, { do: 'remove', id: 'abc' })).status).toBe(303)
  expect(await address(email)).toEqual([200, false])

  // Whoever looks after people changes the address of nobody who may do more.
  const people = Object.entries(web.run.people)
  const manager = people.find(([name]) => name.startsWith('M') && name !== 'Moritz')!
  const boss = await web.browser(manager[0])
  const give = async (by: TestBrowser, whom: string, to: string) => {
    const headers = { 'x-csrf-token': await by.token() }
    const answer = await by.json('PATCH', `/api/v1/person/${whom}`, { email: to }, headers)
    return [answer.status, answer.text.includes('NF-HIGHER')]
  }
  expect(await give(own, manager[1], 'dan@new.example')).toEqual([403, true])
  expect(await give(own, web.run.people.Ben!, 'ben@new.example')).toEqual([200, false])
  expect(await give(boss, dan, 'dan@new.example')).toEqual([200, false])
  expect(await give(boss, dan, email)).toEqual([200, false])
  await web.web.reload(web.served)
})

test('the database alone does not make codes; what was kept before there was a key is sealed with the next right one', async () => {
  const { secret } = await withFactor()
  const { store } = web.run.runtime
  const kept = async () =>
    (await store.query<{ secret: string }>(sql`select secret from ninefold.second_factor`))[0]!.secret
  expect(await kept()).not.toContain(secret)
  await store.query(sql`update ninefold.second_factor set secret = ${secret}`)
  web.run.now = later(60)
  const browser = await web.browser(null)
  const asked = await signIn(browser)
  await browser.send('/-/sign-in/code', { token: tokenIn(asked), code: codeAt(secret), next: '/loans' })
  expect(await isIn(browser)).toBe(true)
  expect(await kept()).toMatch(/^sealed:1:/)
})
