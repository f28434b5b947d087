/** The records that refer to a record, by entity and field, as far as a person sees them: one statement for all lists. */
import { join, raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import { type Allow, allowFor } from '../access/allow.ts'
import { allOf, conditionSql } from '../access/condition.ts'
import { addressSql, columnSql, fromSql, isLinks, linksSql, typeOf } from '../names.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, once } from '../statements.ts'
import { keysOf, orderBy } from './order.ts'
import { isHeld, isSingle, labelSql } from './select.ts'

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
}

interface RelatedRow {
  readonly id: string
  /** Null: they may not see what names it. */
  readonly title: string | null
  /** What names it in addresses; null where they may not see that. */
  readonly address: string | null
  readonly state: string | null
}

/** Records that are shown of each list. */
const shown = 10

/** Everything that refers to an entity, in the document's order. Child rows stand with their parent, and are left out. */
export const referringTo = (app: App, entity: string): readonly Referring[] =>
  [...app.entities.values()].flatMap(({ key, partOf, fields }) =>
    partOf !== null
      ? []
      : fields.flatMap(({ key: field, hidden, computed }) => {
          const type = typeOf(app, key, field)
          const refers = type?.kind === 'reference' || (type?.kind === 'list' && isLinks(app, key, field))
          return refers && type.entity === entity && hidden === null && computed === null && isHeld(app, key, field)
            ? [{ entity: key, field }]
            : []
        }),
  )

/** The lists that they may see at all. `by`: per entity the field that names a record in addresses. */
export async function readRelated(
  { app, store }: Runtime,
  request: Request,
  record: string,
  lists: readonly Referring[],
  by: Readonly<Record<string, string>>,
): Promise<readonly RelatedList[]> {
  const allow = allowFor(app, request.actor)
  const seen = lists.filter(
    ({ entity, field }) => allow.rows(entity, 'see', 't') !== false && allow.field(entity, field, 't') !== false,
  )
  if (seen.length === 0) return []
  const query = once(app, ['related', allow.key, JSON.stringify([seen, by])], () =>
    built(
      sql`${join(
        seen.map((list, place) => listSql(app, allow, list, place, by[list.entity] ?? 'id')),
        ' union all ',
      )} order by place, number`,
    ),
  )
  const found = await store.run<RelatedRow & { readonly place: string }>(query, bindingsOf(request, { record }))
  return seen.map((list, place) => {
    const rows = found.filter(row => Number(row.place) === place)
    return { ...list, rows: rows.slice(0, shown), more: rows.length > shown }
  })
}

function listSql(app: App, allow: Allow, { entity, field }: Referring, place: number, by: string): Sql {
  const record = sql`${slot('record')}::uuid`
  const refers = isLinks(app, entity, field)
    ? sql`exists (select from ${linksSql(entity, field)} as links where links.owner = ${columnSql('t', 'id')} and links.member = ${record})`
    : sql`${columnSql('t', field)} = ${record}`
  const isShown = allOf([refers, allow.rows(entity, 'see', 't'), allow.field(entity, field, 't')])
  const named = by === 'id' || (isSingle(app, entity, by) && allow.field(entity, by, 't') === true)
  const state = app.workflows.has(entity) ? columnSql('t', 'state') : raw('null::text')
  const keys = keysOf(app, allow, entity, 't', [])
  const order = orderBy(keys, index => keys[index]!.sql, false)
  const page = sql`select ${columnSql('t', 'id')} as id, row_number() over (order by ${order}) as number from ${fromSql(entity, 't')}
    where ${conditionSql(isShown)} order by ${order} limit ${raw(String(shown + 1))}`
  return sql`(select ${raw(String(place))} as place, page.number as number, ${columnSql('t', 'id')} as id,
    ${labelSql(app, allow, entity, 't') ?? raw('null::text')} as title,
    ${named ? addressSql(app, entity, by, 't') : raw('null::text')} as address, ${state} as state
    from (${page}) as page join ${fromSql(entity, 't')} on ${columnSql('t', 'id')} = page.id)`
}
