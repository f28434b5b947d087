/** What is written down of who came in, who did not, and who was refused what; and what is never written down. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { passwords } from '../run/people/password.ts'
import { writePassword } from './sign-in/accounts.ts'
import { startTestWeb, type TestWeb } from './testing.ts'

let web: TestWeb
const password = 'four unrelated words here'
const email = 'dan@example.org'

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'))
  const { store } = web.run.runtime
  const hash = await passwords(randomBytes).hash(password)
  await store.inTransaction(async tx => {
    await tx.write(sql`update public.person set email = ${email} where id = ${web.run.people.Dan!}::uuid`)
    await writePassword(tx, web.run.people.Dan!, hash, web.run.now)
  })
})
afterAll(() => web?.stop())

const logged = (event: string) => web.log.filter(entry => entry.event === event)

test('coming in and failing to are written down: who or from where, by which way, with a second factor or without', async () => {
  const browser = await web.browser(null)
  await browser.send('/-/sign-in', { email, password: 'not it at all', next: '/' })
  expect(logged('sign-in').at(-1)).toMatchObject({
    level: 'warn',
    detail: { ok: false, way: 'password', address: expect.stringContaining('127.0.0.1') },
  })
  expect((await browser.send('/-/sign-in', { email, password, next: '/' })).status).toBe(303)
  expect(logged('sign-in').at(-1)).toMatchObject({
    level: 'info',
    detail: { ok: true, way: 'password', strong: false, person: web.run.people.Dan, address: expect.any(String) },
  })
  expect((await browser.send('/-/sign-out', {})).status).toBe(303)
  expect(logged('sign-out')).toHaveLength(1)
})

test('who is refused what is written down, with the roles that they asked with', async () => {
  const ben = await web.browser('Ben')
  const person = web.run.people.Ben
  const refused: readonly (readonly [number, string, () => Promise<unknown>])[] = [
    [404, '/loans/LN-2026-99999', () => ben.get('/loans/LN-2026-99999')],
    [403, '/desk', () => ben.get('/desk')],
    [403, '/loans/new', () => ben.post('/loans/new', {})],
    [403, '/loans/new', () => ben.post('/loans/new', { _csrf: 'x' }, { 'sec-fetch-site': 'cross-site' })],
    [422, '/api/v1/loan', () => ben.json('POST', '/api/v1/loan', { purpose: 'x'.repeat(9000) })],
  ]
  for (const [status, path, ask] of refused) {
    await ask()
    expect(logged('request').at(-1)).toMatchObject({ request: expect.any(String), detail: { path, status, person } })
    expect(logged('request').at(-1)?.detail.roles).toEqual(expect.any(Array))
  }
})

test('no password, token, query or body is ever in it', async () => {
  const browser = await web.browser(null)
  const token = await browser.token()
  await browser.post('/-/sign-in', { email, password, next: '/', _csrf: token })
  await browser.get('/loans?q=what-somebody-looks-for')
  await browser.json('POST', '/api/v1/loan', { purpose: 'what-somebody-writes' })
  await browser.get('/-/link?token=what-a-mail-brought')
  await browser.get('/api/v1/loan', { authorization: 'Bearer nf_what-a-program-has' })
  const text = JSON.stringify(web.log)
  const session = browser.cookies.get('ninefold')!
  for (const secret of [password, token, session, 'what-somebody', 'what-a-mail', 'what-a-program', email])
    expect(text).not.toContain(secret)
  expect(logged('request').map(({ detail }) => detail.path)).toContain('/-/link')
})
