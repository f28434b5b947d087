/** The gallery in Chromium, without any script and under the product's strict content policy: no accessibility finding, nothing clipped. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { screenSheets } from '../../kinds/screens/pages.ts'
import { readerOf } from '../reader.tsx'
import { renderPage } from '../shell.tsx'
import { bundleStyles } from '../styles.ts'
import { connectChromium, findings } from '../testing.ts'
import { gallery } from './gallery.tsx'

const policy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; script-src 'none'; form-action 'self'; base-uri 'none'"
const pictures = process.env.NINEFOLD_SCREENSHOTS
const styles = bundleStyles('/assets', screenSheets)
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
const themes = ['light', 'dark'] as const
let server: Server
let browser: Browser
let address: string
let names: readonly string[]

beforeAll(async () => {
  const assets = (width: number) => ({
    styles: `/assets/${styles.name}`,
    beside: '/assets/source.css',
    fonts: styles.fonts.filter(font => font.width === width).map(({ name }) => `/assets/${name}`),
    scripts: [],
    icon: null,
  })
  const pages = new Map<string, string>()
  for (const locale of ['en-GB', 'de-DE', 'ar']) {
    const reader = readerOf({
      locale,
      zone: 'Europe/Berlin',
      provenance: true,
      document: '/_document',
    })
    for (const theme of themes)
      for (const density of [null, 'compact'] as const)
        for (const [name, page] of await gallery({
          reader,
          assets: assets(density === null ? 100 : 90),
          theme,
          density,
        }))
          pages.set(`/${locale}/${theme}/${density ?? 'comfortable'}/${name}`, renderPage(page))
  }
  names = [...pages.keys()]
    .filter(path => path.startsWith('/en-GB/light/comfortable/'))
    .map(path => path.split('/')[4] as string)
  server = createServer((request, response) => {
    const path = request.url as string
    const font = styles.fonts.find(one => path === `/assets/${one.name}`)
    const page = pages.get(path)
    response.setHeader('content-security-policy', policy)
    if (page !== undefined) response.setHeader('content-type', 'text/html; charset=utf-8').end(page)
    else if (path === `/assets/${styles.name}`) response.setHeader('content-type', 'text/css').end(styles.css)
    else if (path === '/assets/source.css') response.setHeader('content-type', 'text/css').end(styles.beside.source)
    else if (font !== undefined) response.setHeader('content-type', 'font/woff2').end(readFileSync(font.path))
    else response.writeHead(404).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await connectChromium()
  if (pictures !== undefined && !existsSync(pictures)) mkdirSync(pictures, { recursive: true })
})

afterAll(async () => {
  await browser?.close()
  server?.close()
})

test('a picture that says nothing to whoever does not see it is a finding', async () => {
  const page = await browser.newPage()
  await page.setContent('<!doctype html><html lang="en"><title>One</title><main><h1>One</h1><img src="data:,"></main>')
  expect(await findings(page)).toEqual([expect.stringContaining(' image-alt: <img src="data:,">')])
  await page.close()
})

test.each(themes.flatMap(theme => (['desktop', 'phone'] as const).map(size => [theme, size] as const)))(
  'every page, %s, %s: no finding, no sideways scroll, no refused style',
  async (theme, size) => {
    const context = await browser.newContext({ viewport: sizes[size], colorScheme: theme })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', message => complaints.push(message.text()))
    for (const name of names) {
      await page.goto(`${address}/en-GB/${theme}/comfortable/${name}`)
      await picture(page, `${name}-${size}-${theme}`)
      expect(await findings(page), name).toEqual([])
      expect(await sideways(page), name).toBeLessThanOrEqual(0)
    }
    // The browser says what the content policy refused.
    expect(complaints.filter(text => !text.includes('favicon') && !text.includes('404'))).toEqual([])
    await context.close()
  },
)

// The pages have no script of their own; axe needs the engine, so it looks on in the second round only.
test.each([false, true])('menus, questions, filters and the phone’s navigation open, scripting %s', async scripting => {
  const context = await browser.newContext({ viewport: sizes.desktop, javaScriptEnabled: scripting })
  const clean = async () => expect(scripting ? await findings(page) : []).toEqual([])
  const page = await context.newPage()
  await page.goto(`${address}/en-GB/light/comfortable/list`)
  await page.getByRole('button', { name: 'Actions for LN-2026-00005' }).press('Enter')
  await page.getByRole('button', { name: 'Approve' }).first().waitFor({ state: 'visible' })
  await page.getByRole('checkbox', { name: 'Select LN-2026-00007' }).check({ force: true })
  await picture(page, 'open-menu')
  await clean()
  expect(await page.getByRole('group', { name: 'Selected records' }).isVisible()).toBe(true)
  await page.goto(`${address}/en-GB/light/comfortable/list`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  expect(await page.getByLabel('Purpose contains').isVisible()).toBe(true)
  await picture(page, 'open-more')
  await page.goto(`${address}/en-GB/light/comfortable/record`)
  await page.getByRole('button', { name: 'Decline LN-2026-00007' }).click()
  expect(await page.getByRole('dialog', { name: 'Decline LN-2026-00007?' }).isVisible()).toBe(true)
  await picture(page, 'open-ask')
  await clean()
  await page.keyboard.press('Escape')
  expect(await page.getByRole('dialog').isVisible()).toBe(false)
  await page.goto(`${address}/en-GB/light/comfortable/board`)
  await page.getByRole('button', { name: 'Move LN-2026-00007 to…' }).click()
  await picture(page, 'open-move')
  await clean()
  await page.setViewportSize(sizes.phone)
  await page.goto(`${address}/en-GB/light/comfortable/list`)
  await page.getByRole('button', { name: /^Filters/ }).click()
  expect(await page.getByLabel('Sorted by').isVisible()).toBe(true)
  expect(await page.getByLabel('Purpose contains').isVisible()).toBe(true)
  await picture(page, 'open-filters')
  await clean()
  await page.goto(`${address}/en-GB/light/comfortable/list`)
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('button', { name: 'Account of Cleo Marchetti' }).click()
  await picture(page, 'open-side')
  expect(await page.getByRole('button', { name: 'Sign out' }).isVisible()).toBe(true)
  await clean()
  await context.close()
})

test('Enter in a form saves; Enter in a row’s box does nothing', async () => {
  const context = await browser.newContext({ viewport: sizes.desktop, javaScriptEnabled: false })
  const page = await context.newPage()
  // Nothing answers a POST here; an empty answer leaves the page as it is.
  await page.route('**', (route, request) =>
    request.method() === 'POST' ? route.fulfill({ status: 204 }) : route.continue(),
  )
  await page.goto(`${address}/en-GB/light/comfortable/form`)
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('summary')
  const posted = page.waitForRequest(request => request.method() === 'POST')
  await page.getByLabel('Row 1, value').press('Enter')
  expect((await posted).postData()).toContain('do=save')
  await page.goto(`${address}/en-GB/light/comfortable/list`)
  const requests: string[] = []
  page.on('request', request => requests.push(request.method()))
  await page.getByRole('checkbox', { name: 'Select LN-2026-00007' }).press('Enter')
  await page.waitForTimeout(200)
  expect(requests).toEqual([])
  await context.close()
})

test('nothing is lost, clipped or pushed sideways: compact, tablet, German, right to left, 400 % zoom', async () => {
  const context = await browser.newContext({ viewport: { width: 820, height: 1100 } })
  const page = await context.newPage()
  for (const name of names) {
    await page.goto(`${address}/de-DE/light/compact/${name}`)
    await picture(page, `${name}-tablet-german`)
    expect(await sideways(page), `${name} tablet`).toBeLessThanOrEqual(0)
    // 1280 CSS pixels at 400 % are 320.
    await page.setViewportSize({ width: 320, height: 640 })
    await picture(page, `${name}-320-german`)
    expect(await sideways(page), `${name} 320`).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 820, height: 1100 })
    await page.goto(`${address}/ar/light/comfortable/${name}`)
    await picture(page, `${name}-rtl`)
    expect(await sideways(page), `${name} right to left`).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize(sizes.phone)
  await page.goto(`${address}/en-GB/light/comfortable/list`)
  // biome-ignore lint/performance/useDomNodeTextContent: what is seen counts here, not what is in the page
  const shown = await page.locator('tbody tr', { hasText: 'LN-2026-00005' }).innerText()
  for (const text of ['Ines Costa', '€1,000,000.00', 'Out', '10 Mar', 'Trade fair in Milan'])
    expect(shown).toContain(text)
  // A card is a title, a line under it and the state; a row in compact is 32 pixels.
  const heights = () =>
    page.locator('tbody tr').evaluateAll(rows => rows.map(row => row.getBoundingClientRect().height))
  expect((await heights()).slice(0, 2)).toEqual([87, 87])
  await page.setViewportSize(sizes.desktop)
  await page.goto(`${address}/en-GB/light/compact/list`)
  expect(Math.min(...(await heights()))).toBe(32)
  await context.close()
})

test('a board scrolls by itself, its cards stay in their columns', async () => {
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${address}/en-GB/light/comfortable/board`)
  expect(await sideways(page)).toBeLessThanOrEqual(0)
  const wider = await page
    .locator('.col')
    .evaluateAll(columns => columns.map(column => column.scrollWidth > column.clientWidth))
  expect(wider).toEqual([false, false, false, false])
  await context.close()
})

test('text may be spaced out as WCAG 1.4.12 asks, and twice as large as 1.4.4 asks', async () => {
  const context = await browser.newContext({ viewport: sizes.phone, bypassCSP: true })
  const page = await context.newPage()
  for (const name of names) {
    await page.goto(`${address}/de-DE/light/comfortable/${name}`)
    await page.addStyleTag({
      content:
        '*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important} p{margin-block-end:2em!important}',
    })
    await picture(page, `${name}-spaced`)
    expect(await sideways(page), name).toBeLessThanOrEqual(0)
    expect(await overlaps(page), name).toEqual([])
  }
  for (const [name, size] of [
    ['list', 'phone'],
    ['list', 'desktop'],
    ['record', 'desktop'],
    ['form', 'desktop'],
  ] as const) {
    await page.setViewportSize(sizes[size])
    await page.goto(`${address}/de-DE/light/comfortable/${name}`)
    await page.addStyleTag({ content: 'html{font-size:200%!important}' })
    await picture(page, `${name}-${size}-twice`)
    expect(await sideways(page), `${name} ${size}`).toBeLessThanOrEqual(0)
    expect(await overlaps(page), `${name} ${size}`).toEqual([])
    const narrow = await page.$$eval('main .sheet', all => all.filter(one => one.getBoundingClientRect().width < 320))
    expect(size === 'desktop' ? narrow.length : 0, `${name} ${size}`).toBe(0)
  }
  await context.close()
})

test('what stays at an edge hides nothing that has the focus', async () => {
  const context = await browser.newContext({ viewport: sizes.desktop })
  const page = await context.newPage()
  await page.goto(`${address}/en-GB/light/comfortable/list`)
  for (let height = 280; height < 600; height += 20) {
    await page.setViewportSize({ width: 1440, height })
    const hidden = await page.$$eval('.side .nav a', links =>
      links.filter(link => {
        link.focus()
        const { left, bottom } = link.getBoundingClientRect()
        return !link.contains(document.elementFromPoint(left + 8, bottom - 4))
      }),
    )
    expect(hidden.length, `${height}`).toBe(0)
  }
  await context.close()
})

test('paper is light and has no chrome; forced colours keep edges and marks, more contrast strengthens them', async () => {
  const context = await browser.newContext({ viewport: { width: 794, height: 1123 }, colorScheme: 'dark' })
  const page = await context.newPage()
  for (const name of ['list', 'record']) {
    await page.goto(`${address}/en-GB/dark/comfortable/${name}`)
    await page.emulateMedia({ media: 'print' })
    await picture(page, `${name}-print`)
    for (const chrome of ['.side', '.top', '.dev', '.filters', '.acts'])
      for (const element of await page.locator(chrome).all()) expect(await element.isVisible(), chrome).toBe(false)
    expect(await page.evaluate(() => getComputedStyle(document.body).color)).toMatch(/oklch\(0\.235/)
    await page.emulateMedia({ media: 'screen', forcedColors: 'active' })
    await picture(page, `${name}-forced`)
    const edges = await page.evaluate(() => getComputedStyle(document.querySelector('.btn') as Element).borderTopWidth)
    expect(edges).toBe('1px')
    const current = page.locator('.nav a[aria-current]').first()
    expect(await current.evaluate(link => getComputedStyle(link).outlineStyle)).toBe('solid')
    await page.emulateMedia({ forcedColors: 'none' })
    const edge = () =>
      page.evaluate(() => getComputedStyle(document.querySelector('.side') as Element).borderRightColor)
    const usual = await edge()
    await page.emulateMedia({ contrast: 'more' })
    await picture(page, `${name}-contrast`)
    expect(await edge()).not.toBe(usual)
    await page.emulateMedia({ contrast: 'no-preference' })
  }
  await context.close()
})

test('a sheet of A4 has the heads of tables and every column of a board, and nothing beyond its edges', async () => {
  // Between its margins, in pixels.
  const context = await browser.newContext({ viewport: { width: 703, height: 1033 }, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.emulateMedia({ media: 'print' })
  for (const name of ['list', 'record', 'board']) {
    await page.goto(`${address}/en-GB/light/comfortable/${name}`)
    await picture(page, `${name}-a4`)
    for (const sheet of await page.locator('main .sheet').all())
      expect((await sheet.boundingBox())?.x ?? 0, name).toBeGreaterThanOrEqual(0)
    expect(await sideways(page), name).toBeLessThanOrEqual(0)
    const heads = await page.locator('main .listform th[scope=col]').all()
    expect((await Promise.all(heads.map(head => head.isVisible()))).filter(Boolean).length > 2).toBe(name === 'list')
    for (const column of await page.locator('.col').all()) {
      expect(await column.isVisible()).toBe(true)
      expect(await column.locator('button').first().isVisible()).toBe(false)
    }
  }
  await context.close()
})

test('targets are at least 24 pixels, and 44 where fingers point', async () => {
  for (const [least, hasTouch] of [
    [24, false],
    [44, true],
  ] as const) {
    const context = await browser.newContext({ viewport: sizes.phone, hasTouch, isMobile: hasTouch })
    const page = await context.newPage()
    for (const name of ['list', 'record', 'form', 'board', 'sign-in']) {
      await page.goto(`${address}/en-GB/light/comfortable/${name}`)
      const small = await page.evaluate(limit => {
        const own =
          'button, select, .btn, .nav a, .menu a, .pager a, .views a, .tools a, .crumbs a, h3 a, tbody th a, .c-sel label, summary, input:not([type=hidden]):not([type=checkbox]):not([type=radio])'
        return [...document.querySelectorAll<HTMLElement>(own)]
          .map(element => ({ element, box: element.getBoundingClientRect() }))
          .filter(
            ({ element, box }) =>
              box.width > 0 && !element.closest('.dev') && (box.height < limit - 0.5 || box.width < limit - 0.5),
          )
          .map(({ element, box }) => `${element.outerHTML.slice(0, 80)} ${box.width}×${box.height}`)
      }, least)
      expect(small, `${name} ${least}`).toEqual([])
    }
    await context.close()
  }
})

/** Texts of one row, one entry or one fact that lie over each other. */
async function overlaps(page: Page): Promise<readonly string[]> {
  return await page.evaluate(() => {
    const found: string[] = []
    for (const whole of document.querySelectorAll('main :is(tbody tr, li, dl > div)')) {
      const seen: { readonly text: string; readonly box: DOMRect }[] = []
      const texts = document.createTreeWalker(whole, NodeFilter.SHOW_TEXT)
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
        const text = node.textContent?.trim() ?? ''
        if (text === '' || node.parentElement?.closest('.vh, svg, [popover], select') != null) continue
        const range = document.createRange()
        range.selectNodeContents(node)
        for (const box of range.getClientRects()) {
          const over = seen.find(
            ({ box: other }) =>
              Math.min(box.right, other.right) - Math.max(box.left, other.left) > 2 &&
              Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 6,
          )
          if (over !== undefined) found.push(`${over.text} / ${text}`)
          seen.push({ text, box })
        }
      }
    }
    return found
  })
}

/** By how many pixels the page is wider than its window. */
async function sideways(page: Page): Promise<number> {
  return await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

async function picture(page: Page, name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true })
}
