/** Roles that somebody has of one record, by its link or because it is shared with them: which records they may speak of at all, and what contradicts that. */

import { reporter } from '../../document/diagnostic.ts'
import { kindOf } from '../../kinds/screens/index.ts'
import type { Screen } from '../2-screens/model.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { isUnspecified, specified } from '../specified.ts'
import { permissionCodes } from './codes.ts'
import { grants, mayEver } from './held.ts'
import type { Role } from './model.ts'

/** The entity whose link gives the role; null: nobody has it by a link. */
export function linkedBy(app: Pick<App, 'roles'>, role: string): string | null {
  const who = specified(app.roles.get(role)?.who ?? null)
  return who?.kind === 'link' ? who.entity : null
}

/** The entity of one record of which the role speaks, and how somebody comes to have it; null: it speaks of all. */
export function boundTo(
  app: Pick<App, 'roles'>,
  role: string,
): { readonly entity: string; readonly given: 'link' | 'shared' } | null {
  const who = specified(app.roles.get(role)?.who ?? null)
  return who?.kind === 'link' || who?.kind === 'shared' ? { entity: who.entity, given: who.kind } : null
}

/** Roles of whoever opens the link of such a record; without an entity, of whoever opens any. */
export const linkRoles = (app: Pick<App, 'roles'>, entity?: string): readonly string[] =>
  [...app.roles.keys()].filter(role => {
    const linked = linkedBy(app, role)
    return linked !== null && (entity === undefined || linked === entity)
  })

/** Entities whose records have links, in the document's order of roles. */
export const linkedEntities = (app: Pick<App, 'roles'>): readonly string[] => [
  ...new Set(linkRoles(app).map(role => linkedBy(app, role)!)),
]

/** How records of an entity belong to the one whose link is open: `to` name it, `from` are named by it. */
export interface Ties {
  readonly to: readonly string[]
  readonly from: readonly string[]
}

export function tiesOf({ entities }: App, entity: string, linked: string): Ties {
  const naming = (of: string, other: string) =>
    entities
      .get(of)!
      .fields.flatMap(({ key, type, computed }) =>
        type.kind === 'reference' && type.entity === other && computed === null ? [key] : [],
      )
  return { to: naming(entity, linked), from: naming(linked, entity) }
}

/** The page that the link leads to: the first `one` of the entity for one of these roles. */
export const linkScreen = (app: Pick<App, 'screens'>, entity: string, roles: readonly string[]): Screen | null =>
  app.screens.find(screen => {
    const [audience, route] = [specified(screen.for), specified(screen.route)]
    const fields = route?.segments.filter(segment => 'field' in segment) ?? []
    return (
      kindOf(screen)?.isRecordPage === true &&
      specified(screen.shows)?.entity === entity &&
      audience?.kind === 'roles' &&
      audience.roles.some(role => roles.includes(role)) &&
      fields.length === 1
    )
  }) ?? null

/** What a role of one record can never do: it leads to one that is there, and a link to no account. */
export function checkBound(context: Context, app: App): void {
  const { report } = reporter(permissionCodes, 6, context.found)
  for (const role of app.roles.values()) {
    const bound = boundTo(app, role.name)
    const entity = bound === null ? undefined : app.entities.get(bound.entity)
    if (bound === null || entity === undefined || isUnspecified(role.who)) continue
    const parameters = { role: role.name, entity: entity.name, given: givenWords[bound.given] }
    if (bound.given === 'link' && linkScreen(app, entity.key, [role.name]) === null)
      report('N1620', role.who.cell, parameters)
    if (!mayEver(app, entity.key, role.name, 'see')) report('N1621', role.who.cell, parameters)
    checkRows(context, app, role, bound)
  }
}

/** How somebody has a role of one record: `Reporter` … `a Report`. */
const givenWords = { link: 'has the link of', shared: 'is shared' } as const

/** What such a role never has, beside creating a record of the kind itself. */
const neverGiven = {
  link: ['create', 'export', 'import', 'emergency'],
  shared: ['create', 'import', 'emergency'],
} as const

function checkRows(context: Context, app: App, role: Role, bound: NonNullable<ReturnType<typeof boundTo>>): void {
  const { report } = reporter(permissionCodes, 6, context.found)
  const { entity: linked } = bound
  const { name } = app.entities.get(linked)!
  const given = givenWords[bound.given]
  for (const access of app.access.values()) {
    const row = access.rows.find(one => one.role === role.name)
    if (row === undefined) continue
    const entity = app.entities.get(access.entity)!
    const { to, from } = tiesOf(app, entity.key, linked)
    const isOwn = entity.key === linked || isPartOf(app, entity.key, linked)
    if (!isOwn && to.length + from.length === 0)
      report('N1622', row.cell, { role: role.name, linked: name, entity: entity.name, given })
    for (const verb of neverGiven[bound.given]) {
      const grant = row[verb]
      const isNever = verb !== 'create' || entity.key === linked
      if (isNever && !isUnspecified(grant) && grants(grant))
        report('N1623', grant.cell, {
          role: role.name,
          verb: verb[0]!.toUpperCase() + verb.slice(1),
          linked: name,
          given,
        })
    }
  }
  for (const { approvals } of app.workflows.values())
    for (const { from } of approvals)
      if (!isUnspecified(from) && from.roles.includes(role.name))
        report('N1623', from.cell, { role: role.name, verb: 'the approval of a step', linked: name, given })
}

/** Rows of the record, and rows of those. */
export function isPartOf({ entities }: App, entity: string, whole: string): boolean {
  const above = entities.get(entity)?.partOf ?? null
  return above !== null && (above === whole || isPartOf({ entities } as App, above, whole))
}
