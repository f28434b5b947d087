/** Single sign-on against a certified provider: only who it vouches for, only in the browser that went there, each way once. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { loanDesk, readSound } from '../../run/testing.ts'
import { signOnMinutes } from '../bounds.ts'
import { ForgetfulBrowser, startTestWeb, type TestBrowser, type TestWeb } from '../testing.ts'
import { openLink } from './links.ts'
import { startTestProvider, type TestProvider } from './testing-provider.ts'

let provider: TestProvider
let web: TestWeb
const start = new Date('2026-03-02T09:00:00.000Z')
const here = '/-/sign-in/single'

/** The loan desk with single sign-on; `more`: lines of heading 1. */
const desk = (more = '') =>
  readSound(loanDesk, text => text.replace(/- \*\*Sign-in:\*\* .*/, `- **Sign-in:** single sign-on\n${more}`))

beforeAll(async () => {
  provider = await startTestProvider()
  web = await startTestWeb(inject('databaseUrl'), desk(), { variable: provider.variable })
  await provider.register(web.url)
  const people = await web.run.runtime.store.query<{ name: string; email: string }>(
    sql`select name, email from public.person`,
  )
  for (const { name, email } of people) provider.people[name] = { name, email, email_verified: true }
  provider.people.Unverified = { ...provider.people.Dan, email_verified: false }
  provider.people.Texted = { ...provider.people.Dan, email_verified: 'true' }
  provider.people.Stranger = { name: 'Stranger', email: 'stranger@elsewhere.example', email_verified: true }
  provider.people.Nameless = { email_verified: true }
})
beforeEach(async () => {
  web.run.now = start
  provider.otherKeys = false
  await web.run.runtime.store.inTransaction(async tx => {
    await tx.write(sql`delete from ninefold.attempt`)
    await tx.write(sql`delete from ninefold.identity`)
    await tx.write(sql`delete from ninefold.sign_on`)
  })
})
afterAll(async () => {
  await web?.stop()
  await provider?.stop()
})

const isIn = async (browser: TestBrowser) => (await browser.get('/-/account')).status === 200
const begin = async (browser: TestBrowser, query = '') => (await browser.get(here + query)).location!
/** As a browser comes back from another site. */
const comeBack = (browser: TestBrowser, address: string) => browser.get(address, { 'sec-fetch-site': 'cross-site' })

async function signOn(who: string, query = '') {
  const browser = await web.browser(null)
  const page = await comeBack(browser, await provider.visit(await begin(browser, query), who))
  return { browser, page }
}

test('whoever the provider does not vouch for is not let in, and is told why', async () => {
  for (const [who, code] of [
    ['Unverified', 'has not verified'],
    ['Texted', 'has not verified'],
    ['Nameless', 'has not verified'],
    ['Stranger', 'Nobody is known here as stranger@elsewhere.example'],
    ['Denied', 'did not work'],
  ] as const) {
    const { browser, page } = await signOn(who)
    expect([who, page.status, await isIn(browser)]).toEqual([who, 403, false])
    expect(page.text).toContain(code)
  }
  expect(await web.run.runtime.store.query(sql`select from ninefold.identity`)).toEqual([])
})

test('what came back counts once, in time, and in the browser that went', async () => {
  const browser = await web.browser(null)
  const address = await provider.visit(await begin(browser), 'Dan')
  const other = await web.browser(null)
  await other.get('/-/sign-in')
  for (const [stranger, to] of [
    [other, address],
    [browser, address.replace(/state=[^&]+/, 'state=wrong')],
    [browser, address.replace(/state=[^&]+/, `state=${'A'.repeat(43)}`)],
    [browser, here.concat('/back')],
  ] as const)
    expect([to, (await comeBack(stranger, to)).status, await isIn(stranger)]).toEqual([to, 403, false])
  expect([(await comeBack(browser, address)).status, await isIn(browser)]).toEqual([303, true])
  // Refused by a browser without cookies for what it is.
  const forgetful = new ForgetfulBrowser(web.url)
  const unknown = await comeBack(forgetful, await provider.visit(await begin(forgetful), 'Dan'))
  expect([unknown.status, unknown.text.includes('Your browser sent no cookie')]).toEqual([403, true])
  // The same code again, after signing out.
  await browser.send('/-/sign-out', {})
  expect([(await comeBack(browser, address)).status, await isIn(browser)]).toEqual([403, false])

  const late = await web.browser(null)
  const slow = await provider.visit(await begin(late), 'Dan')
  web.run.now = new Date(start.getTime() + signOnMinutes * 60_000)
  expect([(await comeBack(late, slow)).status, await isIn(late)]).toEqual([403, false])
})

test('another nonce, code, secret of the code, or signature is refused', async () => {
  const changed: readonly (readonly [string, (to: string) => string, (back: string) => string])[] = [
    ['nonce', to => to.replace(/nonce=[^&]+/, 'nonce=another'), back => back],
    ['challenge', to => to.replace(/code_challenge=[^&]+/, `code_challenge=${'A'.repeat(43)}`), back => back],
    ['code', to => to, back => back.replace(/code=[^&]+/, 'code=another')],
    ['issuer', to => to, back => back.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example')],
  ]
  for (const [what, there, home] of changed) {
    const browser = await web.browser(null)
    const address = await provider.visit(there(await begin(browser)), 'Dan')
    const page = await comeBack(browser, home(address))
    expect([what, page.status, await isIn(browser)]).toEqual([what, 403, false])
    expect(page.text).toContain('Signing in with Acme did not work')
  }
  // A code of somebody else's browser, with the state of this one.
  const [mine, theirs] = [await web.browser(null), await web.browser(null)]
  const stolen = new URL(await provider.visit(await begin(theirs), 'Dan'), web.url).searchParams.get('code')!
  const own = await provider.visit(await begin(mine), 'Cleo')
  const page = await comeBack(mine, own.replace(/code=[^&]+/, `code=${stolen}`))
  expect([page.status, await isIn(mine)]).toEqual([403, false])
  const why = web.log.filter(({ event, detail }) => event === 'sign-in' && detail.ok === false).at(-1)
  expect(String(why?.detail.why)).not.toBe('')
  expect(JSON.stringify(why)).not.toContain(stolen)

  const fooled = await startTestWeb(inject('databaseUrl'), desk(), { variable: provider.variable })
  try {
    await provider.register(fooled.url)
    provider.otherKeys = true
    const browser = await fooled.browser(null)
    const answer = await comeBack(browser, await provider.visit(await begin(browser), 'Dan'))
    expect([answer.status, await isIn(browser)]).toEqual([403, false])
  } finally {
    await fooled.stop()
    await provider.register(web.url)
  }
})

test('it leads nowhere else, and starts only from a page of ours', async () => {
  for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example']) {
    const { page } = await signOn('Dan', `?${new URLSearchParams({ next })}`)
    expect([next, page.status, page.location]).toEqual([next, 303, '/'])
  }
  const { page } = await signOn('Dan', '?next=%2Floans%3Fstate%3DOut')
  expect(page.location).toBe('/loans?state=Out')
  const sent = await (await web.browser(null)).get(here, { 'sec-fetch-site': 'cross-site' })
  expect(sent.location).toMatch(/^\/-\/sign-in\?/)
  const to = new URL(await begin(await web.browser(null)))
  expect(to.origin).toBe(provider.issuer)
  expect(to.searchParams.get('code_challenge_method')).toBe('S256')
  expect(to.searchParams.get('response_type')).toBe('code')
  expect(to.searchParams.get('nonce')?.length).toBeGreaterThan(40)
})

test('a person stays connected with one subject, whatever its address becomes', async () => {
  await signOn('Dan')
  const was = provider.people.Dan!
  provider.people.Dan = { name: 'Dan', email: 'dan@new.example', email_verified: false }
  expect(await isIn((await signOn('Dan')).browser)).toBe(true)
  provider.people.Dan = was
  // Somebody else there has the address now: that is not the person here.
  provider.people.Heir = { ...was, name: 'Heir' }
  const { browser, page } = await signOn('Heir')
  expect([page.status, await isIn(browser)]).toEqual([403, false])
  expect(page.text).toContain('connected with somebody else')
  const dan = (await signOn('Dan')).browser
  expect((await dan.get('/-/account')).text).toContain('Acme')
  for (const issuer of ['https://evil.example', '\0', '\ud800'])
    expect((await dan.send('/-/account/connection', { issuer })).status).toBe(404)
  // It is asked whether it is still them: here by having signed in lately.
  const asking = await dan.get(`/-/account/connection?${new URLSearchParams({ issuer: provider.issuer })}`)
  expect([asking.status, asking.text.includes('Connected with Acme')]).toEqual([200, true])
  const { now } = web.run
  web.run.now = new Date(now.getTime() + 16 * 60_000)
  expect((await dan.send('/-/account/connection', { issuer: provider.issuer })).status).toBe(403)
  web.run.now = now
  expect((await dan.send('/-/account/connection', { issuer: provider.issuer })).status).toBe(303)
  expect(await isIn((await signOn('Heir')).browser)).toBe(true)
})

test('a disabled account stays shut, connected or not', async () => {
  const { store } = web.run.runtime
  await signOn('Cleo')
  const disable = (at: Date | null) =>
    store.inTransaction(tx =>
      tx.write(sql`insert into ninefold.account (person, disabled_at, changed_at) select id, ${at}, ${start} from public.person
        where name in ('Cleo', 'Dan') on conflict (person) do update set disabled_at = excluded.disabled_at`),
    )
  await disable(start)
  for (const who of ['Cleo', 'Dan']) {
    const { browser, page } = await signOn(who)
    expect([who, page.status, await isIn(browser)]).toEqual([who, 403, false])
  }
  await disable(null)
})

test('an invitation connects whoever follows it, once', async () => {
  const token = await openLink(web.run.runtime.store, web.run.people.Dan!, start, randomBytes, 'invitation')
  const page = await (await web.browser(null)).get(`/-/password?token=${token}`)
  expect(page.text).toContain(`invitation=${token}`)
  expect(page.text).not.toContain('type="password"')
  const { browser } = await signOn('Unverified', `?invitation=${token}`)
  expect((await browser.get('/-/account')).text).toContain('Dan')
  expect((await signOn('Texted', `?invitation=${token}`)).page.status).toBe(403)
})

test('without a password in the document none is taken; signing out says what is left to do', async () => {
  const visitor = await web.browser(null)
  const form = await visitor.get('/-/sign-in?next=%2Floans')
  expect(form.text).toContain('Sign in with Acme')
  expect(form.text).not.toContain('name="password"')
  expect((await visitor.send('/-/sign-in', { email: 'dan@example.org', password: 'x' })).status).toBe(404)
  const { browser } = await signOn('Dan')
  expect((await browser.get('/-/account')).text).not.toContain('name="password"')
  expect((await browser.send('/-/account', { password: 'some other words now' })).status).toBe(404)
  const out = await browser.send('/-/sign-out', {})
  expect(await isIn(browser)).toBe(false)
  const left = await browser.get(out.location!)
  expect(left.text).toContain(`${provider.issuer}/session/end`)
})

test('the document may let people of a domain sign up; nobody else', async () => {
  const { store } = web.run.runtime
  const app = desk('- **Sign-up:** elsewhere.example as Clerk\n')
  await web.web.reload({ ...web.served, runtime: { ...web.served.runtime, app } })
  provider.people.Far = { name: 'Far', email: 'far@notelsewhere.example', email_verified: true }
  provider.people.Doubtful = { name: 'Doubtful', email: 'doubtful@elsewhere.example', email_verified: false }
  for (const who of ['Far', 'Doubtful']) expect([who, (await signOn(who)).page.status]).toEqual([who, 403])
  // An address is refused with those that would do; one that nobody vouches for is not.
  expect((await signOn('Far')).page.text).toContain('needs an address at elsewhere.example')
  expect((await signOn('Doubtful')).page.text).not.toContain('elsewhere.example.')
  const { browser, page } = await signOn('Stranger')
  expect([page.status, await isIn(browser)]).toEqual([303, true])
  expect((await browser.get('/-/account')).text).toContain('stranger@elsewhere.example')
  const roles =
    await store.query(sql`select a.role from ninefold.appointment as a join public.person as p on p.id = a.person
    where p.email = 'stranger@elsewhere.example'`)
  expect(roles).toEqual([{ role: 'Clerk' }])
  // Only those for whom a provider speaks: there is no form.
  expect((await (await web.browser(null)).get('/-/sign-up')).status).toBe(404)
  await signOn('Stranger')
  expect(await store.query(sql`select from public.person where email = 'stranger@elsewhere.example'`)).toHaveLength(1)
  await web.web.reload(web.served)
})

test('without a provider in the environment the way is closed, and the page says so', async () => {
  const closed = await startTestWeb(inject('databaseUrl'), desk(), { mode: 'serve' })
  try {
    const browser = await closed.browser(null)
    expect((await browser.get('/-/sign-in')).text).toContain('single sign-on is not set up')
    expect([(await browser.get(here)).status, (await browser.get(`${here}/back`)).status]).toEqual([404, 404])
  } finally {
    await closed.stop()
  }
})
