/** A session that sees the application as a role, or acts as another person: begun with a reason, over after a time, written down. */
import { raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import { conditionSql } from '../../run/access/condition.ts'
import { policyFor } from '../../run/access/policy.ts'
import { nameable } from '../../run/access/unnamed.ts'
import type { Request, Runtime } from '../../run/request.ts'
import { bindingsOf } from '../../run/statements.ts'
import type { Store } from '../../store/pool.ts'
import { hashOf } from './session.ts'

interface Acting {
  readonly id: string
  /** Who does it. */
  readonly by: string
  readonly reason: string
  /** Null: nobody else, they only look through a role. */
  readonly person: string | null
  readonly role: string | null
  readonly now: Date
  readonly until: Date
}

/** The session goes on under another token: forms that were open before are worth nothing. False: there is no such session. */
export async function beginActing(store: Store, token: string, next: string, acting: Acting): Promise<boolean> {
  const { id, by, person, role, reason, now, until } = acting
  return store.inTransaction(async tx => {
    const written = await tx.write(sql`
      update ninefold.session set token_hash = ${hashOf(next)}, forms = null, acting = ${id}::uuid, acting_as = ${person}::uuid, preview_role = ${role},
        acting_until = ${until}
      where token_hash = ${hashOf(token)} and person = ${by}::uuid`)
    if (written === 0) return false
    await tx.write(sql`
      insert into ninefold.acting (id, by, person, role, reason, at, until_at)
      values (${id}::uuid, ${by}::uuid, ${person}::uuid, ${role}, ${reason}, ${now}, ${until})`)
    return true
  })
}

/** As whom somebody acted, or through which role they looked. */
interface WasActing {
  readonly person: string | null
  readonly role: string | null
}

/** Back to oneself, again under another token. Null: there is no such session any more. */
export async function endActing(store: Store, token: string, next: string, now: Date): Promise<WasActing | null> {
  return store.inTransaction(async tx => {
    const [was = null] = await tx.query<WasActing>(sql`
      select p.name as person, s.preview_role as role from ninefold.session as s left join public.person as p on p.id = s.acting_as
      where s.token_hash = ${hashOf(token)} for update of s`)
    await tx.write(sql`
      update ninefold.acting set ended_at = least(${now}::timestamptz, until_at)
      where ended_at is null and id = (select acting from ninefold.session where token_hash = ${hashOf(token)})`)
    await tx.write(sql`
      update ninefold.session set token_hash = ${hashOf(next)}, forms = null, acting = null, acting_as = null, preview_role = null, acting_until = null
      where token_hash = ${hashOf(token)}`)
    return was
  })
}

export interface Acted {
  readonly id: string
  /** Null, here and below: somebody who is not there any more, or whom the reader may not see. */
  readonly by: string | null
  readonly person: string | null
  readonly reason: string
  readonly at: string
  /** Null: it goes on, or ended with its time. */
  readonly ended: string | null
  readonly until: string
}

/** As whom the reader acted (`by`), or who acted as them (`person`), newest first. */
export const actedOf = ({ app, store }: Runtime, request: Request, me: 'by' | 'person'): Promise<readonly Acted[]> =>
  store.query<Acted>(actedSql(app, request, me), bindingsOf(request))

/** The same as a part of what else is read of them. */
export function actedSql(app: App, request: Request, me: 'by' | 'person'): Sql {
  const policy = policyFor(app, request.actor)
  const known = (alias: string) => conditionSql(nameable(policy, 'person', alias))
  return sql`select a.id, b.name as by, p.name as person, a.reason, a.at, a.ended_at as ended, a.until_at as until
      from ninefold.acting as a left join public.person as b on b.id = a.by and ${known('b')}
        left join public.person as p on p.id = a.person and ${known('p')}
      where a.person is not null and ${me === 'by' ? raw('a.by') : raw('a.person')} = ${slot('me')}::uuid
      order by a.id desc limit 20`
}
