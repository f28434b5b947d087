/** For tests: a document served for Chromium, people who sign in with one click, and what every journey asks of a page. */
import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { type Serving, startServing } from '../cli/serving.ts'
import type { App } from '../headings/app.ts'
import { folderFiles } from '../store/files.ts'
import { applyMigration } from '../store/migrate.ts'
import type { Store } from '../store/pool.ts'
import { createTestDatabase, type TestDatabase } from '../store/testing.ts'
import { launchChromium } from '../ui/testing.ts'

export { findings, rulesOfLooks } from '../ui/testing.ts'

const pictures = process.env.NINEFOLD_SCREENSHOTS
export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }
/** With and without scripts. */
export const both = [true, false] as const

/** What consoles, pages and the log complained of. */
export const complaints: string[] = []

const folder = join(tmpdir(), `ninefold-browsing-${process.pid}`)
let database: TestDatabase | undefined
let serving: Serving | undefined
let browser: Browser | undefined
let address = ''

/** Serves a document as `dev` does, on a database of its own, and starts the browser for it. */
export async function startBrowsing(app: App): Promise<{ readonly serving: Serving; readonly store: Store }> {
  database = await createTestDatabase(inject('databaseUrl'), { connections: 8 })
  const { store } = database
  await applyMigration(store, app, null, { now: new Date() })
  serving = await startServing({
    app,
    store,
    files: folderFiles(folder),
    mode: 'dev',
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    clock: () => new Date(),
    log: ({ level, event, detail }) =>
      void (level === 'error' && complaints.push(`${event} ${JSON.stringify(detail)}`)),
    smtp: null,
    from: 'desk@example.com',
    variable: () => undefined,
  })
  address = serving.url
  browser = await launchChromium()
  if (pictures !== undefined) mkdirSync(pictures, { recursive: true })
  return { serving, store }
}

export async function stopBrowsing(): Promise<void> {
  await browser?.close()
  await serving?.close()
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
}

interface As {
  readonly scripts?: boolean
  readonly viewport?: typeof desktop
  readonly colorScheme?: 'light' | 'dark'
  readonly locale?: string
}

/** Somebody's browser, signed in with one click. */
export async function open(name: string, as: As = {}): Promise<{ page: Page; context: BrowserContext }> {
  const { page, context } = await visit(as)
  await page.goto(`${address}/-/sign-in`)
  await page.getByRole('main').getByRole('button', { name }).click()
  await page.locator('.me', { hasText: name }).waitFor({ state: 'attached' })
  return { page, context }
}

/** A browser in which nobody has signed in. */
export async function visit(as: As = {}): Promise<{ page: Page; context: BrowserContext }> {
  const { scripts = true, viewport = desktop, colorScheme = 'light', locale = 'en-GB' } = as
  const context = await browser!.newContext({ javaScriptEnabled: scripts, viewport, colorScheme, locale })
  // Nothing is waited for so long on a machine with nothing else to do.
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  page.on('console', message => void (isWorth(message) && complaints.push(`${page.url()} ${message.text()}`)))
  page.on('pageerror', error => void complaints.push(`${page.url()} ${error.message}`))
  return { page, context }
}

/** That an answer was 404, 409 or 422 is what a test asked for. */
const isWorth = (message: { type: () => string; text: () => string }): boolean =>
  ['error', 'warning'].includes(message.type()) && !/status of 4\d\d/.test(message.text())

/** A day from now on, as forms hold it. */
export const day = (from: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(Date.now() + from * 86_400_000)

/** `until`: `commit` where scripts are held back on purpose; everything else waits for the whole page. */
export async function go(page: Page, path: string, until: 'load' | 'commit' = 'load'): Promise<void> {
  await page.goto(address + path, { waitUntil: until })
}

/** The form answers: its script has taken over. */
export async function live(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const island = document.querySelector('[data-island=form]')
    return island !== null && Object.keys(island).some(key => key.startsWith('__reactContainer'))
  })
}

export async function newLoan(page: Page, scripts: boolean): Promise<void> {
  await go(page, '/loans/new')
  if (scripts) await live(page)
}

export const item = (page: Page, row: number) => page.getByLabel(`Row ${row}, Item`)
/** A step's button is named with its record, for those who do not see where it stands. */
export const step = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name: new RegExp(`^${name} LN-`) })
export const closedStep = (page: Page, name: string) =>
  page.locator('.moves li.no').filter({ has: page.getByText(name, { exact: true }) })
export const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

/** A loan of two days, made without scripts because that is quick; gives its number. */
export async function loan(
  name: string,
  more: { submit?: boolean; damaged?: boolean; item?: string } = {},
): Promise<string> {
  const { page, context } = await open(name, { scripts: false })
  await newLoan(page, false)
  await page.getByLabel('Due back').fill(day(2))
  await item(page, 1).selectOption({ label: more.item ?? 'CA-0001 Sony A7' })
  if (more.damaged === true) await page.getByLabel('Row 1, Damaged').check()
  await button(page, 'Create loan').click()
  const number = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  expect(number).toMatch(/^LN-\d{4}-\d{5}$/)
  if (more.submit === true) await step(page, 'Submit').click()
  await context.close()
  return number
}

export async function picture(page: Page, name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/journey-${name}.png`, fullPage: true })
}

/** What has the focus: its id, its name, or its text. */
export const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const { activeElement: element } = document
    return element?.getAttribute('id') ?? element?.getAttribute('aria-label') ?? element?.textContent ?? null
  })

/** Presses Tab until it comes there, as somebody without a mouse does. */
export async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let at = 0; at < 80; at++) {
    await page.keyboard.press('Tab')
    if ((await focused(page))?.startsWith(wanted)) return
  }
  throw new Error(`Tab never came to ${wanted}.`)
}
