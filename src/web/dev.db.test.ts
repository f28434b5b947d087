/** What `dev` adds: pages of the document, its mistakes while the old application goes on, live reload, mailbox, clock. */

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { editingOf } from '../cli/editing.ts'
import { sql } from '../expression/sql.ts'
import { workContext } from '../run/later/testing.ts'
import { work } from '../run/later/work.ts'
import { done, input, itemWith, loanDesk, made, readSound, testId } from '../run/testing.ts'
import { takeStep } from '../run/write/writes.ts'
import type { Served } from './request-context.ts'
import { startStandIn } from './stand-in.ts'
import { fieldsOf, startTestWeb, type TestWeb } from './testing.ts'

let web: TestWeb
let folder: string
const moves: Date[] = []
let served: Served

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ninefold-edit-'))
  copyFileSync(loanDesk, join(folder, 'loan-desk.md'))
  web = await startTestWeb(inject('databaseUrl'), undefined, {
    moveClock: to => void moves.push(to),
    editing: editingOf(join(folder, 'loan-desk.md')),
  })
  served = web.served
})
afterAll(async () => {
  await web?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('the document: nine headings, what is open, and the line that a mark points to', async () => {
  const visitor = await web.browser(null)
  const page = await visitor.get('/-/document')
  expect(page.status).toBe(200)
  for (const title of ['What the product does', 'Screens and routes', 'Business constants and limits'])
    expect(page.text).toContain(title)
  expect(page.text).toContain('clerk_damage_limit')
  const cleo = await web.browser('Cleo')
  const loans = (await cleo.get('/loans')).text
  const [, href = ''] = /class="src" href="([^"]+)"/.exec(loans) ?? []
  const [path = '', line] = href.replaceAll('&amp;', '&').split('#')
  const source = await cleo.get(path)
  expect(source.text).toContain(`id="${line}"`)
  expect(source.text).toMatch(/list of Loan/)
  expect((await cleo.get('/-/document?file=../../etc/passwd')).status).toBe(404)
})

test('a mistake is shown everywhere and in its frame, while the application before it goes on', async () => {
  const cleo = await web.browser('Cleo')
  const [file] = served.files
  const start = file!.text.indexOf('due_back > out_on')
  const found = {
    code: 'N0201',
    severity: 'error' as const,
    params: {},
    message: 'no field named `due_bak`',
    help: 'Write `due_back`.',
    span: { file: file!, start, end: start + 8 },
    related: [],
    fixes: [],
    section: 5,
  }
  await web.web.reload({ ...served, found: [found], outdated: true })
  const page = await cleo.get('/loans')
  expect(page.status).toBe(200)
  // What is wrong is told on the page that one looks at, and leads to all of it.
  expect(page.text).toMatch(
    /href="\/-\/diagnostics">.*?The document has mistakes: loan-desk\.md:\d+:\d+ no field named `due_bak`<\/a>/,
  )
  const shown = (await cleo.get('/-/diagnostics')).text
  for (const part of ['N0201', 'no field named `due_bak`', '<mark>due_back</mark>', 'Write `due_back`.'])
    expect(shown).toContain(part)
  await web.web.reload(served)
  expect((await cleo.get('/loans')).text).not.toContain('href="/-/diagnostics"')
})

test('open pages are told to load themselves anew', async () => {
  const ending = new AbortController()
  const response = await fetch(`${web.url}/-/events`, { signal: ending.signal })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let told = ''
  const until = async (event: string) => {
    while (!told.includes(`event: ${event}`)) told += (await reader.read()).value ?? ''
  }
  await until('hello')
  await web.web.reload(served)
  await until('reload')
  web.web.mailArrived()
  await until('mail')
  ending.abort()
})

test('a page of another name that only leads here is not told', async () => {
  const { port } = new URL(web.url)
  const status = await new Promise(resolve =>
    get({ port, path: '/-/events', headers: { host: 'evil.example' } }, answer => {
      answer.destroy()
      resolve(answer.statusCode)
    }),
  )
  expect(status).toBe(421)
})

test('mails are looked at, and their links followed', async () => {
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`insert into ninefold.mailbox (id, at, sender, recipients, subject, body)
      values ('01940000-0000-7000-8000-0000000000aa', ${web.run.now}, 'desk@example.org', '{cleo@example.org}', ${'<b>Hello</b>'}, ${'Go to http://localhost/x?a=1&b=2 now'})`),
  )
  const visitor = await web.browser(null)
  const list = await visitor.get('/-/mailbox')
  expect(list.text).toContain('&lt;b&gt;Hello&lt;/b&gt;')
  const mail = await visitor.get('/-/mailbox?id=01940000-0000-7000-8000-0000000000aa')
  expect(mail.text).toContain('href="http://localhost/x?a=1&amp;b=2"')
  expect((await visitor.get('/-/mailbox?id=01940000-0000-7000-8000-0000000000ff')).status).toBe(404)
})

test('a call whose settings are not there is received here, answered as the document expects or as somebody chose', async () => {
  const { run } = web
  const { store } = run.runtime
  const settings: Record<string, string> = {}
  const standIn = await startStandIn({
    runtime: () => run.runtime,
    now: () => run.now,
    newId: testId,
    variable: name => settings[name],
    onReceived: () => undefined,
  })
  const values = input(
    { out_on: '2026-03-02', due_back: '2026-03-09' },
    { lines: [{ item: await itemWith(run, 'CA-0001') }] },
  )
  const takenBack = async () => {
    const loan = await made(run, 'Ben', 'loan', values)
    await store.query(sql`update loan set state = 'Out' where id = ${loan}`)
    done(await takeStep(run.runtime, await run.as('Dan'), 'loan', loan, 'take_back', null))
    await work(run.runtime, workContext(run, { variable: name => settings[name], standIn: standIn.url }))
    const [row] = await store.query<{ register_ref: string; state: string; reported: string; error: string }>(
      sql`select l.register_ref, o.state, o.reported, o.last_error as error from loan l join ninefold.outbox o on o.record = l.id and o.kind = 'call' where l.id = ${loan}`,
    )
    await store.query(sql`update loan set state = 'Returned' where id = ${loan}`)
    return row
  }
  try {
    expect(await takenBack()).toMatchObject({ state: 'delivered', register_ref: expect.stringMatching(/./) })
    const visitor = await web.browser(null)
    const list = (await visitor.get('/-/calls-received')).text
    expect(list).toContain('POST {ASSETS_URL}/returns')
    const [, href = ''] = /href="([^"]+\?id=[^"]+)"/.exec(list) ?? []
    const one = (await visitor.get(href)).text
    expect(one).toMatch(/ninefold-signature: t=\d+,v1=[0-9a-f]{64}/)
    expect(one).toContain('CA-0001')

    const address = '/-/calls-received?call=C-2'
    const form = fieldsOf((await visitor.get(address)).text, '/-/calls-received')
    expect(form).toMatchObject({ status: '200', body: expect.stringMatching(/^\{\s+"id": ".+"\s+\}$/) })
    expect((await visitor.post('/-/calls-received', { ...form, status: '409', body: '' })).status).toBe(303)
    expect(await takenBack()).toMatchObject({ state: 'failed', register_ref: null, reported: 'E-REG-1' })
    expect((await visitor.post('/-/calls-received', { ...form, status: '999' })).status).toBe(404)
    // A secret that is there is sent, and neither shown nor kept where the other side repeats it.
    settings.ASSETS_KEY = 'swordfish'
    await visitor.post('/-/calls-received', { ...form, status: '201', body: '{"id": "swordfish"}' })
    expect(await takenBack()).toMatchObject({ state: 'delivered', register_ref: '•••' })
    const kept = await store.query(sql`select method, headers::text, body from ninefold.received_call`)
    expect(kept).toHaveLength(3)
    expect(JSON.stringify(kept)).not.toMatch(/swordfish|no-ASSETS/)
    // What is none of its calls is nothing.
    expect((await fetch(`${standIn.url}/${testId()}`, { method: 'POST', body: 'x' })).status).toBe(404)
    // Whoever waits for an answer that does not come, goes by its own time.
    await visitor.post('/-/calls-received', { ...form, status: 'none' })
    expect((await visitor.get('/-/calls-received')).text).toContain('no answer in time')
  } finally {
    standIn.close()
  }
})

test('the clock is moved where there is one to move', async () => {
  const cleo = await web.browser('Cleo')
  expect((await cleo.send('/-/clock', { to: '2026-03-09 10:00' })).status).toBe(303)
  // Typed as the clocks of the application show it.
  expect(moves.at(-1)?.toISOString()).toBe('2026-03-09T09:00:00.000Z')
  expect((await cleo.send('/-/clock', { to: 'soon' })).status).toBe(422)
  // Whoever moves it stays signed in, there and back again.
  const before = web.run.now
  web.run.now = moves.at(-1)!
  expect((await cleo.get('/loans')).status).toBe(200)
  expect((await cleo.send('/-/clock', { to: before.toISOString() })).status).toBe(303)
  web.run.now = before
  expect((await cleo.get('/loans')).status).toBe(200)
  const still = await startTestWeb(inject('databaseUrl'))
  try {
    expect((await (await still.browser(null)).get('/-/clock')).status).toBe(404)
  } finally {
    await still.stop()
  }
})

test('the document is edited in a form: checked, put right by a fix, saved to its file, and never over somebody else’s text', async () => {
  const visitor = await web.browser(null)
  const address = '/-/dev/editor'
  const onDisk = () => readFileSync(join(folder, 'loan-desk.md'), 'utf8')
  const before = onDisk()
  const opened = await visitor.get(address)
  const policy = (opened.headers.get('content-security-policy') ?? '').split('; ')
  expect(policy).toEqual(expect.arrayContaining(["frame-src 'self'", "frame-ancestors 'self'"]))
  const directives = policy.map(one => one.split(' ')[0])
  expect(new Set(directives).size, 'browsers warn of one that stands there twice').toBe(directives.length)
  const form = fieldsOf(opened.text, address)
  expect(form.text?.trim()).toBe(before.trim())

  const mistaken = before.replace('`due_back > out_on`', '`due_bak > out_on`')
  const checked = await visitor.post(address, { ...form, text: mistaken.replaceAll('\n', '\r\n'), do: 'check' })
  expect(checked.text).toContain('no field named `due_bak`')
  const [, fix] = /value="([\d.]+)"[^>]*name="fix"|name="fix"[^>]*value="([\d.]+)"/.exec(checked.text)!
  const cured = await visitor.post(address, { ...form, text: mistaken, fix: fix! })
  expect(fieldsOf(cured.text, address).text?.trim()).toBe(before.trim())
  expect(onDisk()).toBe(before)

  const asked = await visitor.post('/-/dev/check', { ...form, text: mistaken })
  const { found } = JSON.parse(asked.text) as {
    found: { from: number; to: number; severity: string; fixes: { edits: unknown[] }[] }[]
  }
  const first = found.find(({ severity }) => severity === 'error')
  expect(mistaken.slice(first!.from, first!.to)).toBe('due_bak')
  expect(first!.fixes[0]!.edits).toEqual([{ from: first!.from, to: first!.to, insert: 'due_back' }])
  const at = mistaken.indexOf('due_bak') + 3
  const names = JSON.parse((await visitor.post('/-/dev/complete', { ...form, text: mistaken, at: String(at) })).text)
  expect(names).toMatchObject({
    from: at - 3,
    options: expect.arrayContaining([{ label: 'due_back', kind: 'field', detail: 'date', thing: 'loan.due_back' }]),
  })

  const text = before.replace('Handbook of the loan desk', 'x').replace('# Loan desk', '# Loan counter')
  const saved = await visitor.post(address, { ...form, text: text.replaceAll('\n', '\r\n') })
  expect([saved.status, onDisk()]).toEqual([303, text])
  writeFileSync(join(folder, 'loan-desk.md'), `${text}\nSomebody else.\n`)
  const late = { ...fieldsOf((await visitor.get(address)).text, address), seen: form.seen!, text: `${text}\nI.\n` }
  const conflict = await visitor.post(address, late)
  expect(conflict.status).toBe(409)
  expect(conflict.text).toContain('was changed on disk')
  expect(fieldsOf(conflict.text, address).text).toContain('I.')
  expect(onDisk()).toContain('Somebody else.')
  expect((await visitor.post(address, fieldsOf(conflict.text, address))).status).toBe(303)
  expect(onDisk()).not.toContain('Somebody else.')

  for (const file of ['../loan-desk.md', '/etc/passwd', 'other.md'])
    expect((await visitor.get(`${address}?file=${encodeURIComponent(file)}`)).status).toBe(404)
  expect((await visitor.post(address, { ...form, file: '../x.md', text: 'x' })).status).toBe(404)
})

test('the sign-in page says what to try, each in one click as the person who does it', async () => {
  const people = await Promise.all(
    served.people.map(async person => ({ ...person, roles: (await web.run.as(person.name)).actor.roles })),
  )
  await web.web.reload({ ...served, people })
  const visitor = await web.browser(null)
  const { text } = await visitor.get('/-/sign-in')
  const tries = [
    ...text.matchAll(/<li><p>([^<]*)<\/p>.*?name="next" value="([^"]*)".*?name="person" value="([^"]*)"/gs),
  ]
  expect(tries.map(([, said]) => said)).toEqual([
    expect.stringMatching(/ makes a new loan\.$/),
    ...tries.slice(1).map(() => expect.any(String)),
  ])
  expect([tries.length > 1, new Set(tries.map(([, , , person]) => person)).size]).toEqual([true, tries.length])
  for (const [, , next, person] of tries) {
    const own = await web.browser(null)
    expect((await own.send('/-/demo', { person: person!, next: next! })).location).toBe(next)
    expect((await own.get(next!)).status).toBe(200)
  }
  await web.web.reload(served)
})

test('a document that says nothing yet is an application that says so', async () => {
  const seed = await startTestWeb(
    inject('databaseUrl'),
    readSound(join(import.meta.dirname, '../../examples/seed/specification.md')),
  )
  try {
    const visitor = await seed.browser(null)
    const page = await visitor.get('/')
    expect(page.status).toBe(200)
    expect([...page.text.matchAll(/Unspecified/g)].length).toBeGreaterThanOrEqual(9)
    expect(page.text).toContain('The error catalogue')
    for (const path of ['/-/document', '/-/sign-in', '/api/v1/openapi.json'])
      expect((await visitor.get(path)).status).toBe(200)
    expect((await visitor.get('/loans')).status).toBe(404)
  } finally {
    await seed.stop()
  }
})

test('a reference with many records is searched for and chosen without a script', async () => {
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`insert into public.item (id, tag, name, category, value, created_at, changed_at)
      select ('01940000-0000-7000-a000-' || lpad(n::text, 12, '0'))::uuid, 'ZZ-' || lpad(n::text, 4, '0'), 'Tripod ' || n,
        (select id from public.category limit 1), 10, ${web.run.now}, ${web.run.now}
      from generate_series(1, 60) as n`),
  )
  const cleo = await web.browser('Cleo')
  const form = fieldsOf((await cleo.get('/loans/new')).text, '/loans/new')
  expect(Object.keys(form)).toContain('_q.lines.0.item')
  const found = await cleo.post('/loans/new', {
    ...form,
    due_back: '2026-03-05',
    '_q.lines.0.item': 'Tripod 37',
    _pick: 'lines.0.item',
  })
  expect(found.status).toBe(200)
  const id = '01940000-0000-7000-a000-000000000037'
  expect(found.text).toContain(`value="${id}"`)
  expect(found.text).toContain('Tripod 37')
  // What was looked for and not chosen is said to be why nothing was saved. The only one that is found is offered as chosen.
  expect(found.text).not.toContain('Nothing is saved yet')
  const left = await cleo.post('/loans/new', { ...form, due_back: '2026-03-05', '_q.lines.0.item': 'Tripod 3' })
  expect(left.text).toContain('Nothing is saved yet: choose what you were looking for under “Item”.')
  expect(found.text).toMatch(new RegExp(`type="radio"[^>]* checked=""[^>]* value="${id}"`))
  const json = await cleo.get('/-/options?entity=loan_line&field=item&q=tripod+37')
  expect(JSON.parse(json.text)).toEqual({ options: [{ value: id, label: 'Tripod 37 · ZZ-0037' }], note: '' })
  const many = await cleo.get('/-/options?entity=loan_line&field=item&q=z+z+t+r+i+p+camera')
  expect(JSON.parse(many.text)).toMatchObject({
    options: { length: 20 },
    note: 'Only the first 6 words are looked for, without: camera. There are more: type more of the name.',
  })
  const chosen = { ...fieldsOf(found.text, '/loans/new'), 'lines.0.item': id }
  const refused = await cleo.post('/loans/new', { ...chosen, due_back: '2026-12-05' })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('Tripod 37 · ZZ-0037')
  const done = await cleo.post('/loans/new', { ...fieldsOf(refused.text, '/loans/new'), due_back: '2026-03-05' })
  expect(done.status).toBe(303)
  expect((await cleo.get(done.location!)).text).toContain('Tripod 37 · ZZ-0037')
})
