/** Calls that keep one order, whichever of them says so. */
import { expect, test } from 'vitest'
import { readApp } from '../index.ts'
import { orderedTogether } from './ordered.ts'

const desk = (orders: Readonly<Record<string, string>>) => {
  const call = (key: string, of: string) =>
    `### ${key} Tell of it\n\n- **Trigger:** after ${of} created\n- **Request:** POST https://partner.example/${key}\n- **Safe to repeat:** yes\n${
      orders[key] === undefined ? '' : `- **Order:** ${orders[key]}\n`
    }\n| Send | From |\n| --- | --- |\n| id | id |\n\n| Answer | Then |\n| --- | --- |\n| 5xx | stop |\n`
  const entity = (name: string, more = '') =>
    `### ${name}\n\n| Field | Type | Rules |\n| --- | --- | --- |\n| title | text 40 | required |\n${more}\n`
  const text = `# Desk\n\n## 3 Entities and their fields\n\n${entity('Order')}${entity('Parcel', '| order | Order | required |\n')}## 7 The calls it makes\n\n${call('C-1', 'Order')}\n${call('C-2', 'Order')}\n${call('C-3', 'Parcel')}`
  const { app, found } = readApp('desk.md', path => (path === 'desk.md' ? text : null))
  const wrong = found.filter(({ code }) => code.startsWith('N17')).map(({ code, message }) => `${code} ${message}`)
  const together = [...orderedTogether(app!.calls)].map(([key, all]) => `${key}: ${[...all].sort().join(' ')}`)
  return { wrong, together: together.sort() }
}

test('one that says so is enough, and what keeps an order with one keeps it with all of them', () => {
  expect(desk({})).toEqual({ wrong: [], together: [] })
  expect(desk({ 'C-2': 'in order with C-1', 'C-3': 'in order per order with C-2' })).toEqual({
    wrong: [],
    together: ['C-1: C-1 C-2 C-3', 'C-2: C-1 C-2 C-3', 'C-3: C-1 C-2 C-3'],
  })
})

test('calls about records of different kinds say what these share', () => {
  expect(desk({ 'C-3': 'in order with C-1' }).wrong).toEqual([
    'N1730 `C-1` is not an order of calls: C-1 is about another kind of record, and nothing says what both share; write `in order per … with C-1`',
  ])
})
