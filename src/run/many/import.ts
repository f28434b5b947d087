/** One row of a file: its cells read as their fields' kinds, its record found by the key, and written like any other input. */
import { raw, slot, sql } from '../../expression/sql.ts'
import type { Type, Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { wordFor } from '../../headings/translate.ts'
import { greatBritain, readIsoDate, saysMoment } from '../../kinds/fields/dates.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { withoutCurrency } from '../../kinds/fields/money/field.ts'
import { gathered, namedIn } from '../../kinds/fields/several/links.ts'
import { isBlank } from '../../kinds/fields/texts.ts'
import { allowFor } from '../access/allow.ts'
import { live } from '../access/archived.ts'
import { allOf, anyOf, conditionSql } from '../access/condition.ts'
import { notSettable } from '../access/settable.ts'
import { tellsApart, tellTogether } from '../access/told-apart.ts'
import { nameable } from '../access/unnamed.ts'
import { declared, fieldSql, fromSql, labelOf } from '../names.ts'
import type { Problem } from '../outcome.ts'
import { raise, raiseMisfit } from '../problems/raise.ts'
import { read } from '../read/read.ts'
import { isHeld, labelSql } from '../read/select.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, once } from '../statements.ts'
import { fits, isId } from '../values.ts'
import { refused } from '../write/write.ts'
import { change, create } from '../write/writes.ts'
import type { FileCell, JobRow, JobWhat, RowDone } from './jobs.ts'

/** Whether this person may bring in files of records of this entity. */
export const mayImport = ({ app }: Pick<Runtime, 'app'>, request: Request, entity: string): boolean =>
  app.entities.has(entity) && allowFor(app, request.actor).rows(entity, 'import', 't') === true

/** Whether a file is brought in with all its rows, or none of them. */
export const takesWhole = ({ app }: Runtime, request: Request, entity: string): boolean =>
  allowFor(app, request.actor).importsWhole(entity)

/** Fields that a column of a file may go into: those that this person may set, and those that only tell which record it is. */
export function importFields({ app }: Runtime, request: Request, entity: string): readonly ImportField[] {
  const allow = allowFor(app, request.actor)
  return app.entities.get(entity)!.fields.flatMap((field): readonly ImportField[] => {
    if (!isHeld(app, entity, field.key) || allow.field(entity, field.key, 't') === false) return []
    const sets =
      fieldKind(field.kind).entered &&
      field.computed === null &&
      field.type.kind !== 'file' &&
      (['create', 'change'] as const).some(
        verb => notSettable(field, verb, request.actor) === null && allow.sets(entity, field.key, verb, 't') !== false,
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
        return typeof cell === 'string' && 'value' in fieldKind(kind).parse(cell, parameters, language)
      }),
    ).length
  const languages = writtenLanguages(locale).map(language => ({ language, count: readable(language) }))
  return languages.toSorted((left, right) => right.count - left.count)[0]!.language
}

const figures: ReadonlySet<Type['kind']> = new Set(['integer', 'decimal', 'money'])

/** Writes one row of a file: a new record, or the one that its key finds. */
export async function importRow(
  runtime: Runtime,
  request: Request,
  { entity, what }: { readonly entity: string; readonly what: JobWhat },
  row: JobRow,
): Promise<RowDone> {
  const { app } = runtime
  if (!mayImport(runtime, request, entity)) {
    const { cell } = allowFor(app, request.actor).because(entity, 'import', false)
    const { name } = app.entities.get(entity)!
    return failed('create', [raise(app, 'NF-CREATE-DENIED', { entity: name }, { because: cell })])
  }
  const known = new Map(importFields(runtime, request, entity).map(field => [field.key, field]))
  const values: Record<string, Wire> = {}
  const misfits: Problem[] = []
  const keys = keyFields(what)
  const keyed = new Map<string, Wire>()
  const titles = new Map<string, string>()
  for (const [index, key] of (what.mapping ?? []).entries()) {
    const field = key === null ? undefined : declared(app, entity, key)
    const cell = row.cells?.[index]
    if (field === undefined || !known.has(field.key) || cell === undefined || isBlank(textOf(cell))) continue
    const found = await readCell(runtime, request, entity, field, cell, what.written ?? request.locale)
    if ('problem' in found) misfits.push(found.problem)
    else {
      if (keys.includes(field.key) && found.value !== null) {
        keyed.set(field.key, found.value)
        titles.set(field.key, field.type.kind === 'reference' ? textOf(cell).trim() : String(found.value))
      }
      if (known.get(field.key)!.sets) values[field.key] = found.value
    }
  }
  const title = titles.size === 0 ? null : keys.flatMap(key => titles.get(key) ?? []).join(', ')
  if (keys.length === 0) {
    const outcome = await create(runtime, request, entity, { values, children: {}, misfits })
    return { did: 'create', title, outcome }
  }
  const open = keys.filter(key => !keyed.has(key))
  if (open.length > 0) {
    const empty = open.filter(key => misfits.every(({ field }) => field !== key))
    const unclear = empty.map(key => raise(app, 'NF-IMPORT-KEY', { label: labelOf(app, entity, key) }, { field: key }))
    return failed('create', [...unclear, ...misfits])
  }
  const moments = Object.keys(values).filter(key => declared(app, entity, key)?.type.kind === 'moment')
  const there = await recordWith(runtime, request, entity, keyed, moments)
  if (there === null) {
    const none = keys
      .filter(key => !known.get(key)!.sets)
      .map(key => raise(app, 'NF-NO-RECORD', { label: labelOf(app, entity, key) }, { field: key }))
    const outcome = await create(runtime, request, entity, { values, children: {}, misfits: [...none, ...misfits] })
    return { did: 'create', title, outcome }
  }
  // What tells which record it is, is not changed by it, and neither is a moment of which the file says less than the record.
  for (const key of keys) delete values[key]
  for (const key of moments) {
    const stored = there.values[key]
    const text = textOf(row.cells![what.mapping!.indexOf(key)]!)
    if (typeof stored === 'string' && saysMoment(text, String(values[key]), stored)) delete values[key]
  }
  const outcome = await change(runtime, request, entity, there.id, null, { values, children: {}, misfits })
  const isSame = outcome.kind === 'done' && outcome.version === there.version
  return { did: isSame ? 'same' : 'change', title, outcome }
}

const failed = (did: string, problems: readonly Problem[]): RowDone => ({
  did,
  title: null,
  outcome: refused(problems),
})

export const textOf = (cell: FileCell): string => (typeof cell === 'string' ? cell : cell.v)

type Read = { readonly value: Wire } | { readonly problem: Problem }

/** Text is read as people of the language write it; what the file itself knew to be a figure or a date, in its canonical form. */
async function readCell(
  runtime: Runtime,
  request: Request,
  entity: string,
  field: Field,
  cell: FileCell,
  written: string,
): Promise<Read> {
  const { app } = runtime
  const place = { field: field.key, because: null }
  const text = textOf(cell)
  if (field.type.kind === 'reference') return named(runtime, request, entity, field, text)
  if (field.type.kind === 'list') return namedAll(runtime, request, entity, field, text)
  const locale = typeof cell === 'string' ? written : 'en'
  const { parse, fromJson, gathered: isSeveral } = fieldKind(field.kind)
  if (typeof cell !== 'string' && cell.percent) {
    const fraction = fromJson(cell.v, field.parameters)
    if ('value' in fraction) return fraction
  }
  const { choices = [] } = field.parameters
  // The midnight of a workbook is its day alone.
  const isMidnight = field.type.kind === 'moment' && typeof cell !== 'string' && readIsoDate(text) !== null
  const currency = field.type.kind === 'decimal' ? onlyCurrency(app) : null
  const plain = currency === null ? text : withoutCurrency(text, currency, locale)
  const parsed = parse(isMidnight ? `${text}T00:00:00` : plain, field.parameters, locale, app.product.timeZone.name)
  if (!('misfit' in parsed)) return parsed
  if (choices.length === 0) return { problem: raiseMisfit(app, parsed.misfit, field.label, place) }
  // A choice is meant by its word in the reader's language, too, and is told in these words.
  const words = choices.map(choice => wordFor(app, choice))
  const meant = (name: string): string => {
    const folded = name.trim().normalize('NFC').toLowerCase()
    return choices[words.findIndex(word => word.toLowerCase() === folded)] ?? name
  }
  const names = isSeveral === undefined ? [text] : wordsIn(text, words)
  const said = parse(names.map(meant).join(', '), field.parameters, locale)
  if (!('misfit' in said)) return said
  const told = parse(text, { ...field.parameters, choices: words }, locale)
  const { misfit } = 'misfit' in told ? told : said
  return { problem: raiseMisfit(app, misfit, field.label, place) }
}

/** The currency of all amounts of an application: its sign may stand at numbers that are amounts in a file. Null: there are several, or none. */
const onlyCurrency = (app: App): string | null =>
  once(app, ['only currency'], () => {
    const fields = [...app.entities.values()].flatMap(({ fields: own }) => own)
    const currencies = new Set(
      [...fields, ...app.limits.values()].flatMap(({ type }) => (type.kind === 'money' ? [type.currency] : [])),
    )
    return currencies.size === 1 ? [...currencies][0]! : null
  })

/** What stands between commas; words that have some in them are one, the longest first. */
function wordsIn(text: string, words: readonly string[]): readonly string[] {
  const known = new Set(words.map(word => word.toLowerCase()))
  const pieces = namedIn(text).map(({ name }) => name)
  const found: string[] = []
  for (let from = 0; from < pieces.length; ) {
    let to = pieces.length
    while (to > from + 1 && !known.has(pieces.slice(from, to).join(', ').normalize('NFC').toLowerCase())) to--
    found.push(pieces.slice(from, to).join(', '))
    from = to
  }
  return found
}

/** The record of this entity with these values, with these columns of it, as far as this person sees it. */
async function recordWith(
  runtime: Runtime,
  request: Request,
  entity: string,
  keyed: ReadonlyMap<string, Wire>,
  columns: readonly string[],
) {
  const data = await read(runtime, request, {
    kind: 'rows',
    entity,
    columns: [...keyed.keys(), ...columns],
    where: null,
    filters: [...keyed].map(([field, value]) => ({ field, comparison: 'is', value })),
    search: null,
    sort: [],
    after: null,
    before: null,
    limit: 1,
    countTo: 0,
  })
  const row = data?.rows[0]
  return row !== undefined && [...keyed].every(([key, value]) => row.values[key] === value) ? row : null
}

const slotted = { text: sql`${slot('text')}::text`, id: sql`${slot('id')}::uuid` }

/** Several records, by their names. */
async function namedAll(runtime: Runtime, request: Request, entity: string, field: Field, text: string): Promise<Read> {
  let ids = ''
  for (const { name } of namedIn(text)) {
    const found = await named(runtime, request, entity, field, name)
    if ('problem' in found) return found
    ids = gathered(ids, String(found.value))
  }
  return { value: ids === '' ? null : ids }
}

/** The one record that a reference can mean by this text: its title, another text of it that is unique, perhaps within others, or its id. */
async function named(runtime: Runtime, request: Request, entity: string, field: Field, text: string): Promise<Read> {
  const { app, store } = runtime
  const allow = allowFor(app, request.actor)
  const target = field.type.kind === 'reference' || field.type.kind === 'list' ? field.type.entity : ''
  const wanted = text.trim().normalize('NFC')
  const place = { field: field.key }
  const none: Read = { problem: raise(app, 'NF-NO-RECORD', { label: field.label }, place) }
  const seen = allow.names(target, 't')
  if (seen === false || allow.field(entity, field.key, 't') === false || !fits({ kind: 'text' }, wanted)) return none
  const query = once(app, ['named', allow.key, target], () => {
    const label = labelSql(app, allow, target, 't')
    const unique = app.entities.get(target)!.fields.filter(one => one.type.kind === 'text' && one.unique !== null)
    const is = anyOf([
      ...(label === null ? [] : [sql`${label} = ${slotted.text}`]),
      ...unique.flatMap(one => {
        const visible = allow.field(target, one.key, 't')
        return visible === false
          ? []
          : [allOf([visible, sql`${fieldSql(app, target, one.key, 't')} = ${slotted.text}`])]
      }),
      sql`t.id = ${slotted.id}`,
    ])
    // What is archived, and who may not be named anew, is meant only where nothing else is: it stays where it stood.
    return built(
      sql`select t.id, ${conditionSql(allOf([live(app, target, 't'), nameable(allow, target, 't')]))} as live from ${fromSql(target, 't')}
        where ${conditionSql(allOf([seen, is]))} order by 2 desc limit ${raw('2')}`,
    )
  })
  const all = await store.run<{ id: string; live: boolean }>(
    query,
    bindingsOf(request, { text: wanted, id: isId(wanted) ? wanted : null }),
  )
  const found = all.some(one => one.live) ? all.filter(one => one.live) : all
  if (found.length > 1 && target === 'person' && !found[0]!.live) return none
  if (found.length > 1) return { problem: raise(app, 'NF-IMPORT-SEVERAL', { text: wanted }, place) }
  return found[0] === undefined ? none : { value: found[0].id }
}
