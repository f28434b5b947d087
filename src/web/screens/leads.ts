/** Where a figure leads: to the first list in which somebody sees just the records that it counts, filters and all in its address. */

import type { Environment } from '../../expression/evaluate.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Screen } from '../../headings/2-screens/model.ts'
import { specified } from '../../headings/specified.ts'
import { allView, viewName } from '../../kinds/screens/address.ts'
import { kindOf } from '../../kinds/screens/index.ts'
import type { Leads } from '../../kinds/screens/presenter.ts'
import { filtersOf, narrowed, saidQuery } from '../../kinds/screens/sayable.ts'
import type { Filter } from '../../kinds/screens/screen-kind.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import { environmentOf, relatedNothing } from '../../run/write/environment.ts'
import { openScreens } from '../access.ts'
import { addressOf } from '../seen.ts'
import type { Building } from './common.ts'

/** `wheres`: what the records that are counted have to fulfil; null: nothing. */
export function leadsOf(build: Building, entity: string, wheres: readonly (Expression | null)[]): Leads {
  const { site, context } = build
  const conditions = wheres.filter(where => where !== null)
  const lists = openScreens(site.app, context.request.actor).flatMap(
    screen => listOf(build, screen, entity, conditions) ?? [],
  )
  return group => {
    if (group === null) return null
    for (const list of lists) {
      const href = list(group)
      if (href !== null) return href
    }
    return null
  }
}

function listOf(build: Building, screen: Screen, entity: string, conditions: readonly Expression[]): Leads | null {
  const { site, context } = build
  const { request } = context
  const path = specified(screen.route)?.pattern
  if (!kindOf(screen)?.isListing || specified(screen.shows)?.entity !== entity || path === undefined) return null
  const environment: Environment = { ...environmentOf(request, relatedNothing, {}, null), partial: true }
  const filters = (of: readonly Expression[]): readonly Filter[] | null => {
    const each = of.map(condition => filtersOf(condition, environment))
    return each.every(one => one !== null) ? each.flat() : null
  }
  const { where, views } = usesOf(screen)
  const others = conditions.filter(condition => where === null || !isSame(condition, where))
  // A list that leaves records out must leave out none that are counted.
  if (where !== null && others.length === conditions.length) {
    const [own, all] = [filters([where]), filters(conditions)]
    if (own === null || all === null) return null
    const known = new Set(all.map(filter => JSON.stringify(filter)))
    if (!own.every(filter => known.has(JSON.stringify(filter)))) return null
  }
  const view = views.find(one => one.where !== null && others.some(condition => isSame(condition, one.where!)))
  const rest = filters(others.filter(condition => view?.where == null || !isSame(condition, view.where)))
  if (rest === null) return null
  const address = addressOf(context, { query: new URLSearchParams() })
  return group => {
    const query = saidQuery(site.app.entities.get(entity)!, site.app, narrowed(rest, group ?? []), address)
    if (query === null) return null
    // A list without a word in its address opens in whatever view its reader comes to first.
    if (view !== undefined || query.size === 0) query.set(viewName, view?.key ?? allView)
    return `${path}?${query}`
  }
}

const isSame = (one: Expression, other: Expression): boolean => one.cell.text === other.cell.text
