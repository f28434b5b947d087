/** The screens that show many records at once, in Chromium: what they look like to axe, on a desktop and on a phone, light and dark. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raw } from '../expression/sql.ts'
import { loanDesk, readSound } from '../run/testing.ts'
import type { Store } from '../store/pool.ts'
import {
  complaints,
  desktop,
  findings,
  go,
  loan,
  open,
  phone,
  picture,
  startBrowsing,
  stopBrowsing,
} from './browsing.ts'

const routes = `| /days | Days | everyone signed in | calendar of Loan by out_on to due_back |
| /lanes | Lanes | everyone signed in | timeline of Loan by borrower, from out_on to due_back |
| /handed | Handed out | everyone signed in | timeline of Loan by state, from handed_out_at to returned_at |
| /overview | Overview | everyone signed in | dashboard |
| /use | Use | everyone signed in | report of Loan by borrower, state |
| /rules | House rules | everyone signed in | text |
| /inbox | Inbox | everyone signed in | inbox |
| /reports |`

const screens = `
### Overview

#### All loans

- **Measure:** count of Loan

#### Worth of all

- **Measure:** sum of total_value of Loan
- **Meaning:** What is at stake.

#### Average length

- **Measure:** average of days of Loan

#### By state

- **Measure:** count of Loan
- **By:** state

#### Per day

- **Measure:** count of Loan
- **By:** day of due_back

#### States per month

- **Measure:** count of Loan as Loans
- **By:** month of out_on, state

#### Per borrower

- **Measure:** sum of total_value of Loan as Worth
- **By:** borrower

#### Newest

- **Shows:** list of Loan
- **Columns:** number, due_back, total_value
- **Sort:** number down

### House rules

Items are lent for **two weeks**. See [your loans](/loans).

* Bring them back clean.
* Say what is broken.

#### Late?

Write to us.

### Use

- **Asks:** from: date default today - 30
- **Where:** \`out_on >= asked.from\`
- **Measure:** count as Loans
- **Measure:** share of count
- **Measure:** sum of total_value as Worth
- **Columns:** number, due_back

## 3 Entities`

let store: Store

beforeAll(async () => {
  ;({ store } = await startBrowsing(
    readSound(loanDesk, text => text.replace('| /reports |', routes).replace('\n## 3 Entities', screens)),
  ))
  for (const submit of [true, false, true]) await loan('Ben', { submit })
  await loan('Cleo')
})

afterAll(stopBrowsing)

const looks = [
  { viewport: desktop, colorScheme: 'light' },
  { viewport: phone, colorScheme: 'dark' },
] as const

test.each(looks)(
  'calendar, timeline, dashboard, text, inbox and report at $viewport.width, $colorScheme',
  async look => {
    const { page, context } = await open('Dan', look)
    const inTime = [
      '/days',
      '/days?view=week',
      '/days?view=day',
      '/lanes',
      '/lanes?view=week',
      '/lanes?view=quarter',
      '/handed?view=day',
    ]
    for (const path of [...inTime, '/overview', '/rules', '/inbox', '/use']) {
      await go(page, path)
      await picture(page, `${path.replace(/\W+/g, '-').slice(1)}-${look.viewport.width}-${look.colorScheme}`)
      expect(await findings(page), path).toEqual([])
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(overflow, `${path} scrolls sideways`).toBeLessThanOrEqual(0)
      const within = page.locator('main .tw').evaluateAll(all => all.map(one => one.scrollWidth - one.clientWidth))
      expect(Math.max(0, ...(await within)), `a table of ${path} scrolls sideways`).toBe(0)
    }
    await go(page, '/overview?period=year')
    // The last number is where the keyboard comes in; the arrows lead to the others, and each is read where it stands.
    const last = page.locator('.hits > [tabindex="0"]').last()
    await last.focus()
    expect(await last.locator('.tip').evaluate(one => getComputedStyle(one).opacity)).toBe('1')
    await page.keyboard.press('ArrowLeft')
    const reading = await page.evaluate(() => document.activeElement?.textContent)
    expect(reading).toMatch(/^\w+ \d{4}.*Together/)
    await go(page, '/overview')
    await page.locator('.plot a').first().click()
    expect(new URL(page.url()).search).toMatch(/due_back\.at-least=.*due_back\.before=/)
    await go(page, '/overview')
    await page.getByRole('link', { name: /^All loans: / }).click()
    expect(new URL(page.url()).pathname).toBe('/loans')
    await go(page, '/use')
    expect(await page.getByRole('link', { name: 'Records behind Ben, Requested' }).count()).toBe(1)
    await page.getByRole('link', { name: 'Records behind Ben, Draft' }).click()
    expect(await page.locator('#behind').textContent()).toMatch(/LN-\d{4}-00002/)
    await picture(page, `behind-${look.viewport.width}`)
    expect(await findings(page)).toEqual([])
    await context.close()
    expect(complaints).toEqual([])
  },
)

test.each(looks)('what is not there, closed, broken or busy at $viewport.width, $colorScheme', async look => {
  const { page, context } = await open('Dan', look)
  const shown = async (status: number, path: string) => {
    const answer = page.waitForResponse(one => one.url().endsWith(path))
    await go(page, path)
    expect((await answer).status()).toBe(status)
    await picture(page, `failed-${status}-${look.viewport.width}`)
    expect(await findings(page), `${status}`).toEqual([])
  }
  await shown(404, '/nowhere')
  await shown(403, '/reports')
  await store.query(raw('alter table loan rename to away'))
  try {
    await shown(500, '/loans')
  } finally {
    await store.query(raw('alter table away rename to loan'))
  }
  await store.inTransaction(async tx => {
    await tx.query(raw('lock table loan in access exclusive mode'))
    await shown(503, '/loans')
  })
  await context.close()
  complaints.length = 0
})

test('a list that comes to an empty cache is 63 KB on its way, headers and all, and nothing on it moves', async () => {
  const { page, context } = await open('Dan')
  const fresh = await context.browser()!.newContext({ viewport: desktop })
  await fresh.addCookies(await context.cookies())
  const cold = await fresh.newPage()
  await cold.addInitScript(() => {
    new PerformanceObserver(list => {
      for (const shift of list.getEntries() as unknown as { value: number }[])
        document.title = `moved ${shift.value} ${document.title}`
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const network = await fresh.newCDPSession(cold)
  await network.send('Network.enable')
  const sizes: number[] = []
  network.on('Network.loadingFinished', ({ encodedDataLength }) => void sizes.push(encodedDataLength))
  // Its icon comes last, after the page has loaded.
  const icon = cold.waitForEvent('requestfinished', request => request.url().endsWith('.svg'))
  await cold.goto(new URL('/loans', page.url()).href)
  await cold.evaluate(() => document.fonts.ready)
  await icon
  expect(await cold.evaluate(() => document.fonts.check('14px "Ninefold Sans"'))).toBe(true)
  expect(sizes.length).toBeGreaterThan(5)
  expect(sizes.reduce((sum, one) => sum + one, 0)).toBeLessThan(63_000)
  expect(await cold.title()).not.toMatch(/moved 0\.0*[1-9]/)
  await fresh.close()
  await context.close()
})

test('a table with controls for days is as wide before its script makes them native', async () => {
  const widths = async (scripts: boolean) => {
    const { page, context } = await open('Mia', { scripts, viewport: desktop })
    await go(page, '/-/limits')
    const day = page.locator(`main td [data-picker=date][type=${scripts ? 'date' : 'text'}]`).first()
    await day.waitFor()
    const found = await page.locator('main td').evaluateAll(cells => cells.map(cell => cell.clientWidth))
    const value = page.locator('main td input[name=value]').first()
    await value.fill('12345.67')
    expect(await value.evaluate(input => input.scrollWidth <= input.clientWidth), 'what is typed is read').toBe(true)
    await context.close()
    return found
  }
  expect(await widths(true)).toEqual(await widths(false))
})
