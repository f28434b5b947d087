import { expect, test } from 'vitest'
import { cellOf } from '../../expression/testing.ts'
import { themeOf } from './theme.ts'

const path = 'brand/theme.css'
const font = new Uint8Array([1, 2, 3])
const read = (css: string, name = path) =>
  themeOf(cellOf(name), name, file =>
    file === name
      ? new TextEncoder().encode(css)
      : ['brand/fonts/house.woff2', 'brand/fonts/paper.woff'].includes(file)
        ? font
        : null,
  )

test('a sheet is taken with the files that it loads, each once', () => {
  const css =
    '/* url(no.png) } */ @font-face { font-family: House; src: url("fonts/house.woff2") }\n:root { --font: House } .brand::after { content: "}" } b { src: url("fonts/house.woff2") }'
  expect(read(css)).toMatchObject({
    path,
    css,
    files: [{ written: 'url("fonts/house.woff2")', type: 'woff2', content: font }],
  })
})

test('a font may be WOFF too: paper has letters of it', () => {
  const files = [{ type: 'woff', content: font }]
  expect(read('@font-face { font-family: Paper; src: url(fonts/paper.woff) }')).toMatchObject({ files })
})

test.each([
  ['a { b: c', 'it has a `{` that nothing closes'],
  ['a { b: c } } @layer x { d { e: f }', 'it has a `}` that nothing opens'],
  ['@import "other.css";', 'it has `@import` or `@charset`; write all in this one file'],
  ['a { background: url(https://example.com/x.png) }', 'only files beside it are loaded'],
  ['a { background: url(//example.com/x.png) }', 'only files beside it are loaded'],
  ["a { background: url('none.svg') }", 'it loads none.svg, and there is no such file'],
  ['a { background: url(page.html) }', 'it loads page.html, which is no WOFF2 or WOFF font, SVG, PNG, JPEG or WebP'],
  [`a { b: "${'x'.repeat(100_001)}" }`, 'it has more than 100 kB'],
])('%s', (css, why) => {
  expect(read(css)).toContain(why)
})

test.each([' ', 'url(', '/*', '"', '\\'])('it is read once, however often it has %j', sign => {
  const css = `url(${sign.repeat(90_000 / sign.length)}`
  expect(read(css)).toMatchObject({ css, files: [] })
})

test('it is a style sheet, and is there', () => {
  expect(read('', 'theme.scss')).toBe('it is no `.css` file')
  expect(themeOf(cellOf('x.css'), 'x.css', () => null)).toBe('there is no such file')
})
