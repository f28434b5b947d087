/**
 * What the texts of a document are read against: the record, what it refers to, and what only the database can tell of it
 * (a sum over other records, the title of a reference). The record must be written by then.
 */
import { evaluate, NOT_LOADED } from '../expression/evaluate.ts'
import type { Expression, Template } from '../expression/expression.ts'
import { slot, sql } from '../expression/sql.ts'
import type { RecordValue, Wire } from '../expression/type.ts'
import type { App } from '../headings/app.ts'
import type { Reader } from '../store/pool.ts'
import { allowFor } from './allow.ts'
import { columnSql, fromSql, valueSql } from './names.ts'
import { type Reading, readingOf } from './raise.ts'
import { environmentOf, type Related, withRelated } from './record.ts'
import type { Request } from './request.ts'
import { labelSql, type Part, type Raw, selectList } from './select.ts'
import { bindingsOf, built, once } from './statements.ts'
import { isId } from './values.ts'

export async function readingAt(
  tx: Reader,
  app: App,
  request: Request,
  related: Related,
  { entity, record }: { readonly entity: string; readonly record: RecordValue },
  templates: readonly Template[],
): Promise<Reading> {
  const environment = environmentOf(request, related, record, null)
  const shown = templates.flatMap(({ parts }) => parts.flatMap(part => (part.kind === 'text' ? [] : [part.expression])))
  const values = await withRelated(related, () => shown.map(expression => evaluate(expression, environment)))
  const unknown = shown.filter((_, index) => values[index] === NOT_LOADED)
  const found = await askedOf(tx, request, entity, record.id as string, unknown)
  const labels = new Map<string, string>()
  for (const [index, expression] of shown.entries()) {
    const id = found.get(expression) ?? values[index]
    if (expression.type.kind !== 'reference' || !isId(id) || labels.has(id)) continue
    const title = await titleOf(tx, app, expression.type.entity, id)
    if (title !== null) labels.set(id, title)
  }
  return { ...readingOf(request, environment), labels, found }
}

/** Values of expressions over the stored row, by the database. */
async function askedOf(
  tx: Reader,
  request: Request,
  entity: string,
  id: string,
  expressions: readonly Expression[],
): Promise<ReadonlyMap<Expression, Wire>> {
  if (expressions.length === 0) return new Map()
  const parts = expressions.map(
    (expression, index): Part => ({
      name: `x${index}`,
      sql: valueSql(expression, 't'),
      type: expression.type.kind,
    }),
  )
  const [row] = await tx.query<Raw>(
    sql`select ${selectList(parts)} from ${fromSql(entity, 't')} where ${columnSql('t', 'id')} = ${id}::uuid`,
    bindingsOf(request),
  )
  return new Map(expressions.map((expression, index) => [expression, row?.[`x${index}`] ?? null]))
}

/** What names a record to people, whoever asks. */
async function titleOf(tx: Reader, app: App, entity: string, id: string): Promise<string | null> {
  const query = once(app, ['title', entity], () => {
    const label = labelSql(app, allowFor(app, { id: null, roles: [], system: 'call' }), entity, 't')
    return built(
      sql`select ${label ?? sql`null::text`} as title from ${fromSql(entity, 't')} where ${columnSql('t', 'id')} = ${slot('id')}::uuid`,
    )
  })
  return (await tx.run<{ title: string | null }>(query, { id }))[0]?.title ?? null
}
