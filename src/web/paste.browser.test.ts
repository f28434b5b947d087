/** What was copied in a spreadsheet goes into rows of a form and over the cells of a list in Chromium. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { loanDesk, readSound } from '../run/testing.ts'
import type { Store } from '../store/pool.ts'
import { complaints, findings, go, loan, open, picture, startBrowsing, stopBrowsing } from './browsing.ts'

let store: Store

beforeAll(async () => {
  const columns = '### Desk board\n\n- **Shows:** board'
  const started = await startBrowsing(
    readSound(loanDesk, text =>
      text.replace(columns, `### My loans\n\n- **Columns:** number, state, purpose, due_back\n\n${columns}`),
    ),
  )
  store = started.store
})
afterAll(stopBrowsing)

/** As the browser does where the focus is. */
const paste = (page: Page, text: string) =>
  page.evaluate(pasted => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement!.dispatchEvent(event)
  }, text)

test('cells of a list: from the one that has the focus on, tried first', async () => {
  const numbers = [await loan('Ben'), await loan('Ben')]
  const { page, context } = await open('Ben')
  await go(page, `/loans?sort=number`)
  const cell = page.locator('tbody tr').filter({ hasText: numbers[0]! }).locator('[data-edits]').first()
  await cell.evaluate(one => {
    one.setAttribute('tabindex', '0')
    ;(one as HTMLElement).focus()
  })
  await paste(page, 'A film\nA talk\n')
  await page.getByText('Possible: 2.').waitFor()
  await picture(page, 'cells-pasted')
  await page.getByRole('button', { name: /^Do it/ }).click()
  await page.getByText('Done: 2.').waitFor()
  const rows = await store.query<{ purpose: string }>(
    sql`select purpose from loan where number = any(${numbers}::text[]) order by number`,
  )
  expect(rows.map(({ purpose }) => purpose)).toEqual(['A film', 'A talk'])
  await page.keyboard.press('z')
  await page
    .getByText(/^Undo: /)
    .first()
    .waitFor()
  await context.close()
})

test.each(['a few, which are all offered', 'many, which are looked for'])(
  'rows of a form, with %s: as many as were copied, and each cell that is not taken is named',
  async which => {
    if (which.startsWith('many'))
      await store.inTransaction(tx =>
        tx.write(sql`insert into item (id, version, created_at, changed_at, tag, name, category, value)
        select gen_random_uuid(), 1, now(), now(), 'LP-' || n, 'Lamp', (select id from category limit 1), 1 from generate_series(1000, 1150) as n`),
      )
    const { page, context } = await open('Ben')
    await go(page, '/loans/new')
    await page.getByRole('button', { name: 'Add' }).first().click()
    const items = page.getByRole('combobox', { name: /^Row \d+, item$/i })
    await items.first().focus()
    await paste(page, 'Sony A7\tyes\r\nNothing like it\tno\r\nLA-0007\tperhaps\r\n')
    await page.getByText('Not filled in: Row 2, Item (Nothing like it); Row 3, Damaged (perhaps).').waitFor()
    const chosen = await items.evaluateAll(all =>
      all.map(one =>
        one instanceof HTMLSelectElement && one.value !== ''
          ? one.selectedOptions[0]!.label
          : (one as HTMLInputElement).value,
      ),
    )
    expect(chosen.map(label => label.split(' · ')[0])).toEqual(['Sony A7', '', 'ThinkPad X1'])
    expect(
      await page
        .getByRole('checkbox', { name: /^Row \d+, damaged$/i })
        .evaluateAll(all => all.map(one => (one as HTMLInputElement).checked)),
    ).toEqual([true, false, false])
    await picture(page, 'rows-pasted')
    expect(await findings(page)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  },
)
