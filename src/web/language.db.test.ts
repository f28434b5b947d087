/** Pages in the language that whoever asks wants, as far as the document offers it. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { speakAlso } from '../expression/catalogue.ts'
import { sql } from '../expression/sql.ts'
import { cataloguesOf } from '../headings/catalogues.ts'
import { readSound } from '../run/testing.ts'
import { wordsFor } from '../ui/words.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

const requests = join(import.meta.dirname, '../run/fixtures/requests.md')
const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }
const translation = [
  ['Requests', 'Anträge'],
  ['Request', 'Antrag'],
  ['Title', 'Titel'],
  ['Draft', 'Entwurf'],
  ['Asked', 'Gestellt'],
  ['submit', 'einreichen'],
  ['Clerk', 'Sachbearbeitung'],
  ['Chief', 'Leitung'],
]
  .map(cells => `| ${cells.join(' | ')} |`)
  .join('\n')
const limits = `| Name | Value | Unit | Range | Who may change |
| --- | --- | --- | --- | --- |
| ceiling | 2500.50 | EUR | 0 to 10000 | Staff |
| vat | 19 | % | 0 to 30 | Staff |
`
let served: TestWeb
let sven: TestBrowser

beforeAll(async () => {
  const app = readSound(requests, text =>
    text
      .replace('Languages:** English', 'Languages:** English, German, French, [Portuguese](words/pt.json)')
      .replace(/(?<=^## 9.*\n\n)none/m, limits)
      .replace('| /requests/{id} |', '| /inbox | Waiting | everyone signed in | inbox |\n| /requests/{id} |')
      .replace(/(?=^## 2)/m, `### German\n\n| Text | Translation |\n| --- | --- |\n${translation}\n\n`),
  )
  speakAlso(cataloguesOf(app))
  served = await startTestWeb(inject('databaseUrl'), app)
  sven = await served.browser('Sven')
})
afterAll(() => served?.stop())

test('a page speaks the language of the browser, and English where it asks for none that is offered', async () => {
  const page = await sven.get('/requests', german)
  expect(page.text).toContain('<html lang="de-DE"')
  expect(page.text).toContain('Zum Hauptinhalt springen')
  expect(page.text).not.toContain('Skip to main content')
  const finnish = await sven.get('/requests', { 'accept-language': 'fi' })
  expect(finnish.text).toContain('<html lang="en-GB"')
})

test('a language of a catalogue is spoken by pages and refusals, and by the script of a form', async () => {
  const french = { 'accept-language': 'fr' }
  const form = (await sven.get('/requests/new', french)).text
  expect(form).toContain('<html lang="fr"')
  expect(form).toContain('Aller au contenu principal')
  const words = /<link id="words"[^>]*href="([^"]+)"/.exec(form)![1]!
  expect(JSON.parse((await sven.get(words)).text)).toMatchObject({ chrome: { save: 'Enregistrer' } })
  expect((await sven.get('/requests/new', german)).text, 'its script has these itself').not.toContain('id="words"')
  const posted = await sven.post('/requests/new', { _csrf: await sven.token(), title: '', amount: 'x' }, french)
  expect(posted.text).toContain('Title manque.')
  expect(posted.text).toContain('Il y a un problème')
})

test('a language that the document brings is chosen by each person; what it lacks is said in English', async () => {
  const portuguese = { 'accept-language': 'pt-BR,pt;q=0.9' }
  const form = (await sven.get('/requests/new', portuguese)).text
  expect(form).toContain('<html lang="pt"')
  for (const said of ['Ir para o conteúdo', 'Find anything…']) expect(form).toContain(said)
  const words = /<link id="words"[^>]*href="([^"]+)"/.exec(form)![1]!
  expect(JSON.parse((await sven.get(words)).text)).toMatchObject({ chrome: { save: 'Guardar' } })
  const posted = await sven.post('/requests/new', { _csrf: await sven.token(), title: '' }, portuguese)
  expect(posted.text).toContain('Falta Title. Preencha.')
  const account = (await sven.get('/-/account', portuguese)).text
  expect(account).toMatch(/<option value="pt"[^>]*>português/i)
  expect(wordsFor('pt')('records', { count: 1 })).toBe('1 registo')
})

test('signing in, its refusal, and trouble are said in the language of the browser', async () => {
  const visitor = await served.browser(null)
  expect((await visitor.get('/-/sign-in', german)).text).toContain('Bei ')
  const token = await visitor.token()
  const refused = await visitor.post('/-/sign-in', { _csrf: token, email: 'x@example.org', password: 'wrong' }, german)
  expect(refused.text).toContain('E-Mail und Passwort passen zu keinem Konto.')
  expect((await sven.get('/nowhere', german)).text).toContain('Hier ist nichts')
  const form = await sven.request('POST', '/requests', {
    headers: { ...german, 'content-type': 'text/plain' },
    body: 'x',
  })
  expect(form).toMatchObject({ status: 415, text: expect.stringContaining('kein Formular dieser Anwendung') })
  const api = await sven.json('GET', '/api/v1/nothing', undefined, german)
  expect(JSON.parse(api.text)).toMatchObject({ title: 'Hier ist nichts' })
})

test('a request that no page is made for is refused in the language of the browser', async () => {
  const answer = await fetch(`${served.url}/requests`, {
    method: 'POST',
    headers: { ...german, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a'.repeat(5_000_000),
  })
  expect(answer.status).toBe(413)
  expect(await answer.text()).toContain('Das ist mehr, als auf einmal angenommen wird.')
})

test('a refusal is said in the language of whoever is refused: on the page and by the API', async () => {
  const token = await sven.token()
  const posted = await sven.post('/requests/new', { _csrf: token, title: '', amount: 'viel' }, german)
  expect(posted.status).toBe(422)
  expect(posted.text).toContain('Titel fehlt.')
  expect(posted.text).toContain('Es gibt ein Problem')
  const api = await sven.json('POST', '/api/v1/request', {}, { ...german, 'x-csrf-token': token })
  expect(JSON.parse(api.text)).toMatchObject({ status: 422, detail: 'Titel fehlt.', whatToDo: 'Füllen Sie es aus.' })
  const english = await sven.json('POST', '/api/v1/request', {}, { 'x-csrf-token': token })
  expect(JSON.parse(english.text)).toMatchObject({ detail: 'Title is missing.', whatToDo: 'Fill it in.' })
})

test('what the document calls things is shown in the language, and stays itself in addresses, values and the API', async () => {
  const token = await sven.token()
  const headers = { ...german, 'x-csrf-token': token }
  const made = JSON.parse((await sven.json('POST', '/api/v1/request', { title: 'Stühle' }, headers)).text)
  expect(made).toMatchObject({ title: 'Stühle', state: 'Draft' })
  const page = await sven.get(`/requests/${made.id}`, german)
  expect(page.text).toContain('Entwurf')
  expect(page.text).toContain('Einreichen')
  expect(page.text).toContain(`/requests/${made.id}/do/submit`)
  expect(page.text).not.toMatch(/>Draft<|>Submit<|>Title</)
  const list = await sven.get('/requests?state=Draft', german)
  expect(list.text).toContain('<h1>Anträge')
  expect(list.text).toMatch(/<option value="Draft"[^>]*>Entwurf</)
  expect((await sven.get('/inbox', german)).text).toMatch(/Entwurf(?![\s\S]*>Draft<)/)
  expect((await sven.get(`/requests/${made.id}`)).text).toContain('Draft')
})

test('limits are shown and typed as their language writes numbers', async () => {
  await sven.send('/-/account/preferences', { language: 'de' })
  const page = (await sven.get('/-/limits')).text
  expect(page).toMatch(/id="limit-ceiling"[^>]*value="2500,50"|value="2500,50"[^>]*id="limit-ceiling"/)
  expect(page).toMatch(/0,00.€ bis 10\.000,00.€/)
  expect(page, 'what Ninefold says of its own').toContain('Aufbewahrung von Entwürfen')
  expect((await sven.send('/-/limits', { key: 'ceiling', value: '2600,25' })).status).toBe(303)
  expect((await sven.get('/-/limits')).text).toMatch(/value="2600,25"/)
  expect((await sven.send('/-/limits', { key: 'vat', value: '31' })).status).toBe(422)
  expect((await sven.send('/-/limits', { key: 'vat', value: '7,5 %' })).status).toBe(303)
  expect((await sven.get('/-/limits')).text).toMatch(/value="7,5".*>%<.*19\s%.*7,5\s%/s)
  const wrong = await sven.send('/-/limits', { key: 'ceiling', value: '1.234' })
  expect(wrong.status, 'one thousand, or one and a bit').toBe(422)
  expect(wrong.text).toContain('Ceiling')
  expect((await sven.send('/-/limits', { key: 'ceiling', value: 'viel' })).status).toBe(422)
  await sven.send('/-/account/preferences', { language: '' })
  expect((await sven.get('/-/limits')).text).toMatch(/value="2600.25"/)
})

test('people are appointed to roles under the names that are read', async () => {
  const anna = await served.browser('Anna')
  await anna.send('/-/account/preferences', { language: 'de' })
  const page = (await anna.get('/-/people')).text
  expect(page.match(/(?<=<th[^>]*scope="col"[^>]*>)[^<]+/g)).toEqual(['Name', 'E-Mail', 'Sachbearbeitung', 'Leitung'])
  expect(page).not.toMatch(/>Clerk<|Chief, Anna/)
  const [{ id: person } = { id: '' }] = await served.run.runtime.store.query<{ id: string }>(
    sql`select id from public.person where name = 'Anna'`,
  )
  const last = await anna.send('/-/people/role', { person, role: 'Chief', do: 'withdraw' })
  expect([last.status, last.text.includes('die Rolle Leitung')]).toEqual([409, true])
  await anna.send('/-/people/role', { person, role: 'Clerk', do: 'appoint' })
  expect((await anna.get('/-/people')).text).toContain('Anna ist jetzt Sachbearbeitung.')
})
