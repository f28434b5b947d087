/** What a record names must be there: other records, and files. */
import { raw, sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { linked } from '../../kinds/fields/several/links.ts'
import type { Tx } from '../../store/pool.ts'
import type { Allow } from '../access/allow.ts'
import { live } from '../access/archived.ts'
import { allOf, conditionSql } from '../access/condition.ts'
import { beside } from '../access/tenants.ts'
import { columnSql, fromSql, isLinks } from '../names.ts'
import type { Problem } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import { notSent } from '../read/files.ts'
import type { Request } from '../request.ts'
import { bindingsOf } from '../statements.ts'
import type { Writing } from './check.ts'
import { rowsOf } from './conflicts.ts'
import { type ListField, type Related, staying } from './record.ts'

/** References must name records that are there and that this person may see; people may be named by everybody, what is archived by nobody. */
export async function absentRecords(
  tx: Tx,
  app: App,
  request: Request,
  allow: Allow,
  related: Related,
  writing: Writing,
  lists: readonly ListField[],
): Promise<readonly Problem[]> {
  const named = rowsOf(writing, lists).flatMap(({ entity, row, old, prefix }) =>
    app.entities.get(entity)!.fields.flatMap(field => {
      const { type } = field
      if ((type.kind !== 'reference' && type.kind !== 'list') || field.computed !== null) return []
      const isAsked = prefix === '' && writing.asked?.includes(field.key) === true
      if (notByHand(field) && !isAsked) return []
      if (field.hidden !== null && field.key === app.schema.get(entity)!.tenant?.field) return []
      if (type.kind === 'list' && !isLinks(app, entity, field.key)) return []
      const before = new Set(linked(old?.[field.key] as Wire | undefined))
      const named = linked(row[field.key] as Wire | undefined).filter(id => !before.has(id))
      return named.map(id => ({ field, id, path: `${prefix}${field.key}`, entity: type.entity }))
    }),
  )
  const { system } = request.actor
  const isLive = (entity: string) => system !== null || live(app, entity, 't')
  const open = (entity: string) =>
    allow.names(entity, 't') === true && app.schema.get(entity)!.tenant === undefined && isLive(entity) === true
  // Naming oneself needs no question, nor does what a rule has loaded already, where all of them may be seen.
  const asked = named.filter(
    ({ entity, id }) => !(entity === 'person' && id === request.actor.id) && !(open(entity) && related.has(entity, id)),
  )
  if (asked.length === 0) return []
  const entities = [...new Set(asked.map(({ entity }) => entity))]
  const there = await tx.query<{ id: string }>(
    entities
      .map(entity => {
        const ids = asked.filter(one => one.entity === entity).map(({ id }) => id)
        const seen = allow.names(entity, 't')
        const there = isLive(entity)
        const found = sql`select ${columnSql('t', 'id')} as id from ${fromSql(entity, 't')}
          where ${conditionSql(allOf([sql`${columnSql('t', 'id')} = any(${ids}::uuid[])`, seen, there, beside(app, entity, writing)]))}`
        // What is named is not archived before the commit; what is deleted the database keeps from it.
        return there === true ? found : sql`select f.id from (${found} order by 1 ${staying(tx, entity)}) as f`
      })
      .reduce((left, right) => sql`${left}${raw(' union all ')}${right}`),
    bindingsOf(request),
  )
  const ids = new Set(there.map(({ id }) => id))
  return asked
    .filter(({ id }) => !ids.has(id))
    .map(({ field, path }) =>
      raise(app, 'NF-NO-RECORD', { label: field.label }, { field: path, because: field.typeCell }),
    )
}

/** A file that was not there before must be one that this person sent: a digest alone opens nothing. */
export async function strangeFiles(
  tx: Tx,
  app: App,
  request: Request,
  writing: Writing,
  lists: readonly ListField[],
): Promise<readonly Problem[]> {
  if (request.actor.system !== null) return []
  const named = rowsOf(writing, lists).flatMap(({ entity, row, old, prefix }) =>
    app.entities.get(entity)!.fields.flatMap(field => {
      const value = row[field.key]
      if (field.type.kind !== 'file' || typeof value !== 'string' || old?.[field.key] === value) return []
      return [{ field, value, path: `${prefix}${field.key}` }]
    }),
  )
  const strange = await notSent(
    tx,
    request,
    named.map(({ value }) => value),
  )
  return named
    .filter(({ value }) => strange.has(value))
    .map(({ field, path }) => raise(app, 'NF-FILE', { label: field.label }, { field: path, because: field.typeCell }))
}

const notByHand = (field: Field) => field.setBy !== null || field.copiedFrom !== null || field.assignedFrom !== null
