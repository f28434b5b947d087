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
import { createTestDatabase, preparedTemplate, type TestDatabase } from '../store/testing.ts'
import { connectChromium } from '../ui/testing.ts'
import { fieldsOf, TestBrowser } from './testing.ts'

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
  const server = inject('databaseUrl')
  database = await createTestDatabase(server, { connections: 8 }, await preparedTemplate(server))
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
  browser = await connectChromium()
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

/**
 * Somebody's browser, signed in already, on the page that they come to. How one signs in is looked at in `sign-in/` and, by a click on each of
 * the demo people, in `examples.browser.test.ts`.
 */
export async function open(name: string, as: As = {}): Promise<{ page: Page; context: BrowserContext }> {
  const { page, context } = await visit(as)
  const { cookies } = await signedIn(name)
  await context.addCookies(
    [...cookies].map(([name, value]) => ({ name, value, url: address, httpOnly: true, sameSite: 'Lax' as const })),
  )
  await page.goto(address)
  await page.locator('.me', { hasText: name }).waitFor({ state: 'attached' })
  return { page, context }
}

/** The same without Chromium. */
export async function signedIn(name: string): Promise<TestBrowser> {
  const browser = new TestBrowser(address)
  const { text } = await browser.get('/-/sign-in')
  const [, person] = new RegExp(`value="([^"]+)" name="person"(?:(?!</button>).)*<strong>${name}`, 's').exec(text) ?? []
  if (person === undefined) throw new Error(`Nobody is named ${name}.`)
  await browser.signIn(person)
  return browser
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
  page.getByRole('main').getByRole('button', { name: new RegExp(`^${name} .+ · LN-`) })
export const closedStep = (page: Page, name: string) =>
  page.locator('.moves li.no').filter({ has: page.getByText(name, { exact: true }) })
export const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

/** A loan of two days, made by form and without Chromium because that is quick; gives its number. */
export async function loan(
  name: string,
  more: { submit?: boolean; damaged?: boolean; item?: string } = {},
): Promise<string> {
  const browser = await signedIn(name)
  const form = '/loans/new'
  const wanted = more.item ?? 'Sony A7 · CA-0001'
  const page = await browser.get(form)
  const chosen = new RegExp(`<option value="([^"]+)"[^>]*>${wanted}<`).exec(page.text)?.[1] ?? ''
  const created = await browser.post(form, {
    ...fieldsOf(page.text, form),
    due_back: day(2),
    'lines.0.item': chosen,
    ...(more.damaged === true ? { 'lines.0.damaged': 'yes' } : {}),
  })
  const [number = ''] = /LN-\d{4}-\d{5}/.exec(created.location ?? '') ?? []
  expect(created.location, created.text).toContain(`/loans/${number}`)
  expect(number).not.toBe('')
  if (more.submit === true) {
    const submitted = await browser.submit(`/loans/${number}/do/submit`, `/loans/${number}/do/submit`)
    expect(submitted.status).toBe(303)
  }
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
