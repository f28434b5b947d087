/** The pages on which people are appointed and limits changed: by whom, within which bounds, and however many there are. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { loanDesk, readSound } from '../run/testing.ts'
import { startDesk, type TestDesk } from './testing-desk.ts'

let web: TestDesk['web']
let anna: TestDesk['anna']
let ben: TestDesk['ben']
let clerk: TestDesk['clerk']
let manager: TestDesk['manager']
let rows: TestDesk['rows']
let draft: TestDesk['draft']

beforeAll(async () => {
  ;({ web, anna, ben, clerk, manager, rows, draft } = await startDesk(inject('databaseUrl')))
})
afterAll(() => web?.stop())

const lend = (more?: Record<string, unknown>) => anna.json('POST', '/api/v1/loan', draft(more))

test('the manager appoints people and changes limits within their bounds; nobody else does', async () => {
  const [{ id } = { id: '' }] = await rows<{ id: string }>(sql`select id from public.person where name = 'Moritz'`)
  expect((await anna.send('/-/people/role', { person: id, role: 'Clerk', do: 'appoint' })).status).toBe(404)
  expect((await clerk.send('/-/people/role', { person: id, role: 'Clerk', do: 'appoint' })).status).toBe(404)
  expect((await manager.send('/-/people/role', { person: id, role: 'Auditor', do: 'appoint' })).status).toBe(404)
  expect((await manager.send('/-/people/role', { person: id, role: 'Clerk', do: 'appoint' })).status).toBe(303)
  expect((await ben.get('/desk')).status).toBe(200)
  expect((await manager.send('/-/people/role', { person: id, role: 'Clerk', do: 'withdraw' })).status).toBe(303)
  expect((await ben.get('/desk')).status).toBe(403)

  expect((await anna.send('/-/limits', { key: 'max_loan_days', value: '30' })).status).toBe(404)
  expect((await manager.send('/-/limits', { key: 'max_value', value: '1' })).status).toBe(404)
  expect((await manager.send('/-/limits', { key: 'max_loan_days', value: '61' })).status).toBe(422)
  expect((await manager.send('/-/limits', { key: 'max_loan_days', value: 'many' })).status).toBe(422)
  expect((await manager.send('/-/limits', { key: 'max_loan_days', value: '60' })).status).toBe(303)
  expect((await lend({ due_back: '2026-04-30' })).status).toBe(201)
  expect((await manager.send('/-/limits', { key: 'max_loan_days', value: '14' })).status).toBe(303)
  expect((await manager.send('/-/limits', { key: 'max_loan_days', value: '9', since: '2026-01-01' })).status).toBe(422)
  // Without a script the day is typed, as people write it.
  expect((await manager.send('/-/limits', { key: 'max_loan_days', value: '9', since: '1 Janury 2030' })).status).toBe(
    422,
  )
  expect((await manager.send('/-/limits', { key: 'max_loan_days', value: '9', since: '1 January 2030' })).status).toBe(
    303,
  )
  expect((await manager.get('/-/limits')).text).toMatch(/9 days?\b.*2030|9 from .*2030/)
  expect((await manager.send('/-/limits', { key: 'max_loan_days', takeBack: '2030-01-01' })).status).toBe(303)
  const changes = (await manager.get('/-/limits')).text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  expect(changes).toMatch(/Mia Max loan days 14 9 from .*2030.* Mia Max loan days 60 14 .*Mia Max loan days 14 60/)
  expect((await lend({ due_back: '2026-04-30' })).status).toBe(422)

  const added = await manager.send('/-/people', { name: 'Nadia', email: 'Nadia@Example.org' })
  expect(added.status).toBe(303)
  expect((await manager.get('/-/people')).text).toContain('nadia@example.org')
  const refused = await manager.send('/-/people', { name: '', email: 'no', role: 'Clerk' })
  expect([refused.status, /checked=""[^>]*value="Clerk"/.test(refused.text)]).toEqual([422, true])
  expect((await manager.send('/-/people', { name: 'Olaf', email: 'olaf@example.org', role: 'Auditor' })).status).toBe(
    404,
  )
  expect((await manager.send('/-/people', { name: 'Olaf', email: 'olaf@example.org', role: 'Clerk' })).status).toBe(303)
  expect(
    await rows(sql`select role from ninefold.appointment join public.person on person.id = person where name = 'Olaf'`),
  ).toEqual([{ role: 'Clerk' }])
  expect((await clerk.send('/-/people', { name: 'X', email: 'x@example.org' })).status).toBe(404)

  const [{ id: nadia } = { id: '' }] = await rows<{ id: string }>(
    sql`select id from public.person where name = 'Nadia'`,
  )
  const forATime = { person: nadia, role: 'Clerk', do: 'appoint' }
  expect((await manager.send('/-/people/role', { ...forATime, until: '2020-01-01' })).status).toBe(422)
  expect((await manager.send('/-/people/role', { ...forATime, until: 'soon' })).status).toBe(422)
  expect(
    (await manager.send('/-/people/role', { ...forATime, from: '1 January 2030', until: '2030-01-31' })).status,
  ).toBe(303)
  expect((await manager.get('/-/people')).text).toMatch(/1 January 2030 to 31 January 2030|Jan.* 2030 to .*2030/)
})

test('however many people there are, each is found, appointed, asked about and written to', async () => {
  await web.run.runtime.store.inTransaction(async tx => {
    await tx.write(sql`insert into public.person (id, name, email, created_at, changed_at)
      select gen_random_uuid(), 'Zoé ' || lpad(n::text, 4, '0'), 'zoe' || n || '@example.org', now(), now() from generate_series(1, 1100) as n`)
    await tx.write(sql`insert into ninefold.appointment (person, role, at)
      select id, 'Clerk', now() from public.person where starts_with(name, 'Zoé') and name <> 'Zoé 1100'`)
  })
  const listed: string[] = []
  for (let next: string | undefined = '/-/people'; next !== undefined; ) {
    const page: string = (await manager.get(next)).text
    listed.push(...Array.from(page.matchAll(/<th [^>]*scope="row"[^>]*>([^<]+)</g), ([, name]) => name!))
    next = /href="([^"]*)"[^>]*>More people</.exec(page)?.[1]
  }
  const [{ n } = { n: '' }] = await rows<{ n: string }>(sql`select count(*) as n from public.person`)
  expect([listed.length, new Set(listed).size]).toEqual([Number(n), Number(n)])

  const [zoe] = await rows<{ id: string }>(sql`select id from public.person where name = 'Zoé 1100'`)
  const found = (await manager.get('/-/people?q=zoe%201100')).text
  expect(found.match(/<th [^>]*scope="row"/g)).toHaveLength(1)
  const action = /action="([^"]*role[^"]*)"/.exec(found)![1]!.replaceAll('&amp;', '&')
  const appointed = await manager.send(action, { person: zoe!.id, role: 'Clerk', do: 'appoint' })
  expect([appointed.status, appointed.location]).toEqual([303, '/-/people?q=zoe+1100'])
  const { id } = JSON.parse((await lend()).text) as { id: string }
  const address = `/-/why?entity=loan&id=${id}`
  expect((await manager.get(address)).text).toMatch(/<input[^>]*name="person"/)
  expect((await manager.get(`${address}&person=ZOE%201100`)).text).toContain('Zoé 1100')
  expect((await manager.get(`${address}&person=Zo`)).text).toContain('Nobody is called so.')

  expect((await anna.json('POST', `/api/v1/loan/${id}/submit`)).status).toBe(200)
  const [{ mails } = { mails: '' }] = await rows<{ mails: string }>(
    sql`select count(distinct payload -> 'to' ->> 'address') as mails from ninefold.outbox where name = 'new_request' and payload -> 'to' ->> 'address' like 'zoe%'`,
  )
  expect(mails).toBe('1100')
})

test('however often limits were changed, each change is to be read', async () => {
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`insert into ninefold.history (id, at, entity, record, version, kind, what, changes, document, request)
      select ('01930000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, now(), entity, record, version, kind, what,
        jsonb_build_object(what, jsonb_build_array(n::text, (n + 1)::text)), document, request
      from (select * from ninefold.history where kind = 'constant' order by id limit 1) as one, generate_series(1, 60) as n`),
  )
  const [{ n } = { n: '' }] = await rows<{ n: string }>(
    sql`select count(*) as n from ninefold.history where kind = 'constant'`,
  )
  let read = 0
  for (let next: string | undefined = '/-/limits'; next !== undefined; ) {
    const page: string = (await manager.get(next)).text
    read += page.slice(page.indexOf('>Changes<')).match(/<th role="rowheader"/g)!.length
    next = /href="([^"]*)"[^>]*>(?:<[^>]*>)*Older</.exec(page)?.[1]
  }
  expect(read).toBe(Number(n))
})

test('limits of every type are typed and read as people write them', async () => {
  const limits = [
    ['patience', '3 days', '3 days', '2 weeks', '14 days', '2 hours'],
    ['lapse', '2 hours', '2:00', '90 min', '1:30', '2 days'],
    ['begins', '2026-04-01', '2026-04-01', '1 May 2026', '2026-05-01', 'soon'],
    ['opening', '08:00', '08:00', '9:30', '09:30', '25:00'],
    ['open', 'yes', 'yes', 'no', 'no', 'maybe'],
  ] as const
  const document = readSound(loanDesk, text =>
    text.replace(
      /^(\| max_loan_days.*)$/m,
      ['$1', ...limits.map(([name, value]) => `| ${name} | ${value} | | | Manager | |`)].join('\n'),
    ),
  )
  await web.web.reload({ ...web.served, runtime: { ...web.served.runtime, app: document } })
  try {
    const shown = async (name: string) => {
      const { text } = await manager.get('/-/limits')
      const control = new RegExp(`<(?:input|select) id="limit-${name}".*?(?=</form>)`).exec(text)![0]
      return /value="([^"]*)" selected|^<input.*? value="([^"]*)"/.exec(control)!.slice(1).join('')
    }
    for (const [key, , first, typed, then, wrong] of limits) {
      expect(await shown(key)).toBe(first)
      for (const value of [wrong, ''])
        expect((await manager.send('/-/limits', { key, value })).text).toMatch(
          value === '' ? /is missing/ : / must be (?!a number, )/,
        )
      expect((await manager.send('/-/limits', { key, value: typed })).status).toBe(303)
      expect(await shown(key)).toBe(then)
    }
    expect((await manager.get('/-/limits')).text).toMatch(/>3 days<\/td><td[^>]*>14 days<\/td>/)
  } finally {
    await web.web.reload(web.served)
  }
})
