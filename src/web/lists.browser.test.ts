/** Lists in Chromium as people use them all day: files out and in, with scripts and without. */
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { readSound } from '../run/testing.ts'
import type { Store } from '../store/pool.ts'
import {
  both,
  button,
  complaints,
  findings,
  focused,
  go,
  open,
  phone,
  picture,
  startBrowsing,
  stopBrowsing,
} from './browsing.ts'

let store: Store

beforeAll(async () => {
  ;({ store } = await startBrowsing(readSound(join(import.meta.dirname, 'fixtures/shed.md'))))
})

afterAll(stopBrowsing)

/** Whatever ran before: twenty tools that are ready, two kinds, and nothing of anybody's. */
beforeEach(async () => {
  for (const text of [
    sql`delete from ninefold.job`,
    sql`delete from ninefold.view`,
    sql`delete from public.tool`,
    sql`delete from public.kind where name not in ('Saw', 'Drill')`,
    sql`insert into public.tool (id, version, created_at, changed_at, state, state_since, code, name, kind, price, count, electric)
        select gen_random_uuid(), 1, now(), now(), 'Ready', now(), 'T-' || n, 'Tool ' || n, k.id, n - 99.5, 1, false
        from public.kind as k, generate_series(100, 119) as n where k.name = 'Saw'`,
  ])
    await store.inTransaction(tx => tx.write(text))
})

afterEach(() => {
  expect(complaints.splice(0)).toEqual([])
})

const tools = (from: number, count: number) =>
  `Code,Name,Kind,Price\n${Array.from({ length: count }, (_, at) => `T-${from + at},Tool ${from + at},Saw,${at + 1}.50\n`).join('')}`

test.each(both)('a broken file is tried, put right and brought in, scripts %s', async scripts => {
  const { page, context } = await open('Kira', { scripts })
  await go(page, '/tools')
  const first = 1000
  const name = scripts ? 'scripts' : 'plain'
  await page.getByRole('link', { name: 'Import' }).first().click()
  if (scripts) expect(await findings(page)).toEqual([])
  const choose = async (content: string) => {
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'tools.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
    await button(page, 'Next: columns').click()
  }
  await choose(`${tools(first, 60)}T-${name},Wrong,Spoon,cheap\n`)
  await picture(page, `import-columns-${name}`)
  if (scripts) expect(await findings(page)).toEqual([])
  await button(page, 'Try it out').click()
  await page
    .getByRole('heading', { name: 'Tried out' })
    .or(page.getByRole('link', { name: 'Look again' }))
    .first()
    .waitFor()
  if (scripts) await page.getByRole('heading', { name: 'Tried out' }).waitFor()
  else
    while ((await page.getByRole('link', { name: 'Look again' }).count()) > 0)
      await page.getByRole('link', { name: 'Look again' }).click()
  expect(await page.locator('#job').textContent()).toContain(
    '60 rows are right, 0 would change nothing, 1 has something wrong.',
  )
  const wrong = page.getByRole('row', { name: /Spoon/ })
  expect(await wrong.textContent()).toContain('Kind was not found')
  await picture(page, `import-tried-${name}`)
  if (scripts) expect(await findings(page)).toEqual([])
  await button(page, 'Bring in the 60 rows that are right').click()
  if (scripts) await page.getByRole('heading', { name: 'Finished' }).waitFor()
  else
    while ((await page.getByRole('link', { name: 'Look again' }).count()) > 0)
      await page.getByRole('link', { name: 'Look again' }).click()
  expect(await page.locator('#job').textContent()).toContain('60 rows done, 0 refused, 0 left.')
  const job = page.url()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: '1 row to correct, as a file' }).click(),
  ])
  await go(page, '/-/import?entity=tool')
  await choose((await text(await file.createReadStream())).replace('Spoon,cheap', `Saw,${first}`))
  await button(page, 'Try it out').click()
  await button(page, 'Bring in the row that is right').click()
  expect(await page.locator('#job').textContent()).toContain('1 row done, 0 refused, 0 left.')
  await page.goto(job)
  await picture(page, `import-done-${name}`)
  await page.setViewportSize(phone)
  await picture(page, `import-done-phone-${name}`)
  await page.getByRole('link', { name: 'Back to the list' }).click()
  expect(await page.getByRole('status').last().textContent()).toMatch(/\d+ tools/)
  await context.close()
})

test.each(both)('filters are put together in a form, scripts %s', async scripts => {
  const { page, context } = await open('Kira', { scripts })
  await go(page, '/tools')
  await page.getByRole('link', { name: 'More filters' }).click()
  if (scripts) {
    await page.getByLabel('Add a filter on').press('Escape')
    await page.getByLabel('Add a filter on').waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe('More filters')
    await page.getByRole('link', { name: 'More filters' }).click()
  }
  const add = async (label: string) => {
    await page.getByLabel('Add a filter on').selectOption({ label })
    if (!scripts) await button(page, 'Add').click()
    return page.getByRole('group', { name: label })
  }
  const row = await add('Kind: Name')
  await row.waitFor()
  expect(await row.getByLabel('Value').evaluate(value => value === document.activeElement)).toBe(true)
  await row.getByLabel('Comparison').selectOption({ label: 'is' })
  await row.getByLabel('Value').fill('Saw')
  const bought = await add('Bought')
  await bought.getByLabel('Comparison').selectOption({ label: 'the last 30 days' })
  const kind = await add('Kind')
  await kind.getByRole('checkbox', { name: 'Saw' }).check()
  await picture(page, `filters-${scripts ? 'scripts' : 'plain'}`)
  if (scripts) expect(await findings(page)).toEqual([])
  await page.locator('.builder').getByRole('button', { name: 'Apply' }).click()
  expect(new URL(page.url()).search).toMatch(/^\?kind\.name\.is=Saw&bought\.within=last-30-days&kind=[-0-9a-f]+$/)
  expect(await page.getByRole('list', { name: 'Active filters' }).textContent()).toContain('Kind Saw')
  expect(await page.getByRole('list', { name: 'Active filters' }).textContent()).toContain('Bought: the last 30 days')
  await page.getByRole('link', { name: 'Columns', exact: true }).click()
  await page.getByLabel('Price').uncheck()
  await page.getByRole('main').getByRole('button', { name: 'Apply' }).last().click()
  expect(await page.getByRole('columnheader', { name: 'Price' }).count()).toBe(0)
  expect(new URL(page.url()).searchParams.get('kind.name.is')).toBe('Saw')
  if (scripts) expect(await findings(page)).toEqual([])
  await context.close()
})

test.each(both)('what is shown is saved as a view, scripts %s', async scripts => {
  const { page, context } = await open('Kira', { scripts })
  const name = `Ready ${scripts}`
  await go(page, '/tools?state=Ready')
  await page.getByRole('link', { name: 'Views', exact: true }).click()
  await page.getByLabel('New view of what is shown').first().fill(name)
  await picture(page, `views-${scripts ? 'scripts' : 'plain'}`)
  if (scripts) expect(await findings(page)).toEqual([])
  await button(page, 'Save as a view').click()
  const tabs = page.getByRole('navigation', { name: 'Views' })
  expect(await tabs.getByRole('link', { name }).getAttribute('aria-current')).toBe('page')
  await tabs.getByRole('link', { name: 'Broken' }).click()
  expect(new URL(page.url()).search).toBe('?_view=broken')
  if (scripts) expect(await findings(page)).toEqual([])
  await context.close()
})

test('views are a menu on a phone', async () => {
  const { page, context } = await open('Kira', { viewport: phone })
  await go(page, '/tools')
  const tabs = page.getByRole('navigation', { name: 'Views' })
  await tabs.getByRole('button', { name: 'All' }).click()
  await picture(page, 'views-phone')
  expect(await findings(page)).toEqual([])
  await tabs.getByRole('link', { name: 'Dear' }).click()
  expect(await tabs.getByRole('button', { name: 'Dear' }).count()).toBe(1)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await picture(page, 'list-phone')
  await context.close()
})

test.each(both)('several tools are broken at once, and each is told apart, scripts %s', async scripts => {
  const { page, context } = await open('Kira', { scripts })
  await go(page, '/tools?state=Ready')
  await page
    .getByRole('checkbox', { name: /^Select .*T-/ })
    .nth(0)
    .check()
  await page
    .getByRole('checkbox', { name: /^Select .*T-/ })
    .nth(1)
    .check()
  await picture(page, `bulk-${scripts ? 'scripts' : 'plain'}`)
  // The menu of a row, by keyboard; without scripts what it offers is on the record's page.
  const menus = page.getByRole(scripts ? 'button' : 'link', { name: /^Actions for .*T-/ })
  const ways = async () => {
    const links = await page.locator('#row-menu').getByRole('link').all()
    return Promise.all(links.map(async link => [await link.textContent(), await link.getAttribute('href')]))
  }
  const code = (at: number) => page.locator('tbody a.ttl').nth(at).textContent()
  if (scripts) {
    await menus.nth(0).press('Enter')
    const first = await code(0)
    expect(await ways()).toEqual([
      ['Break', `/tools/${first}/do/break`],
      ['Give away', `/tools/${first}/do/give_away`],
      ['Edit', `/tools/${first}/edit`],
      ['Duplicate', `/tools/new?_copy=${first}`],
      ['Delete', `/tools/${first}/delete`],
    ])
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Break')
    await picture(page, 'row-menu')
    expect(await findings(page)).toEqual([])
    // Another row's, which it does not cover, while it is open.
    await menus.nth(12).click()
    expect(await ways()).toContainEqual(['Edit', `/tools/${await code(12)}/edit`])
    await page.keyboard.press('Escape')
    expect(await page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0)
    expect(await menus.nth(12).evaluate(button => button === document.activeElement)).toBe(true)
    await menus.nth(12).click()
    await menus.nth(12).click()
    expect(await ways()).toEqual([])
  } else {
    const first = (await code(0)) ?? ''
    const href = await menus.first().getAttribute('href')
    expect(href).toBe(await page.locator('tbody a.ttl').first().getAttribute('href'))
    const { page: other, context: also } = await open('Kira', { scripts })
    await go(other, href ?? '')
    expect(new URL(other.url()).pathname).toBe(`/tools/${first}`)
    for (const name of [/^Edit/, /^Break/, /^Delete/])
      expect(await other.getByRole('link', { name }).or(other.getByRole('button', { name })).count()).toBeGreaterThan(0)
    await also.close()
  }
  // From the top: what the strip of `dev` half covers is no finding of the page.
  await page.evaluate(() => window.scrollTo(0, 0))
  if (scripts) expect(await findings(page)).toEqual([])
  await page.getByRole('group', { name: 'Selected records' }).getByRole('button', { name: 'Break' }).click()
  expect(await page.locator('#job').textContent()).toContain('Possible: 2.')
  await button(page, 'Do it for these 2').click()
  expect(await page.locator('#job').textContent()).toContain('Done: 2.')
  if (scripts) expect(await findings(page)).toEqual([])
  await page.getByRole('link', { name: 'Back to the list' }).click()
  expect(new URL(page.url()).search).toBe('?state=Ready')
  await context.close()
})

test.each(both)('a field is changed on several tools, scripts %s', async scripts => {
  const { page, context } = await open('Kira', { scripts })
  await go(page, '/tools?state=Ready')
  await page
    .getByRole('checkbox', { name: /^Select .*T-/ })
    .nth(3)
    .check()
  await page.getByRole('group', { name: 'Selected records' }).getByRole('button', { name: 'Change a field' }).click()
  await page.getByLabel('Field', { exact: true }).selectOption({ label: 'Kind' })
  if (scripts) expect(await findings(page)).toEqual([])
  await button(page, 'Next: the value').click()
  await page.getByLabel('Kind').selectOption({ label: 'Drill' })
  await picture(page, `bulk-edit-${scripts ? 'scripts' : 'plain'}`)
  if (scripts) expect(await findings(page)).toEqual([])
  await button(page, 'Try it out').click()
  await button(page, 'Do it for this one').click()
  expect(await page.locator('#job').textContent()).toContain('Done: 1.')
  await context.close()
})

test('a list with rows, sums and a selection is fit for a phone, in the dark', async () => {
  const long = sql`update public.tool set name = repeat('Kettensaege', 5) where code = 'T-119'`
  await store.inTransaction(tx => tx.write(long))
  const { page, context } = await open('Kira', { viewport: phone, colorScheme: 'dark' })
  await go(page, '/tools?state=Ready')
  await page
    .getByRole('checkbox', { name: /^Select .*T-/ })
    .nth(0)
    .check()
  await picture(page, 'list-phone-dark')
  expect(await page.locator('tfoot .c-amt').getByText('€').isVisible()).toBe(true)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(await findings(page)).toEqual([])
  // A word that is wider than its column is broken, so that nothing of the row is out of sight.
  for (const width of [phone.width, 480, 820]) {
    await page.setViewportSize({ width, height: 800 })
    expect(
      await page.$$eval('.tw, .also', all => all.filter(one => one.scrollWidth > one.clientWidth)),
      `${width}`,
    ).toEqual([])
  }
  await page.setViewportSize(phone)
  await go(page, '/-/search?q=Kettensaege')
  expect(await page.$$eval('.what', all => all.map(one => one.scrollWidth > one.clientWidth))).toEqual([false])
  await context.close()
})

test('who turns the page of a list goes on at its rows, and an import is read from its title', async () => {
  await store.inTransaction(tx =>
    tx.write(
      sql`insert into public.tool select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'code', 'U-' || n))).*
        from public.tool as t, generate_series(100, 139) as n where t.code = 'T-100'`,
    ),
  )
  const { page, context } = await open('Kira')
  await go(page, '/tools?sort=code')
  const isInRows = () => page.evaluate(() => document.activeElement?.matches('.listform section') ?? false)
  for (const name of ['Next', 'Next', 'First page']) {
    const before = page.url()
    await page.getByRole('link', { name, exact: true }).press('Enter')
    await page.waitForURL(url => url.href !== before)
    await expect.poll(isInRows).toBe(true)
  }
  await page.keyboard.press('j')
  await expect.poll(() => focused(page)).toBe('T-100')
  await go(page, '/-/import?entity=tool')
  await expect.poll(() => focused(page)).toBe('Import tools')
  await context.close()
})

test('a cell turns into its control, is refused and saved where it stands, by keyboard alone', async () => {
  // So many that they are looked for.
  await store.inTransaction(tx =>
    tx.write(
      sql`insert into public.kind select (jsonb_populate_record(k, jsonb_build_object('id', gen_random_uuid(), 'name', 'Kind ' || n))).*
        from public.kind as k, generate_series(100, 199) as n where k.name = 'Saw'`,
    ),
  )
  const { page, context } = await open('Kira')
  await go(page, '/tools?sort=code')
  await page.locator('#filter-state').focus()
  // Gone through, not chosen yet.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.type('Rea')
  expect(page.url()).not.toContain('state=')
  await page.keyboard.press('Tab')
  await page.waitForURL(/state=Ready/)
  const [order, unsorted] = [page.locator('thead a').first(), page.url()]
  const name = await order.textContent()
  await order.press('Enter')
  await page.waitForURL(url => url.href !== unsorted)
  await expect.poll(() => focused(page)).toBe(name)
  await go(page, '/tools?state=Ready&sort=code')
  const row = page.locator('tbody tr').nth(4)
  const price = () => row.locator('td.num').first()
  const total = await page.locator('tfoot').textContent()
  // From the link of a title, too.
  await page.locator('tbody [role=rowheader][tabindex="0"] a').first().focus()
  for (let at = 0; at < 4; at++) await page.keyboard.press('ArrowDown')
  for (let at = 0; at < 4; at++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const control = page.getByRole('textbox', { name: /^Price, / })
  await control.fill('-2')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('must be at least').waitFor()
  await picture(page, 'cell-refused')
  expect(await findings(page)).toEqual([])
  await page.keyboard.press('Escape')
  expect(await price().textContent()).not.toContain('-2')
  await page.keyboard.press('F2')
  await control.fill('1234.5')
  await page.keyboard.press('Enter')
  await row.getByRole('gridcell', { name: '€1,234.50' }).waitFor()
  expect(await page.locator('tfoot').textContent()).not.toBe(total)
  expect(await page.getByRole('status').allTextContents()).toContainEqual(
    expect.stringMatching(/^Price of .* is saved/),
  )
  expect(await price().evaluate(cell => cell === document.activeElement)).toBe(true)
  // Not to be changed: Enter goes to what is in it.
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  expect(await page.locator('form.cellform').count()).toBe(0)
  // A record is looked for as in a form: chosen with one Enter, saved with the next.
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  const kind = page.getByRole('combobox', { name: /^Kind, / })
  expect(await kind.evaluate(one => one === document.activeElement)).toBe(true)
  await kind.fill('ind 17')
  await page.getByRole('option', { name: 'Kind 177' }).waitFor()
  await picture(page, 'cell-picker')
  expect(await findings(page)).toEqual([])
  await page.keyboard.press('Escape')
  expect(await kind.count(), 'only the list is closed').toBe(1)
  await kind.fill('Kind 177')
  await page.getByRole('option', { name: 'Kind 177' }).waitFor()
  await page.keyboard.press('Enter')
  expect(await kind.inputValue()).toBe('Kind 177')
  await page.keyboard.press('Enter')
  await row.getByRole('gridcell', { name: 'Kind 177' }).waitFor()
  // A double click, another field, and leaving saves.
  await row.locator('td').nth(1).dblclick()
  await page.getByRole('textbox', { name: /^Name, / }).fill('Cell of a list')
  await page.getByRole('link', { name: 'More filters' }).focus()
  await row.getByRole('gridcell', { name: 'Cell of a list', exact: true }).waitFor()
  expect(await findings(page)).toEqual([])
  await picture(page, 'cell-saved')
  // Half a date is not sent as none.
  const sent: string[] = []
  page.on('request', request => void (request.method() === 'POST' && sent.push(request.url())))
  await row.locator('td').nth(6).dblclick()
  const bought = page.locator('#cell-bought')
  await bought.press('1')
  await bought.press('Enter')
  await bought.press('Escape')
  expect([sent, await bought.count()]).toEqual([[], 0])
  // A menu that is left does not stay open over the page.
  await row.getByRole('button', { name: /^Actions for/ }).press('Enter')
  await page.locator('.menu:popover-open :focus').waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('Tab')
  expect(await page.locator('.menu:popover-open').count()).toBe(0)
  // What was just saved is taken back by a key.
  await row.locator('td').nth(1).dblclick()
  await page.getByRole('textbox', { name: /^Name, / }).fill('A slip')
  await page.keyboard.press('Enter')
  await row.getByRole('gridcell', { name: 'A slip', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Undo' }).isVisible()).toBe(true)
  expect(await findings(page)).toEqual([])
  await picture(page, 'cell-undo')
  await page.keyboard.press('z')
  await page.locator('.flash', { hasText: 'Undone.' }).waitFor()
  await row.getByRole('gridcell', { name: 'Cell of a list', exact: true }).waitFor()
  await context.close()
})

test.each(both)('a record opened from a list has its neighbours, its tabs and its paper, scripts %s', async scripts => {
  const { page, context } = await open('Kira', {
    scripts,
    ...(scripts ? {} : { viewport: phone, colorScheme: 'dark' }),
  })
  await go(page, '/tools?state=Ready&sort=code')
  const codes = await page.locator('tbody a.ttl').allTextContents()
  await page.locator('tbody a.ttl').nth(1).click()
  // On a phone the tabs are a menu.
  if (!scripts) await button(page, 'Overview').click()
  await page.getByRole('link', { name: 'Care' }).click()
  expect(await page.getByRole('heading', { name: 'Service' }).isVisible()).toBe(true)
  expect(await page.getByRole('heading', { name: 'Purchase' }).isVisible()).toBe(false)
  await picture(page, `record-tabs-${scripts ? 'scripts' : 'phone-dark'}`)
  if (scripts) expect(await findings(page)).toEqual([])
  else expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await page.getByRole('link', { name: /^Next: / }).click()
  expect(new URL(page.url()).pathname).toBe(`/tools/${codes[2]}`)
  // On paper there are no tabs: everything is there.
  await page.emulateMedia({ media: 'print' })
  for (const name of ['Details', 'Purchase', 'Service', 'Anything else'])
    expect(await page.getByRole('heading', { name }).isVisible()).toBe(true)
  await picture(page, `record-paper-${scripts ? 'scripts' : 'plain'}`)
  await page.emulateMedia({ media: null })
  await page.getByRole('link', { name: 'Tools', exact: true }).last().click()
  expect(new URL(page.url()).search).toBe('?state=Ready&sort=code')
  await context.close()
})

test('what is shown leaves as a file', async () => {
  const { page, context } = await open('Kira')
  await go(page, '/tools/new')
  const { origin } = new URL(page.url())
  const token = await page.locator('[name=_csrf]').first().inputValue()
  const kinds = await (await page.request.get(`${origin}/api/v1/kind`)).json()
  const made = await page.request.post(`${origin}/api/v1/tool`, {
    data: { code: 'F-1', name: 'Tool of a file', kind: kinds.data[0].id, price: '1.50' },
    headers: { origin, 'x-csrf-token': token },
  })
  expect(made.status()).toBe(201)
  await go(page, '/tools?q=Tool')
  await button(page, 'Export').click()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV, these tools' }).click()
  expect((await download).suggestedFilename()).toMatch(/^tools-\d{4}-\d\d-\d\d\.csv$/)
  await context.close()
})

test('the page of a job fits on a phone', async () => {
  const { page, context } = await open('Kira', { viewport: phone })
  await go(page, '/-/import?entity=tool')
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('Code,Name\nX,\n') })
  await button(page, 'Next: columns').click()
  await button(page, 'Try it out').click()
  await picture(page, 'import-tried-phone')
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(await findings(page)).toEqual([])
  await context.close()
})
