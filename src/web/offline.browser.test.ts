/** A connection that goes and comes back, in Chromium: what a page says then, what stays, and what an application on a home screen shows. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSound } from '../run/testing.ts'
import { button, findings, go, live, open, phone, picture, signedIn, startBrowsing, stopBrowsing } from './browsing.ts'
import { fieldsOf } from './testing.ts'

beforeAll(async () => {
  await startBrowsing(readSound(join(import.meta.dirname, 'fixtures/tasks.md')))
})
afterAll(stopBrowsing)

let made = 0

/** A task with a name that no other one has; gives it. */
const created = async () => {
  const name = `Tree ${++made}`
  const anna = await signedIn('Anna')
  const form = fieldsOf((await anna.get('/tasks/new')).text, '/tasks/new')
  expect((await anna.post('/tasks/new', { ...form, name })).status).toBe(303)
  return name
}

test('a page says of when it is, nothing leads away from it, and it looks again once there is a connection', async () => {
  const oak = await created()
  const { page, context } = await open('Anna', { viewport: phone })
  await go(page, '/tasks')
  const said = page.getByText(/^No connection\. What you see is as of \d\d:\d\d/)
  await context.setOffline(true)
  await said.waitFor()
  expect(await findings(page)).toEqual([])
  await picture(page, 'offline-list')
  await page.getByRole('link', { name: oak }).first().click()
  const search = page.getByRole('searchbox', { name: 'Search' })
  await search.fill('x')
  await search.press('Enter')
  await page.getByRole('button', { name: `Move ${oak}` }).press('Alt+ArrowUp')
  await said.waitFor()
  expect([new URL(page.url()).pathname, await search.inputValue()]).toEqual(['/tasks', 'x'])
  const pine = await created()
  await context.setOffline(false)
  await page.getByText('1 changed').waitFor()
  expect(await said.count()).toBe(0)
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByRole('link', { name: pine }).first().waitFor()
  await page.getByRole('link', { name: oak }).first().click()
  await page.waitForURL(/\/tasks\/Tree/)
  await context.close()
})

test('a form keeps what was typed, and its draft is kept once there is a connection', async () => {
  const { page, context } = await open('Anna')
  await go(page, '/tasks/new')
  await live(page)
  await context.setOffline(true)
  await page.getByLabel('Name', { exact: true }).fill('Rowan')
  await button(page, 'Create task').click()
  await page.getByText('No connection: nothing was sent.').waitFor()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByText(/^No connection\. What you see/).waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Rowan')
  await picture(page, 'offline-form')
  await context.setOffline(false)
  await page.getByText(/Draft kept \d\d:\d\d/).waitFor()
  await button(page, 'Create task').click()
  await page.waitForURL(/\/tasks/)
  await page.getByText('Rowan').first().waitFor()
  await context.close()
})

test('on a home screen there is a page of ours for that, with nothing of anybody in it; elsewhere nothing is kept', async () => {
  const oak = await created()
  const { page, context } = await open('Anna')
  const kept = () =>
    page.evaluate(async () => {
      const caches = await globalThis.caches.keys()
      return [caches.length, (await navigator.serviceWorker.getRegistrations()).length]
    })
  expect(await kept()).toEqual([0, 0])
  await page.addInitScript(() => {
    const { matchMedia } = globalThis
    globalThis.matchMedia = query =>
      query.includes('standalone') ? ({ ...matchMedia(query), matches: true } as MediaQueryList) : matchMedia(query)
  })
  await go(page, '/tasks')
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  expect(await kept()).toEqual([1, 1])
  await context.setOffline(true)
  await go(page, `/tasks/${oak}`)
  await page.getByRole('heading', { name: 'No connection' }).waitFor()
  expect(await page.content()).not.toMatch(/Anna|Tree/)
  expect(await findings(page)).toEqual([])
  await picture(page, 'offline-start')
  await context.setOffline(false)
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: oak }).waitFor()
  await context.close()
})
