import { expect, test } from 'vitest'
import { loanDesk, readSound } from '../run/testing.ts'
import { newHref, recordHref, routesOf } from './routes.ts'

const { match, places } = routesOf(readSound(loanDesk))
const kind = (path: string) => {
  const found = match(path)
  return found === null ? null : found.kind === 'screen' ? found.screen.name.text : found.kind
}

test.each([
  ['/loans', 'My loans'],
  ['/desk', 'Desk board'],
  ['/reports', 'Reports'],
  ['/loans/LN-2026-00001', 'Loan'],
  ['/loans/L%2FN', 'Loan'],
  ['/loans/new', 'new'],
  ['/loans/LN-1/edit', 'edit'],
  ['/loans/LN-1/delete', 'delete'],
  ['/loans/LN-1/do/hand_out', 'do'],
])('%s is %s', (path, expected) => {
  expect(kind(path)).toBe(expected)
})

test.each([
  '/',
  '/loan',
  '/Loans',
  '/loans/',
  '//loans',
  '/loans//edit',
  '/loans/LN-1/restore',
  '/loans/LN-1/do',
  '/loans/LN-1/do/a/b',
  '/loans/LN-1/edit/x',
  '/loans/%zz',
  '/loans/new/edit/x',
  '/desk/new',
  '/loans/LN-1/__proto__',
])('%s is nothing', path => {
  expect(kind(path)).toBeNull()
})

test('what a record is called in addresses is written so that it comes back', () => {
  const place = places.get('loan')!
  expect(newHref(place)).toBe('/loans/new')
  for (const value of ['LN-2026-00001', 'a/b', 'ä ö', '?', '#', '%', '..'])
    expect(match(recordHref(place, value, '/edit'))).toMatchObject({ kind: 'edit', record: value })
})
