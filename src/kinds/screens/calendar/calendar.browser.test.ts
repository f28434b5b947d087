/** A calendar in Chromium: drawing over its days, its keys, a phone, and no script. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loanDesk, readSound } from '../../../run/testing.ts'
import {
  complaints,
  day,
  findings,
  go,
  loan,
  open,
  phone,
  picture,
  startBrowsing,
  stopBrowsing,
} from '../../../web/browsing.ts'

beforeAll(async () => {
  await startBrowsing(
    readSound(loanDesk, text =>
      text.replace(
        '| /reports |',
        '| /calendar | Calendar | everyone signed in | calendar of Loan by out_on to due_back |\n| /handed | Handed out | everyone signed in | calendar of Loan by handed_out_at |\n| /reports |',
      ),
    ),
  )
})
afterAll(stopBrowsing)

test('whoever draws over days begins a record on them; Escape leaves it; a day has a link to the same', async () => {
  const { page, context } = await open('Ben')
  await go(page, '/calendar?on=2027-06-15')
  const middle = async (iso: string) => {
    const { x, y } = (await page.locator(`[data-day="${iso}"] .num`).boundingBox())!
    return [x + 60, y + 60] as const
  }
  const draw = async (from: string, to: string) => {
    await page.mouse.move(...(await middle(from)))
    await page.mouse.down()
    await page.mouse.move(...(await middle(to)), { steps: 4 })
  }
  await draw('2027-06-09', '2027-06-17')
  expect(await page.locator('.drawn').count()).toBe(9)
  await picture(page, 'calendar-drawn')
  await page.keyboard.press('Escape')
  await page.mouse.up()
  expect([await page.locator('.drawn').count(), new URL(page.url()).pathname]).toEqual([0, '/calendar'])
  await draw('2027-06-11', '2027-06-10')
  await page.mouse.up()
  await page.waitForURL('**/loans/new?out_on=2027-06-10&due_back=2027-06-11')
  await go(page, '/calendar?on=2027-06-15')
  await page.locator('[data-day="2027-06-10"] .num').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/loans/new?out_on=2027-06-10&due_back=2027-06-10')
  await context.close()
  expect(complaints).toEqual([])
})

test.each(['light', 'dark'] as const)(
  'on a phone it is an agenda from today, each thing once (%s)',
  async colorScheme => {
    const number = await loan('Ben')
    const { page, context } = await open('Ben', { viewport: phone, colorScheme, scripts: colorScheme === 'light' })
    await go(page, '/calendar')
    const shown = page.locator(`.stay a[href="/loans/${number}"]`).filter({ visible: true })
    expect(await shown.count()).toBe(1)
    const days = await page
      .locator('[data-day]')
      .filter({ visible: true })
      .evaluateAll(all => all.map(one => one.getAttribute('data-day')))
    expect(days[0]).toBe(day(0))
    if (colorScheme === 'light') expect(await findings(page)).toEqual([])
    await picture(page, `calendar-phone-${colorScheme}`)
    await context.close()
  },
)

test('wide, light and dark, it has nothing that axe finds', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, context } = await open('Ben', { colorScheme })
    for (const path of ['/calendar?view=month', '/calendar?view=week', '/calendar?view=day', '/handed?view=week']) {
      await go(page, path)
      expect(await findings(page)).toEqual([])
    }
    await context.close()
  }
})
