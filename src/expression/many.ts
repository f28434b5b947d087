/**
 * Aggregates over many records at once. For one record, or the few of a page, a subquery for each is best; where all records of an
 * entity are sorted, counted or added up, what belongs to them is grouped once and joined.
 */
import { identifier, join, Rollup, type Sql, sql, withValues } from './sql.ts'

/** Those for this row, each once. */
const rollupsOf = (row: string, { values }: Sql): readonly Rollup[] =>
  values.filter(value => value instanceof Rollup && value.row === row) as Rollup[]

/** What must hold together. */
const conjunctsOf = (condition: Sql): readonly Sql[] => condition.all?.flatMap(conjunctsOf) ?? [condition]

/**
 * `body` over the records of `row` in its `from`, with their aggregates joined to it. `where`: what must hold of the records that are
 * looked at; what of it needs no aggregate says which groups are wanted.
 */
export function overMany(row: string, from: Sql, where: readonly Sql[], body: (from: Sql) => Sql): Sql {
  const query = body(from)
  const rollups = rollupsOf(row, query)
  if (rollups.length === 0) return query
  const plain = where.flatMap(conjunctsOf).filter(one => rollupsOf(row, one).length === 0)
  const among = (of: Sql) => sql`(select ${of} from ${from} where ${join(plain, ' and ')})`
  const names = new Map<unknown, string>()
  const joins: Sql[] = []
  for (const { node, grouped } of rollups) {
    if (names.has(node)) continue
    const name = `up${names.size + 1}`
    names.set(node, name)
    joins.push(grouped(name, plain.length === 0 ? null : among))
  }
  return withValues(body(sql`${from}${join(joins, '')}`), value => {
    const name = value instanceof Rollup && value.row === row ? names.get(value.node) : undefined
    return name === undefined ? undefined : (value as Rollup).value(identifier(name, 'value'))
  })
}
