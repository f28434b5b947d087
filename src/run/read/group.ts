/** Groups of records: what they are grouped by as SQL, in which order groups stand, and which records are in one. */
import type { Expression } from '../../expression/expression.ts'
import { raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { Type, Wire } from '../../expression/type.ts'
import type { Grouping } from '../../headings/2-screens/model.ts'
import type { App } from '../../headings/app.ts'
import type { Among, RowsGroup } from '../../kinds/screens/screen-kind.ts'
import { allOf, type Condition, conditionSql } from '../access/condition.ts'
import type { Policy } from '../access/policy.ts'
import { seenReference } from '../access/seen-reference.ts'
import { collated, valueSql } from '../names.ts'
import { fits, sqlType } from '../values.ts'
import type { Filtered } from './filter.ts'
import type { Key } from './order.ts'
import { readable } from './readable.ts'
import { referenceLabel } from './select.ts'

/** Where an expression or a group stands: what is made of it once is known by it. */
export const placeOf = ({ cell }: Pick<Expression, 'cell'>): string => `${cell.file.path}:${cell.start}:${cell.end}`

/** The same days may be drawn by other units than are written. */
export const groupPlace = (by: Grouping): string => `${placeOf(by)} ${by.unit}`

/** A value that a group has in SQL → wire. */
export const groupValue = ({ unit, value: { type } }: Grouping, value: Wire): Wire =>
  type.kind === 'yes/no' && unit === null && typeof value === 'string' ? value === 'true' : value

/** The rows of one group, as its figures count them. */
export function amongOf(app: App, policy: Policy, among: readonly Among[] = []): Filtered {
  const bindings: Record<string, unknown> = {}
  const conditions: (() => Condition)[] = []
  const shape = among.map(({ by, value }, index) => {
    const { seen, sql: group, type } = groupOf(app, policy, by)
    const isUsable = seen !== false && (value === null || fits(type, value))
    if (value !== null && isUsable) bindings[`among.${index}`] = value
    conditions.push(() => {
      if (!isUsable) return false
      const same = value === null ? sql`${group} is null` : sql`${group} = ${slot(`among.${index}`)}::${sqlType(type)}`
      return allOf([seen, same])
    })
    return `${placeOf(by)} ${isUsable ? value === null : 'never'}`
  })
  if (among.length > 0) bindings.zone = app.product.timeZone.name
  return { shape: shape.join(';'), condition: () => allOf(conditions.map(condition => condition())), bindings }
}

/** Records outside of the groups that are folded. */
export function unfoldedOf(app: App, policy: Policy, group: RowsGroup | undefined): Filtered {
  const folded = group?.folded ?? []
  if (group === undefined || folded.length === 0) return { shape: '', condition: () => true, bindings: {} }
  const { sql: value, type } = emptiedGroup(app, policy, group.by)
  const usable = folded.filter(one => one === null || fits(type, one))
  const bindings = Object.fromEntries(usable.map((one, index) => [`folded.${index}`, one]))
  return {
    shape: `${groupPlace(group.by)} ${usable.length}`,
    condition: () =>
      allOf(usable.map((_, index) => sql`${value} is distinct from ${slot(`folded.${index}`)}::${sqlType(type)}`)),
    bindings,
  }
}

/** What rows in groups are sorted by before anything else; the last of these keys is the value of the group. */
export function groupKeys(app: App, policy: Policy, { by, descending }: RowsGroup): readonly Key[] {
  const { sql: value, type, sorted, order, label } = emptiedGroup(app, policy, by)
  const key = (of: Sql, is: Type): Key => ({ field: '', sql: of, type: is, descending, optional: true })
  const itself = key(value, type)
  return sorted === null ? [itself] : [key(order(value, label(value, 'groupr') ?? raw('null::text')), sorted), itself]
}

export interface Group {
  readonly sql: Sql
  readonly type: Type
  readonly seen: Condition
  /** The type of what it is sorted by; null: by itself. */
  readonly sorted: Type | null
  /** What it is sorted by, over the grouped value. */
  readonly order: (value: Sql, label: Sql) => Sql
  readonly label: (value: Sql, alias: string) => Sql | null
}

/** What may not be seen is empty, and its records are in the group of those; what is never seen has no groups, and puts nothing in order. */
export function emptiedGroup(app: App, policy: Policy, by: Grouping): Group {
  const group = groupOf(app, policy, by)
  if (group.seen === true) return group
  if (group.seen === false) return { ...group, sql: sql`null::${sqlType(group.type)}` }
  return { ...group, seen: true, sql: sql`case when ${conditionSql(group.seen)} then ${group.sql} end` }
}

export function groupOf(app: App, policy: Policy, { unit, value }: Grouping): Group {
  const seen = readable(app, policy, value.root, 't')
  const of = valueSql(value, 't')
  const plain = { seen, label: () => null, sorted: null, order: (grouped: Sql) => grouped }
  if (unit !== null) {
    const local =
      value.type.kind === 'moment' ? sql`(${of} at time zone ${slot('zone')}::text)` : sql`(${of})::timestamp`
    const { day: begins } = app.product.weekBegins
    if (unit === 'weekday')
      return {
        ...plain,
        sql: sql`extract(isodow from ${local})::int`,
        type: { kind: 'integer' },
        sorted: { kind: 'integer' },
        order: grouped => sql`(${grouped} + ${raw(String(6 - begins))}) % 7`,
      }
    if (unit === 'hour') return { ...plain, sql: sql`extract(hour from ${local})::int`, type: { kind: 'integer' } }
    if (unit === 'week' && begins !== 0) {
      const by = raw(`interval '${begins} days'`)
      // Before the first week there is no other day than its first.
      const first = sql`greatest((date_trunc('week', ${local} - ${by}) + ${by})::date, date '0001-01-01')`
      return { ...plain, sql: first, type: { kind: 'date' } }
    }
    return { ...plain, sql: sql`date_trunc(${raw(`'${unit}'`)}, ${local})::date`, type: { kind: 'date' } }
  }
  const { type } = value
  switch (type.kind) {
    case 'choice':
      return {
        ...plain,
        sql: of,
        type,
        sorted: { kind: 'integer' },
        order: grouped => sql`array_position(${type.options}::text[], ${grouped})`,
      }
    case 'text':
      return { ...plain, sql: of, type, sorted: type, order: collated }
    case 'reference':
      return {
        ...plain,
        sql: seenReference(policy, type.entity, of),
        type,
        sorted: { kind: 'text' },
        label: (grouped, alias) => referenceLabel(app, policy, type.entity, grouped, alias),
        order: (_, label) => collated(label),
      }
    default:
      return { ...plain, sql: of, type }
  }
}
