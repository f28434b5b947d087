/**
 * Records with their rows in one file: each of its rows says something of the record, of one of its rows, and of one of theirs. What is
 * said again of the same record or row goes on with it.
 */
import { type FileCell, shownOf, textOf } from '../../document/file-cells.ts'
import { folded } from '../../expression/letters.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { saysMoment } from '../../kinds/fields/dates.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { isBlank } from '../../kinds/fields/texts.ts'
import { comparedWithout, labelOf } from '../names.ts'
import type { ChildInput, Input, Problem } from '../outcome.ts'
import { raise, raiseInvalidValue } from '../problems/raise.ts'
import type { Request } from '../request.ts'
import { type DeepList, deepLists, rowsIn } from '../write/draft-record.ts'
import { cellRead } from './cells.ts'
import { columnAt, columnLabel, keyFields, tellsRows } from './import-fields.ts'
import type { JobRow, JobWhat } from './jobs.ts'
import type { Candidates, ImportJob, Read } from './meant.ts'

/** What tells which rows of a file are about one record: to be asked of each, in their order. */
export function recordOfRows(
  app: App,
  entity: string,
  what: JobWhat,
): (row: Pick<JobRow, 'number' | 'cells'>) => string {
  const mapping = what.mapping ?? []
  const own = mapping.flatMap((path, at) => (columnAt(app, entity, path)?.list === null ? [at] : []))
  const keys = keyFields(what).map(key => mapping.indexOf(key))
  let last: { readonly said: string; readonly key: string } | null = null
  return ({ number, cells }) => {
    const said = (places: readonly number[]) => places.map(at => shownOf(cells?.[at] ?? '').trim())
    const all = said(own).join('\x1f')
    const isNew = last === null || (said(own).some(text => text !== '') && (keys.length > 0 || all !== last.said))
    if (!isNew) return last!.key
    const named = said(keys)
    const key = named.length > 0 && named.every(text => text !== '') ? named.join('\x1f') : `\x1e${number}`
    last = { said: all, key }
    return key
  }
}

/** A row of a record, as the file has it. */
export interface FileRow {
  /** The row of the file that begins with it. */
  readonly at: number
  /** Its number in the list, where the file gives one. */
  readonly number: string | null
  readonly values: Record<string, Wire>
  readonly texts: Record<string, string>
  /** By field, with the row of the file. */
  readonly invalid: { readonly at: number; readonly problem: Problem }[]
  readonly rows: FileRows
}

/** By list. */
export type FileRows = Record<string, FileRow[]>

/** Of one row of a file what it says of one list. */
interface Said extends Pick<FileRow, 'number' | 'values' | 'texts'> {
  readonly problems: readonly Problem[]
}

/** The rows that these rows of a file give to their record. `known`: the columns that somebody may bring in. */
export function rowsSaid(
  app: App,
  request: Request,
  job: ImportJob,
  all: readonly JobRow[],
  known: ReadonlySet<string>,
  meant: Candidates,
): FileRows {
  const lists = deepLists(app, job.entity)
  const columns = (job.what.mapping ?? []).flatMap((path, at) => {
    const column = columnAt(app, job.entity, path)
    return path === null || column?.list == null || !known.has(path) ? [] : [{ ...column, list: column.list, at }]
  })
  const rows: FileRows = {}
  const tellOf = new Map<readonly FileRow[], Map<string, FileRow>>()
  for (const { cells, number } of all) {
    const said = new Map<DeepList, Said>()
    for (const [list, own] of Map.groupBy(columns, column => column.list)) {
      const found = saidOf(
        own.map(({ entity, field, at }) => ({ entity, field, cell: cells?.[at] ?? '' })),
        list,
      )
      if (found !== null) said.set(list, found)
    }
    const isSaid = (list: DeepList): boolean => said.has(list) || below(list).some(isSaid)
    const below = (above: DeepList | null) => lists.filter(({ within }) => within === above)
    const lay = (into: FileRows, above: DeepList | null): void => {
      for (const list of below(above)) {
        if (!isSaid(list)) continue
        into[list.field] ??= []
        const row = rowFor(into[list.field]!, list, said.get(list) ?? nothing, below(list).some(isSaid))
        lay(row.rows, list)
      }
    }
    const rowFor = (there: FileRow[], list: DeepList, own: Said, leads: boolean): FileRow => {
      const told = tellOf.get(there) ?? new Map<string, FileRow>()
      tellOf.set(there, told)
      const found = goesOn(app, list, { last: there.at(-1), told }, own, leads)
      const row = found ?? { at: number, number: own.number, values: {}, texts: {}, invalid: [], rows: {} }
      if (found === undefined) there.push(row)
      row.invalid.push(...own.problems.map(problem => ({ at: number, problem })))
      for (const [key, value] of Object.entries(own.values)) {
        if ((row.values[key] ?? value) !== value) {
          const label = columnLabel(app, job.entity, { list, field: fieldOf(app, list, key) })
          const problem = raise(app, 'NF-IMPORT-DIFFERS', { label, row: row.at }, { field: key })
          row.invalid.push({ at: number, problem })
        } else row.values[key] = value
      }
      Object.assign(row.texts, own.texts)
      for (const name of [...numbered(own), ...tellingOf(app, list, own.values)])
        if (!told.has(name)) told.set(name, row)
      return row
    }
    lay(rows, null)
  }
  return rows

  function saidOf(
    cells: readonly { readonly entity: string; readonly field: Field | null; readonly cell: FileCell }[],
    list: DeepList,
  ): Said | null {
    const filled = cells.filter(({ cell }) => !isBlank(textOf(cell)))
    if (filled.length === 0) return null
    const values: Record<string, Wire> = {}
    const texts: Record<string, string> = {}
    const problems: Problem[] = []
    let number: string | null = null
    for (const { entity, field, cell } of filled) {
      const read =
        field === null
          ? numberRead(app, columnLabel(app, job.entity, { list, field }), cell)
          : cellRead(app, request, { entity, field, cell }, job.what.written ?? request.locale, meant)
      if ('problem' in read) problems.push(read.problem)
      else if (field === null) number = String(read.value)
      else {
        values[field.key] = read.value
        texts[field.key] = textOf(cell)
      }
    }
    return { number, values, texts, problems }
  }
}

const nothing: Said = { number: null, values: {}, texts: {}, problems: [] }

const fieldOf = (app: App, { entity }: DeepList, key: string): Field =>
  app.entities.get(entity)!.fields.find(field => field.key === key)!

/** The number of a row in its list, from 1. */
function numberRead(app: App, label: string, cell: FileCell): Read {
  const place = { field: '', because: null }
  const read = fieldKind('integer').fromJson(textOf(cell).trim(), {})
  if (!('value' in read)) return { problem: raiseInvalidValue(app, read.invalid, label, place) }
  return Number(read.value) < 1
    ? { problem: raise(app, 'NF-MIN', { label, limit: '1', value: read.value as string }, place) }
    : read
}

/** Rows of a list that were said so far: each by its number, and by all that tells it apart. */
interface SaidBefore {
  readonly last: FileRow | undefined
  readonly told: ReadonlyMap<string, FileRow>
}

/** Which of the rows that are there already it is about: by its number; where it leads to rows of its own, by what tells it apart, else it is the last, said again. */
function goesOn(app: App, list: DeepList, { last, told }: SaidBefore, own: Said, leads: boolean): FileRow | undefined {
  const [number] = numbered(own)
  if (number !== undefined) return told.get(number)
  if (!leads) return undefined
  const [telling] = tellingOf(app, list, own.values)
  if (telling !== undefined) return told.get(telling)
  return last !== undefined && Object.keys(own.values).every(key => last.values[key] === own.values[key])
    ? last
    : undefined
}

const numbered = ({ number }: Pick<Said, 'number'>): readonly string[] => (number === null ? [] : [`#${number}`])

/** Of what is said of a row what tells it from the others; the first counts. */
const keysOf = (app: App, list: DeepList, values: RecordValue | FileRow['values']): readonly string[] =>
  app.entities
    .get(list.entity)!
    .fields.flatMap(field => (tellsRows(list, field) && values[field.key] != null ? [field.key] : []))

/** The same with its value, as values are compared: two rows that have one in common are one. */
const tellingOf = (app: App, list: DeepList, values: RecordValue | FileRow['values']): readonly string[] =>
  keysOf(app, list, values).map(key => `${key} ${String(folded(comparedWithout(app, list.entity, key), values[key]))}`)

/** Rows of a file laid over those of the record that they are about. */
interface Laid extends Pick<Input, 'children' | 'invalidValues'> {
  /** By the path of a row, or of a value in it, the row of the file that says it. */
  readonly places: ReadonlyMap<string, number>
}

/**
 * Rows that the file tells apart, or gives the number of, are changed; all others are new. What the file does not speak of stays. `stored`:
 * null where the record is new; `sees`: whether whoever brings it in sees a row.
 */
export function laidOver(
  app: App,
  entity: string,
  rows: FileRows,
  stored: RecordValue | null,
  sees: (row: RecordValue) => boolean,
): Laid {
  const places = new Map<string, number>()
  const invalidValues: Problem[] = []
  const lay = (above: DeepList | null, given: FileRows, record: RecordValue | null, prefix: string) => {
    const lists = deepLists(app, entity).filter(({ within, field }) => within === above && field in given)
    return Object.fromEntries(
      lists.map(list => [list.field, over(list, given[list.field]!, rowsIn(record, list).filter(sees), prefix)]),
    )
  }
  const over = (list: DeepList, given: readonly FileRow[], kept: readonly RecordValue[], prefix: string) => {
    const meant = new Map<RecordValue, FileRow>()
    const added: FileRow[] = []
    const told = new Map<string, RecordValue>()
    for (const one of kept)
      for (const telling of tellingOf(app, list, one)) if (!told.has(telling)) told.set(telling, one)
    for (const row of given) {
      const [telling] = tellingOf(app, list, row.values)
      const found =
        telling !== undefined ? told.get(telling) : row.number === null ? undefined : kept[Number(row.number) - 1]
      if (found === undefined || meant.has(found)) added.push(row)
      else meant.set(found, row)
    }
    const changed = kept.map((one, at): ChildInput => {
      const row = meant.get(one)
      return row === undefined
        ? { id: one.id as string, values: {} }
        : inputOf(list, row, one, `${prefix}${list.field}.${at}`)
    })
    return [
      ...changed,
      ...added.map((row, at) => inputOf(list, row, null, `${prefix}${list.field}.${kept.length + at}`)),
    ]
  }
  const inputOf = (list: DeepList, row: FileRow, one: RecordValue | null, path: string): ChildInput => {
    places.set(path, row.at)
    for (const { at, problem } of row.invalid) {
      const field = problem.field === '' ? path : `${path}.${problem.field}`
      if (problem.field !== '') places.set(field, at)
      invalidValues.push({ ...problem, field })
    }
    const keys = one === null ? [] : keysOf(app, list, row.values).slice(0, 1)
    const isGiven = (key: string) => one === null && !fieldKind(fieldOf(app, list, key).kind).entered
    for (const [key, value] of Object.entries(row.values)) {
      if (!isGiven(key)) continue
      const { name } = app.entities.get(list.entity)!
      const label = labelOf(app, list.entity, key)
      const told = { label, entity: name, text: String(value) }
      invalidValues.push(raise(app, 'NF-IMPORT-GIVEN', told, { field: `${path}.${key}` }))
    }
    const values = Object.entries(row.values).filter(
      ([key, value]) =>
        !keys.includes(key) && !isGiven(key) && !(one !== null && saysSame(app, list, row, key, value, one[key])),
    )
    return {
      id: one === null ? null : (one.id as string),
      values: Object.fromEntries(values),
      children: lay(list, row.rows, one, `${path}.`),
    }
  }
  const children = lay(null, rows, stored, '')
  return { children, invalidValues, places }
}

/** A moment of which the file says less than the record is none that it changes. */
const saysSame = (app: App, list: DeepList, { texts }: FileRow, key: string, value: Wire, stored: unknown): boolean =>
  fieldOf(app, list, key).type.kind === 'moment' &&
  typeof stored === 'string' &&
  saysMoment(texts[key]!, String(value), stored)

/** The row of the file that a problem is about, and the path of its column: `lines.2.quantity` stands in the column `lines.quantity`. */
export function placeOf(
  field: string | null,
  places: ReadonlyMap<string, number>,
): { readonly row: number | undefined; readonly column: string | null } {
  if (field === null) return { row: undefined, column: null }
  const parts = field.split('.')
  const known = parts.map((_, at) => parts.slice(0, parts.length - at).join('.')).find(path => places.has(path))
  return {
    row: known === undefined ? undefined : places.get(known),
    column: parts.filter(part => !/^\d+$/.test(part)).join('.'),
  }
}
