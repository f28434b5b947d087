/** Records in an order by hand in Chromium: rows and cards put elsewhere by drag, by keys, by menu, and without scripts. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { readSound } from '../run/testing.ts'
import type { Store } from '../store/pool.ts'
import {
  both,
  complaints,
  desktop,
  findings,
  go,
  open,
  phone,
  picture,
  signedIn,
  startBrowsing,
  stopBrowsing,
} from './browsing.ts'
import { fieldsOf } from './testing.ts'

let store: Store

beforeAll(async () => {
  ;({ store } = await startBrowsing(readSound(join(import.meta.dirname, 'fixtures/tasks.md'))))
  const anna = await signedIn('Anna')
  for (const name of ['Oak', 'Pine', 'Rowan', 'Sloe']) {
    const form = fieldsOf((await anna.get('/tasks/new')).text, '/tasks/new')
    await anna.post('/tasks/new', { ...form, name, ...(name === 'Pine' ? {} : { urgent: 'yes' }) })
  }
})
beforeEach(() => store.query(sql`update task set position = null`))
afterAll(stopBrowsing)

const rows = (page: Page) => page.locator('tbody .ttl').allTextContents()
const cards = (page: Page) => page.locator('.col[data-state=Open] .card h3').allTextContents()
const handle = (page: Page, name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true })
const way = (page: Page, name: string) => page.locator('.menu:popover-open').getByRole('button', { name, exact: true })

test.each(both)('a row by its menu, also past rows that a filter leaves out; scripts %s', async scripts => {
  const { page, context } = await open('Anna', { scripts })
  await go(page, '/tasks?urgent=yes')
  expect(await rows(page)).toEqual(['Oak', 'Rowan', 'Sloe'])
  await handle(page, 'Sloe').click()
  await way(page, 'Move up').click()
  await expect.poll(() => rows(page)).toEqual(['Oak', 'Sloe', 'Rowan'])
  await page.getByText('Sloe moved.').first().waitFor({ state: 'attached' })
  await handle(page, 'Rowan').click()
  await picture(page, `order-menu-${scripts}`)
  await way(page, 'Move to top').click()
  await expect.poll(() => rows(page)).toEqual(['Rowan', 'Oak', 'Sloe'])
  await handle(page, 'Sloe').click()
  await way(page, 'Move down').click()
  await page.getByText('Sloe moved.').first().waitFor({ state: 'attached' })
  await go(page, '/tasks')
  expect(await rows(page)).toEqual(['Rowan', 'Oak', 'Pine', 'Sloe'])
  await context.close()
})

test.each(both)('a move is undone by its button, or by the key; scripts %s', async scripts => {
  const { page, context } = await open('Anna', { scripts })
  await go(page, '/tasks?urgent=yes')
  await handle(page, 'Sloe').click()
  await way(page, 'Move to top').click()
  await expect.poll(() => rows(page)).toEqual(['Sloe', 'Oak', 'Rowan'])
  await page.getByText('Sloe moved.').first().waitFor()
  await picture(page, `order-undo-${scripts}`)
  if (scripts) expect(await findings(page)).toEqual([])
  await (scripts ? page.keyboard.press('z') : page.getByRole('button', { name: 'Undo' }).click())
  await expect.poll(() => rows(page)).toEqual(['Oak', 'Rowan', 'Sloe'])
  await page.getByText('Undone.').first().waitFor({ state: 'attached' })
  expect(page.url()).toMatch(/\/tasks\?urgent=yes$/)
  await context.close()
})

test('what was moved again since is not put back, and the page says so', async () => {
  const { page, context } = await open('Anna', { scripts: false })
  await go(page, '/tasks')
  await handle(page, 'Sloe').click()
  await way(page, 'Move up').click()
  await store.query(sql`update task set position = 100 where name = 'Sloe'`)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('This was changed again since').waitFor()
  await go(page, '/tasks')
  expect(await rows(page)).toEqual(['Oak', 'Pine', 'Rowan', 'Sloe'])
  await context.close()
})

test('a row by drag and by keys; the handle keeps the focus', async () => {
  const { page, context } = await open('Anna')
  await go(page, '/tasks')
  await handle(page, 'Rowan').dragTo(handle(page, 'Oak'), { steps: 5 })
  await expect.poll(() => rows(page)).toEqual(['Rowan', 'Oak', 'Pine', 'Sloe'])
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Move Rowan')
  expect(await page.locator('.menu:popover-open').count()).toBe(0)
  for (const [key, wanted] of [
    ['Alt+ArrowDown', ['Oak', 'Rowan', 'Pine', 'Sloe']],
    ['Alt+ArrowDown', ['Oak', 'Pine', 'Rowan', 'Sloe']],
    ['Alt+ArrowUp', ['Oak', 'Rowan', 'Pine', 'Sloe']],
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(() => rows(page)).toEqual(wanted)
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Move Rowan')
  }
  expect(await findings(page)).toEqual([])
  await context.close()
})

test.each([desktop, phone])('a card in its column; what it looks like at %o', async viewport => {
  const { page, context } = await open('Anna', { viewport })
  await go(page, '/board')
  expect(await cards(page)).toEqual(['Oak', 'Pine', 'Rowan', 'Sloe'])
  const card = (name: string) => page.locator('.card', { hasText: name })
  await card('Sloe').dragTo(card('Pine'), {
    sourcePosition: { x: 60, y: 50 },
    targetPosition: { x: 60, y: 5 },
    steps: 6,
  })
  await expect.poll(() => cards(page)).toEqual(['Oak', 'Sloe', 'Pine', 'Rowan'])
  await card('Oak').getByRole('button').click()
  await picture(page, `order-board-${viewport.width}`)
  await way(page, 'Move down').click()
  await expect.poll(() => cards(page)).toEqual(['Sloe', 'Oak', 'Pine', 'Rowan'])
  await card('Rowan').getByRole('button').focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(() => cards(page)).toEqual(['Sloe', 'Oak', 'Rowan', 'Pine'])
  expect(await findings(page)).toEqual([])
  await go(page, '/tasks')
  expect(await rows(page)).toEqual(['Sloe', 'Oak', 'Rowan', 'Pine'])
  expect(await findings(page)).toEqual([])
  await picture(page, `order-list-${viewport.width}`)
  await context.close()
})

test('a card by its menu without scripts', async () => {
  const { page, context } = await open('Anna', { scripts: false })
  await go(page, '/board')
  await page.locator('.card', { hasText: 'Rowan' }).getByRole('button').first().click()
  await way(page, 'Move to top').click()
  await expect.poll(() => cards(page)).toEqual(['Rowan', 'Oak', 'Pine', 'Sloe'])
  expect(page.url()).toMatch(/\/board$/)
  await context.close()
})

test('no handle where the order is another one, or the record not theirs to change', async () => {
  const { page, context } = await open('Anna')
  for (const path of ['/sorted', '/tasks?sort=name', '/tasks?_by=owner']) {
    await go(page, path)
    expect([path, (await rows(page)).length, await page.locator('.grip').count()]).toEqual([path, 4, 0])
    expect(await page.locator('script[src*=order]').count()).toBe(0)
  }
  await context.close()
  const other = await open('Ben')
  for (const path of ['/tasks', '/board']) {
    await go(other.page, path)
    expect(await other.page.locator('[name=_move]').count()).toBe(0)
  }
  await other.context.close()
})

test('nobody complained', () => {
  expect(complaints).toEqual([])
})
