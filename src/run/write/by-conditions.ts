/**
 * What a write does to people.
 *
 * - Roles by a condition that reads its record and not their own (`my.customer.trusted`; for their own, `check.ts`): whoever writes what it
 *   reads gives them. Nobody does so for a role that they neither have nor could give, unless they are there; and no key that was not made
 *   for it. What effects write is written by whoever caused it.
 * - Nobody takes out the last of those who appoint people, or keeps them out.
 */
import { type Sql, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import type { Tx } from '../../store/pool.ts'
import type { Outcome } from '../outcome.ts'
import { isNoHigher } from '../people/acting.ts'
import { readingClosed } from '../people/closed.ts'
import { absentFrom } from '../people/credentials.ts'
import { guardLastHolder, readsWritten } from '../people/last-holder.ts'
import { conditionsOf, holdsFor, ofPerson } from '../people/roles.ts'
import type { Request } from '../request.ts'
import { bindingsOf, cachedStatement } from '../statements.ts'

/** Runs a write of a record of this entity, with its effects; refused where it does either. */
export const guardingPeople = (
  tx: Tx,
  app: App,
  request: Request,
  entity: string,
  write: () => Promise<Outcome>,
): Promise<Outcome> => withoutRising(tx, app, request, entity, () => withoutLockout(tx, app, request, entity, write))

async function withoutRising(
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

async function withoutLockout(
  tx: Tx,
  app: App,
  request: Request,
  entity: string,
  write: () => Promise<Outcome>,
): Promise<Outcome> {
  const last = await guardLastHolder(tx, app, request, entity)
  const outcome = await write()
  const problem = outcome.kind === 'done' ? await last() : null
  return problem === null ? outcome : { kind: 'refused', problems: [problem] }
}

/** Roles whose conditions read what a write of this entity may write, each with its condition over the person `p`. */
const givenBy = (app: App, entity: string): readonly { readonly role: string; readonly holds: Sql }[] =>
  cachedStatement(app, ['roles given by', entity], () => {
    if (!app.entities.has(entity)) return []
    return conditionsOf(app).flatMap(({ role, when }) =>
      readsWritten(app, entity, ofPerson(when)) ? [{ role, holds: readingClosed(app, holdsFor(when, 'p')) }] : [],
    )
  })

async function holders(tx: Tx, request: Request, holds: Sql, limit: number | null = null): Promise<readonly string[]> {
  const found = await tx.query<{ id: string }>(
    sql`select p.id from public.person as p where ${holds} limit ${limit}::bigint`,
    bindingsOf(request),
  )
  return found.map(({ id }) => id)
}
