import { expect, test } from 'vitest'
import { appOf } from '../kinds/testing.ts'
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
  for (const value of [
    'LN-2026-00001',
    'a/b',
    'a\\b',
    'ä ö',
    '?',
    '#',
    '%',
    '%2e',
    '.',
    '..',
    '...',
    '~',
    '~..',
    '~~.',
  ]) {
    // As a browser asks for it.
    const { pathname } = new URL(recordHref(place, value, '/edit'), 'https://example.org')
    expect(match(pathname)).toMatchObject({ kind: 'edit', record: value })
  }
})

test('of several screens of a record the first that somebody may open is its address, whichever stands first', () => {
  const office = '| /orders/{number} | Order | Clerk | one Order |\n| /orders/new | New | Clerk | form for Order |'
  const own = '| /mine/{number} | Yours | Buyer | one Order |'
  const change = '| /orders/{number}/edit | Change | Clerk, Buyer | form for Order |'
  for (const screens of [
    [office, own, change],
    [own, change, office],
  ]) {
    const app = appOf(`# Orders

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
${screens.join('\n')}

## 3 Entities and their fields

### Order

| Field | Type |
| --- | --- |
| number | auto number {0000} |
| what | text 20 |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Clerk | appointed by Clerk |
| Buyer | appointed by Clerk |
`)
    const of = (role: string) =>
      routesOf(app, screen => 'roles' in screen.for && (screen.for.roles as readonly string[]).includes(role))
    const seen = (role: string) => {
      const place = of(role).places.get('order')!
      return [recordHref(place, '0001', '/do/x'), newHref(place), place.edit?.name.text]
    }
    expect(seen('Clerk')).toEqual(['/orders/0001/do/x', '/orders/new', 'Change'])
    expect(seen('Buyer')).toEqual(['/mine/0001/do/x', '/mine/new', 'Change'])
    for (const base of ['/orders', '/mine'])
      expect(of('Buyer').match(`${base}/0001/delete`)).toMatchObject({ kind: 'delete', record: '0001' })
  }
})
