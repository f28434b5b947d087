import { expect, test } from 'vitest'
import { expressionOf, schemaOf, scopeOf } from '../../expression/testing.ts'
import { letThrough } from './let-through.ts'

const states = ['Draft', 'Requested', 'Out', 'Returned']
const schema = schemaOf({
  person: { name: 'text' },
  loan: {
    state: `choice ${states.join(' ')}`,
    kind: 'choice Short Long',
    borrower: 'person ?',
    due_back: 'date',
    other: 'loan ?',
  },
})

const through = (where: string) =>
  letThrough(expressionOf(where, scopeOf(schema, 'loan'), 'yes/no').root, 'state', states)

test.each([
  ['state not in (Draft, Returned)', ['Requested', 'Out']],
  ['state in (Out)', ['Out']],
  ['state = Out', ['Out']],
  ['Out = state', ['Out']],
  ['state != Out', ['Draft', 'Requested', 'Returned']],
  ['state is Out', ['Out']],
  ['state is not Out', ['Draft', 'Requested', 'Returned']],
  ['not (state = Out or state = Draft)', ['Requested', 'Returned']],
  ['state = Out and due_back < today', ['Out']],
  ['state = Out or due_back < today', states],
  ['(state = Out and due_back < today) or state = Draft', ['Draft', 'Out']],
  ['borrower = me and state not in (Draft, Returned)', ['Requested', 'Out']],
  ['not (state = Out and due_back < today)', states],
  ['if state = Draft then false else due_back < today', ['Requested', 'Out', 'Returned']],
  ['if due_back < today then state = Out else state = Draft', ['Draft', 'Out']],
  ['state in (Out) and state in (Draft)', []],
  ['due_back < today', states],
  ['kind = Short', states],
  ['other.state = Out', states],
  ['true', states],
  ['false', []],
])('%s lets through %j', (where, expected) => {
  expect(through(where)).toEqual(expected)
})
