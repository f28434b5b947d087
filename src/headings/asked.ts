/**
 * Computed fields of which many records are asked at once: what lists name among their columns, because people sort and filter by it; what
 * screens select, order, group and add up by; and what other records add up. The database keeps those that it can (`expression/kept-columns.ts`).
 */

import type { Checked } from '../expression/checked.ts'
import { partsOf } from '../expression/computed.ts'
import type { Expression } from '../expression/expression.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { usesOf } from '../kinds/screens/uses.ts'
import type { Card, Grouping, Measure, Screen, SortKey } from './2-screens/model.ts'
import type { App } from './app.ts'
import { specified } from './specified.ts'

/** By entity. `expressions`: all that the document has. */
export function askedOfMany(app: App, expressions: readonly Expression[]): ReadonlyMap<string, ReadonlySet<string>> {
  const collector = collect(app)
  for (const { key, order, marks } of app.entities.values()) {
    collector.order(key, order)
    for (const { where } of marks) collector.read(key, where)
  }
  for (const screen of app.screens) {
    for (const card of usesOf(screen).cards) askedByCard(card, collector)
    askedByScreen(app, screen, collector)
  }
  for (const { root } of expressions) askedByOthers(root, collector)
  return collector.asked
}

interface Collector {
  readonly asked: ReadonlyMap<string, ReadonlySet<string>>
  readonly add: (entity: string, field: string) => void
  readonly read: (entity: string, expression: Expression | null) => void
  readonly order: (entity: string, sorts: readonly SortKey[]) => void
  readonly group: (entity: string, grouping: Grouping) => void
  readonly measure: (measure: Measure) => void
}

function collect({ entities }: App): Collector {
  const asked = new Map<string, Set<string>>()
  const add = (entity: string, field: string): void => {
    const known = asked.get(entity) ?? new Set()
    asked.set(entity, known)
    const computed = entities.get(entity)?.fields.find(({ key }) => key === field)?.computed ?? null
    if (computed === null || known.has(field)) return
    known.add(field)
    read(entity, computed)
  }
  const read = (entity: string, expression: Expression | null): void => {
    for (const path of expression?.reads ?? []) add(entity, path.split('.')[0]!)
  }
  return {
    asked,
    add,
    read,
    order(entity, sorts) {
      for (const { field } of sorts) add(entity, field)
    },
    group(entity, { value }) {
      read(entity, value)
    },
    measure({ figure, whole }) {
      for (const one of [figure, whole]) {
        if (one === null || one === 'all' || !('kind' in one)) continue
        read(one.entity, one.of)
        read(one.entity, one.where)
      }
    },
  }
}

function askedByCard({ shows }: Card, { read, order, group, measure }: Collector): void {
  const content = specified(shows)
  if (content === null) return
  if (content.kind === 'list') {
    read(content.entity, content.where)
    order(content.entity, content.sort)
    return
  }
  const { entity } = content.measures[0].figure
  for (const one of content.measures) measure(one)
  read(entity, content.date)
  if (content.kind !== 'chart') return
  for (const by of [content.by, content.across]) if (by !== null) group(entity, by)
}

function askedByScreen(app: App, screen: Screen, { add, read, order, group, measure }: Collector): void {
  const shows = specified(screen.shows)
  const entity = shows === null || shows.entity === null ? undefined : app.entities.get(shows.entity)
  const kind = kindOf(screen)
  if (shows === null || entity === undefined || kind?.record !== undefined) return
  const { key } = entity
  const uses = usesOf(screen)
  for (const { where, sort } of [uses, ...uses.views]) {
    read(key, where)
    order(key, sort)
  }
  if (kind?.isListing)
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

/** What expressions add up over other records. */
function askedByOthers(node: Checked, collector: Collector): void {
  for (const part of partsOf(node)) {
    if (node.op === 'aggregate' && node.source.kind === 'records') {
      const { entity } = node.source
      ownOf(part, field => collector.add(entity, field))
    }
    askedByOthers(part, collector)
  }
}

function ownOf(node: Checked, tell: (field: string) => void): void {
  if (node.op === 'field' && node.path.base === 'own') tell(node.path.steps[0]!.field)
  if (!('source' in node)) for (const part of partsOf(node)) ownOf(part, tell)
}
