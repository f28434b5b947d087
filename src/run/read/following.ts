/** Of what was written, what is told to those whose open pages show it: nothing of records that they do not see. */
import { raw, slot, sql } from '../../expression/sql.ts'
import type { ChangedFields } from '../../store/news.ts'
import type { Reader } from '../../store/pool.ts'
import { allOf, anyOf, type Condition, conditionSql } from '../access/condition.ts'
import { type Policy, policyFor } from '../access/policy.ts'
import { columnSql, fromSql, typeOf } from '../names.ts'
import { among } from '../people/among.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { isId } from '../values.ts'

/** What a page shows. */
export interface Followed {
  /** Any record of these that its reader sees. */
  readonly entities: ReadonlySet<string>
  /** And these, which its reader saw when the page began to follow them, even once they do not any more. By entity. */
  readonly records: ReadonlyMap<string, Set<string>>
}

export interface Follower<Page extends Followed> {
  readonly request: Request
  readonly pages: readonly Page[]
}

/** Records that addresses name. */
export interface Named {
  readonly entity: string
  readonly by: string
  readonly value: string
}

/** Those of these records that whoever asks sees, in one statement for each entity. */
export async function seenOf(
  reader: Reader,
  { app }: Runtime,
  request: Request,
  named: readonly Named[],
): Promise<ReadonlyMap<Named, string>> {
  const policy = policyFor(app, request.actor)
  const found = new Map<Named, string>()
  const groups = Map.groupBy(named, ({ entity, by }) => `${entity} ${by}`)
  await Promise.all(
    [...groups.values()].map(async group => {
      const { entity, by } = group[0]!
      const isById = by === 'id'
      const values = group.map(({ value }) => value).filter(value => !isById || isId(value))
      if ((!isById && typeOf(app, entity, by)?.kind !== 'text') || values.length === 0) return
      const query = cachedStatement(app, ['followed', policy.key, entity, by], () => {
        const named = sql`${columnSql('t', by)} = any(${slot('values')}::text[]${raw(isById ? '::uuid[]' : '')})`
        const seen = allOf([named, policy.rows(entity, 'see', 't'), policy.field(entity, by, 't')])
        return built(sql`select ${columnSql('t', 'id')}::text as id, ${columnSql('t', by)}::text as value
          from ${fromSql(entity, 't')} where ${conditionSql(seen)}`)
      })
      const rows = await reader.run<{ id: string; value: string }>(query, bindingsOf(request, { values }))
      const ids = new Map(rows.map(({ id, value }) => [value, id]))
      for (const one of group) {
        const id = ids.get(one.value)
        if (id !== undefined) found.set(one, id)
      }
    }),
  )
  return found
}

/**
 * The pages that show something of these records of one entity. Permissions are asked once for each set of roles and of fields, however
 * many read and however much was written: a change of what is closed to somebody is none. Of what somebody sees no more they are told this
 * time, and not again.
 */
export async function toldPages<Page extends Followed>(
  runtime: Runtime,
  followers: readonly Follower<Page>[],
  entity: string,
  written: ReadonlyMap<string, ChangedFields>,
): Promise<ReadonlySet<Page>> {
  const groups = Map.groupBy(written, ([, fields]) => (fields === null ? null : [...fields].sort().join(' ')))
  const told = await Promise.all(
    [...groups.values()].map(group => {
      const [[, fields]] = group as [(typeof group)[0]]
      return toldOf(runtime, followers, entity, { ids: group.map(([id]) => id), fields })
    }),
  )
  return new Set(told.flatMap(pages => [...pages]))
}

async function toldOf<Page extends Followed>(
  { app, store }: Runtime,
  followers: readonly Follower<Page>[],
  entity: string,
  { ids, fields }: { readonly ids: readonly string[]; readonly fields: ChangedFields },
): Promise<ReadonlySet<Page>> {
  const interested = followers.filter(({ pages }) =>
    pages.some(page => page.entities.has(entity) || ids.some(id => page.records.get(entity)?.has(id))),
  )
  if (interested.length === 0) return new Set()
  const people = interested.map(({ request }) => request)
  const ask = async (question: string, condition: (policy: Policy) => Condition) =>
    new Set(await among(store, app, people, { entity, record: ids }, question, condition))
  const seeing = await ask('sees one', policy => policy.rows(entity, 'see', 't'))
  const changed = fields === null ? null : [...fields].sort()
  const noticing =
    changed === null
      ? seeing
      : await ask(`sees ${changed.join(' ')} of one`, policy =>
          allOf([policy.rows(entity, 'see', 't'), seesSome(policy, entity, changed)]),
        )
  const told = new Set<Page>()
  for (const { request, pages } of interested)
    for (const page of pages) {
      const shown = page.records.get(entity)
      const own = ids.filter(id => shown?.has(id))
      const isGone = own.length > 0 && !seeing.has(request)
      if (isGone) for (const id of own) shown!.delete(id)
      if (isGone || (noticing.has(request) && (own.length > 0 || page.entities.has(entity)))) told.add(page)
    }
  return told
}

/** Where no field is another, only the version is: whoever sees all of a record sees that, too. */
const seesSome = (policy: Policy, entity: string, fields: readonly string[]): Condition =>
  fields.length === 0 ? policy.whole(entity) : anyOf(fields.map(field => policy.field(entity, field, 't')))
