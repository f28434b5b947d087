/** Every screen of every example in Chromium, as everybody who may open it: what axe finds, on a desktop and on a phone in the dark, and in German; and that nothing moves once it is there. */
import { basename, join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { addressesOf, demoPeople, signInAs } from '../../scripts/addresses.ts'
import { someOf } from '../../scripts/limits.ts'
import { exampleFiles } from '../headings/testing.ts'
import { readSound } from '../run/testing.ts'
import {
  complaints,
  desktop,
  findings,
  live,
  phone,
  rulesOfLooks,
  startBrowsing,
  stopBrowsing,
  visit,
} from './browsing.ts'

const examples = join(import.meta.dirname, '../../examples')

afterEach(async () => {
  complaints.length = 0
  await stopBrowsing()
})

const sideways = async (page: Page, path: string): Promise<readonly string[]> =>
  (await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth))
    ? [`${path} scrolls sideways`]
    : []

/** Notes what moves on a page that nobody touches, its scripts and pictures coming late. */
const watch = () => {
  const shifts: unknown[] = []
  Object.assign(window, { shifts })
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) shifts.push((entry as unknown as { readonly value: number }).value)
  }).observe({ type: 'layout-shift', buffered: true })
}
const moved = async (page: Page, path: string): Promise<readonly string[]> => {
  if ((await page.locator('script[src*="/form."]').count()) > 0) await live(page)
  const shifts = await page.evaluate(() => (window as unknown as { readonly shifts: readonly number[] }).shifts)
  return shifts.map(value => `${path} moves by ${value}`)
}

/** Of all documents, what is Ninefold's own looks the same: it is looked at where it is English, and where it is German. */
const withOwnPages = ['loan-desk.md', 'absence-desk.md', 'specification.md']

test.each(someOf(exampleFiles, 3))('%s', async file => {
  const { serving } = await startBrowsing(readSound(join(examples, file)))
  const { url } = serving
  const isGerman = basename(file) === 'absence-desk.md'
  const { page, context } = await visit(isGerman ? { locale: 'de-DE' } : {})
  await context.addInitScript(watch)
  const people = await demoPeople(page, url)
  const seen = new Set<string>()
  const found: string[] = []
  const look = async (path: string) => {
    if (seen.has(path) || (path.startsWith('/-/') && !withOwnPages.includes(basename(file)))) return
    seen.add(path)
    // Without transitions: what is measured is what stays.
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await page.setViewportSize(desktop)
    await page.goto(url + path)
    found.push(...(await moved(page, path)), ...(await findings(page)), ...(await sideways(page, path)))
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize(phone)
    found.push(...(await findings(page, rulesOfLooks)), ...(await sideways(page, path)))
  }
  for (const path of ['/-/sign-in', '/-/password']) await look(path)
  for (const part of ['', '/states', '/entities', '/permissions', '/versions']) await look(`/-/document${part}`)
  expect(await page.locator('html').getAttribute('lang')).toMatch(isGerman ? /^de/ : /^en/)
  for (const path of await addressesOf(page, url)) await look(path)
  const byVisitors = seen.size
  seen.clear()
  for (const person of people) {
    await signInAs(page, url, person)
    for (const path of await addressesOf(page, url)) await look(path)
  }
  expect(byVisitors + seen.size).toBeGreaterThan(5)
  expect(found).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})
