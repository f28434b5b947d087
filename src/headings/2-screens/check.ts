/** Checks of heading 2 on the finished model. */
import { reporter } from '../../document/diagnostic.ts'
import { mayEver } from '../6-permissions/held.ts'
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
