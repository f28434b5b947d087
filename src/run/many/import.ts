/** One record of a file: the cells of its rows read as their fields' kinds, the record found by the key, and written like any other input. */

import { cellName, type FileCell, isEmpty, shownOf, textOf } from '../../document/file-cells.ts'
import { folded } from '../../expression/letters.ts'
import type { Type, Wire } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import { greatBritain, saysMoment } from '../../kinds/fields/dates.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { isBlank } from '../../kinds/fields/texts.ts'
import { policyFor } from '../access/policy.ts'
import { comparedWithout, declared, labelOf } from '../names.ts'
import type { Problem } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import { read } from '../read/read.ts'
import type { Request, Runtime } from '../request.ts'
import { refused } from '../write/write.ts'
import { change, create } from '../write/writes.ts'
import { cellRead } from './cells.ts'
import { columnAt, importFields, keyFields } from './import-fields.ts'
import { type FileRows, laidOver, rowsSaid } from './import-rows.ts'
import type { JobRow, JobWhat, RowDone } from './jobs.ts'
import { type Candidates, type ImportJob, meantIn } from './meant.ts'

/** Whether this person may bring in files of records of this entity. */
export const mayImport = ({ app }: Pick<Runtime, 'app'>, { actor }: Pick<Request, 'actor'>, entity: string): boolean =>
  app.entities.has(entity) && policyFor(app, actor).rows(entity, 'import', 't') === true

/** Whether a file is brought in with all its rows, or none of them. */
export const takesWhole = ({ app }: Runtime, request: Request, entity: string): boolean =>
  policyFor(app, request.actor).importsWhole(entity)

/** How figures and dates of a file may be written: as whoever brings it in writes them, else in English with the day or the month first, or in German. */
export const writtenLanguages = (locale: string): readonly string[] => [
  ...new Set([locale, greatBritain, 'en-US', 'de-DE']),
]

const looked = 200

/** The language in which most figures of the first rows can be read. In which order days are written is not guessed. */
export function writtenAs(
  app: App,
  entity: string,
  mapping: readonly (string | null)[],
  rows: readonly { readonly cells: readonly FileCell[] }[],
  locale: string,
): string {
  const columns = mapping.flatMap((key, at) => {
    const field = columnAt(app, entity, key)?.field
    return field != null && figures.has(field.type.kind) ? [{ at, field }] : []
  })
  const readable = (language: string) =>
    rows.slice(0, looked).flatMap(({ cells }) =>
      columns.filter(({ at, field: { kind, parameters } }) => {
        const cell = cells[at]
        return (
          typeof cell === 'string' &&
          'value' in fieldKind(kind).parse(cell, parameters, language, app.product.timeZone.name)
        )
      }),
    ).length
  const languages = writtenLanguages(locale).map(language => ({ language, count: readable(language) }))
  return languages.toSorted((left, right) => right.count - left.count)[0]!.language
}

const figures: ReadonlySet<Type['kind']> = new Set(['integer', 'decimal', 'money'])

/** A row as it was read. */
interface RowRead {
  readonly values: Record<string, Wire>
  readonly invalidValues: readonly Problem[]
  /** What its key is made of. */
  readonly keyed: ReadonlyMap<string, Wire>
  readonly title: string | null
  /** The record that it is about; null: there is none; undefined: it was not looked for. */
  readonly there: Stored | null | undefined
  /** What it says of the record's rows, with the rows that go on with it. */
  readonly rows: FileRows
  /** Fields of the record that a row which goes on with it says first, or otherwise. */
  readonly places: ReadonlyMap<string, number>
}

interface Stored {
  readonly id: string
  readonly version: number
  readonly values: Readonly<Record<string, unknown>>
}

/** Reads rows by their numbers, with what they name. `found`: with the records that they are about, too, as far as one field tells which. */
export async function readRows(
  runtime: Runtime,
  request: Request,
  job: ImportJob,
  rows: readonly JobRow[],
  found: boolean,
): Promise<ReadonlyMap<number, RowRead>> {
  const meant = await meantIn(runtime, request, job, rows)
  const known = new Map(importFields(runtime, request, job.entity).map(field => [field.key, field]))
  const read = new Map(rows.map(row => [row.number, readRecord(runtime, request, job, row, known, meant)]))
  const keys = keyFields(job.what)
  if (!found || keys.length !== 1) return read
  const all = [...read.values()]
  const there = await recordsWith(runtime, request, job.entity, keys, all)
  return new Map(
    [...read].map(([number, row]) => [number, { ...row, there: recordOf(runtime.app, job.entity, there, row) }]),
  )
}

type Known = ReadonlyMap<string, ReturnType<typeof importFields>[number]>

/** What a row of a file says, with those that go on with it: of the record what each of them says, as long as they say the same. */
function readRecord(
  { app }: Runtime,
  request: Request,
  job: ImportJob,
  row: JobRow,
  known: Known,
  meant: Candidates,
): RowRead {
  const first = readRow(app, request, job, row, known, meant)
  const goingOn = row.goingOn ?? []
  if (job.what.rows !== true) return { ...first, there: undefined, rows: {}, places: new Map() }
  const values = { ...first.values }
  const invalidValues = [...first.invalidValues]
  const places = new Map<string, number>()
  const say = (key: string, at: number, problem?: Problem) => {
    places.set(key, at)
    if (problem !== undefined) invalidValues.push(problem)
  }
  const nameOf = ({ field, code }: Problem) => `${field} ${code}`
  const told = new Set(invalidValues.map(nameOf))
  for (const more of goingOn) {
    const own = readRow(app, request, job, more, known, meant)
    for (const [key, value] of Object.entries({ ...own.values, ...Object.fromEntries(own.keyed) })) {
      const before = first.keyed.get(key) ?? values[key]
      if (before === undefined) {
        values[key] = value
        say(key, more.number)
      } else if (before !== value && !first.keyed.has(key)) {
        const told = { label: labelOf(app, job.entity, key), row: row.number }
        say(key, more.number, raise(app, 'NF-IMPORT-DIFFERS', told, { field: key }))
      }
    }
    for (const problem of own.invalidValues)
      if (problem.field === null || !told.has(nameOf(problem))) {
        told.add(nameOf(problem))
        say(problem.field ?? '', more.number, problem)
      }
  }
  const rows = rowsSaid(app, request, job, [row, ...goingOn], new Set(known.keys()), meant)
  return { ...first, values, invalidValues, there: undefined, rows, places }
}

/** The cells of a row that say something of the record itself, not of rows of it. */
const ownCells = (app: App, entity: string, { mapping }: ImportJob['what'], { cells }: JobRow) =>
  (mapping ?? []).flatMap((key, index) => {
    const field = key === null ? undefined : declared(app, entity, key)
    const cell = cells?.[index]
    const isOwn = field !== undefined && columnAt(app, entity, key)?.list === null
    return isOwn && cell !== undefined && !isBlank(textOf(cell)) ? [{ field, cell }] : []
  })

function readRow(
  app: App,
  request: Request,
  { entity, what }: ImportJob,
  row: JobRow,
  known: Known,
  meant: Candidates,
): Omit<RowRead, 'there' | 'rows' | 'places'> {
  const values: Record<string, Wire> = {}
  const invalidValues: Problem[] = [...withoutHeading(app, what, row)]
  const keys = keyFields(what)
  const keyed = new Map<string, Wire>()
  const titles = new Map<string, string>()
  for (const { field, cell } of ownCells(app, entity, what, row)) {
    if (!known.has(field.key)) continue
    const read = cellRead(app, request, { entity, field, cell }, what.written ?? request.locale, meant)
    if ('problem' in read) invalidValues.push(read.problem)
    else {
      if (keys.includes(field.key) && read.value !== null) {
        keyed.set(field.key, read.value)
        titles.set(field.key, field.type.kind === 'reference' ? shownOf(cell).trim() : String(read.value))
      }
      // What only tells which record it is, is written nowhere; anything else is, and is refused where they may not set it.
      if (known.get(field.key)!.sets || !keys.includes(field.key)) values[field.key] = read.value
    }
  }
  const title = titles.size === 0 ? null : keys.flatMap(key => titles.get(key) ?? []).join(', ')
  return { values, invalidValues, keyed, title }
}

/** Writes one row of a file: a new record, or the one that its key finds. `read`: as it was read before, with others. */
export async function importRow(
  runtime: Runtime,
  request: Request,
  job: ImportJob,
  row: JobRow,
  read?: RowRead,
): Promise<RowDone> {
  const { app } = runtime
  const { entity, what } = job
  if (!mayImport(runtime, request, entity)) {
    const { cell } = policyFor(app, request.actor).because(entity, 'import', false)
    const { name } = app.entities.get(entity)!
    return failed('create', [raise(app, 'NF-CREATE-DENIED', { entity: name }, { because: cell })])
  }
  const own = read ?? (await readRows(runtime, request, job, [row], false)).get(row.number)!
  const keys = keyFields(what)
  if (keys.length === 0) return createRow(runtime, request, entity, own, [])
  const unclear = unclearKeys(app, entity, keys, own)
  if (unclear !== null) return failed('create', [...unclear, ...own.invalidValues])
  const there =
    own.there === undefined
      ? recordOf(app, entity, await recordsWith(runtime, request, entity, keys, [own]), own)
      : own.there
  if (there !== null) return changeRow(runtime, request, job, row, own, there)
  const settable = new Set(importFields(runtime, request, entity).flatMap(({ key, sets }) => (sets ? [key] : [])))
  const none = keys.filter(key => !settable.has(key)).map(key => notThere(app, entity, key, String(own.keyed.get(key))))
  return createRow(runtime, request, entity, own, none)
}

/** Why nobody can tell which record a row is about; null where its keys say it. */
function unclearKeys(
  app: App,
  entity: string,
  keys: readonly string[],
  { keyed, invalidValues }: RowRead,
): readonly Problem[] | null {
  const open = keys.filter(key => !keyed.has(key))
  if (open.length === 0) return null
  return open
    .filter(key => invalidValues.every(({ field }) => field !== key))
    .map(key => raise(app, 'NF-IMPORT-KEY', { label: labelOf(app, entity, key) }, { field: key }))
}

async function createRow(
  runtime: Runtime,
  request: Request,
  entity: string,
  own: RowRead,
  problems: readonly Problem[],
): Promise<RowDone> {
  const { children, invalidValues, places } = laidOver(runtime.app, entity, own.rows, null, () => true)
  const input = {
    values: own.values,
    children,
    invalidValues: [...problems, ...own.invalidValues, ...invalidValues],
  }
  const outcome = await create(runtime, request, entity, input)
  return { did: 'create', title: own.title, outcome, places: new Map([...own.places, ...places]) }
}

async function changeRow(
  runtime: Runtime,
  request: Request,
  { entity, what }: ImportJob,
  row: JobRow,
  own: RowRead,
  there: Stored,
): Promise<RowDone> {
  const { app } = runtime
  const { title, invalidValues } = own
  const values = { ...own.values }
  // What tells which record it is, is not changed by it, and neither is a moment of which the file says less than the record.
  for (const key of keyFields(what)) delete values[key]
  for (const key of momentsIn(app, entity, own)) {
    const stored = there.values[key]
    const text = textOf(row.cells![what.mapping!.indexOf(key)]!)
    if (typeof stored === 'string' && saysMoment(text, String(values[key]), stored)) delete values[key]
  }
  let { places } = own
  let { version } = there
  const outcome = await change(runtime, request, entity, there.id, null, (stored, { version: now, sees }) => {
    version = now
    const laid = laidOver(app, entity, own.rows, stored, sees)
    places = new Map([...own.places, ...laid.places])
    return { values, children: laid.children, invalidValues: [...invalidValues, ...laid.invalidValues] }
  })
  // Whoever may not change it may say what stands there.
  const isDenied = outcome.kind === 'refused' && outcome.problems.every(({ code }) => code === 'NF-CHANGE-DENIED')
  const saysRows = Object.keys(own.rows).length > 0
  if (isDenied && !saysRows && Object.entries(values).every(([key, value]) => there.values[key] === value))
    return { did: 'same', title, outcome: { kind: 'done', id: there.id, version } }
  return { did: outcome.kind === 'done' && outcome.version === version ? 'same' : 'change', title, outcome, places }
}

/** What nobody gives, such as a number, cannot make a new record. */
function notThere(app: App, entity: string, key: string, text: string): Problem {
  const label = labelOf(app, entity, key)
  return fieldKind(declared(app, entity, key)!.kind).entered
    ? raise(app, 'NF-NO-RECORD', { label }, { field: key })
    : raise(app, 'NF-IMPORT-GIVEN', { label, entity: app.entities.get(entity)!.name, text }, { field: key })
}

const momentsIn = (app: App, entity: string, { values, keyed }: RowRead): readonly string[] =>
  Object.keys(values).filter(key => !keyed.has(key) && declared(app, entity, key)?.type.kind === 'moment')

const failed = (did: string, problems: readonly Problem[]): RowDone => ({
  did,
  title: null,
  outcome: refused(problems),
})

/** What stands behind the last column has no field that it could go into, and is not dropped. */
function withoutHeading(app: App, { mapping = [], columns }: JobWhat, { number, cells }: JobRow): readonly Problem[] {
  const beyond = (cells ?? []).flatMap((cell, at) =>
    at < (columns ?? mapping).length || isEmpty(cell) ? [] : [{ cell, at }],
  )
  if (beyond.length === 0) return []
  const named = beyond.map(({ at }) => cellName(at, number))
  const text = beyond.map(({ cell }) => shownOf(cell).slice(0, 80)).join(', ')
  return [raise(app, 'NF-IMPORT-WIDE', { count: beyond.length, cells: named.join(', '), text })]
}

/** The records that these rows are about, as far as this person sees them: by one field those of many rows, by several those of one. */
async function recordsWith(
  runtime: Runtime,
  request: Request,
  entity: string,
  keys: readonly string[],
  rows: readonly RowRead[],
): Promise<readonly Stored[]> {
  const complete = rows.filter(({ keyed }) => keys.every(key => keyed.has(key)))
  if (complete.length === 0) return []
  const given = new Set(complete.flatMap(({ values }) => Object.keys(values)))
  const data = await read(runtime, request, {
    kind: 'rows',
    entity,
    columns: [...new Set([...keys, ...given])],
    where: null,
    filters: keys.map(field => ({
      field,
      comparison: 'any of',
      value: [...new Set(complete.map(({ keyed }) => keyed.get(field)!))],
    })),
    search: null,
    sort: [],
    after: null,
    before: null,
    limit: complete.length,
    countTo: 0,
  })
  return data?.rows ?? []
}

function recordOf(app: App, entity: string, all: readonly Stored[], { keyed }: RowRead): Stored | null {
  const compared = (key: string, value: unknown) => folded(comparedWithout(app, entity, key), value)
  const isSame = ({ values }: Stored) =>
    [...keyed].every(([key, value]) => compared(key, values[key]) === compared(key, value))
  return all.find(isSame) ?? null
}
