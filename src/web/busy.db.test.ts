/** Locks that are held too long, really held: the answer is "try again", with what was typed, and never a failure of ours. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { raw, type Sql, sql } from '../expression/sql.ts'
import { readSound } from '../run/testing.ts'
import { openStore } from '../store/pool.ts'
import { cutLine } from '../store/testing-cut.ts'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let served: TestWeb
let sven: TestBrowser
let cleo: TestBrowser

beforeAll(async () => {
  served = await startTestWeb(
    inject('databaseUrl'),
    readSound(join(import.meta.dirname, '../run/fixtures/requests.md')),
  )
  ;[sven, cleo] = [await served.browser('Sven'), await served.browser('Cleo')]
})
afterAll(() => served?.stop())

/** Does something while somebody else holds a lock, which is there before it begins and goes after it ended. */
async function whileHeld<Value>(lock: Sql, work: () => Promise<Value>): Promise<Value> {
  return served.run.runtime.store.inSession(async session => {
    await session.execute('begin')
    await session.query(lock)
    try {
      return await work()
    } finally {
      await session.execute('rollback')
    }
  })
}

const api = async (who: TestBrowser, method: string, path: string, body?: unknown) => {
  const answer = await who.json(method, `/api/v1/request${path}`, body, { 'x-csrf-token': await who.token() })
  return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.text) as Record<string, unknown> }
}

test('a record that somebody else holds: form and API say to try again, and then it works', async () => {
  const made = await api(sven, 'POST', '', { title: 'Chairs', amount: '200.00', approver: served.run.people.Cleo })
  const id = String(made.body.id)
  expect((await api(sven, 'POST', `/${id}/submit`)).status).toBe(200)
  const address = `/requests/${id}/do/refuse`
  const before = served.log.filter(({ event }) => event === 'failure').length
  const [form, call] = await whileHeld(sql`select from request where id = ${id}::uuid for update`, () =>
    Promise.all([
      cleo.submit(address, address, { reason: 'Too dear' }),
      api(cleo, 'POST', `/${id}/refuse`, { reason: 'Too dear' }),
    ]),
  )
  expect([form.status, Number(form.headers.get('retry-after'))]).toEqual([503, 5])
  expect(form.text).toContain('Try again in a moment.')
  expect(form.text).toContain('Too dear')
  expect([call.status, Number(call.headers.get('retry-after')), call.body.code]).toEqual([503, 5, 'NF-BUSY'])
  expect(served.log.filter(({ event }) => event === 'failure')).toHaveLength(before)
  expect((await cleo.submit(address, address, { reason: 'Too dear' })).status).toBe(303)
})

test('a table that cannot even be read: page and API say to try again', async () => {
  const [page, call] = await whileHeld(raw('lock table request in access exclusive mode'), () =>
    Promise.all([cleo.get('/requests'), api(cleo, 'GET', '')]),
  )
  expect([page.status, Number(page.headers.get('retry-after'))]).toEqual([503, 5])
  expect(page.text).toContain('Too busy just now')
  expect(page.text).not.toContain('What you sent')
  expect(page.text).toContain('<a class="btn" href="/requests">Try again</a>')
  expect([call.status, Number(call.headers.get('retry-after'))]).toEqual([503, 5])
  expect((await cleo.get('/requests')).status).toBe(200)
})

test('a database whose disk is full: what is there is shown, form and API say to try again, and no try of ours is to blame', async () => {
  const { query } = served.run.runtime.store
  const before = served.log.length
  await query(
    raw(
      `create function no_room() returns trigger language plpgsql as $$ begin raise 'No space left' using errcode = '53100'; end $$`,
    ),
  )
  await query(raw('create trigger no_room before insert on public.request for each row execute function no_room()'))
  const values = { title: 'Ladders', amount: '200.00', approver: served.run.people.Cleo! }
  const form = await sven.submit('/requests/new', '/requests/new', { ...values, title: 'Ladders & "steps"' })
  const call = await api(sven, 'POST', '', values)
  expect([form.status, form.headers.get('retry-after'), call.status]).toEqual([503, '5', 503])
  expect(form.text).toContain('Nothing can be saved just now')
  expect(form.text).toContain('What you sent was not saved.')
  expect(form.text).toContain('<dd>€200.00</dd>')
  expect(call.body).toMatchObject({
    code: 'NF-UNAVAILABLE',
    type: expect.stringMatching(/\/-\/errors\/NF-UNAVAILABLE$/),
  })
  const back = fieldsOf(form.text, '/requests/new')
  expect(back).toMatchObject({ ...values, title: 'Ladders & "steps"' })
  // That it was used is to be noted in the session by now.
  await query(raw(`update ninefold.session set seen_at = seen_at - interval '2 minutes'`))
  await query(raw('create trigger no_room before update on ninefold.session for each row execute function no_room()'))
  expect((await sven.get('/requests')).status).toBe(200)
  await query(raw('drop function no_room cascade'))
  expect(served.log.slice(before).flatMap(({ level, event }) => (level === 'error' ? event : []))).toEqual(
    Array(2).fill('unavailable'),
  )
  expect((await sven.post('/requests/new', back)).status).toBe(303)
})

test('a form that is sent while the database is away comes back with what was typed, to whoever sent it from here', async () => {
  const { text } = await sven.get('/requests/new')
  const line = await cutLine(served.run.runtime.store.url)
  const store = openStore(line.url, { connections: 2, connectTimeout: 100 })
  const web = await served.another({ served: { ...served.served, runtime: { ...served.served.runtime, store } } })
  line.close()
  const sent = { ...fieldsOf(text, '/requests/new'), title: 'Ropes', amount: '20', approver: served.run.people.Cleo! }
  const post = (path: string, fields: Record<string, string>, origin: string) =>
    fetch(`${web.url}${path}`, { method: 'POST', headers: { origin }, body: new URLSearchParams(fields) })
  try {
    const away = await post('/requests/new', sent, web.url)
    expect(away.status).toBe(503)
    expect(fieldsOf(await away.text(), '/requests/new')).toMatchObject(sent)
    const stranger = await post('/requests/new', sent, 'https://elsewhere.example')
    expect([stranger.status, (await stranger.text()).includes('Ropes')]).toEqual([503, false])
    const signIn = await (
      await post('/-/sign-in', { email: 'sven@example.org', password: 'a long secret' }, web.url)
    ).text()
    expect([signIn.includes('sven@example.org'), signIn.includes('a long secret')]).toEqual([true, false])
    const files = new FormData()
    files.append('title', 'Nets')
    files.append('photo', new Blob(['x']), 'x.png')
    const whole = await fetch(`${web.url}/requests/new`, { method: 'POST', headers: { origin: web.url }, body: files })
    const page = await whole.text()
    expect([whole.status, fieldsOf(page, '/requests/new').title]).toEqual([503, 'Nets'])
    expect(page).toContain('choose them again')
    expect(page).toMatch(/type="file" name="photo"/)
  } finally {
    await web.close()
    await store.close()
  }
})

test('connections that the server ends, as when it is restarted: page and API say to try again', async () => {
  const before = served.log.filter(({ event }) => event === 'failure').length
  const [page, call] = await whileHeld(raw('lock table request in access exclusive mode'), async () => {
    let over = false
    const both = Promise.all([cleo.get('/requests'), api(cleo, 'GET', '')]).finally(() => {
      over = true
    })
    while (!over)
      await served.run.runtime.store.query(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    return both
  })
  expect([page.status, call.status]).toEqual([503, 503])
  expect(page.text).toContain('it is being restarted')
  expect(served.log.filter(({ event }) => event === 'failure')).toHaveLength(before)
})

test('a connection that breaks while a record is kept: with a key it is made once and told, without nothing is claimed', async () => {
  const line = await cutLine(served.run.runtime.store.url)
  const store = openStore(line.url, { connections: 4 })
  const web = await served.another({ served: { ...served.served, runtime: { ...served.served.runtime, store } } })
  try {
    const browser = await served.signedIn(served.run.people.Sven!, web)
    const made = async (title: string) =>
      (await store.query(sql`select from public.request where title = ${title}`)).length
    const create = async (title: string, headers: Record<string, string> = {}) => {
      const body = { title, amount: '200.00', approver: served.run.people.Cleo }
      const token = await browser.token()
      line.cut(1)
      const answer = await browser.json('POST', '/api/v1/request', body, { 'x-csrf-token': token, ...headers })
      return [
        answer.status,
        (JSON.parse(answer.text) as { detail?: string }).detail ?? null,
        line.done(),
        await made(title),
      ]
    }
    expect(await create('Lamps', { 'idempotency-key': 'lamps' })).toEqual([201, null, 1, 1])
    const unknown = expect.stringContaining('not known whether')
    expect(await create('Desks')).toEqual([504, unknown, 1, 1])
    const { text } = await browser.get('/requests/new')
    line.cut(1)
    const fields = {
      ...fieldsOf(text, '/requests/new'),
      title: 'Shelves',
      amount: '20',
      approver: served.run.people.Cleo!,
    }
    const saved = await browser.post('/requests/new', fields)
    expect([saved.status, line.done(), await made('Shelves')]).toEqual([303, 1, 1])
    // A form that was sent before it could be told, too.
    line.cut(100)
    const other = await browser.post('/requests/new', { ...fields, title: 'Bins', _once: 'another-once-1' })
    line.cut(0)
    expect([other.status, other.text.includes('not known whether'), other.text.includes('was not saved')]).toEqual([
      504,
      true,
      false,
    ])
    expect((await browser.post('/requests/new', { ...fields, title: 'Bins', _once: 'another-once-1' })).status).toBe(
      303,
    )
    expect(await made('Bins')).toBe(1)
  } finally {
    await web.close()
    await store.close()
    line.close()
  }
})
