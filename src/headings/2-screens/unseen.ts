/** Fields on a screen that people who open it may not see: shown to none of them, or deciding the order or the rows for some. */
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import { pathsOf } from '../../expression/computed.ts'
import type { Expression } from '../../expression/expression.ts'
import { kindOf } from '../../kinds/screens/index.ts'
import { type Uses, usesOf } from '../../kinds/screens/uses.ts'
import { mayEver, mayEverSeeField } from '../6-permissions/held.ts'
import type { App } from '../app.ts'
import { facts } from '../cascades/facts.ts'
import type { Context } from '../context.ts'
import { isUnspecified } from '../specified.ts'
import { screenCodes } from './codes.ts'

/** `held` are the roles that somebody can have. */
export function lintUnseen(context: Context, app: App, held: ReadonlySet<string>): void {
  const { report } = reporter(screenCodes, 2, context.found)
  for (const screen of app.screens) {
    const { for: audience, shows } = screen
    if (isUnspecified(audience) || isUnspecified(shows) || shows.entity === null || kindOf(screen)?.entry === 'page')
      continue
    const entity = shows.entity
    const named = audience.kind === 'roles' ? audience.roles : [...app.roles.keys()]
    const able = named.filter(role => held.has(role) && mayEver(app, entity, role, 'see'))
    if (able.length === 0) continue
    const blindTo = (of: string, field: string) =>
      isHidden(app, of, field) ? [] : able.filter(role => !mayEverSeeField(app, of, role, field))
    const unseen = new Set<string>()
    const uses = usesOf(screen)
    const inside = [...uses.views.map(({ columns }) => columns), ...uses.sections.map(({ fields }) => fields)].flat()
    for (const { field, cell } of [...uses.shown, ...inside]) {
      if (unseen.has(field) || blindTo(entity, field).length < able.length) continue
      unseen.add(field)
      report(
        'N1236',
        cell,
        { name: screen.name.text, field, roles: able.join(', ') },
        { subject: facts.open(field, entity) },
      )
    }
    if (audience.kind !== 'roles') continue
    for (const { field, of, cell, use } of decidingOf(uses, entity)) {
      const [blind] = blindTo(of, field)
      if (blind === undefined || unseen.has(field)) continue
      unseen.add(field)
      report('N1237', cell, { role: blind, name: screen.name.text, field, use })
    }
  }
}

interface Deciding {
  readonly of: string
  readonly field: string
  readonly cell: Cell
  readonly use: string
}

/** Fields by which the screen and its views sort and choose. */
function decidingOf(uses: Uses, entity: string): readonly Deciding[] {
  return [uses, ...uses.views].flatMap(({ sort, where }) => [
    ...sort.map(({ field, cell }) => ({
      of: entity,
      field,
      cell,
      use: 'the records stand in no order for them',
    })),
    ...(where === null ? [] : readBy(where)),
  ])
}

const readBy = (where: Expression): readonly Deciding[] =>
  pathsOf(where.root)
    .filter(({ base }) => base !== 'me')
    .flatMap(({ steps }) => steps)
    .map(({ entity: of, field }) => ({
      of,
      field,
      cell: where.cell,
      use: 'which records are there tells them something about it',
    }))

const isHidden = (app: App, entity: string, field: string): boolean =>
  app.entities.get(entity)?.fields.some(({ key, hidden }) => key === field && hidden !== null) === true
