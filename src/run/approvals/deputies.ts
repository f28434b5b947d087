/** Whom people name to decide for them, from one day to another. A table of Ninefold: every document with `Deputy: named` reads it. */
import { slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
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

/** Names somebody. What is wrong with it: nobody is meant, the days, or that they are named for one of these days already; null: nothing, it is done. */
export async function nameDeputy(
  { app, store }: Runtime,
  request: Request,
  { deputy, from, until }: { readonly deputy: string; readonly from: string | null; readonly until: string | null },
): Promise<'nobody' | 'days' | 'twice' | null> {
  if (request.actor.id === null || !isId(deputy) || deputy === request.actor.id) return 'nobody'
  if (from === null || until === null || until < from || until < request.today) return 'days'
  const at = request.now.toISOString()
  const me = sql`${request.actor.id}::uuid`
  return store.inTransaction(async tx => {
    // Two of one's own at the same time stand in line.
    await tx.query(sql`select from public.person where id = ${me} for no key update`)
    const twice = await tx.query(
      sql`select from ninefold.deputy where person = ${me} and deputy = ${deputy}::uuid
        and from_on <= ${until}::date and until_on >= ${from}::date`,
    )
    if (twice.length > 0) return 'twice'
    const added = await tx.query(
      sql`insert into ninefold.deputy (id, person, deputy, from_on, until_on, at)
        select ${request.newId()}::uuid, ${me}, p.id, ${from}::date, ${until}::date, ${at}::timestamptz
        from public.person as p where p.id = ${deputy}::uuid and ${knownPeople(app, request, 'p')} returning id`,
    )
    return added.length === 1 ? null : 'nobody'
  })
}

/** Takes one's own naming back; what was decided stays. */
export async function endDeputy({ store }: Runtime, request: Request, id: string): Promise<boolean> {
  if (!isId(id)) return false
  return (await store.run(remove, bindingsOf(request, { id }))).length === 1
}

const remove = built(
  sql`delete from ninefold.deputy where id = ${slot('id')}::uuid and person = ${slot('me')}::uuid returning id`,
)
