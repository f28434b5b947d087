/**
 * What only the other records know of a record that is about to be written: values that are taken, time that is taken, whether
 * it would be above itself, and whether a record may be chosen. The database holds the first two for those who write at the same moment, too.
 */
import { evaluate } from '../../expression/evaluate.ts'
import type { Expression } from '../../expression/expression.ts'
import { folded, foldedSql } from '../../expression/letters.ts'
import { identifier, type Sql, sql } from '../../expression/sql.ts'
import { toSql } from '../../expression/to-sql.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import { alikeIfEmpty, apartBy } from '../../headings/3-entities/apart.ts'
import type { Choosing, Field } from '../../headings/3-entities/model.ts'
import type { Detail } from '../../headings/8-errors/built-in.ts'
import type { App } from '../../headings/app.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { linked } from '../../kinds/fields/several/links.ts'
import { overlapsSql, takenSql } from '../../store/overlap.ts'
import type { Tx } from '../../store/pool.ts'
import { treeKey } from '../../store/trees.ts'
import { archivedSql, archives, liveUnless, wantingArchived } from '../access/archived.ts'
import { allOf, type Condition, conditionSql } from '../access/condition.ts'
import { policyFor } from '../access/policy.ts'
import { readerOf, readingDraft, readingOf } from '../access/reading.ts'
import { beside } from '../access/tenants.ts'
import { writesWhole } from '../many/sampled.ts'
import { collated, columnSql, declared, draftSql, fromSql, isLinks, labelOf, whereSql } from '../names.ts'
import type { Problem } from '../outcome.ts'
import { holdsRole } from '../people/roles.ts'
import { type Reading, raiseEntry, refuse } from '../problems/raise.ts'
import { commas } from '../read/filter.ts'
import { labelSql } from '../read/select.ts'
import type { Request } from '../request.ts'
import { bindingsOf, ofEntity } from '../statements.ts'
import type { Writing } from './check.ts'
import { decidedAbove, decidedBy, type Reads } from './depends-on-invalid.ts'
import { draftRows } from './draft-record.ts'
import { environmentOf, type Related, relatedRecords, withRelated } from './environment.ts'
import { loadRecords } from './record.ts'
import type { Scope } from './scope.ts'

/** A record or row of a form that is about to be written. */
interface WrittenRow {
  readonly entity: string
  readonly row: RecordValue
  readonly old: RecordValue | null
  readonly prefix: string
  /** Of a row: the field that refers to the record that it is part of. */
  readonly parent: string | null
  /** That record; of the record itself there is none. */
  readonly above?: { readonly row: RecordValue; readonly old: RecordValue | null }
}

/** The record and its rows. A step writes none of them, but what it sets of the record may decide what they name. */
export function writtenRows(app: App, writing: Writing): readonly WrittenRow[] {
  const rows = draftRows(app, writing.entity, writing.record, writing.old).map(
    ({ of, row, before, prefix, in: place }): WrittenRow => ({
      entity: of,
      row,
      old: before,
      prefix,
      parent: place?.list.parent ?? null,
      ...(place !== null && { above: { row: place.above.row, old: place.above.before } }),
    }),
  )
  return !writesWhole(writing) && writing.old === null ? rows.slice(0, 1) : rows
}

/** What is in the way, and which fields of the record or row it is about. */
interface Conflict extends Reads {
  readonly kind: 'taken' | 'overlap' | 'circle' | 'not offered'
  readonly problem: Problem
}

/** A question that is answered with yes where something is in the way. */
interface Question extends Conflict {
  readonly test: Sql
  /** The titles of what is in the way, as far as whoever writes sees it, and the problem that says more where there are any. */
  readonly closer?: { readonly titles: Sql; readonly named: (records: string) => Problem }
}

/** Whether others have the value already. */
export const isTaken = (one: Reads & { readonly kind?: Conflict['kind'] }): boolean => one.kind === 'taken'

/** All questions in one statement. */
export async function conflicts(scope: Scope, rows: readonly WrittenRow[]): Promise<readonly Conflict[]> {
  const { tx, app, request, related } = scope
  await queue(scope, rows)
  const asked = await withRelated(related, () =>
    rows.flatMap(one =>
      contestedFields(app, one.entity).flatMap(field =>
        questionsOf(app, request, related, one, field).map(question => ({ ...question, one, field })),
      ),
    ),
  )
  if (asked.length === 0) return []
  const [row] = await tx.query(
    sql`select ${commas(asked.map(({ test }, index) => sql`${test} as ${identifier(`u${index}`)}`))}`,
    bindingsOf(request),
  )
  const inTheWay = asked.filter((_, index) => row![`u${index}`] === true)
  const told: Conflict[] = []
  for (const { one, field, closer, ...conflict } of inTheWay) {
    const titles = closer === undefined ? [] : await tx.query<{ title: string }>(closer.titles, bindingsOf(request))
    const problem =
      titles.length === 0
        ? conflict.problem
        : closer!.named(
            listed(
              app,
              titles.map(({ title }) => title),
            ),
          )
    told.push({ ...conflict, problem: await inFull(scope, one, field, problem) })
  }
  return told
}

/** Fields of which others may know something. */
const contestedFields = ofEntity((app, entity) =>
  app.entities
    .get(entity)!
    .fields.filter(
      ({ key, unique, noOverlap, chooseFrom }) =>
        unique !== null || noOverlap !== null || chooseFrom !== null || app.trees.get(entity)?.field === key,
    ),
)

const listed = (app: App, names: readonly string[]): string =>
  new Intl.ListFormat(app.language, { type: 'conjunction' }).format(names)

/** A problem of a field, where it is in words of the document, with what only the database can tell of the record. */
export async function inFull(
  { tx, app, request, related }: Scope,
  { entity, row: record, old }: Pick<WrittenRow, 'entity' | 'row' | 'old'>,
  { refusals }: Pick<Field, 'refusals'>,
  problem: Problem,
): Promise<Problem> {
  const { code, field, because } = problem
  const isOwn = [...refusals.values()].some(error => error.code === code)
  const words = isOwn ? app.errors.get(code)?.templates.get(entity) : undefined
  if (words === undefined) return problem
  const texts = words.whatToDo === null ? [words.message] : [words.message, words.whatToDo]
  if (texts.every(({ parts }) => parts.every(({ kind }) => kind === 'text'))) return problem
  const reading = await readingDraft(tx, app, request, related, { entity, record, old }, texts)
  return raiseEntry(app, code, entity, reading, { field, because })
}

/**
 * Who takes time of the same (piece, room) comes one after the other: an exclusion constraint alone would let two wait for each
 * other, and the database would need a second to find out. So does who moves something in a tree: two moves might make a circle
 * together. In the order of the keys, for those who take several.
 */
export async function queue({ tx, app, request, related }: Scope, rows: readonly WrittenRow[]): Promise<void> {
  const keys = rows.flatMap(one =>
    contestedFields(app, one.entity).flatMap(field => {
      if (climbsAnew(app, one, field)) return treeKey(one.entity, field.key)
      if (!overlapsAnew(request, related, one, field)) return []
      return JSON.stringify([one.entity, field.key, ...field.noOverlap!.within.map(key => value(one.row, key))])
    }),
  )
  if (keys.length > 0)
    await tx.query(
      sql`select pg_advisory_xact_lock(k) from (select hashtextextended(t, 0) as k from unnest(${keys}::text[]) as t order by 1) as keys`,
    )
}

function questionsOf(app: App, request: Request, related: Related, row: WrittenRow, field: Field): readonly Question[] {
  if (!fieldKind(field.kind).entered) return []
  const reading = readingOf(app, request, environmentOf(request, related, row.row, row.old))
  return [
    ...(isTakenAnew(app, request, related, row, field) ? [alone(app, request, row, field, reading)] : []),
    ...(overlapsAnew(request, related, row, field) ? [overlapping(app, row, field, reading)] : []),
    ...(climbsAnew(app, row, field) ? [circling(app, row, field, reading)] : []),
    ...(request.actor.system === 'seed' ? [] : notChoosable(app, request, related, row, field, reading)),
  ]
}

const value = (row: RecordValue | null, key: string) => row?.[key] ?? null

const isSame = ({ row, old }: Pick<WrittenRow, 'row' | 'old'>, keys: readonly string[]): boolean =>
  old !== null && keys.every(key => value(old, key) === value(row, key))

/** Whether a rule's `while` counts this record. It reads the record's own fields only. */
const counts = (request: Request, related: Related, row: RecordValue, condition: Expression | null): boolean =>
  condition === null || evaluate(condition, environmentOf(request, related, row, null)) === true

function isTakenAnew(app: App, request: Request, related: Related, one: WrittenRow, { key, unique }: Field): boolean {
  if (unique === null) return false
  // Rows of one parent are compared with each other in memory.
  if (one.parent !== null && unique.within.includes(one.parent)) return false
  const keys = [...unique.within, key]
  const isLacking = (of: string) => value(one.row, of) === null && !alikeIfEmpty(app, app.entities.get(one.entity)!, of)
  if (keys.some(isLacking) || !counts(request, related, one.row, unique.while)) return false
  return !(isSame(one, keys) && counts(request, related, one.old!, unique.while))
}

/** A value that one record alone may have, as one text, and what whoever brings it a second time is told. */
export interface UniqueValue {
  readonly value: string
  /** Of what must not overlap: one alone may have it in this time, in seconds. */
  readonly stretch?: Stretch
  readonly problem: Problem
}

/** `until` null: for ever. */
export type Stretch = readonly [from: number, until: number | null]

/** The values of a stored record that no other may have. */
export async function heldAlone(
  tx: Tx,
  app: App,
  request: Request,
  entity: string,
  id: string,
): Promise<readonly UniqueValue[]> {
  const model = app.entities.get(entity)!
  const entered = model.fields.filter(({ kind }) => fieldKind(kind).entered)
  const fields = entered.filter(({ unique }) => unique !== null)
  const taking = entered.flatMap(field => (field.noOverlap === null ? [] : [{ field, rule: field.noOverlap }]))
  const isAsked = fields.length + taking.length > 0
  const [row] = isAsked ? await loadRecords(tx, app, entity, [id], 'as it is') : []
  if (row === undefined) return []
  const stretches = taking.map(({ rule }) => takenSql(model, rule, 't'))
  const [taken] =
    taking.length === 0
      ? []
      : await tx.query<{ all: readonly (Stretch | null)[] }>(
          sql`select jsonb_build_array(${commas(stretches)}) as all from ${fromSql(entity, 't')} where t.id = ${id}::uuid`,
        )
  const related = relatedRecords(tx, app, 'as it is')
  const one: WrittenRow = { entity, row, old: null, prefix: '', parent: null }
  return withRelated(related, () => {
    const reading = readingOf(app, request, environmentOf(request, related, row, null))
    const overlaps = taking.flatMap(({ field, rule }, index): readonly UniqueValue[] => {
      const stretch = taken?.all[index] ?? null
      if (stretch === null || !overlapsAnew(request, related, one, field)) return []
      const keys = [...apartBy(model, rule.begin, rule.within), ...rule.within]
      const alike = JSON.stringify([' overlap', field.key, ...keys.map(key => value(row, key))])
      return [{ value: alike, stretch, problem: overlapping(app, one, field, reading).problem }]
    })
    const values = fields.flatMap((field): readonly UniqueValue[] => {
      if (!isTakenAnew(app, request, related, one, field)) return []
      const keys = uniqueKeys(app, entity, field)
      return [
        {
          value: JSON.stringify([
            field.key,
            ...keys.map(key => folded(key === field.key ? field.unique!.without : null, value(row, key))),
          ]),
          problem: alone(app, request, one, field, reading).problem,
        },
      ]
    })
    return [...values, ...overlaps]
  })
}

/** In what two records must be alike to be in each other's way. */
const uniqueKeys = (app: App, entity: string, { key, unique }: Field): readonly string[] => {
  const within = unique?.within ?? []
  return [...apartBy(app.entities.get(entity)!, key, within), ...within, key]
}

/** What is told of a value that is taken: the field, and with it those others that it must be unique within and that this person knows of. */
export function takenDetail(app: App, request: Request, entity: string, field: string): Detail<'NF-UNIQUE'> {
  const within = declared(app, entity, field)?.unique?.within ?? []
  const { knows } = policyFor(app, readerOf(request))
  const told = [...within.filter(key => knows(entity, key)), field].map(key => labelOf(app, entity, key))
  return { label: labelOf(app, entity, field), entity: app.entities.get(entity)!.name, fields: listed(app, told) }
}

function alone(
  app: App,
  request: Request,
  { entity, row, prefix }: WrittenRow,
  field: Field,
  reading: Reading,
): Question {
  const unique = field.unique!
  const other = othersAlike(app, entity, row, field, 't')
  const seen = policyFor(app, wantingArchived(app, readerOf(request), entity)).rows(entity, 'see', 't')
  const place = { field: `${prefix}${field.key}`, because: unique.cell }
  const detail = takenDetail(app, request, entity, field.key)
  const by = { entity, refusals: field.refusals }
  return {
    kind: 'taken',
    of: entity,
    prefix,
    reads: [...unique.within, field.key],
    problem: refuse(app, by, 'NF-UNIQUE', detail, reading, place),
    test: sql`exists (select from ${fromSql(entity, 't')} where ${conditionSql(other)})`,
    ...(archives(app, entity) && {
      closer: {
        titles: sql`select '' as title from ${fromSql(entity, 't')} where ${conditionSql(allOf([other, archivedSql('t'), seen]))}`,
        named: () => refuse(app, by, 'NF-UNIQUE-ARCHIVED', detail, reading, place),
      },
    }),
  }
}

/** Which other records have the same value where it is to be unique, as a condition over the alias; `column`: what this one has. */
export function othersAlike(
  app: App,
  entity: string,
  row: RecordValue,
  field: Field,
  alias: string,
  column = (key: string): Sql => draftSql(app, entity, row, key),
): Condition {
  const model = app.entities.get(entity)!
  const { without, while: condition } = field.unique!
  const compared = (key: string, of: Sql) => (key === field.key ? foldedSql(without, of) : of)
  const same = uniqueKeys(app, entity, field).map(key =>
    alikeIfEmpty(app, model, key) && value(row, key) === null
      ? sql`${columnSql(alias, key)} is null`
      : sql`${compared(key, columnSql(alias, key))} = ${compared(key, column(key))}`,
  )
  return allOf([
    ...same,
    sql`${columnSql(alias, 'id')} <> ${row.id}::uuid`,
    condition === null ? true : whereSql(condition, alias),
  ])
}

function overlapsAnew(request: Request, related: Related, one: WrittenRow, { noOverlap: rule }: Field): boolean {
  if (rule === null) return false
  if ([rule.begin, ...rule.within].some(of => value(one.row, of) === null)) return false
  if (!counts(request, related, one.row, rule.while)) return false
  return !(isSame(one, [rule.begin, rule.end, ...rule.within]) && counts(request, related, one.old!, rule.while))
}

function overlapping(app: App, { entity, row, prefix }: WrittenRow, field: Field, reading: Reading): Question {
  const rule = field.noOverlap!
  const column = (key: string) => draftSql(app, entity, row, key)
  const place = { field: `${prefix}${field.key}`, because: rule.cell }
  return {
    kind: 'overlap',
    of: entity,
    prefix,
    reads: [rule.begin, rule.end, ...rule.within],
    problem: refuse(app, { entity, refusals: field.refusals }, 'NF-OVERLAP', { label: field.label }, reading, place),
    test: overlapsSql(app.entities.get(entity)!, rule, column, sql`${row.id}::uuid`),
  }
}

/** Whether it is put under another record of a tree. */
const climbsAnew = (app: App, one: WrittenRow, { key }: Field): boolean =>
  app.trees.get(one.entity)?.field === key && value(one.row, key) !== null && !isSame(one, [key])

function circling(app: App, { entity, row, prefix }: WrittenRow, field: Field, reading: Reading): Question {
  const [id, above] = [sql`${row.id}::uuid`, columnSql('t', field.key)]
  const climb = sql`select ${draftSql(app, entity, row, field.key)} union select ${above} from climb join ${fromSql(entity, 't')} on ${columnSql('t', 'id')} = climb.id`
  const detail = { label: field.label, entity: app.entities.get(entity)!.name }
  const place = { field: `${prefix}${field.key}`, because: app.trees.get(entity)!.cell }
  return {
    kind: 'circle',
    of: entity,
    prefix,
    reads: [field.key],
    problem: refuse(app, { entity, refusals: field.refusals }, 'NF-CIRCLE', detail, reading, place),
    test: sql`exists (with recursive climb(id) as (${climb}) select from climb where climb.id = ${id})`,
  }
}

/** What was chosen before stays chosen, as long as nothing that decided it changes. */
function chosenAnew(one: WrittenRow, field: Field): readonly string[] {
  const { key, chooseFrom } = field
  if (chooseFrom === null || (chooseFrom.where === null && chooseFrom.role === null)) return []
  const isDecidedAnew =
    !isSame(one, decidedBy(field)) || (one.above !== undefined && !isSame(one.above, decidedAbove(field, one.parent)))
  const before = new Set(isDecidedAnew ? [] : linked(value(one.old, key) as Wire))
  return linked(value(one.row, key) as Wire).filter(id => !before.has(id))
}

function notChoosable(
  app: App,
  request: Request,
  related: Related,
  one: WrittenRow,
  field: Field,
  reading: Reading,
): readonly Question[] {
  const ids = chosenAnew(one, field)
  if (ids.length === 0) return []
  const { entity, row, prefix } = one
  const { cell, entity: target } = field.chooseFrom!
  const place = { field: `${prefix}${field.key}`, because: cell }
  const isNamed = sql`${columnSql('t', 'id')} = any(${ids}::uuid[])`
  const offered = choosable(app, related, entity, row, field.chooseFrom!, 't')
  const from = fromSql(target, 't')
  const [by, { label }] = [{ entity, refusals: field.refusals }, field]
  const policy = policyFor(app, readerOf(request))
  const title = isLinks(app, entity, field.key) ? labelSql(app, policy, target, 't') : null
  const unfit = allOf([isNamed, sql`(${conditionSql(offered)}) is not true`, policy.names(target, 't')])
  const closer = title !== null && {
    titles: sql`select * from (select ${title} as title from ${from} where ${conditionSql(unfit)}) as f where title is not null order by ${collated(sql`title`)}`,
    named: (records: string) => refuse(app, by, 'NF-NOT-ALL-OFFERED', { label, records }, reading, place),
  }
  return [
    {
      kind: 'not offered',
      of: entity,
      prefix,
      reads: [field.key, ...decidedBy(field)],
      problem: refuse(app, by, 'NF-NOT-OFFERED', { label }, reading, place),
      // Locked against change: what may be chosen now may still be chosen at the commit.
      test: sql`(select count(*) from (select ${columnSql('t', 'id')} from ${from} where ${conditionSql(allOf([isNamed, offered]))} for share of t) as f) < ${ids.length}::bigint`,
      ...(closer && { closer }),
    },
  ]
}

/** Which records `where` admits for this record, as a condition over the alias. */
export function choosable(
  app: App,
  related: Related,
  entity: string,
  row: RecordValue,
  { where, role, entity: target }: Choosing,
  alias: string,
): Condition {
  const belonging = allOf([
    beside(app, target, { entity, record: row }, alias),
    liveUnless(app, target, where, alias),
    role === null || holdsRole(app, role, alias),
  ])
  if (where === null) return belonging
  const of = (owner: string, record: RecordValue) => (key: string) => draftSql(app, owner, record, key)
  const { partOf } = app.entities.get(entity)!
  const parent = partOf === null ? undefined : related.find(partOf, String(value(row, app.schema.get(entity)!.parent!)))
  const above = parent === undefined ? undefined : of(partOf!, parent)
  return allOf([belonging, toSql(where, { alias, this: of(entity, row), above, as: 'condition' })])
}
