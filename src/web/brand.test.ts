import { expect, test } from 'vitest'
import { cellOf } from '../expression/testing.ts'
import type { Brand } from '../headings/1-product/model.ts'
import { themeOf } from '../headings/1-product/theme.ts'
import { brandAssets } from './brand.ts'
import { assetsOf } from './client.ts'

test('a theme is served in the last layer, with the addresses of what it loads', () => {
  const css = '@font-face{src:url(house.woff2)}:root{--font:House}'
  const theme = themeOf(cellOf('theme.css'), 'theme.css', file =>
    new TextEncoder().encode(file === 'theme.css' ? css : 'font'),
  )
  const assets = assetsOf([])
  const brand: Brand = { colour: null, logo: null, theme: theme as Brand['theme'], letterhead: [], signInText: null }
  const { styles, logo, icon } = brandAssets(assets, brand)
  expect([logo, icon]).toEqual([null, null])
  const sheet = assets.files.get(styles!)!.plain.toString()
  const [, font] = /^@layer app\{@font-face\{src:url\("([^"]+\.woff2)"\)\}:root\{--font:House\}\n\}$/.exec(sheet)!
  expect(assets.files.get(font!)).toMatchObject({ type: 'font/woff2', plain: Buffer.from('font') })
})
