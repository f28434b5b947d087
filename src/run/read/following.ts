/** Of what was written, what is told to those whose open pages show it: nothing of records that they do not see. */
import { raw, slot, sql } from '../../expression/sql.ts'
import type { Reader } from '../../store/pool.ts'
import { allOf, conditionSql } from '../access/condition.ts'
import { policyFor } from '../access/policy.ts'
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
 * The pages that show something of these records of one entity. Permissions are asked once for each set of roles, however many read and
 * however much was written. Of what somebody sees no more they are told this time, and not again.
 */
export async function toldPages<Page extends Followed>(
  { app, store }: Runtime,
  followers: readonly Follower<Page>[],
  entity: string,
  ids: ReadonlySet<string>,
): Promise<ReadonlySet<Page>> {
  const records = [...ids]
  const interested = followers.filter(({ pages }) =>
    pages.some(page => page.entities.has(entity) || records.some(id => page.records.get(entity)?.has(id))),
  )
  if (interested.length === 0) return new Set()
  const people = interested.map(({ request }) => request)
  const seeing = await among(store, app, people, { entity, record: records }, 'sees one', policy =>
    policy.rows(entity, 'see', 't'),
  )
  const isSeen = new Set(seeing)
  const told = new Set<Page>()
  for (const { request, pages } of interested) {
    for (const page of pages) {
      const shown = page.records.get(entity)
      const own = records.filter(id => shown?.has(id))
      if (own.length > 0 || (page.entities.has(entity) && isSeen.has(request))) told.add(page)
      if (!isSeen.has(request)) for (const id of own) shown!.delete(id)
    }
  }
  return told
}
