/** What the other side refuses or never answers is found in a list, and can be sent again. */
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { read } from '../read/read.ts'
import { done, input, itemWith, loanDesk, made, readSound, startTestRun, type TestRun, testId } from '../testing.ts'
import { change, takeStep } from '../write/writes.ts'
import { maySendAgain, readUnsent, sendAgain } from './send-again.ts'
import { type Partner, startPartner, workContext } from './testing.ts'
import { type WorkContext, work } from './work.ts'

let run: TestRun
let partner: Partner
let camera: string
const secret = 'open sesame/1'

const desk = (text: string) =>
  text
    .replace(
      'set register_ref = answer.id',
      'set register_ref = answer.id; set said = answer; set part = answer.of.part; set nothing = answer.of.none',
    )
    .replace('| 409 | stop', '| 410 | do ask; stop |\n| 409 | stop')
    .replace('repeat 6 times within 2 hours', 'repeat 4 times within 24 hours')
    .replace('\n\n#### take back', '\n| ask | Returned | Returned | none | | set purpose = "asked" |\n\n#### take back')
    .replace('| purpose |', '| said | json |\n| part | json |\n| nothing | json |\n| purpose |')
    .replace(
      '- **Sign with:** secret ASSETS_KEY',
      '$&\n- **Header:** Authorization: Bearer {settings.assets_token}\n- **Header:** X-Desk: loan desk, {settings.desk_room}',
    )
    .replace('| loan | number |', '| loan | number |\n| purpose | purpose |\n| token | settings.assets_token |')
    .replace(
      '### C-2 Tell the asset register',
      '- **Send again:** Manager\n\n| Setting | Type | Secret |\n| --- | --- | --- |\n| assets_url | link | no |\n| assets_token | text | yes |\n| desk_room | text | no |\n\n### C-2 Tell the asset register',
    )
const app = readSound(loanDesk, desk)

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), app)
  camera = await itemWith(run, 'CA-0001')
  partner = await startPartner()
})
afterAll(async () => {
  partner?.stop()
  await run?.drop()
})
beforeEach(async () => {
  partner.received = []
  run.now = new Date('2026-03-02T09:00:00.000Z')
  partner.answer = () => ({ status: 201, body: { id: 'R-1' } })
  await run.runtime.store.query(sql`delete from ninefold.outbox`)
  await run.runtime.store.query(sql`delete from ninefold.breaker`)
})

const context = (variables: Record<string, string> = {}): WorkContext =>
  workContext(run, {
    variable: name =>
      ({ ASSETS_URL: partner.url, ASSETS_KEY: 'swordfish', ASSETS_TOKEN: secret, DESK_ROOM: 'B 12', ...variables })[
        name as 'ASSETS_URL'
      ],
    from: 'Loan desk <desk@example.com>',
    limit: 50,
  })
const round = (variables?: Record<string, string>) => work(run.runtime, context(variables))
const later = (seconds: number) => {
  run.now = new Date(run.now.getTime() + seconds * 1000)
}
const takenBack = async (purpose = 'a wedding') => {
  const values = { out_on: '2026-03-02', due_back: '2026-03-09', purpose }
  const id = await made(run, 'Ben', 'loan', input(values, { lines: [{ item: camera }] }))
  for (const [who, step] of [
    ['Ben', 'submit'],
    ['Cleo', 'approve'],
    ['Dan', 'hand_out'],
    ['Dan', 'take_back'],
  ] as const)
    done(await takeStep(run.runtime, await run.as(who), 'loan', id, step, null))
  return id
}
const mia = () => run.as('Mia')
const json = (value: unknown) => JSON.stringify(value, null, 2)
const calls = async () =>
  run.runtime.store.query<{ state: string; attempts: string; last_error: string | null; last_answer: string | null }>(
    sql`select state, attempts, last_error, last_answer from ninefold.outbox where kind = 'call' order by id`,
  )

test('an answer is kept as it came but for secrets, whole and in part', async () => {
  partner.answer = () => ({
    status: 201,
    body: '{"id":12345678901234567890,"of":{"part":[9007199254740993,{"b":true},"open sesame\\/1"]}}',
  })
  const id = await takenBack()
  await round()
  const kept = await run.runtime.store.query(
    sql`select register_ref, said::text, part::text, nothing from loan where id = ${id}::uuid`,
  )
  const part = '[9007199254740993, {"b": true}, "•••"]'
  const said = `{"id": 12345678901234567890, "of": {"part": ${part}}}`
  expect(kept).toEqual([{ register_ref: '12345678901234567890', said, part, nothing: null }])
})

test('headers of the document travel with each attempt, their settings as they are by then; without one nothing leaves', async () => {
  partner.answer = (_, nth) => (nth === 1 ? { status: 302 } : { status: 409, body: { said: secret } })
  await takenBack()
  await round({ ASSETS_TOKEN: '' })
  expect(partner.received).toEqual([])
  expect((await calls())[0]!.last_error).toBe('the environment variable ASSETS_TOKEN is not set')
  later(3600)
  await round()
  expect((await calls())[0]).toMatchObject({ state: 'waiting', last_error: 'answered 302' })
  later(3600)
  await round({ DESK_ROOM: 'C 1' })
  expect(partner.received.map(({ headers }) => [headers.authorization, headers['x-desk']])).toEqual([
    [`Bearer ${secret}`, 'loan desk, B 12'],
    [`Bearer ${secret}`, 'loan desk, C 1'],
  ])
  expect(JSON.stringify(await run.runtime.store.query(sql`select * from ninefold.outbox`))).not.toContain('sesame')
})

test('a setting that would be two headers is none', async () => {
  await takenBack()
  await round({ DESK_ROOM: 'B 12\r\nX-Admin: yes' })
  expect(partner.received).toEqual([])
  expect((await calls())[0]!.last_error).toContain('Invalid character in header content')
})

test('only those whom the document names see the list, or send anything again', async () => {
  partner.answer = () => ({ status: 409, body: { error: 'no such loan' } })
  await takenBack()
  await round()
  for (const name of ['Ben', 'Cleo', 'nobody']) {
    const request = await run.as(name)
    expect(maySendAgain(app, request.actor)).toBe(false)
    expect(await readUnsent(run.runtime, request, 10)).toBe(null)
    expect(await sendAgain(run.runtime, request, { kind: 'call', name: 'C-2' })).toBe(null)
  }
  expect((await calls()).map(({ state }) => state)).toEqual(['failed'])
})

test('a call that was refused shows the answer without secrets, and goes again with the same key and what is right now', async () => {
  partner.answer = ({ body }) => {
    const { purpose, token } = JSON.parse(body)
    return purpose === 'a funeral'
      ? { status: 201, body: { id: 'R-2' } }
      : { status: 409, body: { error: `purpose unknown to ${secret}`, token } }
  }
  const id = await takenBack()
  await round()
  const data = await readUnsent(run.runtime, await mia(), 10)
  const { number } = (
    await run.runtime.store.query<{ number: string }>(sql`select number from loan where id = ${id}`)
  )[0]!
  expect(data!.rows).toMatchObject([
    { kind: 'call', name: 'C-2', record: id, last_status: '409', attempts: '1', alike: '1', again_by: null },
  ])
  const [{ label, because, last_answer, last_error }] = data!.rows as [(typeof data & object)['rows'][0]]
  expect(label).toContain(number)
  expect(data!.rows[0]!.sent).toEqual({
    request: 'POST {ASSETS_URL}/returns',
    key: number,
    body: json({ loan: number, purpose: 'a wedding', token: '{ASSETS_TOKEN}', items: ['CA-0001'] }),
  })
  expect(because).toMatch(/^loan-desk\.md:\d+$/)
  expect(last_answer).toContain('purpose unknown to •••')
  expect(JSON.stringify(await run.runtime.store.query(sql`select * from ninefold.outbox`))).not.toContain(secret)
  expect(last_answer! + last_error!).not.toContain('sesame')
  expect(JSON.parse(partner.received[0]!.body)).toMatchObject({ purpose: 'a wedding', token: secret })

  await run.runtime.store.query(sql`update loan set purpose = 'a funeral' where id = ${id}`)
  expect(await sendAgain(run.runtime, await mia(), { id: data!.rows[0]!.id })).toBe(1)
  // Twice is once: it is not among what failed any more.
  expect(await sendAgain(run.runtime, await mia(), { id: data!.rows[0]!.id })).toBe(0)
  await round()
  expect(partner.received.map(({ key }) => key)).toEqual([number, number])
  expect(await calls()).toMatchObject([{ state: 'delivered', attempts: '1' }])
  expect((await run.runtime.store.query(sql`select register_ref from loan where id = ${id}`))[0]).toEqual({
    register_ref: 'R-2',
  })
  expect((await readUnsent(run.runtime, await mia(), 10))!.rows).toEqual([])
})

test('each value that was sent is told to those who may see what it was made from, and no secret to anybody', async () => {
  partner.answer = () => ({ status: 409 })
  const id = await takenBack(`of ${secret}`)
  await round()
  const [{ number }] = (await run.runtime.store.query<{ number: string }>(
    sql`select number from loan where id = ${id}`,
  )) as [{ number: string }]
  const sentIn = async (other: typeof app, document = other.version) => {
    await run.runtime.store.query(sql`update ninefold.outbox set document = ${document}`)
    const data = await readUnsent({ ...run.runtime, app: other }, await mia(), 10, context().variable)
    return data!.rows[0]!.sent
  }
  const told = (from: string, to: string) => {
    const other = readSound(loanDesk, text => desk(text).replace(from, to))
    expect(other.version).not.toBe(app.version)
    return sentIn(other)
  }
  const whole = { loan: number, purpose: 'of •••', token: '{ASSETS_TOKEN}', items: ['CA-0001'] }
  const sent = { request: 'POST {ASSETS_URL}/returns', key: number, body: json(whole) }
  expect(await sentIn(app)).toEqual(sent)
  const purpose = '| purpose | Borrower, Clerk, Manager | Borrower |'
  const closed = { ...sent, body: json({ ...whole, purpose: '•••' }) }
  expect(await told(purpose, '| purpose | Clerk | Borrower |')).toEqual(closed)
  expect(await told(purpose, `${purpose}\n| number | Clerk | none |\n| lines | Clerk | Borrower |`)).toEqual({
    ...sent,
    key: '•••',
    body: json({ ...whole, loan: '•••', items: ['•••'] }),
  })
  expect(await told('| Manager | yes | yes | yes |', '| Manager | `state = Draft` | yes | yes |')).toBe('unseen')
  expect(await told('- **Sample data:** [loans.csv](data/loans.csv)', '$&\n- **Read log:** yes')).toBe('logged')
  expect(await sentIn(app, 'before')).toBe('changed')
})

test('what a step of the document deals with is settled, and sent again by nobody', async () => {
  partner.answer = () => ({ status: 410, body: {} })
  const id = await takenBack()
  await round()
  expect((await readUnsent(run.runtime, await mia(), 10))!.rows).toEqual([])
  expect(await sendAgain(run.runtime, await mia(), { kind: 'call', name: 'C-2' })).toBe(0)
  const need = { kind: 'one', entity: 'loan', by: { field: 'id', value: id }, history: 20 } as const
  const { history } = (await read(run.runtime, await mia(), need))!
  expect(history.flatMap(({ name, delivery }) => (name === 'C-2' && delivery !== null ? [delivery] : []))).toEqual([
    { state: 'settled', attempts: 1 },
  ])
  expect(await calls()).toMatchObject([{ last_error: 'answered 410' }])
})

test('what was given up goes again as it was', async () => {
  partner.answer = () => 'silence'
  const id = await takenBack()
  await run.runtime.store.query(
    sql`update ninefold.outbox set attempts = 6, first_at = ${run.now.toISOString()} where kind = 'call'`,
  )
  await round()
  expect(await calls()).toMatchObject([{ state: 'failed' }])
  await run.runtime.store.query(sql`update loan set purpose = 'something else' where id = ${id}`)
  partner.answer = () => ({ status: 201, body: { id: 'R-3' } })
  expect(await sendAgain(run.runtime, await mia(), { kind: 'call', name: 'C-2' })).toBe(1)
  await round()
  expect(JSON.parse(partner.received.at(-1)!.body).purpose).toBe('a wedding')
  expect(await calls()).toMatchObject([{ state: 'delivered' }])
})

test('a mail that was refused goes to the address that its person has now', async () => {
  const request = await mia()
  const ben = run.people.Ben!
  const payload = {
    to: { name: 'Ben', address: 'old@example.com', person: ben },
    subject: 'x',
    text: '',
    idempotencyKey: testId(),
  }
  await run.runtime.store.query(sql`
    insert into ninefold.outbox (id, kind, name, entity, payload, repeat_key, state, due_at, finished_at, created_at, request, document)
    values (${testId()}::uuid, 'mail', 'declined', 'loan', ${JSON.stringify(payload)}::jsonb, 'k', 'failed', ${run.now.toISOString()},
      ${run.now.toISOString()}, ${run.now.toISOString()}, 'r', 'd')`)
  expect(await sendAgain(run.runtime, request, { kind: 'mail', name: 'declined' })).toBe(1)
  await round()
  const [kept] = await run.runtime.store.query<{ recipients: string[] }>(
    sql`select recipients from ninefold.mailbox order by at desc, id desc limit 1`,
  )
  expect(kept!.recipients[0]).toMatch(/^Ben.* <ben@/)
})

test('calls to a server that is down pause; one attempt at a time tries whether it is back, then all go', async () => {
  for (let nth = 0; nth < 8; nth++) await takenBack()
  partner.answer = () => ({ status: 503 })
  await round()
  expect(partner.received).toHaveLength(8)
  partner.received = []
  // Long after every one of them is due again: nothing is sent while it pauses, then one.
  await run.runtime.store.query(
    sql`update ninefold.outbox set due_at = ${run.now.toISOString()}::timestamptz where kind = 'call'`,
  )
  later(14)
  await round()
  expect(partner.received).toHaveLength(0)
  expect((await readUnsent(run.runtime, await mia(), 10))!.pauses).toMatchObject([{ call: 'C-2', waiting: '8' }])
  later(2)
  await round()
  expect(partner.received).toHaveLength(1)
  later(16)
  await round()
  expect(partner.received).toHaveLength(1)
  // The second pause is twice as long.
  later(15)
  partner.answer = ({ key }) => ({ status: 201, body: { id: key } })
  await round()
  expect(partner.received).toHaveLength(2)
  // It answers: what waits goes on at once, and not when its own next attempt would have been.
  await round()
  expect(new Set(partner.received.map(({ key }) => key)).size).toBe(8)
  expect((await calls()).map(({ state }) => state)).toEqual(Array(8).fill('delivered'))
  expect((await readUnsent(run.runtime, await mia(), 10))!.pauses).toEqual([])
})

test('a server that is down for a day uses up no attempts, and gets everything in order when it is back', async () => {
  for (let nth = 0; nth < 6; nth++) await takenBack()
  partner.answer = () => ({ status: 503 })
  await round()
  const all = partner.received.map(({ key }) => key).toSorted()
  expect(new Set(all).size).toBe(6)
  for (let half = 0; half < 48; half++) {
    later(1800)
    await round()
  }
  // One at the end of each pause, each in its turn.
  expect(partner.received.map(({ key }) => key).toSorted()).toEqual(all.flatMap(key => Array(9).fill(key)))
  const data = (await readUnsent(run.runtime, await mia(), 10))!
  expect([data.rows, data.pauses]).toMatchObject([[], [{ call: 'C-2', waiting: '6' }]])
  expect((await calls()).map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(Array(6).fill('waiting 1'))

  partner.received = []
  partner.answer = ({ key }) => ({ status: 201, body: { id: key } })
  later(300)
  for (let nth = 0; nth < 6; nth++) await work(run.runtime, { ...context(), limit: 1 })
  const [probe, ...rest] = partner.received.map(({ key }) => key)
  expect(rest).toEqual(all.filter(key => key !== probe))
  expect((await calls()).map(({ state }) => state)).toEqual(Array(6).fill('delivered'))
})

test('a server that asks for patience is asked at the end of it, whichever of its calls comes next', async () => {
  for (let nth = 0; nth < 6; nth++) await takenBack()
  partner.answer = () => ({ status: 429, headers: { 'retry-after': '500' } })
  await round()
  partner.received = []
  later(499)
  await round()
  expect(partner.received).toHaveLength(0)
  later(1)
  await round()
  expect(partner.received).toHaveLength(1)
})

test('what never leaves for want of a setting does not end a pause, and is not tried without end', async () => {
  for (let nth = 0; nth < 6; nth++) await takenBack()
  partner.answer = () => ({ status: 503 })
  await round()
  partner.received = []
  later(20)
  for (let nth = 0; nth < 4; nth++) await round({ ASSETS_KEY: '' })
  expect(partner.received).toHaveLength(0)
  const said = (await calls()).map(({ state, attempts, last_error }) => `${state} ${attempts} ${last_error}`)
  expect(said.toSorted()).toEqual([
    ...Array(5).fill('waiting 1 answered 503'),
    'waiting 1 the environment variable ASSETS_KEY is not set',
  ])
})

test('an answer that refuses one call is no reason to pause', async () => {
  partner.answer = () => ({ status: 409 })
  for (let nth = 0; nth < 6; nth++) await takenBack()
  await round()
  expect(partner.received).toHaveLength(6)
  expect((await readUnsent(run.runtime, await mia(), 10))!.pauses).toEqual([])
  // Many of one name leave room for those of others.
  await run.runtime.store.query(sql`update ninefold.outbox set kind = 'mail', name = 'M-9'
    where id in (select id from ninefold.outbox where state = 'failed' limit 2)`)
  const { rows } = (await readUnsent(run.runtime, await mia(), 1))!
  expect(rows.map(({ kind, name, alike }) => [kind, name, alike])).toEqual([
    ['call', 'C-2', '4'],
    ['mail', 'M-9', '2'],
  ])
})

test('a call goes to no host but those that the document or its settings name', async () => {
  await takenBack()
  const away = [`${partner.url}/`, 'returns']
  await run.runtime.store.query(
    sql`update ninefold.outbox set payload = jsonb_set(payload, '{url}', ${JSON.stringify(away)}::jsonb) where kind = 'call'`,
  )
  await round({ ASSETS_URL: 'http://register.example.com' })
  expect(partner.received).toEqual([])
  expect(await calls()).toMatchObject([
    { state: 'failed', last_error: expect.stringMatching(/names 127\.0\.0\.1:\d+$/) },
  ])
})

test('a change through the document is not undone by what is sent again', async () => {
  partner.answer = () => ({ status: 409 })
  const id = await takenBack()
  await round()
  const before = await run.runtime.store.query(sql`select * from loan where id = ${id}`)
  await sendAgain(run.runtime, await mia(), { kind: 'call', name: 'C-2' })
  expect(await run.runtime.store.query(sql`select * from loan where id = ${id}`)).toEqual(before)
  expect((await change(run.runtime, await run.as('Ben'), 'loan', id, null, input({ purpose: 'x' }))).kind).not.toBe(
    'done',
  )
})
