/** Keys for programs: made in person, act as their person in one role, and end. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { raw, sql } from '../../expression/sql.ts'
import { readSound } from '../../run/testing.ts'
import { keysOfPerson } from '../bounds.ts'
import { countInMinute } from '../rate-limit/per-minute.ts'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from '../testing.ts'
import { keyGiven } from './api-keys.ts'

let web: TestWeb
let manager: TestBrowser
let person: string
const start = new Date('2026-03-02T09:00:00.000Z')
const role = 'Clerk'

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'))
  const [row] = await web.run.runtime.store.query<{ id: string; name: string }>(sql`
    select id, name from public.person join ninefold.appointment on appointment.person = person.id where role = ${role} limit 1`)
  person = row!.id
  manager = await web.browser(row!.name)
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(
      sql`insert into ninefold.appointment (person, role, at) values (${person}::uuid, 'Manager', ${start}) on conflict do nothing`,
    ),
  )
})
afterAll(() => web?.stop())

const make = (fields: Readonly<Record<string, string>>, who = manager) =>
  who.submit('/-/account/keys', '/-/account/keys', { name: 'Feed', role, days: '30', ...fields })
const keyOf = (page: { readonly text: string }): string => />(nf_[\w-]{43})</.exec(page.text)?.[1] ?? ''
const made = async (fields: Readonly<Record<string, string>>) => {
  const page = await make(fields)
  expect(page.status).toBe(200)
  return keyOf(page)
}
/** A program: no cookies, and nothing of what browsers say. */
const ask = async (key: string, path = '/api/v1/loan', init: RequestInit = {}) => {
  const response = await fetch(web.url + path, {
    ...init,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const loan = async () => {
  const [item] = await web.run.runtime.store.query<{ id: string }>(sql`select id from public.item order by tag limit 1`)
  return JSON.stringify({ out_on: '2026-03-02', due_back: '2026-03-05', lines: [{ item: item!.id }] })
}

test('a key is shown once, and kept as its hash', async () => {
  const key = await made({ name: 'Once' })
  expect(key).toMatch(/^nf_[\w-]{43}$/)
  const page = await manager.get('/-/account/keys')
  expect(page.text).toContain('Once')
  expect(page.text).toContain('never')
  expect(page.text).not.toContain(key)
  const rows = await web.run.runtime.store.query(sql`select * from ninefold.api_key`)
  expect(JSON.stringify(rows)).not.toContain(key.slice(3))
})

test('it asks without cookie and token, is noted, and its name stands in the history', async () => {
  const key = await made({ name: 'Night import' })
  const answer = await ask(key, '/api/v1/loan', { method: 'POST', body: await loan() })
  expect(answer.status).toBe(201)
  expect(answer.headers.getSetCookie()).toEqual([])
  const { id } = JSON.parse(answer.text) as { id: string }
  expect(
    await web.run.runtime.store.query(
      sql`select actor, api_key from ninefold.history where record = ${id}::uuid order by id limit 1`,
    ),
  ).toEqual([{ actor: person, api_key: 'Night import' }])
  const { number } = JSON.parse(answer.text) as { number: string }
  expect((await manager.get(`/loans/${number}`)).text).toContain('created it, with the key “Night import”')
  const [row] = await web.run.runtime.store.query<{ seen_at: string }>(
    sql`select seen_at from ninefold.api_key where name = 'Night import'`,
  )
  expect(new Date(row!.seen_at).toISOString()).toBe(web.run.now.toISOString())
})

test('it has one role beside those of everybody, whatever else its person is, and none when they lose it', async () => {
  const key = await made({ name: 'Narrow' })
  const paths = async (of: string) =>
    Object.keys((JSON.parse((await ask(of, '/api/v1/openapi.json')).text) as { paths: object }).paths)
  const wide = await made({ name: 'Manager’s', role: 'Manager' })
  expect(await paths(key)).not.toEqual(await paths(wide))
  const [ofEverybody, ofClerks] = ['/api/v1/loan/{id}/submit', '/api/v1/loan/{id}/approve']
  expect(await paths(key)).toEqual(expect.arrayContaining([ofEverybody, ofClerks]))
  const least = await paths(await made({ name: 'Everybody’s', role: 'Borrower' }))
  expect([least.includes(ofEverybody), least.includes(ofClerks)]).toEqual([true, false])
  const appointment = sql`person = ${person}::uuid and role = ${role}`
  const store = web.run.runtime.store
  await store.inTransaction(tx => tx.write(sql`delete from ninefold.appointment where ${appointment}`))
  expect((await ask(key)).status).toBe(403)
  for (const path of ['openapi.json', 'item', 'person'])
    expect([path, (await ask(key, `/api/v1/${path}`)).status]).toEqual([path, 403])
  expect((await manager.get('/-/account/keys')).text).toContain('not yours any more')
  await store.inTransaction(tx =>
    tx.write(sql`insert into ninefold.appointment (person, role, at) values (${person}::uuid, ${role}, ${start})`),
  )
  expect((await ask(key)).status).toBe(200)
})

test('pages know no keys, and a key that is none is not helped by a session', async () => {
  const key = await made({ name: 'Pages' })
  expect((await ask(key, '/-/account', { redirect: 'manual' })).status).toBe(303)
  expect((await manager.get('/api/v1/loan', { authorization: `Bearer nf_${'A'.repeat(43)}` })).status).toBe(401)
  for (const wrong of ['', 'nf_', `nf_${'A'.repeat(43)}`, key.slice(0, -1), key.slice(3)]) {
    const answer = await ask(wrong)
    expect([wrong, answer.status, answer.headers.get('www-authenticate')]).toEqual([
      wrong,
      401,
      'Bearer realm="Ninefold", error="invalid_token"',
    ])
    expect((await ask(wrong, '/api/v1/openapi.json')).status).toBe(401)
  }
  expect(keyGiven('Basic eDp5')).toBe('refused')
  expect(keyGiven(`bearer  ${key}`)).toBe(key)
  expect(keyGiven(undefined)).toBeNull()
})

test('it ends with its day, with its account, and when it is revoked, by its own person only', async () => {
  const key = await made({ name: 'Ending', days: '2' })
  web.run.now = new Date(start.getTime() + 2 * 86_400_000 - 1)
  expect((await ask(key)).status).toBe(200)
  web.run.now = new Date(start.getTime() + 2 * 86_400_000)
  expect((await ask(key)).status).toBe(401)
  web.run.now = start

  const store = web.run.runtime.store
  await store.inTransaction(tx =>
    tx.write(sql`insert into ninefold.account (person, disabled_at, changed_at) values (${person}::uuid, ${start}, ${start})
      on conflict (person) do update set disabled_at = excluded.disabled_at`),
  )
  expect((await ask(key)).status).toBe(401)
  await store.inTransaction(tx => tx.write(sql`delete from ninefold.account where person = ${person}::uuid`))
  expect((await ask(key)).status).toBe(200)

  const [row] = await store.query<{ id: string }>(sql`select id from ninefold.api_key where name = 'Ending'`)
  const other = await web.browser('Dan')
  expect((await other.send('/-/account/keys', { revoke: row!.id })).status).toBe(404)
  expect((await manager.send('/-/account/keys', { revoke: 'x' })).status).toBe(404)
  expect((await ask(key)).status).toBe(200)
  expect((await manager.send('/-/account/keys', { revoke: row!.id })).status).toBe(303)
  expect((await ask(key)).status).toBe(401)
})

test('what cannot be had is refused beside its field', async () => {
  for (const wrong of [
    { name: '' },
    { name: 'x'.repeat(61) },
    { name: 'a\u0000b' },
    { role: 'Emperor' },
    { role: '' },
    { days: '0' },
    { days: '366' },
    { days: '-1' },
    { days: '1.5' },
    { days: 'x' },
    { name: 'Once' },
  ]) {
    const page = await make({ name: 'New', ...wrong })
    expect([wrong, page.status, keyOf(page)]).toEqual([wrong, 422, ''])
    expect(page.text).toContain('aria-invalid="true"')
  }
  // All of it at once.
  expect((await make({ name: '', role: '', days: '0' })).text.match(/aria-invalid="true"/g)).toHaveLength(3)
})

test('nobody has too many, however they ask', async () => {
  const dan = await web.browser('Dan')
  const [{ roles }] = [{ roles: /<option value="([^"]+)"/.exec((await dan.get('/-/account/keys')).text)?.[1] ?? '' }]
  const answers = await Promise.all(
    Array.from({ length: keysOfPerson + 5 }, (_, index) => make({ name: `K${index}`, role: roles }, dan)),
  )
  expect(answers.filter(({ status }) => status === 200).length).toBe(keysOfPerson)
  expect(answers.filter(({ status }) => status === 422).length).toBe(5)
})

test('what is counted by the minute holds for all who count at once', async () => {
  const { store } = web.run.runtime
  const count = (who: string, now: Date, most = 4) => countInMinute(store, { what: 'test', who, most, now })
  const waits = await Promise.all(Array.from({ length: 10 }, () => count('a', start)))
  expect(waits.filter(wait => wait === 0)).toHaveLength(4)
  expect(waits.filter(wait => wait === 60)).toHaveLength(6)
  expect([await count('b', start), await count('a', start, 5), await count('a', start, 5)]).toEqual([0, 0, 60])
  expect(await count('a', new Date(start.getTime() + 59_000))).toBe(1)
  expect(await count('a', new Date(start.getTime() + 60_000))).toBe(0)
  // A clock that went back shuts nobody out.
  expect(await count('a', start)).toBe(0)
  // Processes whose clocks are two minutes apart count together; one that is an hour off does not count for the others.
  const asked = []
  for (const minutes of [0, 2, 0, 2, 2, 0, -60, 0])
    asked.push((await count('c', new Date(start.getTime() + minutes * 60_000))) === 0)
  expect(asked).toEqual([true, true, true, true, true, false, true, true])
})

test('a document says how many requests, and how many days', async () => {
  const app = readSound(join(import.meta.dirname, '../../run/fixtures/requests.md'), text =>
    text.replace(
      '## 9 Business constants and limits\n\nnone',
      '## 9 Business constants and limits\n\n| Name | Value | Unit |\n| --- | --- | --- |\n| max_key_requests | 3 | requests |\n| max_key_days | 7 | days |',
    ),
  )
  const small = await startTestWeb(inject('databaseUrl'), app)
  try {
    const sven = await small.browser('Sven')
    const options = /<option value="([^"]+)"/.exec((await sven.get('/-/account/keys')).text)?.[1] ?? ''
    const send = (days: string, name = 'Feed') =>
      sven.submit('/-/account/keys', '/-/account/keys', { name, role: options, days })
    expect((await send('8')).status).toBe(422)
    const key = keyOf(await send('7'))
    const other = await small.another()
    const statuses = []
    for (const url of [small.url, other.url, small.url, other.url])
      statuses.push((await fetch(`${url}/api/v1/request`, { headers: { authorization: `Bearer ${key}` } })).status)
    await other.close()
    expect(statuses.slice(0, 3)).not.toContain(429)
    expect(statuses[3]).toBe(429)
    // Another key of the same person is no way around it.
    const second = keyOf(await send('7', 'Another'))
    const refused = await fetch(`${small.url}/api/v1/request`, { headers: { authorization: `Bearer ${second}` } })
    expect([refused.status, await refused.json()]).toMatchObject([429, { title: 'Too many requests' }])
  } finally {
    await small.stop()
  }
})

test('a document says how many requests people make in a minute, and those of a role, by pages and the API together', async () => {
  const rows = ['max_requests | 12', 'max_requests_chief | 15', 'max_key_requests_staff | 2']
  const counting = (unit: string) =>
    readSound(join(import.meta.dirname, '../../run/fixtures/requests.md'), text =>
      text.replace(
        '## 9 Business constants and limits\n\nnone',
        `## 9 Business constants and limits\n\n| Name | Value | Unit |\n| --- | --- | --- |\n${rows.map(row => `| ${row} | ${unit} |`).join('\n')}`,
      ),
    )
  expect(() => counting('days')).toThrow('N1911 max_requests_chief is a built-in limit, which counts requests')
  const small = await startTestWeb(inject('databaseUrl'), counting('requests'))
  try {
    const [{ name: chief }] = (await small.run.runtime.store.query<{ name: string }>(
      sql`select name from public.person join ninefold.appointment on appointment.person = person.id where role = 'Chief'`,
    )) as [{ name: string }]
    const [sven, olga, visitor] = [await small.browser('Sven'), await small.browser(chief), await small.browser(null)]
    const made = await sven.submit('/-/account/keys', '/-/account/keys', { name: 'Feed', role: 'Staff', days: '7' })
    const statuses: number[] = []
    for (let count = 0; count < 3; count++) {
      const headers = { authorization: `Bearer ${keyOf(made)}` }
      statuses.push((await fetch(`${small.url}/api/v1/request`, { headers })).status)
    }
    expect(statuses).toEqual([200, 200, 429])
    small.run.now = new Date(small.run.now.getTime() + 60_000)
    const until = async (browser: TestBrowser, path: string) => {
      let count = 0
      while (count < 40 && (await browser.get(path)).status !== 429) count++
      return count
    }
    expect([
      await until(sven, '/requests'),
      await until(olga, '/requests'),
      await until(visitor, '/-/sign-in'),
    ]).toEqual([12, 15, 40])
    const page = await sven.get('/requests')
    expect([page.headers.get('retry-after'), page.text]).toEqual(['60', expect.stringContaining('Too many requests')])
    const sent = await sven.post('/requests/new', { title: 'Ropes' }, { origin: small.url })
    expect([sent.status, fieldsOf(sent.text, '/requests/new').title]).toEqual([429, 'Ropes'])
    expect((await sven.json('GET', '/api/v1/request')).status).toBe(429)
    small.run.now = new Date(small.run.now.getTime() + 60_000)
    expect((await sven.get('/requests')).status).toBe(200)
    // Where nothing can be counted, what is there is shown all the same.
    const { query } = small.run.runtime.store
    await query(
      raw(
        `create function no_room() returns trigger language plpgsql as $$ begin raise 'No space left' using errcode = '53100'; end $$`,
      ),
    )
    await query(
      raw('create trigger no_room before insert or update on ninefold.minute for each row execute function no_room()'),
    )
    expect((await sven.get('/requests')).status).toBe(200)
  } finally {
    await small.stop()
  }
})
