import { expect, test } from 'vitest'
import { clearHref, filterHref, keptParameters, pageHref, sortHref, withoutHref } from './address.ts'

const query = () => new URLSearchParams('state=Out&state=Overdue&q=sony&sort=-due_back&after=abc')

test('a header sorts upwards first, then the other way round, and the page begins anew', () => {
  expect(sortHref('/loans', query(), 'number', [{ field: 'due_back', descending: true }])).toBe(
    '/loans?state=Out&state=Overdue&q=sony&sort=number',
  )
  expect(sortHref('/loans', query(), 'due_back', [{ field: 'due_back', descending: true }])).toContain('&sort=due_back')
  expect(sortHref('/loans', query(), 'due_back', [{ field: 'due_back', descending: false }])).toContain(
    '&sort=-due_back',
  )
})

test('a filter is set in place of what it was', () => {
  expect(filterHref('/loans', query(), 'state', 'Draft')).toBe('/loans?state=Draft&q=sony&sort=-due_back')
  expect(filterHref('/loans', query(), 'due_back.before', '')).not.toContain('due_back.before')
})

test('a chip takes its own value away only', () => {
  expect(withoutHref('/loans', query(), 'state', 'Out')).toBe('/loans?state=Overdue&q=sony&sort=-due_back')
  expect(withoutHref('/loans', query(), 'state')).toBe('/loans?q=sony&sort=-due_back')
})

test('without filters the order stays, and without anything no question mark does', () => {
  expect(clearHref('/loans', query())).toBe('/loans?sort=-due_back')
  expect(clearHref('/loans', new URLSearchParams('q=x'))).toBe('/loans')
  expect(clearHref('/spend', new URLSearchParams('q=x&rows=state&across=&view=week'), ['rows', 'across'])).toBe(
    '/spend?rows=state&across=',
  )
})

test('pages keep filters and order', () => {
  expect(pageHref('/loans', query(), { after: 'x/y=' })).toBe(
    '/loans?state=Out&state=Overdue&q=sony&sort=-due_back&after=x%2Fy%3D',
  )
  expect(pageHref('/loans', query(), { before: 'b' })).not.toContain('after=')
  expect(pageHref('/loans', query(), null)).toBe('/loans?state=Out&state=Overdue&q=sony&sort=-due_back')
})

test('blank controls of a filter form leave no trace', () => {
  expect(pageHref('/loans', new URLSearchParams('q=&state= &due_back.before='), null)).toBe('/loans')
})

test('the query of the request is not changed', () => {
  const given = query()
  sortHref('/loans', given, 'number', [])
  expect(given.toString()).toBe(query().toString())
})

test('a filter form carries the order along', () => {
  expect(keptParameters(query())).toEqual([{ name: 'sort', value: '-due_back' }])
  expect(keptParameters(new URLSearchParams('sort='))).toEqual([])
})
