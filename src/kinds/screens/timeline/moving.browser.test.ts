/** Records are put to another time and lane in Chromium: by a mouse, by keys, refused in words, and taken back. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../expression/sql.ts'
import { loanDesk, readSound } from '../../../run/testing.ts'
import type { Store } from '../../../store/pool.ts'
import { complaints, findings, go, loan, open, picture, startBrowsing, stopBrowsing } from '../../../web/browsing.ts'

let store: Store

beforeAll(async () => {
  const started = await startBrowsing(
    readSound(loanDesk, text =>
      text.replace(
        '| /reports |',
        '| /days | Days | everyone signed in | calendar of Loan by out_on to due_back |\n' +
          '| /lanes | Lanes | everyone signed in | timeline of Loan by borrower, from out_on to due_back |\n| /reports |',
      ),
    ),
  )
  store = started.store
})
afterAll(stopBrowsing)

/** On days far from today, which stand where they stand. */
const placed = async (from: string, until: string) => {
  const number = await loan('Ben')
  await store.query(sql`update loan set out_on = ${from}::date, due_back = ${until}::date where number = ${number}`)
  return number
}
const days = async (number: string) => {
  const [row] = await store.query<{ days: string }>(
    sql`select out_on::text || ' ' || due_back::text as days from loan where number = ${number}`,
  )
  return row!.days
}
const bar = (page: Page, number: string) => page.locator(`.stay[data-begins]:has(a[href^="/loans/${number}"])`).first()
const said = (page: Page) => page.locator('output.flash.beside')

async function drag(page: Page, number: string, days: number, width: number, atEnd = false) {
  const { x, y, width: wide, height } = (await bar(page, number).boundingBox())!
  const from = atEnd ? x + wide - 2 : x + 12
  await page.mouse.move(from, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(from + (days * width) / 2, y + height / 2, { steps: 3 })
  await page.mouse.move(from + days * width, y + height / 2, { steps: 3 })
}

test('in a lane: dragged and stretched by a mouse, shown on the way, taken back, refused in words', async () => {
  const number = await placed('2027-06-07', '2027-06-09')
  const { page, context } = await open('Mia')
  await go(page, '/lanes?view=week&on=2027-06-09')
  const { width } = (await page.locator('.axis .scale .row').boundingBox())!
  await drag(page, number, 2, width / 7)
  expect(await page.locator('.ghost .time').textContent()).toContain('9')
  await picture(page, 'timeline-dragged')
  await page.mouse.up()
  await said(page).getByText('moved').waitFor()
  expect(await days(number)).toBe('2027-06-09 2027-06-11')
  expect(await bar(page, number).getAttribute('data-begins')).toBe('2027-06-09')
  expect(await findings(page)).toEqual([])
  await picture(page, 'timeline-moved')
  await page.keyboard.press('z')
  await page.locator('.flash', { hasText: 'Undone.' }).waitFor()
  expect(await days(number)).toBe('2027-06-07 2027-06-09')

  await drag(page, number, 1, width / 7, true)
  await page.mouse.up()
  await said(page).getByText('moved').waitFor()
  expect(await days(number)).toBe('2027-06-07 2027-06-10')
  // Its end before its beginning is one day, which rules of the loan desk refuse: it is where it was.
  await drag(page, number, -3, width / 7, true)
  await page.mouse.up()
  await said(page).getByText('The return date must be after the day you take the items.').waitFor()
  expect(await days(number)).toBe('2027-06-07 2027-06-10')
  expect(await bar(page, number).getAttribute('data-ends')).toBe('2027-06-10')
  await picture(page, 'timeline-refused')
  // Escape leaves a drag; what is not dragged is a link as before.
  await drag(page, number, 1, width / 7)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  expect([await page.locator('.ghost').count(), await days(number)]).toEqual([0, '2027-06-07 2027-06-10'])
  await bar(page, number).getByRole('link').click()
  await page.waitForURL(`**/loans/${number}`)
  await context.close()
})

test('by keys alone: by a day, by its end, Enter takes it and Escape leaves it', async () => {
  const number = await placed('2027-07-06', '2027-07-08')
  const { page, context } = await open('Mia')
  for (const path of ['/lanes?on=2027-07-06', '/days?on=2027-07-06']) {
    await go(page, path)
    await bar(page, number).getByRole('link').focus()
    await page.keyboard.press('Alt+ArrowRight')
    await page.keyboard.press('Alt+ArrowRight')
    expect(await page.getByRole('status').allTextContents()).toContainEqual(expect.stringContaining('Enter takes it'))
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Alt+ArrowRight')
    await page.keyboard.press('Enter')
    await said(page).getByText('moved').waitFor()
    expect(await bar(page, number).evaluate(one => one.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Alt+Shift+ArrowRight')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => days(number))
      .toBe(path.startsWith('/lanes') ? '2027-07-07 2027-07-10' : '2027-07-08 2027-07-12')
  }
  await context.close()
  expect(complaints).toEqual([])
})

test('on a calendar: over days by a mouse; nobody moves what they may not change', async () => {
  const number = await placed('2027-08-03', '2027-08-05')
  const { page, context } = await open('Mia')
  await go(page, '/days?on=2027-08-03')
  const { width } = (await page.locator('.wk').first().boundingBox())!
  await drag(page, number, 1, width / 7)
  expect(await page.locator('.drawn').count()).toBe(3)
  await page.mouse.up()
  await said(page).getByText('moved').waitFor()
  expect(await days(number)).toBe('2027-08-04 2027-08-06')
  await context.close()

  const anna = await open('Dan')
  await go(anna.page, '/days?on=2027-08-03')
  expect(await anna.page.locator(`.stay a[href^="/loans/${number}"]`).count()).toBe(1)
  expect(await bar(anna.page, number).count()).toBe(0)
  await anna.context.close()
})
