/**
 * A role that appoints, or whose holders alone decide who has it, is never left without anybody who can sign in: nobody could give it again. Whatever may take the last one out of it
 * is counted here before and after: roles that are taken, people who are erased, deleted, moved to another tenant or kept out by `Sign-in when`,
 * and whatever a condition goes by.
 */
import { elsewhereOf } from '../../expression/elsewhere.ts'
import type { Expression } from '../../expression/expression.ts'
import { raw, type Sql, sql } from '../../expression/sql.ts'
import { rolesToKeep } from '../../headings/6-permissions/kept-held.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { wordFor } from '../../headings/translate.ts'
import type { Reader, Tx } from '../../store/pool.ts'
import { conditionSql } from '../access/condition.ts'
import { columnSql, fromSql } from '../names.ts'
import type { Problem } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import type { Request } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { reached, withParent } from '../write/together.ts'
import { readingClosed } from './closed.ts'
import { isOpenTo } from './present.ts'
import { holdsForGood, ofPerson } from './roles.ts'

/**
 * To be asked before the change, in its transaction; what it gives, after it: why the change may not be, or null. `written`: the entity that
 * is written, with all that follows; null: roles or people themselves.
 */
export async function guardLastHolder(
  tx: Tx,
  app: App,
  request: Request,
  written: string | null,
): Promise<() => Promise<Problem | null>> {
  if (request.actor.system === 'seed' || !mayTakeOut(app, written)) return async () => null
  const before = await holders(tx, app, request)
  return async () => {
    if (lost(before, await holders(tx, app, request), isLess).length === 0) return null
    // Two who take out one each at once are counted one after the other.
    await tx.query(sql`select pg_advisory_xact_lock(${lastHolderLock}::bigint)`)
    const [last] = lost(before, await holders(tx, app, request), isNone)
    if (last === undefined) return null
    const { signInWhen } = app.entities.get('person')!
    const isKeptOut = last.all > 0 && signInWhen !== null
    const because = isKeptOut ? signInWhen.cell : app.roles.get(last.role)!.who.cell
    return raise(app, 'NF-LAST-HOLDER', { role: wordFor(app, last.role) }, { because })
  }
}

/** `pg_advisory_xact_lock` key: 'NFAP' in ASCII. */
const lastHolderLock = 0x4e464150

const keptRoles = (app: App): readonly string[] => cachedStatement(app, ['roles to keep'], () => rolesToKeep(app))

/** How many people have a role, of one tenant where people belong to some, and how many of them can sign in now. */
interface Held {
  readonly role: string
  readonly tenant: string | null
  readonly all: number
  readonly open: number
}

const holders = async (reader: Reader, app: App, request: Request): Promise<readonly Held[]> => {
  const query = cachedStatement(app, ['holders of roles to keep'], () => {
    const { tenant } = app.product
    const whose = tenant === null ? raw('null') : columnSql('p', tenant.field)
    const each = keptRoles(app).map(
      role => sql`select ${role}::text as role, ${whose}::text as tenant, count(*) as "all",
          count(*) filter (where ${isOpenTo(app, raw('p.id'))}) as open
        from ${fromSql('person', 'p')} where ${readingClosed(app, conditionSql(holdsForGood(app, role, 'p')))} group by 2`,
    )
    return built(each.reduce((all, one): Sql => sql`${all} union all ${one}`))
  })
  const rows = await reader.run<{ role: string; tenant: string | null; all: string; open: string }>(
    query,
    bindingsOf(request),
  )
  return rows.map(({ role, tenant, all, open }) => ({ role, tenant, all: Number(all), open: Number(open) }))
}

const isLess = (now: number, before: number): boolean => now < before
const isNone = (now: number, before: number): boolean => now === 0 && before > 0

/** As it is now, each of which is that compared with before. */
function lost(
  before: readonly Held[],
  after: readonly Held[],
  is: (now: number, before: number) => boolean,
): readonly Held[] {
  return before.flatMap(was => {
    const now = after.find(({ role, tenant }) => role === was.role && tenant === was.tenant) ?? {
      ...was,
      all: 0,
      open: 0,
    }
    return is(now.all, was.all) || is(now.open, was.open) ? [now] : []
  })
}

/** Whether a write of this entity, with all that follows from it, can take anybody out of a role that somebody must keep. */
const mayTakeOut = (app: App, written: string | null): boolean =>
  cachedStatement(app, ['may take out', written], () => {
    if (keptRoles(app).length === 0) return false
    if (written === null) return true
    if (!app.entities.has(written)) return false
    const { signInWhen } = app.entities.get('person')!
    const conditions = [
      ...keptRoles(app).flatMap(role => conditionsIn(app, role)),
      ...(signInWhen === null ? [] : [signInWhen]),
    ]
    return reached(app, written).has('person') || conditions.some(condition => readsWritten(app, written, condition))
  })

/** The conditions by which somebody has a role. */
function conditionsIn(app: App, role: string): readonly Expression[] {
  const who = app.roles.get(role)?.who
  if (who === undefined || isUnspecified(who)) return []
  if (who.kind === 'when') return [ofPerson(who.when)]
  return 'except' in who ? who.except.flatMap(one => conditionsIn(app, one)) : []
}

/** Whether what a write of this entity may write is read by a condition, of other records than the one that it is about. */
export function readsWritten(app: App, written: string, { root, schema }: Expression): boolean {
  const all = reached(app, written)
  const closed = app.workingTime?.closed?.entity
  return (
    (closed !== undefined && all.has(closed)) ||
    elsewhereOf(root, schema).some(read => all.has(withParent(app, read.entity)))
  )
}
