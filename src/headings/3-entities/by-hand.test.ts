/** Where an order by hand is possible, and what it brings: a place, which has a column and an index. */
import { expect, test } from 'vitest'
import { appOf } from '../../kinds/testing.ts'
import { schemaOf } from '../../store/schema.ts'
import { hasPlace } from './by-hand.ts'

const written = (keys: string, fields = '') => `# Tasks

## 3 Entities and their fields

### Task

${keys}

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |
${fields}
`

test('a place in the table, and an index for it; without it neither', () => {
  const app = appOf(written('- **Order:** by hand'))
  const task = app.entities.get('task')!
  expect(hasPlace(task)).toBe(true)
  expect(task.order.map(({ field, descending }) => [field, descending])).toEqual([['position', false]])
  const table = schemaOf(app).tables.get('task')!
  expect(table.columns.find(({ name }) => name === 'position')).toMatchObject({ type: 'numeric', notNull: false })
  expect(table.indexes.map(({ columns }) => columns.map(({ name }) => name))).toContainEqual(['position', 'id'])
  const plain = appOf(written('- **Order:** position', '| position | integer | |'))
  expect(hasPlace(plain.entities.get('task')!)).toBe(false)
})

test.each([
  ['N1361', '- **Order:** by hand\n- **Append only:** yes', ''],
  ['N1361', '- **Order:** by hand\n- **Table:** todo', ''],
  ['N1317', '- **Order:** by hand', '| position | integer | |'],
])('refused with %s: %s', (code, keys, fields) => {
  expect(() => appOf(written(keys, fields))).toThrow(code)
})
