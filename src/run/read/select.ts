/** What of a record a person is shown: the columns of a select, and how its rows become `ReadRow`s. */
import { archivedAt } from '../../expression/archived.ts'
import { placesSql } from '../../expression/currency.ts'
import { identifier, join, raw, type Sql, sql } from '../../expression/sql.ts'
import type { Type, Wire } from '../../expression/type.ts'
import { faceKeys } from '../../headings/3-entities/face.ts'
import { beforeReference, betweenTitles, titleFields } from '../../headings/3-entities/titles.ts'
import type { App } from '../../headings/app.ts'
import { keptMoments } from '../../kinds/screens/query.ts'
import type { Archived, ReadRow } from '../../kinds/screens/read-data.ts'
import { durationFromSql, momentFromSql } from '../../store/rows.ts'
import { archivedSql, archives } from '../access/archived.ts'
import { allOf, conditionSql } from '../access/condition.ts'
import type { Policy } from '../access/policy.ts'
import { seenFieldSql, seenIn } from '../access/seen-reference.ts'
import { seenVersionSql } from '../access/seen-version.ts'
import { mayOf, noVerdicts, type Verdicts } from '../access/verdict.ts'
import {
  collated,
  columnSql,
  declared,
  fieldSql,
  fromSql,
  isLinks,
  linksSql,
  typeOf,
  valueSql,
  whereSql,
} from '../names.ts'
import type { Request } from '../request.ts'
import { readable } from './readable.ts'

/** What the database gives for one row: wire values by column name. */
export type Raw = Readonly<Record<string, Wire>>

export interface Part {
  readonly name: string
  readonly sql: Sql
  readonly type: Type['kind']
}

export interface Selection {
  readonly parts: readonly Part[]
  /** What the parts need beside the row itself, after its `from`: the records that references name. Never more rows, never fewer. */
  readonly joins: Sql
  /** Fields that this person may see at all, in the order asked for. */
  readonly fields: readonly string[]
  readonly read: (raw: Raw, request: Request) => ReadRow
}

interface SelectionOptions {
  readonly app: App
  readonly policy: Policy
  readonly entity: string
  readonly alias: string
  readonly fields: readonly string[]
  /** Read beside them, and not told as such. */
  readonly beside?: readonly string[]
  /** Ask what may be done with each row. */
  readonly may: boolean
  /** Ask which marks each row has. Absent: as `may`. */
  readonly marks?: boolean
  /** Where several names stand in one text, those with a comma are quoted, so that a file can be read again. */
  readonly quoted?: boolean
}

/** Declared fields that have one value each and may be seen by these roles on some row, in the document's order. */
export function visibleFields(app: App, policy: Policy, entity: string): readonly string[] {
  return app.entities
    .get(entity)!
    .fields.map(({ key }) => key)
    .filter(key => isHeld(app, entity, key) && policy.field(entity, key, 't') !== false)
}

/** Of the moments that every record keeps, those that these roles see. */
export const visibleMoments = (policy: Policy, entity: string): readonly string[] =>
  keptMoments.filter(key => policy.field(entity, key, 't') !== false)

/** Whether a field has a value per record that travels as one: everything but child rows. */
export const isHeld = (app: App, entity: string, field: string): boolean =>
  isSingle(app, entity, field) || isLinks(app, entity, field)

/** Whether a field has one value per record: everything but child rows and `several`. */
export function isSingle(app: App, entity: string, field: string): boolean {
  const kind = typeOf(app, entity, field)?.kind
  return kind !== undefined && kind !== 'list' && kind !== 'values' && kind !== 'error'
}

/** Lists of child rows that may be seen by these roles on some row. */
export function visibleLists(app: App, policy: Policy, entity: string): readonly { field: string; entity: string }[] {
  return app.entities
    .get(entity)!
    .fields.flatMap(({ key, type }) =>
      type.kind === 'list' &&
      app.entities.get(type.entity)?.partOf === entity &&
      policy.field(entity, key, 't') !== false
        ? [{ field: key, entity: type.entity }]
        : [],
    )
}

/** All that these roles see of the row `t`. `may`: with what may be done with it; `moments`: with those that every record keeps. */
export function wholeSelection(
  app: App,
  policy: Policy,
  entity: string,
  { may, moments = false }: { readonly may: boolean; readonly moments?: boolean },
): Selection {
  const rows = titleFields(app.entities.get(entity)!).filter(key => namesByRows(app, entity, key))
  const fields = [...visibleFields(app, policy, entity), ...rows, ...(moments ? visibleMoments(policy, entity) : [])]
  const beside = moments ? [] : facedByItself(app, entity)
  return selectionOf({ app, policy, entity, alias: 't', fields, beside, may })
}

/** Who made or changed a record and when, where its face says so. */
function facedByItself(app: App, entity: string): readonly string[] {
  const { fields } = app.entities.get(entity)!
  return faceKeys(app, entity).filter(key => !fields.some(field => field.key === key))
}

/** The columns for these fields of the row that `alias` names. A field that these roles never see is left out. */
export function selectionOf(options: SelectionOptions): Selection {
  const { app, policy, entity, alias, fields, beside = [], may, marks = may } = options
  const isKept = archives(app, entity)
  const wanted = [...new Set([...fields, ...beside, ...(app.workflows.has(entity) ? ['state'] : [])])]
  const shown = wanted.flatMap((key, index) => fieldColumns(options, key, index) ?? [])
  const marked = marks ? marksOf(app, policy, entity, alias) : []
  const verdicts: Verdicts = may ? mayOf(app, policy, entity, alias) : noVerdicts(app, entity)
  return {
    parts: [
      { name: 'id', sql: columnSql(alias, 'id'), type: 'reference' },
      { name: 'version', sql: seenVersionSql(app, policy, entity, alias), type: 'integer' },
      ...(isKept ? [{ name: archivedAt, sql: columnSql(alias, archivedAt), type: 'moment' as const }] : []),
      ...shown.flatMap(({ value, seen, label, archived }) =>
        [value, seen, label, archived].filter(part => part !== null),
      ),
      ...marked.map(({ part }) => part),
      ...verdicts.parts,
    ],
    joins: join(
      shown.flatMap(({ joined }) => joined ?? []),
      '',
    ),
    fields: shown.flatMap(({ key, value }) => (value !== null && fields.includes(key) ? [key] : [])),
    read(raw, request) {
      const { values, labels, toArchived } = readFields(shown, raw)
      const has = marked.flatMap(({ part, place }) => (raw[part.name] === true ? [place] : []))
      return {
        id: raw.id as string,
        version: Number(raw.version),
        values,
        labels,
        ...(isKept && raw[archivedAt] !== null ? { archivedAt: raw[archivedAt] as string } : {}),
        ...(toArchived.size === 0 ? {} : { toArchived }),
        ...(has.length === 0 ? {} : { marks: has }),
        may: verdicts.read(raw, request),
      }
    },
  }
}

function readFields(shown: readonly FieldColumns[], raw: Raw) {
  const values: Record<string, Wire> = { id: raw.id! }
  const labels: Record<string, string> = {}
  const toArchived = new Map<string, Archived>()
  for (const { key, value, seen, label, archived } of shown) {
    if (seen !== null && raw[seen.name] !== true) continue
    if (value !== null) values[key] = raw[value.name] ?? null
    const text = label === null ? null : raw[label.name]
    if (typeof text === 'string') labels[key] = text
    const found = archived === null ? null : raw[archived.name]
    if (typeof found === 'string') toArchived.set(key, JSON.parse(found))
    if (found === true) toArchived.set(key, 'whole')
  }
  return { values, labels, toArchived }
}

/** The columns of one field. */
interface FieldColumns {
  readonly key: string
  /** Null: it is a list of rows, whose titles name the record. */
  readonly value: Part | null
  /** Whether it is seen on this row; null: on every one. */
  readonly seen: Part | null
  /** The titles of what it names. */
  readonly label: Part | null
  /** Whether what it names is archived; of several: which. */
  readonly archived: Part | null
  /** The record that it names. */
  readonly joined: Sql | null
}

/** Null: there is none, or these roles see it on no row. `index`: tells its columns from those of others. */
function fieldColumns(options: SelectionOptions, key: string, index: number): FieldColumns | null {
  const { app, policy, entity, alias, quoted = false } = options
  const type = typeOf(app, entity, key)
  const condition = type !== undefined && key !== 'id' && policy.field(entity, key, alias)
  if (type === undefined || condition === false) return null
  const column = (name: string, of: Type['kind'], inner: Sql): Part => ({
    name: `${name} ${index}`,
    sql: condition === true ? inner : sql`case when ${condition} then ${inner} end`,
    type: of,
  })
  if (!isHeld(app, entity, key)) {
    if (type.kind !== 'list' || !namesByRows(app, entity, key)) return null
    const label = rowsLabel(app, policy, type.entity, alias)
    return (
      label && { key, value: null, seen: null, label: column('label', 'text', label), archived: null, joined: null }
    )
  }
  const seen: Part | null =
    condition === true ? null : { name: `seen ${index}`, sql: sql`(${condition}) is true`, type: 'yes/no' }
  const own = fieldSql(app, entity, key, alias)
  if (type.kind === 'list') {
    const label = linkLabels(app, policy, entity, key, alias, quoted)
    const archived = linksToArchived(app, policy, entity, key, alias)
    return {
      key,
      value: column('value', type.kind, seenFieldSql(app, policy, entity, key, alias)),
      seen,
      label: label && column('label', 'text', label),
      archived: archived && column('archived', 'text', archived),
      joined: null,
    }
  }
  if (type.kind !== 'reference')
    return {
      key,
      value: column('value', type.kind, inItsCurrency(options, key, own)),
      seen,
      label: null,
      archived: null,
      joined: null,
    }
  const named = `${alias}r${index}`
  const closes = policy.names(type.entity, named) !== true
  const label = labelSql(app, policy, type.entity, named)
  return {
    key,
    value: column('value', type.kind, closes ? seenIn(own, named) : own),
    seen,
    label: label && column('label', 'text', label),
    archived: label && archives(app, type.entity) ? column('archived', 'yes/no', archivedSql(named)) : null,
    joined:
      label === null && !closes
        ? null
        : sql` left join ${fromSql(type.entity, named)} on ${isNamed(policy, type.entity, own, named)}`,
  }
}

/** An amount with the currency that the record says behind it, as far as these roles see that. */
function inItsCurrency({ app, policy, entity, alias }: SelectionOptions, key: string, own: Sql): Sql {
  const said = declared(app, entity, key)?.currency ?? null
  const open = said !== null && readable(app, policy, said.root, alias)
  if (said === null || open === false) return own
  const currency = valueSql(said, alias)
  const told = sql`round(${own}, ${placesSql(currency)})::text || ' ' || ${currency}`
  return open === true ? told : sql`case when ${conditionSql(open)} then ${told} else (${own})::text end`
}

/** Whether a row has each mark of its entity; none where these roles do not see all that it reads. */
function marksOf(
  app: App,
  policy: Policy,
  entity: string,
  alias: string,
): readonly { readonly part: Part; readonly place: number }[] {
  return app.entities.get(entity)!.marks.flatMap(({ where }, place) => {
    const open = readable(app, policy, where.root, alias)
    if (open === false) return []
    const holds = conditionSql(allOf([whereSql(where, alias), open]))
    return [{ part: { name: `mark${place}`, sql: sql`(${holds}) is true`, type: 'yes/no' as const }, place }]
  })
}

const seenOf = (policy: Policy, target: string): Sql | null => {
  const seen = policy.names(target, 'm')
  return seen === true ? null : conditionSql(seen)
}

const listEntity = (app: App, entity: string, field: string): string =>
  (typeOf(app, entity, field) as Extract<Type, { kind: 'list' }>).entity

/** Their titles in one text, in order. */
function linkLabels(
  app: App,
  policy: Policy,
  entity: string,
  field: string,
  alias: string,
  quoted: boolean,
): Sql | null {
  const label = labelSql(app, policy, listEntity(app, entity, field), 'm')
  if (label === null) return null
  const told = quoted
    ? sql`case when ${label} ~ '[,"]' then '"' || replace(${label}, '"', '""') || '"' else ${label} end`
    : label
  return overLinks(app, policy, entity, field, alias, sql`string_agg(${told}, ', ' order by ${collated(label)})`)
}

/** The same titles, each with whether its record is archived, as JSON; empty where none is. Null: such records never are. */
function linksToArchived(app: App, policy: Policy, entity: string, field: string, alias: string): Sql | null {
  const target = listEntity(app, entity, field)
  const label = archives(app, target) ? labelSql(app, policy, target, 'm') : null
  if (label === null) return null
  const isArchived = archivedSql('m')
  const all = sql`jsonb_agg(jsonb_build_array(${label}, ${isArchived}) order by ${collated(label)}) filter (where ${label} is not null)`
  return overLinks(app, policy, entity, field, alias, sql`case when bool_or(${isArchived}) then ${all}::text end`)
}

/** Over the records `m` that a field names, as far as these roles may see them. */
function overLinks(app: App, policy: Policy, entity: string, field: string, alias: string, aggregate: Sql): Sql {
  const target = listEntity(app, entity, field)
  const seen = seenOf(policy, target)
  return sql`(select ${aggregate} from ${linksSql(entity, field)} as links
    join ${fromSql(target, 'm')} on m.id = links.member${seen === null ? raw('') : sql` and ${seen}`}
    where links.owner = ${columnSql(alias, 'id')})`
}

/** As columns of a select. */
export const selectList = (parts: readonly Part[]): Sql =>
  join(
    parts.map(part => sql`${part.sql} as ${identifier(part.name)}`),
    ', ',
  )

/** As one column of texts, so that rows of different shapes come back from one statement. */
export const selectArray = (parts: readonly Part[]): Sql =>
  sql`array[${join(
    parts.map(part => sql`(${part.sql})::text`),
    ', ',
  )}]`

/** The opposite of `selectArray`. */
export function fromArray(parts: readonly Part[], cells: readonly (string | null)[]): Raw {
  const raw: Record<string, Wire> = {}
  for (let index = 0; index < parts.length; index++) {
    const { name, type } = parts[index]!
    raw[name] = fromText(type, cells[index] ?? null)
  }
  return raw
}

/** PostgreSQL's own text of a value → wire. */
function fromText(type: Type['kind'], text: string | null): Wire {
  if (text === null) return null
  if (type === 'yes/no') return text === 'true'
  if (type === 'moment') return momentFromSql(text)
  if (type === 'time') return text.slice(0, 5)
  if (type === 'duration') return durationFromSql(text)
  return text
}

/**
 * The title of the record that a reference names; empty where that record may not be seen. People's names are always visible:
 * whoever sees that somebody borrowed, sees who. Null where such records have no title at all.
 */
export const referenceLabel = (app: App, policy: Policy, entity: string, reference: Sql, alias: string): Sql | null =>
  referenceOf(app, policy, entity, reference, alias, longestNames)

function referenceOf(
  app: App,
  policy: Policy,
  entity: string,
  reference: Sql,
  alias: string,
  depth: number,
  isShort = false,
): Sql | null {
  const label = labelOf(app, policy, entity, alias, depth, isShort)
  if (label === null) return null
  return sql`(select ${label} from ${fromSql(entity, alias)} where ${isNamed(policy, entity, reference, alias)})`
}

/** The row of `alias` is the one that a reference names, and these roles may see it. */
function isNamed(policy: Policy, entity: string, reference: Sql, alias: string): Sql {
  const seen = policy.names(entity, alias)
  return conditionSql(allOf([sql`${columnSql(alias, 'id')} = ${reference}`, seen]))
}

/** What names the record to people, in SQL: its title fields, as far as these roles may see them; never nothing, where there is a title. */
export const labelSql = (app: App, policy: Policy, entity: string, alias: string): Sql | null =>
  labelOf(app, policy, entity, alias, longestNames)

/** A record may be named by what it refers to, and that by what it refers to in turn: no further than this. */
const longestNames = 3

/** The record is called by what its rows are. */
const namesByRows = (app: App, entity: string, key: string): boolean =>
  typeOf(app, entity, key)?.kind === 'list' &&
  !isLinks(app, entity, key) &&
  app.entities.get(entity)!.called.includes(key)

/** What the first row is called, and how many there are besides: `Drill 8 mm +2`. */
function rowsLabel(app: App, policy: Policy, child: string, alias: string, depth = longestNames): Sql | null {
  const row = `${alias}w`
  const label = labelOf(app, policy, child, row, depth - 1, true)
  if (label === null) return null
  const ofParent = sql`${columnSql(row, app.schema.get(child)!.parent!)} = ${columnSql(alias, 'id')}`
  const seen = conditionSql(allOf([ofParent, policy.rows(child, 'see', row)]))
  return sql`(select first.label || case when first.n > 1 then concat(' +', first.n - 1) else '' end from (
    select ${label} as label, count(*) over () as n from ${fromSql(child, row)} where ${seen}
    order by ${columnSql(row, 'position')} limit 1) as first)`
}

/** `isShort`: without its reference, where it is called something else. */
function labelOf(app: App, policy: Policy, entity: string, alias: string, depth: number, isShort = false): Sql | null {
  if (entity === 'person') return columnSql(alias, 'name')
  if (depth === 0) return null
  const of = app.entities.get(entity)!
  const titles = titleFields(of)
  let isSure = false
  const parts = titles.flatMap(key => {
    const condition = policy.field(entity, key, alias)
    const type = typeOf(app, entity, key)!
    const isRows = namesByRows(app, entity, key)
    if (condition === false || (!isSingle(app, entity, key) && !isRows)) return []
    const value = isRows ? null : fieldSql(app, entity, key, alias)
    const text =
      value === null
        ? type.kind === 'list'
          ? rowsLabel(app, policy, type.entity, alias, depth)
          : null
        : type.kind === 'reference'
          ? referenceOf(app, policy, type.entity, value, `${alias}r`, depth - 1, isShort)
          : type.kind === 'moment'
            ? sql`to_char(${value} at time zone ${app.product.timeZone.name}::text, 'YYYY-MM-DD HH24:MI')`
            : sql`(${value})::text`
    if (text === null) return []
    isSure ||= condition === true && type.kind !== 'reference' && !isRows
    return [{ key, text: condition === true ? text : sql`case when ${condition} then ${text} end` }]
  })
  // None is closed to them: what it is called by has no name itself.
  if (parts.length === 0 && titles.every(key => policy.field(entity, key, alias) !== false)) return null
  const called = told(
    betweenTitles(of),
    parts.filter(({ key }) => key !== of.reference),
  )
  const behind = parts.filter(({ key }) => key === of.reference)
  const title =
    isShort && behind.length > 0
      ? sql`coalesce(${join([called, ...behind.map(({ text }) => text)], ', ')})`
      : told(beforeReference, [{ text: called }, ...behind])
  return isSure ? title : sql`coalesce(${title}, ${kindSql(app, policy, entity, alias)})`
}

/** Texts as one, those that are there; empty where none is. */
function told(between: string, parts: readonly { readonly text: Sql }[]): Sql {
  const [first, ...more] = parts.map(({ text }) => text)
  if (first === undefined) return raw('null')
  return more.length === 0 ? first : sql`nullif(concat_ws(${between}::text, ${join([first, ...more], ', ')}), '')`
}

/** What a record is called whose title its reader may not see: what it is, with its number as far as that may be seen. */
function kindSql(app: App, policy: Policy, entity: string, alias: string): Sql {
  const { name, fields } = app.entities.get(entity)!
  const numbers = fields.flatMap(({ key, parameters }) => {
    const seen = policy.field(entity, key, alias)
    if (parameters.picture === undefined || seen === false) return []
    return [sql`case when ${conditionSql(seen)} then ${columnSql(alias, key)}::text end`]
  })
  return sql`case when ${columnSql(alias, 'id')} is not null then concat_ws(' ', ${join([sql`${name}::text`, ...numbers], ', ')}) end`
}
