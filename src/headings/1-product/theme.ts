/** A team's own style sheet beside the document: tokens, fonts and rules, which stand in a layer behind all of Ninefold's. */
import { posix } from 'node:path'
import type { Cell } from '../../document/source.ts'
import type { Theme } from './model.ts'

/** Bytes of the sheet, and of each file that it loads: pages wait for them. */
const longestSheet = 100_000
const longestFile = 500_000

const loaded = new Set(['woff2', 'woff', 'svg', 'png', 'jpg', 'jpeg', 'webp'])

/** The sheet, or why it cannot be one. `bytes`: a file beside the document, null where there is none. */
export function themeOf(cell: Cell, path: string, bytes: (path: string) => Uint8Array | null): Theme | string {
  if (!path.toLowerCase().endsWith('.css')) return 'it is no `.css` file'
  const content = bytes(path)
  if (content === null) return 'there is no such file'
  if (content.byteLength > longestSheet) return `it has more than ${longestSheet / 1000} kB`
  const css = new TextDecoder().decode(content)
  const bare = withoutTexts(css)
  if (/@(?:import|charset|namespace)\b/i.test(bare)) return 'it has `@import` or `@charset`; write all in this one file'
  const wrong = unbalanced(bare)
  if (wrong !== null) return wrong
  const files: Theme['files'][number][] = []
  for (const [written, inside = ''] of css.replace(comment, ' ').matchAll(address)) {
    if (files.some(file => file.written === written)) continue
    const target = inside.trim().replace(/^(["'])(.*)\1$/, '$2')
    if (/^(?:[a-z][\w+.-]*:|\/)/i.test(target))
      return `it loads ${target.slice(0, 60)}; only files beside it are loaded`
    const type = target.split('.').at(-1)!.toLowerCase()
    const file = posix.join(posix.dirname(path), target)
    const found = loaded.has(type) ? bytes(file) : null
    if (!loaded.has(type)) return `it loads ${target}, which is no WOFF2 or WOFF font, SVG, PNG, JPEG or WebP`
    if (found === null) return `it loads ${target}, and there is no such file`
    if (found.byteLength > longestFile) return `it loads ${target}, which has more than ${longestFile / 1000} kB`
    files.push({ written, type, content: found })
  }
  return { cell, path, css, files }
}

/** `url("fonts/house.woff2")` */
const address = /url\(([^()]*)\)/gi

const comment = /\/\*[\s\S]*?(?:\*\/|$)/g

/** Comments and texts may have any sign in them. */
const withoutTexts = (css: string): string =>
  css.replace(/\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/g, ' ')

/** A brace too many would end the layer that the sheet stands in, and one too few swallow what follows. */
function unbalanced(bare: string): string | null {
  let depth = 0
  for (const sign of bare.replace(/[^{}]/g, '')) {
    depth += sign === '{' ? 1 : -1
    if (depth < 0) return 'it has a `}` that nothing opens'
  }
  return depth === 0 ? null : 'it has a `{` that nothing closes'
}
