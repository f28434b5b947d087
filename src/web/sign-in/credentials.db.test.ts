/** Whatever decides how somebody signs in changes in one way: by whoever is there, never by a key that was not made for it, and it is told. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { raw, sql } from '../../expression/sql.ts'
import { passwords } from '../../run/people/password.ts'
import { loanDesk, readSound } from '../../run/testing.ts'
import { presentMinutes } from '../bounds.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from '../testing.ts'
import { writePassword } from './accounts.ts'

let web: TestWeb
const start = new Date('2026-03-02T09:00:00.000Z')
const password = 'four unrelated words here'
const addresses = { Mia: 'mia@loans.example', Dan: 'dan@loans.example', Ben: 'ben@loans.example' } as const
const store = () => web.run.runtime.store

beforeAll(async () => {
  const people = `### Person

| Role | See | Change |
| --- | --- | --- |
| Borrower | \`this = me\` | \`this = me\` |
| Manager | yes | yes |

## 7 `
  const app = readSound(loanDesk, text =>
    text.replace('**Sign-in:** e-mail link', '**Sign-in:** e-mail link, password').replace('## 7 ', people),
  )
  web = await startTestWeb(inject('databaseUrl'), app)
  const hash = await passwords(randomBytes).hash(password)
  await store().inTransaction(async tx => {
    for (const name of ['Mia', 'Dan']) await writePassword(tx, web.run.people[name]!, hash, start)
  })
})
beforeEach(async () => {
  web.run.now = start
  await store().inTransaction(async tx => {
    for (const table of ['attempt', 'outbox', 'api_key', 'session'])
      await tx.query(raw(`delete from ninefold.${table}`))
    for (const [name, email] of Object.entries(addresses))
      await tx.write(sql`update public.person set email = ${email} where id = ${web.run.people[name]}::uuid`)
  })
})
afterAll(() => web?.stop())

const later = (minutes: number) => new Date(web.run.now.getTime() + minutes * 60_000)
const mails = () =>
  store().query<{ to: string; text: string }>(
    sql`select payload->'to'->>'address' as to, payload->>'text' as text from ninefold.outbox where name = 'sign_in_changed' order by id`,
  )
const addressOf = async (name: string) =>
  (
    await store().query<{ email: string }>(
      sql`select email from public.person where id = ${web.run.people[name]}::uuid`,
    )
  )[0]!.email
async function keyOf(browser: TestBrowser, role: string, more: Record<string, string> = {}): Promise<string> {
  const fields = { name: `Key ${randomBytes(4).toString('hex')}`, role, days: '30', current: password, ...more }
  const made = await browser.submit('/-/account/keys', '/-/account/keys', fields)
  return />(nf_[\w-]{43})</.exec(made.text)![1]!
}
const patch = async (key: string, name: string, email: string) => {
  const answer = await fetch(`${web.url}/api/v1/person/${web.run.people[name]}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })
  return [answer.status, /NF-[A-Z-]+/.exec(await answer.text())?.[0] ?? null]
}

test('a key changes nobody’s address, unless it was made for that', async () => {
  const mia = await web.browser('Mia')
  const dan = await web.browser('Dan')
  const plain = await keyOf(mia, 'Manager')
  for (const name of ['Dan', 'Mia', 'Ben'])
    expect(await patch(plain, name, 'evil@loans.example')).toEqual([403, 'NF-KEY-SIGN-IN'])
  const other = await fetch(`${web.url}/api/v1/person/${web.run.people.Ben}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${plain}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ben' }),
  })
  expect(other.status).toBe(200)
  await store().query(sql`delete from ninefold.outbox`)
  const made = await keyOf(mia, 'Manager', { sign_in: 'yes' })
  expect((await mia.get('/-/account/keys')).text).toContain('May change how people sign in</span>')
  await store().query(sql`delete from ninefold.outbox`)
  expect(await patch(made, 'Dan', 'daniel@loans.example')).toEqual([200, null])
  // He is told where he was and where he is, and is out.
  expect((await mails()).map(({ to }) => to)).toEqual(['dan@loans.example', 'daniel@loans.example'])
  expect((await mails())[0]!.text).toContain('was dan@loans.example and is daniel@loans.example now')
  expect((await mails())[0]!.text).toContain('By somebody who looks after people here')
  expect((await dan.get('/-/account')).status).toBe(303)
})

test('an old session changes no address and gives no role, until its person confirms who they are', async () => {
  const mia = await web.browser('Mia')
  await web.browser('Ben')
  web.run.now = later(presentMinutes + 1)
  const give = async (email: string) => {
    const headers = { 'x-csrf-token': await mia.token() }
    const answer = await mia.json('PATCH', `/api/v1/person/${web.run.people.Dan}`, { email }, headers)
    return [answer.status, /NF-[A-Z-]+/.exec(answer.text)?.[0] ?? null]
  }
  const appoint = () => mia.send('/-/people/role', { person: web.run.people.Ben!, role: 'Clerk', do: 'appoint' })
  expect(await give('daniel@loans.example')).toEqual([403, 'NF-PRESENCE'])
  const refused = await appoint()
  expect([refused.status, refused.text.includes('Confirm that it is you')]).toEqual([403, true])
  expect((await mia.get('/-/account')).text).toContain('action="/-/account/present"')
  expect((await mia.send('/-/account/present', { current: 'wrong', next: '/-/people' })).status).toBe(422)
  expect(await give('daniel@loans.example')).toEqual([403, 'NF-PRESENCE'])
  const confirmed = await mia.send('/-/account/present', { current: password, next: '/-/people' })
  expect([confirmed.status, confirmed.location]).toEqual([303, '/-/people'])
  expect((await mia.get('/-/account')).text).not.toContain('action="/-/account/present"')
  expect(await give('daniel@loans.example')).toEqual([200, null])
  expect((await appoint()).status).toBe(303)
  const withdraw = () => mia.send('/-/people/role', { person: web.run.people.Ben!, role: 'Clerk', do: 'withdraw' })
  web.run.now = later(presentMinutes + 1)
  expect((await withdraw()).status, 'nor takes one').toBe(403)
  expect((await mia.send('/-/account/present', { current: password, next: '/-/people' })).status).toBe(303)
  await store().query(sql`delete from ninefold.outbox`)
  expect([(await withdraw()).status, (await withdraw()).status], 'what is not there is not told').toEqual([303, 303])
  expect((await mails()).map(({ to, text }) => [to, text.split('\n')[0]])).toEqual([
    ['ben@loans.example', 'You do not have the role Clerk any more.'],
  ])
  web.run.now = later(presentMinutes + 1)
  expect(await give('dan@loans.example')).toEqual([403, 'NF-PRESENCE'])
})

test('whoever shows anew who they are goes on under another token; that of before is nobody’s, and open forms stay good', async () => {
  const mia = await web.browser('Mia')
  const before = new Map(mia.cookies)
  const open = await mia.token()
  const confirm = (current: string) => mia.send('/-/account/present', { current, next: '/-/people' })
  expect((await confirm('wrong')).status).toBe(422)
  expect(mia.cookies, 'a wrong password changes nothing').toEqual(before)
  expect((await confirm(password)).status).toBe(303)
  const [[name, token]] = [...before].filter(([key]) => key.endsWith('ninefold')) as [[string, string]]
  expect(mia.cookies.get(name)).not.toBe(token)
  expect(
    (await mia.post('/-/people/role', { person: web.run.people.Ben!, role: 'Clerk', do: 'appoint', _csrf: open }))
      .status,
  ).toBe(303)
  const thief = await web.browser(null)
  thief.cookies.set(name, token)
  expect((await thief.get('/-/account')).location).toMatch(/^\/-\/sign-in/)
  // Twice over, the same.
  await confirm(password)
  expect(
    (await mia.post('/-/people/role', { person: web.run.people.Ben!, role: 'Clerk', do: 'withdraw', _csrf: open }))
      .status,
  ).toBe(303)
})

test('one’s own address: the session that asks stays, all others end, and the old mailbox is told', async () => {
  const [here, there] = [await web.browser('Dan'), await web.browser('Dan')]
  const headers = { 'x-csrf-token': await here.token() }
  const answer = await here.json(
    'PATCH',
    `/api/v1/person/${web.run.people.Dan}`,
    { email: 'new@loans.example' },
    headers,
  )
  expect([answer.status, (await here.get('/-/account')).status, (await there.get('/-/account')).status]).toEqual([
    200, 200, 303,
  ])
  expect((await mails()).map(({ to }) => to)).toEqual(['dan@loans.example', 'new@loans.example'])
  expect((await mails())[0]!.text).toContain('By yourself')
})

test('a new password and a new key are told, remembered, and never say what they are', async () => {
  const dan = await web.browser('Dan')
  const key = await keyOf(dan, 'Clerk', { name: 'Night import' })
  expect((await dan.send('/-/account', { current: password, password })).status).toBe(303)
  const told = await mails()
  expect(told.map(({ to, text }) => [to, text.split('\n')[0]])).toEqual([
    ['dan@loans.example', 'A key for programs was made: Night import.'],
    ['dan@loans.example', 'Your password is a new one. All other sessions, links and keys for programs have ended.'],
  ])
  expect(JSON.stringify(told)).not.toContain(key)
  const history = await store().query(
    sql`select what, actor from ninefold.history where kind = 'sign-in' and record = ${web.run.people.Dan}::uuid order by id desc limit 2`,
  )
  expect(history).toEqual([
    { what: 'password', actor: web.run.people.Dan },
    { what: 'key', actor: web.run.people.Dan },
  ])
})

test('in German, to whoever reads German; nothing is told that was refused', async () => {
  await store().inTransaction(tx =>
    tx.write(
      sql`insert into ninefold.preference (person, language, changed_at) values (${web.run.people.Dan}::uuid, 'de', ${start})`,
    ),
  )
  const dan = await web.browser('Dan')
  expect((await dan.send('/-/account', { current: 'wrong', password })).status).toBe(422)
  expect(await mails()).toEqual([])
  expect((await dan.send('/-/account', { current: password, password })).status).toBe(303)
  expect((await mails())[0]!.text).toContain('Ihr Passwort ist ein neues')
  await store().query(sql`delete from ninefold.preference`)
})

test('whoever appoints people ends the sessions of others and resets a lost second factor, and never their own', async () => {
  const mia = await web.browser('Mia')
  const [dan, ben] = [await web.browser('Dan'), await web.browser('Ben')]
  const { Dan, Mia } = web.run.people as Record<'Dan' | 'Mia', string>
  const page = (person: string) => `/-/people/sign-in?${new URLSearchParams({ person })}`
  const send = (browser: TestBrowser, person: string, does: string) =>
    browser.send('/-/people/sign-in', { person, do: does })
  expect((await mia.get('/-/people')).text).toContain(page(Dan))
  expect((await mia.get(page(Dan))).text).toContain('Signed in on 1 device now.')
  for (const [browser, person] of [
    [ben, Dan],
    [dan, Mia],
    [mia, Mia],
  ] as const) {
    expect((await browser.get(page(person))).status).toBe(404)
    expect((await send(browser, person, 'sessions')).status).toBe(404)
  }
  expect((await send(mia, Dan, 'sessions')).location).toBe(page(Dan))
  expect([(await dan.get('/-/account')).status, (await ben.get('/-/account')).status]).toEqual([303, 200])

  await store().inTransaction(async tx => {
    await tx.write(
      sql`insert into ninefold.second_factor (person, secret, confirmed_at) values (${Dan}::uuid, 'x', ${start})`,
    )
    await tx.write(sql`insert into ninefold.recovery_code (person, code_hash) values (${Dan}::uuid, 'x'::bytea)`)
    await tx.write(sql`insert into ninefold.passkey (id, person, public_key, counter, name, made_at)
      values ('lost', ${Dan}::uuid, ''::bytea, 0, 'Lost phone', ${start})`)
  })
  web.run.now = later(presentMinutes + 1)
  expect((await send(mia, Dan, 'factor')).status).toBe(403)
  expect(await store().query(sql`select from ninefold.second_factor`)).toHaveLength(1)
  web.run.now = start
  expect((await send(mia, Dan, 'factor')).status).toBe(303)
  for (const table of ['second_factor', 'recovery_code', 'passkey'])
    expect(await store().query(raw(`select from ninefold.${table}`))).toEqual([])
  expect((await mails()).map(({ to, text }) => [to, text.split('\n')[0]])).toEqual([
    [addresses.Dan, 'You were signed out everywhere.'],
    [addresses.Dan, 'The second factor was turned off. All other sessions have ended.'],
  ])
  const history = await store().query(
    sql`select what, actor from ninefold.history where kind = 'sign-in' and record = ${Dan}::uuid order by id desc limit 2`,
  )
  expect(history).toEqual([
    { what: 'factor off', actor: Mia },
    { what: 'sessions', actor: Mia },
  ])
})

test('an address comes back as it was where the write is refused for something else', async () => {
  const mia = await web.browser('Mia')
  const headers = { 'x-csrf-token': await mia.token() }
  const answer = await mia.json(
    'PATCH',
    `/api/v1/person/${web.run.people.Dan}`,
    { email: 'x@loans.example', name: '' },
    headers,
  )
  expect([answer.status, await addressOf('Dan'), await mails()]).toEqual([422, 'dan@loans.example', []])
})
