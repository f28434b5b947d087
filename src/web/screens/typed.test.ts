import { expect, test } from 'vitest'
import { loanDesk, readSound } from '../../run/testing.ts'
import { isTouched, readWas, rowChange, typedOf, writeWas } from './typed.ts'

const app = readSound(loanDesk)
const loan = app.entities.get('loan')!
const typed = (text: string) => typedOf(new URLSearchParams(text), loan, app)

test('names and rows of a form, whatever else is in it', () => {
  expect(
    typed(
      'due_back=x&due_back=y&nope=1&_csrf=t&lines=&lines.7.item=a&lines.7.id=r&lines.2.item=b&constructor=1&__proto__=2',
    ),
  ).toEqual({
    texts: { due_back: 'y' },
    lists: {
      lines: [
        { id: null, texts: { item: 'b' } },
        { id: 'r', texts: { item: 'a' } },
      ],
    },
  })
})

test('rows come and go without being saved', () => {
  const form = new URLSearchParams('lines=&lines.0.item=a&lines.1.item=b')
  const change = (more: Record<string, string>) =>
    rowChange(new URLSearchParams([...form, ...Object.entries(more)]), typed(form.toString()))
  const items = (result: ReturnType<typeof rowChange>) => result?.lists.lines?.map(row => row.texts.item)
  expect(items(change({ _add: 'lines' }))).toEqual(['a', 'b', undefined])
  expect(items(change({ _remove: 'lines.0' }))).toEqual(['b'])
  for (const wrong of ['lines.9', 'lines', 'lines.x', 'nope.0', '__proto__.0', ''])
    expect(items(change({ _remove: wrong }))).toEqual(['a', 'b'])
  expect(change({ _add: 'constructor' })?.lists).toEqual(typed(form.toString()).lists)
  expect(change({})).toBeNull()
})

test('only what somebody touched is touched', () => {
  const was = readWas(writeWas(typed('purpose=a%0Ab&due_back=&lines=&lines.0.item=a')))
  const now = typed('purpose=a%0D%0Ab&due_back=2026-01-01&lines=&lines.0.item=a')
  expect(isTouched('purpose', now, was)).toBe(false)
  expect(isTouched('due_back', now, was)).toBe(true)
  expect(isTouched('lines', now, was)).toBe(false)
  expect(isTouched('lines', typed('lines='), was)).toBe(true)
})

test.each([
  null,
  '',
  'x',
  'bnVsbA',
  Buffer.from('{"texts":1,"lists":null}').toString('base64url'),
  Buffer.from('{"texts":{"a":1},"lists":{"lines":[null,1,{"texts":3}]}}').toString('base64url'),
])('a made-up base %j only makes everything touched', text => {
  const was = readWas(text)
  const now = typed('purpose=a&lines=&lines.0.item=a')
  expect(isTouched('purpose', now, was)).toBe(true)
  expect(isTouched('lines', now, was)).toBe(true)
})
