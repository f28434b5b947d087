/** Finding anything in Chromium: by the palette with keys alone, and by the page without scripts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loanDesk, readSound } from '../run/testing.ts'
import { complaints, findings, go, loan, open, phone, picture, startBrowsing, stopBrowsing } from './browsing.ts'

beforeAll(async () => {
  await startBrowsing(readSound(loanDesk))
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
  await context.close()
  expect(complaints).toEqual([])
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
  expect(await opened()).toEqual([`Loan ${second}`])
  await page.keyboard.press('Escape')
  await go(page, '/loans')
  expect(await opened()).toEqual([`Loan ${first}`, `Loan ${second}`])
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
  await page.getByLabel('Search', { exact: true }).fill(number)
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click()
  await page.getByRole('main').getByRole('link', { name: number }).click()
  await page.waitForURL(`**/loans/${number}`)
  await context.close()
  for (const colorScheme of ['light', 'dark'] as const) {
    const there = await open('Ben', { viewport: phone, colorScheme })
    await go(there.page, `/-/search?q=${number}`)
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
