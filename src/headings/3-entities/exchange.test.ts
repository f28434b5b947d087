/** Amounts whose currency a constant says: one that nobody changes is the currency itself, in every place where a type counts. */
import { expect, test } from 'vitest'
import { readApp } from '../index.ts'

const document = (value: string, change = 'fixed', more = '') => `# Costs

## 3 Entities and their fields

### Cost

| Field | Type | Rules |
| --- | --- | --- |
| amount | money in limits.house_currency | required; min 0 |
| twice | money in limits.house_currency | = amount * 2; frozen on settle |
| thrice | money EUR | = amount * 3 |
| lines | list of Cost line | |
| total | money EUR | = sum(lines.price) |

### Cost line (part of Cost)

| Field | Type | Rules |
| --- | --- | --- |
| price | money in limits.house_currency | required |

## 4 States and transitions

### Cost

| State | Kind |
| --- | --- |
| Open | start |
| Settled | end |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| settle | Open | Settled | Clerk |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Clerk | appointed by Clerk |

### Cost

| Role | See | Create | Do |
| --- | --- | --- | --- |
| Clerk | yes | yes | all |

## 9 Business constants and limits

| Name | Value | Who may change | Since |
| --- | --- | --- | --- |
| house_currency | ${value} | ${change} | |
${more}`

const read = (text: string) => {
  const { app, found } = readApp('costs.md', () => text)
  const errors = found.filter(({ severity }) => severity === 'error')
  return { app: app!, errors: errors.map(({ code, params }) => [code, params.why ?? params.field]) }
}

test('it is an amount in that currency, and reckons with others in it', () => {
  const { app, errors } = read(document('"EUR"'))
  expect(errors).toEqual([])
  const fields = app.entities.get('cost')!.fields
  expect(fields.find(({ key }) => key === 'amount')!.type).toEqual({ kind: 'money', currency: 'EUR' })
  expect(read(document('"USD"')).errors.map(([code]) => code)).toContain('N1318')
})

test.each([
  ['somebody may change it', document('"EUR"', 'Clerk'), '`limits.house_currency` may become another one'],
  [
    'it changes on a day',
    document('"EUR"', 'fixed', '| house_currency | "USD" | | 2030-01-01 |\n'),
    '`limits.house_currency` may become another one',
  ],
  ['it is no currency', document('"Euro"'), '`limits.house_currency` is no currency; write its value like `"EUR"`'],
  ['it is a number', document('14'), '`limits.house_currency` is no currency; write its value like `"EUR"`'],
])('%s', (_, text, why) => {
  expect(read(text).errors).toContainEqual(['N1379', why])
})
