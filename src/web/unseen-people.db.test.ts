/** Whom heading 6 does not show is told of nowhere beside records either: not by pages about the application, not by forms, mentions and files. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { readSound, testId } from '../run/testing.ts'
import { fieldsOf, multipart, type Page, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let ada: TestBrowser
let cho: TestBrowser
let dot: TestBrowser
/** A visit that Cho receives; Ada sees and changes it. */
let theirs: { id: string; number: string }
let company: string

/** What a page is about: beside it, demo people stand by name. */
const main = ({ text }: Page): string => /<main.*<\/main>/s.exec(text)![0]
const id = (name: string) => web.run.people[name]!
const store = () => web.run.runtime.store
const visits = () => store().query<{ host: string }>(sql`select host from public.visit order by id`)
async function created(who: TestBrowser, entity: string, values: object) {
  const answer = await who.json('POST', `/api/v1/${entity}`, values)
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)])
  return JSON.parse(answer.text) as { id: string; number: string }
}

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, 'fixtures/visits.md')))
  ;[ada, cho, dot] = [await web.browser('Ada'), await web.browser('Cho'), await web.browser('Dot')]
  company = (await created(cho, 'company', { name: 'Acme', secret: true })).id
  theirs = await created(cho, 'visit', { what: 'Tea', company, guests: [id('Cho')], lines: [{ whom: id('Cho') }] })
})
afterAll(() => web?.stop())

test('who had a mail sent again is named to those who may see them', async () => {
  const now = web.run.now.toISOString()
  await store().query(sql`
    insert into ninefold.outbox (id, kind, name, entity, record, payload, repeat_key, state, due_at, attempts, last_error, finished_at,
      created_at, request, document, again_by, again_at)
    values (${testId()}::uuid, 'mail', 'done', 'visit', ${theirs.id}::uuid, '{"to":{"name":"x","address":"x@example.org"}}', 'k1', 'failed',
      ${now}, 3, 'no', ${now}, ${now}, 'r', 'd', ${id('Cho')}::uuid, ${now})`)
  expect((await cho.get('/-/unsent')).text).toContain('by Cho')
  const page = main(await dot.get('/-/unsent'))
  expect(page).toContain('by Somebody')
  expect(page).not.toContain('Cho')
})

test('who acted as somebody is named to those who may see them', async () => {
  await cho.send('/-/act', { do: 'act', person: id('Ada'), reason: 'to look' })
  await cho.send('/-/act/stop', {})
  cho = await web.browser('Cho')
  expect((await cho.get('/-/act')).text).toContain('Cho as Ada')
  const page = main(await ada.get('/-/account'))
  expect(page).toContain('Somebody as Ada')
  expect(page).not.toMatch(/\bCho\b/)
})

test('a mention by name reaches whom its author may see, and nobody else', async () => {
  const say = (text: string) =>
    ada.send('/-/comments', { entity: 'visit', record: theirs.id, _next: '/visits', do: 'add', text })
  await say('@Cho and @Dot, please look')
  const [said] = await store().query<{ mentions: string }>(
    sql`select array_to_string(mentions, ' ') as mentions from ninefold.comment`,
  )
  expect(said!.mentions).toBe(id('Dot'))
})

test('a form names nobody and nothing that its reader may not see, by address or sent', async () => {
  const address = `/visits/new?${new URLSearchParams({ what: 'Dinner', host: id('Cho'), guests: id('Cho'), company })}`
  const typed = { what: '', host: id('Cho'), guests: id('Cho'), company, 'lines.0.whom': id('Cho') }
  for (const page of [
    await ada.get(address),
    await ada.submit('/visits/new', '/visits/new', typed),
    await ada.submit('/visits/new', '/visits/new', { ...typed, what: 'Dinner' }),
    await ada.submit('/visits/new', '/visits/new', { ...typed, _pick: 'host', '_q.host': 'Cho' }),
  ]) {
    expect([200, 422]).toContain(page.status)
    expect(main(page)).not.toMatch(/>Cho<|"Cho"|Acme/)
  }
  expect(await visits()).toHaveLength(1)
  expect((await cho.get(address)).text).toMatch(/selected[^>]*>Cho</)
})

test('a reference to somebody who is not there for its author is refused, whichever way it comes', async () => {
  for (const values of [{ host: id('Cho') }, { guests: [id('Cho')] }, { lines: [{ whom: id('Cho') }] }]) {
    const answer = await ada.json('POST', '/api/v1/visit', { what: 'Dinner', ...values })
    expect([answer.status, JSON.parse(answer.text).errors[0].code]).toEqual([422, 'NF-NO-RECORD'])
    const nobody = JSON.parse(JSON.stringify(values).replaceAll(id('Cho'), testId()))
    const other = await ada.json('POST', '/api/v1/visit', { what: 'Dinner', ...nobody })
    expect(JSON.parse(other.text).errors).toEqual(JSON.parse(answer.text).errors)
  }
  const file = multipart([
    ['_csrf', await ada.token()],
    ['file', `What,Host\nOne,Cho\nTwo,Nobody\nThree,${id('Cho')}\nFour,Dot\n`, 'visits.csv'],
  ])
  const { location } = await ada.request('POST', '/-/import?entity=visit', file)
  expect((await ada.submit(location!, location!, { do: 'check' })).status).toBe(303)
  const page = main(await ada.get(location!))
  expect(page).toContain('1 row is right, 0 would change nothing, 3 have something wrong.')
  expect(page.match(/Host was not found/g)).toHaveLength(3)
  expect(await visits()).toHaveLength(1)
})

test('whom a new record begins with is there by name', async () => {
  await store().query(sql`update public.person set boss = ${id('Cho')}::uuid where name = 'Bo'`)
  const bo = await web.browser('Bo')
  expect(main(await bo.get('/visits/new'))).toMatch(/id="keeper"[\s\S]*?selected[^>]*>Cho</)
  expect((await bo.submit('/visits/new', '/visits/new', { what: 'Lunch' })).status).toBe(303)
  expect((await bo.submit('/visits/new', '/visits/new', { what: 'Lunch', host: id('Cho') })).status).toBe(422)
  await store().query(sql`delete from public.visit where what = 'Lunch'`)
})

test('whom a record names already stays there, by name, and is not copied to where they may not be named', async () => {
  const edit = `/visits/${theirs.number}/edit`
  const page = await ada.get(edit)
  expect(page.text).toMatch(/selected[^>]*>Cho</)
  const sent = { ...fieldsOf(page.text, edit), what: '' }
  const back = await ada.post(edit, { ...sent, guests: id('Cho') })
  expect([back.status, back.text]).toEqual([422, expect.stringMatching(/selected[^>]*>Cho</)])
  const saved = await ada.post(edit, { ...sent, guests: id('Cho'), what: 'Cake' })
  expect([saved.status, (await visits())[0]!.host]).toEqual([303, id('Cho')])
  const copy = await ada.get(`/visits/new?_copy=${theirs.number}`)
  expect(copy.text).toContain('Cake')
  expect(main(copy)).not.toMatch(/>Cho<|"Cho"|Acme/)
  expect(copy.text).not.toContain(company)
})

test('who appoints people finds those whom heading 6 shows them, and addresses where that field is open', async () => {
  const all = main(await cho.get('/-/people'))
  for (const shown of ['>Cho<', '>Dot<', 'ada@example.com']) expect(all).toContain(shown)
  const some = main(await dot.get('/-/people'))
  expect(some).toContain('>Ada<')
  expect(some).not.toMatch(/>Cho<|@example\.com/)
  for (const query of ['q=Cho', 'q=cho@example.com', 'q=ada@example.com', `after=${id('Cho')}`])
    expect([query, /scope="row"/.test(main(await dot.get(`/-/people?${query}`)))]).toEqual([query, false])
  for (const nobody of [id('Cho'), testId()]) {
    const given = await dot.send('/-/people/role', { person: nobody, role: 'Desk', do: 'appoint' })
    const taken = await dot.send('/-/people/role', { person: nobody, role: 'Desk', do: 'withdraw' })
    const invited = await dot.send('/-/people/invite', { person: nobody })
    expect([given.status, taken.status, invited.status]).toEqual([404, 404, 404])
  }
  expect((await dot.send('/-/people/role', { person: id('Ada'), role: 'Desk', do: 'appoint' })).status).toBe(303)
  expect((await dot.send('/-/people/role', { person: id('Ada'), role: 'Desk', do: 'withdraw' })).status).toBe(303)
})

test('what somebody may do is asked of those alone whom the page may name', async () => {
  const ask = async (who: TestBrowser, person: string) =>
    main(await who.get(`/-/why?entity=visit&id=${theirs.id}&person=${person}`))
  expect(await ask(cho, id('Ada'))).toContain('What may Ada do with')
  expect(await ask(dot, id('Ada'))).toContain('What may Ada do with')
  for (const person of [id('Cho'), 'Cho', testId()]) {
    const page = await ask(dot, person)
    expect(page).toContain('Nobody is called so.')
    expect(page).not.toMatch(/may Cho|Not Cho/)
  }
})

test('who adds somebody that is there already is told that the address is taken, and nothing else', async () => {
  const known = await dot.send('/-/people', { name: 'New', email: 'cho@example.com', invite: 'yes' })
  expect(known.status).toBe(422)
  expect(main(known)).not.toMatch(/\bCho\b/)
  expect(known.text).toContain('E-mail is taken: there is another Person with this E-mail.')
})
