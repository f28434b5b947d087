/** Rows of scenarios in which another application answers a call, or sends a message. */
import { expect, inject, test } from 'vitest'
import { readApp } from '../headings/index.ts'
import { createTestDatabase } from '../store/testing.ts'
import { verifyOn } from './verify.ts'

const text = `# Orders out

- **Ninefold:** 1

## 3 Entities and their fields

### Order

| Field | Type | Rules |
| --- | --- | --- |
| goods | text 40 | required; unique |
| confirmation | text 40 | set by calls only |
| rate | decimal 8.4 | set by calls only |
| pieces | integer | set by calls only; min 1 |
| arrives_on | date | set by calls only |

### Price

| Field | Type | Rules |
| --- | --- | --- |
| sku | text 20 | required; unique |
| price | money EUR | required; min 0 |

## 4 States and transitions

### Order

| State | Kind |
| --- | --- |
| Draft | start |
| Sent | |
| Confirmed | end |
| Failed | end |

| Transition | From | To | Who | Then |
| --- | --- | --- | --- | --- |
| send | Draft | Sent | Buyer | call C-1 |
| confirm | Sent | Confirmed | none | |
| fail | Sent | Failed | none | send mail failed |

## 5 Validation rules

#### Scenario: it is answered

| Step | Who | What | Result |
| --- | --- | --- | --- |
| Given | Ben the Buyer | Order O1 with goods Bolts | ok |
| When | Ben | send O1 | ok |
| When | | call C-1 of O1 is answered 503 | ok |
| When | | call C-1 of O1 gets no answer | ok |
| Then | | \`O1.state = Sent\` | |
| When | | call C-1 of O1 is answered 200 with confirmation A-17, rates.GBP 0.85, items.0.code X1, items.0.net 12.50, pieces 3 | ok |
| Then | | \`O1.confirmation = "A-17" and O1.rate = 0.85 and O1.pieces = 3\` | |
| And | | \`O1.state = Confirmed\` | |
| And | | Price P1 was made with sku X1, price 12.50 | |
| Given | Ben | Order O2 with goods Nuts | ok |
| When | Ben | send O2 | ok |
| When | | call C-1 of O2 is answered 404 | E-SHOP-1 |
| Then | | \`O2.state = Failed\` | |
| And | | mail failed was sent to Ben | |
| Given | Ben | Order O3 with goods Screws | ok |
| When | Ben | send O3 | ok |
| When | | call C-1 of O3 is answered 500 | ok |
| When | | call C-1 of O3 is answered 500 | ok |
| When | | call C-1 of O3 is answered 500 | ok |
| When | | call C-1 of O2 is answered 200 | ok |

#### Scenario: somebody tells something

| Step | Who | What | Result |
| --- | --- | --- | --- |
| Given | Ben the Buyer | Order O9 with goods Wire | ok |
| When | | message arrival is sent with what O9, on 2026-03-02, pieces 7, note N-1 | ok |
| Then | | \`O9.arrives_on = 2026-03-02 and O9.pieces = 7\` | |
| When | | message arrival is sent with what O9, on 2026-03-09, pieces 8, note N-5 | ok |
| And | | message arrival is sent with what O9, on 2026-03-02, pieces 7, note N-1 | ok |
| Then | | \`O9.arrives_on = 2026-03-09 and O9.pieces = 8\` | |
| When | | message arrival is sent with what O9, on 2026-03-03, note N-2, pieces 0 | NF-MIN |
| When | | message arrival is sent with what Nothing, on 2026-03-03, note N-3 | denied |
| When | | message arrival is sent with what O9, on 2026-03-03, note N-4, pieces 5 | NF-MIN |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Buyer | appointed by Buyer |

### Order

| Role | See | Create | Change | Do |
| --- | --- | --- | --- | --- |
| Buyer | yes | yes | yes | send |

### Price

| Role | See |
| --- | --- |
| Buyer | yes |

## 7 The calls it makes

### C-1 Order at the shop

- **Request:** POST {settings.shop_url}/orders
- **Safe to repeat:** yes

| Send | From |
| --- | --- |
| goods | goods |

| Answer | Then |
| --- | --- |
| 200 | set confirmation = answer.confirmation, rate = answer.rates.GBP, pieces = answer.pieces; receive prices from answer.items; do confirm |
| 404 | report E-SHOP-1; do fail |
| timeout, 5xx | repeat 2 times within 1 hour; then report E-SHOP-2 |

### Receives prices

- **About:** Price
- **Found by:** sku
- **Then:** create or change
- **Key:** none

| Receive | Into |
| --- | --- |
| code | sku |
| net | price |

### Receives arrival

- **About:** Order
- **Found by:** goods
- **Then:** change
- **Sign with:** secret SHOP_KEY
- **Once per:** note

| Receive | Into |
| --- | --- |
| what | goods |
| on | arrives_on |
| pieces | pieces |

### Mails

| Mail | To | Subject | Body |
| --- | --- | --- | --- |
| failed | Buyer | {goods} is not known | none |

## 8 The error catalogue

| Code | Message | What to do | Status |
| --- | --- | --- | --- |
| E-SHOP-1 | Not known. | Ask. | 502 |
| E-SHOP-2 | Nobody there. | Wait. | 502 |
`

test('a call is answered as a row says: values, messages, steps, reports, and attempts until the last', async () => {
  const { app } = readApp('orders.md', () => text)
  const database = await createTestDatabase(inject('databaseUrl'))
  try {
    const lines = await verifyOn(app!, database.store, () => undefined, app!, 'written')
    expect(lines).toHaveLength(29)
    // The last attempt is reported, and what was settled waits for no other answer.
    expect(lines.filter(({ passed }) => !passed).map(({ title, detail }) => [title, detail])).toEqual([
      ['when: call C-1 of O3 is answered 500 → ok', expect.stringMatching(/^E-SHOP-2 is reported/)],
      ['when: call C-1 of O2 is answered 200 → ok', 'no call C-1 of O2 waits for an answer'],
      [
        'when: message arrival is sent with what O9, on 2026-03-03, note N-4, pieces 5 → NF-MIN',
        'the application says ok',
      ],
    ])
  } finally {
    await database.drop()
  }
})
