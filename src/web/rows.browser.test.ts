/** Rows of rows of a form in Chromium: they come, go and change places on every level, and what stands in them stays. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { readSound } from '../run/testing.ts'
import type { Store } from '../store/pool.ts'
import {
  both,
  button,
  desktop,
  findings,
  focused,
  go,
  live,
  open,
  phone,
  picture,
  startBrowsing,
  stopBrowsing,
} from './browsing.ts'

let store: Store

beforeAll(async () => {
  ;({ store } = await startBrowsing(readSound(join(import.meta.dirname, 'fixtures/jobs.md'))))
})
afterAll(stopBrowsing)

/** Every row that is stored of a job, by what it is called, the rows in it behind it. */
const held = async (code: string) =>
  (
    await store.query<Record<string, string | null>>(sql`
      select part.name, task.what, task.minutes, use.item, use.pieces from job
      join part on part.job = job.id left join task on task.part = part.id left join use on use.task = task.id
      where job.code = ${code} order by part.position, task.position, use.position`)
  ).map(row =>
    Object.values(row)
      .filter(value => value !== null)
      .join(' '),
  )

/** What stands in the texts of a form, in its order. */
const standing = (page: Page, last: string) =>
  page
    .locator(`main [name^="parts."][name$=".${last}"]`)
    .evaluateAll(all => all.map(one => (one as HTMLInputElement).value))

const fill = async (page: Page, texts: Readonly<Record<string, string>>) => {
  for (const [label, text] of Object.entries(texts)) await page.getByLabel(label, { exact: true }).fill(text)
}

/** The button that adds a row to the list of this name. */
const add = (page: Page, list: string) => page.locator(`[name=_add][value="${list}"]`).click()

test.each(both)('a job is made with rows on three levels, and changed; scripts %s', async scripts => {
  const { page, context } = await open('Pia', { scripts })
  await go(page, '/jobs/new')
  if (scripts) await live(page)
  const code = `B-${scripts ? 1 : 2}`
  await fill(page, { Code: code, 'Row 1, Name': 'Cleaning' })
  await add(page, 'parts.0.tasks')
  if (scripts) expect(await focused(page)).toBe('parts-0-tasks-0-what')
  await fill(page, { 'Row 1.1, What': 'Mop', 'Row 1.1, Minutes': '30' })
  await add(page, 'parts.0.tasks')
  await fill(page, { 'Row 1.2, What': 'Dust', 'Row 1.2, Minutes': '20' })
  await add(page, 'parts.0.tasks.1.uses')
  await fill(page, { 'Row 1.2.1, Item': 'Cloth', 'Row 1.2.1, Pieces': '3' })
  await add(page, 'parts')
  await fill(page, { 'Row 2, Name': 'Paint' })
  await add(page, 'parts.1.tasks')
  await fill(page, { 'Row 2.1, What': 'Undercoat', 'Row 2.1, Minutes': '500' })
  await add(page, 'parts.1.tasks.0.uses')
  await fill(page, { 'Row 2.1.1, Item': 'Water', 'Row 2.1.1, Pieces': '2' })
  if (scripts) {
    expect(await page.locator('#parts-0 .cellv').allTextContents()).toEqual(['50'])
    await page.locator('#parts > .scrolls > table > tfoot').waitFor()
    expect(await page.locator('#parts > .scrolls > table > tfoot').textContent()).toContain('550')
  }
  await button(page, 'Create job').click()
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('Parts › Paint › Tasks › Undercoat: Minutes')
  const summary = page.getByRole('alert')
  expect(await summary.textContent()).toContain(
    'Parts › Paint › Tasks › Undercoat › Uses › Water: Item 1: 2 of Water spoil',
  )
  expect(await summary.getByRole('link', { name: 'spoil' }).getAttribute('href')).toBe('#parts-1-tasks-0-uses-0')
  await picture(page, `rows-of-rows-refused-${scripts}`)
  // The bar at the foot of a form that is longer than its window covers what passes below it.
  await page.setViewportSize({ ...desktop, height: 2000 })
  if (scripts) expect(await findings(page)).toEqual([])
  await fill(page, { 'Row 2.1, Minutes': '90', 'Row 2.1.1, Item': 'Paint' })
  const move = async (label: string, way: string) => {
    await page.getByRole('button', { name: `Move ${label}`, exact: true }).click()
    await button(page, way).click()
  }
  await move('Row 1.2', 'Move up')
  await expect.poll(() => standing(page, 'what')).toEqual(['Dust', 'Mop', 'Undercoat'])
  if (scripts) {
    expect(await focused(page)).toBe('parts-0-tasks-0-move')
    await page.getByLabel('Row 1.1, What', { exact: true }).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(() => standing(page, 'what')).toEqual(['Mop', 'Dust', 'Undercoat'])
    expect([await focused(page), await standing(page, 'name')]).toEqual(['parts-0-tasks-1-what', ['Cleaning', 'Paint']])
    await page.keyboard.press('Alt+ArrowUp')
  }
  await move('Row 2', 'Move up')
  await expect.poll(() => standing(page, 'what')).toEqual(['Undercoat', 'Dust', 'Mop'])
  expect(await standing(page, 'item')).toEqual(['Paint', 'Cloth'])
  await button(page, 'Create job').click()
  await page.waitForURL(new RegExp(`/jobs/${code}$`))
  await picture(page, `rows-of-rows-shown-${scripts}`)
  const stored = ['Paint Undercoat 90 Paint 2', 'Cleaning Dust 20 Cloth 3', 'Cleaning Mop 30']
  expect(await held(code)).toEqual(stored)
  await go(page, `/jobs/${code}/edit`)
  if (scripts) await live(page)
  await fill(page, { 'Row 2.2, Minutes': '35' })
  await page.getByRole('button', { name: 'Remove Row 2.1.1', exact: true }).click()
  const list = 'parts.1.tasks.0.uses'
  if (scripts) expect(await page.locator('[name=_add]:focus').getAttribute('value')).toBe(list)
  await add(page, 'parts.1.tasks.1.uses')
  await fill(page, { 'Row 2.2.1, Item': 'Soap', 'Row 2.2.1, Pieces': '1' })
  await page.getByRole('button', { name: 'Remove Row 1', exact: true }).click()
  await expect.poll(() => standing(page, 'what')).toEqual(['Dust', 'Mop'])
  expect([await standing(page, 'minutes'), await standing(page, 'item')]).toEqual([['20', '35'], ['Soap']])
  await button(page, 'Save').click()
  await page.waitForURL(new RegExp(`/jobs/${code}$`))
  expect(await held(code)).toEqual(['Cleaning Dust 20', 'Cleaning Mop 35 Soap 1'])
  await context.close()
})

test.each(both)('rows on three levels are no wider than their window; scripts %s', async scripts => {
  const { page, context } = await open('Pia', { scripts })
  await go(page, '/jobs/J-1/edit')
  if (scripts) await live(page)
  await add(page, 'parts.0.tasks.0.uses')
  await page.getByLabel('Row 1.1.1, Item', { exact: true }).fill('Cloth')
  await page.getByLabel('Row 1.1, Minutes', { exact: true }).fill('500')
  await page.locator('[name="parts.1.tasks.0.after"]').fill('2026-03-31')
  for (const viewport of [desktop, { ...desktop, width: 1280 }, { ...desktop, width: 820 }, phone]) {
    await page.setViewportSize(viewport)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    await picture(page, `rows-of-rows-${viewport.width}-${scripts}`)
    expect(overflow, `at ${viewport.width}`).toBe(0)
  }
  await context.close()
})
