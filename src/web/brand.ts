/** What browsers load because of a team's own colour and logo: made once per document, kept as everything else that they load. */
import { createHash } from 'node:crypto'
import { memoize } from '../expression/memoize.ts'
import { hexOf } from '../headings/1-product/contrast.ts'
import type { Brand, Theme } from '../headings/1-product/model.ts'
import { accentSheet } from '../ui/tokens.ts'
import type { Assets } from './client.ts'
import { type ImageSize, imageSize } from './image-size.ts'

/** Addresses; null: the standard look. */
interface BrandAssets {
  readonly styles: string | null
  readonly logo: { readonly href: string; readonly size: ImageSize | null } | null
  readonly icon: string | null
}

const made = new WeakMap<Brand, WeakMap<Assets, BrandAssets>>()

export function brandAssets(assets: Assets, brand: Brand): BrandAssets {
  const known = made.get(brand) ?? new WeakMap<Assets, BrandAssets>()
  made.set(brand, known)
  const found = known.get(assets) ?? make(assets, brand)
  known.set(assets, found)
  return found
}

function make(assets: Assets, { colour, logo, theme }: Brand): BrandAssets {
  const add = (name: string, extension: string, content: string | Uint8Array): string => {
    const bytes = Buffer.from(content as Uint8Array)
    const key = createHash('sha256').update(bytes).digest('hex').slice(0, 10)
    assets.add({ name: `${name}-${key}.${extension}`, content: bytes })
    return assets.href(`${name}-${key}.${extension}`)
  }
  const sheets = [
    ...(colour === null ? [] : [accentSheet(colour.colours)]),
    ...(theme === null ? [] : [themeSheet(theme, (type, content) => add('theme', type, content))]),
  ]
  const image = logo === null ? null : add('logo', logo.path.split('.').at(-1)!.toLowerCase(), logo.content)
  return {
    styles: sheets.length === 0 ? null : add('brand', 'css', sheets.join('\n')),
    logo: image === null ? null : { href: image, size: imageSize(logo!.content, logo!.type) },
    icon: image ?? (colour === null ? null : add('mark', 'svg', iconOf(hexOf(colour.colours.accent[0])))),
  }
}

/** In the last layer, with the addresses under which what it loads is served. */
const themeSheet = ({ css, files }: Theme, add: (type: string, content: Uint8Array) => string): string =>
  `@layer app{${files.reduce((text, { written, type, content }) => text.replaceAll(written, `url("${add(type, content)}")`), css)}\n}`

/** The mark of an application without a logo, in its colour. */
export const iconOf = (colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="${colour}"/><path d="M6.5 17V7.5l11 9V7" fill="none" stroke="#fff" stroke-width="2.2"/></svg>`

interface Installed {
  readonly name: string
  readonly locale: string
  /** Its address. */
  readonly icon: string
}

const manifests = new WeakMap<Assets, Map<string, string>>()

/** The address of what a device needs to put the application on its home screen, where it opens in a window of its own. */
export const manifestOf = (assets: Assets, { name, locale, icon }: Installed): string =>
  memoize(
    memoize(manifests, assets, () => new Map<string, string>()),
    `${locale} ${icon} ${name}`,
    () => {
      const content = JSON.stringify({
        name,
        lang: locale,
        id: '/',
        start_url: '/',
        scope: '/',
        display: 'standalone',
        icons: [{ src: icon, sizes: 'any', purpose: 'any' }],
      })
      const file = `app-${createHash('sha256').update(content).digest('hex').slice(0, 10)}.webmanifest`
      assets.add({ name: file, content })
      return assets.href(file)
    },
  )
