/** A timeline that the document closes: what was there before is told to nobody else, wherever a record is shown. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { requestFor } from '../run/people/people.ts'
import { loanDesk, readSound } from '../run/testing.ts'
import { takeStep } from '../run/write/writes.ts'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let ben: TestBrowser
let cleo: TestBrowser
let loan: { id: string; number: string; version: number }

const closing = (line: string) =>
  readSound(loanDesk, text =>
    text.replace(
      /(## 3[\s\S]*?### Loan \(was Booking\)\n\n)/,
      `$1- **Timeline:** ${line}\n- **Refused attempts:** Clerk\n\n`,
    ),
  )
const path = () => `/loans/${loan.number}`
const earlier = /Wedding of my aunt|created it|became Draft/

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), closing('Clerk'))
  ;[ben, cleo] = [await web.browser('Ben'), await web.browser('Cleo')]
  const [item] = await web.run.runtime.store.query<{ id: string }>(sql`select id from item where tag = 'CA-0001'`)
  const made = await ben.json('POST', '/api/v1/loan', {
    out_on: '2026-03-02',
    due_back: '2026-03-05',
    purpose: 'Wedding of my aunt',
    lines: [{ item: item!.id }],
  })
  loan = JSON.parse(made.text)
  await ben.json('PATCH', `/api/v1/loan/${loan.id}`, { purpose: 'A project' })
})
afterAll(() => web?.stop())

test('whoever the line names sees what was there before; to others who see the record it is as it is now', async () => {
  expect((await cleo.get(path())).text).toMatch(earlier)
  for (const query of ['', '?_show=changes', '?_show=messages', '?_show=comments']) {
    const { status, text } = await ben.get(`${path()}${query}`)
    expect([status, text.includes('A project'), earlier.test(text)]).toEqual([200, true, false])
  }
  for (const way of [`/api/v1/loan/${loan.id}`, '/loans?_export=csv', `/-/why?entity=loan&id=${loan.id}`])
    expect((await ben.get(way)).text).not.toMatch(earlier)
})

test('comments are there all the same, by themselves', async () => {
  await cleo.send('/-/comments', { entity: 'loan', record: loan.id, _next: path(), text: 'Is it in?', do: 'add' })
  const { text } = await ben.get(path())
  expect(text).toContain('Is it in?')
  expect(text).not.toMatch(earlier)
  expect((await cleo.get(path())).text).toMatch(earlier)
})

test('what was refused is kept for whoever the line names, without what was given, and no more of it than a record may have', async () => {
  const kept = async () =>
    (
      await web.run.runtime.store.query<{ what: string; codes: string[] }>(sql`
      select what, codes from ninefold.refused_attempt where record = ${loan.id}::uuid order by id`)
    ).map(({ what, codes }) => `${what} ${codes}`)
  const refusedOf = async (who: TestBrowser) => (await who.get(path())).text.match(/was refused: [^<]*/g) ?? []
  const approve = () => ben.json('POST', `/api/v1/loan/${loan.id}/approve`, {})
  expect((await approve()).status).toBe(403)
  expect(
    (await ben.json('PATCH', `/api/v1/loan/${loan.id}`, { due_back: '2026-03-01', purpose: 'Secret' })).status,
  ).toBe(422)
  expect((await cleo.json('DELETE', `/api/v1/loan/${loan.id}`)).status).toBe(403)
  // Tried on the way, and never meant.
  await ben.get(`${path()}/approve`)
  const [one, two, three, ...more] = await kept()
  expect([one, two, three, more]).toEqual(['approve NF-STEP-DENIED', 'change E-DUE-1', 'delete NF-DELETE-DENIED', []])
  expect(await refusedOf(cleo)).toEqual([
    'was refused: Delete (NF-DELETE-DENIED)',
    'was refused: Change (E-DUE-1)',
    'was refused: approve (NF-STEP-DENIED)',
  ])
  expect(await refusedOf(ben)).toEqual([])
  expect((await cleo.get(`${path()}?_show=changes`)).text).not.toContain('Secret')
  for (let at = 0; at < 100; at++) {
    const request = await requestFor(web.run.runtime, web.run.people.Ben!, web.run.door())
    await takeStep(web.run.runtime, request, 'loan', loan.id, 'approve', null)
  }
  expect(new Set(await kept())).toEqual(new Set([one]))
  expect(await kept()).toHaveLength(100)
})

test('who was faster is somebody', async () => {
  const edit = `${path()}/edit`
  const form = fieldsOf((await ben.get(edit)).text, edit)
  // Later than what made it a draft.
  web.run.now = new Date(web.run.now.getTime() + 1000)
  await ben.json('PATCH', `/api/v1/loan/${loan.id}`, { purpose: 'Hers' })
  const { status, text } = await ben.send(edit, Object.entries({ ...form, purpose: 'Mine' }))
  expect(status).toBe(409)
  expect(text).toMatch(/Somebody changed this/)
})

test('what one may do here names it, with the line', async () => {
  const why = async (who: TestBrowser) => {
    const { text } = await who.get(`/-/why?entity=loan&id=${loan.id}`)
    return text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  }
  expect([await why(ben), await why(cleo)]).toEqual([
    expect.stringMatching(/No See the timeline None of the roles allows it for this record\. §3 line \d+/),
    expect.stringMatching(/Yes See the timeline It is allowed\. §3 line \d+/),
  ])
})

test('`none` closes it to all', async () => {
  const runtime = { ...web.served.runtime, app: closing('none') }
  const other = await web.another({ served: { ...web.served, runtime } })
  try {
    const who = await web.signedIn(web.run.people.Cleo!, other)
    expect((await who.get(path())).text).not.toMatch(earlier)
  } finally {
    await other.close()
  }
})
