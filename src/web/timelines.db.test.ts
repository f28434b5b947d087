/** A timeline that the document closes: what was there before is told to nobody else, wherever a record is shown. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { loanDesk, readSound } from '../run/testing.ts'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let ben: TestBrowser
let cleo: TestBrowser
let loan: { id: string; number: string; version: number }

const closing = (line: string) =>
  readSound(loanDesk, text =>
    text.replace(/(## 3[\s\S]*?### Loan \(was Booking\)\n\n)/, `$1- **Timeline:** ${line}\n\n`),
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
