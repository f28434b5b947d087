/** The records that refer to a record, by entity and field, as far as a person sees them: one statement for all lists. */
import { join, raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import type { ReadRow } from '../../kinds/screens/read-data.ts'
import { allOf, anyOf, conditionSql } from '../access/condition.ts'
import { type Policy, policyFor } from '../access/policy.ts'
import { logRead } from '../access/read-log.ts'
import { addressSql, columnSql, declared, fromSql, isLinks, linksSql, typeOf } from '../names.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { childLists } from '../write/draft-record.ts'
import { choosable } from './options.ts'
import { keysOf, orderBy } from './order.ts'
import { fromArray, isHeld, isSingle, labelSql, selectArray, selectionOf, visibleFields } from './select.ts'

/** A field that refers to records of the entity in question. */
export interface Referring {
  readonly entity: string
  readonly field: string
}

interface RelatedList extends Referring {
  /** In the order of their entity. */
  readonly rows: readonly RelatedRow[]
  /** There are more than are shown. */
  readonly more: boolean
  /** `choose from` lets a new one name the record. */
  readonly isOffered: boolean
}

/** A record, or a child row; of a row, what names it is that of the record that it is part of. */
interface RelatedRow {
  readonly id: string
  /** Null: they may not see what names it. */
  readonly title: string | null
  /** What names it in addresses; null where they may not see that. */
  readonly address: string | null
  /** What was asked of a record; of a child row all that they see of it. */
  readonly own: ReadRow
  /** Of a child row: the record that it is part of. */
  readonly parent: string | null
}

/** Records that are shown of each list, and of the one that is asked for whole. */
const shownOf = (isWhole: boolean): number => (isWhole ? 1000 : 10)

/** Everything that refers to an entity, in the document's order, child rows too. */
export const referringTo = (app: App, entity: string): readonly Referring[] =>
  [...app.entities.values()].flatMap(({ key, fields }) =>
    fields.flatMap(({ key: field, hidden, computed }) => {
      const type = typeOf(app, key, field)
      const refers = type?.kind === 'reference' || (type?.kind === 'list' && isLinks(app, key, field))
      return refers && type.entity === entity && hidden === null && computed === null && isHeld(app, key, field)
        ? [{ entity: key, field }]
        : []
    }),
  )

/** The lists that they may see at all. `by`: per entity the field that names a record in addresses; `shown`: what is read of one. `whole`: of which more is shown. */
export async function readRelated(
  { app, store }: Runtime,
  request: Request,
  record: string,
  lists: readonly Referring[],
  by: Readonly<Record<string, string>>,
  shown: (entity: string) => readonly string[],
  whole: (list: Referring) => boolean,
): Promise<readonly RelatedList[]> {
  const policy = policyFor(app, request.actor)
  const seen = lists.filter(
    ({ entity, field }) => policy.rows(entity, 'see', 't') !== false && policy.field(entity, field, 't') !== false,
  )
  if (seen.length === 0) return []
  const { query, read } = cachedStatement(
    app,
    ['related', policy.key, JSON.stringify([seen, by, seen.map(whole)])],
    () => {
      const all = seen.map((list, place) =>
        listSql(app, policy, list, place, by, shown(list.entity), shownOf(whole(list))),
      )
      const statement = sql`${join(
        all.map(one => one.sql),
        ' union all ',
      )} order by place, number`
      return { query: built(statement), read: all.map(one => one.read) }
    },
  )
  const found = await store.run<Found>(query, bindingsOf(request, { record }))
  const related = seen.map((list, place) => {
    const own = found.filter(row => Number(row.place) === place)
    const rows = own.filter(({ id }) => id !== null)
    const isOffered = rows.length < own.length
    const most = shownOf(whole(list))
    const told = rows.slice(0, most).map(row => read[place]!({ ...row, id: row.id! }, request))
    return { ...list, rows: told, more: rows.length > most, isOffered }
  })
  for (const { entity, rows } of related) {
    const records = [...new Set(rows.flatMap(({ parent }) => parent ?? []))]
    const { partOf } = app.entities.get(entity)!
    if (partOf !== null && records.length > 0)
      await logRead({ app, store }, request, { entity: partOf, records, way: 'list', opening: null })
  }
  return related
}

interface Found extends Omit<RelatedRow, 'own' | 'id'> {
  readonly place: string
  /** Null: no row, but that one more is offered. */
  readonly id: string | null
  readonly cells: readonly (string | null)[] | null
}

interface ListSql {
  readonly sql: Sql
  readonly read: (found: Found & { readonly id: string }, request: Request) => RelatedRow
}

function listSql(
  app: App,
  policy: Policy,
  { entity, field }: Referring,
  place: number,
  by: Readonly<Record<string, string>>,
  asked: readonly string[],
  most: number,
): ListSql {
  const record = sql`${slot('record')}::uuid`
  const refers = isLinks(app, entity, field)
    ? sql`exists (select from ${linksSql(entity, field)} as links where links.owner = ${columnSql('t', 'id')} and links.member = ${record})`
    : sql`${columnSql('t', field)} = ${record}`
  const { partOf } = app.entities.get(entity)!
  const around = partOf === null ? null : aroundRows(app, policy, entity, partOf)
  const isShown = allOf([
    refers,
    policy.rows(entity, 'see', 't'),
    policy.field(entity, field, 't'),
    around?.seen ?? true,
  ])
  // A row is named by the record that it is part of.
  const [named, alias] = partOf === null ? [entity, 't'] : [partOf, 'p']
  const address = by[named] ?? 'id'
  const isTold = address === 'id' || (isSingle(app, named, address) && policy.field(named, address, alias) === true)
  const keys = keysOf(app, policy, entity, 't', [])
  const order = orderBy(keys, index => keys[index]!.sql, false)
  const page = sql`select ${columnSql('t', 'id')} as id, row_number() over (order by ${order}) as number from ${fromSql(entity, 't')}${around?.join ?? sql``}
    where ${conditionSql(isShown)} order by ${order} limit ${raw(String(most + 1))}`
  const fields = around === null ? asked : visibleFields(app, policy, entity).filter(key => key !== field)
  const declaredField = declared(app, entity, field)!
  const { type } = declaredField
  const target = type.kind === 'reference' || type.kind === 'list' ? type.entity : entity
  const offered = sql`(select ${raw(String(place))}, 0, null::uuid, null, null, null::text[], null::uuid from ${fromSql(target, 't')}
    where ${columnSql('t', 'id')} = ${record} and ${conditionSql(choosable(app, entity, declaredField))})`
  const selection = selectionOf({ app, policy, entity, alias: 't', fields, may: false, marks: around === null })
  return {
    sql: sql`(select ${raw(String(place))} as place, page.number as number, ${columnSql('t', 'id')} as id,
      ${labelSql(app, policy, named, alias) ?? raw('null::text')} as title,
      ${isTold ? addressSql(app, named, address, alias) : raw('null::text')} as address, ${selectArray(selection.parts)} as cells,
      ${around === null ? raw('null::uuid') : columnSql('p', 'id')} as parent
      from (${page}) as page join ${fromSql(entity, 't')} on ${columnSql('t', 'id')} = page.id${around?.join ?? sql``}${selection.joins}) union all ${offered}`,
    read: ({ id, title, address, cells, parent }, request) => ({
      id,
      title,
      address,
      own: selection.read(fromArray(selection.parts, cells ?? []), request),
      parent,
    }),
  }
}

/** Rows are seen with the record that they are part of, where that one's list of them is seen. */
function aroundRows(app: App, policy: Policy, entity: string, parent: string) {
  const lists = childLists(app, parent).filter(list => list.entity === entity)
  const key = columnSql('t', app.schema.get(entity)!.parent!)
  return {
    join: sql` join ${fromSql(parent, 'p')} on ${columnSql('p', 'id')} = ${key}`,
    seen: allOf([policy.rows(parent, 'see', 'p'), anyOf(lists.map(list => policy.field(parent, list.field, 'p')))]),
  }
}
