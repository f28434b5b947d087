/** What a new record copies from whoever makes it, as it is while they write: it may be another one when they save. */
import { identifier, raw, slot, sql } from '../../expression/sql.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import { allOf, conditionSql } from '../access/condition.ts'
import { policyFor } from '../access/policy.ts'
import { seenReference } from '../access/seen-reference.ts'
import { columnSql, fromSql, typeOf } from '../names.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { commas } from './filter.ts'
import { type Raw, referenceLabel } from './select.ts'

/** Values of the person's own fields that they see, each with its title, as one text; null: nothing of theirs is copied. */
export async function begunFor({ app, store }: Runtime, request: Request, entity: string): Promise<string | null> {
  const keys = app.entities.get(entity)!.fields.flatMap(copiedOwn)
  if (keys.length === 0 || request.actor.id === null) return null
  const policy = policyFor(app, request.actor)
  const query = cachedStatement(app, ['begun for', policy.key, entity], () => {
    const columns = keys.map((key, at) => {
      const type = typeOf(app, 'person', key)
      const own = columnSql('p', key)
      const label = type?.kind === 'reference' ? referenceLabel(app, policy, type.entity, own, `p${at}`) : null
      const value = type?.kind === 'reference' ? seenReference(policy, type.entity, own) : own
      const seen = allOf([policy.rows('person', 'see', 'p'), policy.field('person', key, 'p')])
      const told = sql`jsonb_build_array(${value}::text, ${label ?? (type?.kind === 'reference' ? raw('null') : sql`${value}::text`)})`
      return sql`case when ${conditionSql(seen)} then ${told} end as ${identifier(`v${at}`)}`
    })
    return built(
      sql`select ${commas(columns)} from ${fromSql('person', 'p')} where ${columnSql('p', 'id')} = ${slot('me')}::uuid`,
    )
  })
  const [row] = await store.run<Raw>(query, bindingsOf(request))
  return row === undefined ? null : JSON.stringify(keys.map((_, at) => row[`v${at}`] ?? [null, null]))
}

/** `copied from created_by.acting_for on create`. */
function copiedOwn({ copiedFrom, renewed }: Field): readonly string[] {
  if (copiedFrom === null || renewed || copiedFrom.root.op !== 'field') return []
  const { base, steps } = copiedFrom.root.path
  const own = base === 'me' ? steps : steps[0]!.field === 'created_by' ? steps.slice(1) : []
  return own.length === 1 ? [own[0]!.field] : []
}

/** What is another one by now: titles before and now, null where nothing is or may be told. None: it is the same. */
export function begunForOther(
  before: string | null,
  now: string | null,
): readonly (readonly [string | null, string | null])[] {
  const [then, since] = [valuesIn(before), valuesIn(now)]
  return then.length !== since.length
    ? []
    : then.flatMap(([value, title], at) => (value === since[at]![0] ? [] : [[title, since[at]![1]] as const]))
}

/** Of a text that may come from a browser. */
function valuesIn(text: string | null): readonly (readonly [string | null, string | null])[] {
  try {
    const read: unknown = JSON.parse(text ?? '[]')
    const texts = (one: unknown) => (typeof one === 'string' ? one : null)
    return Array.isArray(read)
      ? read.map(pair => (Array.isArray(pair) ? ([texts(pair[0]), texts(pair[1])] as const) : [null, null]))
      : []
  } catch {
    return []
  }
}
