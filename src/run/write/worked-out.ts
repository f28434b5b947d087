/** Values of expressions within a transaction: reckoned here where everything is at hand, else by the database. */

import { evaluate, NOT_LOADED } from '../../expression/evaluate.ts'
import type { Expression } from '../../expression/expression.ts'
import { identifier, type Sql, slot, sql } from '../../expression/sql.ts'
import { type Row, toSql } from '../../expression/to-sql.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { gathered } from '../../kinds/fields/several/links.ts'
import { composed } from '../../kinds/fields/texts.ts'
import type { Reader } from '../../store/pool.ts'
import { nobody } from '../../store/system.ts'
import type { Condition } from '../access/condition.ts'
import { isLinks, typeOf } from '../names.ts'
import { commas } from '../read/filter.ts'
import { type Raw, selectList } from '../read/select.ts'
import type { Request } from '../request.ts'
import { bindingsOf } from '../statements.ts'
import { sqlType } from '../values.ts'
import type { Locals, Names } from './domain-events.ts'
import { loadedFields } from './draft-record.ts'
import { environmentOf, type Related, withRelated } from './environment.ts'
import { holdsIn } from './record.ts'

/** What the names of an expression are: a record in memory, what it was before, and the one that `this` is. */
export interface Named {
  readonly entity: string
  readonly record: RecordValue
  readonly old: RecordValue | null
  /** Null: the record itself. */
  readonly this: { readonly entity: string; readonly record: RecordValue } | null
  /** Ids of records that have names. */
  readonly names?: Names | undefined
  /** Values that have names. */
  readonly locals?: Locals | undefined
}

/** What has a name, as expressions are given it. */
export const knownIn = (request: Request, { names = {}, locals }: Pick<Named, 'names' | 'locals'>) => ({
  records: names,
  ...(locals !== undefined && { limits: { ...request.limits, ...locals } }),
})

/** The value; of a list the ids of its rows. */
export async function workedOut(
  tx: Reader,
  app: App,
  request: Request,
  related: Related,
  expression: Expression,
  named: Named,
): Promise<Wire | readonly Wire[]> {
  const about = { ...(named.this !== null && { this: named.this.record }), ...knownIn(request, named) }
  const environment = { ...environmentOf(request, related, named.record, named.old), ...about }
  const value = await withRelated(related, () => evaluate(expression, environment))
  if (value !== NOT_LOADED) return value
  // What code decides is never asked of the database.
  if (expression.tier === 3) return null
  const [own, old, others] = boundRows(app, named)
  const asked = toSql(expression, { alias: own, old, this: others })
  const [row] = await tx.query<Raw>(
    sql`select ${selectList([{ name: 'value', sql: asked, type: expression.type.kind }])}`,
    bindingsOf(request, bindingsFor(app, named)),
  )
  return row?.value ?? null
}

/** The same as the field holds it. */
export const workedOutAsHeld = async (
  field: Field | undefined,
  ...given: Parameters<typeof workedOut>
): Promise<Wire> => heldAs(await workedOut(...given), field)

/**
 * Several records as their ids, a text as a form takes it: without blanks around it, and empty where it is nothing else. A number or
 * a length of time is rounded to what the field holds; without one, as what a partner answers, it keeps its own.
 */
export function heldAs(value: Wire | readonly Wire[], field?: Field): Wire {
  if (Array.isArray(value)) return gathered(undefined, value.join(' ')) || null
  if (typeof value !== 'string') return value as Wire
  const held = composed(value.trim()) || null
  if (held === null || field === undefined) return held
  return fieldKind(field.kind).rounded?.(held, field.parameters) ?? held
}

/** The record, what it was, and `this`, as rows of parameters. */
export function boundRows(app: App, named: Named): readonly [Row, Row, Row] {
  const about = named.this === null ? rowOf(app, 'own', named.entity) : rowOf(app, 'this', named.this.entity)
  return [rowOf(app, 'own', named.entity), rowOf(app, 'old', named.entity), about]
}

const rowOf = (app: App, prefix: string, entity: string) => (field: string) =>
  sql`${slot(`${prefix}.${field}`)}::${sqlType(typeOf(app, entity, field)!)}`

/** Conditions over the alias `t`, asked of a record as it is in memory: it may not be stored yet. */
export function holdsOf(
  tx: Reader,
  app: App,
  request: Request,
  { entity, record }: Pick<Named, 'entity' | 'record'>,
  conditions: readonly Condition[],
): Promise<readonly boolean[]> {
  const named: Named = { entity, record, old: null, this: null }
  const own = rowOf(app, 'own', entity)
  const columns = loadedFields(app, entity).filter(key => !isLinks(app, entity, key))
  const row = commas(columns.map(key => sql`${own(key)} as ${identifier(key)}`))
  return holdsIn(tx, sql`(select ${row}) as t`, conditions, bindingsOf(request, bindingsFor(app, named)))
}

/** The values that statements of `boundRows` are given. */
export function bindingsFor(app: App, named: Named): Readonly<Record<string, unknown>> {
  const values = (prefix: string, entity: string, record: RecordValue | null) =>
    loadedFields(app, entity).map(key => [`${prefix}.${key}`, record?.[key] ?? null])
  return Object.fromEntries([
    ...values('own', named.entity, named.record),
    ...values('old', named.entity, named.old),
    ...(named.this === null ? [] : values('this', named.this.entity, named.this.record)),
    ...Object.entries(named.names ?? {}).map(([name, id]) => [`named.${name}`, id]),
    ...Object.entries(named.locals ?? {}).map(([name, value]) => [`limits.${name}`, value]),
  ])
}

/** A condition over the row that `alias` names, `this` being the record in memory; where it is about none, that row itself. */
export function conditionOver(app: App, expression: Expression, alias: string, named: Named): Sql {
  if (named.this === null && named.record.id === nobody) return toSql(expression, { alias, as: 'condition' })
  const about: Named = named.this === null ? named : { ...named, ...named.this, this: null, old: null }
  return toSql(expression, { alias, as: 'condition', this: boundRows(app, about)[0] })
}
