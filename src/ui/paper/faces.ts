/** The fonts of paper: IBM Plex Sans by script and weight, as its package has them, and what an application brings itself. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { create, type Font } from 'fontkit'
import { home, isBuilt } from '../../files.ts'

export type Weight = 400 | 600

const scripts = [
  'ibm-plex-sans/files/ibm-plex-sans-latin',
  'ibm-plex-sans/files/ibm-plex-sans-latin-ext',
  'ibm-plex-sans/files/ibm-plex-sans-greek',
  'ibm-plex-sans/files/ibm-plex-sans-cyrillic',
  'ibm-plex-sans/files/ibm-plex-sans-cyrillic-ext',
  'ibm-plex-sans/files/ibm-plex-sans-vietnamese',
  'ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic',
  'ibm-plex-sans-hebrew/files/ibm-plex-sans-hebrew-hebrew',
]

const fileOf = (script: string, weight: Weight): string => `@fontsource/${script}-${weight}-normal.woff`

/** The files as packages have them; `scripts/build.ts` puts them beside what it builds. */
export const faceFiles: readonly string[] = scripts.flatMap(script => [fileOf(script, 400), fileOf(script, 600)])

export const builtFaces = join(home, 'dist', 'fonts')

const pathOf = (file: string): string =>
  isBuilt ? join(builtFaces, basename(file)) : createRequire(import.meta.url).resolve(file)

/** A WOFF file unpacked: the same tables without compression. Other files stay as they are. */
function sfntOf(bytes: Uint8Array): Uint8Array {
  const woff = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (woff.toString('latin1', 0, 4) !== 'wOFF') return bytes
  const count = woff.readUInt16BE(12)
  const head = Buffer.alloc(12 + 16 * count)
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  let end = head.length
  const tables = Array.from({ length: count }, (_, at) => {
    const entry = 44 + 20 * at
    const [from, packed, length] = [4, 8, 12].map(offset => woff.readUInt32BE(entry + offset)) as [
      number,
      number,
      number,
    ]
    const content = woff.subarray(from, from + packed)
    const table = Buffer.alloc(Math.ceil(length / 4) * 4)
    ;(packed < length ? inflateSync(content) : content).copy(table)
    const record = 12 + 16 * at
    woff.copy(head, record, entry, entry + 4)
    woff.copy(head, record + 4, entry + 16, entry + 20)
    head.writeUInt32BE(end, record + 8)
    head.writeUInt32BE(length, record + 12)
    end += table.length
    return table
  })
  return Buffer.concat([head, ...tables])
}

export interface Face {
  /** Tells it from the others. */
  readonly index: number
  readonly font: Font
}

export interface Faces {
  /** The first that has the letter; the first of all where none has. */
  readonly of: (codePoint: number, weight: Weight) => Face
  readonly has: (codePoint: number, weight: Weight) => boolean
}

/** A file is read when a letter is looked for that those before it lack. */
export function facesWith(own: readonly Uint8Array[]): Faces {
  let opened = 0
  const open = (bytes: Uint8Array): Face => ({ index: opened++, font: create(sfntOf(bytes)) })
  const theirs = memoized((place: number) => open(own[place]!))
  const chain = (weight: Weight) =>
    memoized((place: number): Face | null => {
      const script = scripts[place]
      if (script !== undefined) return open(readFileSync(pathOf(fileOf(script, weight))))
      return place - scripts.length < own.length ? theirs(place - scripts.length) : null
    })
  const chains = { 400: chain(400), 600: chain(600) }
  const search = (weight: Weight) =>
    memoized((codePoint: number) => {
      for (let place = 0; ; place++) {
        const face = chains[weight](place)
        if (face === null || face.font.hasGlyphForCodePoint(codePoint)) return face
      }
    })
  const found = { 400: search(400), 600: search(600) }
  return {
    of: (codePoint, weight) => found[weight](codePoint) ?? chains[weight](0)!,
    has: (codePoint, weight) => found[weight](codePoint) !== null,
  }
}

function memoized<Value>(make: (key: number) => Value): (key: number) => Value {
  const known = new Map<number, Value>()
  return key => {
    const value = known.has(key) ? known.get(key)! : make(key)
    known.set(key, value)
    return value
  }
}
