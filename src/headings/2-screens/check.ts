/** Checks of heading 2 on the finished model. */
import { reporter } from '../../document/diagnostic.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { mayEver } from '../6-permissions/held.ts'
import type { Role } from '../6-permissions/model.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { isUnspecified } from '../said.ts'
import { screenCodes } from './codes.ts'
import type { Screen } from './model.ts'

const section = 2

/** Addresses that two screens have: what stands in braces matches anything, so it does not tell them apart. */
export function checkRoutes(context: Context, { screens }: App): void {
  const { report } = reporter(screenCodes, section, context.found)
  const first = new Map<string, Screen>()
  for (const screen of screens) {
    if (isUnspecified(screen.route)) continue
    const pattern = screen.route.segments.map(segment => ('text' in segment ? segment.text : '{}')).join('/')
    const before = first.get(pattern)
    if (before === undefined) first.set(pattern, screen)
    else {
      const related = isUnspecified(before.route) ? [] : [{ span: before.route.cell, message: 'first here' }]
      report('N1202', screen.route.cell, { route: screen.route.pattern }, { related })
    }
  }
}

/** Forms that people fill in without signing in: only what they list is asked, and only new records are made. */
export function checkPublicForms(context: Context, app: App): void {
  const { report } = reporter(screenCodes, section, context.found)
  for (const screen of app.screens) {
    const { shows, route } = screen
    if (!isPublicForm(screen) || isUnspecified(shows)) continue
    const entity = app.entities.get(shows.entity ?? '')
    if (entity === undefined) continue
    const name = screen.name.text
    if (!isUnspecified(route) && route.segments.some(segment => 'field' in segment)) {
      report('N1230', route.cell, { name })
      continue
    }
    if (![...app.roles.values()].some(role => mayVisitorsCreate(app, entity.key, role)))
      report('N1231', isUnspecified(screen.for) ? screen.name : screen.for.cell, { name, entity: entity.name })
    if (screen.columns.length === 0) {
      const example = entity.fields.slice(0, 3).map(({ key }) => key)
      report('N1228', screen.name, { name, example: example.join(', ') })
      continue
    }
    const listed = new Set(screen.columns.map(({ field }) => field))
    for (const field of entity.fields) {
      const isGiven =
        field.default !== null || field.setBy !== null || field.computed !== null || field.copiedFrom !== null
      const isAsked =
        field.required !== null && field.required.when === null && !isGiven && fieldKind(field.kind).entered
      if (isAsked && !listed.has(field.key))
        report(
          'N1229',
          screen.name,
          { field: field.key, name },
          { related: [{ span: field.cell, message: 'it stands here' }] },
        )
    }
  }
}

/** Whoever comes may fill it in. */
const isPublicForm = ({ shows, for: audience }: Screen): boolean =>
  !isUnspecified(shows) && shows.kind === 'form' && !isUnspecified(audience) && audience.kind === 'everyone'

function mayVisitorsCreate(app: App, entity: string, { name, who }: Role): boolean {
  return !isUnspecified(who) && who.kind === 'everyone' && mayEver(app, entity, name, 'create')
}

/** What can be served but hardly is what was meant. `held` are the roles that somebody can have. */
export function lintScreens(context: Context, app: App, held: ReadonlySet<string>): void {
  const { report } = reporter(screenCodes, section, context.found)
  for (const screen of app.screens) {
    const entity = isUnspecified(screen.shows) ? undefined : app.entities.get(screen.shows.entity ?? '')
    for (const { field, cell } of screen.columns)
      if (entity?.fields.some(({ key, hidden }) => key === field && hidden !== null)) report('N1208', cell, { field })
    const { for: audience } = screen
    if (isUnspecified(audience) || audience.kind !== 'roles') continue
    const able = audience.roles.filter(role => held.has(role))
    if (able.length === 0) {
      report('N1211', audience.cell, { why: `nobody can have the role ${audience.roles.join(' or ')}` })
      continue
    }
    const blind = entity === undefined ? undefined : able.find(role => !mayEver(app, entity.key, role, 'see'))
    if (blind !== undefined) report('N1212', audience.cell, { role: blind, entity: entity!.name })
  }
}
