/** Calls of the desk to its register: what they carry, what their answers do, and when they are tried again. */
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { signature } from '../../kinds/calls/http/call.ts'
import { read } from '../read/read.ts'
import { done, input, itemWith, loanDesk, made, readSound, startTestRun, type TestRun } from '../testing.ts'
import { takeStep } from '../write/writes.ts'
import { type Partner, type Received, startPartner, workContext } from './testing.ts'
import { loansAtWork } from './testing-loans.ts'
import { work } from './work.ts'

let run: TestRun
let camera: string
let partner: Partner
const start = new Date('2026-03-02T09:00:00.000Z')

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'))
  camera = await itemWith(run, 'CA-0001')
  partner = await startPartner()
})
afterAll(async () => {
  partner?.stop()
  await run?.drop()
})
beforeEach(async () => {
  partner.received = []
  run.now = new Date(start)
  partner.answer = () => ({ status: 200, body: { id: 'R-1' } })
  await run.runtime.store.query(sql`delete from ninefold.outbox`)
  await run.runtime.store.query(sql`delete from ninefold.timer`)
  await run.runtime.store.query(sql`delete from ninefold.breaker`)
})

const { round, later, newLoan, step, handedOut, takenBack, loan, call, kept } = loansAtWork(
  () => run,
  () => partner,
  () => camera,
)

test('the call tells the register, signed and with a key, and its answer is kept where nobody sees it', async () => {
  const id = await takenBack()
  await round()
  const { number, register_ref, version } = await loan(id)
  expect(partner.received).toHaveLength(1)
  const [{ url, headers, body }] = partner.received as [Received]
  expect(url).toBe('/returns')
  expect(JSON.parse(body)).toEqual({ loan: number, items: ['CA-0001'] })
  expect(headers['idempotency-key']).toBe(number)
  expect(headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  expect(headers['ninefold-signature']).toBe(signature('secret', body, run.now))
  expect(register_ref).toBe('R-1')
  expect(await call(id)).toMatchObject({ state: 'delivered', attempts: '1', last_status: '200', reported: null })
  const [entry] = await run.runtime.store.query(
    sql`select kind, what, system, changes, version from ninefold.history where record = ${id} order by id desc limit 1`,
  )
  expect(entry).toEqual({
    kind: 'call',
    what: 'C-2',
    system: 'call',
    changes: { register_ref: [null, 'R-1'] },
    version,
  })
  const data = await read(run.runtime, await run.as('Mia'), {
    kind: 'one',
    entity: 'loan',
    by: { field: 'id', value: id },
    history: 20,
  })
  expect(data!.history.filter(({ what }) => what === 'call')).toMatchObject([
    { name: 'C-2', delivery: { state: 'done', attempts: 1 } },
  ])
  // And nothing is sent twice.
  await round()
  expect(partner.received).toHaveLength(1)
})

test('a call that nobody has tried to send is withdrawn with its record; one that was tried is not', async () => {
  const other = await startTestRun(
    inject('databaseUrl'),
    readSound(loanDesk, text =>
      text
        .replace('| Returned | end | |', '| Returned | | |')
        .replace(/^(\| hand out \|.*)$/m, '$1\n| reopen | Returned | Out | Clerk | | withdraw C-2 |')
        .replace('hand out, take back |', 'hand out, take back, reopen |'),
    ),
  )
  try {
    const query = other.runtime.store.query
    const take = async (key: string) =>
      done(await takeStep(other.runtime, await other.as('Dan'), 'loan', loan, key, null))
    const item = await itemWith(other, 'CA-0001')
    const values = input({ out_on: '2026-03-02', due_back: '2026-03-09' }, { lines: [{ item }] })
    const loan = await made(other, 'Ben', 'loan', values)
    await query(sql`update loan set state = 'Out'`)
    const states = async () =>
      (
        await query(
          sql`select state, attempts, payload = '{}' as bare from ninefold.outbox where kind = 'call' order by turn`,
        )
      ).map(({ state, attempts, bare }) => `${state} ${attempts} ${bare}`)
    await take('take_back')
    await take('reopen')
    const working = workContext(other, {
      variable: name => ({ ASSETS_URL: `${partner.url}/`, ASSETS_KEY: 'secret' })[name],
    })
    await work(other.runtime, working)
    expect([await states(), partner.received]).toEqual([['withdrawn 0 true'], []])
    partner.answer = () => ({ status: 503, body: {} })
    await take('take_back')
    await work(other.runtime, working)
    await take('reopen')
    expect([await states(), partner.received.length]).toEqual([['withdrawn 0 true', 'waiting 1 false'], 1])
    const data = await read(other.runtime, await other.as('Mia'), {
      kind: 'one',
      entity: 'loan',
      by: { field: 'id', value: loan },
      history: 20,
    })
    expect(data!.history.flatMap(({ delivery }) => (delivery === null ? [] : [delivery.state]))).toEqual([
      'waiting',
      'withdrawn',
    ])
    // What shows whether a receiver is back counts for no attempt, and may have arrived all the same.
    await query(sql`delete from ninefold.outbox`)
    await query(sql`update ninefold.breaker set failures = 5, failed_by = null`)
    await take('take_back')
    await work(other.runtime, working)
    await take('reopen')
    expect([await states(), partner.received.length]).toEqual([['waiting 0 false'], 2])
  } finally {
    await other.drop()
  }
})

test('each attempt of a call is a span of the trace that caused it', async () => {
  partner.answer = (_, nth) => ({ status: nth === 1 ? 503 : 200, body: { id: 'R-1' } })
  const id = await handedOut()
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const traced = { ...(await run.as('Dan')), trace: `${trace}-00` }
  done(await takeStep(run.runtime, traced, 'loan', id, 'take_back', null))
  await round()
  later(600)
  await round()
  const told = partner.received.map(({ headers }) => String(headers.traceparent))
  expect(told.map(one => one.replace(/-[0-9a-f]{16}-/, '-'))).toEqual([`00-${trace}-00`, `00-${trace}-00`])
  expect(new Set(told).size).toBe(2)
})

test('an answer that stops the call reports the error of the document and is not tried again', async () => {
  partner.answer = () => ({ status: 409, body: { id: 'R-9' } })
  const id = await takenBack()
  await round()
  const { number, register_ref } = await loan(id)
  expect(register_ref).toBeNull()
  expect(await call(id)).toMatchObject({
    state: 'failed',
    attempts: '1',
    reported: 'E-REG-1',
    last_error: `The asset register does not know loan ${number}. Tell the manager.`,
  })
  later(600)
  await round()
  expect(partner.received).toHaveLength(1)
})

test('calls in order per a path wait for each other, whatever records they are about, and for no others', async () => {
  const ordered = readSound(loanDesk, text =>
    text.replace('- **Timeout:** 10 seconds', '- **Order:** in order per borrower\n- **Timeout:** 10 seconds'),
  )
  const before = run.runtime
  partner.answer = (_, nth) => (nth === 1 ? { status: 503 } : { status: 200, body: { id: 'R-1' } })
  try {
    Object.assign(run, { runtime: { ...before, app: ordered } })
    const first = await takenBack()
    await round()
    const second = await takenBack()
    // As if it were somebody else's.
    const other = await takenBack()
    await run.runtime.store.query(sql`update ninefold.outbox set queue = 'Eve' where record = ${other}`)
    await round()
    later(60)
    await round()
    await round()
    const numbers = await Promise.all([first, other, first, second].map(async id => (await loan(id)).number))
    expect(partner.received.map(({ body }) => JSON.parse(body).loan)).toEqual(numbers)
  } finally {
    Object.assign(run, { runtime: before })
  }
})

test('calls of several kinds about one record leave in one order where one of them says so, and wait for each other', async () => {
  const told = (order: string) =>
    readSound(loanDesk, text =>
      text.replace(
        '### Mails\n',
        `### C-9 Tell the museum\n\n- **Trigger:** after Loan hand out\n- **Request:** POST {settings.assets_url}/out\n- **Safe to repeat:** yes\n${order}\n| Send | From |\n| --- | --- |\n| loan | number |\n\n| Answer | Then |\n| --- | --- |\n| timeout, 5xx | repeat 6 times within 2 hours |\n\n### Mails\n`,
      ),
    )
  const before = run.runtime
  const received = async (order: string) => {
    partner.received.length = 0
    const tells = () => partner.received.filter(({ url }) => url === '/out').length
    partner.answer = ({ url }) =>
      url === '/out' && tells() === 1 ? { status: 503 } : { status: 200, body: { id: 'R-1' } }
    Object.assign(run, { runtime: { ...before, app: told(order) } })
    await takenBack()
    await round()
    // Those of one round arrive in any order.
    const first = partner.received.map(({ url }) => url).toSorted()
    later(60)
    await round()
    await round()
    return [first, ...partner.received.slice(first.length).map(({ url }) => url)]
  }
  try {
    expect(await received('')).toEqual([['/out', '/returns'], '/out'])
    expect(await received('- **Order:** in order with C-2\n')).toEqual([['/out'], '/out', '/returns'])
  } finally {
    Object.assign(run, { runtime: before })
  }
})

test('in quiet hours mails wait, and calls that say so; what is urgent and every other call leave', async () => {
  const hushed = (text: string) =>
    text
      .replace('## 7 The calls it makes\n', '## 7 The calls it makes\n\n- **Quiet hours:** 21:00 to 07:00\n')
      .replace(
        '| loan | number |',
        [
          '| loan | number |\n| text | text "{number} came back to {borrower.name}." |',
          '| pieces | `count(lines) * 2` |\n| many | `count(lines) * 9007199254740993` |\n| back | `state = "Returned"` |',
          '| share | `count(lines) * 0.5` |\n| damaged | lines.damaged |',
        ].join('\n'),
      )
  const before = run.runtime
  try {
    Object.assign(run, { runtime: { ...before, app: readSound(loanDesk, hushed) } })
    // Nine in the evening in Berlin.
    run.now = new Date('2026-03-02T20:00:00.000Z')
    const refused = await newLoan()
    await step('Ben', refused, 'submit')
    await step('Cleo', refused, 'decline')
    const { number } = await loan(await takenBack())
    await round()
    expect(await kept(refused)).toEqual([])
    expect(JSON.parse(partner.received[0]!.body)).toMatchObject({
      loan: number,
      text: `${number} came back to Ben.`,
      pieces: 2,
      many: '9007199254740993',
      back: true,
      share: '0.5',
      damaged: [false],
    })
    run.now = new Date('2026-03-03T05:59:59.000Z')
    await round()
    expect(await kept(refused)).toEqual([])
    run.now = new Date('2026-03-03T06:00:00.000Z')
    await round()
    expect((await kept(refused)).map(({ subject }) => subject)).toHaveLength(3)
    // The other way round.
    const waiting = (text: string) =>
      hushed(text)
        .replace('- **Timeout:** 10 seconds', '- **Quiet hours:** yes\n- **Timeout:** 10 seconds')
        .replace(
          '| Mail | To | Subject | Body |\n| --- | --- | --- | --- |',
          '| Mail | To | Subject | Body | Urgent |\n| --- | --- | --- | --- | --- |',
        )
        .replace('was declined | none |', 'was declined | none | yes |')
    Object.assign(run, { runtime: { ...before, app: readSound(loanDesk, waiting) } })
    run.now = new Date('2026-03-03T22:00:00.000Z')
    partner.received = []
    const urgent = await newLoan()
    await step('Ben', urgent, 'submit')
    await step('Cleo', urgent, 'decline')
    await takenBack()
    await round()
    expect(await kept(urgent)).toMatchObject([{ mail: 'declined' }])
    expect(partner.received).toEqual([])
  } finally {
    Object.assign(run, { runtime: before })
  }
})

test.each([
  ['stop', 'delivered', null],
  ['stop; report E-REG-1', 'failed', 'E-REG-1'],
])('a success after which the document says `%s` is %s', async (then, state, reported) => {
  const before = run.runtime
  const stopped = readSound(loanDesk, text =>
    text.replace('| 200, 201 | set register_ref = answer.id |', `| 200, 201 | ${then} |`),
  )
  try {
    Object.assign(run, { runtime: { ...before, app: stopped } })
    const id = await takenBack()
    await round()
    expect(await call(id)).toMatchObject({ state, reported, attempts: '1', last_status: '200' })
  } finally {
    Object.assign(run, { runtime: before })
  }
})

test('a partner that is down is asked ever further apart, then after each pause, and reported when its two hours are over', async () => {
  partner.answer = () => ({ status: 503 })
  const id = await takenBack()
  const moments: number[] = []
  for (let minute = 0; minute <= 180; minute++) {
    const before = partner.received.length
    await round()
    if (partner.received.length > before) moments.push(minute)
    later(1)
  }
  const gaps = moments.slice(1).map((moment, index) => moment - moments[index]!)
  const [own, pauses] = [gaps.slice(0, 4), gaps.slice(4)]
  expect(own).toEqual(own.toSorted((a, b) => a - b))
  expect(pauses.slice(0, 6)).toEqual([1, 1, 1, 2, 4, 5])
  expect(new Set(pauses.slice(6))).toEqual(new Set([5]))
  expect(moments.at(-1)).toBeGreaterThan(120)
  expect(moments.at(-1)).toBeLessThanOrEqual(125)
  expect(new Set(partner.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  expect(await call(id)).toMatchObject({ state: 'failed', attempts: '6', reported: 'E-REG-2', last_status: '503' })
})

test('where the document gives a month, a repetition waits for weeks', async () => {
  const before = run.runtime
  const monthly = readSound(loanDesk, text =>
    text.replace('repeat 6 times within 2 hours', 'repeat 2 times within 30 days'),
  )
  partner.answer = () => ({ status: 503 })
  const days: number[] = []
  try {
    Object.assign(run, { runtime: { ...before, app: monthly } })
    const id = await takenBack()
    for (let day = 0; day <= 31; day++) {
      const had = partner.received.length
      await round()
      if (partner.received.length > had) days.push(day)
      later(24 * 60)
    }
    expect(days).toEqual([0, 10, 30])
    expect(await call(id)).toMatchObject({ state: 'failed', attempts: '3', reported: 'E-REG-2' })
  } finally {
    Object.assign(run, { runtime: before })
  }
})

test('a partner that heals gets it, and one that asks for patience is given it', async () => {
  partner.answer = (_, nth) =>
    nth === 1 ? { status: 503, headers: { 'retry-after': '1800' } } : { status: 201, body: { id: 'R-2' } }
  const id = await takenBack()
  await round()
  later(29)
  await round()
  expect(partner.received).toHaveLength(1)
  later(2)
  await round()
  expect(partner.received).toHaveLength(2)
  expect((await loan(id)).register_ref).toBe('R-2')
})

test('nobody listening, and an answer that nobody foresaw, are tried again; a missing setting too', async () => {
  const id = await takenBack()
  await round({ variable: name => ({ ASSETS_URL: 'http://127.0.0.1:9', ASSETS_KEY: 'secret' })[name] })
  expect(await call(id)).toMatchObject({ state: 'waiting', attempts: '1', reported: null })
  later(3)
  await round({ variable: () => undefined })
  expect(await call(id)).toMatchObject({
    state: 'waiting',
    attempts: '2',
    last_error: 'the environment variable ASSETS_URL is not set',
  })
  later(30)
  partner.answer = () => ({ status: 418 })
  await round()
  expect(await call(id)).toMatchObject({ state: 'waiting', attempts: '3', last_status: '418' })
  later(120)
  partner.answer = () => ({ status: 200, body: { id: 'R-3' } })
  await round()
  expect(await call(id)).toMatchObject({ state: 'delivered', attempts: '4' })
})

test('an answer that the record cannot hold changes nothing and is kept to be looked at', async () => {
  partner.answer = () => ({ status: 200, body: { id: 'x'.repeat(41) } })
  const id = await takenBack()
  const { version } = await loan(id)
  await round()
  expect(await loan(id)).toMatchObject({ register_ref: null, version })
  expect(await call(id)).toMatchObject({
    state: 'failed',
    last_error: expect.stringContaining('at most 40 characters') as string,
  })
})
