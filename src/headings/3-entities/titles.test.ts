import { expect, test } from 'vitest'
import { readApp } from '../index.ts'
import { joinedTitle, namedThing, titleFields } from './titles.ts'

const entity = (name: string, ...fields: readonly string[]) =>
  `### ${name}\n\n| Field | Type | Rules |\n| --- | --- | --- |\n${fields.map(field => `| ${field} |\n`).join('')}\n`

function called(...fields: readonly string[]) {
  const supplier = entity('Supplier', 'name | text 40 | required')
  const visit = entity('Visit', 'day | date | required')
  const text = `# Desk\n\n## 3 Entities and their fields\n\n${supplier}${visit}${entity('Thing', ...fields)}`
  const { app, found } = readApp('desk.md', () => text, { version: () => 'one' })
  expect(found.filter(({ severity }) => severity === 'error')).toEqual([])
  const thing = app!.entities.get('thing')!
  return { fields: titleFields(thing), reference: thing.reference }
}

const number = 'number | auto number T-{000} | '

test('a required text is the title, whatever number stands first; the number is the reference', () => {
  expect(called(number, 'why | text 80 | required', 'what | text 80 | required')).toEqual({
    fields: ['what', 'number'],
    reference: 'number',
  })
  expect(called(number, 'place | text 80 | required')).toEqual({ fields: ['place', 'number'], reference: 'number' })
})

test('neither a text that may be empty nor a long one is a title', () => {
  const fields = [number, 'note | text 80 | ', 'story | text 300 | required']
  expect(called(...fields)).toEqual({ fields: ['number'], reference: null })
})

test('a unique text follows the name, or is the name', () => {
  expect(called('code | text 8 | required; unique', 'label | text 80 | required')).toEqual({
    fields: ['label', 'code'],
    reference: 'code',
  })
  expect(called('name | text 80 | required; unique', 'city | text 80 | required')).toMatchObject({ reference: null })
})

test('what has only a number is called by the first record that it must name and that has a name', () => {
  const fields = [number, 'after | Visit | required', 'second | Supplier | ', 'from | Supplier | required']
  expect(called(...fields)).toEqual({ fields: ['from', 'number'], reference: 'number' })
})

test('what says display is all of the title', () => {
  expect(called(number, 'what | text 80 | required', 'code | text 8 | display')).toEqual({
    fields: ['code'],
    reference: null,
  })
})

test('the reference stands behind what is there of the title', () => {
  const of = { reference: 'number', called: ['what'], fields: [], partOf: null }
  expect(
    joinedTitle(of, [
      ['what', 'Ladder'],
      ['number', 'T-1'],
    ]),
  ).toBe('Ladder · T-1')
  expect(
    joinedTitle(of, [
      ['what', null],
      ['number', 'T-1'],
    ]),
  ).toBe('T-1')
  expect(namedThing({ name: 'Thing', reference: 'number' }, 'Ladder · T-1')).toBe('Ladder · T-1')
  // A text may have the sign in it.
  expect(namedThing({ name: 'Thing', reference: null }, 'Ladder · long')).toBe('Thing Ladder · long')
})
