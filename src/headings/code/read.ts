/** The tables of functions, wherever they stand: read after the names of entities, before any expression. */

import { link, slice, trimmed } from '../../document/cell.ts'
import type { NamedRow } from '../../document/columns.ts'
import { readRows } from '../../document/columns.ts'
import { reporter } from '../../document/diagnostic.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell, SourceFile } from '../../document/source.ts'
import type { Content, Section } from '../../document/tree.ts'
import { functionNames } from '../../expression/functions.ts'
import { isName } from '../../expression/names.ts'
import { functionsIn } from '../../expression/summary.ts'
import { readType } from '../../kinds/fields/index.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import type { Screen } from '../2-screens/model.ts'
import { type Context, cellOrNull, leaveOpen } from '../context.ts'
import { type Open, open } from '../gaps/gap.ts'
import { bothPlaces } from '../names.ts'
import { codeCodes } from './codes.ts'
import type { BlockLink, CodeFunction, CodeType, DecidedInCode } from './model.ts'
import { functions, isFunctions } from './table.ts'

type FunctionRow = NamedRow<(typeof functions)['columns'][number]['name']>

/** Fills `context.functions`. */
export function readFunctions(context: Context): void {
  for (const section of context.document.sections)
    for (const table of contentsOf(section).flatMap(({ tables }) => tables.filter(isFunctions)))
      for (const row of readRows(table, functions)) readFunction(context, section.number, row)
}

/** The files of code that the document names, in the order in which it does. */
export const codeFilesOf = ({ codeFiles }: Context): readonly SourceFile[] =>
  [...codeFiles.values()].filter(file => file !== null)

function fileAt({ codeFiles, load }: Context, path: string): SourceFile | null {
  if (!codeFiles.has(path)) {
    const text = load(path)
    codeFiles.set(path, text === null ? null : { path, text })
  }
  return codeFiles.get(path)!
}

const contentsOf = (section: Section): readonly Content[] => [section, ...section.subjects]

function readFunction(context: Context, section: number, row: FunctionRow): void {
  const { report } = reporter(codeCodes, section, context.found)
  const cell = row.cell('Function')!
  if (cell.text === '') return
  const name = cell.text
  const before = context.functions.get(name)
  if (before !== undefined) {
    report('N1026', cell, { name }, bothPlaces(cell, before.cell))
    return
  }
  const why = isName(name)
    ? functionNames.includes(name) && 'there is one already'
    : 'it is not one lower-case word of its own'
  if (why !== false) {
    report('N1020', cell, { name, why })
    return
  }
  const takes = readTakes(context, section, name, row.cell('Takes')!)
  const gives = readGives(context, section, name, row.cell('Gives')!)
  if (takes === null || gives === null) return
  const code = row.cell('Code')!
  const file = isOpen(context, code, open(section, 'functionCode', { name }))
    ? null
    : readFile(context, section, name, code, link(code)?.target ?? null, functionFile)
  context.functions.set(name, { name, cell, takes, gives, file, meaning: cellOrNull(row.cell('Meaning')) })
}

/** Whether a cell is left open; then that is a gap. */
function isOpen(context: Context, cell: Cell, left: Open): boolean {
  const kind = nothing(cell)
  if (kind === null || kind === 'none') return false
  leaveOpen(context, cell, left, kind === 'empty' ? undefined : kind)
  return true
}

/** `lines: list of Loan line, days: integer`. Null after a report or a gap. */
function readTakes(context: Context, section: number, name: string, cell: Cell): CodeFunction['takes'] | null {
  if (isOpen(context, cell, open(section, 'functionTakes', { name }))) return null
  if (nothing(cell) === 'none') return []
  // A comma may also part the choices of a type.
  const begins = [...cell.text.matchAll(/(?:^|,)\s*([a-z][a-z0-9_]*)\s*:\s*/g)].filter(
    match => !/^(?:choice|several of)$/.test(match[1]!),
  )
  const { report } = reporter(codeCodes, section, context.found)
  if (begins[0]?.index !== 0) {
    report('N1023', cell, { written: cell.text, wrong: 'each value has a name and a type' })
    return null
  }
  const takes: CodeFunction['takes'][number][] = []
  for (const [index, match] of begins.entries()) {
    const typeCell = trimmed(slice(cell, match.index + match[0].length, begins[index + 1]?.index ?? cell.text.length))
    const type = readOne(context, section, typeCell, `${name}.${match[1]}`)
    if (type === null) return null
    if (takes.some(one => one.name === match[1])) {
      report('N1023', cell, { written: cell.text, wrong: `\`${match[1]}\` is there twice` })
      return null
    }
    takes.push({ name: match[1]!, ...type })
  }
  return takes
}

function readGives(context: Context, section: number, name: string, cell: Cell): CodeType | null {
  if (isOpen(context, cell, open(section, 'functionGives', { name }))) return null
  const type = readOne(context, section, cell, name)
  if (type === null || (type.type.kind !== 'list' && type.type.kind !== 'reference')) return type
  const { report } = reporter(codeCodes, section, context.found)
  report('N1023', cell, { written: cell.text, wrong: 'a function gives a value, no records' })
  return null
}

const notTaken: readonly string[] = ['file', 'image', 'auto number', 'several', 'several of', 'json']

function readOne(context: Context, section: number, cell: Cell, owner: string): CodeType | null {
  const byName = new Map([...context.entityByKey.values()].map(({ name, key }) => [name, key]))
  const read = readType(cell, byName, owner)
  const wrong =
    'kind' in read
      ? notTaken.includes(read.kind.name)
        ? `a function has nothing to do with ${read.kind.name === 'several' ? '`several`; write `list of`' : `the type ${read.kind.name}`}`
        : null
      : read.wrong
  if ('kind' in read && wrong === null) return { kind: read.kind.name, parameters: read.parameters, type: read.type }
  reporter(codeCodes, section, context.found).report('N1023', cell, { written: cell.text, wrong: wrong! })
  return null
}

/** What a file of code may be, and what it may import. */
interface FileKind {
  readonly path: RegExp
  readonly example: string
  readonly imports: readonly string[]
}

const functionFile: FileKind = { path: /\.ts$/i, example: '[fees.ts](code/fees.ts)', imports: [] }
const blockFile: FileKind = {
  path: /\.tsx$/i,
  example: '[Checklist](blocks/checklist.tsx)',
  imports: ['react', 'ninefold/ui'],
}

/** The file that exports a name; null after a report. `cell`: what was written, `target` its link. */
function readFile(
  context: Context,
  section: number,
  name: string,
  cell: Cell,
  target: Cell | null,
  kind: FileKind,
): SourceFile | null {
  const { report } = reporter(codeCodes, section, context.found)
  const path = target?.text ?? ''
  if (target === null || !/^(?![a-z]+:|\/)[^#?\\]+$/i.test(path) || !kind.path.test(path) || path.endsWith('.d.ts')) {
    report('N1024', cell, { written: cell.text, example: kind.example })
    return null
  }
  const file = fileAt(context, path)
  if (file === null) {
    report('N1021', target, { path })
    return null
  }
  const text = file.text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const imports = [...text.matchAll(/^\s*(?:import|export)\s+(?!type\b)(?:[^'"`;()]*?\bfrom\s*)?['"]([^'"]+)['"]/gm)]
  const module = imports.map(match => match[1]!).find(one => !kind.imports.includes(one))
  if (module !== undefined) {
    report('N1025', target, { path, module })
    return null
  }
  const declared = new RegExp(`^export\\s+(?:function\\s+${name}\\s*[(<]|const\\s+${name}\\b)`, 'm')
  const listed = new RegExp(`^export\\s*\\{[^}]*\\b${name}\\s*[,}]`, 'm')
  if (declared.test(text) || listed.test(text)) return file
  report('N1022', target, { path, name })
  return null
}

/** `[Checklist](blocks/checklist.tsx)`: the component is the export of that name. */
export function readBlocks(context: Context, cells: readonly Cell[]): readonly BlockLink[] {
  const section = 2
  return cells.flatMap(cell => {
    if (isOpen(context, cell, open(section, 'block'))) return []
    const written = link(cell)
    const name = written?.text.text ?? ''
    const target = /^[A-Z]\w*$/.test(name) ? written!.target : null
    const file = readFile(context, section, name, cell, target, blockFile)
    return file === null ? [] : [{ name, cell, file }]
  })
}

/** The places where functions are asked and blocks shown, in the order of the document's files. */
export function decidedInCode(
  { expressions, document: { files } }: Context,
  screens: readonly Screen[],
): readonly DecidedInCode[] {
  const asked = expressions.flatMap(({ expression: { cell, root } }) => {
    const asks = functionsIn(root)
    return asks.length === 0 ? [] : [{ cell, asks, what: `\`${cell.text}\` asks ${asks.join(', ')}` }]
  })
  const shown = screens.flatMap(screen =>
    usesOf(screen).blocks.map(({ name, cell }) => ({
      cell,
      asks: [],
      what: `${name}, a block of ${screen.name.text}`,
    })),
  )
  return [...shown, ...asked].sort(
    (a, b) => files.indexOf(a.cell.file) - files.indexOf(b.cell.file) || a.cell.start - b.cell.start,
  )
}
