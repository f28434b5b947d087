/** Reads a document from disk: the root file, its parts, and the version that names exactly this text. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Diagnostic } from '../document/diagnostic.ts'
import { speakAlso } from '../expression/catalogue.ts'
import type { Reading } from '../headings/app.ts'
import { cataloguesOf } from '../headings/catalogues.ts'
import { readApp } from '../headings/index.ts'
import { CannotRead, onlyFile, typed } from './command.ts'

export interface Loaded extends Reading {
  /** Folder of the root file: parts, data and blocks are found from here. */
  readonly folder: string
  readonly root: string
  /** Every file that was asked for, with its text; null where there was none. */
  readonly texts: ReadonlyMap<string, string | null>
  /** What keeps an application from being run: errors, but those in files of sample data. */
  readonly errors: readonly Diagnostic[]
  /** Errors in files of sample data, which only `dev` reads in. */
  readonly inSamples: readonly Diagnostic[]
}

/** What is wrong with the document is in `found`; throws `CannotRead` where there is no such file. */
export function loadApp(file: string): Loaded {
  mustBeDocument(file)
  const folder = dirname(file)
  const read = (path: string) => textOf(join(folder, path))
  return readTexts(file, read, path => readFileSync(join(folder, path)))
}

/** The same of texts from elsewhere; `bytes`: of a file that is there, where its text is not all. */
export function readTexts(
  file: string,
  read: (path: string) => string | null,
  bytes?: (path: string) => Uint8Array,
): Loaded {
  const texts = new Map<string, string | null>()
  const load = (path: string): string | null => {
    if (!texts.has(path)) texts.set(path, read(path))
    return texts.get(path) ?? null
  }
  const root = basename(file)
  const reading = readApp(root, load, {
    version: files => hash(files),
    // Asked for as text as well, so that whoever watches files watches it.
    ...(bytes === undefined ? {} : { bytes: path => (load(path) === null ? null : bytes(path)) }),
  })
  if (reading.app !== null) speakAlso(cataloguesOf(reading.app))
  const all = reading.found.filter(({ severity }) => severity === 'error')
  const inSamples = all.filter(one => isOfSamples(reading, one))
  return {
    folder: dirname(file),
    root,
    texts,
    ...reading,
    errors: all.filter(one => !inSamples.includes(one)),
    inSamples,
  }
}

/** It stands in a file of sample data, or says that a file is none. */
const isOfSamples = ({ samples }: Reading, { span, code }: Diagnostic): boolean =>
  samples.has(span.file) || code === 'N1353'

/** The document that a command is about, which is there, though its text is of no matter. */
export function documentNamed(files: readonly string[], command: string): string {
  const file = onlyFile(files, command)
  mustBeDocument(file)
  return file
}

const mustBeDocument = (file: string): void =>
  mustBeFile(file, `Name the document's root file, e.g. ${typed('check', 'app.md')}`)

/** Throws `CannotRead`, with what to do instead, for what is not there or is a folder. */
export function mustBeFile(file: string, instead: string): void {
  if (!existsSync(file)) throw new CannotRead(`There is no file '${file}'. ${instead}`)
  if (!statSync(file).isFile()) throw new CannotRead(`'${file}' is not a file. ${instead}`)
}

/** Null where there is no file. */
export function textOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.isFile() === true ? readFileSync(file, 'utf8') : null
}

/** First 12 hexadecimal digits of SHA-256 over the files' paths and texts, in reading order. */
function hash(files: readonly { readonly path: string; readonly text: string }[]): string {
  const sum = createHash('sha256')
  for (const { path, text } of files) sum.update(`${path}\0${text}\0`)
  return sum.digest('hex').slice(0, 12)
}
