import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { cut, signsOf, tablesOf } from '../../scripts/font.ts'
import { screenPages, screenSheets } from '../kinds/screens/pages.ts'
import { besides, bundleStyles, core, fontFile, sheets } from './styles.ts'
import { colours } from './tokens.ts'

const styles = bundleStyles('/assets', screenSheets)
const all = styles.css + styles.beside.paper + styles.beside.source

test('no sheet is forgotten', () => {
  const files = readdirSync(new URL('./styles', import.meta.url)).map(file => file.replace('.css', ''))
  expect([...sheets, ...besides].sort()).toEqual(files.sort())
})

test('the whole design system stays within 18 KB', () => {
  expect(gzipSync(styles.css, { level: 9 }).length).toBeLessThanOrEqual(18 * 1024)
})

test('every custom property that is used is defined, and every colour comes from the tokens', () => {
  const defined = new Set([...all.matchAll(/(--[\w-]+):/g)].map(match => match[1]))
  for (const [, used] of all.matchAll(/var\((--[\w-]+)/g)) expect(defined, used).toContain(used)
  const rest = styles.css.replace(/--[\w-]+:[^;}]+/g, '')
  expect(rest.match(/oklch\(|#(?!fff\b)[0-9a-f]{3,8}\b/g)).toBeNull()
})

test('every colour token is used', () => {
  const without = styles.css.replace(/--[\w-]+:light-dark[^;}]+/g, '')
  for (const name of Object.keys(colours)) expect(without, name).toContain(`var(--${name})`)
})

test('fonts have addresses that change with their content', () => {
  for (const font of styles.fonts) expect(styles.css).toContain(`url(/assets/${font.name})`)
  expect(styles.name).toMatch(/^ninefold\.[0-9a-f]{8}\.css$/)
})

test('the font is what its script cuts, has the weights and widths of the style sheets, and the letters of what we say', async () => {
  for (const width of core.widths)
    expect(await tablesOf(readFileSync(fontFile(width)))).toEqual(await tablesOf(await cut(width)))
  const rules = all.replace(/@font-face\{[^}]*\}/g, '')
  const used = (of: RegExp) => [...new Set([...rules.matchAll(of)].map(match => Number(match[1])))].sort()
  expect(used(/font(?:-weight)?:(\d{3})\b/g)).toEqual([400, 450, 500, 600])
  expect(core.weights).toEqual([400, 600])
  expect(used(/font-stretch:(\d+)%/g)).toEqual([100, 90])
  const signs = signsOf(core.range)
  const folders = ['../ui/locales', '../web/locales', '../run/problems', '../headings/8-errors']
  const texts = folders.flatMap(folder =>
    readdirSync(new URL(folder, import.meta.url))
      .filter(file => /^(english|german|built-in|words)[\w-]*\.ts$/.test(file))
      .map(file => readFileSync(new URL(`${folder}/${file}`, import.meta.url), 'utf8')),
  )
  const said = JSON.stringify([...screenPages.values()].map(page => page.texts))
  const money = ['en-GB', 'de-DE'].flatMap(locale =>
    ['EUR', 'GBP', 'USD', 'JPY'].map(currency => (-1234.5).toLocaleString(locale, { style: 'currency', currency })),
  )
  expect([...new Set([...texts, said, ...money].join(''))].filter(sign => sign > ' ' && !signs.includes(sign))).toEqual(
    [],
  )
})

test('nothing is said of left and right: a page that reads from the right is its mirror image', () => {
  const physical =
    /(?:^|[;{\s])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)[\w-]*|left|right|(?:float|clear|text-align):\s*(?:left|right))\b(?=\s*[:;}])/g
  expect('a{margin-left:1px}b{left:0}c{text-align:right}'.match(physical)).toHaveLength(3)
  const own = [...sheets, 'paper'].map(sheet => new URL(`./styles/${sheet}.css`, import.meta.url))
  for (const sheet of [...own, ...screenSheets]) {
    expect(readFileSync(sheet, 'utf8').match(physical) ?? [], sheet.pathname).toEqual([])
  }
})

test('lines that are dotted or wavy are written so that Safari draws them: with `text-decoration` for them it draws none', () => {
  expect(all.match(/text-decoration:[^;}]*\b(?:dotted|dashed|double|wavy)\b/g)).toBeNull()
  expect(all).toMatch(/text-decoration-style:\s*wavy/)
})

test('the sheet of filters is as high as what is in it in Safari, too', () => {
  expect(styles.css).toMatch(/\.fset:popover-open\{[^}]*\bblock-size:auto\b/)
})
