/** Attempts that were refused, kept in the timeline of the record where the document says so: who tried what and when, and why not. */
import { raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import type { Tx } from '../../store/pool.ts'
import type { Outcome } from '../outcome.ts'
import type { Actor, Request } from '../request.ts'
import { built } from '../statements.ts'

/** The newest of a record that stay: nobody fills the database by trying over and over. */
export const MOST_REFUSED = 100

/** Roles that are told of refused attempts on records of the entity; none: they are not kept. */
function rolesOf(app: App, entity: string): readonly string[] {
  const { refused } = app.entities.get(entity)!
  return refused === null || isUnspecified(refused) ? [] : refused.roles
}

export const seesRefused = (app: App, { roles }: Pick<Actor, 'roles'>, entity: string): boolean =>
  rolesOf(app, entity).some(role => roles.includes(role))

/** Beside the transaction of the attempt, which is undone. What was given is not kept, and neither are warnings that wait to be confirmed. */
export async function keepRefused(
  tx: Tx,
  app: App,
  request: Request,
  { entity, record, what }: { readonly entity: string; readonly record: string; readonly what: string },
  outcome: Outcome,
): Promise<void> {
  if (outcome.kind !== 'refused' || request.actor.system !== null || rolesOf(app, entity).length === 0) return
  const codes = [...new Set(outcome.problems.flatMap(({ code, warning }) => (warning === true ? [] : [code])))]
  if (codes.length === 0) return
  await tx.aside(keeping, {
    id: request.newId(),
    at: request.now.toISOString(),
    entity,
    record,
    what,
    codes,
    person: request.actor.id,
    acted_by: request.by?.id ?? null,
    api_key: request.key ?? null,
    by_link: request.actor.link !== undefined,
    document: app.version,
  })
}

const keeping = built(sql`with kept as (
    insert into ninefold.refused_attempt (id, at, entity, record, what, codes, person, acted_by, api_key, by_link, document)
    values (${slot('id')}::uuid, ${slot('at')}::timestamptz, ${slot('entity')}, ${slot('record')}::uuid, ${slot('what')}, ${slot('codes')}::text[],
      ${slot('person')}::uuid, ${slot('acted_by')}::uuid, ${slot('api_key')}, ${slot('by_link')}::boolean, ${slot('document')}))
  delete from ninefold.refused_attempt where id in (select id from ninefold.refused_attempt
    where entity = ${slot('entity')} and record = ${slot('record')}::uuid order by id desc offset ${raw(String(MOST_REFUSED - 1))})`)

/** Those of the record in the slot `record`: columns as entries of the history have them. */
export const refusedSql = (entity: string): Sql => sql`
  select f.id, f.at, 'refused' as kind, f.what, f.person as actor, f.api_key, '{}'::jsonb as changes, null as from_state, null as to_state,
    f.document, null as delivery, null::integer as attempts, null as text, null::timestamptz as changed_at, null::boolean as own
  from ninefold.refused_attempt as f where f.entity = ${entity} and f.record = ${slot('record')}::uuid`

/** What of an entry the columns of the history hold, of these. */
export const refusedMoreSql = sql`select f.id, f.acted_by, f.codes as confirmed, null::integer as version, case when f.by_link then 'link' end as system from ninefold.refused_attempt as f`
