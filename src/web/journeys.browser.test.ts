/**
 * The loan desk in Chromium as its people use it: with scripts and without, with a mouse and with keys alone. Every page that a
 * journey visits must be free of accessibility findings, of complaints in the console and of anything that the policy refuses.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Serving } from '../cli/serving.ts'
import { raw } from '../expression/sql.ts'
import { loanDesk, readSound } from '../run/testing.ts'
import type { Store } from '../store/pool.ts'
import {
  both,
  button,
  closedStep,
  complaints,
  day,
  desktop,
  findings,
  focused,
  go,
  item,
  live,
  loan,
  newLoan,
  open,
  phone,
  picture,
  startBrowsing,
  step,
  stopBrowsing,
  tabTo,
} from './browsing.ts'

const inside = ['states', 'entities', 'permissions', 'versions'].map(page => `/-/document/${page}`)

let store: Store
let serving: Serving

beforeAll(async () => {
  ;({ serving, store } = await startBrowsing(readSound(loanDesk)))
})

afterAll(stopBrowsing)

test.each(both)('a borrower makes a loan with two lines and submits it, scripts %s', async scripts => {
  const { page, context } = await open('Ben', { scripts })
  await page.getByRole('link', { name: 'New loan' }).first().click()
  if (scripts) await live(page)
  await page.getByLabel('Due back').fill(day(5))
  await item(page, 1).selectOption({ label: 'Sony A7 · CA-0001' })
  await button(page, 'Add a row').click()
  await button(page, 'Add a row').click()
  await item(page, 3).selectOption({ label: 'ThinkPad X1 · LA-0007' })
  await button(page, 'Remove Row 2').click()
  expect(await item(page, 1).inputValue(), 'the first row is as it was').not.toBe('')
  expect(await item(page, 2).inputValue(), 'the last row has moved up').not.toBe('')
  expect(await item(page, 3).count()).toBe(0)
  if (scripts) expect(await page.locator('.shown', { hasText: 'Days' }).textContent()).toContain('5')
  await page.getByLabel('Purpose').fill('<b>Open day</b> & more')
  await picture(page, `new-loan-${scripts ? 'scripts' : 'plain'}`)
  if (scripts) expect(await findings(page)).toEqual([])
  expect(await page.content(), 'a borrower does not see the total, in no form at all').not.toMatch(/total.value/i)

  await button(page, 'Create loan').click()
  expect(await page.getByRole('status').first().textContent()).toMatch(/^Ben · LN-\S+ created\. It is now Draft\.$/)
  expect(await page.getByRole('main').textContent()).toContain('<b>Open day</b> & more')
  await step(page, 'Submit').click()
  expect(await page.locator('.phead').textContent()).toContain('Requested')
  expect(await step(page, 'Submit').count()).toBe(0)
  await context.close()
})

test.each(both)(
  'a broken rule is said beside the field and on top, and nothing typed is lost, scripts %s',
  async scripts => {
    const { page, context } = await open('Ben', { scripts })
    await newLoan(page, scripts)
    const sent: string[] = []
    page.on('request', request => void (request.method() === 'POST' && sent.push(request.url())))
    await page.getByLabel('Due back').fill(day(-1))
    await item(page, 1).selectOption({ label: 'Sony A7 · CA-0001' })
    await page.getByLabel('Purpose').fill('A film')
    const words = 'The return date must be after the day you take the items.'
    if (scripts) {
      expect(await page.locator('.field.bad').textContent(), 'said as soon as the field is left').toContain(words)
      expect(await page.locator('.rules .no').textContent()).toContain(words)
    }
    await button(page, 'Create loan').click()
    const summary = page.getByRole('alert')
    expect(await summary.textContent()).toContain('There is a problem')
    expect(await page.title()).toMatch(/^Error: New loan/)
    expect(await page.locator('.field.bad').textContent()).toContain(words)
    expect(await page.getByLabel('Due back').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Due back').inputValue()).toBe(day(-1))
    expect(await page.getByLabel('Purpose').inputValue()).toBe('A film')
    expect(await item(page, 1).inputValue()).not.toBe('')
    if (scripts) {
      expect(sent, 'held back before it was sent').toEqual([])
      expect(await summary.evaluate(element => element === document.activeElement)).toBe(true)
      expect(await findings(page)).toEqual([])
    }
    await picture(page, `refused-${scripts ? 'scripts' : 'plain'}`)
    await summary.getByRole('link', { name: words }).click()
    if (scripts) expect(await page.evaluate(() => document.activeElement?.id)).toBe('due_back')
    await page.getByLabel('Due back').fill(day(3))
    await button(page, 'Create loan').click()
    expect(await page.getByRole('status').first().textContent()).toContain('created')
    await context.close()
  },
)

test('what a summary says of rows leads to their first control, and to a date without the help of the browser', async () => {
  const { page, context } = await open('Ben')
  await go(page, '/loans/new')
  await button(page, 'Create loan').click()
  const summary = page.getByRole('alert')
  const focused = () => page.evaluate(() => document.activeElement?.id)
  await summary.getByRole('link', { name: /^Lines needs/ }).click()
  expect(await focused()).toBe('lines-0-item')
  await summary.getByRole('link', { name: /^Due back is missing/ }).click()
  expect(await focused()).toBe('due_back')
  expect(new URL(page.url()).hash, 'Firefox focuses nothing by an address').toBe('')
  await context.close()
})

test('what is typed before the script comes is kept, and counts', async () => {
  const { page, context } = await open('Ben')
  const { promise: typed, resolve } = Promise.withResolvers<void>()
  await page.route('**/chunk-*.js', async route => {
    await typed
    await route.continue()
  })
  await go(page, '/loans/new', 'commit')
  await page.getByLabel('Purpose').fill('Early')
  await page.getByLabel('Due back').fill(day(4))
  await item(page, 1).selectOption({ label: 'Sony A7 · CA-0001' })
  resolve()
  await live(page)
  expect(await page.getByLabel('Purpose').inputValue()).toBe('Early')
  expect(await page.getByLabel('Due back').inputValue()).toBe(day(4))
  expect(await page.locator('.shown', { hasText: 'Days' }).textContent()).toContain('4')
  await button(page, 'Create loan').click()
  expect(await page.getByRole('status').first().textContent()).toContain('created')
  await context.close()
})

test('a rule about another record is said when that is chosen, and by the server all the same', async () => {
  const { page, context } = await open('Ben')
  await store.query(raw("update public.item set retired_on = '2026-01-31' where tag = 'LA-0007'"))
  await newLoan(page, true)
  await page.getByLabel('Due back').fill(day(3))
  await item(page, 1).selectOption({ label: 'ThinkPad X1 · LA-0007' })
  await item(page, 1).focus()
  await page.keyboard.press('Tab')
  const words = 'ThinkPad X1 was retired on 31 Jan 2026.'
  expect(await page.locator('td.bad').textContent(), 'the item was in the page, so this is known').toContain(words)
  // A form that has no script is judged by the same rule.
  const plain = await open('Ben', { scripts: false })
  await newLoan(plain.page, false)
  await plain.page.getByLabel('Due back').fill(day(3))
  await item(plain.page, 1).selectOption({ label: 'ThinkPad X1 · LA-0007' })
  await button(plain.page, 'Create loan').click()
  expect(await plain.page.getByRole('alert').textContent()).toContain(words)
  await store.query(raw("update public.item set retired_on = null where tag = 'LA-0007'"))
  await plain.context.close()
  await context.close()
})

test.each(both)('a clerk approves on the board by the menu of a card, scripts %s', async scripts => {
  const number = await loan('Ben', { submit: true })
  const { page, context } = await open('Dan', { scripts })
  await page.getByRole('link', { name: 'Desk board' }).click()
  const column = (state: string) => page.locator(`.col[data-state=${state}]`)
  expect(await column('Requested').textContent()).toContain(number)
  await page.getByRole('button', { name: `Move Ben · ${number} to…` }).press('Enter')
  if (scripts) {
    expect(await findings(page), 'the menu is open').toEqual([])
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Approve')
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Decline')
    await page.keyboard.press('Home')
  }
  await page.locator('.menu:popover-open').getByRole('button', { name: 'Approve' }).click()
  expect(await column('Approved').textContent()).toContain(number)
  expect(await column('Requested').textContent()).not.toContain(number)
  await picture(page, `board-${scripts ? 'scripts' : 'plain'}`)
  // On a phone one column at a time; it stays the same when a card leaves it.
  await page.setViewportSize(phone)
  const others = await loan('Ben', { submit: true })
  const choose = async (state: string) => {
    await page.getByRole('navigation', { name: 'Columns' }).getByRole('button').click()
    await page
      .locator('.menu:popover-open')
      .getByRole('link', { name: new RegExp(`^${state} \\d`) })
      .click()
    await page.waitForURL(`**/desk?_group=${state}`)
    expect(await page.locator('.col:visible').evaluateAll(all => all.map(one => one.dataset.state))).toEqual([state])
  }
  await choose('Approved')
  expect(await column('Approved').textContent()).toContain(number)
  await choose('Requested')
  await picture(page, `board-phone-${scripts ? 'scripts' : 'plain'}`)
  if (scripts) expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: `Move Ben · ${others} to…` }).click()
  await page.locator('.menu:popover-open').getByRole('button', { name: 'Approve' }).click()
  expect(await column('Requested').isVisible()).toBe(true)
  expect(await column('Requested').textContent()).not.toContain(others)
  await context.close()
})

test('a clerk drags a card, but only where a step leads', async () => {
  const number = await loan('Ben', { submit: true })
  const { page, context } = await open('Dan')
  await go(page, '/desk')
  const card = page.locator('.card', { hasText: number }).first()
  const dragTo = async (state: string, drop = true) => {
    const from = (await card.boundingBox())!
    const to = (await page.locator(`.col[data-state=${state}]`).boundingBox())!
    await page.mouse.move(from.x + 30, from.y + from.height - 8)
    await page.mouse.down()
    await page.mouse.move(to.x + to.width / 2, to.y + 40, { steps: 8 })
    if (drop) await page.mouse.up()
  }
  await dragTo('Out', false)
  expect(await page.locator('.col.shut').count(), 'columns that no step leads to are dimmed').toBeGreaterThan(0)
  expect(await page.locator('.col.open').getAttribute('data-state')).toBe('Approved')
  await picture(page, 'board-drag')
  await page.mouse.up()
  expect(await page.locator('.col[data-state=Requested]').textContent(), 'nothing happened').toContain(number)
  expect(await page.locator('.ghost').count()).toBe(0)
  await dragTo('Approved')
  await page.locator('.flash').waitFor()
  expect(await page.locator('.col[data-state=Approved]').textContent()).toContain(number)
  await context.close()
})

test.each(both)(
  'a clerk’s own loan: approve is closed, with the reason, and not a button, scripts %s',
  async scripts => {
    const number = await loan('Dan', { submit: true })
    const { page, context } = await open('Dan', { scripts })
    await go(page, `/loans/${number}`)
    const closed = closedStep(page, 'Approve')
    expect(await closed.textContent()).toContain('Borrower is somebody else')
    await page.getByLabel('Lines of the document').check()
    expect(await closed.getByRole('link').getAttribute('href'), 'and the line that says so').toMatch(/#L\d+$/)
    expect(await step(page, 'Approve').count()).toBe(0)
    await picture(page, `own-loan-${scripts ? 'scripts' : 'plain'}`)
    await go(page, '/desk')
    await page.getByRole('button', { name: `Move Dan · ${number} to…` }).press('Enter')
    const menu = page.locator('.menu:popover-open')
    expect(await menu.textContent()).toContain('Borrower is somebody else')
    expect(await menu.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    await context.close()
  },
)

test.each(both)(
  'hand out and take back; with damage it is closed, because a constant is left open, scripts %s',
  async scripts => {
    for (const damaged of [false, true]) {
      const number = await loan('Ben', { submit: true, damaged })
      const { page, context } = await open('Dan', { scripts })
      await go(page, `/loans/${number}`)
      await step(page, 'Approve').click()
      await step(page, 'Hand out').click()
      expect(await page.locator('.phead').textContent()).toContain('Out')
      if (damaged) {
        const closed = closedStep(page, 'Take back')
        expect(await closed.textContent()).toMatch(/clerk.damage.limit/i)
        expect(await step(page, 'Take back').count()).toBe(0)
      } else {
        await step(page, 'Take back').click()
        const confirm = page.locator('.ask:popover-open .btn.bad')
        if ((await confirm.count()) > 0) await confirm.click()
        expect(await page.locator('.phead').textContent()).toContain('Returned')
      }
      await picture(page, `take-back-${damaged ? 'damaged' : 'whole'}-${scripts ? 'scripts' : 'plain'}`)
      await context.close()
    }
  },
)

test.each(both)(
  'two people change the same loan: both versions side by side, nothing is lost, scripts %s',
  async scripts => {
    const number = await loan('Ben')
    const ben = await open('Ben', { scripts })
    const mia = await open('Mia', { scripts })
    await go(ben.page, `/loans/${number}/edit`)
    await go(mia.page, `/loans/${number}/edit`)
    if (scripts) await Promise.all([live(ben.page), live(mia.page)])
    await mia.page.getByLabel('Due back').fill(day(4))
    await button(mia.page, 'Save').click()
    expect(await mia.page.getByRole('status').first().textContent()).toContain('saved')

    await ben.page.getByLabel('Due back').fill(day(6))
    await ben.page.getByLabel('Purpose').fill('For the school')
    await button(ben.page, 'Save').click()
    const { page } = ben
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      'Somebody changed this while you were writing',
    )
    expect(await page.getByRole('main').textContent()).toContain('Mia')
    if (scripts) expect(await findings(page)).toEqual([])
    await picture(page, `conflict-${scripts ? 'scripts' : 'plain'}`)
    await page
      .getByRole('row', { name: /Due back/ })
      .getByRole('radio')
      .nth(1)
      .check()
    await button(page, 'Save with these choices').click()
    const shown = await page.getByRole('main').textContent()
    expect(shown).toContain('For the school')
    const theirs = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day(4)))
    expect(shown).toContain(theirs)
    await ben.context.close()
    await mia.context.close()
  },
)

test('a loan is made, submitted and approved with keys alone', async () => {
  const ben = await open('Ben')
  const { page } = ben
  const { keyboard } = page
  await go(page, '/loans')
  await keyboard.press('Tab')
  expect(await focused(page), 'the first stop').toBe('Skip to main content')
  await keyboard.press('Enter')
  await tabTo(page, 'New loan')
  await keyboard.press('Enter')
  await page.waitForURL('**/loans/new')
  await live(page)
  await tabTo(page, 'due_back')
  const [year, month, date] = day(3).split('-')
  await keyboard.type(`${date}${month}${year}`)
  if ((await page.getByLabel('Due back').inputValue()) !== day(3)) {
    // A browser that writes the month first.
    await keyboard.press('ArrowLeft')
    await keyboard.press('ArrowLeft')
    await keyboard.type(`${month}${date}${year}`)
  }
  await tabTo(page, 'lines-0-item')
  await keyboard.type('Sony')
  await tabTo(page, 'Create loan')
  await keyboard.press('Enter')
  await page.waitForURL(/LN-/)
  const number = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await tabTo(page, 'Submit')
  await keyboard.press('Enter')
  await page.locator('.flash').waitFor()
  expect(await focused(page), 'what is read first').toContain(number)
  expect(await page.locator('.phead').textContent()).toContain('Requested')
  await ben.context.close()

  const dan = await open('Dan')
  await go(dan.page, '/desk')
  await tabTo(dan.page, `Move Ben · ${number} to…`)
  await dan.page.keyboard.press('Enter')
  await dan.page.keyboard.press('Escape')
  await expect
    .poll(() => focused(dan.page), { message: 'the menu closes and gives the focus back' })
    .toBe(`Move Ben · ${number} to…`)
  await dan.page.keyboard.press('Enter')
  await expect.poll(() => focused(dan.page)).toBe('Approve')
  await dan.page.keyboard.press('Enter')
  await dan.page.locator('.flash').waitFor()
  expect(await dan.page.locator('.col[data-state=Approved]').textContent()).toContain(number)
  await dan.context.close()
})

test('filters apply when they are set, and in the table j and k go from row to row', async () => {
  await loan('Ben')
  const { page, context } = await open('Ben')
  await go(page, '/loans')
  const scripts = await page.evaluate(() => {
    const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return loaded
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  })
  expect(scripts, 'bytes of scripts on a list, compressed').toBeLessThan(30_000)
  // From anywhere on the page to the first row, and back to it.
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  const first = await page.locator('tbody .ttl').first().textContent()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(first)
  await page.getByLabel('State', { exact: true }).selectOption('Draft')
  await page.waitForURL(/state=Draft/)
  expect(new URL(page.url()).search).toBe('?state=Draft')
  expect(await page.locator('.chip').textContent()).toContain('Draft')
  await page.getByLabel('State', { exact: true }).selectOption('Declined')
  await page.waitForURL(/state=Declined/)
  expect(await page.getByRole('main').textContent()).toContain('Nothing matches')
  expect(await findings(page)).toEqual([])
  await context.close()
})

test('a half-filled form is not left by accident, and not thrown away when the document changes', async () => {
  const { page, context } = await open('Ben')
  await newLoan(page, true)
  // What cannot be kept as a draft is lost by leaving.
  await page.route('**/loans/new', route =>
    route.request().method() === 'POST' ? route.fulfill({ status: 413 }) : route.continue(),
  )
  await page.getByLabel('Purpose').fill('Half a')
  expect(await page.locator('.unsaved').textContent()).toBe('Unsaved changes')
  await serving.change(serving.runtime().app, [])
  await page.getByText('The document has changed.').waitFor()
  expect(await page.getByLabel('Purpose').inputValue()).toBe('Half a')
  expect(await findings(page)).toEqual([])
  const asked = new Promise<string>(resolve =>
    page.once('dialog', dialog => void dialog.dismiss().then(() => resolve(dialog.type()))),
  )
  await page.getByRole('link', { name: 'Cancel' }).click({ noWaitAfter: true })
  expect(await asked).toBe('beforeunload')
  expect(page.url()).toContain('/loans/new')

  // A page that nobody is typing in follows by itself.
  const idle = await open('Mia')
  await go(idle.page, '/desk')
  await idle.page.evaluate(() => Object.assign(globalThis, { before: true }))
  await serving.change(serving.runtime().app, [])
  await idle.page.waitForFunction(() => !('before' in globalThis))
  await idle.context.close()
  await context.close()
})

// Each part by itself is looked at in all four, in the gallery.
test.each([
  ['light', desktop],
  ['dark', phone],
] as const)(
  'no page has an accessibility finding, and no page or table is wider than its window, %s %j',
  async (colorScheme, viewport) => {
    const number = await loan('Ben', { submit: true })
    const paths: Readonly<Record<string, readonly string[]>> = {
      Ben: ['/loans', '/loans/new', `/loans/${number}`, '/-/account', '/desk', '/nothing/here'],
      Dan: ['/desk', `/loans/${number}`, `/loans/${number}/edit`, `/loans/${number}/do/decline`],
      Mia: [
        '/reports',
        '/-/people',
        '/-/limits',
        '/-/mailbox',
        '/-/calls-received',
        '/-/calls-received?call=C-2',
        '/-/document',
        ...inside,
        '/-/clock',
        '/-/errors/E-DUE-1',
      ],
    }
    for (const [name, own] of Object.entries(paths)) {
      const { page, context } = await open(name, { colorScheme, viewport })
      for (const path of own) {
        await go(page, path)
        expect(await findings(page), path).toEqual([])
        const wider = await page.$$eval('html, .tw:has(.fold)', all =>
          all.map(one => one.scrollWidth - one.clientWidth),
        )
        expect(Math.max(...wider), path).toBeLessThanOrEqual(0)
        await picture(
          page,
          `${name}${path.replaceAll('/', '_')}-${viewport.width}-${colorScheme}`.replace(number, 'loan'),
        )
      }
      await context.close()
    }
  },
)

test('nothing complained', () => {
  expect(complaints).toEqual([])
})
