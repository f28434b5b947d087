/** Who is told of comments and of work, where, and of what not any more. Without scripts. */
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { workContext } from '../run/later/testing.ts'
import { work } from '../run/later/work.ts'
import { noticeMail } from '../run/people/notice-mail.ts'
import { repliesOf } from '../run/people/reply-address.ts'
import { multipart, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

const replying: Readonly<Record<string, string>> = { REPLY_TO: 'reply@in.example.org', REPLY_KEY: 'k'.repeat(32) }

let web: TestWeb
let ben: TestBrowser
let cleo: TestBrowser
let loan: { id: string; number: string }

const store = () => web.run.runtime.store
const comment = (who: TestBrowser, text: string) =>
  who.send('/-/comments', { entity: 'loan', record: loan.id, do: 'add', text })
const notices = async (who: TestBrowser) => (await who.get('/-/notices')).text
/** The count beside the link to it, on any page. */
const unread = async (who: TestBrowser) => /data-counts="unread">(\d+)</.exec((await who.get('/-/account')).text)?.[1]
const mails = () =>
  store().query<{ payload: Record<string, unknown> }>(
    sql`select payload from ninefold.outbox where kind = 'mail' and name = 'comment' order by id`,
  )
const choose = (who: TestBrowser, told: Record<string, string>, fields: Record<string, string> = {}) => {
  const chosen = Object.entries(told).map(([kind, way]) => [`told ${kind}`, way])
  return who.submit('/-/account', '/-/account/preferences', { ...fields, ...Object.fromEntries(chosen) })
}
const unchosen = { mention: 'now', comment: 'now', moved: 'page' }
/** What leaves within a minute, as mails that are kept. */
const sent = async () => {
  const linkTo = (entity: string, record: string) => `https://desk.example.com/${entity}/${record}`
  const now = () => new Date(web.run.now.getTime() + 60_000)
  await work(web.run.runtime, workContext(web.run, { linkTo, now }))
  return store().query<{ subject: string; body: string }>(
    sql`with gone as (delete from ninefold.mailbox where mail = 'comment' returning id, subject, body) select subject, body from gone order by id`,
  )
}

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), undefined, { variable: name => replying[name] })
  ;[ben, cleo] = [await web.browser('Ben'), await web.browser('Cleo')]
  const [item] = await store().query<{ id: string }>(sql`select id from item where tag = 'CA-0001'`)
  const made = await ben.json('POST', '/api/v1/loan', {
    out_on: '2026-03-02',
    due_back: '2026-03-05',
    lines: [{ item: item!.id }],
  })
  loan = JSON.parse(made.text) as typeof loan
})
beforeEach(() =>
  store().inTransaction(async tx => {
    await tx.write(sql`delete from ninefold.comment`)
    await tx.write(sql`delete from ninefold.outbox`)
  }),
)
afterAll(() => web?.stop())

test('whoever is mentioned or follows is told, in the application and by mail; the mail says of what, and not what was written', async () => {
  expect(await unread(ben)).toBeUndefined()
  await comment(cleo, 'The lens is broken')
  await comment(cleo, '@Ben, can you wait?')
  expect(await unread(ben)).toBe('2')
  const kept = await mails()
  expect(kept.map(({ payload }) => payload.to)).toMatchObject([
    { person: web.run.people.Ben },
    { person: web.run.people.Ben },
  ])
  expect(JSON.stringify(kept)).not.toMatch(/lens|wait\?|LN-/)
  const leaving = await sent()
  expect(leaving.map(({ subject }) => subject)).toEqual([
    `Loan desk: Cleo commented: Ben · ${loan.number}`,
    `Loan desk: Cleo mentioned you: Ben · ${loan.number}`,
  ])
  expect(leaving[0]!.body).toContain(`https://desk.example.com/loan/${loan.id}`)
  expect(JSON.stringify(leaving)).not.toMatch(/lens|wait\?/)
  const page = await notices(ben)
  expect(page).toContain('Cleo commented:')
  expect(page).toContain('Cleo mentioned you:')
  const [, way = ''] = /<a href="([^"]+)">Ben · /.exec(page) ?? []
  const record = `/loans/${loan.number}#activity`
  expect([(await cleo.get(way)).status, await unread(ben)], 'somebody else’s').toEqual([200, '2'])
  expect([(await ben.get(way)).location, await unread(ben)], 'read with the record').toEqual([record, '1'])
  expect(await notices(ben)).toContain(`<a href="${record}">Ben · ${loan.number}</a>`)
  // Nobody is told of their own.
  expect(await notices(cleo)).toContain('Nothing new.')
})

test('a notice is marked as read by whom it is for, one or all', async () => {
  await comment(cleo, 'One')
  await comment(cleo, 'Two')
  const [id] = [.../name="read" value="([\w-]{36})"|value="([\w-]{36})" name="read"/.exec(await notices(ben))!]
    .slice(1)
    .filter(Boolean)
  await cleo.send('/-/notices', { read: id! })
  expect(await unread(ben)).toBe('2')
  expect((await ben.send('/-/notices', { read: id! })).status).toBe(303)
  expect(await unread(ben)).toBe('1')
  await ben.send('/-/notices', { read: 'all' })
  expect(await unread(ben)).toBeUndefined()
  expect(await notices(ben)).toContain('One')
  expect((await ben.send('/-/notices', { read: 'x' })).status).toBe(404)
})

test('people choose how they are told of what', async () => {
  await choose(ben, { comment: 'none', mention: 'page' })
  expect((await ben.get('/-/account')).text).toMatch(/<option(?=[^>]*value="none")(?=[^>]*selected)/)
  await comment(cleo, 'To nobody')
  await comment(cleo, 'To @ben')
  expect([await unread(ben), await mails()]).toEqual(['1', []])
  await choose(ben, { comment: 'none', mention: 'none' })
  await comment(cleo, 'Again to @Ben')
  expect(await unread(ben)).toBe('1')
  await choose(ben, { comment: 'now', mention: 'now' })
  await comment(cleo, 'Once more')
  expect([await unread(ben), (await mails()).length]).toEqual(['2', 1])
  // What was read meanwhile does not leave, and neither does what is not wanted by mail any more.
  await ben.send('/-/notices', { read: 'all' })
  expect(await sent()).toEqual([])
  await comment(cleo, 'And again')
  await choose(ben, { comment: 'page' })
  expect(await sent()).toEqual([])
  await choose(ben, unchosen)
})

test('once a day: in the morning of who gets it one mail with what is unread then, in their language', async () => {
  const start = web.run.now
  // Sessions end when they are not used for so long.
  const signIn = () => Promise.all([ben.signIn(web.run.people.Ben!), cleo.signIn(web.run.people.Cleo!)])
  const round = async (at: string) => {
    web.run.now = new Date(at)
    await signIn()
    const linkTo = (entity: string, record: string) => `https://desk.example.com/${entity}/${record}`
    await work(web.run.runtime, workContext(web.run, { linkTo }))
    return store().query<{ subject: string; body: string }>(
      sql`delete from ninefold.mailbox where mail = 'comment' returning subject, body`,
    )
  }
  await choose(ben, { mention: 'daily', comment: 'daily' }, { time_zone: 'America/New_York' })
  await store().inTransaction(tx =>
    tx.write(sql`update ninefold.preference set language = 'de' where person = ${web.run.people.Ben}::uuid`),
  )
  await comment(cleo, 'The lens is broken')
  await comment(cleo, '@Ben, can you wait?')
  expect(await mails()).toHaveLength(1)
  expect(await round('2026-03-02T11:59:00.000Z')).toEqual([])
  const link = `https://desk.example.com/loan/${loan.id}`
  const [mail, ...more] = await round('2026-03-02T12:00:00.000Z')
  expect(more).toEqual([])
  expect(mail!.subject).toBe('Loan desk: Was Sie noch nicht gelesen haben')
  expect(mail!.body.split('\n\n').slice(0, 2)).toEqual([
    `Cleo hat Sie erwähnt: Ben · ${loan.number}\n${link}`,
    `Cleo hat kommentiert: Ben · ${loan.number}\n${link}`,
  ])
  expect(await round('2026-03-03T12:00:00.000Z')).toEqual([])
  // Read in time, or not wanted any more: nothing leaves.
  await comment(cleo, 'Read at once')
  await ben.send('/-/notices', { read: 'all' })
  expect(await mails()).toHaveLength(2)
  expect(await round('2026-03-04T12:00:00.000Z')).toEqual([])
  await comment(cleo, 'Not wanted')
  await choose(ben, { comment: 'page' })
  expect(await mails()).toHaveLength(3)
  expect(await round('2026-03-05T12:00:00.000Z')).toEqual([])
  await choose(ben, unchosen, { time_zone: '' })
  web.run.now = start
  await signIn()
})

test('what has no room on the page or in the mail of the day is on the next page, and said', async () => {
  await store().inTransaction(tx =>
    tx.write(sql`with said as (insert into ninefold.comment (id, entity, record, person, at, text)
        select gen_random_uuid(), 'loan', ${loan.id}::uuid, ${web.run.people.Cleo}::uuid, now(), 'Remark ' || n || '.' from generate_series(1, 52) as n returning id)
      insert into ninefold.notice (id, person, entity, record, comment, kind)
        select gen_random_uuid(), ${web.run.people.Ben}::uuid, 'loan', ${loan.id}::uuid, id, 'mention' from said`),
  )
  const remarks = (page: string) => new Set(page.match(/Remark \d+\./g))
  const first = await notices(ben)
  const [, older] = /href="(\/-\/notices\?before=[^"]*)">Older/.exec(first)!
  const second = (await ben.get(older!)).text
  expect([remarks(first).size, remarks(second).size]).toEqual([50, 2])
  expect(new Set([...remarks(first), ...remarks(second)]).size).toBe(52)
  expect(second).not.toContain('>Older</a>')
  const open = /href="(\/-\/notices\?[^"]*open=[^"]*)"/.exec(second)![1]!.replaceAll('&amp;', '&')
  expect((await ben.get(open)).headers.get('location')).toBe(`/loans/${loan.number}#activity`)
  const request = await web.run.as('Ben')
  const stored = { to: { name: 'Ben', address: 'ben@example.com', person: web.run.people.Ben! }, subject: '', text: '' }
  await choose(ben, { mention: 'daily' })
  await store().inTransaction(tx =>
    tx.write(sql`update ninefold.preference set language = 'en' where person = ${web.run.people.Ben}::uuid`),
  )
  const mailed = async () =>
    (await noticeMail(
      web.run.runtime,
      request,
      { ...stored, digest: true, idempotencyKey: 'x' },
      { linkTo: () => null, replies: null },
    ))!.text
  expect(await mailed()).toContain('There are older ones, too')
  // The newest fifty are read: what is left is told all the same, and it is all.
  await store().query(sql`update ninefold.notice set read_at = now() where id in (
    select id from ninefold.notice where read_at is null order by id desc limit 50)`)
  expect((await mailed()).match(/Cleo mentioned you/g)).toHaveLength(1)
  expect(await mailed()).not.toContain('There are older ones')
  await choose(ben, unchosen)
})

test('a comment that was taken back is nobody’s news, and one that comes to mention somebody is', async () => {
  await comment(cleo, 'Hello')
  const [{ id }] = (await store().query<{ id: string }>(sql`select id from ninefold.comment`)) as [{ id: string }]
  const send = (fields: Record<string, string>) =>
    cleo.send('/-/comments', { entity: 'loan', record: loan.id, comment: id, ...fields })
  await send({ do: 'change', text: 'Hello @Dan' })
  const dan = await web.browser('Dan')
  expect(await notices(dan)).toContain('Cleo mentioned you:')
  expect(await unread(ben)).toBe('1')
  await send({ do: 'remove' })
  expect([await unread(ben), await unread(dan)]).toEqual([undefined, undefined])
})

test('each kind of notification has an address of its own, which marking one as read and older ones stay at', async () => {
  await ben.send('/-/notices', { read: 'all' })
  await store().inTransaction(tx => tx.write(sql`delete from ninefold.notice`))
  await comment(cleo, 'Only a comment')
  await comment(cleo, '@Ben, a mention')
  const shown = async (tab: string) => {
    const { text } = await ben.get(`/-/notices${tab}`)
    const current = /<a href="([^"]*)" aria-current="page" aria-keyshortcuts/.exec(text)?.[1]
    return [text.includes('Only a comment'), text.includes('a mention'), current]
  }
  expect(await shown('?show=decide')).toEqual([false, false, '/-/notices?show=decide'])
  expect(await shown('?show=mentions')).toEqual([false, true, '/-/notices?show=mentions'])
  expect(await shown('?show=followed')).toEqual([true, false, '/-/notices?show=followed'])
  for (const other of ['', '?show=constructor', '?show=x'])
    expect(await shown(other)).toEqual([true, true, '/-/notices'])
  const page = (await ben.get('/-/notices?show=followed')).text
  expect(page).not.toContain('Mark all as read')
  const [, id] = /value="([\w-]{36})"/.exec(page.slice(page.indexOf('class="sheet notices"')))!
  const marked = await ben.send('/-/notices?show=followed', { read: id! })
  expect([marked.status, marked.location, await unread(ben)]).toEqual([303, '/-/notices?show=followed', '1'])
})

test('nobody is told, or shown what they were told, of a record that they do not see any more', async () => {
  await comment(cleo, 'Now you see it')
  expect(await notices(ben)).toContain('Now you see it')
  await store().inTransaction(tx =>
    tx.write(sql`update public.loan set borrower = ${web.run.people.Mia}::uuid where id = ${loan.id}::uuid`),
  )
  const page = await notices(ben)
  expect(page).not.toMatch(/Now you see it|LN-2026/)
  await comment(cleo, 'And now you do not, @Ben')
  expect(await notices(ben)).not.toContain('And now')
  expect((await mails()).filter(({ payload }) => JSON.stringify(payload).includes(web.run.people.Ben!))).toHaveLength(1)
  // What is left of it goes with one press.
  await ben.send('/-/notices', { read: 'all' })
  expect(await unread(ben)).toBeUndefined()
})

test('whoever follows a record is told where somebody else moved it, once for all that they have not read', async () => {
  await ben.send('/-/notices', { read: 'all' })
  const step = (who: TestBrowser, name: string) => who.json('POST', `/api/v1/loan/${loan.id}/${name}`, {})
  await store().inTransaction(tx =>
    tx.write(sql`update public.loan set borrower = ${web.run.people.Ben}::uuid where id = ${loan.id}::uuid`),
  )
  expect((await step(ben, 'submit')).status).toBe(200)
  expect(await sent()).toEqual([])
  // Cleo follows what she spoke about.
  expect([await unread(ben), await unread(cleo)]).toEqual([undefined, '1'])
  expect((await step(cleo, 'approve')).status).toBe(200)
  expect(await sent()).toEqual([])
  expect(await unread(ben)).toBe('1')
  expect(await notices(ben)).toContain('Cleo changed it to Approved: ')
  expect((await step(cleo, 'hand_out')).status).toBe(200)
  await choose(ben, { moved: 'now' })
  expect((await sent()).map(({ subject }) => subject)).toEqual([
    `Loan desk: Cleo changed it to Out: Ben · ${loan.number}`,
  ])
  const page = await notices(ben)
  expect([await unread(ben), page.includes('and 1 more since then'), page.includes('to Approved')]).toEqual([
    '1',
    true,
    false,
  ])
  const open = /href="(\/-\/notices\?[^"]*open=[^"]*)"/.exec(page)![1]!.replaceAll('&amp;', '&')
  expect((await ben.get(open)).headers.get('location')).toBe(`/loans/${loan.number}`)
  expect(await unread(ben)).toBeUndefined()
  expect(await store().query(sql`select entry from ninefold.untold`)).toEqual([])
  await choose(ben, unchosen)
})

test('an answer to a mail becomes a comment of whoever it was for, once, whichever service brings it in', async () => {
  await store().inTransaction(tx =>
    tx.write(sql`update public.loan set borrower = ${web.run.people.Ben}::uuid where id = ${loan.id}::uuid`),
  )
  await comment(cleo, 'Is the lens broken, @Ben?')
  const payload = (await mails())[0]!.payload as unknown as Parameters<typeof noticeMail>[2]
  const leaving = { linkTo: () => null, replies: repliesOf(name => replying[name]) }
  const mail = (await noticeMail(web.run.runtime, await web.run.as('Ben'), payload, leaving))!
  expect([mail.replyTo!.split('+')[0], mail.text.split('\n')[0]]).toEqual([
    'reply',
    '##- Write above this line: your answer becomes a comment ##-',
  ])
  const text = `It is not.\n\nOn 2 March, Desk wrote:\n> ${mail.text.replaceAll('\n', '\n> ')}`
  const basic = `Basic ${Buffer.from(`mail:${replying.REPLY_KEY}`).toString('base64')}`
  const bring = async (body: string, type: string, authorization = basic) => {
    const answer = await fetch(`${web.url}/api/v1/-/mail-reply`, {
      method: 'POST',
      body,
      headers: { 'content-type': type, authorization },
    })
    return [answer.status, await answer.json()] as const
  }
  const postmark = (more: object) =>
    JSON.stringify({
      From: 'Ben <ben@example.com>',
      To: mail.replyTo,
      TextBody: text,
      MessageID: 'a1',
      Headers: [{ Name: 'In-Reply-To', Value: '<x@ninefold>' }],
      ...more,
    })
  const said = () =>
    store().query<{ name: string; text: string }>(
      sql`select p.name, c.text from ninefold.comment as c join public.person as p on p.id = c.person order by c.id`,
    )
  expect((await bring(postmark({}), 'application/json', 'Basic eDp5'))[0]).toBe(401)
  const why = async (body: string, type = 'application/json') => (await bring(body, type))[1].why
  expect(await why(postmark({ From: 'cleo@example.com' }))).toMatch(/^No notice/)
  expect(await why(postmark({ To: 'reply@in.example.org' }))).toMatch(/^It was sent to no address/)
  expect(await why(postmark({ TextBody: `> ${mail.text}` }))).toMatch(/^Nothing/)
  expect(await why(postmark({ Headers: [{ Name: 'Auto-Submitted', Value: 'auto-replied' }] }))).toMatch(/program/)
  expect(await said()).toHaveLength(1)
  const own = { name: 'Ben', text: 'It is not.' }
  for (const times of [1, 2]) {
    expect(await bring(postmark({ MessageID: 'once' }), 'application/json'), String(times)).toEqual([
      200,
      { taken: true },
    ])
    expect(await said()).toEqual([expect.objectContaining({ name: 'Cleo' }), own])
  }
  const mailgun = new URLSearchParams({
    recipient: mail.replyTo!,
    sender: 'ben@example.com',
    'stripped-text': 'By form.',
    'body-plain': text,
    'Message-Id': '<b@example.com>',
  })
  expect(await bring(String(mailgun), 'application/x-www-form-urlencoded')).toEqual([200, { taken: true }])
  const parts = multipart([
    ['to', `Desk <${mail.replyTo}>`],
    ['from', 'Ben <ben@example.com>'],
    ['text', `In parts.\n\n> ${mail.text}`],
    ['headers', 'Message-ID: <c@example.com>\nAuto-Submitted: no'],
  ])
  expect(await bring(parts.body.toString(), parts.headers['content-type']!, `Bearer ${replying.REPLY_KEY}`)).toEqual([
    200,
    { taken: true },
  ])
  expect((await said()).slice(2)).toEqual([
    { name: 'Ben', text: 'By form.' },
    { name: 'Ben', text: 'In parts.' },
  ])
  // Who does not see it any more is told that it was not taken, with what they wrote.
  await store().inTransaction(tx =>
    tx.write(sql`update public.loan set borrower = ${web.run.people.Mia}::uuid where id = ${loan.id}::uuid`),
  )
  expect((await bring(postmark({ MessageID: 'late' }), 'application/json'))[1].taken).toBe(false)
  const [back] = await store().query<{ subject: string; text: string }>(
    sql`select payload ->> 'subject' as subject, payload ->> 'text' as text from ninefold.outbox where name = 'reply'`,
  )
  expect([back?.subject, back?.text.endsWith('It is not.')]).toEqual(['Loan desk: Your answer became no comment', true])
  expect(await said()).toHaveLength(4)
})

test('the page costs two statements, and is for those who are signed in', async () => {
  await comment(ben, 'x')
  web.statements.length = 0
  await notices(cleo)
  expect(web.statements).toHaveLength(2)
  const visitor = await web.browser(null)
  expect((await visitor.get('/-/notices')).status).toBe(303)
})
