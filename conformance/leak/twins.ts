/**
 * A twin of any document's database, for one person: what they may not see is another one there, as the document's permissions say it in
 * SQL. Whatever would change what they see (a field that is computed with it, a permission that reads it) is left, and named.
 */
import { identifier, join, type Sql, sql } from '../../src/expression/sql.ts'
import type { App } from '../../src/headings/app.ts'
import { allOf, conditionSql } from '../../src/run/access/condition.ts'
import { type Policy, policyFor } from '../../src/run/access/policy.ts'
import { seenFieldSql } from '../../src/run/access/seen-reference.ts'
import { columnSql, fromSql, isLinks, linkedSql, tableSql, typeOf } from '../../src/run/names.ts'
import type { Request } from '../../src/run/request.ts'
import { bindingsOf } from '../../src/run/statements.ts'
import { storedFields } from '../../src/run/write/record.ts'
import type { Store, Tx } from '../../src/store/pool.ts'

export interface Altered {
  /** Fields that are different on some record. */
  readonly fields: readonly string[]
  /** Fields that something visible is worked out with. */
  readonly left: readonly string[]
}

/** Makes different what the person of the request may not see, field by field. */
export async function alterUnseenOf(store: Store, app: App, request: Request): Promise<Altered> {
  const policy = policyFor(app, request.actor)
  const fields: string[] = []
  const left: string[] = []
  await store.inTransaction(async tx => {
    const seen = () => seenBy(tx, app, request, policy)
    const before = await seen()
    for (const entity of app.entities.keys())
      for (const key of storedFields(app, entity)) {
        const other = otherSql(app, entity, key)
        if (other === null) continue
        const became = await tried(tx, async () => {
          const changed = await tx.write(
            sql`update ${tableSql(entity)} as t set ${identifier(key)} = ${other}
              where (${conditionSql(allOf([policy.rows(entity, 'see', 't'), policy.visible(entity, key, 't')]))}) is not true
                and ${columnSql('t', key)} is not null`,
            bindingsOf(request),
          )
          if (changed === 0) return 'nothing'
          return (await seen()) === before ? 'altered' : 'left'
        })
        if (became === 'altered') fields.push(`${entity}.${key}`)
        if (became === 'left') left.push(`${entity}.${key}`)
      }
    return { kind: 'done' }
  })
  return { fields, left }
}

/** What is not altered, and what the database refuses, is undone. */
async function tried(tx: Tx, work: () => Promise<'altered' | 'left' | 'nothing'>): Promise<string> {
  await tx.write(sql`savepoint one`)
  try {
    const became = await work()
    if (became !== 'altered') await tx.write(sql`rollback to savepoint one`)
    return became
  } catch {
    await tx.write(sql`rollback to savepoint one`)
    return 'refused'
  }
}

/** Another value of the same type; null: it stays as it is. Names of people are everybody's, and numbers have their order. */
function otherSql(app: App, entity: string, key: string): Sql | null {
  const field = app.entities.get(entity)!.fields.find(one => one.key === key)
  const type = typeOf(app, entity, key)
  const column = columnSql('t', key)
  if (field === undefined || type === undefined || field.parameters.picture !== undefined) return null
  if (entity === 'person' && key === 'name') return null
  switch (type.kind) {
    case 'text':
      return field.kind === 'text' || field.kind === 'long text' ? sql`overlay(${column} placing 'Zw' from 1)` : null
    case 'integer':
    case 'decimal':
    case 'money':
    case 'date':
      return sql`${column} + 1`
    case 'yes/no':
      return sql`not ${column}`
    case 'choice':
      return sql`(${type.options}::text[])[1 + array_position(${type.options}::text[], ${column}) % ${String(type.options.length)}::integer]`
    case 'reference':
      return sql`(select o.id from ${fromSql(type.entity, 'o')} where o.id <> ${column} order by o.id limit 1)`
    default:
      return null
  }
}

/** All that the document lets this person see of stored and computed fields, as one text. */
async function seenBy(tx: Tx, app: App, request: Request, policy: Policy): Promise<string> {
  const texts: string[] = []
  for (const [entity, { fields }] of app.entities) {
    const values = fields.flatMap(({ key, type }) => {
      const seen = policy.field(entity, key, 't')
      if (seen === false || (type.kind === 'list' && !isLinks(app, entity, key))) return []
      const value =
        type.kind === 'list'
          ? linkedSql(app, entity, key, 't', conditionSql(policy.names(type.entity, 'm')))
          : seenFieldSql(app, policy, entity, key, 't')
      return [sql`case when ${conditionSql(seen)} then (${value})::text end`]
    })
    const verbs = (['change', 'delete', 'export'] as const).map(
      verb => sql`(${conditionSql(policy.rows(entity, verb, 't'))})::text`,
    )
    const [row] = await tx.query<{ seen: string | null }>(
      sql`select string_agg(row(${join([columnSql('t', 'id'), ...values, ...verbs], ', ')})::text, chr(10) order by ${columnSql('t', 'id')}) as seen
        from ${fromSql(entity, 't')} where ${conditionSql(policy.rows(entity, 'see', 't'))}`,
      bindingsOf(request),
    )
    texts.push(row?.seen ?? '')
  }
  return texts.join('\n\n')
}
