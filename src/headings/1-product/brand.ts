/** How the application shows whose it is: one colour, a logo, a word at the door. */
import { link, splitCell } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import { answerOf, type Context } from '../context.ts'
import { open } from '../gaps/gap.ts'
import { productCodes } from './codes.ts'
import { hexOf, readColour } from './contrast.ts'
import type { Brand, Logo, Theme } from './model.ts'
import { grounds, paletteOf } from './palette.ts'
import { themeOf } from './theme.ts'

const section = 1

/** Bytes of a logo; it stands on every page and in every mail. */
const longestLogo = 200_000

const types: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
}

interface Written {
  readonly colour: Cell | null
  readonly logo: Cell | null
  readonly theme: Cell | null
  readonly letterhead: Cell | null
  readonly signInText: Cell | null
}

/** Colour, logo, theme, letterhead and sign-in text; null for each that is left out. */
export function readBrand(context: Context, written: Written): Brand {
  return {
    colour: readBrandColour(context, answerOf(context, written.colour, open(section, 'colour'))),
    logo: readLogo(context, answerOf(context, written.logo, open(section, 'logo'))),
    theme: readTheme(context, answerOf(context, written.theme, open(section, 'theme'))),
    letterhead: linesOf(answerOf(context, written.letterhead, open(section, 'letterhead'))),
    signInText: answerOf(context, written.signInText, open(section, 'signInText')),
  }
}

const linesOf = (cell: Cell | null): readonly string[] =>
  cell === null ? [] : splitCell(cell, ';').flatMap(({ text }) => (text === '' ? [] : [text]))

function readBrandColour(context: Context, cell: Cell | null): Brand['colour'] {
  if (cell === null) return null
  const { report } = reporter(productCodes, section, context.found)
  const colour = readColour(cell.text.replaceAll('`', ''))
  if (colour === null) {
    report('N1130', cell, { colour: cell.text })
    return null
  }
  const { colours, darkened } = paletteOf(colour, grounds)
  const instead = hexOf(colours.accent[0])
  if (darkened) {
    const fixes = [{ title: instead, edits: [{ span: cell, text: instead }] }]
    report('N1131', cell, { colour: cell.text, instead }, { fixes })
  }
  return { cell, colours }
}

function readLogo(context: Context, cell: Cell | null): Logo | null {
  if (cell === null) return null
  const { report } = reporter(productCodes, section, context.found)
  const path = link(cell)?.target.text ?? cell.text
  const type = types[path.split('.').at(-1)!.toLowerCase()]
  const wrong = (why: string) => {
    report('N1132', cell, { path, why })
    return null
  }
  if (type === undefined) return wrong('it is no SVG, PNG, JPEG or WebP')
  const content = context.bytes(path)
  if (content === null) return wrong('there is no such file')
  return content.byteLength > longestLogo
    ? wrong(`it has more than ${longestLogo / 1000} kB`)
    : { cell, path, type, content }
}

function readTheme(context: Context, cell: Cell | null): Theme | null {
  if (cell === null) return null
  const path = link(cell)?.target.text ?? cell.text
  const theme = themeOf(cell, path, context.bytes)
  if (typeof theme !== 'string') return theme
  reporter(productCodes, section, context.found).report('N1134', cell, { path, why: theme })
  return null
}
