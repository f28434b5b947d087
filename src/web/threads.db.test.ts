/** Replies to comments: one level below what they reply to, told to those who wrote there. Without scripts. */
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { noticeMail } from '../run/people/notice-mail.ts'
import { repliesOf } from '../run/people/reply-address.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

const replying: Readonly<Record<string, string>> = { REPLY_TO: 'reply@in.example.org', REPLY_KEY: 'k'.repeat(32) }

let web: TestWeb
let ben: TestBrowser
let cleo: TestBrowser
let loan: { id: string; number: string }

const store = () => web.run.runtime.store
const path = () => `/loans/${loan.number}`
const send = (who: TestBrowser, fields: Record<string, string>) =>
  who.send('/-/comments', { entity: 'loan', record: loan.id, _next: path(), do: 'add', ...fields })
const said = () =>
  store().query<{ id: string; text: string | null; reply_to: string | null }>(
    sql`select id, text, reply_to from ninefold.comment order by id`,
  )
const kinds = async (who: string) =>
  (
    await store().query<{ kind: string }>(
      sql`select kind from ninefold.notice where person = ${web.run.people[who]}::uuid order by id`,
    )
  ).map(({ kind }) => kind)
/** What the page says was said, in its order. */
const shown = async (who: TestBrowser) =>
  [...(await who.get(path())).text.matchAll(/<p class="letter">([^<]*)<\/p>/g)].map(([, text]) => text)
const made = async () => {
  const [item] = await store().query<{ id: string }>(sql`select id from item where tag = 'CA-0001'`)
  const lines = [{ item: item!.id }]
  const answer = await ben.json('POST', '/api/v1/loan', { out_on: '2026-03-02', due_back: '2026-03-05', lines })
  return JSON.parse(answer.text) as typeof loan
}

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), undefined, { variable: name => replying[name] })
  ;[ben, cleo] = [await web.browser('Ben'), await web.browser('Cleo')]
})
beforeEach(async () => {
  loan = await made()
  await store().inTransaction(async tx => {
    await tx.write(sql`delete from ninefold.comment`)
    await tx.write(sql`delete from ninefold.outbox`)
  })
})
afterAll(() => web?.stop())

const moveClock = (seconds: number) => {
  web.run.now = new Date(web.run.now.getTime() + seconds * 1000)
}

test('a reply stands below what it replies to, one to a reply too; the thread that was written in last stands first', async () => {
  await send(ben, { text: 'First' })
  moveClock(1)
  await send(ben, { text: 'Second' })
  moveClock(1)
  const [first] = await said()
  expect((await send(cleo, { text: 'To the first', reply_to: first!.id })).status).toBe(303)
  const reply = (await said()).at(-1)!
  expect(reply.reply_to).toBe(first!.id)
  expect((await cleo.get(path())).text).toContain('Reply added.')
  moveClock(1)
  await send(ben, { text: 'To the reply', reply_to: reply.id })
  expect((await said()).at(-1)!.reply_to).toBe(first!.id)
  expect(await shown(cleo)).toEqual(['First', 'To the first', 'To the reply', 'Second'])
  expect((await ben.get(`${path()}?_show=comments`)).text).toMatch(/<strong>Cleo<\/strong>(?: |<!-- -->)*replied/)
})

test('of many replies those before the last two are folded, and the page costs no statement more', async () => {
  await send(ben, { text: 'Root' })
  const [root] = await said()
  web.statements.length = 0
  await cleo.get(path())
  const few = web.statements.length
  for (const text of ['One', 'Two', 'Three', 'Four']) {
    moveClock(1)
    await send(cleo, { text, reply_to: root!.id })
  }
  await cleo.get(path())
  web.statements.length = 0
  const { text } = await cleo.get(path())
  expect(web.statements.length).toBe(few)
  const [, folded = ''] =
    /<details class="thread"><summary>2 earlier replies<\/summary>(.*?)<\/ol><\/details>/s.exec(text) ?? []
  expect([folded.includes('One'), folded.includes('Two'), folded.includes('Three')]).toEqual([true, true, false])
  expect(await shown(cleo)).toEqual(['Root', 'One', 'Two', 'Three', 'Four'])
})

test('who wrote in the thread is told that somebody replied, who only follows of a comment, who is named of that', async () => {
  const dan = await web.browser('Dan')
  await send(dan, { text: 'I ask' })
  await send(cleo, { text: 'I follow' })
  const [first] = await said()
  await store().inTransaction(tx => tx.write(sql`delete from ninefold.notice`))
  await send(ben, { text: 'I reply', reply_to: first!.id })
  expect([await kinds('Dan'), await kinds('Cleo'), await kinds('Ben')]).toEqual([['reply'], ['comment'], []])
  await send(ben, { text: 'And again, @Dan', reply_to: first!.id })
  expect(await kinds('Dan')).toEqual(['reply', 'mention'])
  const page = (await dan.get('/-/notices?show=mentions')).text
  expect([page.includes('Ben replied to you'), page.includes('I reply')]).toEqual([true, true])
  // Who stopped following is not brought back by a reply.
  await send(dan, { do: 'stop' })
  await send(cleo, { text: 'Still there?', reply_to: first!.id })
  expect(await kinds('Dan')).toEqual(['reply', 'mention'])
})

test('people choose how they are told of replies', async () => {
  await send(ben, { text: 'I ask' })
  const [first] = await said()
  await ben.submit('/-/account', '/-/account/preferences', { 'told reply': 'none' })
  await send(cleo, { text: 'Unheard', reply_to: first!.id })
  await send(cleo, { text: 'Heard' })
  expect(await kinds('Ben')).toEqual(['comment'])
  await ben.submit('/-/account', '/-/account/preferences', { 'told reply': 'now' })
})

test('what is no comment of this record is replied to by nobody', async () => {
  await send(ben, { text: 'Here' })
  const [elsewhere] = await said()
  loan = await made()
  for (const reply of [elsewhere!.id, loan.id, 'x', ''])
    expect((await send(ben, { text: 'Lost', reply_to: reply })).status, reply).toBe(404)
  expect(await said()).toHaveLength(1)
})

test('one that was taken back leaves the replies to it, a reply that was taken back says so, and both come back', async () => {
  await send(ben, { text: 'Root' })
  const [root] = await said()
  moveClock(1)
  await send(cleo, { text: 'Reply', reply_to: root!.id })
  // Somebody has replied: it was not too early.
  const added = `@comment ${root!.id} ${web.run.now.getTime() - 1000}`
  expect((await ben.send('/-/undo', { of: added })).status).toBe(409)
  moveClock(1)
  await send(ben, { do: 'remove', comment: root!.id })
  expect(await shown(ben)).toEqual(['Reply'])
  await send(cleo, { do: 'remove', comment: (await said())[1]!.id })
  const { text } = await cleo.get(path())
  expect(text.match(/took a comment back/g)).toHaveLength(2)
  for (const [who, of] of [
    [ben, root!.id],
    [cleo, (await said())[1]!.id],
  ] as const)
    expect((await who.send('/-/undo', { of: `@comment ${of} ${web.run.now.getTime()}` })).status).toBe(303)
  expect(await shown(ben)).toEqual(['Root', 'Reply'])
})

test('over the API a comment says what it replies to, and is sent with it', async () => {
  const address = `/api/v1/loan/${loan.id}/comments`
  const token = { 'x-csrf-token': await cleo.token() }
  const { id } = JSON.parse((await cleo.json('POST', address, { text: 'Root' }, token)).text) as { id: string }
  moveClock(1)
  expect((await cleo.json('POST', address, { text: 'Reply', reply_to: id }, token)).status).toBe(201)
  const { data } = JSON.parse((await ben.get(address)).text) as { data: { text: string; reply_to: string | null }[] }
  expect(data.map(({ text, reply_to }) => [text, reply_to])).toEqual([
    ['Reply', id],
    ['Root', null],
  ])
  for (const [reply_to, status] of [
    [loan.id, 404],
    ['x', 404],
    [5, 400],
  ] as const)
    expect((await cleo.json('POST', address, { text: 'No', reply_to }, token)).status).toBe(status)
  const { paths } = JSON.parse((await cleo.get('/api/v1/openapi.json')).text)
  const { post } = paths['/api/v1/loan/{id}/comments']
  expect(Object.keys(post.requestBody.content['application/json'].schema.properties)).toEqual([
    'text',
    'reply_to',
    'files',
  ])
})

test('an answer by mail to a comment is a reply in its thread', async () => {
  await send(cleo, { text: 'Is it in?' })
  const [mail] = await store().query<{ payload: Parameters<typeof noticeMail>[2] }>(
    sql`select payload from ninefold.outbox where name = 'comment'`,
  )
  const leaving = { linkTo: () => null, replies: repliesOf(name => replying[name]) }
  const { replyTo } = (await noticeMail(web.run.runtime, await web.run.as('Ben'), mail!.payload, leaving))!
  const answer = await fetch(`${web.url}/api/v1/-/mail-reply`, {
    method: 'POST',
    body: JSON.stringify({ From: 'ben@example.com', To: replyTo, TextBody: 'It is.', MessageID: 'a1' }),
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`mail:${replying.REPLY_KEY}`).toString('base64')}`,
    },
  })
  expect(await answer.json()).toEqual({ taken: true })
  const [root, reply] = await said()
  expect(reply).toMatchObject({ text: 'It is.', reply_to: root!.id })
})

test('files of an answer by mail stand with its comment; one that is not taken comes back, and signs of firms are left out', async () => {
  await send(cleo, { text: 'Have you a picture?' })
  const [mail] = await store().query<{ payload: Parameters<typeof noticeMail>[2] }>(
    sql`select payload from ninefold.outbox where name = 'comment'`,
  )
  const leaving = { linkTo: () => null, replies: repliesOf(name => replying[name]) }
  const { replyTo } = (await noticeMail(web.run.runtime, await web.run.as('Ben'), mail!.payload, leaving))!
  const bring = async (body: string | FormData, type?: string) => {
    const answer = await fetch(`${web.url}/api/v1/-/mail-reply`, {
      method: 'POST',
      body,
      headers: {
        ...(type === undefined ? {} : { 'content-type': type }),
        authorization: `Basic ${Buffer.from(`mail:${replying.REPLY_KEY}`).toString('base64')}`,
      },
    })
    return (await answer.json()) as { readonly taken: boolean; readonly why?: string }
  }
  const told = () =>
    store().query<{ text: string; files: readonly string[] }>(
      sql`select text, files from ninefold.comment where person = ${web.run.people.Ben}::uuid order by id`,
    )
  const names = async () =>
    (await told()).map(({ text, files }) => [
      text,
      ...files.map(file => JSON.stringify(file).match(/[\w-]+\.(?:txt|png)/)?.[0]),
    ])
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const json = (id: string, more: object) =>
    bring(
      JSON.stringify({ From: 'ben@example.com', To: replyTo, TextBody: 'Here.', MessageID: id, ...more }),
      'application/json',
    )
  const before = (await told()).length
  expect(await json('f0', { Attachments: [null, 3, { Name: 'no content' }] })).toEqual({ taken: true })
  expect(
    await json('f1', {
      Attachments: [
        { Name: 'lens.txt', Content: base64('scratched'), ContentID: '' },
        { Name: 'logo.png', Content: base64('small'), ContentID: 'cid1' },
      ],
    }),
  ).toEqual({ taken: true })
  const form = (id: string, file: File) => {
    const parts = new FormData()
    parts.set('attachment-1', file)
    parts.set('attachment-2', new File(['small'], 'sign.png'))
    const texts = { recipient: replyTo!, from: 'Ben <ben@example.com>', 'stripped-text': '', 'Message-Id': id }
    for (const [name, value] of Object.entries({ ...texts, 'content-id-map': '{"<c1>": "attachment-2"}' }))
      parts.set(name, value)
    return parts
  }
  const large = form('f2', new File([Buffer.alloc(11 * 2 ** 20)], 'large.txt'))
  expect(await bring(large)).toEqual({ taken: false, why: expect.stringContaining('large.txt') })
  const [back] = await store().query<{ payload: object }>(sql`select payload from ninefold.outbox where name = 'reply'`)
  expect(JSON.stringify(back!.payload)).toContain('large.txt')
  expect(await bring(form('f3', new File(['whole'], 'case.txt')))).toEqual({ taken: true })
  expect((await names()).slice(before)).toEqual([['Here.'], ['Here.', 'lens.txt'], ['case.txt', 'case.txt']])
})
