/** Steps that ask for fields, locked states and named people, over HTTP: without scripts, and by the API. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readSound } from '../run/testing.ts'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

const shred = /^\| refuse \| Asked \|.*/m
let served: TestWeb
let sven: TestBrowser
let cleo: TestBrowser
let anna: TestBrowser

beforeAll(async () => {
  served = await startTestWeb(
    inject('databaseUrl'),
    readSound(join(import.meta.dirname, '../run/fixtures/requests.md'), text =>
      text
        .replace(shred, row => `${row}\n| shred | Draft | Draft | everyone signed in | | | delete |`)
        .replace('| Asks | Then |\n| --- |', '| Asks | Then | Error |\n| --- | --- |')
        .replace('required, urgent | |', 'required, urgent | | E-2; E-3 in other states |')
        .replace(
          /^\| E-1 \|.*/m,
          row => `${row}\n| E-2 | Only who decides about {title} refuses it. | |\n| E-3 | {title} is decided. | |`,
        ),
    ),
  )
  ;[sven, cleo, anna] = [await served.browser('Sven'), await served.browser('Cleo'), await served.browser('Anna')]
})
afterAll(() => served?.stop())

const api = async (who: TestBrowser, method: string, path: string, body?: unknown) => {
  const token = await who.token()
  const answer = await who.json(method, `/api/v1/request${path}`, body, { 'x-csrf-token': token })
  const json: unknown = answer.text === '' ? {} : JSON.parse(answer.text)
  return { status: answer.status, body: json as Record<string, unknown> }
}
const asked = async () => {
  const made = await api(sven, 'POST', '', { title: 'Chairs', amount: '200.00', approver: served.run.people.Cleo })
  const id = String(made.body.id)
  expect((await api(sven, 'POST', `/${id}/submit`)).status).toBe(200)
  return id
}

test('a step that somebody else has made impossible meanwhile says who it was, and what they did', async () => {
  const id = await asked()
  const address = `/requests/${id}/do/refuse`
  const open = fieldsOf((await cleo.get(address)).text, address)
  expect((await api(cleo, 'POST', `/${id}/refuse`, { reason: 'Too dear' })).status).toBe(200)
  const late = await cleo.post(address, { ...open, reason: 'Not now' })
  expect(late.status).toBe(422)
  expect(late.text).toMatch(/Meanwhile Cleo took the step “refuse”, [^<]+\./)
  // What they do not see, or what is not there.
  const none = '/requests/01940000-0000-7000-8000-0000000000ff/do/refuse'
  const gone = await anna.post(none, { ...open, _csrf: await anna.token() })
  expect([gone.status, gone.text.includes('Somebody may have changed it')]).toEqual([404, true])
})

test('the page that asks before a step has its fields, keeps what was typed, and names what is missing', async () => {
  const id = await asked()
  const address = `/requests/${id}/do/refuse`
  const record = await cleo.get(`/requests/${id}`)
  // A click alone would miss the reason: the button leads to the page that asks for it.
  expect(record.text).toContain(`href="${address}"`)
  const page = await cleo.get(address)
  expect(page.text).toContain('name="reason"')
  expect(page.text).toContain('name="urgent"')
  expect(page.text).not.toContain('name="title"')
  // Whoever comes from the inbox decides here: what it is about stands there, as far as they may see it.
  expect(page.text).toContain('<dd>€200.00</dd>')
  expect(page.text).not.toContain('Paid on')

  const refused = await cleo.submit(address, address, { reason: ' ', urgent: 'yes' })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('href="#reason"')
  expect(refused.text).toContain('Reason is missing.')
  expect(refused.text).toMatch(/<input[^>]*name="urgent"[^>]*checked|<input[^>]*checked[^>]*name="urgent"/)

  const done = await cleo.submit(address, address, { reason: 'Too dear' })
  expect(done.status).toBe(303)
  const said = (await cleo.get(`/requests/${id}`)).text
  expect(said).toContain('Too dear')
  expect(said).toContain('Chairs is now Refused.')
  const after = await api(cleo, 'GET', `/${id}`)
  expect(after.body).toMatchObject({ state: 'Refused', reason: 'Too dear', urgent: false })
})

test('the API takes the fields in the body, refuses what is missing with a pointer, and everything else', async () => {
  const id = await asked()
  expect(await api(cleo, 'POST', `/${id}/refuse`)).toMatchObject({
    status: 422,
    body: { errors: [{ code: 'NF-REQUIRED', pointer: '/reason' }] },
  })
  expect(await api(cleo, 'POST', `/${id}/refuse`, { reason: 'No', remarks: 'x' })).toMatchObject({
    status: 422,
    body: { errors: [{ code: 'NF-NOT-ASKED', pointer: '/remarks' }] },
  })
  // A field that this person never sees is not there for them, unless the step asks for it.
  expect(await api(cleo, 'POST', `/${id}/refuse`, { reason: 'No', paid_on: '2026-03-02' })).toMatchObject({
    body: { errors: [{ code: 'NF-UNKNOWN-FIELD' }] },
  })
  const { version } = (await api(cleo, 'GET', `/${id}`)).body
  expect(await api(cleo, 'POST', `/${id}/refuse`, { reason: 'No', version })).toMatchObject({
    status: 200,
    body: { state: 'Refused', reason: 'No' },
  })
})

test('the description of the API says what a step asks for', async () => {
  const { text } = await cleo.get('/api/v1/openapi.json')
  const { paths } = JSON.parse(text) as { paths: Record<string, { post?: Record<string, unknown> }> }
  expect(paths['/api/v1/request/{id}/refuse']?.post).toMatchObject({
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { required: ['reason'], properties: { reason: {}, urgent: {} } } } },
    },
  })
  expect(paths['/api/v1/request/{id}/approve']?.post).not.toHaveProperty('requestBody')
})

test('what is locked is text in the form, refused by the API, and said where nothing is left to edit', async () => {
  const id = await asked()
  const form = await anna.get(`/requests/${id}/edit`)
  expect(form.text).toContain('name="remarks"')
  expect(form.text).not.toContain('name="title"')
  expect(form.text).toContain('Chairs')
  expect(await api(anna, 'PATCH', `/${id}`, { title: 'Tables' })).toMatchObject({
    status: 409,
    body: { errors: [{ code: 'NF-LOCKED', pointer: '/title' }] },
  })
  expect((await api(cleo, 'POST', `/${id}/approve`)).status).toBe(200)
  expect(await api(anna, 'DELETE', `/${id}`)).toMatchObject({
    status: 409,
    body: { code: 'NF-LOCKED-DELETE', title: 'This is not possible now' },
  })
  expect((await api(anna, 'POST', `/${id}/pay`, { paid_on: '2026-03-02' })).status).toBe(200)
  const page = await anna.get(`/requests/${id}`)
  expect(page.text).toContain('Not in state Paid: it is locked then.')
  expect((await anna.get(`/requests/${id}/edit`)).status).toBe(403)
})

test('a closed step says who may, in the words of the screen', async () => {
  const id = await asked()
  const page = await sven.get(`/requests/${id}`)
  expect(page.text).toContain('the person under “Approver”')
  expect(page.text).not.toContain(`href="/requests/${id}/do/refuse"`)
})

test('the address of a closed step that asks answers in the words of the document, and does nothing', async () => {
  const id = await asked()
  const address = `/requests/${id}/do/refuse`
  const theirs = await sven.get(address)
  expect([theirs.status, theirs.text.includes('Only who decides about Chairs refuses it.')]).toEqual([200, true])
  await cleo.submit(address, address, { reason: 'Too dear' })
  expect((await cleo.get(address)).text).toContain('Chairs is decided.')
  expect((await api(cleo, 'GET', `/${id}`)).body.state).toBe('Refused')
})

test('a step that deletes its record leads to the list, and the API answers that nothing is left', async () => {
  const draft = async () =>
    String((await api(sven, 'POST', '', { title: 'Chairs', approver: served.run.people.Cleo })).body.id)
  const id = await draft()
  const address = `/requests/${id}/do/shred`
  const done = await sven.submit(`/requests/${id}`, address, { _next: `/requests/${id}?tab=more` })
  expect([done.status, done.headers.get('location')]).toEqual([303, '/requests'])
  expect((await sven.get(`/requests/${id}`)).status).toBe(404)
  expect((await api(sven, 'POST', `/${await draft()}/shred`)).status).toBe(204)
})
