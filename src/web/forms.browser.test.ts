/** Forms in Chromium: fields that come, go and lock, drafts, and the same without scripts, where the server judges. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Serving } from '../cli/serving.ts'
import { sql } from '../expression/sql.ts'
import { readSound } from '../run/testing.ts'
import type { Store } from '../store/pool.ts'
import { both, button, day, findings, focused, live, open, picture, startBrowsing, stopBrowsing } from './browsing.ts'

let store: Store
let serving: Serving

beforeAll(async () => {
  ;({ serving, store } = await startBrowsing(readSound(join(import.meta.dirname, 'fixtures/orders.md'), withBoxes)))
})

afterAll(stopBrowsing)

/** An order has a box and wrappings, which are chosen by whether it is a gift; each of its rows a crate, by the pieces that stand in the row, too. */
function withBoxes(text: string): string {
  return text
    .replace(
      '| drawing | file | |',
      '$&\n| box | Box | choose from Box where label starts with "B" and (this.gift or content is empty) |',
    )
    .replace(
      '| lines | list of Order line | min 1 |',
      '$&\n| wrappings | several Box | choose from Box where label starts with "B" and (this.gift or content is empty) |',
    )
    .replace(
      '| serial | text 20 | unique |',
      '$&\n| crate | Box | choose from Box where (this.order.gift or content is empty) and (this.pieces > 2 or content is empty) |',
    )
}

/** `Sue`, at the form of an order, with what every order needs. */
async function order(scripts: boolean, name = 'Sue') {
  const { page, context } = await open(name, { scripts })
  await page.goto(`${serving.url}/orders/new`)
  if (scripts) await live(page)
  await page.getByLabel('Wanted on').fill(day(3))
  await page.getByLabel('Row 1, What').fill('Chair')
  await page.getByLabel('Row 1, Pieces').fill('4')
  return { page, context }
}

test.each(both)('a card and some boxes are for gifts only, and their discount is locked; scripts %s', async scripts => {
  const { page, context } = await order(scripts)
  const card = page.getByLabel('Card text', { exact: true })
  const discount = page.getByLabel('Discount', { exact: true })
  const gift = page.getByRole('checkbox', { name: 'Gift' })
  await page.getByLabel('Customer').selectOption({ label: 'Acorn' })
  expect(await card.isVisible()).toBe(!scripts)
  const box = page.getByLabel('Box', { exact: true }).getByRole('option', { name: 'B1' })
  expect(await box.count()).toBe(0)
  if (scripts) {
    await discount.fill('7')
    await gift.check()
    await box.waitFor({ state: 'attached' })
    expect([await card.isVisible(), await discount.isDisabled(), await discount.inputValue()]).toEqual([
      true,
      true,
      '0',
    ])
    await gift.uncheck()
    await box.waitFor({ state: 'detached' })
    expect([await card.isVisible(), await discount.isDisabled()]).toEqual([false, false])
  }
  await gift.check()
  await button(page, 'Create order').click()
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('Say what the card says.')
  await page.getByLabel('Box', { exact: true }).selectOption({ label: 'B1' })
  await picture(page, `conditions-${scripts ? 'with' : 'without'}-scripts`)
  if (scripts) expect(await findings(page)).toEqual([])
  await card.fill('With love')
  await button(page, 'Create order').click()
  await page.waitForURL(/\/orders\/OR-/)
  expect(await page.getByText('With love').first().isVisible()).toBe(true)
  await context.close()
})

test.each(both)('what a row offers follows the row and the form around it; scripts %s', async scripts => {
  const { page, context } = await order(scripts)
  const crates = (row: number) => page.getByLabel(`Row ${row}, Crate`).getByRole('option', { name: 'B1' })
  const offers = (row: number, count: number) => expect.poll(() => crates(row).count()).toBe(count)
  const gift = page.getByRole('checkbox', { name: 'Gift' })
  const add = () => button(page, 'Add a row').click()
  await offers(1, 0)
  await gift.check()
  if (scripts) await offers(1, 1)
  await add()
  await page.getByLabel('Row 2, Pieces').waitFor()
  await offers(1, 1)
  await page.getByLabel('Row 1, Pieces').fill('2')
  await page.getByLabel('Row 2, Pieces').fill('3')
  if (!scripts) await add()
  await offers(1, 0)
  await offers(2, 1)
  if (scripts) {
    await page.getByRole('button', { name: /remove row 1/i }).click()
    await offers(1, 1)
    await page.getByLabel('Row 1, Pieces').fill('1')
    await offers(1, 0)
    await page.getByLabel('Row 1, Pieces').fill('5')
    await gift.uncheck()
  } else {
    await gift.uncheck()
    await add()
  }
  await offers(1, 0)
  await context.close()
})

test('boxes follow what they go by, what is ticked stays, and what went comes back as it was left', async () => {
  const { page, context } = await order(true)
  const wrappings = page.getByRole('group', { name: /^Wrappings/ })
  const box = wrappings.getByRole('checkbox', { name: 'B1' })
  const gift = page.getByRole('checkbox', { name: 'Gift' })
  expect(await box.count()).toBe(0)
  await gift.check()
  await box.waitFor()
  await box.check()
  await gift.uncheck()
  await page.getByLabel('Box', { exact: true }).getByRole('option', { name: 'B1' }).waitFor({ state: 'detached' })
  expect(await box.isChecked()).toBe(true)
  await box.uncheck()
  await gift.check()
  await gift.uncheck()
  await box.waitFor({ state: 'detached' })
  await gift.check()
  await box.waitFor()
  expect(await box.isChecked()).toBe(false)
  await box.check()
  await page.getByLabel('Card text', { exact: true }).fill('Hello')
  await page.getByLabel('Customer').selectOption({ label: 'Acorn' })
  await button(page, 'Create order').click()
  await page.waitForURL(/\/orders\/OR-/)
  expect(await page.getByRole('main').textContent()).toMatch(/Wrappings(?: §3 line \d+)?B1/)
  await context.close()
})

test.each(both)('a row names several people by boxes of its own; scripts %s', async scripts => {
  const { page, context } = await order(scripts)
  await page.getByLabel('Customer').selectOption({ label: 'Acorn' })
  await button(page, 'Add a row').click()
  if (scripts) await button(page, 'Add a row').click()
  if (scripts) await page.getByRole('button', { name: /remove row 2/i }).click()
  await page.getByLabel('Row 2, What').fill('Table')
  await page.getByLabel('Row 2, Pieces').fill('1')
  const packers = (row: number) => page.getByRole('group', { name: `Row ${row}, Packers` })
  for (const name of ['Hal', 'Sue']) await packers(2).getByRole('checkbox', { name }).check()
  await packers(1).getByRole('checkbox', { name: 'Sue' }).check()
  await button(page, 'Create order').click()
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('Packers may have at most 1')
  await picture(page, `several-in-rows-${scripts ? 'with' : 'without'}-scripts`)
  if (scripts) expect(await findings(page)).toEqual([])
  await page.getByRole('alert').getByRole('link').first().click()
  expect(await packers(2).evaluate(group => group === document.activeElement)).toBe(true)
  await packers(2).getByRole('checkbox', { name: 'Sue' }).uncheck()
  await button(page, 'Create order').click()
  await page.waitForURL(/\/orders\/OR-/)
  expect(await page.locator('main tbody tr', { hasText: 'Table' }).textContent()).toContain('Hal')
  expect(await page.locator('main tbody tr', { hasText: 'Chair' }).textContent()).toContain('Sue')
  await context.close()
})

test('a value that another record has is told when its field is left, and the message goes with the next key', async () => {
  const { page, context } = await open('Sue')
  await page.goto(`${serving.url}/customers/new`)
  await live(page)
  const name = page.getByLabel('Name')
  await name.fill('Acorn')
  await page.getByLabel('Phone').focus()
  await page.locator('[aria-invalid]').waitFor()
  expect(await page.getByRole('main').textContent()).toContain('Name is taken')
  await picture(page, 'taken')
  expect(await findings(page)).toEqual([])
  // The summary names what stands beside the fields, whoever found it.
  await page.getByLabel('Phone').fill('nobody')
  await button(page, 'Create customer').click()
  expect(await page.locator('.summary li').allTextContents()).toEqual([
    expect.stringMatching(/^Name is taken/),
    expect.stringMatching(/^Phone must be/),
  ])
  await page.getByLabel('Phone').fill('')
  await name.press('End')
  await name.press('s')
  await page.locator('[aria-invalid]').waitFor({ state: 'detached' })
  await context.close()
})

test('a warning lets the form be sent, comes back as a question, and is confirmed with a button', async () => {
  const { page, context } = await order(true)
  await page.getByLabel('Customer').selectOption({ label: 'Acorn' })
  await button(page, 'Add a row').click()
  await page.getByLabel('Row 2, What').fill('Table')
  await page.getByLabel('Row 2, Pieces').fill('1')
  await page.getByLabel('Discount', { exact: true }).fill('35')
  // Without a connection the page stays, with all that was typed.
  await context.setOffline(true)
  await button(page, 'Create order').click()
  await page.getByText('No connection: nothing was sent.').waitFor()
  expect(await findings(page)).toEqual([])
  await context.setOffline(false)
  await button(page, 'Create order').click()
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('Is this meant?')
  await live(page)
  expect(await page.getByLabel('Row 2, What').inputValue()).toBe('Table')
  await picture(page, 'warning')
  expect(await findings(page)).toEqual([])
  await button(page, 'Save anyway').click()
  await page.waitForURL(/\/orders\/OR-/)
  expect(await page.getByText('with E-HIGH confirmed').isVisible()).toBe(true)
  await context.close()
})

test.each(both)('what was typed is a draft, offered when one comes back; scripts %s', async scripts => {
  const { page, context } = await order(scripts, 'Hal')
  await page.getByLabel('Note').fill('Ring twice')
  if (scripts) {
    await button(page, 'Add a row').click()
    await page.getByLabel('Row 2, What').fill('Table')
    await page.getByText(/Draft kept \d\d:\d\d/).waitFor()
    expect(await page.locator('.unsaved').isVisible(), 'nothing is lost by leaving').toBe(false)
    await page.getByRole('link', { name: 'Cancel' }).click()
  } else await button(page, 'Keep as draft').click()
  await page.waitForURL(/\/orders$/)
  await picture(page, `draft-in-list-${scripts ? 'with' : 'without'}-scripts`)
  await page.goto(`${serving.url}/orders/new`)
  if (scripts) await live(page)
  expect(await page.getByLabel('Note').inputValue()).toBe('')
  await picture(page, `draft-waits-${scripts ? 'with' : 'without'}-scripts`)
  if (scripts) expect(await findings(page)).toEqual([])
  await page.getByRole('link', { name: 'Continue your draft of order' }).click()
  await page.waitForURL(/draft=1/)
  if (scripts) await live(page)
  expect(await page.getByLabel('Note').inputValue()).toBe('Ring twice')
  if (scripts) expect(await page.getByLabel('Row 2, What').inputValue()).toBe('Table')
  await page.getByLabel('Customer').selectOption({ label: 'Acorn' })
  if (scripts) await page.getByLabel('Row 2, Pieces').fill('1')
  await button(page, 'Create order').click()
  await page.waitForURL(/\/orders\/OR-/)
  await page.goto(`${serving.url}/orders`)
  expect(await page.getByText('Continue your draft').count()).toBe(0)
  await context.close()
})

test.each(both)('a wizard goes page by page and shows all answers before it saves; scripts %s', async scripts => {
  const { page, context } = await open('Sue', { scripts })
  await page.goto(`${serving.url}/order`)
  if (scripts) await live(page)
  await page.getByLabel('Customer').selectOption({ label: 'Acorn' })
  expect(await page.getByLabel('Wanted on').getAttribute('type')).toBe(scripts ? 'date' : 'text')
  await button(page, 'Continue').click()
  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('alert').textContent()).toContain('Wanted on is missing.')
  expect(await page.getByRole('alert').textContent()).not.toContain('Lines')
  if (scripts) {
    // The browser would send half a date as none.
    await page.getByLabel('Wanted on').press('1')
    await page.getByLabel('Wanted on').press('Tab')
    await button(page, 'Continue').click()
    await page.locator('.field.bad', { hasText: 'Wanted on must be a date in a form' }).waitFor()
  } else {
    await page.getByLabel('Wanted on').fill('3.')
    await button(page, 'Continue').click()
    await page.locator('.field.bad', { hasText: 'Wanted on must be a date in a form' }).waitFor()
    expect(await page.getByLabel('Wanted on').inputValue()).toBe('3.')
  }
  await page.getByLabel('Wanted on').fill(day(3))
  await page.getByRole('checkbox', { name: 'Gift' }).check()
  await picture(page, `wizard-1-${scripts ? 'with' : 'without'}-scripts`)
  await button(page, 'Continue').click()
  await page.getByRole('heading', { name: 'What does the card say?', level: 1 }).waitFor()
  expect(await page.title()).toMatch(/^What does the card say\?, Step 2 of 4/)
  expect(await focused(page)).toBe('What does the card say?')
  expect(await page.locator('[aria-current=step]').textContent()).toContain('What does the card say?')
  if (scripts) {
    await live(page)
    expect(await findings(page)).toEqual([])
  }
  await page.getByLabel('Card text').fill('With love')
  await button(page, 'Back').click()
  await page.getByRole('heading', { name: 'Who is it for?', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'What does the card say?' }).click()
  expect(await page.getByLabel('Card text').inputValue()).toBe('With love')
  await button(page, 'Continue').click()
  await page.getByRole('heading', { name: 'What do they want?', level: 1 }).waitFor()
  if (scripts) await live(page)
  await page.getByLabel('Row 1, What').fill('Chair')
  await page.getByLabel('Row 1, Pieces').fill('4')
  await button(page, 'Continue').click()
  await page.getByRole('heading', { name: 'Check your answers', level: 1 }).waitFor()
  await picture(page, `wizard-answers-${scripts ? 'with' : 'without'}-scripts`)
  if (scripts) expect(await findings(page)).toEqual([])
  await page.getByRole('link', { name: 'Change Who is it for?' }).click()
  if (scripts) await live(page)
  await page.getByRole('checkbox', { name: 'Gift' }).uncheck()
  await button(page, 'Continue').click()
  await page.getByRole('heading', { name: 'Check your answers', level: 1 }).waitFor()
  expect(await page.getByRole('main').textContent()).not.toContain('With love')
  await button(page, 'Create order').click()
  await page.waitForURL(/\/orders\/OR-/)
  await button(page, 'More actions').click()
  await page.getByRole('link', { name: 'Revise' }).click()
  if (scripts) await live(page)
  await page.getByLabel('Wanted on').fill(day(5))
  await picture(page, `wizard-stored-${scripts ? 'with' : 'without'}-scripts`)
  for (const next of ['How cheap is it?', 'What do they want now?', 'Check your answers']) {
    await button(page, 'Continue').click()
    await page.getByRole('heading', { name: next, level: 1 }).waitFor()
    if (scripts && next !== 'Check your answers') await live(page)
  }
  await button(page, 'Save').click()
  await page.waitForURL(/\/orders\/OR-\d+$/)
  await button(page, 'More actions').click()
  await page.getByRole('link', { name: 'Print: Delivery note' }).click()
  await page.getByRole('heading', { name: /^Delivery note for OR-/ }).waitFor()
  await picture(page, `print-${scripts ? 'with' : 'without'}-scripts`)
  if (scripts) expect(await findings(page)).toEqual([])
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(scripts)
  await page.getByRole('link', { name: /^Back to .*OR-/ }).click()
  await page.waitForURL(/\/orders\/OR-\d+$/)
  await context.close()
})

test('a file is sent as soon as it is chosen, and is part of the draft; what is refused is said at once', async () => {
  const { page, context } = await order(true)
  const drawing = page.getByLabel('Drawing', { exact: true })
  await drawing.setInputFiles({ name: 'empty.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) })
  await page.locator('.file output.err').waitFor()
  await drawing.setInputFiles({ name: 'chair.txt', mimeType: 'text/plain', buffer: Buffer.from('a chair') })
  await page.locator('.file .kept', { hasText: 'chair.txt' }).waitFor()
  expect(await drawing.inputValue(), 'it is not sent twice').toBe('')
  expect(await findings(page)).toEqual([])
  await page.getByText(/Draft kept/).waitFor()
  await page.goto(`${serving.url}/orders/new?draft=1`)
  await live(page)
  await page.locator('.file .kept', { hasText: 'chair.txt' }).waitFor()
  await page.getByLabel('Customer').selectOption({ label: 'Acorn' })
  await button(page, 'Create order').click()
  await page.waitForURL(/\/orders\/OR-/)
  expect(await page.getByRole('main').textContent()).toContain('chair.txt')
  await context.close()
})

test.each(both)('rows change places by menu, and are stored as they stand; scripts %s', async scripts => {
  const { page, context } = await order(scripts)
  const what = (row: number) => page.getByLabel(`Row ${row}, What`)
  const rows = () =>
    page.locator('[name^="lines."][name$=".what"]').evaluateAll(all => all.map(one => (one as HTMLInputElement).value))
  for (const [at, text] of ['Table', 'Lamp'].entries()) {
    await button(page, 'Add a row').click()
    await what(at + 2).fill(text)
    await page.getByLabel(`Row ${at + 2}, Pieces`).fill('1')
  }
  const move = async (row: number, way: string) => {
    await page.getByRole('button', { name: `Move Row ${row}`, exact: true }).click()
    await picture(page, `rows-menu-${scripts}`)
    await button(page, way).click()
  }
  await move(3, 'Move to top')
  await expect.poll(rows).toEqual(['Lamp', 'Chair', 'Table'])
  if (scripts) {
    expect(await focused(page)).toBe('lines-0-move')
    await what(2).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(rows).toEqual(['Lamp', 'Table', 'Chair'])
    expect(await focused(page)).toBe('lines-2-what')
    const handle = (row: number) => page.getByRole('button', { name: `Move Row ${row}`, exact: true })
    await handle(3).dragTo(handle(1), { steps: 5 })
    await expect.poll(rows).toEqual(['Chair', 'Lamp', 'Table'])
    expect(await page.locator('.menu:popover-open').count()).toBe(0)
    expect(await findings(page)).toEqual([])
    await picture(page, 'rows-moved')
  }
  const wanted = await rows()
  await page.getByLabel('Customer').selectOption({ label: 'Acorn' })
  await button(page, 'Create order').click()
  await page.waitForURL(/\/orders\/OR-/)
  await page.goto(`${page.url().split('?')[0]}/edit`)
  await expect.poll(rows).toEqual(wanted)
  await move(1, 'Move down')
  await button(page, 'Save').click()
  await page.waitForURL(/\/orders\/OR-[^/]*$/)
  await page.goto(`${page.url().split('?')[0]}/edit`)
  await expect.poll(rows).toEqual([wanted[1], wanted[0], wanted[2]])
  await context.close()
})

test('what is missing in a list is made in a dialog over the form, by keyboard too', async () => {
  const { page, context } = await order(true)
  await button(page, 'New customer').click()
  const dialog = page.getByRole('dialog', { name: 'New customer' })
  await dialog.getByLabel('Name').fill('Acorn')
  expect(await findings(page)).toEqual([])
  await picture(page, 'quick-create')
  await page.keyboard.press('Enter')
  await dialog.getByText('Name', { exact: false }).first().waitFor()
  await dialog.locator('[aria-invalid]').waitFor()
  await dialog.getByLabel('Name').fill('Fir')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect(await page.getByLabel('Customer').locator('option:checked').textContent()).toBe('Fir')
  expect(await page.getByLabel('Row 1, What').inputValue()).toBe('Chair')

  // So many that they are looked for.
  await store.query(sql`insert into customer (id, name, version, created_at, changed_at)
    select gen_random_uuid(), 'Number ' || n, 1, now(), now() from generate_series(1, 60) as n`)
  await page.goto(`${serving.url}/orders/new`, { waitUntil: 'load' })
  await live(page)
  const customer = page.getByRole('combobox', { name: 'Customer' })
  await customer.pressSequentially('Ginkgo')
  await page.getByRole('option', { name: 'Create “Ginkgo”…' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Name').waitFor()
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Ginkgo')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect(await customer.inputValue()).toBe('Ginkgo')
  await page.getByLabel('Wanted on').fill(day(3))
  await page.getByLabel('Row 1, What').fill('Chair')
  await page.getByLabel('Row 1, Pieces').fill('4')
  await button(page, 'Create order').click()
  await page.waitForURL(/\/orders\/OR-/)
  expect(await page.getByRole('main').textContent()).toContain('Ginkgo')
  await context.close()
})

test('rows are filled in by keys alone, and add themselves up', async () => {
  const { page, context } = await order(true)
  const table = page.getByRole('table', { name: 'Lines' })
  const foot = table.locator('tfoot')
  await page.getByLabel('Row 1, Each').fill('12.5')
  expect(await table.getByText('€50.00').count()).toBe(1)
  expect(await foot.count()).toBe(0)
  // Enter goes to the next row in the same column, and makes one at the end.
  await page.getByLabel('Row 1, What').press('Enter')
  await page.keyboard.type('Table')
  await page.keyboard.press('Tab')
  await page.keyboard.type('2')
  await page.keyboard.press('Tab')
  await page.keyboard.type('100')
  expect(await table.getByText('€200.00').count()).toBe(1)
  expect((await foot.textContent())?.replace(/\s+/g, ' ')).toBe('Total€112.50€250.00')
  await page.keyboard.press('Shift+Enter')
  expect(await page.getByLabel('Row 1, Each').evaluate(input => input === document.activeElement)).toBe(true)
  await page.keyboard.press('ArrowDown')
  expect(await page.getByLabel('Row 2, Each').evaluate(input => input === document.activeElement)).toBe(true)
  await page.getByRole('button', { name: 'Remove row 1' }).click()
  expect(await foot.count()).toBe(0)
  await page.getByLabel('Row 1, Pieces').fill('3')
  expect(await table.getByText('€300.00').count()).toBe(1)
  await page.getByRole('button', { name: 'Add a row' }).click()
  await page.keyboard.type('Lamp')
  await picture(page, 'rows-totals')
  await page.evaluate('scrollTo(0, 0)')
  expect(await findings(page)).toEqual([])
  await context.close()
})

test('what is typed while the script starts stays, wherever it is typed, and so does the focus', async () => {
  const { page, context } = await open('Sue')
  const [stored] = await store.query<{ number: string }>(
    sql`update "order" set note = 'Before noon.' where number = (select min(number) from "order") returning number`,
  )
  const slow = await context.newCDPSession(page)
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 2 })
  const typed = async (label: string, path: string) => {
    let begin = () => {}
    const held = new Promise<void>(resolve => {
      begin = resolve
    })
    await page.route(/chunk-.*\.js/, async route => {
      await held
      await route.continue()
    })
    await page.goto(serving.url + path, { waitUntil: 'commit' })
    await page.getByLabel(label, { exact: true }).focus()
    await page.keyboard.press('End')
    await page.keyboard.type('abcdefghijklm')
    begin()
    // On and on, while it is loaded, run, and takes over.
    for (const letter of 'nopqrstuvwxyz') await page.keyboard.type(letter, { delay: 15 })
    for (const letter of '0123456789') await page.keyboard.type(letter, { delay: 30 })
    await live(page)
    await page.keyboard.type('!')
    await page.unrouteAll()
    return page.getByLabel(label, { exact: true }).inputValue()
  }
  const all = 'abcdefghijklmnopqrstuvwxyz0123456789!'
  const edit = `/orders/${stored!.number}/edit`
  expect({
    note: await typed('Note', edit),
    customer: await typed('Customer', '/orders/new'),
  }).toEqual({ note: `Before noon.${all}`, customer: all })
  await context.close()
})
