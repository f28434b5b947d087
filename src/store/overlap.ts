/**
 * `no overlap of … to …` as PostgreSQL holds it: an exclusion constraint over the fields that must be alike and the stretch of time.
 * The end of a stretch is free again, after the gap. A stretch between dates is at least one day long, the gap included, one between
 * moments may be empty and then takes nothing; one that ends before it begins counts from its beginning, one without an end goes on
 * for ever. The arithmetic is done in UTC, where it depends on nobody's time zone: PostgreSQL wants that of an index.
 */
import { identifier, join, raw, type Sql, sql } from '../expression/sql.ts'
import { toSql } from '../expression/to-sql.ts'
import { apartBy } from '../headings/3-entities/apart.ts'
import type { Entity, Field, NoOverlap } from '../headings/3-entities/model.ts'
import { inlined, shortName } from './names.ts'
import type { Constraint } from './physical.ts'

/** Where a column is read: `"collect_at"` in a constraint, `t."collect_at"` or a parameter in a question. */
type ColumnOf = (field: string) => Sql

/** The stretch that a record takes, as a range. */
function stretchSql(entity: Entity, { begin, end: last, gap }: NoOverlap, column: ColumnOf): Sql {
  const [start, end] = [column(begin), column(last)]
  if (entity.shape.fields.get(begin)?.type.kind === 'date')
    return sql`daterange(${start}, case when ${end} is not null then greatest(${end} + ${raw(String(gap.days))}, ${start} + 1) end)`
  const begins = sql`timezone('UTC', ${start})`
  const ends = sql`timezone('UTC', ${end})${raw(gap.milliseconds === 0 ? '' : ` + interval '${gap.milliseconds / 1000} seconds'`)}`
  return sql`tsrange(${begins}, case when ${end} is not null then greatest(${ends}, ${begins}) end)`
}

/** Which records count: those with a beginning of which `while` holds. */
function countsSql(rule: NoOverlap, column: ColumnOf, alias: string | ColumnOf): Sql {
  const begun = sql`${column(rule.begin)} is not null`
  return rule.while === null ? begun : sql`${begun} and ${toSql(rule.while, { alias, as: 'condition' })}`
}

const withinOf = (entity: Entity, { begin, within }: NoOverlap): readonly string[] => [
  ...apartBy(entity, begin, within),
  ...within,
]

const ownColumn: ColumnOf = field => identifier(field)

/** The exclusion constraint of a field; none where its condition reads more than the record. */
export function overlapConstraint(entity: Entity, field: Field): readonly Constraint[] {
  const { noOverlap: rule } = field
  if (rule === null || (rule.while?.tier ?? 0) > 0) return []
  return [
    {
      kind: 'exclude',
      name: shortName(entity.key, field.key, 'no_overlap'),
      within: withinOf(entity, rule).map(key => {
        const isYesNo = entity.shape.fields.get(key)?.type.kind === 'yes/no'
        return inlined(isYesNo ? sql`(${identifier(key)}::integer)` : identifier(key))
      }),
      stretch: inlined(stretchSql(entity, rule, ownColumn)),
      where: inlined(countsSql(rule, ownColumn, ownColumn)),
      holds: { rule: 'no overlap', entity: entity.key, field: field.key, name: null, cell: rule.cell },
    },
  ]
}

/** What a stored record takes, in seconds: `[from, until]`, with null for ever; null where it takes nothing. */
export function takenSql(entity: Entity, rule: NoOverlap, alias: string): Sql {
  const stretch = stretchSql(entity, rule, field => identifier(alias, field))
  const second = (end: Sql) => sql`extract(epoch from ${end})`
  return sql`(select jsonb_build_array(${second(sql`lower(r)`)}, ${second(sql`upper(r)`)})
    from (select ${stretch} as r) as stretch where not isempty(r))`
}

/** Whether another record takes some of the same: `column` reads the record that is asked for, `id` is its own. */
export function overlapsSql(entity: Entity, rule: NoOverlap, column: ColumnOf, id: Sql): Sql {
  const other = (field: string) => identifier('o', field)
  const alike = withinOf(entity, rule).map(key => sql`${other(key)} = ${column(key)}`)
  const conditions = [
    ...alike,
    sql`${other('id')} <> ${id}`,
    countsSql(rule, other, 'o'),
    sql`${stretchSql(entity, rule, other)} && ${stretchSql(entity, rule, column)}`,
  ]
  return sql`exists (select from ${identifier(entity.key)} as ${identifier('o')} where ${join(conditions, ' and ')})`
}
