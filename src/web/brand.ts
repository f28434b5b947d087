/** What browsers load because of a team's own colour and logo: made once per document, kept as everything else that they load. */
import { createHash } from 'node:crypto'
import { hexOf } from '../headings/1-product/contrast.ts'
import type { Brand } from '../headings/1-product/model.ts'
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

function make(assets: Assets, { colour, logo }: Brand): BrandAssets {
  const add = (name: string, extension: string, content: string | Uint8Array): string => {
    const bytes = Buffer.from(content as Uint8Array)
    const key = createHash('sha256').update(bytes).digest('hex').slice(0, 10)
    assets.add({ name: `${name}-${key}.${extension}`, content: bytes })
    return assets.href(`${name}-${key}.${extension}`)
  }
  const image = logo === null ? null : add('logo', logo.path.split('.').at(-1)!.toLowerCase(), logo.content)
  return {
    styles: colour === null ? null : add('brand', 'css', accentSheet(colour.colours)),
    logo: image === null ? null : { href: image, size: imageSize(logo!.content, logo!.type) },
    icon: image ?? (colour === null ? null : add('mark', 'svg', iconOf(hexOf(colour.colours.accent[0])))),
  }
}

/** The mark of an application without a logo, in its colour. */
export const iconOf = (colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="${colour}"/><path d="M6.5 17V7.5l11 9V7" fill="none" stroke="#fff" stroke-width="2.2"/></svg>`
