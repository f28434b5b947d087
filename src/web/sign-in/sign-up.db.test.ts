/** Signing up: nobody where the document is silent, nothing before the link, and nobody learns who has an account. */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { readSound } from '../../run/testing.ts'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from '../testing.ts'
import { tidyTraces } from './tidy.ts'

const library = join(import.meta.dirname, '../fixtures/library.md')
const line = '- **Sign-up:** example.org, example.com as Reader, Friend\n'
const start = new Date('2026-03-02T09:00:00.000Z')
const path = '/-/sign-up'
const password = 'four unrelated words here'
const ada = { name: 'Ada', email: 'Ada@example.org', card: 'A-001', kind: 'Staff' }

let web: TestWeb
let visitor: TestBrowser

/** In production: nobody is in with one click, and no line of the document is shown. */
const serve = (edit: (text: string) => string = text => text) =>
  startTestWeb(inject('databaseUrl'), readSound(library, edit), { mode: 'serve' })

beforeAll(async () => {
  web = await serve()
})
beforeEach(async () => {
  web.run.now = start
  visitor = await web.browser(null)
  await web.run.runtime.store.inTransaction(async tx => {
    await tx.write(sql`delete from ninefold.attempt`)
    await tx.write(sql`delete from ninefold.outbox`)
    await tx.write(sql`delete from ninefold.unconfirmed`)
    await tx.write(sql`delete from ninefold.history`)
    await tx.write(sql`delete from public.person`)
    await tx.write(sql`delete from public.book`)
  })
})
afterAll(() => web?.stop())

interface Mail {
  readonly name: string
  readonly to: string
  readonly person: string | null
  readonly subject: string
  readonly text: string | null
}
const mails = (of: TestWeb = web) =>
  of.run.runtime.store.query<Mail>(sql`
    select name, payload -> 'to' ->> 'address' as to, record as person, payload ->> 'subject' as subject, payload ->> 'text' as text
    from ninefold.outbox where kind = 'mail' order by id`)
const people = (of: TestWeb = web) =>
  of.run.runtime.store.query<{ name: string; email: string; roles: readonly string[]; password: boolean }>(sql`
    select p.name, p.email, array(select a.role from ninefold.appointment as a where a.person = p.id order by a.role) as roles,
      exists (select from ninefold.account as c where c.person = p.id and c.password is not null) as password
    from public.person as p where p.name = any(${['Ada', 'Ben']}::text[]) order by p.name`)
const waiting = () => web.run.runtime.store.query<{ form: string }>(sql`select * from ninefold.unconfirmed`)

const ask = async (fields: Record<string, string>, browser = visitor) => {
  const { text } = await browser.get(path)
  return browser.post(path, { ...fieldsOf(text, path), ...fields })
}
const link = async (of: TestWeb = web) => /\/-\/sign-up\/confirm\?\S+/.exec((await mails(of)).at(-1)!.text!)![0]
const finish = (to: string, fields: Record<string, string> = { password }, browser = visitor) =>
  browser.submit(to, `${path}/confirm`, fields)
const isIn = async (browser: TestBrowser) => (await browser.get('/-/account')).status === 200

test('without the line there is no such page, and no link to it', async () => {
  for (const edit of [
    (text: string) => text.replace(line, ''),
    (text: string) => text.replace(line, '- **Sign-up:** TBD (IT)\n'),
    (text: string) => text.replace(line, '- **Sign-up:** everyone as TBD (IT)\n'),
  ]) {
    const closed = await serve(edit)
    try {
      const browser = await closed.browser(null)
      expect((await browser.get(path)).status).toBe(404)
      expect((await browser.get('/-/sign-in')).text).not.toContain(path)
      for (const to of [path, `${path}/confirm`]) {
        const sent = await browser.send(to, { ...ada, token: 'A'.repeat(43), password })
        expect([to, sent.status]).toEqual([to, 404])
      }
      expect([await mails(closed), await people(closed)]).toEqual([[], []])
    } finally {
      await closed.stop()
    }
  }
})

test('there is nobody, and no password is asked for, before the link was followed', async () => {
  const page = await visitor.get(path)
  expect([page.status, page.text.includes('type="password"')]).toEqual([200, false])
  expect((await visitor.get('/-/sign-in')).text).toContain(path)
  const sent = await ask({ ...ada, password, level: '9', note: 'x', id: 'x', state: 'x', created_by: 'x' })
  expect([sent.status, sent.location]).toEqual([303, `${path}?sent=1`])
  expect((await visitor.get(sent.location!)).text).toContain('look into your mailbox')
  const [mail, ...more] = await mails()
  expect([mail!.to, mail!.name, more]).toEqual(['ada@example.org', 'sign_up', []])
  // Nobody sends texts of their own to others.
  expect(mail!.text).not.toMatch(/Ada|A-001/)
  const to = await link()
  const kept = JSON.stringify(await waiting())
  expect(kept).not.toContain(new URLSearchParams(to.split('?')[1]).get('token'))
  expect(kept).not.toContain('four')
  // Programs that look at mails.
  for (const method of ['GET', 'GET', 'HEAD']) expect((await visitor.request(method, to)).status).toBe(200)
  expect(await people()).toEqual([])
  // What no form of this page asks for is not taken.
  expect(
    (await visitor.send('/-/confirm', { token: new URLSearchParams(to.split('?')[1]).get('token')! })).status,
  ).toBe(404)
  const done = await finish(to)
  expect([done.status, done.location, await isIn(visitor)]).toEqual([303, '/', true])
  expect(await people()).toEqual([
    { name: 'Ada', email: 'ada@example.org', roles: ['Friend', 'Reader'], password: true },
  ])
  const [row] = await web.run.runtime.store.query(sql`select level, note, card, kind from public.person`)
  expect(row).toEqual({ level: '1', note: null, card: 'A-001', kind: 'Staff' })
  expect([(await visitor.get('/wishes')).status, (await visitor.get('/-/people')).status]).toEqual([200, 404])
  expect((await visitor.get(path)).location).toBe('/')
  expect(await waiting()).toEqual([])
  // What happened says which line let it.
  const history = await web.run.runtime.store.query<{ kind: string; because: string }>(
    sql`select kind, because::text from ninefold.history where kind = 'appointment' order by id`,
  )
  expect(history.map(({ because }) => because.includes('12'))).toEqual([true, true])
  const other = await web.browser(null)
  const signedIn = await other.submit('/-/sign-in', '/-/sign-in', { email: ada.email, password })
  expect([signedIn.status, await isIn(other)]).toEqual([303, true])
})

test('a link works once, in time, and for nothing else; what comes after says what to do', async () => {
  await ask(ada)
  const to = await link()
  const used = await web.browser(null)
  await finish(to, { password }, used)
  const gone = await visitor.get(to)
  expect([gone.status, gone.text.includes('This link does not work any more')]).toEqual([404, true])
  for (const next of ['/-/sign-in', path]) expect(gone.text).toContain(`href="${next}"`)
  const token = new URLSearchParams(to.split('?')[1]).get('token')!
  expect((await visitor.send(`${path}/confirm`, { token, password })).status).toBe(404)
  expect(await people()).toHaveLength(1)

  await ask({ ...ada, email: 'ben@example.org', card: 'B-001' })
  const late = await link()
  expect((await mails()).at(-1)!.text).toContain('for 48 hours')
  web.run.now = new Date(start.getTime() + 47 * 3_600_000)
  expect((await visitor.get(late)).status).toBe(200)
  web.run.now = new Date(start.getTime() + 48 * 3_600_000)
  expect((await visitor.get(late)).status).toBe(404)
  expect((await visitor.send(`${path}/confirm`, { token: late.slice(-43), password })).status).toBe(404)
  expect(await people()).toHaveLength(1)
  for (const wrong of ['', 'x', 'A'.repeat(43)])
    expect((await visitor.get(`${path}/confirm?token=${wrong}`)).status).toBe(404)
})

test('what waits for another form makes nobody', async () => {
  await ask(ada)
  const to = await link()
  await web.run.runtime.store.query(sql`update ninefold.unconfirmed set path = '/contact'`)
  expect((await visitor.get(to)).status).toBe(404)
  expect((await visitor.send(`${path}/confirm`, { token: to.slice(-43), password })).status).toBe(404)
  expect(await people()).toEqual([])
})

test('two who follow the same link at once are one person', async () => {
  await ask(ada)
  const to = await link()
  const pages = await Promise.all(
    [1, 2, 3].map(async () => {
      const browser = await web.browser(null)
      const fields = fieldsOf((await browser.get(to)).text, `${path}/confirm`)
      return () => browser.post(`${path}/confirm`, { ...fields, password })
    }),
  )
  const done = (await Promise.all(pages.map(send => send()))).map(({ status }) => status).sort()
  expect([done, (await people()).length]).toEqual([[303, 404, 404], 1])
})

describe('whoever asks learns nothing of who has an account', () => {
  test('the same answer, the same statements, and the mailbox is told', async () => {
    await ask(ada)
    await finish(await link())
    const answers = []
    const statements = []
    for (const [email, card] of [
      ['ADA@example.org', 'C-001'],
      ['new@example.org', 'C-001'],
    ] as const) {
      const browser = await web.browser(null)
      const { text } = await browser.get(path)
      web.statements.length = 0
      const answer = await browser.post(path, { ...fieldsOf(text, path), ...ada, email, card })
      answers.push([answer.status, answer.location, answer.text])
      statements.push([...web.statements])
    }
    expect(answers[0]).toEqual(answers[1])
    expect(statements[0]).toEqual(statements[1])
    const [known, fresh] = (await mails()).slice(-2)
    expect([known!.name, known!.to, known!.text?.includes('confirm?')]).toEqual([
      'sign_up_known',
      'ada@example.org',
      false,
    ])
    expect([fresh!.name, fresh!.person]).toEqual(['sign_up', null])
    expect(known!.person).not.toBeNull()
  })

  test('whoever was invited between is not made anew', async () => {
    await ask(ada)
    const to = await link()
    await web.run.runtime.store.query(sql`
      insert into public.person (id, name, email, card, kind, level, created_at, changed_at)
      values ('01940000-0000-7000-8000-00000000abcd', 'Ada', 'ada@example.org', 'Z-001', 'Staff', 1, ${start}, ${start})`)
    const late = await finish(to)
    expect([late.status, late.text.includes('sign in')]).toEqual([404, true])
    expect((await people()).map(({ roles }) => roles)).toEqual([[]])
  })
})

test('other domains, bad addresses, missing and wrong fields are refused as everywhere, before anything is kept', async () => {
  for (const [fields, says] of [
    [{ email: 'ada@elsewhere.org' }, 'example.org or example.com'],
    [{ email: 'ada@example.org.elsewhere.net' }, 'example.org or example.com'],
    [{ email: 'ada@sub.example.org' }, 'example.org or example.com'],
    [{ email: '' }, 'E-mail is missing'],
    [{ email: 'nobody' }, 'E-mail'],
    [{ email: 'a@example.org\r\nbcc: b@example.org' }, 'E-mail'],
    [{ name: '' }, 'Name is missing'],
    [{ card: 'none' }, 'without a card cannot borrow'],
    [{ kind: 'Student' }, 'Faculty is missing'],
    [{ kind: 'Librarian' }, 'Kind'],
    [{ name: 'x'.repeat(5000) }, 'Name'],
  ] as const) {
    await web.run.runtime.store.query(sql`delete from ninefold.attempt`)
    const refused = await ask({ ...ada, ...fields })
    expect([fields, refused.status]).toEqual([fields, 422])
    expect(refused.text).toContain(says)
    expect(fieldsOf(refused.text, path).card).toBe({ ...ada, ...fields }.card)
  }
  expect([await mails(), await waiting(), await people()]).toEqual([[], [], []])
})

test('the password is judged as everywhere, and a refusal leaves the link as it is', async () => {
  await ask(ada)
  const to = await link()
  for (const bad of ['', 'short', 'password123', 'ada@example.org', 'x'.repeat(300)]) {
    const refused = await finish(to, { password: bad })
    expect([bad, refused.status, refused.text.includes('id="password"')]).toEqual([bad, 422, true])
  }
  expect(await people()).toEqual([])
  expect((await finish(to)).status).toBe(303)
})

test('where links let people in, nobody needs a password; where they do not, everybody does', async () => {
  await ask(ada)
  expect((await finish(await link(), { without: 'password' })).status).toBe(303)
  expect((await people()).map(one => one.password)).toEqual([false])
  const strict = await serve(text => text.replace('password, e-mail link', 'password'))
  try {
    const browser = await strict.browser(null)
    await ask(ada, browser)
    const to = await link(strict)
    expect((await browser.get(to)).text).not.toContain('Go on without')
    expect((await finish(to, { without: 'password' }, browser)).status).toBe(422)
    expect(await people(strict)).toEqual([])
    // Whoever reads the document in the application sees who gets in.
    const librarian = await strict.signedIn(strict.run.people.Leo!)
    const { text } = await librarian.get('/-/document/permissions')
    expect(text).toContain('Whoever has an address at example.org or example.com may create an account.')
    expect(text).toContain('has the roles Reader and Friend')
  } finally {
    await strict.stop()
  }
})

test('a mailbox is not filled, an address does not send without end, and programs that fill in everything send nothing', async () => {
  const held = await ask({ ...ada, _blank: 'https://spam.example' })
  expect([held.status, await mails()]).toEqual([422, []])
  // Whose browser filled it in sends the form once more.
  const again = fieldsOf(held.text, path)
  expect([again.email, '_blank' in again]).toEqual([ada.email, false])
  expect((await visitor.post(path, again)).location).toBe(`${path}?sent=1`)
  expect(await mails()).toHaveLength(1)
  await web.run.runtime.store.query(sql`delete from ninefold.outbox`)
  await web.run.runtime.store.query(sql`delete from ninefold.unconfirmed`)
  const answers = []
  for (let at = 0; at < 12; at++) {
    await web.run.runtime.store.query(sql`delete from ninefold.attempt`)
    answers.push((await ask(ada)).location)
  }
  expect(new Set(answers)).toEqual(new Set([`${path}?sent=1`]))
  expect(await mails()).toHaveLength(5)
  const statuses = []
  for (let at = 0; at < 40; at++) statuses.push((await ask({ ...ada, email: `p${at}@example.org` })).status)
  expect(statuses.at(-1)).toBe(429)
  expect(statuses.filter(status => status === 303).length).toBeLessThan(20)
})

test('a form that is sent twice is one mail, and from another site it is nothing', async () => {
  const { text } = await visitor.get(path)
  const fields = { ...fieldsOf(text, path), ...ada }
  for (const sent of await Promise.all([1, 2].map(() => visitor.post(path, fields)))) expect(sent.status).toBe(303)
  expect(await mails()).toHaveLength(1)
  expect((await visitor.post(path, { ...fields, card: 'A-002' })).status).toBe(409)
  expect((await visitor.post(path, fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await visitor.post(path, { ...fields, _csrf: 'wrong' })).status).toBe(403)
  expect(await mails()).toHaveLength(1)
})

test('what the document asks for since then is said, and needs a new link', async () => {
  await ask(ada)
  const to = await link()
  await web.run.runtime.store.query(sql`
    insert into public.book (id, title, created_at, changed_at)
    values ('01940000-0000-7000-8000-00000000abce', 'A-001', ${start}, ${start})`)
  const refused = await finish(to)
  expect([refused.status, refused.text.includes('There is no account yet')]).toEqual([422, true])
  expect(fieldsOf(refused.text, path)).toMatchObject({ card: 'A-001', name: 'Ada' })
  expect(await people()).toEqual([])
})

test('who asked when their domain could come does not, where it cannot any more', async () => {
  await ask(ada)
  const to = await link()
  const app = readSound(library, text => text.replace(line, line.replace('example.org, ', '')))
  await web.web.reload({ ...web.served, runtime: { ...web.served.runtime, app } })
  try {
    expect((await visitor.get(to)).status).toBe(404)
    const token = new URL(to, web.url).searchParams.get('token')!
    expect((await visitor.send(`${path}/confirm`, { token, password })).status).toBe(404)
    expect(await people()).toEqual([])
  } finally {
    await web.web.reload(web.served)
  }
})

test('in German, with the page that was wanted, and its mail loses its text', async () => {
  const german = { 'accept-language': 'de' }
  const page = await visitor.get(`${path}?next=/wishes`, german)
  expect(page.text).toContain('Konto anlegen')
  await visitor.post(path, { ...fieldsOf(page.text, path), ...ada }, german)
  expect((await mails())[0]!.subject).toBe('Ihr Konto für Library')
  const to = await link()
  const asked = await visitor.get(to)
  expect(asked.text).toContain('Willkommen bei Library')
  expect((await finish(to)).location).toBe('/wishes')
  await web.run.runtime.store.query(sql`update ninefold.outbox set state = 'delivered'`)
  await tidyTraces(web.run.runtime.store, new Date(start.getTime() + 2 * 3_600_000))
  expect((await mails())[0]!.text).toBeNull()
})
