/** What the rows are called that problems are about: by what stands in them, as far as whoever is told sees it. */
import { slot, sql } from '../../expression/sql.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import { joinedTitle, titleFields } from '../../headings/3-entities/titles.ts'
import { conditionSql } from '../access/condition.ts'
import { columnSql, fromSql, isLinks, isSealed, labelOf, typeOf } from '../names.ts'
import type { Problem } from '../outcome.ts'
import { shownValue } from '../problems/shown.ts'
import { labelSql } from '../read/select.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { childLists, type ListField, rowsIn } from './draft-record.ts'
import type { Scope } from './scope.ts'

/** A row on the way to what a problem is about. */
interface OnTheWay {
  readonly list: ListField
  /** What the list is called. */
  readonly label: string
  readonly row: RecordValue
}

export async function namedRows(
  scope: Scope,
  { entity, record }: { readonly entity: string; readonly record: RecordValue },
  problems: readonly Problem[],
): Promise<readonly Problem[]> {
  const ways = problems.map(({ field, rows }) =>
    rows === undefined && field !== null ? wayTo(scope, entity, record, field.split('.')) : [],
  )
  if (ways.every(way => way.length === 0)) return problems
  const titles = await titlesOf(scope, ways.flat())
  return problems.map((problem, at) => {
    const way = ways[at]!
    return way.length === 0 ? problem : { ...problem, rows: way.map(({ label, row }) => [label, titles(row)] as const) }
  })
}

function wayTo(
  scope: Scope,
  entity: string,
  record: RecordValue,
  [key, number, ...rest]: readonly string[],
): readonly OnTheWay[] {
  const list = childLists(scope.app, entity).find(({ field }) => field === key)
  const row = list === undefined ? undefined : rowsIn(record, list)[Number(number)]
  if (list === undefined || row === undefined) return []
  const own = { list, label: labelOf(scope.app, entity, list.field), row }
  return [own, ...wayTo(scope, list.entity, row, rest)]
}

/** One statement for each entity whose records name rows. */
async function titlesOf(scope: Scope, ways: readonly OnTheWay[]): Promise<(row: RecordValue) => string> {
  const { app, request } = scope
  const parts = new Map(ways.map(one => [one.row, partsOf(scope, one)]))
  const named = [...parts.values()].flat().filter(({ target }) => target !== null)
  const labels = new Map<string, string | null>()
  for (const [target, own] of Map.groupBy(named, one => one.target!))
    for (const { id, label } of await labelsOf(scope, target, [...new Set(own.map(({ value }) => String(value)))]))
      labels.set(id, label)
  const entities = new Map(ways.map(({ row, list }) => [row, app.entities.get(list.entity)!]))
  return row =>
    joinedTitle(
      entities.get(row)!,
      parts.get(row)!.map(({ key, value, target, entity }) => {
        if (target !== null) return [key, labels.get(String(value)) ?? null] as const
        return [key, shownValue(value, typeOf(app, entity, key)!, request.locale, request.zone)] as const
      }),
    )
}

interface Part {
  readonly entity: string
  readonly key: string
  readonly value: Wire
  /** Of a reference: of what. */
  readonly target: string | null
}

/** What names a row, of the fields that are seen in every row. */
function partsOf({ app, policy }: Scope, { list: { entity }, row }: OnTheWay): readonly Part[] {
  return titleFields(app.entities.get(entity)!).flatMap(key => {
    const value = row[key]
    const type = typeOf(app, entity, key)
    if (value == null || Array.isArray(value) || isLinks(app, entity, key) || isSealed(app, entity, key)) return []
    if (policy.field(entity, key, 't') !== true) return []
    return [{ entity, key, value: value as Wire, target: type?.kind === 'reference' ? type.entity : null }]
  })
}

async function labelsOf({ tx, app, request, policy }: Scope, target: string, ids: readonly string[]) {
  const query = cachedStatement(app, ['row names', policy.key, target], () => {
    const label = labelSql(app, policy, target, 't')
    if (label === null) return null
    const id = columnSql('t', 'id')
    return built(sql`select ${id} as id, ${label} as label from ${fromSql(target, 't')}
      where ${id} = any(${slot('ids')}::uuid[]) and ${conditionSql(policy.names(target, 't'))}`)
  })
  return query === null ? [] : tx.run<{ id: string; label: string | null }>(query, bindingsOf(request, { ids }))
}
