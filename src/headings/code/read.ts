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
import { type Context, cellOrNull, leaveOpen } from '../context.ts'
import { bothPlaces } from '../names.ts'
import { codeCodes } from './codes.ts'
import type { CodeFunction, CodeType, DecidedInCode } from './model.ts'
import { functions, isFunctions } from './table.ts'

type Row = NamedRow<(typeof functions)['columns'][number]['name']>

/** Fills `context.functions`, and gives the files that they stand in. `load` gives the text of a file by its path. */
export function readFunctions(context: Context, load: (path: string) => string | null): readonly SourceFile[] {
  const found = context.functions
  const files = new Map<string, SourceFile | null>()
  const fileAt = (path: string): SourceFile | null => {
    if (!files.has(path)) {
      const text = load(path)
      files.set(path, text === null ? null : { path, text })
    }
    return files.get(path)!
  }
  for (const section of context.document.sections)
    for (const table of contentsOf(section).flatMap(({ tables }) => tables.filter(isFunctions)))
      for (const row of readRows(table, functions)) readFunction(context, section.number, row, found, fileAt)
  return [...files.values()].filter(file => file !== null)
}

const contentsOf = (section: Section): readonly Content[] => [section, ...section.subjects]

function readFunction(
  context: Context,
  section: number,
  row: Row,
  found: Map<string, CodeFunction>,
  fileAt: (path: string) => SourceFile | null,
): void {
  const { report } = reporter(codeCodes, section, context.found)
  const cell = row.cell('Function')!
  if (cell.text === '') return
  const name = cell.text
  const before = found.get(name)
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
  const file = readFile(context, section, name, row.cell('Code')!, fileAt)
  found.set(name, { name, cell, takes, gives, file, meaning: cellOrNull(row.cell('Meaning')) })
}

/** Whether a cell is left open; then that is a gap. */
function isOpen(context: Context, section: number, cell: Cell, what: string): boolean {
  const kind = nothing(cell)
  if (kind === null || kind === 'none') return false
  const by = kind === 'empty' ? { owner: null, note: null } : kind
  leaveOpen(context, cell, { section, what, consequence: 'what it gives is unknown' }, by.owner, by.note)
  return true
}

/** `lines: list of Loan line, days: integer`. Null after a report or a gap. */
function readTakes(context: Context, section: number, name: string, cell: Cell): CodeFunction['takes'] | null {
  if (isOpen(context, section, cell, `what ${name} takes`)) return null
  if (nothing(cell) === 'none') return []
  // A comma may also part the choices of a type.
  const begins = [...cell.text.matchAll(/(?:^|,)\s*([a-z][a-z0-9_]*)\s*:\s*/g)].filter(match => match[1] !== 'choice')
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
  if (isOpen(context, section, cell, `what ${name} gives`)) return null
  const type = readOne(context, section, cell, name)
  if (type === null || (type.type.kind !== 'list' && type.type.kind !== 'reference')) return type
  const { report } = reporter(codeCodes, section, context.found)
  report('N1023', cell, { written: cell.text, wrong: 'a function gives a value, no records' })
  return null
}

const notTaken: readonly string[] = ['file', 'image', 'auto number', 'several']

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

/** The file; null after a report or a gap. */
function readFile(
  context: Context,
  section: number,
  name: string,
  cell: Cell,
  fileAt: (path: string) => SourceFile | null,
): SourceFile | null {
  if (isOpen(context, section, cell, `the code of ${name}`)) return null
  const { report } = reporter(codeCodes, section, context.found)
  const target = link(cell)?.target
  const path = target?.text ?? ''
  if (target === undefined || !/^(?![a-z]+:|\/)[^#?\\]+\.ts$/i.test(path) || path.endsWith('.d.ts')) {
    report('N1024', cell, { written: cell.text })
    return null
  }
  const file = fileAt(path)
  if (file === null) {
    report('N1021', target, { path })
    return null
  }
  const text = file.text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const imported = /^\s*(?:import|export)\s+(?!type\b)(?:[^'"`;()]*?\bfrom\s*)?['"]([^'"]+)['"]/m.exec(text)
  if (imported !== null) {
    report('N1025', target, { path, module: imported[1]! })
    return null
  }
  const declared = new RegExp(`^export\\s+(?:function\\s+${name}\\s*[(<]|const\\s+${name}\\b)`, 'm')
  const listed = new RegExp(`^export\\s*\\{[^}]*\\b${name}\\s*[,}]`, 'm')
  if (declared.test(text) || listed.test(text)) return file
  report('N1022', target, { path, name })
  return null
}

/** The places where functions are asked, in the order of the document's files. */
export const decidedInCode = ({ expressions, document: { files } }: Context): readonly DecidedInCode[] =>
  expressions
    .flatMap(({ expression: { cell, root } }) => {
      const asks = functionsIn(root)
      return asks.length === 0 ? [] : [{ cell, asks, what: `\`${cell.text}\` asks ${asks.join(', ')}` }]
    })
    .sort((a, b) => files.indexOf(a.cell.file) - files.indexOf(b.cell.file) || a.cell.start - b.cell.start)
