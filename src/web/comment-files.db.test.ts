/** Files in comments: for whoever may read the comment, under the limits of all files, and gone with what names them. Without scripts. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { forgetTraces } from '../run/people/erase.ts'
import { giveOut } from '../run/people/give-out.ts'
import { systemRequest } from '../run/people/people.ts'
import { tidyFiles } from '../run/read/files.ts'
import { forgetPast } from '../run/retention.ts'
import { testId } from '../run/testing.ts'
import { scannerAt } from '../store/clamd.ts'
import { folderFiles } from '../store/files.ts'
import { startClamd, type TestClamd } from '../store/testing-clamd.ts'
import { mebibyte, pdf, png } from './fixtures/contents.ts'
import { fieldsOf, multipart, type Part, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let ben: TestBrowser
let cleo: TestBrowser
let anna: TestBrowser
let clamd: TestClamd
let loan: { id: string; number: string }
let start: Date
const folder = mkdtempSync(join(tmpdir(), 'ninefold-comment-files-'))

const store = () => web.run.runtime.store
const path = () => `/loans/${loan.number}`
const send = async (who: TestBrowser, text: string, files: readonly Part[]) => {
  const fields = { _csrf: await who.token(), entity: 'loan', record: loan.id, _next: path(), do: 'add', text }
  return who.request('POST', '/-/comments', multipart([...Object.entries(fields), ...files]))
}
const change = (who: TestBrowser, fields: Record<string, string>) =>
  who.send('/-/comments', { entity: 'loan', record: loan.id, ...fields })
const addresses = async (who: TestBrowser) =>
  [...(await who.get(path())).text.matchAll(/href="(\/-\/comment-files\/[^"]*)"/g)].map(([, href]) => href!)
const contents = (): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile()).length
const said = () =>
  store().query<{ id: string; text: string | null; files: string }>(
    sql`select id, text, array_to_string(files, ', ') as files from ninefold.comment order by id`,
  )
const tidied = () => tidyFiles(web.run.runtime, folderFiles(folder), new Date(start.getTime() + 2 * 86_400_000))

beforeAll(async () => {
  clamd = await startClamd()
  const files = { ...folderFiles(folder), scan: scannerAt(clamd.url) }
  web = await startTestWeb(inject('databaseUrl'), undefined, { files })
  start = web.run.now
  ;[ben, cleo] = [await web.browser('Ben'), await web.browser('Cleo')]
  anna = await web.newcomer('Anna')
  const [item] = await store().query<{ id: string }>(sql`select id from item where tag = 'CA-0001'`)
  const lines = [{ item: item!.id }]
  const made = await ben.json('POST', '/api/v1/loan', { out_on: '2026-03-02', due_back: '2026-03-05', lines })
  loan = JSON.parse(made.text) as typeof loan
})
beforeEach(async () => {
  web.run.now = start
  await store().inTransaction(tx => tx.write(sql`delete from ninefold.comment`))
})
afterAll(async () => {
  await web?.stop()
  clamd?.server.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a comment has files, for whoever sees the record and may talk about it; each runs nothing', async () => {
  const sent = await send(ben, 'As it is now', [
    ['files', png, 'Scratch <1>.png'],
    ['files', pdf, 'Bill.pdf'],
  ])
  expect(sent.status).toBe(303)
  const page = (await cleo.get(path())).text
  expect(page).toMatch(/<form[^>]*action="\/-\/comments"[^>]*enctype="multipart\/form-data"/i)
  expect([page.includes('Scratch &lt;1&gt;.png'), page.includes('Bill.pdf')]).toEqual([true, true])
  const [first, second] = (await addresses(cleo)) as [string, string]
  const picture = await cleo.get(first)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(picture.headers.get('content-security-policy')).toContain("default-src 'none'")
  const bill = await cleo.get(second)
  expect(bill.headers.get('content-disposition')).toMatch(/^attachment; filename="Bill.pdf"/)
  expect(bill.text).toBe(pdf.toString())
  expect((await anna.get(first)).status).toBe(404)
  expect((await (await web.browser(null)).get(first)).status).toBe(303)
  for (const other of [`${first}/1`, ...['3', '0', 'x'].map(place => first.replace(/1$/, place))])
    expect((await cleo.get(other)).status, other).toBe(404)
})

test('whoever loses the record loses its files', async () => {
  await send(ben, 'Mine', [['files', png, 'a.png']])
  const [address] = (await addresses(ben)) as [string]
  const borrower = (name: string) =>
    store().query(sql`update loan set borrower = ${web.run.people[name]}::uuid where id = ${loan.id}::uuid`)
  await borrower('Mia')
  expect((await ben.get(address)).status).toBe(404)
  await borrower('Ben')
  expect((await ben.get(address)).status).toBe(200)
})

test.each([
  ['a virus', Buffer.concat([png, Buffer.from('a virus')]), 'the virus scanner found Test-Virus'],
  ['nothing in it', Buffer.alloc(0), 'empty'],
  ['too much in it', Buffer.alloc(11 * mebibyte, 'x'), 'at most'],
])(
  'a file with %s is refused in words; all that was typed, and the other file, come back to be sent again',
  async (_, content, why) => {
    const { status, text } = await send(ben, 'All that I typed', [
      ['files', content, 'a.bin'],
      ['files', pdf, 'Kept.pdf'],
    ])
    expect([
      status,
      text.includes(why),
      text.includes('All that I typed</textarea>'),
      text.includes('Kept.pdf'),
    ]).toEqual([422, true, true, true])
    expect(await said()).toEqual([])
    expect((await ben.post('/-/comments', { ...fieldsOf(text, '/-/comments'), do: 'add' })).status).toBe(303)
    const { text: told, files } = (await said())[0]!
    expect([told, files.endsWith(' Kept.pdf')]).toEqual(['All that I typed', true])
  },
)

test('nobody names a file that they did not send, and who may not talk about anything sends none', async () => {
  await send(ben, 'Mine', [['files', Buffer.concat([png, Buffer.from('own')]), 'own.png']])
  const { files } = (await said())[0]!
  expect([(await change(cleo, { do: 'add', text: 'Mine too', files })).status, (await said()).length]).toEqual([422, 1])
  const before = contents()
  const fields = { _csrf: await anna.token(), entity: 'nothing', record: loan.id, do: 'add', text: 'x' }
  const junk: Part = ['files', Buffer.from('junk'), 'a.txt']
  const refused = await anna.request('POST', '/-/comments', multipart([...Object.entries(fields), junk]))
  expect([refused.status, contents() - before]).toEqual([404, 0])
})

test('a file stays as long as a comment names it, or could again: not longer', async () => {
  await send(ben, 'With it', [['files', Buffer.concat([png, Buffer.from('kept')]), 'kept.png']])
  await tidied()
  expect(await tidied()).toBe(0)
  const [address] = (await addresses(ben)) as [string]
  const { id } = (await said())[0]!
  web.run.now = new Date(start.getTime() + 5000)
  await change(ben, { do: 'remove', comment: id })
  expect([(await ben.get(address)).status, await tidied()]).toEqual([404, 0])
  expect((await ben.send('/-/undo', { of: `@comment ${id} ${start.getTime() + 5000}` })).status).toBe(303)
  expect((await ben.get(address)).status).toBe(200)
  await change(ben, { do: 'remove', comment: id })
  const later = { now: new Date(start.getTime() + 700_000), id: testId(), locale: 'en', newId: testId }
  await forgetPast(web.run.runtime, later)
  expect(await tidied()).toBe(1)
})

test('over the API files are sent first, named in a comment, and got below it', async () => {
  const token = { 'x-csrf-token': await ben.token() }
  const upload = multipart([['file', png, 'a.png']])
  const sent = await ben.request('POST', '/api/v1/-/files', { ...upload, headers: { ...upload.headers, ...token } })
  const file = JSON.parse(sent.text) as object
  const address = `/api/v1/loan/${loan.id}/comments`
  const made = await ben.json('POST', address, { text: 'See', files: [file] }, token)
  expect(made.status).toBe(201)
  const { id } = JSON.parse(made.text) as { id: string }
  expect(JSON.parse((await cleo.get(address)).text).data[0].files).toEqual([file])
  const got = await cleo.get(`${address}/${id}/files/1`)
  expect([got.status, got.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect((await anna.get(`${address}/${id}/files/1`)).status).toBe(404)
  expect((await cleo.get(`/api/v1/loan/${id}/comments/${id}/files/1`)).status).toBe(404)
  for (const files of ['x', [5], [{ digest: 'x' }]])
    expect((await ben.json('POST', address, { text: 'No', files }, token)).status).toBe(400)
  const { paths } = JSON.parse((await cleo.get('/api/v1/openapi.json')).text)
  const described = ['/api/v1/-/files', '/api/v1/loan/{id}/comments/{comment}/files/{place}']
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(described))
})

test('files are given out with the person who sent them, and go with what is personal in a record', async () => {
  await send(ben, 'Mine', [['files', Buffer.concat([png, Buffer.from('given')]), 'given.png']])
  const door = { now: web.run.now, id: testId(), locale: 'en', newId: testId }
  const given = (await giveOut(
    web.run.runtime,
    await systemRequest(web.run.runtime, 'timer', door),
    web.run.people.Ben!,
  ))!
  expect(given.json.comments).toMatchObject([{ text: 'Mine', files: ['given.png'] }])
  expect(given.files.map(({ at, name }) => [at.startsWith('comment.'), name])).toContainEqual([true, 'given.png'])
  await store().inTransaction(tx => forgetTraces(tx, 'loan', loan.id))
  expect(await said()).toMatchObject([{ text: null, files: '' }])
})
