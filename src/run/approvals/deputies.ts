/** Whom people name to decide for them, from one day to another. A table of Ninefold: every document with `Deputy: named` reads it. */
import { slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import type { Problem } from '../outcome.ts'
import { changeCredential } from '../people/credentials.ts'
import { knownPeople } from '../people/people.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built } from '../statements.ts'
import { isId } from '../values.ts'

export interface StandIn {
  readonly id: string
  /** The deputy's name. */
  readonly name: string
  /** The first and the last day, `YYYY-MM-DD`. */
  readonly from: string
  readonly until: string
}

/** Whether any approval of the document has deputies whom people name themselves. */
export const hasDeputies = ({ workflows }: App): boolean =>
  [...workflows.values()].some(({ approvals }) => approvals.some(({ deputy }) => deputy?.named === true))

/** A person's own, those that are over left out. */
export const deputiesOf = ({ store }: Runtime, request: Request): Promise<readonly StandIn[]> =>
  store.run<StandIn>(own, bindingsOf(request))

const own = built(sql`
  select s.id, p.name, s.from_on::text as "from", s.until_on::text as until
  from ninefold.deputy as s join public.person as p on p.id = s.deputy
  where s.person = ${slot('me')}::uuid and s.until_on >= ${slot('today')}::date order by s.from_on, s.id limit 100`)

/** What is wrong with a deputy: nobody is meant, the days, or that they are named for one of these days already. */
type Wrong = 'nobody' | 'days' | 'twice'

/** Names somebody, for whoever is there; null: it is done. */
export async function nameDeputy(
  { app, store }: Runtime,
  request: Request,
  { deputy, from, until }: { readonly deputy: string; readonly from: string | null; readonly until: string | null },
): Promise<Wrong | Problem | null> {
  const me = request.actor.id
  if (me === null || !isId(deputy) || deputy === me) return 'nobody'
  if (from === null || until === null || until < from || until < request.today) return 'days'
  const at = request.now.toISOString()
  return store.inTransaction(async tx => {
    const [known] = await tx.query<{ name: string }>(
      sql`select p.name from public.person as p where p.id = ${deputy}::uuid and ${knownPeople(app, request, 'p')}`,
    )
    if (known === undefined) return 'nobody'
    const outcome = await changeCredential(
      tx,
      app,
      request,
      { person: me, what: 'deputy', name: known.name },
      async () => {
        // Two of one's own at the same time stand in line.
        await tx.query(sql`select from public.person where id = ${me}::uuid for no key update`)
        const added = await tx.write(sql`
        insert into ninefold.deputy (id, person, deputy, from_on, until_on, at)
        select ${request.newId()}::uuid, ${me}::uuid, ${deputy}::uuid, ${from}::date, ${until}::date, ${at}::timestamptz
        where not exists (select from ninefold.deputy where person = ${me}::uuid and deputy = ${deputy}::uuid
          and from_on <= ${until}::date and until_on >= ${from}::date)`)
        return added === 1 || null
      },
    )
    return 'denied' in outcome ? outcome.denied : outcome.value === null ? 'twice' : null
  })
}

/** Takes one's own naming back, for whoever is there; what was decided stays. `nobody`: there is none. */
export async function endDeputy(
  { app, store }: Runtime,
  request: Request,
  id: string,
): Promise<'nobody' | Problem | null> {
  const me = request.actor.id
  if (me === null || !isId(id)) return 'nobody'
  return store.inTransaction(async tx => {
    const [named] = await tx.query<{ name: string }>(
      sql`select p.name from ninefold.deputy as s join public.person as p on p.id = s.deputy
        where s.id = ${id}::uuid and s.person = ${me}::uuid for update of s`,
    )
    if (named === undefined) return 'nobody'
    const outcome = await changeCredential(
      tx,
      app,
      request,
      { person: me, what: 'deputy taken back', name: named.name },
      () => tx.write(sql`delete from ninefold.deputy where id = ${id}::uuid`),
    )
    return 'denied' in outcome ? outcome.denied : null
  })
}
