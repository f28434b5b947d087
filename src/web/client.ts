/**
 * What browsers load besides pages: style sheet, icon, fonts, and the scripts of `client/`.
 * Names carry a hash of what is in them, so browsers keep them for a year; each is compressed when it is first asked for, and served
 * from memory.
 */
import { createHash } from 'node:crypto'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

interface Asset {
  readonly type: string
  readonly plain: Buffer
  /** Null where it would not be smaller: fonts. */
  readonly brotli: Buffer | null
  readonly gzip: Buffer | null
}

export interface Assets {
  /** `/-/assets/nine.3f9ac1d2.css` for `nine.css`; a name that there is not is a mistake of ours. */
  readonly href: (name: string) => string
  readonly names: ReadonlySet<string>
  /** By path. */
  readonly files: ReadonlyMap<string, Asset>
  /** Puts in what is made later: the script of a block, a logo. The same name is the same content. */
  readonly add: (source: AssetSource) => void
}

export const assetRoot = '/-/assets/'

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  woff2: 'font/woff2',
  woff: 'font/woff',
  json: 'application/json; charset=utf-8',
  webmanifest: 'application/manifest+json',
}

export interface AssetSource {
  /** `nine.css`. */
  readonly name: string
  readonly content: string | Buffer
  /** The file's name where it is given already (fonts and chunks, which other files refer to). */
  readonly file?: string
}

export function assetsOf(sources: readonly AssetSource[]): Assets {
  const files = new Map<string, Asset>()
  const hrefs = new Map<string, string>()
  const names = new Set<string>()
  const add = ({ name, content, file }: AssetSource) => {
    if (hrefs.has(name)) return
    const plain = Buffer.from(content)
    const extension = path.extname(name).slice(1)
    const hash = createHash('sha256').update(plain).digest('hex').slice(0, 10)
    const href = assetRoot + (file ?? `${name.slice(0, -extension.length - 1)}.${hash}.${extension}`)
    const worth = /^(css|js|svg|json)$/.test(extension) && plain.length > 500
    let brotli: Buffer | null = null
    let gzip: Buffer | null = null
    files.set(href, {
      type: types[extension] ?? 'application/octet-stream',
      plain,
      // Getters: to compress all of it takes longer than the rest of the start.
      get brotli() {
        brotli ??= worth ? brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }) : null
        return brotli
      },
      get gzip() {
        gzip ??= worth ? gzipSync(plain, { level: 9 }) : null
        return gzip
      },
    })
    hrefs.set(name, href)
    names.add(name)
  }
  for (const source of sources) add(source)
  return {
    files,
    names,
    add,
    href(name) {
      const href = hrefs.get(name)
      if (href === undefined) throw new Error(`There is no asset named '${name}'.`)
      return href
    },
  }
}
