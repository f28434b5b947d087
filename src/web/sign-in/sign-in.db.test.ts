import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { changeConstant } from '../../run/limits.ts'
import { passwords } from '../../run/people/password.ts'
import { done, loanDesk, readSound } from '../../run/testing.ts'
import { keptMinutes } from '../bounds.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from '../testing.ts'
import { writePassword } from './accounts.ts'

let web: TestWeb
const start = new Date('2026-03-02T09:00:00.000Z')
const idleMinutes = 40
const lengthHours = 3
const password = 'four unrelated words here'

const minutes = (count: number) => new Date(web.run.now.getTime() + count * 60_000)
const email = async (name: string) => {
  const [row] = await web.run.runtime.store.query<{ email: string }>(
    sql`select email from public.person where name = ${name}`,
  )
  return row!.email
}
const signIn = (browser: TestBrowser, account: string, word: string, next = '/loans') =>
  browser.send('/-/sign-in', { email: account, password: word, next })
const sessionCookie = (browser: TestBrowser) => browser.cookies.get('ninefold')
/** Sent behind the answer: whoever asked must not be able to tell whether there was anything to send. */
async function links(): Promise<readonly string[]> {
  let texts: readonly { text: string }[] = []
  const sent = async () => {
    texts = await web.run.runtime.store.query<{ text: string }>(
      sql`select payload->>'text' as text from ninefold.outbox where name = 'sign_in' order by id desc`,
    )
    return texts.length
  }
  await expect.poll(sent).toBeGreaterThan(0)
  return texts.map(({ text }) => new URL(/http\S+/.exec(text)![0]).pathname + new URL(/http\S+/.exec(text)![0]).search)
}

beforeAll(async () => {
  const rows = `| session_idle | ${idleMinutes} | minutes | 5 to 600 | Manager | |\n| session_length | ${lengthHours} | hours | | | |\n| sign_in_attempts | 5 | attempts | 2 to 8 | Manager | |\n`
  const app = readSound(loanDesk, text => text.replace(/(?=\| max_loan_days )/, rows))
  web = await startTestWeb(inject('databaseUrl'), app)
  const hash = await passwords(randomBytes).hash(password)
  await web.run.runtime.store.inTransaction(tx => writePassword(tx, web.run.people.Dan!, hash, start))
})
beforeEach(async () => {
  web.run.now = start
  await web.run.runtime.store.inTransaction(async tx => {
    await tx.write(sql`delete from ninefold.attempt`)
    await tx.write(sql`delete from ninefold.outbox`)
  })
})
afterAll(() => web?.stop())

test('nobody gets in with what does not fit, and all get the same answer', async () => {
  const browser = await web.browser(null)
  const dan = await email('Dan')
  const wrong = [
    [dan, 'wrong'],
    ['nobody@example.org', password],
    [await email('Cleo'), password],
    ['no address', password],
    ['', ''],
  ] as const
  const answers = []
  for (const [account, word] of wrong) answers.push(await signIn(browser, account, word))
  for (const answer of answers) {
    expect(answer.status).toBe(422)
    expect(answer.headers.getSetCookie().join()).not.toMatch(/ninefold=/)
    expect(answer.text).toContain('E-mail and password do not match an account.')
  }
  const comparable = answers.map(({ text }, index) =>
    text.replaceAll(/value="[^"]*"/g, '').replaceAll(wrong[index]![0], ''),
  )
  expect(new Set(comparable.slice(0, 3)).size).toBe(1)
})

test('the right password opens a new session, and leads where one wanted to go, here', async () => {
  const browser = await web.browser(null)
  const before = browser.cookies.get('ninefold-visit')
  const answer = await signIn(browser, ` ${(await email('Dan')).toUpperCase()} `, password, '/desk?q=1')
  expect([answer.status, answer.location]).toEqual([303, '/desk?q=1'])
  const token = sessionCookie(browser)
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(token).not.toBe(before)
  const [stored] = await web.run.runtime.store.query(
    sql`select token_hash from ninefold.session where token_hash = ${Buffer.from(token!)}`,
  )
  expect(stored).toBeUndefined()
  expect((await browser.get('/desk')).status).toBe(200)
  expect((await signIn(await web.browser(null), await email('Dan'), password, 'https://evil.example')).location).toBe(
    '/',
  )
})

test('signing in never goes on with a token that was there before', async () => {
  const browser = await web.browser('Cleo')
  const before = sessionCookie(browser)
  await browser.send('/-/demo', { person: web.run.people.Dan! })
  expect(sessionCookie(browser)).not.toBe(before)
  const thief = await web.browser(null)
  thief.cookies.set('ninefold', before!)
  expect((await thief.get('/desk')).status).toBe(303)
  // A token that somebody else chose is no session, and does not become one.
  const fixed = await web.browser(null)
  fixed.cookies.set('ninefold', 'A'.repeat(43))
  await signIn(fixed, await email('Dan'), password)
  expect(sessionCookie(fixed)).not.toBe('A'.repeat(43))
})

test('a session ends when it is not used, at its end, at sign-out, and with its account', async () => {
  const idle = await web.browser('Dan')
  web.run.now = minutes(idleMinutes - 1)
  expect((await idle.get('/desk')).status).toBe(200)
  web.run.now = minutes(idleMinutes - 1)
  expect((await idle.get('/desk')).status).toBe(200)
  web.run.now = minutes(idleMinutes + 1)
  expect((await idle.get('/desk')).location).toBe('/-/sign-in?next=%2Fdesk')

  web.run.now = minutes(-2)
  done(await changeConstant(web.run.runtime, await web.run.as('Mia'), 'session_idle', '5'))
  expect((await idle.get('/desk')).status).toBe(303)
  await web.run.runtime.store.query(sql`delete from ninefold.constant`)

  web.run.now = start
  const long = await web.browser('Dan')
  for (let passed = 0; passed < lengthHours * 60; passed += 20) {
    expect((await long.get('/desk')).status).toBe(200)
    web.run.now = minutes(20)
  }
  web.run.now = minutes(1)
  expect((await long.get('/desk')).status).toBe(303)

  web.run.now = start
  const left = await web.browser('Dan')
  const token = sessionCookie(left)!
  const out = await left.send('/-/sign-out', {})
  expect([out.status, out.headers.get('clear-site-data')]).toEqual([303, '"cache", "storage"'])
  left.cookies.set('ninefold', token)
  // What was kept of a session that ended by itself goes, too.
  for (const [browser, clears] of [
    [left, '"cache", "storage"'],
    [await web.browser(null), null],
  ] as const) {
    const back = await browser.get('/desk')
    expect([back.status, back.headers.get('clear-site-data')]).toEqual([303, clears])
  }

  const disabled = await web.browser('Dan')
  await web.run.runtime.store.inTransaction(tx => tx.write(sql`update ninefold.account set disabled_at = ${start}`))
  expect((await disabled.get('/desk')).status).toBe(303)
  expect((await signIn(disabled, await email('Dan'), password)).status).toBe(422)
  await web.run.runtime.store.inTransaction(tx => tx.write(sql`update ninefold.account set disabled_at = null`))
})

test('a role that is taken away is gone with the next request', async () => {
  const dan = await web.browser('Dan')
  expect((await dan.get('/desk')).status).toBe(200)
  const { store } = web.run.runtime
  await store.inTransaction(tx => tx.write(sql`delete from ninefold.appointment where person = ${web.run.people.Dan}`))
  expect((await dan.get('/desk')).status).toBe(403)
  await store.inTransaction(tx =>
    tx.write(
      sql`insert into ninefold.appointment (person, role, at) values (${web.run.people.Dan}, 'Clerk', ${start})`,
    ),
  )
})

test('who tries again and again waits longer and longer, alone, and is forgiven', async () => {
  const browser = await web.browser(null)
  const dan = await email('Dan')
  const tries = []
  for (let count = 0; count < 7; count++) tries.push((await signIn(browser, dan, 'wrong')).status)
  expect(tries).toEqual([422, 422, 422, 422, 422, 429, 429])
  const blocked = await signIn(browser, dan, password)
  expect([blocked.status, Number(blocked.headers.get('retry-after'))]).toEqual([429, 2])
  // Somebody else is not held up by it, and neither is the same account after the wait.
  expect((await signIn(await web.browser(null), 'nobody@example.org', 'x')).status).toBe(422)
  web.run.now = new Date(start.getTime() + 2_100)
  expect((await signIn(browser, dan, 'wrong')).status).toBe(422)
  expect(Number((await signIn(browser, dan, password)).headers.get('retry-after'))).toBe(4)
  web.run.now = minutes(1)
  expect((await signIn(browser, dan, password)).status).toBe(303)
  expect((await signIn(await web.browser(null), dan, 'wrong')).status).toBe(422)
})

test('attempts at once are counted one by one, as many as the constant says', async () => {
  const most = async (value: string) =>
    done(await changeConstant(web.run.runtime, await web.run.as('Mia'), 'sign_in_attempts', value))
  await most('3')
  const browser = await web.browser(null)
  const token = await browser.token()
  const fields = { email: await email('Dan'), password: 'wrong', next: '/', _csrf: token }
  const statuses = await Promise.all(
    Array.from({ length: 16 }, async () => (await browser.post('/-/sign-in', fields)).status),
  )
  expect(statuses.filter(status => status === 422)).toHaveLength(3)
  await most('5')
})

test('a link signs in once, for a while, after asking; the answer tells nothing', async () => {
  const browser = await web.browser(null)
  const unknown = await browser.send('/-/sign-in/link', { email: 'nobody@example.org', next: '/' })
  const known = await browser.send('/-/sign-in/link', { email: await email('Cleo'), next: '/desk' })
  const plain = (text: string) => text.replaceAll(/(nobody@example\.org|cleo@[\w.]+|value="[^"]*"|href="[^"]*")/g, '')
  expect([unknown.status, plain(unknown.text)]).toEqual([known.status, plain(known.text)])

  const [link = ''] = await links()
  expect(await links()).toHaveLength(1)
  const other = await web.browser(null)
  const asks = await other.get(link)
  expect(asks.status).toBe(200)
  expect(asks.text).toContain('Cleo')
  expect((await other.get(link)).status).toBe(200)
  const token = new URL(link, web.url).searchParams.get('token')!
  const first = await other.send('/-/link', { token, next: '/desk' })
  expect([first.status, first.location]).toEqual([303, '/desk'])
  expect((await other.get('/desk')).status).toBe(200)
  expect((await (await web.browser(null)).send('/-/link', { token })).status).toBe(403)
  const late = await (await web.browser(null)).get(link)
  expect(late.status).toBe(403)
  // A new one is asked for where one signs in.
  expect(late.text).toMatch(/This link does not work any more<\/h1>[\s\S]*href="\/-\/sign-in"/)
})

test('two who follow one link at once: one gets in', async () => {
  const asking = await web.browser(null)
  await asking.send('/-/sign-in/link', { email: await email('Cleo') })
  const [link = ''] = await links()
  const token = new URL(link, web.url).searchParams.get('token')!
  const browsers = await Promise.all(Array.from({ length: 6 }, () => web.browser(null)))
  const statuses = await Promise.all(browsers.map(async browser => (await browser.send('/-/link', { token })).status))
  expect(statuses.sort()).toEqual([303, 403, 403, 403, 403, 403])
})

test('an old link, and one that was made up, are no links', async () => {
  const browser = await web.browser(null)
  await browser.send('/-/sign-in/link', { email: await email('Cleo') })
  const [link = ''] = await links()
  web.run.now = minutes(16)
  expect((await browser.get(link)).status).toBe(403)
  for (const token of ['', 'x', 'A'.repeat(43), '%00', '\ud800']) {
    expect((await browser.get(`/-/link?token=${encodeURIComponent(token.toWellFormed())}`)).status).toBe(403)
    expect((await browser.send('/-/link', { token })).status).toBe(403)
  }
})

test('a mailbox is not a stranger’s to fill', async () => {
  const browser = await web.browser(null)
  for (let count = 0; count < 8; count++)
    expect((await browser.send('/-/sign-in/link', { email: await email('Cleo') })).status).toBe(200)
  await new Promise(resolve => setTimeout(resolve, 300))
  expect((await links()).length).toBeLessThanOrEqual(3)
})

test('what somebody typed when the session had ended comes back after signing in', async () => {
  const browser = await web.browser('Cleo')
  const token = await browser.token()
  web.run.now = minutes(idleMinutes + 1)
  const lost = await browser.post('/loans/new', { _csrf: token, purpose: 'Keep me, please', due_back: '2026-03-05' })
  expect(lost.status).toBe(303)
  const to = new URL(lost.location!, web.url)
  expect(to.pathname).toBe('/-/sign-in')
  const next = to.searchParams.get('next')!
  expect(next).toMatch(/^\/loans\/new\?kept=/)
  // Not for another browser, and not for another page.
  const thief = await web.browser('Dan')
  expect((await thief.get(next)).text).not.toContain('Keep me')
  await browser.signIn(web.run.people.Cleo!)
  const form = await browser.get(next)
  expect(form.status).toBe(200)
  expect(form.text).toContain('Keep me, please')
  expect((await browser.get(next)).text).not.toContain('Keep me')
  expect(keptMinutes).toBeGreaterThan(10)
  // So many from one network, so that nobody pushes out what others typed.
  const stranger = await web.browser(null)
  const sent = await Promise.all(Array.from({ length: 64 }, () => stranger.post('/loans/new', { purpose: 'x' })))
  expect(sent.filter(({ location }) => location!.includes('kept')).length).toBe(59)
  expect(sent.every(({ location }) => location!.startsWith('/-/sign-in?next=%2Floans%2Fnew'))).toBe(true)
})

test('demo people are let in only in dev, and only they', async () => {
  const browser = await web.browser(null)
  expect((await browser.send('/-/demo', { person: '00000000-0000-7000-8000-000000000000' })).status).toBe(404)
  expect(sessionCookie(browser)).toBeUndefined()
})

test('a password is hidden while it is typed, browsers may fill it in, and nothing keeps one from pasting it', async () => {
  const browser = await web.browser('Cleo')
  const pages = [(await (await web.browser(null)).get('/-/sign-in')).text, (await browser.get('/-/account')).text]
  const inputs = pages.flatMap(text => text.match(/<input[^>]*name="(?:password|current)"[^>]*>/g) ?? [])
  expect(inputs.length).toBeGreaterThanOrEqual(2)
  for (const input of inputs) {
    expect(input).toContain('type="password"')
    expect(input).toMatch(/autoComplete="(?:current|new)-password"/i)
    expect(input).not.toMatch(/maxlength|readonly|onpaste/i)
  }
})

test('a new password ends every other session, and the keys of its person', async () => {
  const here = await web.browser('Dan')
  const keyOf = async (browser: TestBrowser, role: string) => {
    const made = await browser.submit('/-/account/keys', '/-/account/keys', {
      name: 'Feed',
      role,
      days: '30',
      current: password,
    })
    const key = />(nf_[\w-]{43})</.exec(made.text)?.[1]
    return async () => {
      const answer = await fetch(`${web.url}/api/v1/loan`, { headers: { authorization: `Bearer ${key}` } })
      await answer.body?.cancel()
      return answer.status
    }
  }
  const [byKey, byOther] = [await keyOf(here, 'Clerk'), await keyOf(await web.browser('Mia'), 'Manager')]
  expect((await here.get('/-/account')).text).toContain('your keys for programs stop working')
  const there = await web.browser('Dan')
  expect((await here.send('/-/account', { current: 'wrong', password: 'another long password' })).status).toBe(422)
  expect((await here.send('/-/account', { current: password, password: 'short' })).status).toBe(422)
  expect(await byKey()).toBe(200)
  expect((await here.send('/-/account', { current: password, password: 'another long password' })).status).toBe(303)
  expect((await here.get('/desk')).status).toBe(200)
  expect((await there.get('/desk')).status).toBe(303)
  expect([await byKey(), await byOther()]).toEqual([401, 200])
  expect((await signIn(there, await email('Dan'), password)).status).toBe(422)
  expect((await signIn(there, await email('Dan'), 'another long password')).status).toBe(303)
})
