import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { addComment } from '../run/people/commenting.ts'
import { loanDesk, readSound } from '../run/testing.ts'
import type { Store, Tx } from '../store/pool.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let ben: TestBrowser
let cleo: TestBrowser
let anna: TestBrowser
let loan: { id: string; number: string }

const store = () => web.run.runtime.store
const people = () => web.run.people
const comments = () =>
  store().query<{ id: string; text: string | null; person: string; mentions: unknown }>(
    sql`select id, text, person, array_to_string(mentions, ' ') as mentions from ninefold.comment order by id`,
  )
const page = (who: TestBrowser) => who.get(`/loans/${loan.number}`)
const send = (who: TestBrowser, fields: Record<string, string>) =>
  who.send('/-/comments', { entity: 'loan', record: loan.id, _next: `/loans/${loan.number}`, ...fields })

beforeAll(async () => {
  web = await startTestWeb(
    inject('databaseUrl'),
    readSound(loanDesk, text =>
      text
        .replace(/(## 3[\s\S]*?### Loan \(was Booking\)\n\n)/, '$1- **Comments:** Borrower, Clerk, Manager\n\n')
        .replace(/(## 3[\s\S]*?### Item\n\n)/, '$1- **Comments:** none\n\n'),
    ),
  )
  ;[ben, cleo] = [await web.browser('Ben'), await web.browser('Cleo')]
  anna = await web.newcomer('Anna')
  const [item] = await store().query<{ id: string }>(sql`select id from item where tag = 'CA-0001'`)
  const made = await ben.json('POST', '/api/v1/loan', {
    out_on: '2026-03-02',
    due_back: '2026-03-05',
    lines: [{ item: item!.id }],
  })
  loan = JSON.parse(made.text) as typeof loan
})
afterAll(() => web?.stop())

test('a comment is sent by the form on the record’s page, and stands in its timeline for those who see the record', async () => {
  const path = `/loans/${loan.number}`
  const sent = await ben.submit(path, '/-/comments', {
    text: ' Is the <lens> in?\n@Cleo, please look. @Anna too? ',
    do: 'add',
  })
  expect([sent.status, sent.location]).toEqual([303, `${path}#activity`])
  const [said] = await comments()
  // Anna does not see the loan: she is not mentioned, and nothing says that she exists.
  expect(said).toMatchObject({
    person: people().Ben,
    text: 'Is the <lens> in?\n@Cleo, please look. @Anna too?',
    mentions: people().Cleo,
  })
  const theirs = await page(cleo)
  expect(theirs.text).toContain('Is the &lt;lens&gt; in?')
  expect(theirs.text).toContain('commented')
  // Nobody changes what somebody else has said.
  const changing = `name="comment" value="${said!.id}"`
  expect(theirs.text).not.toContain(changing)
  expect((await page(ben)).text).toContain(changing)
  expect((await page(anna)).status).toBe(404)
})

test('over the API comments are read and added by whom the page lets, and described', async () => {
  const address = `/api/v1/loan/${loan.id}/comments`
  const before = JSON.parse((await cleo.get(address)).text) as { data: { by: string; text: string }[]; next: null }
  expect(before).toMatchObject({
    data: [{ by: 'Ben', text: expect.stringContaining('Is the <lens> in?') }],
    next: null,
  })
  const token = { 'x-csrf-token': await cleo.token() }
  const said = await cleo.json('POST', address, { text: ' It is. ' }, token)
  expect(said.status).toBe(201)
  const { id } = JSON.parse(said.text) as { id: string }
  const [newest, oldest] = JSON.parse((await ben.get(address)).text).data
  expect(newest).toEqual({
    id,
    at: expect.stringMatching(/^20.*Z$/),
    by: 'Cleo',
    text: 'It is.',
    changed_at: null,
    reply_to: null,
    files: [],
  })
  const older = JSON.parse((await ben.get(`${address}?after=${id}`)).text)
  expect(older.data).toEqual([oldest])
  for (const [body, status] of [
    [{ text: '' }, 422],
    [{ text: 5 }, 400],
    [{}, 400],
    ['x', 400],
  ] as const)
    expect((await cleo.json('POST', address, body, token)).status).toBe(status)
  expect((await ben.get(`${address}?after=x`)).status).toBe(400)
  // Anna does not see the loan.
  expect((await anna.get(address)).status).toBe(404)
  const tried = await anna.json('POST', address, { text: 'Hello' }, { 'x-csrf-token': await anna.token() })
  expect(tried.status).toBe(404)
  expect((await cleo.json('DELETE', address, undefined, token)).status).toBe(405)
  // One's own is changed and taken back, nobody else's.
  const one = `${address}/${id}`
  const bens = { 'x-csrf-token': await ben.token() }
  for (const method of ['PATCH', 'DELETE'])
    expect((await ben.json(method, one, { text: 'No' }, bens)).status, method).toBe(404)
  expect((await cleo.json('PATCH', one, { text: '' }, token)).status).toBe(422)
  expect((await cleo.json('PATCH', one, { text: 'It is in.' }, token)).status).toBe(200)
  expect(JSON.parse((await ben.get(address)).text).data[0]).toMatchObject({
    id,
    text: 'It is in.',
    changed_at: expect.any(String),
  })
  expect((await cleo.json('DELETE', one, undefined, token)).status).toBe(204)
  expect(JSON.parse((await ben.get(address)).text).data[0]).toMatchObject({ id, text: null })
  expect((await cleo.json('DELETE', one, undefined, token)).status, 'it is gone').toBe(404)
  expect((await cleo.get(one)).status).toBe(405)
  expect((await cleo.json('PATCH', `${address}/x`, { text: 'No' }, token)).status).toBe(404)
  const { paths } = JSON.parse((await cleo.get('/api/v1/openapi.json')).text)
  expect(Object.keys(paths['/api/v1/loan/{id}/comments'])).toEqual(['parameters', 'get', 'post'])
  expect(Object.keys(paths['/api/v1/loan/{id}/comments/{comment}'])).toEqual(['parameters', 'patch', 'delete'])
  await web.run.runtime.store.inTransaction(tx => tx.write(sql`delete from ninefold.comment where id = ${id}::uuid`))
})

test('whoever does not see the record says nothing about it, and changes nothing: it is as if it were not there', async () => {
  const [said] = await comments()
  const before = await comments()
  for (const fields of [
    { do: 'add', text: 'Hello' },
    { do: 'change', comment: said!.id, text: 'Hello' },
    { do: 'remove', comment: said!.id },
    { do: 'follow' },
  ])
    expect((await send(anna, fields)).status).toBe(404)
  // Who sees it, but did not write it.
  expect((await send(cleo, { do: 'change', comment: said!.id, text: 'Hello' })).status).toBe(404)
  expect((await send(cleo, { do: 'remove', comment: said!.id })).status).toBe(404)
  // A comment of one record is none of another, and what is no id is nothing.
  expect((await send(ben, { do: 'remove', comment: said!.id, record: said!.id })).status).toBe(404)
  expect((await send(ben, { do: 'remove', comment: 'x' })).status).toBe(404)
  expect((await send(ben, { do: 'nonsense', text: 'x' })).status).toBe(404)
  expect(await comments()).toEqual(before)
  const visitor = await web.browser(null)
  expect((await visitor.send('/-/comments', { entity: 'loan', record: loan.id, do: 'add', text: 'x' })).status).toBe(
    303,
  )
  expect(await comments()).toEqual(before)
})

test('an empty comment, and one that is too long, are refused in words', async () => {
  const before = await comments()
  for (const text of ['  \n', 'x'.repeat(10_001)]) {
    const { status, text: again } = await send(ben, { do: 'add', text })
    expect([status, /The comment (is missing|must have at most)/.test(again)]).toEqual([422, true])
    // Nothing of it is lost.
    expect([again.includes(`${text.trim()}</textarea>`), again.includes(loan.id)]).toEqual([true, true])
  }
  expect(await comments()).toEqual(before)
})

test('one’s own comment is changed and taken back, and that shows', async () => {
  const [said] = await comments()
  expect((await send(ben, { do: 'change', comment: said!.id, text: 'Is the case in?' })).status).toBe(303)
  const changed = await page(cleo)
  expect(changed.text).toContain('Is the case in?')
  expect(changed.text).toMatch(/changed just now/)
  expect(changed.text).not.toContain('lens')
  expect((await send(ben, { do: 'remove', comment: said!.id })).status).toBe(303)
  const gone = await page(cleo)
  expect(gone.text).not.toContain('Is the case in?')
  expect(gone.text).toContain('took a comment back')
  expect((await comments())[0]).toMatchObject({ text: null, mentions: '' })
  expect((await send(ben, { do: 'change', comment: said!.id, text: 'Again' })).status).toBe(404)
})

test('behind an @ those are offered who see the record, to those who may talk about it', async () => {
  const asked = async (who: TestBrowser, q: string) =>
    (
      JSON.parse(
        (await who.get(`/-/mentions?${new URLSearchParams({ entity: 'loan', record: loan.id, q })}`)).text,
      ) as { names: string[] }
    ).names
  expect(await asked(ben, 'cl')).toEqual(['Cleo'])
  expect(await asked(ben, 'an'), 'Anna does not see the loan').not.toContain('Anna')
  expect(await asked(ben, 'ben'), 'not oneself').toEqual([])
  expect(await asked(ben, '%')).toEqual([])
  expect(await asked(anna, 'cl'), 'who does not see it learns nothing').toEqual([])
})

test('who created it, is named in it, comments or is mentioned follows, until they stop', async () => {
  const follows = async (who: TestBrowser) => (await page(who)).text.includes('value="stop"')
  const dan = await web.browser('Dan')
  // Borrower; mentioned; somebody who only sees it.
  expect([await follows(ben), await follows(cleo), await follows(dan)]).toEqual([true, true, false])
  expect((await send(cleo, { do: 'stop' })).status).toBe(303)
  expect(await follows(cleo)).toBe(false)
  // A mention does not undo that; a comment of one's own does.
  expect((await send(ben, { do: 'add', text: '@cleo once more, @Dan' })).status).toBe(303)
  expect([await follows(cleo), await follows(dan)]).toEqual([false, true])
  expect((await send(cleo, { do: 'add', text: 'Here I am' })).status).toBe(303)
  expect(await follows(cleo)).toBe(true)
  expect((await send(ben, { do: 'stop' })).status).toBe(303)
  expect(await follows(ben)).toBe(false)
})

test('the document says who talks: none about items, and the page costs no statement more', async () => {
  const [item] = await store().query<{ id: string }>(sql`select id from item where tag = 'CA-0001'`)
  const sent = await cleo.send('/-/comments', { entity: 'item', record: item!.id, do: 'add', text: 'x' })
  expect(sent.status).toBe(404)
  web.statements.length = 0
  await page(cleo)
  expect(web.statements.length).toBe(3)
})

test('the activity is narrowed to comments or to changes, further back than all of it', async () => {
  const path = `/loans/${loan.number}`
  await ben.send('/-/comments', { entity: 'loan', record: loan.id, _next: path, text: 'Narrow this', do: 'add' })
  const timeline = async (query: string) => {
    const { text } = await ben.get(path + query)
    return {
      list: /<ol class="tl">[\s\S]*?<\/ol>/.exec(text)?.[0] ?? '',
      nav: /<nav class="seg"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? '',
    }
  }
  const all = await timeline('?_show=everything')
  expect([all.list.includes('Narrow this'), all.list.includes('created it')]).toEqual([true, true])
  expect(all.nav).toContain(`<a href="${path}?_show=comments#activity">Comments</a>`)
  const comments = await timeline('?_show=comments')
  expect([comments.list.includes('Narrow this'), comments.list.includes('created it')]).toEqual([true, false])
  expect(comments.nav).toContain(`<a href="${path}?_show=comments#activity" aria-current="true">Comments</a>`)
  const changes = await timeline('?_show=changes')
  expect([changes.list.includes('Narrow this'), changes.list.includes('created it')]).toEqual([false, true])
  expect(changes.nav).toContain(`<a href="${path}#activity">All</a>`)
})

/** Statements of one comment of Ben's, those inside of its transaction among them. */
async function costOf(text: string): Promise<number> {
  const { runtime } = web.run
  let count = 0
  const counted = (tx: Tx): Tx =>
    new Proxy(tx, {
      get(of, name) {
        if (name === 'run' || name === 'query' || name === 'write') count++
        return Reflect.get(of, name)
      },
    })
  const inTransaction: Store['inTransaction'] = (work, options) =>
    runtime.store.inTransaction(tx => work(counted(tx)), options)
  const done = await addComment(
    { ...runtime, store: { ...runtime.store, inTransaction } },
    await web.run.as('Ben'),
    'loan',
    loan.id,
    { text },
  )
  expect(done.kind).toBe('done')
  return count
}

test('a comment costs as many statements for many followers as for two, and for a name that many share', async () => {
  const { now } = web.run
  // People of two sets of roles, as below.
  const few = await costOf('@Cleo and @Anna')
  await store().inTransaction(async tx => {
    await tx.write(sql`insert into public.person (id, name, email, created_at, changed_at)
      select gen_random_uuid(), 'Zoe ' || n, 'zoe' || n || '@example.org', ${now}, ${now} from generate_series(1, 150) as n`)
    await tx.write(sql`insert into ninefold.appointment (person, role, at)
      select id, 'Clerk', ${now} from public.person where name like 'Zoe 1%'`)
    await tx.write(sql`insert into ninefold.follower (entity, record, person, follows)
      select 'loan', ${loan.id}::uuid, id, true from public.person where name like 'Zoe %'`)
    await tx.write(sql`insert into ninefold.preference (person, told, changed_at)
      select id, '{"comment":"daily","mention":"daily"}', ${now} from public.person where name like 'Zoe 14%'`)
  })
  expect(await costOf('@Zoe 150, @Zoe and @Cleo')).toBeLessThanOrEqual(few)
  const said = (await comments()).at(-1)!
  expect(String(said.mentions).split(' ')).toHaveLength(2)
  expect(said.mentions).toContain(people().Cleo)
  // Those who follow and may not see it are told nothing.
  expect(
    await store().query(sql`select count(*) as n from ninefold.notice as n join public.person as p on p.id = n.person
    where n.comment = ${said.id}::uuid and p.name like 'Zoe %'`),
  ).toEqual([{ n: '62' }])
  expect(
    await store().query(sql`select count(*) as n from ninefold.outbox as o join public.person as p on p.id = o.record
    where p.name like 'Zoe 14%' and o.due_at > ${now}`),
  ).toEqual([{ n: '11' }])
})

test('with the record goes what was said about it', async () => {
  expect((await ben.send(`/loans/${loan.number}/delete`, {})).status).toBe(303)
  expect(await comments()).toEqual([])
  expect(await store().query(sql`select person from ninefold.follower`)).toEqual([])
})
