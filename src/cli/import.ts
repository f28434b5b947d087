/** `ninefold import`: what another tool knows of an application, as a document to go on from. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, normalize, sep } from 'node:path'
import { importDatabase } from '../import/database/import.ts'
import { importDocTypes } from '../import/doctype/import.ts'
import { importJdl } from '../import/jdl/import.ts'
import { importPrisma } from '../import/prisma/import.ts'
import { importSheets } from '../import/sheet/import.ts'
import { codeOf } from '../store/failures.ts'
import { openStore } from '../store/pool.ts'
import { type NoTable, readTables } from '../web/tables.ts'
import { CannotRead, type Command, type Options, typed } from './command.ts'
import { mustBeAddress } from './database.ts'
import { mustBeFile, textOf } from './load.ts'
import type { Output } from './output.ts'

interface Imported {
  /** Root file first. */
  readonly files: readonly { readonly path: string; readonly text: string }[]
  readonly notes: readonly string[]
}

interface Source {
  readonly takes: string
  readonly read: (from: string, options: Options) => Promise<Imported | { readonly mistake: string }>
}

/** By the word behind `import`. */
const sources: Readonly<Record<string, Source>> = {
  sheet: {
    takes: 'one workbook or CSV file, e.g. ninefold import sheet shop.xlsx --out app.md',
    read: fromSheet,
  },
  jdl: textSource('jdl', 'a model in JHipster Domain Language', 'app.jdl', importJdl),
  prisma: textSource('prisma', 'a Prisma schema', 'schema.prisma', importPrisma),
  doctype: {
    takes: 'one file or folder of DocTypes, e.g. ninefold import doctype apps/crm --out app.md',
    read: fromDocTypes,
  },
  database: {
    takes: 'the address of one database, e.g. ninefold import database postgres://localhost/shop --out app.md',
    read: fromDatabase,
  },
}

export const importDocument: Command = {
  name: 'import',
  options: {
    out: { type: 'string', meaning: 'the file to write; without it, the document is printed' },
    dev: { type: 'boolean', meaning: 'serve what was written at once, as `ninefold dev` does' },
    schema: {
      type: 'string',
      multiple: true,
      meaning: 'a schema to read, once for each (the default is public)',
    },
  },
  async run([name, from, ...more], options, output) {
    const source = name === undefined || !Object.hasOwn(sources, name) ? undefined : sources[name]
    if (source === undefined)
      throw new CannotRead(
        `'ninefold import' takes one of: ${Object.keys(sources).join(', ')}; ${sources.sheet!.takes}`,
      )
    if (from === undefined || more.length > 0) throw new CannotRead(`'ninefold import ${name}' takes ${source.takes}`)
    if (options.schema !== undefined && name !== 'database')
      throw new CannotRead("`--schema` goes with 'ninefold import database'.")
    const out = typeof options.out === 'string' ? options.out : null
    if (out !== null) refuseToOverwrite(out)
    else if (options.dev === true) throw new CannotRead('What is served has to be written first: --out app.md --dev')
    const imported = await source.read(from, options)
    if ('mistake' in imported) {
      output.fail(imported.mistake)
      return 1
    }
    if (out !== null) write(imported, out)
    output.result({ ...imported, out })
    if (out === null) output.print(onlyText(imported))
    tell(imported.notes, out, output)
    return out !== null && options.dev === true ? (await import('./dev.ts')).dev.run([out], {}, output) : 0
  },
}

/** A text that is read as a whole. */
function textSource(name: string, what: string, example: string, read: typeof importJdl): Source {
  return {
    takes: `one file, e.g. ninefold import ${name} ${example} --out app.md`,
    async read(file) {
      mustBeFile(file, `Name ${what}, e.g. ${typed('import', name, example)}`)
      const imported = read(textOf(file) ?? '', basename(file))
      if ('document' in imported) return { files: [{ path: 'app.md', text: imported.document }], notes: imported.notes }
      const { line, column } = imported.place
      return { mistake: `${file}:${line}:${column} ${imported.mistake}` }
    },
  }
}

/** A file, or all JSON of a folder: where DocTypes are written they stand in folders of their own. */
async function fromDocTypes(from: string): Promise<Imported | { readonly mistake: string }> {
  if (!existsSync(from)) throw new CannotRead(`There is no file or folder '${from}'. Name DocTypes of Frappe, as JSON.`)
  const paths = statSync(from).isDirectory()
    ? readdirSync(from, { recursive: true, encoding: 'utf8' })
        .filter(path => path.endsWith('.json') && !path.includes('node_modules'))
        .sort()
        .map(path => join(from, path))
    : [from]
  const files: unknown[] = []
  for (const path of paths) {
    try {
      files.push(JSON.parse(readFileSync(path, 'utf8')))
    } catch {
      return { mistake: `${path} is no JSON.` }
    }
  }
  const name = basename(from).replace(/\.[^.]*$/, '')
  const imported = importDocTypes(files, `${name.charAt(0).toUpperCase()}${name.slice(1)}`)
  if (imported === null) return { mistake: `${from} has no DocType.` }
  return { files: [{ path: 'app.md', text: imported.document }], notes: imported.notes }
}

/** Why a sheet is no table of records, for people who have it before them. */
const noRecords: Readonly<Record<NoTable | 'sheetHidden', string>> = {
  sheetHidden: 'is a hidden sheet, which is left out',
  fileEmpty: 'has no rows below a row of headings',
  fileUnreadable: 'cannot be read as a table',
  fileTooLong: 'has more rows than an import takes',
  fileTooWide: 'has more columns than an import takes',
  fileCellTooLong: 'has a cell that is longer than any text here',
  fileTooMuch: 'holds more than an import takes',
}

async function fromSheet(file: string): Promise<Imported | { readonly mistake: string }> {
  mustBeFile(file, `Name a workbook or a CSV file, e.g. ${typed('import', 'sheet', 'shop.xlsx')}`)
  const tables = await readTables(readFileSync(file), basename(file).replace(/\.[^.]*$/, ''))
  const sheets = tables.flatMap(({ name, table }) => (typeof table === 'string' ? [] : [{ name, ...table }]))
  const others = tables.flatMap(({ name, table }) =>
    typeof table === 'string' ? [{ name, why: noRecords[table] }] : [],
  )
  if (sheets.length === 0)
    return { mistake: `${file} has no table: ${others.map(({ name, why }) => `${name}: ${why}`).join('; ')}` }
  return importSheets(sheets, basename(file), others)
}

async function fromDatabase(url: string, { schema }: Options): Promise<Imported | { readonly mistake: string }> {
  mustBeAddress('What was named', url)
  const store = openStore(url, { connections: 1 })
  try {
    await store.serverVersion()
    return await importDatabase(store, Array.isArray(schema) ? schema.map(String) : ['public'])
  } finally {
    await store.close()
  }
}

function onlyText({ files: [root, ...parts] }: Imported): string {
  if (parts.length > 0)
    throw new CannotRead(`The document has ${parts.length + 1} files. Say where they are to be written: --out app.md`)
  return root!.text
}

/** The root file is written as it is asked for, its parts beside it. All or none: nothing is ever written over. */
function write({ files: [root, ...parts] }: Imported, out: string): void {
  const targets = parts.map(({ path, text }) => ({ path: beside(out, path), text }))
  for (const { path } of targets) refuseToOverwrite(path)
  const all = [{ path: out, text: root!.text }, ...targets]
  try {
    for (const { path, text } of all) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text, { flag: 'wx' })
    }
  } catch (error) {
    // None of them was there before.
    if (codeOf(error) !== 'EEXIST') for (const { path } of all) rmSync(path, { force: true })
    throw error
  }
}

function beside(out: string, path: string): string {
  const plain = normalize(path)
  if (plain.startsWith('..') || plain.startsWith(sep) || /^[A-Za-z]:/.test(plain))
    throw new CannotRead(`The document has a part '${path}', which does not lie beside its root file.`)
  return join(dirname(out), plain)
}

function refuseToOverwrite(file: string): void {
  if (existsSync(file))
    throw new CannotRead(`'${file}' is there already, and an import never writes over a file. Name another one.`)
}

/** Notes go to the error stream, so that a printed document stays a document. */
function tell(notes: readonly string[], out: string | null, { warn }: Output): void {
  if (notes.length > 0) {
    warn('Not carried over, or said in another way:')
    for (const note of notes) warn(`  ${note}`)
  }
  if (out !== null) warn(`Written to ${out}. Go on with: ${typed('dev', out)}`)
}
