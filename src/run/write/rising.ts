/**
 * Roles by a condition that reads other records than the person's own (`my.customer.trusted`): whoever writes these gives them. As with
 * what stands in the person's own record (`check.ts`), nobody does so for a role that they neither have nor could give, unless they are
 * there; and no key that was not made for it. What effects write is written by whoever caused it.
 */
import { elsewhereOf } from '../../expression/elsewhere.ts'
import { type Sql, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import type { Tx } from '../../store/pool.ts'
import type { Outcome } from '../outcome.ts'
import { isNoHigher } from '../people/acting.ts'
import { readingClosed } from '../people/closed.ts'
import { absentFrom } from '../people/credentials.ts'
import { conditionsOf, holdsFor, ofPerson } from '../people/roles.ts'
import type { Request } from '../request.ts'
import { bindingsOf, cachedStatement } from '../statements.ts'
import { reached, withParent } from './together.ts'

/** Runs a write of a record of this entity, with its effects; refused where somebody has such a role by it. */
export async function withoutRising(
  tx: Tx,
  app: App,
  request: Request,
  entity: string,
  write: () => Promise<Outcome>,
): Promise<Outcome> {
  const absent = absentFrom(app, request)
  const roles =
    absent === null ? [] : givenBy(app, entity).filter(({ role }) => !isNoHigher(app, request.actor.roles, [role]))
  if (absent === null || roles.length === 0) return write()
  const before = []
  for (const { holds } of roles) before.push(await holders(tx, request, holds))
  const outcome = await write()
  if (outcome.kind !== 'done') return outcome
  for (const [at, { holds }] of roles.entries()) {
    const isNew = sql`${holds} and p.id <> all(${before[at]!}::uuid[])`
    if ((await holders(tx, request, isNew, 1)).length > 0) return { kind: 'refused', problems: [absent] }
  }
  return outcome
}

/** Roles whose conditions read what a write of this entity may write, each with its condition over the person `p`. */
const givenBy = (app: App, entity: string): readonly { readonly role: string; readonly holds: Sql }[] =>
  cachedStatement(app, ['roles given by', entity], () => {
    if (!app.entities.has(entity)) return []
    const written = reached(app, entity)
    return conditionsOf(app).flatMap(({ role, when }) =>
      elsewhereOf(ofPerson(when).root, when.schema).some(read => written.has(withParent(app, read.entity)))
        ? [{ role, holds: readingClosed(app, holdsFor(when, 'p')) }]
        : [],
    )
  })

async function holders(tx: Tx, request: Request, holds: Sql, limit: number | null = null): Promise<readonly string[]> {
  const found = await tx.query<{ id: string }>(
    sql`select p.id from public.person as p where ${holds} limit ${limit}::bigint`,
    bindingsOf(request),
  )
  return found.map(({ id }) => id)
}
