/**
 * Computed fields of which many records are asked at once: what lists name among their columns, because people sort and filter by it; what
 * screens select, order, group and add up by; and what other records add up. The database keeps those that it can (`expression/kept-columns.ts`).
 */

import type { Checked } from '../expression/checked.ts'
import { partsOf } from '../expression/computed.ts'
import type { Expression } from '../expression/expression.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { usesOf } from '../kinds/screens/uses.ts'
import type { Grouping, Measure, SortKey } from './2-screens/model.ts'
import type { App } from './app.ts'
import { specified } from './specified.ts'

/** By entity. `expressions`: all that the document has. */
export function askedOfMany(app: App, expressions: readonly Expression[]): ReadonlyMap<string, ReadonlySet<string>> {
  const asked = new Map<string, Set<string>>()
  const add = (entity: string, field: string): void => {
    const known = asked.get(entity) ?? new Set()
    asked.set(entity, known)
    const computed = app.entities.get(entity)?.fields.find(({ key }) => key === field)?.computed ?? null
    if (computed === null || known.has(field)) return
    known.add(field)
    read(entity, computed)
  }
  const read = (entity: string, expression: Expression | null): void => {
    for (const path of expression?.reads ?? []) add(entity, path.split('.')[0]!)
  }
  const order = (entity: string, sorts: readonly SortKey[]) => {
    for (const { field } of sorts) add(entity, field)
  }
  const group = (entity: string, { value }: Grouping) => read(entity, value)
  const measure = ({ figure, whole }: Measure) => {
    for (const one of [figure, whole]) {
      if (one === null || one === 'all' || !('kind' in one)) continue
      read(one.entity, one.of)
      read(one.entity, one.where)
    }
  }
  for (const { key, order: sorts, marks } of app.entities.values()) {
    order(key, sorts)
    for (const { where } of marks) read(key, where)
  }
  for (const screen of app.screens) {
    const uses = usesOf(screen)
    for (const card of uses.cards) {
      const content = specified(card.shows)
      if (content === null) continue
      if (content.kind !== 'list') {
        const { entity } = content.measures[0].figure
        for (const one of content.measures) measure(one)
        read(entity, content.date)
        if (content.kind === 'chart') for (const by of [content.by, content.across]) if (by !== null) group(entity, by)
        continue
      }
      read(content.entity, content.where)
      order(content.entity, content.sort)
    }
    const shows = specified(screen.shows)
    const entity = shows === null || shows.entity === null ? undefined : app.entities.get(shows.entity)
    if (shows === null || entity === undefined || kindOf(screen)?.record !== undefined) continue
    const { key } = entity
    for (const { where, sort } of [uses, ...uses.views]) {
      read(key, where)
      order(key, sort)
    }
    if (kindOf(screen)?.isListing)
      for (const { field } of [uses.shown, ...uses.views.map(({ columns }) => columns)].flat()) add(key, field)
    if (shows.by !== null) add(key, shows.by)
    for (const path of uses.filters) {
      const [field, further] = path.split('.') as [string, string?]
      const type = entity.fields.find(one => one.key === field)?.type
      if (further === undefined) add(key, field)
      else if (type?.kind === 'reference') add(type.entity, further)
    }
    for (const one of uses.groups) group(key, one)
    for (const one of uses.measures) if (specified(one) !== null) measure(specified(one)!)
  }
  const others = (node: Checked): void => {
    if (node.op === 'aggregate' && node.source.kind === 'records')
      for (const part of partsOf(node)) ownOf(part, field => add(node.source.entity, field))
    for (const part of partsOf(node)) others(part)
  }
  for (const { root } of expressions) others(root)
  return asked
}

function ownOf(node: Checked, tell: (field: string) => void): void {
  if (node.op === 'field' && node.path.base === 'own') tell(node.path.steps[0]!.field)
  if (!('source' in node)) for (const part of partsOf(node)) ownOf(part, tell)
}
