/** Demo people of roles that hang on other records: who has them is known only when the sample data are there. */
import { sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import { conditionSql } from '../access/condition.ts'
import { conditionsOf, holdsRole, valuesFor } from '../people/roles.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf } from '../statements.ts'
import type { DemoPerson } from './seed.ts'

/**
 * The demo people with the roles that they have. For a role by a condition over other records (`any(Tenancy where tenant = me)`) that
 * none of them has, somebody of the data who has it comes in the place of whoever was made up for it. People of scenarios stay what they
 * are there: they may come to it in the course of one.
 */
export async function asTheyHold(
  { app, store }: Runtime,
  request: Request,
  people: readonly DemoPerson[],
): Promise<readonly DemoPerson[]> {
  const cast = new Set(app.scenarios.flatMap(scenario => scenario.people.map(({ name }) => name)))
  let found = people
  for (const role of rolesByOthers(app)) {
    const ids = found.map(({ id }) => id)
    const holders = await store.query<Omit<DemoPerson, 'roles'>>(
      sql`select p.id, p.name, p.email from public.person as p
        where p.email is not null and ${conditionSql(holdsRole(app, role, 'p'))}
        order by (p.id = any(${ids}::uuid[])) desc, p.name, p.id limit 100`,
      bindingsOf(request),
    )
    if (holders.length > 0) found = withHolders(found, role, holders, cast)
  }
  return found
}

/** Nothing that stands in a person's own record gives somebody the role. */
const rolesByOthers = (app: App): readonly string[] =>
  conditionsOf(app).flatMap(({ role }) => (Object.keys(valuesFor(app, role)).length === 0 ? [role] : []))

function withHolders(
  people: readonly DemoPerson[],
  role: string,
  holders: readonly Omit<DemoPerson, 'roles'>[],
  cast: ReadonlySet<string>,
): readonly DemoPerson[] {
  const holds = (id: string) => holders.some(holder => holder.id === id)
  const left = people.flatMap(person => {
    const others = person.roles.filter(own => own !== role)
    if (holds(person.id)) return [{ ...person, roles: [...others, role] }]
    if (cast.has(person.name)) return [person]
    return others.length > 0 || person.roles.length === 0 ? [{ ...person, roles: others }] : []
  })
  return left.some(({ id }) => holds(id)) ? left : [...left, { ...holders[0]!, roles: [role] }]
}
