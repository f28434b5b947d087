/** Files over the API: sent first, named by a record afterwards. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readSound } from '../run/testing.ts'
import { folderFiles } from '../store/files.ts'
import { mebibyte, pdf, png } from './fixtures/contents.ts'
import { multipart, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let cleo: TestBrowser
let ben: TestBrowser
const folder = mkdtempSync(join(tmpdir(), 'ninefold-files-'))

beforeAll(async () => {
  const app = readSound(join(import.meta.dirname, 'fixtures/desk-with-files.md'))
  web = await startTestWeb(inject('databaseUrl'), app, { files: folderFiles(folder) })
  const [clerk, borrower] = await Promise.all([web.browser('Cleo'), web.browser('Ben')])
  cleo = clerk
  ben = borrower
})
afterAll(async () => {
  await web?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const upload = (browser: TestBrowser, content: Buffer, name: string) =>
  browser.request('POST', '/api/v1/-/files', multipart([['file', content, name]]))

test('a file is sent first, named afterwards, and got from the record', async () => {
  const sent = await upload(cleo, png, 'api.png')
  expect(sent.status).toBe(201)
  const file = JSON.parse(sent.text)
  expect(file).toEqual({
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    size: png.length,
    type: 'image/png',
    name: 'api.png',
  })
  const made = await cleo.json('POST', '/api/v1/item', { tag: 'API', photo: file })
  expect(made.status).toBe(201)
  const record = JSON.parse(made.text)
  expect(record.photo).toEqual(file)
  const content = await cleo.get(`/api/v1/item/${record.id}/photo`)
  expect([content.status, content.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect((await ben.get(`/api/v1/item/${record.id}/photo`)).status).toBe(404)
  expect((await cleo.json('PATCH', `/api/v1/item/${record.id}`, { photo: null })).status).toBe(200)
  expect((await cleo.get(`/api/v1/item/${record.id}/photo`)).status).toBe(404)
})

test('the rules of the field hold for it', async () => {
  const file = JSON.parse((await upload(cleo, pdf, 'photo.jpg')).text)
  const refused = await cleo.json('POST', '/api/v1/item', { tag: 'API-2', photo: file })
  expect(JSON.parse(refused.text).errors).toMatchObject([{ code: 'NF-FILE-TYPE', pointer: '/photo' }])
  const lied = await cleo.json('POST', '/api/v1/item', { tag: 'API-2', photo: { ...file, type: 'image/png' } })
  expect(JSON.parse(lied.text).errors).toMatchObject([{ code: 'NF-FILE', pointer: '/photo' }])
  expect((await cleo.json('POST', '/api/v1/item', { tag: 'API-2', photo: 'photo.jpg' })).status).toBe(422)
  expect((await upload(cleo, Buffer.alloc(11 * mebibyte), 'large.bin')).status).toBe(422)
})

test('other bodies, other sites and visitors are refused', async () => {
  expect((await cleo.json('POST', '/api/v1/-/files', {})).status).toBe(415)
  const visitor = await web.browser(null)
  expect((await upload(visitor, png, 'a.png')).status).toBe(401)
  const foreign = multipart([['file', png, 'a.png']])
  expect(
    (
      await cleo.request('POST', '/api/v1/-/files', {
        ...foreign,
        headers: { ...foreign.headers, 'sec-fetch-site': 'cross-site' },
      })
    ).status,
  ).toBe(403)
  expect(
    (
      await cleo.request(
        'POST',
        '/api/v1/-/files',
        multipart([
          ['a', png, 'a.png'],
          ['b', png, 'b.png'],
        ]),
      )
    ).status,
  ).toBe(400)
  expect((await cleo.request('POST', '/api/v1/-/files', multipart([['a', 'text']]))).status).toBe(400)
})

test('its description says so', async () => {
  const { text } = await cleo.get('/api/v1/openapi.json')
  const { paths, components } = JSON.parse(text)
  expect(paths['/api/v1/-/files'].post.requestBody.content).toHaveProperty('multipart/form-data')
  expect(paths['/api/v1/item/{id}/photo'].get.responses['200'].content).toHaveProperty('*/*')
  expect(components.schemas.ItemCreate.properties.photo).toMatchObject({ type: ['object', 'null'] })
})
