/** The loan desk over HTTP, by address, form and API: what each person sees, changes and steps, and what nobody gets through. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { recordLines } from '../cli/explain-record.ts'
import { sql } from '../expression/sql.ts'
import { fieldsOf, type TestBrowser } from './testing.ts'
import { type Loan, startDesk, type TestDesk } from './testing-desk.ts'

let web: TestDesk['web']
let anna: TestDesk['anna']
let ben: TestDesk['ben']
let clerk: TestDesk['clerk']
let manager: TestDesk['manager']
let items: TestDesk['items']
let rows: TestDesk['rows']
let draft: TestDesk['draft']
let lend: TestDesk['lend']
let annas: Loan

const stepTo = (browser: TestBrowser, { id }: Loan, step: string) => browser.json('POST', `/api/v1/loan/${id}/${step}`)
const get = async (browser: TestBrowser, { id }: Loan) =>
  JSON.parse((await browser.get(`/api/v1/loan/${id}`)).text) as Loan

beforeAll(async () => {
  ;({ web, anna, ben, clerk, manager, items, rows, draft, lend } = await startDesk(inject('databaseUrl')))
  annas = await lend(anna, { purpose: 'A film about lemurs' })
})
afterAll(() => web?.stop())

test('a stranger sees nothing of somebody else’s loan, by any way, and cannot tell it from one that is not there', async () => {
  const ways = (value: string, id: string) => [
    `/loans/${value}`,
    `/loans/${value}/edit`,
    `/loans/${value}/delete`,
    `/loans/${value}/do/submit`,
    `/api/v1/loan/${id}`,
    `/-/why?entity=loan&id=${id}`,
  ]
  const plain = (text: string) => text.replaceAll(/01940000-[\w-]+|LN-\d{4}-\d{5}|[\w-]{80,}/g, '')
  const none = ways('LN-2026-99999', '01940000-0000-7000-8000-ffffffffffff')
  for (const [index, path] of ways(annas.number, annas.id).entries()) {
    const [theirs, nothing] = [await ben.get(path), await ben.get(none[index]!)]
    expect([path, theirs.status]).toEqual([path, 404])
    expect(plain(theirs.text)).toBe(plain(nothing.text))
  }
  for (const path of [
    '/loans',
    `/loans?q=${annas.number}`,
    `/loans?number=${annas.number}`,
    '/api/v1/loan',
    '/api/v1/loan?count=yes',
    `/api/v1/loan?number=${annas.number}`,
  ]) {
    const page = await ben.get(path)
    expect(page.status).toBe(200)
    expect(page.text).not.toMatch(new RegExp(`${annas.id}|lemurs|${path.includes('LN-') ? '"number":' : annas.number}`))
  }
  expect(JSON.parse((await ben.get('/api/v1/loan?count=yes')).text)).toMatchObject({ data: [], count: 0 })
})

test('a stranger steps, changes and deletes nothing, by any way', async () => {
  const before = await get(clerk, annas)
  const token = await ben.token()
  const tries = [
    ben.post(`/loans/${annas.number}/do/submit`, { _csrf: token }),
    ben.post(`/loans/${annas.number}/edit`, { _csrf: token, purpose: 'mine' }),
    ben.post(`/loans/${annas.number}/delete`, { _csrf: token }),
    stepTo(ben, annas, 'submit'),
    stepTo(ben, annas, 'approve'),
    ben.json('PATCH', `/api/v1/loan/${annas.id}`, { purpose: 'mine' }),
    ben.json('DELETE', `/api/v1/loan/${annas.id}`),
  ]
  for (const page of await Promise.all(tries)) expect(page.status).toBe(404)
  expect(await get(clerk, annas)).toEqual(before)
})

test('a step that is not one’s own is refused with the line that decides, and nothing happens', async () => {
  const own = await lend(anna)
  expect((await stepTo(anna, own, 'submit')).status).toBe(200)
  for (const step of ['approve', 'decline', 'hand_out', 'take_back']) {
    const page = await stepTo(anna, own, step)
    expect([step, page.status]).toEqual([step, 403])
    const problem = JSON.parse(page.text) as { line: string; errors: unknown[]; code: string }
    expect(problem.code).toMatch(/^NF-STEP-/)
    expect(problem.line).toMatch(/^loan-desk\.md:\d+$/)
  }
  const byForm = await anna.send(`/loans/${own.number}/do/approve`, {})
  expect(byForm.status).toBe(403)
  const asked = await anna.get(`/loans/${own.number}/do/approve`)
  const why = /<main[\s\S]*?<h1[\s\S]*?<\/p>/.exec(byForm.text)?.[0]
  expect([asked.status, asked.text.includes(why ?? 'nothing')]).toEqual([403, true])
  expect((await anna.get(`/loans/${own.number}/do/nope`)).status).toBe(404)
  expect((await get(anna, own)).state).toBe('Requested')
  expect((await stepTo(anna, own, 'nope')).status).toBe(404)
  expect((await anna.get(`/loans/${own.number}/do/__proto__`)).status).toBe(404)
})

test('total_value is nowhere for a borrower, and there for the desk', async () => {
  const loan = await lend(anna)
  const worth = /\b2[,.]?400\b|total_value|Total value/i
  for (const path of [
    '/loans',
    `/loans/${loan.number}`,
    `/loans/${loan.number}/edit`,
    `/api/v1/loan/${loan.id}`,
    '/api/v1/loan',
    '/api/v1/openapi.json',
  ]) {
    const { text } = await anna.get(path)
    // The value of a line is no secret; the sum is.
    const shown = path.includes('openapi')
      ? JSON.stringify((JSON.parse(text) as { components: { schemas: { Loan: unknown } } }).components.schemas.Loan)
      : text.replaceAll(/€2,400\.00|"value":"2400\.00"/g, '')
    expect([path, shown.match(worth)?.[0]]).toEqual([path, undefined])
  }
  expect((await get(clerk, loan)).total_value).toBe('2400.00')
  const seen = (await clerk.get(`/loans/${loan.number}`)).text
  expect(seen).toContain('Total value')
  // What only steps set, and none has yet, is no fact.
  expect(seen).not.toContain('<dt>Approved by')
  // Neither a filter nor a sort tells what may not be seen.
  for (const query of ['total_value=2400', 'total_value.at-least=1', 'sort=total_value'])
    expect((await anna.get(`/api/v1/loan?${query}`)).status).toBe(400)
  const order = async (query: string) =>
    [...(await anna.get(`/loans?${query}`)).text.matchAll(/LN-2026-\d+/g)].map(([number]) => number)
  await lend(anna, { lines: [{ item: items['LA-0007'] }, { item: items['CA-0001'] }] })
  expect(await order('sort=total_value')).toEqual(await order('sort=-total_value'))
})

test('what a form or body says beyond what one may set is refused, and what is hidden is not even known', async () => {
  const before = await rows<{ n: string }>(sql`select count(*) as n from public.loan`)
  const forbidden = {
    id: '01940000-0000-7000-8000-00000000aaaa',
    state: 'Approved',
    number: 'LN-2026-77777',
    approved_by: web.run.people.Dan,
    handed_out_at: '2026-03-01T10:00:00Z',
    total_value: '1.00',
    days: 3,
    register_ref: 'x',
    created_by: web.run.people.Dan,
    created_at: '2020-01-01T00:00:00Z',
    changed_by: 'x',
    constructor: 1,
  }
  for (const [key, value] of Object.entries(forbidden)) {
    const page = await anna.json('POST', '/api/v1/loan', draft({ [key]: value }))
    // The id of a new record belongs to its address: it is not read from the body.
    if (key === 'id') expect(JSON.parse(page.text)).not.toMatchObject({ id: value })
    else expect([key, page.status]).toEqual([key, 422])
    const token = await anna.token()
    const form = await anna.post('/loans/new', {
      _csrf: token,
      out_on: '2026-03-02',
      due_back: '2026-03-05',
      'lines.0.item': items['CA-0001']!,
      [key]: String(value),
    })
    expect([key, form.status === 422 || key === 'id']).toEqual([key, true])
  }
  const lines = await anna.json('POST', '/api/v1/loan', draft({ lines: [{ item: items['CA-0001'], value: '0.01' }] }))
  expect(lines.status).toBe(422)
  const after = await rows<{ n: string }>(sql`select count(*) as n from public.loan`)
  expect(Number(after[0]!.n) - Number(before[0]!.n)).toBeLessThanOrEqual(2)
  // Rows of somebody else's loan cannot be taken over.
  const [row] = await rows<{ id: string }>(sql`select id from public.loan_line where loan = ${annas.id}::uuid`)
  const own = await lend(ben)
  const stolen = await ben.json('PATCH', `/api/v1/loan/${own.id}`, { lines: [{ id: row!.id, item: items['CA-0001'] }] })
  expect(stolen.status).toBe(422)
})

test('rules speak in the words of the catalogue, beside the field, and everything typed is still there', async () => {
  const token = await anna.token()
  const page = await anna.post('/loans/new', {
    _csrf: token,
    out_on: '2026-03-02',
    due_back: '2026-04-30',
    purpose: 'Kept <b>words</b>',
    lines: '',
    'lines.0.item': items['LA-0007']!,
  })
  expect(page.status).toBe(422)
  expect(page.text).toContain('You can borrow for at most 14 days.')
  expect(page.text).toContain('Choose an earlier return date, or ask the manager.')
  expect(page.text).toContain('Kept &lt;b&gt;words&lt;/b&gt;')
  expect(page.text).toContain('2026-04-30')
  expect(page.text).toContain('<title>Error: New loan · My loans · Loan desk</title>')
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const answer = await anna.json('POST', '/api/v1/loan', draft({ due_back: '2026-04-30' }), {
    traceparent: `00-${trace}-00f067aa0ba902b7-01`,
  })
  expect(web.log.find(one => one.request === answer.headers.get('x-request-id'))?.detail.trace).toBe(trace)
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  expect(JSON.parse(answer.text)).toMatchObject({
    type: `${web.url}/-/errors/E-DUE-2`,
    status: 422,
    code: 'E-DUE-2',
    request: answer.headers.get('x-request-id'),
    trace,
    errors: [{ pointer: '/due_back', code: 'E-DUE-2', detail: 'You can borrow for at most 14 days.' }],
  })
  expect((await anna.get('/-/errors/E-DUE-2')).text).toContain('You can borrow for at most')
})

test('a form that is sent twice makes one loan, and leads to it both times, also at the same moment', async () => {
  const token = await anna.token()
  const count = async () => Number((await rows<{ n: string }>(sql`select count(*) as n from public.loan`))[0]!.n)
  const send = (once: string, more: Record<string, string> = {}) =>
    anna.post('/loans/new', {
      _csrf: token,
      _once: once,
      out_on: '2026-03-02',
      due_back: '2026-03-05',
      'lines.0.item': items['CA-0001']!,
      ...more,
    })
  const before = await count()
  const pages = await Promise.all(Array.from({ length: 5 }, () => send('same-form-token-1')))
  expect(new Set(pages.map(({ status, location }) => `${status} ${location}`)).size).toBe(1)
  expect(pages[0]!.location).toMatch(/^\/loans\/LN-2026-\d{5}$/)
  expect((await send('same-form-token-1')).location).toBe(pages[0]!.location)
  expect(await count()).toBe(before + 1)
  // With other answers it is not the same form; a refused one may be put right and sent again.
  expect((await send('same-form-token-1', { purpose: 'other' })).status).toBe(409)
  expect((await send('same-form-token-2', { due_back: '2026-03-01' })).status).toBe(422)
  expect((await send('same-form-token-2')).status).toBe(303)
  expect(await count()).toBe(before + 2)
  // Somebody else's same token is another one.
  const other = await ben.token()
  expect(
    (
      await ben.post('/loans/new', {
        _csrf: other,
        _once: 'same-form-token-1',
        out_on: '2026-03-02',
        due_back: '2026-03-05',
        'lines.0.item': items['CA-0001']!,
      })
    ).status,
  ).toBe(303)
})

test('who comes second sees both versions, loses nothing and chooses', async () => {
  const loan = await lend(anna)
  const path = `/loans/${loan.number}/edit`
  const first = await anna.submit(path, path, { purpose: 'First' })
  expect([first.status, first.location]).toEqual([303, `/loans/${loan.number}`])
  const seen = (await anna.get(path)).text
  const stale = fieldsOf(seen, path)
  expect((await anna.submit(path, path, { due_back: '2026-03-10' })).status).toBe(303)
  const conflict = await anna.post(path, { ...stale, purpose: 'Second', due_back: '2026-03-12' })
  expect(conflict.status).toBe(409)
  expect(conflict.text).toContain('Second')
  expect(conflict.text).toMatch(/12 Mar(ch)? 2026/)
  expect(conflict.text).toMatch(/10 Mar(ch)? 2026/)
  expect(conflict.text.match(/changed by both/g)).toHaveLength(1)
  expect((await get(anna, loan)).purpose).toBe('First')
  // Different answers: what each of them changed is chosen already, and saving puts both together.
  const apart = await anna.post(path, { ...stale, purpose: 'Second' })
  expect([apart.status, apart.text.includes('You changed other answers than they did')]).toEqual([409, true])
  expect(fieldsOf(apart.text, path)).toMatchObject({ purpose: 'Second' })
  expect(apart.text).toMatch(/name="_take\.due_back" checked="" value="theirs"/)
  expect(apart.text).toMatch(/name="_take\.purpose" checked="" value="yours"/)
  const chosen = fieldsOf(conflict.text, path)
  expect(chosen).toMatchObject({ purpose: 'Second' })
  const saved = await anna.post(path, { ...chosen, '_take.due_back': 'theirs', '_take.purpose': 'yours' })
  expect(saved.status).toBe(303)
  expect(await get(anna, loan)).toMatchObject({ purpose: 'Second', due_back: '2026-03-10' })

  // What time brought to another state is said to have been: nobody was faster.
  await web.run.runtime.store.query(
    sql`update loan set state = 'Requested', state_since = changed_at where number = ${loan.number}`,
  )
  const cleo = await web.browser('Cleo')
  const open = fieldsOf((await cleo.get(path)).text, path)
  await web.run.runtime.store.query(
    sql`update loan set state = 'Approved', version = version + 1, changed_by = null where number = ${loan.number}`,
  )
  const moved = await cleo.post(path, { ...open, due_back: '2026-03-11' })
  expect(moved.status).toBe(409)
  expect(moved.text).toContain('It has changed meanwhile')
  expect(moved.text).toMatch(/The application moved this to “Approved” [^<]*, after you opened it\./)
  expect(moved.text).not.toContain('Somebody changed this while you were writing')
})

test('what nobody touched is not written, so two who change different fields keep both', async () => {
  const loan = await lend(anna)
  const path = `/loans/${loan.number}/edit`
  const form = fieldsOf((await anna.get(path)).text, path)
  const { _version: _, ...withoutVersion } = form
  await anna.submit(path, path, { purpose: 'Changed meanwhile' })
  expect((await anna.post(path, { ...withoutVersion, due_back: '2026-03-09' })).status).toBe(303)
  expect(await get(anna, loan)).toMatchObject({ purpose: 'Changed meanwhile', due_back: '2026-03-09' })
})

test('rows are added, taken away and searched for without a script, and nothing is saved by it', async () => {
  const before = await rows(sql`select count(*) from public.loan`)
  const form = fieldsOf((await anna.get('/loans/new')).text, '/loans/new')
  expect(Object.keys(form)).toContain('lines.0.item')
  const more = await anna.post('/loans/new', { ...form, purpose: 'Typed', _add: 'lines' })
  expect(more.status).toBe(200)
  const two = fieldsOf(more.text, '/loans/new')
  expect(Object.keys(two)).toContain('lines.1.item')
  expect(two).toMatchObject({ purpose: 'Typed' })
  const less = await anna.post('/loans/new', { ...two, 'lines.1.item': items['LA-0007']!, _remove: 'lines.0' })
  expect(fieldsOf(less.text, '/loans/new')).toMatchObject({ 'lines.0.item': items['LA-0007'] })
  expect(await rows(sql`select count(*) from public.loan`)).toEqual(before)
})

test('the way of a loan through the desk, with forms alone', async () => {
  const created = await anna.submit('/loans/new', '/loans/new', {
    due_back: '2026-03-06',
    'lines.0.item': items['CA-0001']!,
  })
  expect(created.status).toBe(303)
  const path = created.location!
  const take = async (browser: TestBrowser, step: string) => {
    const action = `${path}/do/${step}`
    const asks = await browser.get(action)
    expect([step, asks.status]).toEqual([step, 200])
    return browser.post(action, fieldsOf(asks.text, action))
  }
  for (const [browser, step, state] of [
    [anna, 'submit', 'Requested'],
    [clerk, 'approve', 'Approved'],
    [clerk, 'hand_out', 'Out'],
    [clerk, 'take_back', 'Returned'],
  ] as const) {
    expect([step, (await take(browser, step)).status]).toEqual([step, 303])
    expect((await clerk.get(path)).text).toContain(state)
  }
  expect((await clerk.get('/desk')).text).not.toContain(path)
  expect((await anna.get(path)).text).toContain('Dan')
})

test('a step taken twice from the same page happens once; from an old page it is refused', async () => {
  const loan = await lend(anna)
  const action = `/loans/${loan.number}/do/submit`
  const form = fieldsOf((await anna.get(action)).text, action)
  const pages = await Promise.all([anna.post(action, form), anna.post(action, form), anna.post(action, form)])
  expect(pages.map(({ status }) => status)).toEqual([303, 303, 303])
  const old = await anna.post(action, { ...form, _once: 'another-page-token' })
  expect(old.status).toBe(409)
  const [history] = await rows<{ n: string }>(
    sql`select count(*) as n from ninefold.history where record = ${loan.id}::uuid and what = 'submit'`,
  )
  expect(history!.n).toBe('1')
})

test('screens of other roles say for whom they are; what is left open says so', async () => {
  const page = await anna.get('/desk')
  expect(page.status).toBe(403)
  expect(page.text).toContain('Clerk or Manager')
  expect((await (await web.browser(null)).get('/desk')).location).toBe('/-/sign-in?next=%2Fdesk')
  const slip = await manager.get('/loans/any/slip')
  expect(slip.status).toBe(200)
  expect(slip.text).toContain('not decided yet')
  // No link leads there.
  expect((await manager.get('/reports')).text).not.toContain('not decided yet')
  for (const path of ['/-/people', '/-/limits']) {
    expect((await anna.get(path)).status).toBe(404)
    expect((await manager.get(path)).status).toBe(200)
  }
})

test('among what is done with many records, what leads to a bad end stands last', async () => {
  expect((await stepTo(anna, await lend(anna), 'submit')).status).toBe(200)
  const buttons = (await clerk.get('/loans')).text.matchAll(/formAction="\/-\/bulk\?entity=loan(?:&amp;step=(\w+))?"/g)
  const offered = [...buttons].map(([, step]) => step ?? 'a field')
  expect(offered).toEqual(expect.arrayContaining(['approve', 'a field']))
  expect(offered.at(-1)).toBe('decline')
})

const told = (html: string, id: string) =>
  (new RegExp(`<li id="${id}">.*?</li>`).exec(html)?.[0] ?? '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

test('what one may do with a record, and why not the rest: with the lines, and only values that one sees', async () => {
  const own = await lend(anna, { purpose: 'A secret film' })
  const address = `/-/why?entity=loan&id=${own.id}`
  expect((await anna.get(`/loans/${own.number}`)).text).toContain(`href="${address.replace('&', '&amp;')}"`)
  const mine = (await anna.get(address)).text
  expect(told(mine, 'step-submit')).toMatch(
    /^Yes Submit Then it is Requested\. Only when Borrower is you §4 line \d+ Borrower : Lotte$/,
  )
  expect(told(mine, 'step-hand_out')).toMatch(/^No Hand out Not you: only for Clerk\. §4 line \d+$/)
  expect(told(mine, 'verb-change')).toContain('Borrower: only when Borrower is you and State is Draft')
  expect(told(mine, 'verb-change')).toContain('State : Draft')
  expect(told(mine, 'field-purpose')).toMatch(/^Yes Purpose Can be changed in the form\./)
  expect(told(mine, 'field-borrower')).toContain('set when the record is made')
  expect(told(mine, 'field-approved_by')).toContain('Only steps set it.')
  // `take back` reads the total, which a borrower never sees.
  expect(told(mine, 'step-take_back')).not.toContain('Total value')
  expect(mine).not.toMatch(/Total value|id="field-(total_value|register_ref)"/)
  expect(mine).toContain('href="/-/document?file=')

  expect((await stepTo(anna, own, 'submit')).status).toBe(200)
  expect((await anna.get(`/loans/${own.number}`)).text).toContain('only when Borrower is you and State is Draft.')
  const theirs = (await clerk.get(address)).text
  expect(told(theirs, 'field-due_back')).toMatch(
    /^Yes Due back Can be changed in the form\. Only when State is Requested or Approved §6 line \d+ State : Requested$/,
  )
  // A clerk is a borrower as well, and this loan is not one of theirs.
  expect(told(theirs, 'field-purpose')).toMatch(
    /^No Purpose Only for Borrower: in that role you may not change this record\. §6 line \d+ Only when Borrower is you and State is Draft/,
  )
  expect((await stepTo(clerk, own, 'approve')).status).toBe(200)
  expect((await stepTo(clerk, own, 'hand_out')).status).toBe(200)
  const back = told((await clerk.get(address)).text, 'step-take_back')
  expect(back).toContain('Clerk damage limit')
  expect(back).toMatch(/Total value : €[\d,.]+/)
  // Refused: the page that says so leads there.
  const refused = await anna.post(`/loans/${own.number}/do/take_back`, { _csrf: await anna.token() })
  expect(refused.status).toBe(403)
  expect(refused.text).toContain('#step-take_back')
})

test('whoever appoints asks it for somebody else; what both see is told, and nobody else asks', async () => {
  const own = await lend(anna, { purpose: 'A secret film' })
  const lotte = (await rows<{ id: string }>(sql`select id from public.person where name = 'Lotte'`))[0]!.id
  const moritz = (await rows<{ id: string }>(sql`select id from public.person where name = 'Moritz'`))[0]!.id
  const address = `/-/why?entity=loan&id=${own.id}`
  expect((await manager.get(address)).text).toContain(`<option value="${lotte}"`)
  const hers = (await manager.get(`${address}&person=${lotte}`)).text
  expect(hers).toContain('What may Lotte do with Lotte · LN')
  expect(told(hers, 'step-submit')).toMatch(/^Yes/)
  expect(told(hers, 'field-total_value')).toContain('Lotte does not see this field.')
  const his = (await manager.get(`${address}&person=${moritz}`)).text
  expect(told(his, 'verb-see')).toMatch(
    /^No See None of the roles allows it for this record\. Borrower: only when Borrower is Moritz/,
  )
  expect(told(his, 'verb-see')).toContain('Borrower : Lotte')
  for (const what of ['step-submit', 'verb-change', 'field-purpose'])
    expect(told(his, what)).toContain('Moritz does not see this record.')
  // A clerk appoints nobody: the person in the address is no question that they may ask.
  expect((await clerk.get(`${address}&person=${lotte}`)).text).not.toContain('Lotte do with')
  expect((await ben.get(`${address}&person=${lotte}`)).status).toBe(404)

  const lines = await recordLines(web.run.runtime, `Loan ${own.number}`, 'lotte@example.org', web.run.now)
  expect(lines[0]).toBe(`What may Lotte do with Lotte · ${own.number}?`)
  expect(lines.join('\n')).toMatch(
    /yes {2}Submit: Then it is Requested\.\n\s+loan-desk\.md:\d+ Only when `borrower = me` \(borrower: Lotte\)/,
  )
  await expect(recordLines(web.run.runtime, `Loan ${own.number}`, 'moritz@example.org', web.run.now)).rejects.toThrow(
    /or Moritz does not see it/,
  )
})

/** Raising one is a decision: an application may be far from its database. Who asks is one statement of each. */
test('pages and writes cost a fixed number of statements, however many rows they have', async () => {
  const cost = async (ask: () => Promise<{ readonly status: number }>, status: number) => {
    web.statements.length = 0
    expect((await ask()).status).toBe(status)
    return web.statements.length
  }
  const costs = async () => ({
    list: await cost(() => anna.get('/loans?state=Draft&sort=-due_back&q=a'), 200),
    board: await cost(() => clerk.get('/desk'), 200),
    one: await cost(() => anna.get(`/loans/${annas.number}`), 200),
    why: await cost(() => anna.get(`/-/why?entity=loan&id=${annas.id}`), 200),
    whyOther: await cost(() => manager.get(`/-/why?entity=loan&id=${annas.id}&person=${web.run.people.Dan}`), 200),
    new: await cost(() => anna.get('/loans/new'), 200),
    edit: await cost(() => anna.get(edit), 200),
    stale: await cost(() => anna.post(edit, { ...asItWas, _version: '0', purpose: 'Another' }), 409),
    apiList: await cost(() => anna.get('/api/v1/loan?count=yes'), 200),
    apiOne: await cost(() => anna.get(`/api/v1/loan/${annas.id}`), 200),
    // A transaction counts as one (`run/write/write.db.test.ts` counts what is in it); then the record as it is now, for the answer.
    create: await cost(() => anna.json('POST', '/api/v1/loan', draft()), 201),
    createOnly: await cost(() => anna.json('POST', '/api/v1/loan', draft(), { prefer: 'return=minimal' }), 201),
    step: await cost(() => stepTo(anna, drafts.shift()!, 'submit'), 200),
  })
  const drafts = [await lend(anna), await lend(anna)]
  const edit = `/loans/${annas.number}/edit`
  const asItWas = fieldsOf((await anna.get(edit)).text, edit)
  const few = await costs()
  for (let count = 0; count < 8; count++) await lend(anna)
  expect(await costs()).toEqual(few)
  expect(few).toEqual({
    list: 2,
    board: 2,
    one: 3,
    why: 2,
    whyOther: 4,
    new: 2,
    edit: 3,
    stale: 4,
    apiList: 2,
    apiOne: 2,
    create: 3,
    createOnly: 2,
    step: 3,
  })
})
