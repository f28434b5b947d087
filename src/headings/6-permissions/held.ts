/** Who can ever do something: for checks and for messages. What really is allowed, `run` decides per record. */
import { couldHold, type Facts } from '../../expression/outcomes.ts'
import type { App } from '../app.ts'
import { isUnspecified, type Specified, specified } from '../specified.ts'
import { conditionOf, linesOf, rolesOfLines } from './lines.ts'
import type { Grant, Never, Role, RoleWho } from './model.ts'
import { exceptionsOf, type NeverVerb, neverFor } from './never.ts'

/**
 * Names of the roles that somebody can have. A role that is left open is nobody's, and so is one that only such roles appoint;
 * one that appoints itself is given to its first holder from outside.
 */
export function heldRoles(roles: ReadonlyMap<string, Role>): ReadonlySet<string> {
  const unheld = new Set([...roles.values()].filter(({ who }) => isUnspecified(who)).map(({ name }) => name))
  for (let before = -1; before !== unheld.size; ) {
    before = unheld.size
    for (const { name, who } of roles.values())
      if (!isUnspecified(who) && isGiven(who) && who.by.every(by => unheld.has(by))) unheld.add(name)
  }
  return new Set([...roles.keys()].filter(name => !unheld.has(name)))
}

/** People give it to others. */
export const isGiven = (who: RoleWho): who is Extract<RoleWho, { by: unknown }> =>
  who.kind === 'appointed' || who.kind === 'shared'

/** Roles that appoint others, in the document's order. */
export const appointing = (roles: ReadonlyMap<string, Role>): readonly string[] =>
  [...roles.keys()].filter(name =>
    [...roles.values()].some(({ who }) => !isUnspecified(who) && who.kind === 'appointed' && who.by.includes(name)),
  )

type Verb = 'see' | 'create' | 'change' | 'delete' | 'export'

/** Whether a role could ever see, create, change, delete or export a record of an entity with these values. Child rows follow their parent. */
export function mayEver(app: App, entity: string, role: string, verb: Verb, facts: Facts = noFacts): boolean {
  const access = app.access.get(entity)
  const parent = app.entities.get(entity)?.partOf
  if (access?.basis === 'parent' && parent) {
    const verbs = verb === 'see' || verb === 'export' ? [verb] : (['change', 'create'] as const)
    return verbs.some(one => mayEver(app, parent, role, one))
  }
  if (access?.basis === 'assumed') return verb === 'see'
  const never = access === undefined ? null : neverFor(access, [role])
  if (never !== null && !couldGrant(exceptionsOf(never[verb]), facts)) return false
  return access?.rows.some(row => concerns(app, row.role, role) && couldGrant(row[verb], facts)) === true
}

/** Whether a role could ever see a field of a record that it sees. */
export function mayEverSeeField(app: App, entity: string, role: string, field: string): boolean {
  const access = app.access.get(entity)!
  if (field === 'changed_at' || field === 'changed_by') return seesWhole(app, entity, role)
  const declared = app.entities.get(entity)!.fields.find(({ key }) => key === field)
  if (declared !== undefined && declared.hidden !== null) return false
  if (access.basis === 'assumed' && app.entities.get(entity)!.builtIn) return field === 'name'
  const roles = rolesOfLines(linesOf(access, field), 'see')
  return roles === null || roles.some(one => concerns(app, one, role) && mayEver(app, entity, one, 'see'))
}

/** Whether a role sees all that is stored in a record: then it is told when it was changed. */
const seesWhole = (app: App, entity: string, role: string): boolean =>
  app.entities.get(entity)!.fields.every(({ key, computed, renewed, hidden }) => {
    if ((computed !== null && !renewed) || hidden !== null) return true
    return mayEverSeeField(app, entity, role, key) && conditionOf(linesOf(app.access.get(entity), key)) === null
  })

/** Rows of the role itself, and of roles that everybody has who has this one. */
export function concerns(app: App, row: string, role: string): boolean {
  const who = app.roles.get(row)?.who
  if (row === role) return true
  if (who === undefined || isUnspecified(who)) return false
  // Whoever comes need not be signed in, and who holds the link of a record is not.
  const of = specified(app.roles.get(role)?.who ?? null)?.kind
  return (who.kind === 'everyone' || (of !== 'link' && of !== 'everyone')) && isEverybody(who, role)
}

/** Nobody is appointed to it: who comes, or is signed in, has it, but for those with the roles of its `except`. */
export const isOfEverybody = (who: RoleWho): who is Extract<RoleWho, { except: unknown }> =>
  who.kind === 'everyone' || who.kind === 'everyone signed in'

/** Roles whose holders do not have it. */
export const exceptOf = (who: Specified<RoleWho>): readonly string[] =>
  !isUnspecified(who) && isOfEverybody(who) ? who.except : []

/** Everybody who is signed in has it; with `having`, everybody who has that role. */
export const isEverybody = (who: RoleWho, having?: string): boolean =>
  isOfEverybody(who) && (having === undefined ? who.except.length === 0 : !who.except.includes(having))

export const grants = (grant: Specified<Grant>): boolean => !isUnspecified(grant) && grant.kind !== 'no'

const noFacts: Facts = new Map()

/** Whether the row `never` leaves something open on some record with these values. What it leaves unspecified is a gap of its own. */
export const couldSpare = (never: Never | null, verb: NeverVerb, facts: Facts): boolean =>
  never === null || isUnspecified(never[verb]) || couldGrant(exceptionsOf(never[verb]), facts)

/** Whether it grants something for some record with these values. */
export const couldGrant = (grant: Specified<Grant>, facts: Facts): boolean =>
  !isUnspecified(grant) && (grant.kind === 'yes' || (grant.kind === 'when' && couldHold(grant.expression.root, facts)))
