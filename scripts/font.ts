/**
 * Cuts the font that every page loads out of IBM Plex Sans: the signs and weights of `core` in src/ui/styles.ts, a file for each width.
 * `node scripts/font.ts` writes them into src/ui/fonts; a test shows that they are what this makes.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { core, fontFile } from '../src/ui/styles.ts'

const require = createRequire(import.meta.url)
const subset = require('subset-font') as (font: Buffer, text: string, options: object) => Promise<Buffer>
const { convert } = require('fontverter') as { convert: (font: Buffer, format: string) => Promise<Buffer> }
const plex = '@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-wdth-normal.woff2'

/** As TrueType. Without hints, which screens of today do not use; kerning stays. */
export async function cut(width: number): Promise<Buffer> {
  const [min, max] = core.weights
  const font = await subset(readFileSync(require.resolve(plex)), signsOf(core.range), {
    noHinting: true,
    keepFeatures: ['kern'],
    variationAxes: { wght: { min, max, default: min }, wdth: width },
    targetFormat: 'truetype',
  })
  return renamed(font)
}

/** "Plex" is a reserved name: whoever changes the font gives it another. Names of the same length keep every offset. */
function renamed(font: Buffer): Buffer {
  const wide = (name: string) => Buffer.from(name, 'utf16le').swap16().toString('latin1')
  const text = font
    .toString('latin1')
    .replaceAll(wide('IBM Plex Sans'), wide('Ninefold Sans'))
    .replaceAll(wide('IBMPlexSans-'), wide('NinefoldSans'))
  return Buffer.from(text, 'latin1')
}

/** What is in the tables of a font, by name: all but for the outlines and what says where they lie, which WOFF2 writes in its own way. */
export async function tablesOf(font: Buffer): Promise<ReadonlyMap<string, string>> {
  const plain = Buffer.from(await convert(font, 'truetype'))
  const tables = Array.from({ length: plain.readUInt16BE(4) }, (_, at) => plain.subarray(12 + 16 * at, 28 + 16 * at))
  return new Map(
    tables
      .map(table => [table.toString('latin1', 0, 4), table.readUInt32BE(8), table.readUInt32BE(12)] as const)
      .filter(([name]) => !['glyf', 'head', 'loca'].includes(name))
      .map(([name, start, length]) => [
        name,
        createHash('sha256')
          .update(plain.subarray(start, start + length))
          .digest('hex'),
      ]),
  )
}

/** `U+41-42,U+20AC`: AB€ */
export const signsOf = (range: string): string =>
  range
    .split(',')
    .flatMap(part => {
      const [from = 0, to = from] = part
        .slice(2)
        .split('-')
        .map(end => Number.parseInt(end, 16))
      return Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at))
    })
    .join('')

if (import.meta.main)
  for (const width of core.widths) writeFileSync(fontFile(width), await convert(await cut(width), 'woff2'))
