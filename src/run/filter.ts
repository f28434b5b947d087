/** Filters and free text of a list as SQL. A field that is seen only on some rows carries that condition into its filter. */
import { join, raw, type Sql, slot, sql } from '../expression/sql.ts'
import type { Type, Wire } from '../expression/type.ts'
import type { App } from '../headings/app.ts'
import type { Filter } from '../kinds/screens/screen-kind.ts'
import type { Allow } from './allow.ts'
import { allOf, anyOf, type Condition } from './condition.ts'
import { fieldSql, typeOf } from './names.ts'
import { isSingle, searchedFields } from './select.ts'
import { fits, sqlArrayType, sqlType } from './values.ts'

export interface Filtered {
  /** What the text of the statement depends on. */
  readonly shape: string
  /** Built only when no statement of this shape is at hand. */
  readonly condition: () => Condition
  readonly bindings: Readonly<Record<string, unknown>>
}

/** A field that these roles never see filters nothing, exactly as one that does not exist. */
export function filterOf(app: App, allow: Allow, entity: string, alias: string, filters: readonly Filter[]): Filtered {
  const conditions: (() => Condition)[] = []
  const shape: string[] = []
  const bindings: Record<string, unknown> = {}
  filters.forEach((filter, index) => {
    const type = typeOf(app, entity, filter.field)
    if (type === undefined || !isSingle(app, entity, filter.field)) return
    const seen = allow.field(entity, filter.field, alias)
    if (seen === false) return
    const name = `filter.${index}`
    const values = (Array.isArray(filter.value) ? filter.value : [filter.value]) as readonly Wire[]
    const needsValue = filter.comparison !== 'is empty'
    const usable = !needsValue || values.every(value => fits(type, value))
    shape.push(`${filter.field} ${filter.comparison}${usable ? '' : ' !'}`)
    if (!usable) {
      conditions.push(() => false)
      return
    }
    if (needsValue) bindings[name] = filter.comparison === 'any of' ? values : values[0]
    conditions.push(() => allOf([seen, comparison(filter, type, fieldSql(app, entity, filter.field, alias), name)]))
  })
  return { shape: shape.join(';'), condition: () => allOf(conditions.map(condition => condition())), bindings }
}

function comparison(filter: Filter, type: Type, field: Sql, name: string): Sql {
  const value = sql`${slot(name)}::${sqlType(type)}`
  switch (filter.comparison) {
    case 'is':
      return sql`${field} = ${value}`
    case 'is not':
      return sql`${field} is distinct from ${value}`
    case 'contains':
      return sql`strpos(lower((${field})::text), lower(${value}::text)) > 0`
    case 'starts with':
      return sql`starts_with(lower((${field})::text), lower(${value}::text))`
    case 'before':
      return sql`${field} < ${value}`
    case 'after':
      return sql`${field} > ${value}`
    case 'at least':
      return sql`${field} >= ${value}`
    case 'at most':
      return sql`${field} <= ${value}`
    case 'any of':
      return sql`${field} = any(${slot(name)}::${sqlArrayType(type)})`
    case 'is empty':
      return sql`${field} is null`
  }
}

/** More words than these are not looked at: what one types into a search box is short. */
const maximumWords = 6

/** Every word must stand in one of the searched fields. Nothing to search in: nothing is found. */
export function searchOf(app: App, allow: Allow, entity: string, alias: string, search: string | null): Filtered {
  const words = (search ?? '')
    .normalize('NFC')
    .split(/\s+/)
    .filter(word => word !== '' && fits({ kind: 'text' }, word))
    .slice(0, maximumWords)
  if (words.length === 0) return { shape: '', condition: () => true, bindings: {} }
  const condition = () => {
    const fields = searchedFields(app, entity).flatMap(key => {
      const seen = allow.field(entity, key, alias)
      return seen === false ? [] : [{ seen, text: sql`lower((${fieldSql(app, entity, key, alias)})::text)` }]
    })
    return allOf(
      words.map((_, index) => {
        const looked = sql`lower(${slot(`search.${index}`)}::text)`
        return anyOf(fields.map(({ seen, text }) => allOf([seen, sql`strpos(${text}, ${looked}) > 0`])))
      }),
    )
  }
  const bindings = Object.fromEntries(words.map((word, index) => [`search.${index}`, word]))
  return { shape: `search ${words.length}`, condition, bindings }
}

export const commas = (parts: readonly Sql[]): Sql => (parts.length === 0 ? raw('') : join(parts, ', '))
