import { expect, test } from 'vitest'
import { loanDesk, readSound } from '../../run/testing.ts'
import { writtenDate } from '../../ui/dates.ts'
import { readerOf } from '../../ui/reader.tsx'
import { isTouched, readWas, rowChange, typedOf, writeWas } from './typed.ts'
import { controlText } from './values.ts'

const app = readSound(loanDesk)
const loan = app.entities.get('loan')!
const site = (locale = 'en-GB') => ({ app, reader: readerOf({ locale, zone: 'Europe/Berlin' }) })
const typed = (text: string, locale?: string) => typedOf(new URLSearchParams(text), loan, site(locale))

test('names and rows of a form, whatever else is in it', () => {
  expect(
    typed(
      'due_back=x&due_back=y&nope=1&_csrf=t&lines=&lines.7.item=a&lines.7.id=r&lines.2.item=b&constructor=1&__proto__=2',
    ),
  ).toEqual({
    texts: { due_back: 'y' },
    lists: {
      lines: [
        { id: null, texts: { item: 'b' }, lists: {}, written: 2 },
        { id: 'r', texts: { item: 'a' }, lists: {}, written: 7 },
      ],
    },
  })
})

test('rows come, go and change places without being saved', () => {
  const form = new URLSearchParams('lines=&lines.0.item=a&lines.1.item=b')
  const change = (more: Record<string, string>) =>
    rowChange(new URLSearchParams([...form, ...Object.entries(more)]), typed(form.toString()))
  const items = (result: ReturnType<typeof rowChange>) => result?.lists.lines?.map(row => row.texts.item)
  expect(items(change({ _add: 'lines' }))).toEqual(['a', 'b', undefined])
  expect(items(change({ _remove: 'lines.0' }))).toEqual(['b'])
  for (const wrong of ['lines.9', 'lines', 'lines.x', 'nope.0', '__proto__.0', ''])
    expect(items(change({ _remove: wrong }))).toEqual(['a', 'b'])
  expect(items(change({ _move: 'lines.1.up' }))).toEqual(['b', 'a'])
  expect(items(change({ _move: 'lines.1.top' }))).toEqual(['b', 'a'])
  expect(items(change({ _move: 'lines.0.down' }))).toEqual(['b', 'a'])
  for (const wrong of [
    'lines.0.up',
    'lines.1.down',
    'lines.9.up',
    'lines.9.top',
    'lines.up',
    'lines..up',
    'up',
    'nope.0.up',
  ])
    expect(items(change({ _move: wrong }))).toEqual(['a', 'b'])
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

test.each([
  ['de-DE', '28.03.2026 09:30', '25.10.2026 02:30', '31.12.0999'],
  ['en-GB', '2026-03-28 09:30', '2026-10-25 02:30', '0999-12-31'],
])(
  'days and moments stand in a form as %s writes them, and what nobody touched stays, at the change of clocks too',
  (...row) => {
    const [locale, morning, twice, day] = row
    const field = loan.fields.find(({ key }) => key === 'handed_out_at')!
    const { reader } = site(locale)
    const shown = (held: string) => writtenDate(held, reader.words('like.date'))
    const held = (iso: string) => controlText({ reader }, field, iso)
    const isKept = (before: string, text: string) =>
      !isTouched('handed_out_at', typed(new URLSearchParams({ handed_out_at: text }).toString(), locale), {
        texts: { handed_out_at: before },
        lists: {},
      })
    expect([shown(held('2026-03-28T08:30:00.000Z')), shown('0999-12-31')]).toEqual([morning, day])
    // The first of the two hours as its clocks show it; the second one with its `Z`, or it would be read as the first.
    const [first, second] = [held('2026-10-25T00:30:00.000Z'), held('2026-10-25T01:30:00.000Z')]
    expect([shown(first), shown(second)]).toEqual([twice, second])
    for (const one of [first, second, held('2026-03-29T01:00:00.000Z'), held('2026-07-01T07:30:15.250Z')])
      expect([isKept(one, shown(one)), isKept(one, one)]).toEqual([true, true])
    expect([isKept(second, twice), isKept(first, `${twice.slice(0, -1)}1`)]).toEqual([false, false])
    // Never shown by those clocks: it is as typed, to be refused.
    expect(isKept(first, shown('2026-03-29T02:30'))).toBe(false)
    expect(typed(`due_back=${day}&handed_out_at=soon`, locale).texts).toEqual({
      due_back: '0999-12-31',
      handed_out_at: 'soon',
    })
  },
)
