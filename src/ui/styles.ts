/** The style sheet and the fonts, as `web` serves them: one minified file, its hash in its address, so that it can be kept for ever. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { colourProperties } from './tokens.ts'

/** In cascade order. */
export const sheets = [
  'tokens',
  'base',
  'shell',
  'parts',
  'state',
  'list',
  'record',
  'form',
  'board',
  'calendar',
  'figures',
  'states',
  'print',
] as const

interface Font {
  /** `plex-latin.3f2a….woff2`, as it stands in the style sheet. */
  readonly name: string
  /** On disk. */
  readonly path: string
  /** The one that is fetched ahead. */
  readonly preload: boolean
}

interface Styles {
  readonly css: string
  /** What pages for paper have besides: `paper.css`. */
  readonly paper: string
  /** `ninefold.3f2a….css` */
  readonly name: string
  readonly fonts: readonly Font[]
}

/** Subsets of IBM Plex Sans with weight and width axes; a browser fetches those whose letters stand on the page. */
const subsets = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese'] as const

/**
 * Reads, joins and minifies the style sheets; `base` is the address that fonts are served under (`/assets`).
 * Takes some 20 ms: once per start, and in `dev` again when a sheet changes. Throws when a sheet is missing or not CSS.
 */
export function bundleStyles(base: string): Styles {
  const require = createRequire(import.meta.url)
  const ranges: Readonly<Record<string, string>> = require('@fontsource-variable/ibm-plex-sans/unicode.json')
  const fonts = subsets.map(subset => {
    const path = require.resolve(`@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-${subset}-wdth-normal.woff2`)
    const name = `plex-${subset}.${hash(readFileSync(path))}.woff2`
    return { name, path, preload: subset === 'latin', range: ranges[subset] as string }
  })
  const source = [
    ...fonts.map(
      ({ name, range }) =>
        `@font-face{font-family:"Plex";src:url("${base}/${name}") format("woff2");font-weight:100 700;font-stretch:75% 100%;font-display:swap;unicode-range:${range}}`,
    ),
    // The fallback takes the same room as the font, so that nothing moves when it arrives.
    '@font-face{font-family:"Plex fallback";src:local("Arial"),local("Liberation Sans");size-adjust:101%;ascent-override:101%;descent-override:27%;line-gap-override:0%}',
    ...sheets.map(sheet),
    `@layer tokens{:root{${colourProperties()}}}`,
  ].join('\n')
  const code = minified(source)
  return {
    css: code,
    paper: minified(sheet('paper')),
    name: `ninefold.${hash(code)}.css`,
    fonts: fonts.map(({ name, path, preload }) => ({ name, path, preload })),
  }
}

const sheet = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`./styles/${name}.css`, import.meta.url)), 'utf8')

const minified = (css: string): string =>
  transformSync(css, { loader: 'css', minify: true, legalComments: 'none', target: 'esnext' }).code

const hash = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex').slice(0, 12)
