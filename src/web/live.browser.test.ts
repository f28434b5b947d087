/** Open pages follow what others do, in Chromium: in place what stays in its place, behind a bar what would move. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loanDesk, readSound } from '../run/testing.ts'
import {
  complaints,
  findings,
  go,
  loan,
  open,
  phone,
  picture,
  signedIn,
  startBrowsing,
  stopBrowsing,
} from './browsing.ts'
import { livePath } from './paths.ts'

beforeAll(async () => {
  await startBrowsing(
    readSound(loanDesk, text =>
      text
        .replace(/(## 3[\s\S]*?### Loan[^\n]*\n\n)/, '$1- **Comments:** Borrower, Clerk, Manager\n\n')
        .replace(
          '| /reports |',
          '| /days | Days | everyone signed in | calendar of Loan by out_on to due_back |\n| /reports |',
        ),
    ),
  )
})
afterAll(stopBrowsing)

const step = async (who: string, number: string, key: string) => {
  const browser = await signedIn(who)
  const path = `/loans/${number}/do/${key}`
  expect((await browser.submit(path, path)).status).toBe(303)
}
const bar = (page: Page) => page.locator('[data-news]')
const row = (page: Page, number: string) => page.locator('main tbody tr', { hasText: number })
/** Follows from then on. */
const opened = async (page: Page, path: string) => {
  const connected = page.waitForResponse(response => response.url().includes(livePath))
  await go(page, path)
  await connected
}

test('a list: a row changes where it stands; one that comes waits behind a bar, that a key opens', async () => {
  const number = await loan('Ben')
  await loan('Ben')
  const { page, context } = await open('Ben')
  await opened(page, '/loans')
  const shown = await page.locator('main tbody tr').count()
  await page.locator('[name=q]').last().fill('half a wo')
  await step('Ben', number, 'submit')
  await expect.poll(() => row(page, number).textContent()).toContain('Requested')
  expect(await row(page, number).getAttribute('class')).toContain('fresh')
  // The other row is not shown as new.
  expect(await page.locator('main tbody tr.fresh').count()).toBe(1)
  const shownCells = (rows: string) =>
    page.locator(`main ${rows} tr > *`).evaluateAll(cells => cells.filter(cell => cell.checkVisibility()).length)
  expect(await shownCells('tbody')).toBe(shown * (await shownCells('thead')))
  expect(await bar(page).isHidden()).toBe(true)
  expect(await page.locator('[name=q]').last().inputValue()).toBe('half a wo')

  const more = await loan('Ben')
  await expect.poll(() => bar(page).textContent()).toContain('1 changed')
  expect([await page.locator('main tbody tr').count(), await row(page, more).count()]).toEqual([shown, 0])
  expect(await findings(page)).toEqual([])
  await picture(page, 'live-list')
  await page.locator('h1').click()
  await page.keyboard.press('.')
  expect(await row(page, more).count()).toBe(1)
  expect(await bar(page).isHidden()).toBe(true)
  expect(await page.evaluate(() => document.activeElement?.closest('tr')?.textContent)).toContain(more)
  // What came is as much a part of the page as what was there.
  await row(page, more).getByRole('button').last().click()
  expect(await page.locator(':popover-open a').count()).toBeGreaterThan(0)
  await context.close()
  expect(complaints).toEqual([])
})

test('nothing happens to a page while a menu is open on it', async () => {
  const number = await loan('Ben')
  const { page, context } = await open('Ben')
  await opened(page, '/loans')
  await row(page, number).getByRole('button').last().click()
  const looked = page.waitForResponse(response => response.url().endsWith('/loans'))
  await step('Ben', number, 'submit')
  await looked
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(await row(page, number).textContent()).toContain('Draft')
  await page.keyboard.press('Escape')
  await expect.poll(() => row(page, number).textContent()).toContain('Requested')
  await context.close()
})

test('a record: its state and what may be done follow, what is being written stays', async () => {
  const number = await loan('Ben', { submit: true })
  const { page, context } = await open('Dan', { viewport: phone, colorScheme: 'dark' })
  await opened(page, `/loans/${number}`)
  await page.locator('form.talk textarea').fill('half a thought')
  await step('Dan', number, 'approve')
  await expect.poll(() => page.getByRole('main').textContent()).toContain('Approved')
  await expect
    .poll(() =>
      page
        .getByRole('main')
        .getByRole('button', { name: /^Hand out/ })
        .count(),
    )
    .toBe(1)
  expect(await page.locator('form.talk textarea').inputValue()).toBe('half a thought')
  expect(await findings(page)).toEqual([])
  await picture(page, 'live-record')
  await context.close()
})

test('a board: a card that somebody else moved is shown when it is asked for, and can be moved on', async () => {
  const number = await loan('Ben', { submit: true })
  const { page, context } = await open('Dan')
  await opened(page, '/desk')
  await step('Dan', number, 'approve')
  await bar(page).getByRole('button').click()
  const card = page.locator('.col[data-state=Approved] .card', { hasText: number })
  expect(await card.count()).toBe(1)
  expect(await card.evaluate(one => one === document.activeElement?.closest('.card'))).toBe(true)
  await context.close()
})

test('a calendar: what somebody else put on it waits behind the bar, whatever else lies there changes in place', async () => {
  const number = await loan('Ben')
  const { page, context } = await open('Ben')
  await opened(page, '/days?view=week')
  const own = page.locator(`.stay a[href="/loans/${number}"]`).first()
  const shown = await page.locator('.stay').count()
  const more = await loan('Ben', { submit: true })
  await expect.poll(() => bar(page).textContent()).toContain('1 changed')
  expect([await page.locator('.stay').count(), await own.count()]).toEqual([shown, 1])
  await bar(page).getByRole('button').click()
  expect(await page.locator(`.stay a[href="/loans/${more}"]`).count()).toBeGreaterThan(0)
  await context.close()
})

test('the figure beside the notices follows, and nothing else on the page moves for it', async () => {
  const readAll = async () =>
    expect((await (await signedIn('Ben')).send('/-/notices', { read: 'all' })).status).toBe(303)
  await readAll()
  const number = await loan('Ben')
  const { page, context } = await open('Ben', { viewport: { width: 1280, height: 800 } })
  await opened(page, '/-/account')
  const figure = page.locator('.nav [data-counts=unread]')
  expect(await figure.isHidden()).toBe(true)
  await page.evaluate(() =>
    new PerformanceObserver(list => {
      for (const shift of list.getEntries() as unknown as { value: number }[]) document.title = `moved ${shift.value}`
    }).observe({ type: 'layout-shift' }),
  )
  await page.locator('main input:not([type=hidden])').first().focus()
  const dan = await signedIn('Dan')
  const { id } = JSON.parse((await dan.get(`/api/v1/loan?number=${number}`)).text).data[0]
  const comment = (text: string) => dan.send('/-/comments', { entity: 'loan', record: id, do: 'add', text })
  await comment('@Ben, look')
  await expect.poll(() => figure.innerText()).toMatch(/^1\b/)
  expect(await page.getByRole('link', { name: 'Notifications' }).textContent()).toBe('Notifications1 unread')
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
  expect(await page.title()).not.toContain('moved')
  expect(await findings(page)).toEqual([])
  await picture(page, 'live-counts')
  // On a phone the navigation is closed: the figure stands at the bell above the page.
  await page.setViewportSize(phone)
  const bell = page.getByRole('link', { name: 'Notifications' })
  expect([await bell.count(), await bell.innerText()]).toEqual([1, expect.stringMatching(/\b1\b/)])
  expect(await findings(page)).toEqual([])
  await picture(page, 'live-counts-phone')
  await page.setViewportSize({ width: 1280, height: 800 })
  // A page that looks again finds the figure as it is; in another tab everything is read.
  const other = await context.newPage()
  const both = page.waitForResponse(response => response.url().includes('%2Floans'))
  await go(other, '/loans')
  await both
  await comment('And again')
  for (const one of [page, other])
    await expect.poll(() => one.locator('.nav [data-counts=unread]').innerText()).toMatch(/^2\b/)
  await step('Ben', number, 'submit')
  await expect.poll(() => row(other, number).textContent()).toContain('Requested')
  expect(await other.locator('.nav [data-counts=unread]').getAttribute('class')).toBe('n hot')
  await readAll()
  for (const one of [page, other])
    await expect.poll(() => one.locator('.nav [data-counts=unread]').isHidden()).toBe(true)
  await context.close()
})

test('the list of notices: one that comes waits behind the bar, one that was read elsewhere changes in place', async () => {
  const number = await loan('Ben')
  const dan = await signedIn('Dan')
  const { id } = JSON.parse((await dan.get(`/api/v1/loan?number=${number}`)).text).data[0]
  const comment = (text: string) => dan.send('/-/comments', { entity: 'loan', record: id, do: 'add', text })
  await comment('@Ben, the first')
  const { page, context } = await open('Ben')
  await opened(page, '/-/notices')
  const notices = page.locator('.notices > li')
  const shown = await notices.count()
  // Of this loan: whatever came before stands in the list, too.
  const second = `@Ben, the second of ${number}`
  await comment(second)
  await bar(page).getByText('1 changed').waitFor()
  expect(await notices.count()).toBe(shown)
  await page.keyboard.press('.')
  await notices.getByText(second).waitFor()
  expect(await notices.count()).toBe(shown + 1)
  expect(await notices.first().getAttribute('class')).toBe('fresh')
  expect((await (await signedIn('Ben')).send('/-/notices', { read: 'all' })).status).toBe(303)
  await expect.poll(() => notices.getByText('New', { exact: true }).count()).toBe(0)
  expect(await bar(page).isHidden()).toBe(true)
  expect(await findings(page)).toEqual([])
  await context.close()
})

test('all pages of a browser share one connection; a form says that its record was changed', async () => {
  const number = await loan('Ben')
  const { page, context } = await open('Ben')
  const asked: string[] = []
  context.on('request', request => {
    if (request.url().includes(livePath)) asked.push(request.url())
  })
  await opened(page, '/loans')
  const other = await context.newPage()
  const both = page.waitForRequest(request => request.url().includes('edit') && request.url().includes(livePath))
  await go(other, `/loans/${number}/edit`)
  await both
  expect(asked.at(-1)).toMatch(/at=%2Floans&.*at=%2Floans%2F[\w-]+%2Fedit/)
  await step('Ben', number, 'submit')
  await expect.poll(() => bar(other).textContent()).toContain('What you write is kept')
  await expect.poll(() => row(page, number).textContent()).toContain('Requested')
  // The one that held it goes: the other goes on.
  await page.close()
  await other.waitForRequest(request => request.url().includes(livePath))
  await context.close()
})
