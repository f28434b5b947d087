/** What a person finds among all records that they may see: one statement over every entity that can be searched. */
import { identifier, join, raw, type Sql, slot, sql } from '../expression/sql.ts'
import type { App } from '../headings/app.ts'
import { collation } from '../store/system.ts'
import { type Allow, allowFor } from './allow.ts'
import { allOf, conditionSql } from './condition.ts'
import { searchOf } from './filter.ts'
import { columnSql, fieldSql, fromSql } from './names.ts'
import type { Request, Runtime } from './request.ts'
import { isSingle, labelSql } from './select.ts'
import { bindingsOf, built, once } from './statements.ts'

export interface SearchNeed {
  readonly search: string
  /** Where to look, in the order of the answer; `by` is the field that names a record in addresses. */
  readonly among: readonly { readonly entity: string; readonly by: string }[]
  /** So many of each entity. */
  readonly limit: number
}

export interface FoundGroup {
  readonly entity: string
  readonly rows: readonly FoundRow[]
  readonly more: boolean
}

export interface FoundRow {
  readonly id: string
  readonly title: string | null
  /** Null: this person may not see what names it in addresses. */
  readonly address: string | null
  /** Null: there is none, or not for this person. */
  readonly state: string | null
}

type Row = FoundRow & { readonly place: string }

/** Of so many that match the best are looked for: a single letter matches everything. */
const candidates = 200

/** Titles that begin with what is looked for come first. Groups in which nothing is found are left out. */
export async function readFound(
  { app, store }: Runtime,
  request: Request,
  { search, among, limit }: SearchNeed,
): Promise<readonly FoundGroup[]> {
  const allow = allowFor(app, request.actor)
  const searched = among.map(({ entity }) => searchOf(app, allow, entity, 't', search))
  const [shape, bindings] = [searched[0]?.shape ?? '', searched[0]?.bindings ?? {}]
  if (shape === '') return []
  const { statement } = once(app, ['found', allow.key, shape, limit, JSON.stringify(among)], () => {
    const parts = among.flatMap(({ entity, by }, place) => {
      const rows = allow.rows(entity, 'see', 't')
      const found = allOf([rows, searched[place]!.condition()])
      return found === false ? [] : [foundIn(app, allow, entity, by, place, conditionSql(found), limit)]
    })
    return { statement: parts.length === 0 ? null : built(join(parts, ' union all ')) }
  })
  if (statement === null) return []
  const found = await store.run<Row>(statement, bindingsOf(request, { ...bindings, whole: search.trim() }))
  return among.flatMap(({ entity }, place) => {
    const rows = found.filter(row => Number(row.place) === place)
    if (rows.length === 0) return []
    const shown = rows.slice(0, limit).map(({ id, title, address, state }) => ({ id, title, address, state }))
    return [{ entity, rows: shown, more: rows.length > limit }]
  })
}

function foundIn(
  app: App,
  allow: Allow,
  entity: string,
  by: string,
  place: number,
  condition: Sql,
  limit: number,
): Sql {
  const isSeen = (field: string) => isSingle(app, entity, field) && allow.field(entity, field, 't') === true
  const address =
    by === 'id'
      ? sql`${columnSql('t', 'id')}::text`
      : isSeen(by)
        ? sql`(${fieldSql(app, entity, by, 't')})::text`
        : raw('null::text')
  const state = app.workflows.has(entity) && isSeen('state') ? sql`${columnSql('t', 'state')}` : raw('null::text')
  const title = labelSql(app, allow, entity, 't') ?? raw('null::text')
  const page = sql`select ${columnSql('t', 'id')} as id from ${fromSql(entity, 't')} where ${condition} limit ${raw(String(candidates))}`
  return sql`(select ${raw(String(place))} as place, ${columnSql('t', 'id')} as id, ${title} as title, ${address} as address, ${state} as state
    from (${page}) as page join ${fromSql(entity, 't')} on ${columnSql('t', 'id')} = page.id
    order by starts_with(ninefold.fold(${title}), ninefold.fold(${slot('whole')}::text)) desc nulls last,
      ${title} collate ${identifier(...collation.split('.'))}, ${columnSql('t', 'id')} limit ${raw(String(limit + 1))})`
}
