/** Acts with many records, and timers that look for theirs or are about none: a document, and an application that does something else. */
import { expect, inject, test } from 'vitest'
import { readApp } from '../headings/index.ts'
import { createTestDatabase } from '../store/testing.ts'
import { verifyOn } from './verify.ts'

const desk = `# Shop

## 1 What the product does and for whom

- **Time zone:** Europe/Berlin

## 3 Entities and their fields

### Shop product

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |
| price | money EUR | required; from 1 to 900 |
| seen | integer | required; default 0; set by steps only |
| stale | yes/no | default no; set by steps only |

#### Sample data

| name | price |
| --- | --- |
| Chair | 40.00 |
| Table | 90.00 |
| Lamp | 15.00 |

### Sale

| Field | Type | Rules |
| --- | --- | --- |
| title | text 40 | required |
| ends_on | date | required; default today + 3 |
| lines | list of Sale line | min 1 |
| closed | yes/no | default no; set by steps only |

### Sale line (part of Sale)

| Field | Type | Rules |
| --- | --- | --- |
| product | Shop product | required |
| pieces | integer | required; from 1 to 9 |
| price | money EUR | set by steps only |

### Note

| Field | Type | Rules |
| --- | --- | --- |
| sale | Sale | |
| product | Shop product | required |
| pieces | integer | |

### Month opened

| Field | Type | Rules |
| --- | --- | --- |
| first_day | date | required |
| dear | integer | required |

## 4 States and transitions

| Timer | At | Then |
| --- | --- | --- |
| open month | every month on the 1st at 06:00 | create Month opened with first_day = today, dear = count(Shop_product where price > 50) |
| count | every day at 23:30 | for each (Shop product where price > 20 and none(Note where product = this)): set stale = yes |

### Sale

| State | Kind |
| --- | --- |
| Draft | start |
| Sold | |
| Gone | end |

| Transition | From | To | Who | Then |
| --- | --- | --- | --- | --- |
| sell | Draft | Sold | Clerk | for each lines: set price = product.price * 2; for each line in lines: for each (Shop product where id = line.product and price < 900): create Note with sale = line.sale, product = id, pieces = line.pieces |
| leave | Sold | Gone | Clerk | for each (Shop product where price > 50 order by name): set seen = seen + 1 |

| Timer | At | Then |
| --- | --- | --- |
| close | every weekday at 05:00 for each Sale where state = Draft and not closed | set closed = yes |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Clerk | appointed by Clerk |

### Shop product

| Role | See | Create | Change | Delete |
| --- | --- | --- | --- | --- |
| Clerk | yes | yes | yes | yes |

### Sale

| Role | See | Create | Change | Delete | Do |
| --- | --- | --- | --- | --- | --- |
| Clerk | yes | yes | yes | yes | all |

### Note

| Role | See |
| --- | --- |
| Clerk | yes |

### Month opened

| Role | See |
| --- | --- |
| Clerk | yes |
`

const read = (text: string) => {
  const { app, found } = readApp('shop.md', () => text)
  expect(found.flatMap(({ severity, message }) => (severity === 'error' ? [message] : []))).toEqual([])
  return app!
}

async function toldOf(document: string) {
  const { store, drop } = await createTestDatabase(inject('databaseUrl'))
  try {
    return await verifyOn(read(desk), store, () => undefined, read(document))
  } finally {
    await drop()
  }
}

test('where both say the same, each is tried and nothing is told', async () => {
  const lines = await toldOf(desk)
  expect(lines.filter(({ passed }) => !passed).map(({ title, detail }) => `${title}: ${detail}`)).toEqual([])
  const timers = lines.filter(({ title }) => title.includes('with which records'))
  expect(timers.map(({ title, untried, detail }) => [title.split(':')[0], untried, detail])).toEqual([
    ['open month', false, null],
    ['count', false, null],
    ['close', false, null],
  ])
})

test('each difference is told', async () => {
  const changes: readonly (readonly [string, string])[] = [
    ['set price = product.price * 2', 'set price = product.price'],
    [
      'create Note with sale = line.sale, product = id, pieces = line.pieces',
      'create Note with sale = line.sale, product = id, pieces = line.pieces + 1',
    ],
    [
      'for each (Shop product where price > 50 order by name)',
      'for each (Shop product where price > 80 and name != "Table" order by name)',
    ],
    ['the 1st at 06:00', 'the 2nd at 06:00'],
    ['dear = count(Shop_product where price > 50)', 'dear = count(Shop_product)'],
    ['(Shop product where price > 20 and none(', '(Shop product where price > 60 and none('],
    ['state = Draft and not closed', 'state = Sold and not closed'],
  ]
  const document = changes.reduce((text, [before, after]) => {
    expect(text).toContain(before)
    return text.replace(before, after)
  }, desk)
  const said = (await toldOf(document))
    .flatMap(({ title, passed, detail }) => (passed ? [] : [`${title}: ${detail}`]))
    .join('\n')
  const expected = [
    'Sale line does not say what is set there',
    'no Note is made that says what it should',
    'a Shop product is written that is not meant',
    'the timer open month is due',
    'no Month opened is made that says what it should',
    'count: what happens when it is due, and with which records: a Shop product is written that is not meant',
    'closed is false then, and not true',
    'a Sale is written that it does not look for',
  ]
  expect(
    expected.filter(text => !said.includes(text)),
    said,
  ).toEqual([])
})
