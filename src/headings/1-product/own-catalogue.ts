/** What Ninefold says in a language that a document brings itself: a file beside it, as those in `languages/`. */
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import type { Catalogue } from '../../expression/catalogue.ts'
import { compared } from '../../expression/catalogue-faults.ts'
import { shippedCatalogue } from '../catalogues.ts'
import { type Context, listed } from '../context.ts'
import { productCodes } from './codes.ts'

/** Bytes of a catalogue: several times those of ours. */
const longest = 500_000
const mostShown = 12

/** Without what cannot be said so. Null: it is none. */
export function readOwnCatalogue(context: Context, tag: string, path: Cell): Catalogue | null {
  const { report } = reporter(productCodes, 1, context.found)
  const read = catalogueIn(context.bytes(path.text), tag)
  if (typeof read === 'string') {
    report('N1135', path, { path: path.text, why: read })
    return null
  }
  const { sound, faults, missing, unknown } = compared(tag, read, shippedCatalogue('fr')!)
  const shown = (all: readonly string[]) => ({
    path: path.text,
    count: all.length,
    texts: listed([...all.slice(0, mostShown), ...(all.length > mostShown ? [`${all.length - mostShown} more`] : [])]),
  })
  const shipped = shippedCatalogue(tag)
  const instead = shipped === null ? 'in English' : 'as Ninefold has it'
  if (faults.length > 0) report('N1136', path, { ...shown(faults), instead })
  if (missing.length > 0 && shipped === null) report('N1137', path, shown(missing))
  if (unknown.length > 0) report('N1138', path, shown(unknown))
  return sound
}

/** Why it is none, in words. */
function catalogueIn(bytes: Uint8Array | null, tag: string): Catalogue | string {
  if (bytes === null) return 'there is no such file'
  if (/^(en|de)\b/.test(tag)) return 'English and German are in Ninefold itself'
  if (bytes.byteLength > longest) return `it has more than ${longest / 1000} kB`
  try {
    const read: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return isCatalogue(read) ? read : 'it is no object of sections, each with texts by key'
  } catch (error) {
    return `it is no JSON (${(error as Error).message})`
  }
}

const isCatalogue = (value: unknown): value is Catalogue =>
  isObject(value) && Object.values(value).every(section => isObject(section) && Object.values(section).every(isEntry))

const isEntry = (value: unknown): boolean =>
  typeof value === 'string' || (isObject(value) && Object.values(value).every(text => typeof text === 'string'))

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
