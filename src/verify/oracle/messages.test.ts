import { expect, test } from 'vitest'
import { readDocument } from '../../document/markdown.ts'
import { messagesIn, ordersIn } from './messages.ts'

const text = `# Desk

## 7 The calls it makes

### C-2 Tell the shop

- **Request:** POST https://shop.example.org/sent
- **Order:** in order per \`item.store\` with C-1, C-3

### Receives stock_count

- **About:** Stock item
- **Found by:** tag
- **Then:** create or change
- **Sign with:** secret STOCK_KEY
- **Once per:** message_id

| Receive | Into |
| --- | --- |
| tag | tag |
| count | stock |

### Receives bounced

- **About:** Payment
- **Found by:** number
- **Then:** do send back
- **Key:** none

| Receive | Into |
| --- | --- |
| number | number |
`
const { document } = readDocument('desk.md', () => text)

test('a message is what its keys and rows say', () => {
  const [count, bounced] = messagesIn(document)
  expect(count).toMatchObject({
    key: 'stock_count',
    entity: 'stock_item',
    foundBy: 'tag',
    creates: true,
    changes: true,
  })
  expect(count).toMatchObject({ step: null, proof: 'signature', once: 'message_id', newest: null, most: null })
  expect(count!.takes.map(({ name, field }) => [name, field])).toEqual([
    ['tag', 'tag'],
    ['count', 'stock'],
  ])
  expect(bounced).toMatchObject({ step: 'send_back', proof: null, creates: false, changes: false })
})

test('an order says over what, and with which calls', () => {
  expect(ordersIn(document)).toMatchObject([{ call: 'C-2', per: 'item.store', others: ['C-1', 'C-3'] }])
})
