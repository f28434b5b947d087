/** What a person finds among all records that they may see: one statement over every entity that can be searched. */
import { identifier, join, raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import type { ReadRow } from '../../kinds/screens/read-data.ts'
import { allOf, type Condition, conditionSql } from '../access/condition.ts'
import { type Policy, policyFor } from '../access/policy.ts'
import { addressSql, collated, columnSql, fromSql } from '../names.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { alike } from './alike.ts'
import { namesOf, searchOf, wordsOf } from './filter.ts'
import { fromArray, isSingle, labelSql, type Selection, selectArray, selectionOf } from './select.ts'

interface SearchNeed {
  readonly search: string
  /** Where to look, in the order of the answer; `by` is the field that names a record in addresses. */
  readonly among: readonly { readonly entity: string; readonly by: string }[]
  /** What is read of a record, besides what names it in addresses. */
  readonly shown: (entity: string) => readonly string[]
  /** So many of each entity. */
  readonly limit: number
  readonly similar: boolean
}

interface FoundGroup {
  readonly entity: string
  readonly rows: readonly FoundRow[]
  /** There are more: of those whose own texts answer, or of those that refer to one record. */
  readonly more: 'own' | Through | null
}

/** A field, and the record that it names. */
export interface Through {
  readonly field: string
  readonly record: string
}

interface FoundRow {
  readonly row: ReadRow
  /** Null: this person may not see what names it in addresses. */
  readonly address: string | null
  /** It is not its own texts that answer, but the name of a record that it refers to. */
  readonly through: (Through & { readonly title: string }) | null
}

interface Row {
  readonly place: string
  readonly address: string | null
  readonly cells: readonly (string | null)[]
  readonly field: string | null
  readonly record: string | null
  readonly named: string | null
}

/** Of so many that match the best are looked for: a single letter matches everything. */
const candidates = 200

/**
 * What answers by its own texts comes first, of those titles that begin with what is looked for; then what refers to a record of that
 * name, by a field that this person sees. Groups in which nothing is found are left out. `similar`: words may be one letter off.
 */
export async function readFound(
  { app, store }: Runtime,
  request: Request,
  { search, among, shown, limit, similar }: SearchNeed,
): Promise<readonly FoundGroup[]> {
  const policy = policyFor(app, request.actor)
  const searched = among.map(({ entity }) => searchOf(app, policy, entity, 't', search, { similar }))
  const [shape, bindings] = [searched[0]?.shape ?? '', searched[0]?.bindings ?? {}]
  if (shape === '') return []
  const { statement, selections } = cachedStatement(
    app,
    ['found', policy.key, shape, limit, JSON.stringify(among)],
    () => {
      const read = among.map(({ entity }) =>
        selectionOf({ app, policy, entity, alias: 't', fields: shown(entity), may: false }),
      )
      const names = namedTables(app, policy, search, similar)
      const parts = among.flatMap((of, place) => {
        const pages = pagesIn(app, policy, of.entity, searched[place]!.condition(), names.of)
        return pages.length === 0
          ? []
          : [foundIn(app, policy, of, place, pages, { selection: read[place]!, limit, similar })]
      })
      return {
        selections: read,
        statement: parts.length === 0 ? null : built(sql`${names.all()}${join(parts, ' union all ')}`),
      }
    },
  )
  if (statement === null) return []
  const whole = similar ? alike(wordsOf(search)[0]!) : search.trim()
  const found = await store.run<Row>(statement, bindingsOf(request, { ...bindings, whole }))
  return among.flatMap(({ entity }, place) => {
    const rows = found.filter(row => Number(row.place) === place)
    return rows.length === 0
      ? []
      : [
          {
            entity,
            rows: rows.slice(0, limit).map(row => rowOf(row, selections[place]!, request)),
            more: moreOf(rows, limit),
          },
        ]
  })
}

const throughOf = ({ field, record }: Row): Through | null =>
  field === null || record === null ? null : { field, record }

function rowOf(found: Row, { parts, read }: Selection, request: Request): FoundRow {
  const { address, cells, named } = found
  const through = throughOf(found)
  const row = read(fromArray(parts, cells), request)
  return { row, address, through: through === null ? null : { ...through, title: named ?? '' } }
}

function moreOf(rows: readonly Row[], limit: number): FoundGroup['more'] {
  const further = rows[limit]
  if (further === undefined) return null
  const through = throughOf(further)
  if (through === null) return 'own'
  return rows.every(({ field, record }) => field === through.field && record === through.record) ? through : null
}

/** Records that answer by what they are called, looked for once each, whatever refers to them. */
function namedTables(app: App, policy: Policy, search: string, similar: boolean) {
  const tables = new Map<string, { readonly name: string; readonly rows: Sql } | null>()
  const made = (entity: string) => {
    const found = namesOf(app, policy, entity, 'r', search, similar).condition()
    const title = labelSql(app, policy, entity, 'r')
    if (found === false || title === null) return null
    const rows = sql`select ${columnSql('r', 'id')} as id, ${title} as title from ${fromSql(entity, 'r')}
      where ${conditionSql(found)} limit ${raw(String(candidates))}`
    return { name: `named_${tables.size}`, rows }
  }
  const of = (entity: string): string | null => {
    if (!tables.has(entity)) tables.set(entity, made(entity))
    return tables.get(entity)?.name ?? null
  }
  const all = (): Sql => {
    const parts = [...tables.values()].flatMap(table =>
      table === null ? [] : [sql`${identifier(table.name)} as materialized (${table.rows})`],
    )
    return parts.length === 0 ? raw('') : sql`with ${join(parts, ', ')} `
  }
  return { of, all }
}

/** Candidates of an entity: by its own texts, and by each field that refers to a record of that name. */
function pagesIn(
  app: App,
  policy: Policy,
  entity: string,
  searched: Condition,
  names: (entity: string) => string | null,
): readonly Sql[] {
  const rows = policy.rows(entity, 'see', 't')
  const most = raw(String(candidates))
  const own = allOf([rows, searched])
  const referring = app.entities.get(entity)!.fields.flatMap(({ key, type, computed }) => {
    if (type.kind !== 'reference' || computed !== null) return []
    const seen = allOf([rows, policy.field(entity, key, 't')])
    const table = seen === false ? null : names(type.entity)
    if (table === null) return []
    return [
      sql`(select ${columnSql('t', 'id')} as id, 1 as rank, ${key}::text as field, n.id as record, n.title as named
        from ${identifier(table)} as n join ${fromSql(entity, 't')} on ${columnSql('t', key)} = n.id
        where ${conditionSql(seen)} limit ${most})`,
    ]
  })
  if (own === false) return referring
  const itself = sql`(select ${columnSql('t', 'id')} as id, 0 as rank, null::text as field, null::uuid as record, null::text as named
    from ${fromSql(entity, 't')} where ${conditionSql(own)} limit ${most})`
  return [itself, ...referring]
}

/** The best of an entity, as rows of the answer; `place` tells whose they are. */
function foundIn(
  app: App,
  policy: Policy,
  { entity, by }: SearchNeed['among'][number],
  place: number,
  pages: readonly Sql[],
  { selection, limit, similar }: Pick<SearchNeed, 'limit' | 'similar'> & { readonly selection: Selection },
): Sql {
  const isSeen = (field: string) => isSingle(app, entity, field) && policy.field(entity, field, 't') === true
  const address =
    by === 'id' ? sql`${columnSql('t', 'id')}::text` : isSeen(by) ? addressSql(app, entity, by, 't') : raw('null::text')
  const title = labelSql(app, policy, entity, 't') ?? raw('null::text')
  const [text, whole] = [sql`ninefold.fold(${title})`, sql`ninefold.fold(${slot('whole')}::text)`]
  const begins = similar ? sql`${text} ~ ('^' || ${whole})` : sql`starts_with(${text}, ${whole})`
  const page = sql`select distinct on (id) * from (${join(pages, ' union all ')}) as every order by id, rank`
  return sql`(select ${raw(String(place))} as place, ${address} as address, ${selectArray(selection.parts)} as cells,
    page.field as field, page.record as record, page.named as named
    from (${page}) as page join ${fromSql(entity, 't')} on ${columnSql('t', 'id')} = page.id${selection.joins}
    order by page.rank, ${begins} desc nulls last, ${collated(title)}, ${columnSql('t', 'id')} limit ${raw(String(limit + 1))})`
}
