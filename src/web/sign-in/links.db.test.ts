/** Invitations and forgotten passwords: links that work once, for a time, and tell nobody who has an account. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { loanDesk, readSound, testId } from '../../run/testing.ts'
import { ForgetfulBrowser, fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from '../testing.ts'
import { makeKey } from './api-keys.ts'
import { openLink } from './links.ts'
import { tidyTraces } from './tidy.ts'

let web: TestWeb
let manager: TestBrowser
const start = new Date('2026-03-02T09:00:00.000Z')
const password = 'four unrelated words here'
const later = (minutes: number) => new Date(start.getTime() + minutes * 60_000)

beforeAll(async () => {
  const app = readSound(loanDesk, text =>
    text
      .replace('**Languages:** English', '**Languages:** English, German')
      .replace('**Sign-in:** e-mail link', '**Sign-in:** e-mail link, password')
      .replace(
        '### Person\n',
        '### Person\n\n- **Sign-in when:** left_on is empty or left_on > today\n\n| Field | Type |\n| --- | --- |\n| left_on | date |\n',
      ),
  )
  web = await startTestWeb(inject('databaseUrl'), app)
  const [row] = await web.run.runtime.store.query<{ name: string }>(sql`
    select name from public.person join ninefold.appointment on appointment.person = person.id where role = 'Manager' limit 1`)
  manager = await web.browser(row!.name)
})
beforeEach(async () => {
  web.run.now = start
  await web.run.runtime.store.inTransaction(async tx => {
    await tx.write(sql`delete from ninefold.attempt`)
    await tx.write(sql`delete from ninefold.outbox`)
    await tx.write(sql`delete from ninefold.link`)
  })
})
afterAll(() => web?.stop())

const email = async (name: string) => {
  const [row] = await web.run.runtime.store.query<{ email: string }>(
    sql`select email from public.person where name = ${name}`,
  )
  return row!.email
}
interface Mail {
  readonly name: string
  readonly record: string
  readonly text: string | null
}
const mails = () =>
  web.run.runtime.store.query<Mail>(
    sql`select name, record, payload->>'text' as text from ninefold.outbox where kind = 'mail' order by id`,
  )
/** Sent behind the answer: whoever asked must not be able to tell whether there was anything to send. */
async function mailed(): Promise<Mail> {
  let all: readonly Mail[] = []
  const sent = async () => {
    all = await mails()
    return all.length
  }
  await expect.poll(sent).toBeGreaterThan(0)
  return all[0]!
}
const pathIn = ({ text }: Mail): string => {
  const url = new URL(/http\S+/.exec(text ?? '')![0])
  return url.pathname + url.search
}
const forget = async (account: string) => {
  const browser = await web.browser(null)
  return browser.submit('/-/password', '/-/password/forgotten', { email: account })
}
const signIn = async (account: string, word: string) =>
  (await web.browser(null)).send('/-/sign-in', { email: account, password: word, next: '/loans' })

test('whoever asks for a link gets the same answer, and only an account gets the mail', async () => {
  const dan = await email('Dan')
  const known = await forget(dan)
  expect(known.status).toBe(200)
  const mail = await mailed()
  expect([mail.name, mail.record]).toEqual(['password', web.run.people.Dan])
  const unknown = await forget('nobody@example.org')
  const nonsense = await forget('nonsense')
  const plain = (page: { readonly text: string }, typed: string) =>
    page.text.replaceAll(typed, '').replaceAll(/value="[^"]*"/g, '')
  expect(unknown.status).toBe(200)
  expect(plain(unknown, 'nobody@example.org')).toBe(plain(known, dan))
  expect(plain(nonsense, 'nonsense')).toBe(plain(known, dan))
  expect((await mails()).length).toBe(1)
})

test('the link sets a password once, lets in, and ends what was there before', async () => {
  const before = await web.browser('Dan')
  await forget(await email('Dan'))
  const path = pathIn(await mailed())
  const browser = await web.browser(null)
  const stored = JSON.stringify(await web.run.runtime.store.query(sql`select * from ninefold.link`))
  expect(stored).not.toContain(new URLSearchParams(path.split('?')[1]).get('token'))
  // Looking at it uses nothing up, and neither does a password that is refused.
  expect((await browser.get(path)).text).toContain('autoComplete="new-password"')
  for (const refused of ['short', 'password123', await email('Dan')]) {
    const page = await browser.submit(path, '/-/password', { password: refused })
    expect([refused, page.status]).toEqual([refused, 422])
  }
  const done = await browser.submit(path, '/-/password', { password })
  expect([done.status, done.location]).toEqual([303, '/'])
  expect((await browser.get('/-/account')).status).toBe(200)
  expect((await before.get('/-/account')).status).toBe(303)
  expect((await browser.get(path)).status).toBe(403)
  const token = new URLSearchParams(path.split('?')[1]).get('token') ?? ''
  const again = await (await web.browser(null)).send('/-/password', { token, password: 'some other words now' })
  expect(again.status).toBe(403)
  expect((await signIn(await email('Dan'), password)).status).toBe(303)
  expect((await signIn(await email('Dan'), 'some other words now')).status).toBe(422)
})

test('two who use one link at once: one of them', async () => {
  const token = await openLink(web.run.runtime.store, web.run.people.Dan!, start, randomBytes, 'password')
  const browsers = await Promise.all([1, 2, 3, 4].map(() => web.browser(null)))
  const answers = await Promise.all(
    browsers.map((browser, at) => browser.send('/-/password', { token, password: `${password} ${at}` })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 403, 403, 403])
})

test('a link ends with its time, with its account and with the address, and is for one thing only', async () => {
  const store = web.run.runtime.store
  const open = (purpose: 'sign_in' | 'password' | 'invitation') =>
    openLink(store, web.run.people.Dan!, start, randomBytes, purpose)
  const browser = await web.browser(null)
  const status = async (path: string, token: string) =>
    (await browser.get(`${path}?${new URLSearchParams({ token })}`)).status
  const [entry, reset, invitation] = [await open('sign_in'), await open('password'), await open('invitation')]
  expect(await status('/-/password', entry)).toBe(403)
  expect((await browser.send('/-/password', { token: entry, password })).status).toBe(403)
  expect(await status('/-/link', reset)).toBe(403)
  expect((await browser.send('/-/link', { token: reset })).status).toBe(403)

  web.run.now = later(30)
  expect(await status('/-/password', reset)).toBe(403)
  expect(await status('/-/password', invitation)).toBe(200)
  web.run.now = later(7 * 1440 - 1)
  expect(await status('/-/password', invitation)).toBe(200)
  web.run.now = later(7 * 1440)
  expect(await status('/-/password', invitation)).toBe(403)
  const limits = { invitation_days: '9', password_link: '5' }
  const longer = await openLink(store, web.run.people.Dan!, start, randomBytes, 'invitation', limits)
  expect(await status('/-/password', longer)).toBe(200)
  const shorter = await openLink(store, web.run.people.Dan!, later(7 * 1440 - 5), randomBytes, 'password', limits)
  expect(await status('/-/password', shorter)).toBe(403)

  web.run.now = start
  const dan = sql`where id = ${web.run.people.Dan!}::uuid`
  await store.inTransaction(tx => tx.write(sql`update public.person set email = 'x' || email ${dan}`))
  expect(await status('/-/password', invitation)).toBe(403)
  expect((await browser.send('/-/password', { token: invitation, password })).status).toBe(403)
  await store.inTransaction(tx => tx.write(sql`update public.person set email = substr(email, 2) ${dan}`))
  expect(await status('/-/password', invitation)).toBe(200)
  await store.inTransaction(tx =>
    tx.write(sql`insert into ninefold.account (person, disabled_at, changed_at) values (${web.run.people.Dan!}::uuid, ${start}, ${start})
      on conflict (person) do update set disabled_at = excluded.disabled_at`),
  )
  expect(await status('/-/password', invitation)).toBe(403)
  await forget(await email('Dan'))
  await new Promise(resolve => setTimeout(resolve, 300))
  expect(await mails()).toEqual([])
  await store.inTransaction(tx =>
    tx.write(sql`delete from ninefold.account where person = ${web.run.people.Dan!}::uuid`),
  )
  for (const token of ['', 'x', 'A'.repeat(43)])
    expect([token, await status('/-/password', token)]).toEqual([token, 403])
})

test('whoever may appoint adds a person, who is invited by mail and gets in', async () => {
  const added = await manager.submit('/-/people', '/-/people', {
    name: 'Nora',
    email: 'nora@example.org',
    invite: 'yes',
  })
  expect(added.status).toBe(303)
  const mail = await mailed()
  expect(mail.name).toBe('invitation')
  expect((await manager.get('/-/people')).text).toContain('Nora was sent an invitation.')
  const offers = async () => (await manager.get('/-/people')).text.split('action="/-/people/invite"').length
  const before = await offers()
  const nora = await web.browser(null)
  const page = await nora.get(pathIn(mail))
  expect(page.text).toContain('Nora (nora@example.org)')
  expect((await nora.submit(pathIn(mail), '/-/password', { password })).status).toBe(303)
  expect((await nora.get('/-/account')).text).toContain('nora@example.org')
  expect(await offers()).toBe(before - 1)
})

test('nobody else invites, nobody is invited without an end, and an address is not needed', async () => {
  const dan = await web.browser('Dan')
  expect((await dan.send('/-/people/invite', { person: web.run.people.Dan! })).status).toBe(404)
  expect((await manager.send('/-/people/invite', { person: 'x' })).status).toBe(404)
  expect((await manager.send('/-/people/invite', { person: '00000000-0000-7000-8000-000000000000' })).status).toBe(404)
  for (let at = 0; at < 8; at++) await manager.send('/-/people/invite', { person: web.run.people.Dan! })
  expect((await mails()).length).toBe(3)
  expect((await manager.get('/-/people')).text).toContain('too many invitations')
  const silent = await manager.send('/-/people', { name: 'Nils', email: 'nils@example.org', invite: 'no' })
  expect(silent.status).toBe(303)
  expect((await mails()).length).toBe(3)
})

test('where the document only speaks of links, an invitation lets in without a password', async () => {
  const app = readSound(join(import.meta.dirname, '../../run/fixtures/requests.md'), text =>
    text.replace('**Sign-in:** password', '**Sign-in:** e-mail link'),
  )
  const other = await startTestWeb(inject('databaseUrl'), app)
  try {
    const token = await openLink(other.run.runtime.store, other.run.people.Sven!, start, randomBytes, 'invitation')
    const browser = await other.browser(null)
    expect((await browser.get('/-/password')).status).toBe(404)
    const path = `/-/password?${new URLSearchParams({ token })}`
    expect((await browser.get(path)).text).not.toContain('new-password')
    expect((await browser.send('/-/password', { token, password })).status).toBe(403)
    expect((await browser.submit(path, '/-/link')).status).toBe(303)
    expect((await browser.get('/-/account')).status).toBe(200)
  } finally {
    await other.stop()
  }
})

test('a mail that has left does not keep its link', async () => {
  await forget(await email('Dan'))
  await mailed()
  const store = web.run.runtime.store
  await tidyTraces(store, later(120))
  expect((await mails())[0]!.text).toContain('http')
  await store.inTransaction(tx => tx.write(sql`update ninefold.outbox set state = 'delivered'`))
  await tidyTraces(store, later(120))
  expect((await mails())[0]!.text).toBeNull()
})

test('who has left is out with the next request, comes in by no way, and is mailed nothing', async () => {
  const { store } = web.run.runtime
  const [row] = await store.query<{ id: string; name: string; email: string; role: string }>(sql`
    select p.id, p.name, p.email, a.role from public.person as p join ninefold.appointment as a on a.person = p.id
    where a.role <> 'Manager' order by p.name limit 1`)
  const { id, name, role } = row!
  const leaves = (day: string | null) =>
    store.inTransaction(tx => tx.write(sql`update public.person set left_on = ${day}::date where id = ${id}::uuid`))
  const browser = await web.browser(name)
  const made = await store.inTransaction(tx =>
    makeKey(tx, randomBytes, {
      signIn: false,
      id: testId(),
      person: id,
      name: 'Feed',
      role,
      now: start,
      ends: later(600),
    }),
  )
  const key = 'key' in made ? made.key : ''
  const byKey = async () =>
    (await fetch(`${web.url}/api/v1/item`, { headers: { authorization: `Bearer ${key}` } })).status
  const statements = async () => (await store.counted(() => browser.get('/-/account'))).statements.length
  await browser.get('/-/account')
  const before = await statements()
  await leaves('2026-03-03')
  expect([(await browser.get('/-/account')).status, await byKey()]).toEqual([200, 200])
  expect(await statements()).toBe(before)

  await leaves('2026-03-02')
  expect([(await browser.get('/-/account')).status, await byKey()]).toEqual([303, 401])
  const token = await openLink(store, id, start, randomBytes, 'sign_in')
  const stranger = await web.browser(null)
  const refused = await stranger.submit(`/-/link?token=${token}`, '/-/link', { token })
  expect(refused.status).toBe(403)
  expect(refused.text).toContain('You cannot sign in here any more, or not yet.')
  await manager.submit('/-/people', '/-/people/invite', { person: id })
  expect(await mails()).toEqual([])

  await leaves(null)
  expect((await browser.get('/-/account')).status).toBe(200)
})

test('whose browser keeps no cookies is told so wherever one signs in, has what was typed, and keeps the link', async () => {
  const browser = new ForgetfulBrowser(web.url)
  const dan = await email('Dan')
  const link = async (purpose: 'password' | 'sign_in' | 'invitation') =>
    openLink(web.run.runtime.store, web.run.people.Dan!, start, randomBytes, purpose)
  const pages: readonly (readonly [page: string, action: string, typed: Record<string, string>])[] = [
    ['/-/sign-in', '/-/sign-in', { email: dan, password }],
    ['/-/password', '/-/password/forgotten', { email: dan }],
    [`/-/password?token=${await link('password')}`, '/-/password', { password }],
    [`/-/password?token=${await link('invitation')}`, '/-/password', { password }],
    [`/-/link?token=${await link('sign_in')}`, '/-/link', {}],
  ]
  const said = {
    en: ['Your browser sent no cookie', 'Allow cookies for localhost'],
    de: ['Ihr Browser hat kein Cookie geschickt', 'Cookies für localhost'],
  }
  for (const [page, action, typed] of pages)
    for (const [language, sentences] of Object.entries(said)) {
      const headers = { 'accept-language': language }
      const sent = { ...fieldsOf((await browser.get(page, headers)).text, action), ...typed }
      const { status, text } = await browser.post(action, sent, headers)
      expect([page, status, ...sentences.filter(sentence => !text.includes(sentence))]).toEqual([page, 403])
      const back: Record<string, string> = fieldsOf(text, action)
      expect([back.email, back.token, back.password ?? '']).toEqual([typed.email, sent.token, ''])
    }
  expect(await web.run.runtime.store.query(sql`select from ninefold.outbox`)).toEqual([])
  // Cookies are allowed meanwhile: what stands there is sent once more.
  const allowed = await web.browser(null)
  const opened = await allowed.get(pages[2]![0])
  allowed.cookies.clear()
  const refused = await allowed.post('/-/password', { ...fieldsOf(opened.text, '/-/password'), password })
  const entered = await allowed.post('/-/password', { ...fieldsOf(refused.text, '/-/password'), password })
  expect([refused.status, entered.status, allowed.cookies.has('ninefold')]).toEqual([403, 303, true])
})
