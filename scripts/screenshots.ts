/**
 * Pictures of every screen of every example: desktop and phone, light and dark, and in German where it is offered; with an index to look them through.
 * `npm run screenshots`, or `node scripts/screenshots.ts loan-desk` for one example. They go into `screenshots/`, which git ignores; that of
 * `README.md`, which `readme` takes alone, into `docs/images/`.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { addressesOf, demoPeople, signInAs } from './addresses.ts'
import { served } from './served.ts'
import { findChromium } from './test-browser.ts'

const root = join(fileURLToPath(import.meta.url), '..', '..')
const target = join(root, 'screenshots')

interface Look {
  readonly name: string
  readonly width: number
  readonly scheme: 'light' | 'dark'
  readonly locale: string
}

const looks: readonly Look[] = [
  { name: 'desktop-light', width: 1440, scheme: 'light', locale: 'en-GB' },
  { name: 'desktop-dark', width: 1440, scheme: 'dark', locale: 'en-GB' },
  { name: 'phone-light', width: 390, scheme: 'light', locale: 'en-GB' },
  { name: 'phone-dark', width: 390, scheme: 'dark', locale: 'en-GB' },
  { name: 'desktop-german', width: 1440, scheme: 'light', locale: 'de-DE' },
  { name: 'phone-german', width: 390, scheme: 'light', locale: 'de-DE' },
]

/** So many pages of one person at most: what they see first is what they see often. */
const mostPages = 24

interface Picture {
  readonly example: string
  readonly person: string
  readonly address: string
  readonly look: string
  readonly file: string
}

const fileName = (text: string): string => text.replace(/[^\w-]+/g, '_').replace(/^_+|_+$/g, '') || 'start'

/** Those in languages that the example offers. */
async function looksOf(browser: Browser, url: string): Promise<readonly Look[]> {
  const offered: Look[] = []
  for (const look of looks) {
    const page = await browser.newPage({ locale: look.locale })
    await page.goto(`${url}/-/sign-in`)
    const spoken = await page.locator('html').getAttribute('lang')
    if (spoken?.slice(0, 2) === look.locale.slice(0, 2)) offered.push(look)
    await page.close()
  }
  return offered
}

async function picturesOf(browser: Browser, example: string, url: string): Promise<readonly Picture[]> {
  const taken: Picture[] = []
  const first = await browser.newPage()
  const people = await demoPeople(first, url)
  await first.close()
  const offered = await looksOf(browser, url)
  const seen = new Set<string>()
  for (const person of [null, ...people]) {
    const finding = await browser.newContext()
    const page = await finding.newPage()
    if (person !== null) await signInAs(page, url, person)
    const all = person === null ? ['/-/sign-in', '/-/document', '/-/dev/editor'] : await addressesOf(page, url)
    const addresses = all.slice(0, mostPages).filter(address => !seen.has(address))
    for (const address of addresses) seen.add(address)
    const cookies = await finding.cookies()
    await finding.close()
    for (const { name, width, scheme, locale } of offered) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, locale })
      await context.addCookies(cookies)
      const shown = await context.newPage()
      for (const address of addresses) {
        const file = join(example, `${fileName(person ?? 'visitor')}-${fileName(address)}-${name}.png`)
        await shown.goto(url + address)
        await shown.screenshot({ path: join(target, file), fullPage: true, animations: 'disabled' })
        taken.push({ example, person: person ?? 'visitor', address, look: name, file })
      }
      await context.close()
    }
  }
  return taken
}

function indexOf(pictures: readonly Picture[]): string {
  const rows = [...Map.groupBy(pictures, ({ example, person, address }) => `${example}: ${address} (${person})`)]
  const escaped = (text: string) => text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)
  const row = ([title, of]: (typeof rows)[number]) =>
    `<h2>${escaped(title)}</h2><div>${of.map(({ file, look }) => `<a href="${escaped(file)}"><img loading="lazy" src="${escaped(file)}" alt="${look}"><br>${look}</a>`).join('')}</div>`
  return `<!doctype html><meta charset="utf-8"><title>Screenshots</title><style>
body{font:14px system-ui;margin:2rem}div{display:flex;gap:1rem;overflow-x:auto;align-items:start}img{inline-size:20rem;border:1px solid #999}</style>
<h1>${pictures.length} pictures</h1>${rows.map(row).join('\n')}`
}

/** A loan that waits to be handed out, as a clerk sees it, with the lines of the document. */
async function pictureOfReadme(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
  await signInAs(page, url, 'Dan')
  await page.getByRole('link', { name: 'Desk board' }).first().click()
  await page.locator('.col[data-state=Approved] .card a').first().click()
  await page.waitForURL('**/loans/*')
  await page.getByText('Lines of the document').click()
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(root, 'docs', 'images', 'record.png'), animations: 'disabled' })
  await page.close()
}

async function atExample(example: string, look: (url: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ninefold-shots-'))
  const { url, stop } = await served(example, join(folder, example))
  try {
    await look(url)
  } finally {
    stop()
  }
}

const wanted = process.argv.slice(2)
const examples = readdirSync(join(root, 'examples')).filter(name => wanted.length === 0 || wanted.includes(name))
const ofReadme = wanted.length === 0 || wanted.includes('readme')
if (examples.length === 0 && !ofReadme) throw new Error(`There is no example named ${wanted.join(', ')}.`)
const executablePath = await findChromium()
if (existsSync(target)) for (const name of examples) rmSync(join(target, name), { recursive: true, force: true })
const browser = await chromium.launch({
  executablePath,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
})
const pictures: Picture[] = []
for (const example of examples) {
  mkdirSync(join(target, example), { recursive: true })
  await atExample(example, async url => {
    pictures.push(...(await picturesOf(browser, example, url)))
    console.log(`${example}: ${pictures.filter(one => one.example === example).length} pictures`)
  })
}
if (ofReadme) await atExample('loan-desk', url => pictureOfReadme(browser, url))
if (pictures.length > 0) {
  writeFileSync(join(target, 'index.html'), indexOf(pictures))
  console.log(`Look at ${join(target, 'index.html')}`)
}
await browser.close()
