import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bundleStyles, sheets } from './styles.ts'
import { colours } from './tokens.ts'

const styles = bundleStyles('/assets')

test('no sheet is forgotten', () => {
  const files = readdirSync(new URL('./styles', import.meta.url)).map(file => file.replace('.css', ''))
  expect([...sheets, 'paper'].sort()).toEqual(files.sort())
})

test('the whole design system stays within 12 KB', () => {
  expect(gzipSync(styles.css, { level: 9 }).length).toBeLessThanOrEqual(12 * 1024)
})

test('every custom property that is used is defined, and every colour comes from the tokens', () => {
  const defined = new Set([...(styles.css + styles.paper).matchAll(/(--[\w-]+):/g)].map(match => match[1]))
  for (const [, used] of (styles.css + styles.paper).matchAll(/var\((--[\w-]+)/g)) expect(defined, used).toContain(used)
  const rest = styles.css.replace(/--[\w-]+:[^;}]+/g, '')
  expect(rest.match(/oklch\(|#(?!fff\b)[0-9a-f]{3,8}\b/g)).toBeNull()
})

test('every colour token is used', () => {
  const without = styles.css.replace(/--[\w-]+:light-dark[^;}]+/g, '')
  for (const name of Object.keys(colours)) expect(without, name).toContain(`var(--${name})`)
})

test('fonts have addresses that change with their content, and one is fetched ahead', () => {
  expect(styles.fonts.filter(font => font.preload)).toHaveLength(1)
  for (const font of styles.fonts) expect(styles.css).toContain(`url(/assets/${font.name})`)
  expect(styles.name).toMatch(/^ninefold\.[0-9a-f]{12}\.css$/)
})

test('nothing is said of left and right: a page that reads from the right is its mirror image', () => {
  const physical =
    /(?:^|[;{\s])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)[\w-]*|left|right|(?:float|clear|text-align):\s*(?:left|right))\b(?=\s*[:;}])/g
  expect('a{margin-left:1px}b{left:0}c{text-align:right}'.match(physical)).toHaveLength(3)
  for (const sheet of [...sheets, 'paper']) {
    const text = readFileSync(new URL(`./styles/${sheet}.css`, import.meta.url), 'utf8')
    expect(text.match(physical) ?? [], sheet).toEqual([])
  }
})
