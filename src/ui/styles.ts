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
  'days',
  'figures',
  'states',
  'print',
] as const

/** On paper; the text of the document. */
export const besides = ['paper', 'source'] as const

export type Beside = (typeof besides)[number]

interface Font {
  /** `sans-100.3f2a….woff2`, as it stands in the style sheet. */
  readonly name: string
  /** On disk. */
  readonly path: string
  /** The width in per cent of a file that pages fetch ahead, in the density that has it; null: fetched where its letters stand. */
  readonly width: number | null
}

interface Styles {
  readonly css: string
  /** What some pages have besides. */
  readonly beside: Readonly<Record<Beside, string>>
  /** `ninefold.3f2a….css` */
  readonly name: string
  readonly fonts: readonly Font[]
}

/**
 * What every page loads of IBM Plex Sans, as `scripts/font.ts` cuts it: what western European languages are written with, the weights
 * of the style sheets, and a file for each width, because one with both axes is half as large again.
 */
export const core = {
  range: 'U+20-FF,U+131,U+152-153,U+2000-2044,U+20AC,U+2122,U+2191-2193,U+2212-2215,U+FFFD',
  weights: [400, 600],
  widths: [100, 90],
} as const

export const fontFile = (width: number): string =>
  fileURLToPath(new URL(`./fonts/sans-${width}.woff2`, import.meta.url))

/** Subsets of IBM Plex Sans with weight and width axes; a browser fetches those whose letters stand on the page. */
const subsets = {
  'latin-ext': 'U+100-2FF,U+304,U+308,U+329,U+1D00-1DBF,U+1E00-1EFF,U+2020,U+20A0-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
  cyrillic: 'U+301,U+400-45F,U+490-491,U+4B0-4B1,U+2116',
  greek: 'U+370-3FF',
  // Last: where two have a letter, this one is fetched.
  vietnamese:
    'U+102-103,U+110-111,U+128-129,U+168-169,U+1A0-1A1,U+1AF-1B0,U+300-301,U+303,U+309,U+323,U+1EA0-1EF9,U+20AB',
} as const

/**
 * Reads, joins and minifies the style sheets; `base` is the address that fonts are served under (`/assets`), `more` what lies elsewhere.
 * Takes some 20 ms: once per start, and in `dev` again when a sheet changes. Throws when a sheet is missing or not CSS.
 */
export function bundleStyles(base: string, more: readonly URL[]): Styles {
  const require = createRequire(import.meta.url)
  const [lightest, boldest] = core.weights
  const face = (family: string, name: string, rest: string) =>
    `@font-face{font-family:"${family}";src:url("${base}/${name}");font-weight:${lightest} ${boldest};${rest}}`
  const fonts = [
    ...core.widths.map(width => {
      const path = fontFile(width)
      const name = `sans-${width}.${hash(readFileSync(path))}.woff2`
      // Optional: a browser that does not have it in time for the first picture stays with the fallback on that page, so nothing moves.
      const css = face(
        'Ninefold Sans',
        name,
        `font-stretch:${width}%;font-display:optional;unicode-range:${core.range}`,
      )
      return { name, path, width, css }
    }),
    ...Object.entries(subsets).map(([subset, range]) => {
      const path = require.resolve(`@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-${subset}-wdth-normal.woff2`)
      const name = `plex-${subset}.${hash(readFileSync(path))}.woff2`
      const css = face('Plex', name, `font-stretch:75% 100%;font-display:swap;unicode-range:${range}`)
      return { name, path, width: null, css }
    }),
  ]
  const source = [
    ...fonts.map(({ css }) => css),
    // The fallback takes the same room as the font.
    '@font-face{font-family:"Plex fallback";src:local("Arial"),local("Liberation Sans");size-adjust:101%;ascent-override:101%;descent-override:27%;line-gap-override:0%}',
    ...sheets.map(sheet),
    ...more.map(url => readFileSync(fileURLToPath(url), 'utf8')),
    `@layer tokens{:root{${colourProperties()}}}`,
  ].join('\n')
  const code = minified(source)
  return {
    css: code,
    beside: { paper: minified(sheet('paper')), source: minified(sheet('source')) },
    name: `ninefold.${hash(code)}.css`,
    fonts: fonts.map(({ name, path, width }) => ({ name, path, width })),
  }
}

const sheet = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`./styles/${name}.css`, import.meta.url)), 'utf8')

/** Custom properties are left to us: their values may be anything. */
const minified = (css: string): string =>
  transformSync(css, { loader: 'css', minify: true, legalComments: 'none', target: 'esnext' }).code.replace(
    /(--[\w-]+): /g,
    '$1:',
  )

const hash = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex').slice(0, 8)
