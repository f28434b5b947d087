/** What stands deep in an answer is read as the type of the field that it is set into, or the call is listed with its place. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { appOf } from '../../kinds/testing.ts'
import { input, made, startTestRun, type TestRun } from '../testing.ts'
import { type Partner, startPartner, workContext } from './testing.ts'
import { work } from './work.ts'

const rates = `# Rates

## 3 Entities and their fields

### Rate

| Field | Type | Rules |
| --- | --- | --- |
| what | text 40 | required |
| gbp | decimal 8.4 | set by calls only |
| as_text | text 20 | set by calls only |
| fee | money EUR | set by calls only |
| pieces | integer | set by calls only |
| good | yes/no | set by calls only |
| until | date | set by calls only |
| twice | text 40 | set by calls only |
| share | decimal 8.2 | set by calls only |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Clerk | appointed by Clerk |

### Rate

| Role | See | Create | Change |
| --- | --- | --- | --- |
| Clerk | yes | yes | yes |

## 7 The calls it makes

- **Send again:** Clerk

### C-1 Ask the bank

- **Trigger:** after Rate created
- **Request:** GET {settings.bank_url}/rates/{what}
- **Safe to repeat:** yes

| Answer | Then |
| --- | --- |
| 200 | set gbp = answer.rates.GBP; set as_text = answer.rates.GBP; set fee = answer.fees.0.sum; set pieces = answer.pieces; set good = answer.good; set until = answer.until; set twice = answer.rates.note + "!"; set share = length(answer.rates.note) / 3 |
`

let run: TestRun
let partner: Partner

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'), appOf(rates))
  await run.runtime.store.query(sql`delete from ninefold.outbox`)
  partner = await startPartner()
})
afterAll(async () => {
  partner?.stop()
  await run?.drop()
})

/** The fields that calls set, and how the call ended. */
async function after(body: unknown) {
  partner.answer = () => ({ status: 200, body })
  const id = await made(run, Object.keys(run.people)[0]!, 'rate', input({ what: 'GBP' }))
  const context = { variable: (name: string) => ({ BANK_URL: partner.url })[name], limit: 50 }
  await work(run.runtime, workContext(run, context))
  const [row] = await run.runtime.store.query<Record<string, unknown>>(
    sql`select gbp, as_text, fee, pieces, good, until::text as until, twice, share, state, last_error from rate join ninefold.outbox o on o.record = rate.id where rate.id = ${id}::uuid`,
  )
  return row!
}

const nothing = { gbp: null, as_text: null, fee: null, pieces: null, good: null, until: null, twice: null, share: null }

test('numbers, texts and yes/no are read as the field has them, whichever way they are written', async () => {
  const held = {
    gbp: '0.8533',
    as_text: '0.8533',
    fee: '1.50',
    pieces: '3',
    good: true,
    until: '2026-03-02',
    twice: 'ok!',
    share: '0.67',
    state: 'delivered',
    last_error: null,
  }
  const rest = { fees: [{ sum: '1.5' }], pieces: 3, good: true, until: '2026-03-02' }
  expect(await after({ rates: { GBP: 0.8533, note: 'ok' }, ...rest })).toEqual(held)
  expect(await after({ rates: { GBP: '0.8533', note: 'ok' }, ...rest })).toEqual(held)
})

test('what is missing or null leaves the field empty', async () => {
  const delivered = { ...nothing, state: 'delivered', last_error: null }
  expect(await after({})).toEqual(delivered)
  expect(await after({ rates: { GBP: null }, fees: [], good: null })).toEqual(delivered)
})

test.each([
  [{ rates: { GBP: 'much' } }, 'Gbp (answer.rates.GBP) must be a number, like 1234.5.'],
  [{ rates: { GBP: 0.85337 } }, 'Gbp (answer.rates.GBP) must have at most 4 decimals; this has 5.'],
  [{ rates: { GBP: {} } }, 'Gbp (answer.rates.GBP) must be a decimal number as a text, not an object.'],
  [{ good: 'yes' }, 'Good (answer.good) must be true or false, not a text.'],
  [{ pieces: 1.5 }, 'Pieces (answer.pieces) must be a whole number.'],
  [{ rates: { note: ['a'] } }, 'answer.rates.note must be a text, not an array.'],
])('%j sets nothing, and says why', async (body, why) => {
  expect(await after(body)).toEqual({ ...nothing, state: 'failed', last_error: why })
})
