/** Roles that are given of one record at a time, `shared Case with Team.members by Clerk for 14 days`: whom they are given by, and what contradicts that. */
import { reporter } from '../../document/diagnostic.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { isUnspecified, specified } from '../specified.ts'
import { permissionCodes } from './codes.ts'
import { mayEver, mayEverSeeField } from './held.ts'
import type { RoleWho, SharedWho } from './model.ts'

const section = 6

/** Whom a role is shared with, of which records, and by whom; null: people have it otherwise. */
export function sharedBy(app: Pick<App, 'roles'>, role: string): Extract<RoleWho, SharedWho> | null {
  const who = specified(app.roles.get(role)?.who ?? null)
  return who?.kind === 'shared' ? who : null
}

/** Roles that records of the entity are shared with, in the document's order. */
export const shareRoles = (app: Pick<App, 'roles'>, entity: string): readonly string[] =>
  [...app.roles.keys()].filter(role => sharedBy(app, role)?.entity === entity)

/** Verbs that whoever shares gives away, where they have them. */
export const givenVerbs = ['change', 'delete', 'export'] as const

/** What the role lets somebody do with the record itself, and one of those who share it could ever do. */
export function heldToGive(app: App, role: string): readonly (typeof givenVerbs)[number][] {
  const { entity, by } = sharedBy(app, role)!
  return givenVerbs.filter(verb => mayEver(app, entity, role, verb) && by.some(one => mayEver(app, entity, one, verb)))
}

/** Nobody shares what they never see, and what somebody gives they should have. */
export function checkShares(context: Context, app: App): void {
  const { report } = reporter(permissionCodes, section, context.found)
  for (const { name: role, who } of app.roles.values()) {
    if (isUnspecified(who) || who.kind !== 'shared') continue
    const { name } = app.entities.get(who.entity)!
    const by = who.by.join(', ')
    if (!who.by.some(one => mayEver(app, who.entity, one, 'see'))) report('N1635', who.cell, { role, by, entity: name })
  }
}

/** What a role may with a record that is shared, and none of those who share it. */
export function lintShares(context: Context, app: App): void {
  const { report } = reporter(permissionCodes, section, context.found)
  for (const { name: role, who } of app.roles.values()) {
    if (isUnspecified(who) || who.kind !== 'shared') continue
    const of = app.entities.get(who.entity)!
    const own = app.access.get(of.key)!.rows.find(row => row.role === role)
    if (own === undefined) continue
    const isBeyond = (may: (one: string) => boolean) => may(role) && !who.by.some(may)
    const beyond = [
      ...givenVerbs.filter(verb => isBeyond(one => mayEver(app, of.key, one, verb))),
      ...of.fields.flatMap(({ key }) =>
        isBeyond(one => mayEverSeeField(app, of.key, one, key)) ? [`see \`${key}\` of`] : [],
      ),
    ]
    for (const verb of beyond) report('N1636', own.cell, { role, verb, entity: of.name, by: who.by.join(', ') })
  }
}
