/** The SQL back end over many records: `count`, `sum`, `any` and their like, for one row at a time or for many at once. */
import type { CheckedNode } from './checked.ts'
import { against, type EmitScope, numeric, whereSql } from './emitting.ts'
import { isClock } from './fit.ts'
import { groupingOf } from './grouping.ts'
import { overMany } from './many.ts'
import { identifier, join, Rollup, raw, type Sql, sql } from './sql.ts'
import { boundedSeconds } from './sql-values.ts'
import { recordsSql, tableOf } from './to-sql-records.ts'
import type { Type } from './type.ts'
import { BY_LINES, isAsRows, listedSql } from './written.ts'
import { groupOrderSql, writtenOrNoneSql } from './written-groups.ts'

export function aggregateSql(node: CheckedNode<'aggregate'>, place: EmitScope): Sql {
  const { from, where, alias, id } = recordsSql(node.source, place)
  const inside = { ...place, own: alias }
  const held = node.where ?? (node.name === 'count' || node.name === 'sum' ? null : node.value)
  switch (node.name) {
    case 'any':
    case 'none': {
      const conditions = held === null ? where : [...where, place.emit(held, inside, true)]
      return sql`(${raw(node.name === 'any' ? 'exists' : 'not exists')} (select 1 from ${from()}${whereSql(conditions)}))`
    }
    case 'all': {
      const conditions = held === null ? [raw('false')] : [...where, sql`${place.emit(held, inside)} is not true`]
      return sql`(not exists (select 1 from ${from()}${whereSql(conditions)}))`
    }
  }
  const conditions = node.where === null ? where : [...where, place.emit(node.where, inside, true)]
  // What is emitted over the records decides what stands beside them: `from` comes after it.
  const of = (value: Sql, order = raw('')) => sql`(select ${value} from ${from()}${whereSql(conditions)}${order})`
  if (node.name === 'first' || node.name === 'list') {
    const value = place.emit(node.value!, inside)
    const keys = node.order!.map(
      ({ of: key, down }) => sql`${place.emit(key, inside)}${raw(down ? ' desc nulls last' : '')}`,
    )
    const by = sql` order by ${join([...keys, ...(isAsRows(node) ? [identifier(alias, 'position')] : []), id], ', ')}`
    if (node.name === 'first') return of(value, sql`${by} limit 1`)
    return listedSql(of(sql`array_remove(array_agg(${value}${by}), null)`), place.alias(), node.more!)
  }
  if (node.name === 'groups') return groupsSql(node, place, inside, of)
  const alone = fitting(node, of(overAll(node, inside)))
  return rollupOf(node, alone, place) ?? alone
}

type Aggregate = CheckedNode<'aggregate'>

/** A line for each group: each part is worked out once, in columns of a table of its own. */
function groupsSql(
  { value, figures, calendar, more }: Aggregate,
  place: EmitScope,
  inside: EmitScope,
  of: (value: Sql, behind: Sql) => Sql,
): Sql {
  const [rows, name] = [place.alias(), place.alias()]
  const type = value!.type
  const key = isNumber(type) ? numeric(value!, inside) : inside.emit(value!, inside)
  const columns = figures!.map((figure, at) => {
    const whole = fitting({ name: figure.name, type: figure.type }, overAll(figure, inside))
    return sql`, ${whole} as ${identifier(`f${at}`)}`
  })
  const groups = of(sql`${key} as k${join(columns, '')}`, raw(' group by 1'))
  const texts = figures!.map((figure, at) => writtenOrNoneSql(identifier(rows, `f${at}`), figure.type, figure.calendar))
  const head = identifier(rows, 'k')
  const line = sql`${writtenOrNoneSql(head, type, calendar!)} || ': ' || ${join(texts, " || ', ' || ")}`
  const lines = sql`select array_agg(${line} order by ${groupOrderSql(type, head)} nulls last) from ${groups} as ${identifier(rows)}`
  return listedSql(lines, name, more!, BY_LINES)
}

const isNumber = ({ kind }: Type): boolean => kind === 'integer' || kind === 'decimal' || kind === 'money'

function overAll({ name, value }: Pick<Aggregate, 'name' | 'value'>, inside: EmitScope): Sql {
  if (value === null) return raw('count(*)')
  if (name === 'days') {
    const day = inside.emit(value, inside)
    return sql`coalesce(array_agg(distinct ${day} order by ${day}) filter (where ${day} is not null), '{}')::text`
  }
  if (name === 'sum') return sql`coalesce(sum(${numeric(value, inside)}), 0)`
  return sql`${raw(name)}(${inside.emit(value, inside)})`
}

/** Lengths of time may be longer together than one may be. */
const fitting = ({ name, type }: Pick<Aggregate, 'name' | 'type'>, value: Sql): Sql =>
  name === 'sum' && isClock(type) ? boundedSeconds(value) : value

/** Null: it is worked out for one row at a time. */
function rollupOf(node: Aggregate, alone: Sql, place: EmitScope): Sql | null {
  const grouping = place.context.rollups ? groupingOf(node) : null
  const row = place.about
  if (grouping === null || typeof row !== 'string') return null
  const of = grouping.keys.map(key => against(key.own, key.of, place))
  const grouped = (name: string, among: ((of: Sql) => Sql) | null) => {
    const { from, alias } = tableOf(node.source.entity, place)
    const inside = { ...place, own: alias }
    const keys = grouping.keys.map(key => place.emit(key.own, inside))
    const wanted = among === null ? [] : [sql`${keys[0]!} in ${among(of[0]!)}`]
    const where = [...wanted, ...grouping.where.map(one => place.emit(one, inside, true))]
    const columns = keys.map((key, index) => sql`${key} as ${identifier(`k${index}`)}, `)
    const value = overAll(node, inside)
    // By number: parameters in two places would make two expressions of one.
    const by = raw(keys.map((_, index) => index + 1).join(', '))
    const groups = (all: Sql) =>
      sql`select ${join(columns, '')}${value} as value from ${all}${whereSql(where)} group by ${by}`
    const ties = of.map((one, index) => sql`${identifier(name, `k${index}`)} = ${one}`)
    return sql` left join (${overMany(alias, from(), where, groups)}) as ${identifier(name)} on ${join(ties, ' and ')}`
  }
  const isNone = node.name === 'count' || node.name === 'sum'
  const value = (column: Sql) => fitting(node, isNone ? sql`coalesce(${column}, 0)` : column)
  return { texts: ['', ''], values: [new Rollup({ row, node, alone, grouped, value })] }
}
