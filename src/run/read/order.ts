/**
 * A stable order of rows, and pages of it by key: the sort values and the id of the row where a page ends. Nothing is counted
 * off, so a page costs the same wherever it is, and rows that come or go meanwhile are neither shown twice nor skipped.
 */
import { mayBeEmpty } from '../../expression/computed.ts'
import { join, raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { Type } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import type { RowsNeed, Sort } from '../../kinds/screens/screen-kind.ts'
import type { Policy } from '../access/policy.ts'
import { collated, columnSql, fieldSql, typeOf } from '../names.ts'
import { castWire, fits } from '../values.ts'
import { groupKeys, groupPlace } from './group.ts'
import { isSingle, referenceLabel } from './select.ts'

export interface Key {
  readonly field: string
  readonly sql: Sql
  readonly type: Type
  readonly descending: boolean
  readonly optional: boolean
}

/** At most so many fields decide the order; more would only make the cursor long. */
const maximumKeys = 4

/** How rows stand where nobody asks for an order: as heading 3 says of their entity. */
const ordered = (app: App, entity: string, sorts: readonly Sort[]): readonly Sort[] =>
  sorts.length > 0 ? sorts : (app.entities.get(entity)?.order ?? [])

/**
 * References sort by what they are shown as, choices and states in the order of the document, text in the order of people.
 * A field that is seen only on some rows is empty on the others here too. The id comes last, so that no two rows are equal.
 */
export function keysOf(
  app: App,
  policy: Policy,
  entity: string,
  alias: string,
  sorts: readonly Sort[],
): readonly Key[] {
  const keys: Key[] = []
  for (const { field, descending } of ordered(app, entity, sorts).slice(0, maximumKeys)) {
    const type = typeOf(app, entity, field)
    const seen = policy.field(entity, field, alias)
    if (type === undefined || seen === false || !isSingle(app, entity, field)) continue
    const found = keyOf(app, policy, entity, field, type, alias)
    if (found === null) continue
    const value = seen === true ? found.sql : sql`case when ${seen} then ${found.sql} end`
    keys.push({ field, ...found, sql: value, descending, optional: found.optional || seen !== true })
  }
  const descending = keys.at(-1)?.descending ?? true
  return [...keys, { field: 'id', sql: columnSql(alias, 'id'), type: idType, descending, optional: false }]
}

/** The keys of a list: rows that belong together stand together. */
export const keysOfList = (
  app: App,
  policy: Policy,
  entity: string,
  { sort, group }: Pick<RowsNeed, 'sort' | 'group'>,
): readonly Key[] => [
  ...(group === undefined ? [] : groupKeys(app, policy, group)),
  ...keysOf(app, policy, entity, 't', sort),
]

/** Everything that these keys depend on besides the entity and who asks. */
export const orderKey = ({ sort, group }: Pick<RowsNeed, 'sort' | 'group'>): string =>
  `${JSON.stringify(sort)} ${group === undefined ? '' : `${groupPlace(group.by)} ${group.descending}`}`

const idType: Type = { kind: 'reference', entity: '' }

function keyOf(app: App, policy: Policy, entity: string, field: string, type: Type, alias: string) {
  const value = fieldSql(app, entity, field, alias)
  const optional = mayBeEmpty(app.schema.get(entity)!.fields.get(field)!)
  switch (type.kind) {
    case 'reference': {
      const label = referenceLabel(app, policy, type.entity, value, `${alias}r`)
      return label === null ? null : { sql: collated(label), type: { kind: 'text' } as const, optional: true }
    }
    case 'choice':
      return {
        sql: sql`array_position(${type.options}::text[], ${value})`,
        type: { kind: 'integer' } as const,
        optional: true,
      }
    case 'text':
      return { sql: collated(value), type, optional }
    case 'file':
    case 'json':
      return null
    default:
      return { sql: value, type, optional }
  }
}

/** `order by`, over the names that the keys have in the page: empty values come last. `backwards`: the page before. */
export function orderBy(keys: readonly Key[], names: (index: number) => Sql, backwards: boolean): Sql {
  const directed = ({ descending, optional }: Key) => {
    const direction = descending === backwards ? '' : ' desc'
    // PostgreSQL puts them last going up only. Where none can be, nothing is said, so that one index serves both directions.
    return optional && descending ? `${direction} nulls ${backwards ? 'first' : 'last'}` : direction
  }
  return join(
    keys.map((key, index) => sql`${names(index)}${raw(directed(key))}`),
    ', ',
  )
}

/** Where a page begins: values as text, empties as null. */
export type CursorValues = readonly (string | boolean | null)[]

export const writeCursor = (place: CursorValues): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** Null for what is no place in this order: an old bookmark, or somebody's invention. */
export function readCursor(cursor: string | null, keys: readonly Key[]): CursorValues | null {
  if (cursor === null || cursor.length > 8000) return null
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (!Array.isArray(place) || place.length !== keys.length) return null
    const sound = keys.every(({ type, optional }, index) =>
      place[index] === null ? optional : fits(type, place[index]),
    )
    return sound ? (place as unknown as CursorValues) : null
  } catch {
    return null
  }
}

export interface Beyond {
  readonly shape: string
  /** Built only when no statement of this shape is at hand. */
  readonly condition: () => Sql
  readonly bindings: Readonly<Record<string, unknown>>
}

/** Rows after (`backwards`: before) a place. The text depends on which of its values are empty. */
export function beyond(keys: readonly Key[], place: CursorValues, backwards: boolean): Beyond {
  const bindings: Record<string, unknown> = {}
  place.forEach((value, index) => {
    if (value !== null) bindings[`place.${index}`] = value
  })
  const value = (index: number) => castWire(keys[index]!.type, slot(`place.${index}`))
  const shape = `${backwards ? 'before' : 'after'} ${place.map(one => (one === null ? '0' : '1')).join('')}`
  const up = (key: Key) => key.descending === backwards
  const simple = keys.every(key => !key.optional && up(key) === up(keys[0]!))
  if (simple) {
    // A row comparison is what an index over these columns can begin at.
    const condition = () => {
      const left = keys.map(key => key.sql)
      const right = keys.map((_, index) => value(index))
      return sql`(${join(left, ', ')}) ${raw(up(keys[0]!) ? '>' : '<')} (${join(right, ', ')})`
    }
    return { shape, condition, bindings }
  }
  const from = (index: number): Sql => {
    const key = keys[index]!
    const isEmpty = place[index] === null
    const same = isEmpty ? sql`${key.sql} is null` : sql`${key.sql} = ${value(index)}`
    const beside = sql`${key.sql} ${raw(up(key) ? '>' : '<')} ${value(index)}`
    const further = isEmpty
      ? backwards
        ? sql`${key.sql} is not null`
        : raw('false')
      : key.optional && !backwards
        ? sql`(${beside} or ${key.sql} is null)`
        : beside
    return index === keys.length - 1 ? further : sql`(${further} or (${same} and ${from(index + 1)}))`
  }
  return { shape, condition: () => from(0), bindings }
}
