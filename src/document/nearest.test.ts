import { expect, test } from 'vitest'
import { didYouMean, nearest } from './nearest.ts'

const fields = ['due_back', 'out_on', 'purpose', 'tag', 'total_value']

test.each([
  ['due_bak', 'due_back'],
  ['Due back', 'due_back'],
  ['out_no', 'out_on'],
  ['porpuse', 'purpose'],
  ['tga', 'tag'],
  ['TAG', 'tag'],
  ['totalvalue', 'total_value'],
])('%s means %s', (word, meant) => {
  expect(nearest(word, fields)).toBe(meant)
})

test.each(['gat', 'x', '', 'returned_on', 'value', 'purposelessness'])('%s means none of them', word => {
  expect(nearest(word, fields)).toBeNull()
})

test('two words with one letter each are not near', () => {
  expect(nearest('a', ['b'])).toBeNull()
})

test('the nearest wins, and the first of equals', () => {
  expect(nearest('Draught', ['Drought', 'Draughts', 'Draft'])).toBe('Drought')
  expect(nearest('Overdu', ['Overdues', 'Overdue'])).toBe('Overdue')
  expect(nearest('lines', ['lineX', 'lineY'])).toBe('lineX')
  expect(nearest('**Draft**', ['Overdue', 'Draft'])).toBe('Draft')
  expect(nearest('the Clerk', ['Manager', 'Clerk'])).toBe('Clerk')
})

test('a message ends with the question, or with nothing', () => {
  expect(didYouMean('due_bak', fields)).toBe('; did you mean `due_back`?')
  expect(didYouMean('zebra', fields)).toBe('')
})
