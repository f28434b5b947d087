/** One row of a file: its cells read as their fields' kinds, its record found by the key, and written like any other input. */

import { cellName, type FileCell, isEmpty, shownOf, textOf } from '../../document/file-cells.ts'
import { folded } from '../../expression/letters.ts'
import type { Type, Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { wordFor } from '../../headings/translate.ts'
import { greatBritain, readIsoDate, saysMoment } from '../../kinds/fields/dates.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { withoutCurrency } from '../../kinds/fields/money/field.ts'
import { namedIn } from '../../kinds/fields/several/links.ts'
import { composed, isBlank } from '../../kinds/fields/texts.ts'
import { tellsApart, tellTogether } from '../access/identifying-fields.ts'
import { policyFor } from '../access/policy.ts'
import { notSettable } from '../access/settable.ts'
import { comparedWithout, declared, labelOf } from '../names.ts'
import type { Problem } from '../outcome.ts'
import { raise, raiseInvalidValue } from '../problems/raise.ts'
import { read } from '../read/read.ts'
import { isHeld } from '../read/select.ts'
import type { Request, Runtime } from '../request.ts'
import { cachedStatement } from '../statements.ts'
import { refused } from '../write/write.ts'
import { change, create } from '../write/writes.ts'
import type { JobRow, JobWhat, RowDone } from './jobs.ts'
import { type Candidates, type ImportJob, meantIn, namedBy, type Read, recordsMeant } from './meant.ts'

/** Whether this person may bring in files of records of this entity. */
export const mayImport = ({ app }: Pick<Runtime, 'app'>, { actor }: Pick<Request, 'actor'>, entity: string): boolean =>
  app.entities.has(entity) && policyFor(app, actor).rows(entity, 'import', 't') === true

/** Whether a file is brought in with all its rows, or none of them. */
export const takesWhole = ({ app }: Runtime, request: Request, entity: string): boolean =>
  policyFor(app, request.actor).importsWhole(entity)

/** Fields that a column of a file may go into: those that this person may set, and those that only tell which record it is. */
export function importFields({ app }: Runtime, request: Request, entity: string): readonly ImportField[] {
  const policy = policyFor(app, request.actor)
  return app.entities.get(entity)!.fields.flatMap((field): readonly ImportField[] => {
    if (!isHeld(app, entity, field.key) || policy.field(entity, field.key, 't') === false) return []
    const sets =
      fieldKind(field.kind).entered &&
      field.computed === null &&
      field.type.kind !== 'file' &&
      (['create', 'change'] as const).some(
        verb => notSettable(field, verb, request.actor) === null && policy.sets(entity, field.key, verb, 't') !== false,
      )
    const isKey = tellsApart(field)
    const isNeeded = sets && field.required?.when === null && field.default === null && field.copiedFrom === null
    return sets || isKey ? [{ key: field.key, label: field.label, sets, isKey, isNeeded }] : []
  })
}

interface ImportField {
  readonly key: string
  readonly label: string
  readonly sets: boolean
  /** No two records have the same value in it. */
  readonly isKey: boolean
  /** A new record is refused without it. */
  readonly isNeeded: boolean
}

/** The fields that a job's `key` is made of. */
export const keyFields = ({ key }: Pick<JobWhat, 'key'>): readonly string[] => (key == null ? [] : key.split(' '))

/** By what rows of a file recognise records: one field that tells them apart, or several that do so together. The name is a job's `key`. */
export function importKeys(runtime: Runtime, request: Request, entity: string): readonly ImportKey[] {
  const fields = importFields(runtime, request, entity)
  const together = runtime.app.entities.get(entity)!.fields.flatMap(field => {
    const parts = tellTogether(field).map(part => fields.find(({ key }) => key === part))
    return parts.length > 0 && parts.every(part => part !== undefined) ? [parts] : []
  })
  return [...fields.filter(({ isKey }) => isKey).map(field => [field]), ...together].map(parts => ({
    name: parts.map(({ key }) => key).join(' '),
    fields: parts.map(({ key }) => key),
    labels: parts.map(({ label }) => label),
  }))
}

interface ImportKey {
  readonly name: string
  readonly fields: readonly string[]
  readonly labels: readonly string[]
}

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
    const field = key === null ? undefined : declared(app, entity, key)
    return field !== undefined && figures.has(field.type.kind) ? [{ at, field }] : []
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
  const read = new Map(rows.map(row => [row.number, readRow(runtime, request, job, row, known, meant)]))
  const keys = keyFields(job.what)
  if (!found || keys.length !== 1) return read
  const all = [...read.values()]
  const there = await recordsWith(runtime, request, job.entity, keys, all)
  return new Map(
    [...read].map(([number, row]) => [number, { ...row, there: recordOf(runtime.app, job.entity, there, row) }]),
  )
}

function readRow(
  { app }: Runtime,
  request: Request,
  { entity, what }: ImportJob,
  row: JobRow,
  known: ReadonlyMap<string, ImportField>,
  meant: Candidates,
): RowRead {
  const values: Record<string, Wire> = {}
  const invalidValues: Problem[] = [...withoutHeading(app, what, row)]
  const keys = keyFields(what)
  const keyed = new Map<string, Wire>()
  const titles = new Map<string, string>()
  for (const [index, key] of (what.mapping ?? []).entries()) {
    const field = key === null ? undefined : declared(app, entity, key)
    const cell = row.cells?.[index]
    if (field === undefined || !known.has(field.key) || cell === undefined || isBlank(textOf(cell))) continue
    const read =
      noValue(app, field, cell) ??
      (namedBy(field) === null
        ? readCell(app, field, cell, what.written ?? request.locale)
        : recordsMeant(app, request, entity, field, cell, meant))
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
  return { values, invalidValues, keyed, title, there: undefined }
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
  const { keyed, title, invalidValues } = own
  const values = { ...own.values }
  const keys = keyFields(what)
  if (keys.length === 0) {
    const outcome = await create(runtime, request, entity, { values, children: {}, invalidValues })
    return { did: 'create', title, outcome }
  }
  const open = keys.filter(key => !keyed.has(key))
  if (open.length > 0) {
    const empty = open.filter(key => invalidValues.every(({ field }) => field !== key))
    const unclear = empty.map(key => raise(app, 'NF-IMPORT-KEY', { label: labelOf(app, entity, key) }, { field: key }))
    return failed('create', [...unclear, ...invalidValues])
  }
  const there =
    own.there === undefined
      ? recordOf(app, entity, await recordsWith(runtime, request, entity, keys, [own]), own)
      : own.there
  if (there === null) {
    const settable = new Set(importFields(runtime, request, entity).flatMap(({ key, sets }) => (sets ? [key] : [])))
    const none = keys.filter(key => !settable.has(key)).map(key => notThere(app, entity, key, String(keyed.get(key))))
    const outcome = await create(runtime, request, entity, {
      values,
      children: {},
      invalidValues: [...none, ...invalidValues],
    })
    return { did: 'create', title, outcome }
  }
  // What tells which record it is, is not changed by it, and neither is a moment of which the file says less than the record.
  for (const key of keys) delete values[key]
  for (const key of momentsIn(app, entity, own)) {
    const stored = there.values[key]
    const text = textOf(row.cells![what.mapping!.indexOf(key)]!)
    if (typeof stored === 'string' && saysMoment(text, String(values[key]), stored)) delete values[key]
  }
  const outcome = await change(runtime, request, entity, there.id, null, { values, children: {}, invalidValues })
  const { id, version } = there
  // Whoever may not change it may say what stands there.
  const isDenied = outcome.kind === 'refused' && outcome.problems.every(({ code }) => code === 'NF-CHANGE-DENIED')
  if (isDenied && Object.entries(values).every(([key, value]) => there.values[key] === value))
    return { did: 'same', title, outcome: { kind: 'done', id, version } }
  return { did: outcome.kind === 'done' && outcome.version === version ? 'same' : 'change', title, outcome }
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

/** An error of a spreadsheet, or a formula without its result. */
function noValue(app: App, { key, label }: Field, cell: FileCell): Read | null {
  if (typeof cell === 'string' || cell.wrong === undefined) return null
  const place = { field: key }
  return {
    problem:
      cell.wrong === 'error'
        ? raise(app, 'NF-IMPORT-ERROR', { label, text: cell.v }, place)
        : raise(app, 'NF-IMPORT-FORMULA', { label, text: cell.v }, place),
  }
}

/** Types that a spreadsheet has cells of: of them the whole value counts, of all others what the sheet shows. */
const typed: ReadonlySet<Type['kind']> = new Set([
  'integer',
  'decimal',
  'money',
  'yes/no',
  'date',
  'moment',
  'time',
  'duration',
])

/** Whether a spreadsheet has cells of what this field holds. */
export const isTyped = (field: Field | undefined): boolean => field !== undefined && typed.has(field.type.kind)

/** As the first of what the cell may be read as that the field takes; else what is wrong with the very first. */
function readCell(app: App, field: Field, cell: FileCell, written: string): Read {
  if (typeof cell === 'string') return readText(app, field, cell, written)
  const { v, less = v } = cell
  const texts = new Set(isTyped(field) ? [v, less] : [shownOf(cell), v])
  const read = [...texts].map(
    text => (cell.percent ? fraction(field, text) : null) ?? readText(app, field, text, 'en', true),
  )
  return read.find(one => 'value' in one) ?? read[0]!
}

/** What is shown as a percentage is a fraction, whatever people would type for it. */
function fraction({ kind, parameters }: Field, text: string): Read | null {
  const read = fieldKind(kind).fromJson(text, parameters)
  return 'value' in read ? read : null
}

/** Text is read as people of the language write it. `known`: a workbook knew what it is. */
function readText(app: App, field: Field, text: string, locale: string, known = false): Read {
  const place = { field: field.key, because: null }
  const { parse, gathered: isSeveral } = fieldKind(field.kind)
  const { choices = [] } = field.parameters
  // The midnight of a workbook is its day alone.
  const isMidnight = field.type.kind === 'moment' && known && readIsoDate(text) !== null
  const currency = field.type.kind === 'decimal' ? onlyCurrency(app) : null
  const plain = currency === null ? text : withoutCurrency(text, currency, locale)
  const zone = app.product.timeZone.name
  const parsed = parse(isMidnight ? `${text}T00:00:00` : plain, field.parameters, locale, zone)
  if (!('invalid' in parsed)) return parsed
  if (choices.length === 0) return { problem: raiseInvalidValue(app, parsed.invalid, field.label, place) }
  // A choice is meant by its word in the reader's language, too, and is told in these words.
  const words = choices.map(choice => wordFor(app, choice))
  const meant = (name: string): string => {
    const folded = composed(name.trim()).toLowerCase()
    return choices[words.findIndex(word => word.toLowerCase() === folded)] ?? name
  }
  const names = isSeveral === undefined ? [text] : wordsIn(text, words)
  const said = parse(names.map(meant).join(', '), field.parameters, locale, zone)
  if (!('invalid' in said)) return said
  const told = parse(text, { ...field.parameters, choices: words }, locale, zone)
  const { invalid } = 'invalid' in told ? told : said
  return { problem: raiseInvalidValue(app, invalid, field.label, place) }
}

/** The currency of all amounts of an application: its sign may stand at numbers that are amounts in a file. Null: there are several, or none. */
const onlyCurrency = (app: App): string | null =>
  cachedStatement(app, ['only currency'], () => {
    const fields = [...app.entities.values()].flatMap(({ fields: own }) => own)
    const currencies = new Set(
      [...fields, ...app.limits.values()].flatMap(({ type }) => (type.kind === 'money' ? [type.currency] : [])),
    )
    return currencies.size === 1 ? [...currencies][0]! : null
  })

/** What stands between commas; words that have some in them are one, the longest first. */
function wordsIn(text: string, words: readonly string[]): readonly string[] {
  const known = new Set(words.map(word => word.toLowerCase()))
  const longest = Math.max(1, ...words.map(word => word.split(',').length))
  const pieces = namedIn(text).map(({ name }) => name)
  const found: string[] = []
  for (let from = 0; from < pieces.length; ) {
    let to = Math.min(pieces.length, from + longest)
    while (to > from + 1 && !known.has(composed(pieces.slice(from, to).join(', ')).toLowerCase())) to--
    found.push(pieces.slice(from, to).join(', '))
    from = to
  }
  return found
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
