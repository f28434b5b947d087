/** Finding anything in Chromium: by the palette with keys alone, by the page without scripts, and one of many choices in a form. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raw } from '../expression/sql.ts'
import { loanDesk, readSound } from '../run/testing.ts'
import type { Store } from '../store/pool.ts'
import {
  both,
  button,
  complaints,
  day,
  findings,
  focused,
  go,
  live,
  loan,
  newLoan,
  open,
  phone,
  picture,
  startBrowsing,
  stopBrowsing,
} from './browsing.ts'

let store: Store

beforeAll(async () => {
  ;({ store } = await startBrowsing(readSound(loanDesk)))
})

afterAll(stopBrowsing)

test('a step and a record by keys alone', async () => {
  const { page, context } = await open('Ben')
  const number = await loan('Ben')
  await go(page, `/loans/${number}`)
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search everything' })
  await palette.getByRole('option', { name: 'Submit' }).waitFor()
  await picture(page, 'palette')
  expect(await findings(page)).toEqual([])
  await palette.getByRole('combobox').fill('subm')
  await palette.getByText('One was found.').waitFor({ state: 'attached' })
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/loans/${number}/do/submit`)
  await page.keyboard.press('Control+k')
  // Whether it is there already or not.
  await page.keyboard.press('z')
  await expect.poll(() => palette.getByRole('combobox').inputValue()).toBe('z')
  await palette.getByRole('combobox').fill('zzz')
  await palette.getByText('Nothing was found.').waitFor()
  await palette.getByRole('combobox').fill(number.slice(-3))
  await palette.getByRole('option', { name: number }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Escape')
  expect(await palette.isVisible()).toBe(false)
  // Who is faster than the answer comes to what was typed last, not to what stood there.
  await go(page, '/loans')
  await page.keyboard.press('Control+k')
  await palette.getByRole('option').first().waitFor()
  await palette.getByRole('combobox').fill(number.toLowerCase())
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/loans/${number}`)
  await context.close()
  expect(complaints).toEqual([])
})

test('a question mark lists what keys do, but not where it is typed, and not for who turned single keys off', async () => {
  const { page, context } = await open('Ben')
  await go(page, '/loans')
  await page
    .getByPlaceholder(/Number/)
    .first()
    .focus()
  await page.keyboard.press('?')
  expect(new URL(page.url()).pathname).toBe('/loans')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await keys.waitFor()
  expect(await keys.textContent()).toContain('Next row, row before')
  await picture(page, 'shortcuts')
  expect(await findings(page)).toEqual([])
  // What lies over the page has the keys.
  await page.keyboard.press('n')
  await page.keyboard.press('Escape')
  expect([await keys.count(), new URL(page.url()).pathname]).toEqual([0, '/loans'])
  await page.keyboard.press('g')
  // Not to where one is already: that could not be waited for.
  const elsewhere = page.locator('.nav a:not([href="/loans"])').first()
  const address = await elsewhere.getAttribute('href')
  await page.keyboard.press((await elsewhere.locator('kbd.go').textContent())!)
  await page.waitForURL(`**${address}`)
  await go(page, '/loans')
  await page.keyboard.press('n')
  await page.waitForURL('**/loans/new')
  await go(page, '/-/shortcuts')
  await page.getByRole('link', { name: 'Account' }).last().click()
  await page.getByRole('group', { name: 'Single keys' }).getByLabel('Do nothing').check()
  await button(page, 'Save').first().click()
  await go(page, '/loans')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('?')
  await page.waitForTimeout(300)
  expect(new URL(page.url()).pathname).toBe('/loans')
  await page.locator('tbody a.ttl').first().focus()
  await page.keyboard.press('j')
  expect(
    await page
      .locator('tbody a.ttl')
      .first()
      .evaluate(link => link === document.activeElement),
  ).toBe(true)
  await context.close()
})

test('nothing typed: the records that were looked at last, until one signs out', async () => {
  const [first, second] = [await loan('Ben'), await loan('Ben')]
  const { page, context } = await open('Ben')
  const opened = async () => {
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search everything' })
    await palette.getByRole('group', { name: 'Screens' }).waitFor()
    return palette.getByRole('group', { name: 'Recently viewed' }).getByRole('option').allTextContents()
  }
  for (const number of [first, second, 'LN-0', first]) await go(page, `/loans/${number}`)
  expect(await opened()).toEqual([`Ben · ${second}`])
  await page.keyboard.press('Escape')
  await go(page, '/loans')
  expect(await opened()).toEqual([`Ben · ${first}`, `Ben · ${second}`])
  expect(await findings(page)).toEqual([])
  await picture(page, 'palette-recent')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/loans/${second}`)
  await page.getByRole('button', { name: 'Account of Ben' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/-/sign-in')
  expect(await page.evaluate('localStorage.length')).toBe(0)
  await context.close()
  expect(complaints).toEqual([])
})

test('the page, without scripts, on a phone and in the dark', async () => {
  const { page, context } = await open('Ben', { scripts: false, viewport: phone })
  const number = await loan('Ben')
  await page.getByRole('link', { name: 'Search everything' }).click()
  await page.getByLabel('Search', { exact: true }).fill(number.slice(-5))
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click()
  await page.getByRole('main').getByRole('link', { name: number }).click()
  await page.waitForURL(`**/loans/${number}`)
  await go(page, '/-/search')
  await page.getByLabel('Search', { exact: true }).fill(number.toLowerCase())
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click()
  await page.waitForURL(`**/loans/${number}`)
  await context.close()
  for (const colorScheme of ['light', 'dark'] as const) {
    const there = await open('Ben', { viewport: phone, colorScheme })
    await go(there.page, `/-/search?q=${number.slice(-5)}`)
    expect(await findings(there.page)).toEqual([])
    await picture(there.page, `search-phone-${colorScheme}`)
    // Also where the box is not shown: what is typed before the palette is there stands in it.
    const typed = Promise.withResolvers<void>()
    await there.page.route('**/-/assets/**', async route => {
      await typed.promise
      await route.continue()
    })
    await there.page.keyboard.press('Control+k')
    await there.page.keyboard.type('abc')
    typed.resolve()
    const box = there.page.getByRole('dialog', { name: 'Search everything' }).getByRole('combobox')
    await expect.poll(() => box.inputValue()).toBe('abc')
    await there.page.keyboard.press('Control+k')
    await there.page.keyboard.type('d')
    expect(await box.inputValue()).toBe('abcd')
    await there.context.close()
  }
  expect(complaints).toEqual([])
})

test('one of a list of items is found by half a word of its name, and a click shows them all', async () => {
  await store.query(
    raw(`insert into public.item (id, version, created_at, changed_at, tag, name, category, value)
      select gen_random_uuid(), 1, now(), now(), 'YY-' || lpad(n::text, 4, '0'), 'Tripod ' || n, (select id from public.category limit 1), 10
      from generate_series(1, 9) as n on conflict do nothing`),
  )
  const plain = await open('Ben', { scripts: false })
  await newLoan(plain.page, false)
  await plain.page.getByLabel('Row 1, Item').selectOption({ label: 'Tripod 2 · YY-0002' })
  await plain.context.close()
  const { page, context } = await open('Cleo')
  await newLoan(page, true)
  await page.getByLabel('Due back').fill(day(3))
  const box = page.getByRole('combobox', { name: 'Row 1, Item' })
  const options = page.getByRole('listbox').getByRole('option')
  await box.click()
  await options.first().waitFor()
  expect(await options.count()).toBeGreaterThan(9)
  await page.keyboard.type('ripo')
  await expect.poll(() => options.count()).toBe(9)
  await page.keyboard.type('qq')
  await options.getByText('Nothing was found.').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await box.inputValue(), 'which cannot be chosen').toBe('ripoqq')
  await box.fill('tripod 4')
  await options.getByText('Tripod 4 · YY-0004').click()
  expect(await box.inputValue()).toBe('Tripod 4 · YY-0004')
  expect(await page.locator('.shown', { hasText: 'Total value' }).textContent()).toContain('10.00')
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: 'Add a row' }).press('Enter')
  expect(await focused(page), 'the first control of the new row').toBe('lines-1-item')
  await page.getByRole('button', { name: 'Remove Row 2' }).press('Enter')
  expect(await page.getByRole('status').allTextContents()).toContain('Row 2 removed, one row is left.')
  await button(page, 'Create loan').click()
  expect(await page.getByRole('main').textContent()).toContain('Tripod 4 · YY-0004')
  await context.close()
})

test.each(both)('one of many items is found by its name, scripts %s', async scripts => {
  await store.query(
    raw(`insert into public.item (id, version, created_at, changed_at, tag, name, category, value)
      select gen_random_uuid(), 1, now(), now(), 'ZZ-' || lpad(n::text, 4, '0'), 'Projector ' || n, (select id from public.category limit 1), 10
      from generate_series(1, 60) as n on conflict do nothing`),
  )
  const { page, context } = await open('Ben', { scripts })
  await newLoan(page, scripts)
  await page.getByLabel('Due back').fill(day(3))
  if (scripts) {
    const box = page.getByRole('combobox', { name: 'Row 1, Item' })
    await box.fill('projector 4')
    await page.getByRole('listbox').getByRole('option').first().waitFor()
    expect(await box.getAttribute('aria-expanded')).toBe('true')
    expect(await findings(page)).toEqual([])
    await picture(page, 'combobox')
    await page.keyboard.press('ArrowDown')
    const marked = page.getByRole('listbox').getByRole('option', { selected: true })
    const chosen = await marked.textContent()
    expect(await box.getAttribute('aria-activedescendant')).toBe(await marked.getAttribute('id'))
    await page.keyboard.press('Enter')
    expect(await box.inputValue()).toBe(chosen)
    expect(await box.getAttribute('aria-expanded')).toBe('false')
    await box.fill('nonsense')
    await page.keyboard.press('Tab')
    expect(await box.inputValue(), 'what is no choice does not stay').toBe(chosen)
  } else {
    await page.getByLabel('Row 1, Item').fill('projector')
    await page.getByLabel('Row 1, Item').press('Enter')
    expect(await page.getByRole('radio').count(), 'Enter looks for it').toBe(20)
    await page.getByLabel('Row 1, Item').fill('projector 4')
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click()
    expect(await page.getByLabel('Due back').inputValue()).toBe(day(3))
    await page.getByRole('radio').first().check()
    await picture(page, 'picker-plain')
  }
  await button(page, 'Create loan').click()
  expect(await page.getByRole('status').first().textContent()).toContain('created')
  expect(await page.getByRole('main').textContent()).toMatch(/Projector 4 · ZZ-00\d\d/)
  await context.close()
})

test('what the browser cannot know the server says, and that stands until the answer is changed', async () => {
  // More items than a page carries, so the browser knows nothing of them.
  await store.query(raw("update public.item set retired_on = '2026-01-31' where tag = 'ZZ-0007'"))
  const { page, context } = await open('Ben')
  await newLoan(page, true)
  const choose = async (text: string) => {
    await page.getByRole('combobox', { name: 'Row 1, Item' }).fill(text)
    await page.getByRole('listbox').getByRole('option').first().click()
  }
  await page.getByLabel('Due back').fill(day(3))
  await choose('ZZ-0007')
  await button(page, 'Create loan').click()
  const words = 'Projector 7 was retired on 31 Jan 2026.'
  expect(await page.getByRole('alert').textContent()).toContain(words)
  await live(page)
  await page.getByLabel('Purpose').fill('Something else')
  await page.getByLabel('Due back').focus()
  expect(await page.locator('td.bad').textContent(), 'another field says nothing about it').toContain(words)
  await choose('ZZ-0008')
  expect(await page.locator('td.bad').count()).toBe(0)
  await button(page, 'Create loan').click()
  expect(await page.getByRole('status').first().textContent()).toContain('created')
  await context.close()
  expect(complaints).toEqual([])
})
