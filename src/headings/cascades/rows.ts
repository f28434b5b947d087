/**
 * Rows of which several cells say what their columns cannot mean: a cell is left out, or two stand in each other's place.
 * That is one mistake, and what such a row would have named is missing elsewhere.
 */
import { lineStarts } from '../../document/cell.ts'
import type { Diagnostic } from '../../document/diagnostic.ts'
import type { SourceFile, Span } from '../../document/source.ts'
import { bars } from '../../document/table.ts'
import type { Document } from '../../document/tree.ts'
import { declaredIn, isInScenario, isInside, lineOf, misnamed, recordsOf, textAt, titleAbove } from './about.ts'

/** A row of a table with the errors in it, in the document's order. */
interface FaultyRow {
  readonly line: Span
  /** What it would declare: names of its heading, records of its entity, or those of its scenario. */
  readonly place: string
  readonly cells: readonly Span[]
  readonly columns: readonly Span[]
  readonly errors: readonly Diagnostic[]
}

/** One message for a row that is not in its columns, and none for the names that it would have declared. */
export function onePerRow({ sections }: Document, sorted: readonly Diagnostic[]): readonly Diagnostic[] {
  const headingOf = ({ file, start }: Span) =>
    sections.findLast(({ title }) => title.file === file && title.start <= start)?.number ?? 0
  const unknown = Map.groupBy(sorted, placeOfName)
  const users = Map.groupBy(sorted, found => `${placeOfName(found)} ${textAt(found.span)}`)
  const displaced = rowsOf(sorted, headingOf).flatMap(row => {
    const at = displacedAt(row, name =>
      (users.get(`${row.place} ${name}`) ?? []).some(found => !row.errors.includes(found)),
    )
    return at === null ? [] : [{ ...row, at }]
  })
  if (displaced.length === 0) return sorted
  const inRows = new Set(displaced.flatMap(({ errors }) => errors))
  const lost = new Set(
    [...Map.groupBy(displaced, ({ place }) => place)].flatMap(([place, those]) => {
      const swapped = new Set(those.flatMap(({ cells, at }) => (at < 0 ? [] : cells.slice(at, at + 2).map(textAt))))
      const isLost = (found: Diagnostic) =>
        !inRows.has(found) && (those.some(isShort) || isUnlike(found) || swapped.has(textAt(found.span)))
      const names = (unknown.get(place) ?? []).filter(isLost)
      const isFew = new Set(names.map(({ span }) => textAt(span))).size <= those.length
      return isFew || isInScenario(those[0]!.line) ? names : []
    }),
  )
  const merged = new Map(displaced.map(row => [row.errors[0]!, merge(row)]))
  return sorted.flatMap(found => {
    if (inRows.has(found)) return merged.get(found) ?? []
    const isOfRow =
      found.code === 'N1207' && displaced.some(({ line }) => found.related.some(({ span }) => isInside(span, line)))
    return lost.has(found) || isOfRow ? [] : [found]
  })
}

function rowsOf(sorted: readonly Diagnostic[], headingOf: (span: Span) => number): readonly FaultyRow[] {
  const errors = sorted.filter(
    ({ code, severity, span }) => severity === 'error' && code !== 'N0311' && span.file.path.endsWith('.md'),
  )
  const headers = new Map<SourceFile, ReadonlyMap<number, number>>()
  return [...Map.groupBy(errors, ({ span }) => `${span.file.path} ${lineOf(span).start}`).values()].flatMap(inRow => {
    const line = lineOf(inRow[0]!.span)
    const { file, start } = line
    if (!headers.has(file)) headers.set(file, headersOf(file))
    const header = headers.get(file)!.get(start)
    if (header === undefined || header === start) return []
    const columns = cellsOf(lineOf({ file, start: header, end: header }))
    return [{ line, place: placeOfNames(line, headingOf(line)), cells: cellsOf(line), columns, errors: inRow }]
  })
}

/** Where the header begins, for the beginning of each line of a table. */
function headersOf(file: SourceFile): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  let header = -1
  for (const start of lineStarts(file)) {
    if (file.text[start] !== '|') header = -1
    else if (header < 0) header = start
    if (header >= 0) found.set(start, header)
  }
  return found
}

/** What stands between the bars, backticks included; the last bar may be left out. */
function cellsOf(line: Span): readonly Span[] {
  const { file, end } = line
  const at = bars(line)
  const last = at.at(-1) ?? end
  const ends = file.text.slice(last + 1, end).trim() === '' ? at.slice(1) : [...at.slice(1), end]
  return ends.map((to, index) => {
    const text = file.text.slice(at[index]! + 1, to)
    const start = at[index]! + 1 + (/\S/.exec(text)?.index ?? 0)
    return { file, start, end: start + text.trim().length }
  })
}

const columnOf = ({ cells }: FaultyRow, { span }: Diagnostic): number =>
  cells.findLastIndex(({ start }) => start <= span.start)

const isShort = ({ cells, columns }: FaultyRow): boolean => cells.length < columns.length

/** What its column can mean, it is not: no name, type, rule, kind, value, result, act or condition. */
const ofColumns = new Set(
  'N0102 N0208 N0213 N0214 N1006 N1007 N1009 N1203 N1206 N1306 N1309 N1410 N1411 N1423 N1450 N1603 N1901 N1904'.split(
    ' ',
  ),
)

/** No correction is near to it, so that it was meant for another column. */
const isUnlike = ({ code, fixes }: Diagnostic): boolean =>
  (declaredIn(code) !== undefined || ofColumns.has(code)) && fixes.filter(({ kind }) => kind === 'write').length !== 1

/** A step of a scenario that cannot be read; the rest of its row is read by its kind. */
const ofSteps = new Set(['N1006', 'N1007'])

/** Whether two neighbours in a row of a scenario could be read in each other's place. */
function isStepExchanged({ cells, columns }: FaultyRow, at: number): boolean {
  const reads = (cell: Span, column: Span) => readAs.get(textAt(column).toLowerCase())?.test(textAt(cell)) ?? true
  return reads(cells[at + 1]!, columns[at]!) && reads(cells[at]!, columns[at + 1]!)
}

/** What columns of a scenario can say, as far as its form tells. */
const readAs: ReadonlyMap<string, RegExp> = new Map([
  ['step', /^(?:Given|When|Then|And)$/],
  ['who', /^(?:|a visitor|the link of .+|\S+|.+ the .+)$/i],
  ['what', /\S\s+\S/],
  ['result', /^(?:|ok(?: with .+ confirmed)?|denied|[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+)$/],
])

/**
 * The column of the first of two neighbours that stand in each other's place; -1: nobody knows which cells are in the wrong
 * column; null: each is in its own. `isUnknown`: of a name that another row uses, and that one like this would declare.
 */
function displacedAt(row: FaultyRow, isUnknown: (name: string) => boolean): number | null {
  const { errors, cells } = row
  const columns = errors.map(found => columnOf(row, found))
  const isNameless = errors.some((found, index) => misnamed.has(found.code) && columns[index] === 0)
  if (isShort(row)) {
    const saysItself = errors.length === 1 && errors[0]!.fixes.some(({ kind }) => kind === 'insert cell')
    return !saysItself && (isNameless || errors.some(isUnlike)) ? -1 : null
  }
  if (errors.some(({ code }) => ofSteps.has(code))) {
    if (columns[1] !== columns[0]! + 1) return -1
    return isStepExchanged(row, columns[0]!) ? columns[0]! : null
  }
  if (errors.length > 2) return null
  const other = errors.findIndex(
    (found, index) =>
      columns[index]! > 0 && placeOfName(found) !== row.place && isUnknown(textAt(cells[columns[index]!]!)),
  )
  if (other >= 0) return columns[other]! - 1
  if (isNameless && cells.length > 1 && isUnknown(textAt(cells[1]!))) return 0
  if (isNameless && textAt(cells[0]!) === '') return -1
  const [one, two] = errors.map(({ span }) => textAt(span))
  return errors.every(isUnlike) && columns[1] === columns[0]! + 1 && one !== two ? columns[0]! : null
}

function merge(row: FaultyRow & { readonly at: number }): Diagnostic {
  const { cells, columns, at } = row
  const [first, ...others] = row.errors as [Diagnostic, ...Diagnostic[]]
  const related = others.flatMap(({ span, message, related }) => [{ span, message }, ...related])
  const merged = { ...first, related: [...first.related, ...related] }
  if (isShort(row))
    return {
      ...merged,
      help: `This row has ${cells.length} cells and its header ${columns.length}: is one left out? \`| |\` is an empty cell.`,
      fixes: [],
    }
  if (at < 0 || at + 1 >= Math.min(cells.length, columns.length)) return merged
  const [one, other] = [cells[at]!, cells[at + 1]!]
  const edits = [
    { span: one, text: textAt(other) },
    { span: other, text: textAt(one) },
  ]
  return {
    ...merged,
    help: `Do \`${textAt(columns[at]!)}\` and \`${textAt(columns[at + 1]!)}\` stand in each other's place?`,
    fixes: [{ title: 'exchange the two cells', edits }],
  }
}

function placeOfNames(line: Span, heading: number): string {
  if (isInScenario(line)) return scenario(line)
  const isSample = /^sample data/i.test(titleAbove(line, 4))
  return isSample ? `records of ${titleAbove(line, 3).replace(/ \(.*/, '')}` : `heading ${heading}`
}

/** What would have declared an unknown name. */
function placeOfName(found: Diagnostic): string {
  const { code, severity, subject, span } = found
  if (severity !== 'error') return ''
  if (isInScenario(span) && (code === 'N1008' || code === 'N1010')) return scenario(span)
  if (code === 'N1009' && subject !== undefined) return 'heading 4'
  if (code === 'N1010') return `records of ${recordsOf(found)}`
  return `heading ${code === 'N1218' ? 2 : declaredIn(code)}`
}

const scenario = (span: Span): string => `scenario ${titleAbove(span, 4)}`
