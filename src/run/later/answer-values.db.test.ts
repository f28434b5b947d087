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

### Price

| Field | Type | Rules |
| --- | --- | --- |
| sku | text 20 | required; unique |
| price | money EUR | required; min 0 |
| tiers | list of Tier | |

### Tier (part of Price)

| Field | Type | Rules |
| --- | --- | --- |
| least | integer | required |
| off | decimal 4.1 | required |

## 4 States and transitions

### Rate

| Timer | At | Then |
| --- | --- | --- |
| pull | every day at 06:00 for each (Rate where what = "Pull") | call C-2 |

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

### C-2 Pull the prices

- **Request:** GET {settings.bank_url}/prices
- **Safe to repeat:** yes

| Answer | Then |
| --- | --- |
| 200 | receive prices from answer.found.items |
| timeout, 5xx | repeat 3 times within 1 hour |

### Receives prices

- **About:** Price
- **Found by:** sku
- **Then:** create or change
- **Key:** none

| Receive | Into |
| --- | --- |
| sku | sku |
| net | price |
| tiers | tiers |
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

test.each([
  ['{"rates": {"GBP": 0.85', 'a text'],
  ['<html>Welcome</html>', 'a text'],
  ['7', 'a number'],
])('a success of which names are read fails where it has none: %s', async (body, what) => {
  const why = `answer.rates.GBP: the answer is ${what}, not an object`
  expect(await after(body)).toEqual({ ...nothing, state: 'failed', last_error: why })
})

/** A day later: what the call was answered, how it ended, and which messages were refused. */
async function pulledWith(body: unknown) {
  partner.answer = () => ({ status: 200, body })
  run.now = new Date(run.now.getTime() + 24 * 3_600_000)
  const context = { variable: (name: string) => ({ BANK_URL: partner.url })[name], limit: 50 }
  const { store } = run.runtime
  await store.query(sql`delete from ninefold.refused`)
  await store.query(sql`delete from ninefold.outbox`)
  for (let turn = 0; turn < 2; turn++) await work(run.runtime, workContext(run, context))
  return {
    calls: await store.query(sql`select state, last_error from ninefold.outbox where name = 'C-2'`),
    prices:
      await store.query(sql`select p.sku, p.price, p.version, (select string_agg(t.least || ' ' || t.off, ', ' order by t.least) from tier t where t.price = p.id) as tiers
      from price p order by p.sku`),
    refused: (await store.query<{ words: string }>(sql`select words from ninefold.refused order by id`)).map(
      ({ words }) => words,
    ),
  }
}

test('a call on a schedule pulls records: made and changed by their key, with rows, and one that does not fit holds up no other', async () => {
  await made(run, Object.keys(run.people)[0]!, 'rate', input({ what: 'Pull' }))
  const delivered = [{ state: 'delivered', last_error: null }]
  const a = {
    sku: 'A',
    net: 1.5,
    tiers: [
      { least: 10, off: 2.5 },
      { least: 20, off: '5' },
    ],
  }
  expect(await pulledWith({ found: { items: [a, { sku: 'B', net: 'much' }, 'C', { sku: 'D', net: 4 }] } })).toEqual({
    calls: delivered,
    prices: [
      { sku: 'A', price: '1.50', version: '1', tiers: '10 2.5, 20 5.0' },
      { sku: 'D', price: '4.00', version: '1', tiers: null },
    ],
    refused: [
      'answer.found.items.1: Price must be a number, like 1234.5.',
      'answer.found.items.2: A message must be a JSON object.',
    ],
  })
  expect(
    await pulledWith({
      found: {
        items: [
          { sku: 'A', net: '1.50' },
          { sku: 'D', net: 5, tiers: [{ least: 'few', off: 1 }] },
        ],
      },
    }),
  ).toMatchObject({
    calls: delivered,
    prices: [
      { sku: 'A', version: '1' },
      { sku: 'D', price: '4.00' },
    ],
    refused: ['answer.found.items.1: Least must be a number, like 1234.'],
  })
  expect(await pulledWith({ found: { items: { sku: 'D', net: 6 } } })).toMatchObject({
    calls: delivered,
    prices: [{}, { price: '6.00' }],
  })
  expect(await pulledWith({ found: {} })).toMatchObject({
    calls: [{ state: 'failed', last_error: 'answer.found.items must be a list of records, not null.' }],
    refused: [],
  })
  expect(await pulledWith({ found: { items: [] } })).toMatchObject({ calls: delivered, refused: [] })
})
