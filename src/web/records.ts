/** From the value in an address (`LN-2026-00007`) to the record that it names, as far as this person may see it. */

import type { Screen } from '../headings/2-screens/model.ts'
import { specified } from '../headings/specified.ts'
import { isStorable } from '../kinds/fields/texts.ts'
import { kindOf } from '../kinds/screens/index.ts'
import type { ReadRow } from '../kinds/screens/read-data.ts'
import type { OneNeed, RowsNeed } from '../kinds/screens/screen-kind.ts'
import { addressed, read } from '../run/read/read.ts'
import { mayOpen } from './access.ts'
import { withList } from './from-list.ts'
import type { RequestContext } from './request-context.ts'
import { type EntityRoutes, fieldIn, recordHref, routeHref } from './routes.ts'
import { namingFields } from './screens/common.ts'
import { fieldInfo } from './site.ts'

/** One statement, which reads `also` besides what names a record; with `archived` what is archived. Null: not there, or not to be seen; callers answer both alike. */
export async function findRecord(
  { runtime, request, site }: RequestContext,
  place: EntityRoutes,
  value: string,
  also: readonly string[] = [],
  which: { readonly archived?: true } = {},
): Promise<ReadRow | null> {
  if (!isLookup(value)) return null
  const { entity, by } = place
  if (addressed(site.app, entity.key, { field: by, value }).field === 'id') {
    const need: OneNeed = {
      kind: 'one',
      entity: entity.key,
      by: { field: 'id', value },
      history: 0,
      shown: 'form',
      ...which,
    }
    return (await read(runtime, request, need))?.row ?? null
  }
  if (fieldInfo(site.app, entity.key, by) === null) return null
  const need: RowsNeed = {
    kind: 'rows',
    entity: entity.key,
    columns: [...new Set([...namingFields(site, entity.key), ...also])],
    where: null,
    filters: [{ field: by, comparison: 'is', value }],
    search: null,
    sort: [],
    after: null,
    before: null,
    limit: 1,
    countTo: 0,
    shown: 'form',
    ...which,
  }
  const row = (await read(runtime, request, need))?.rows[0]
  // A filter on a field that this person may not see is no filter at all: what comes back may be any row.
  return row !== undefined && row.values[by] === value ? row : null
}

/** What one may look for records by. */
export const isLookup = (text: string): boolean => text.length <= 500 && isStorable(text)

/** The record's own page, for those who may open it; else the screen that they most likely came from. */
export function backTo(context: RequestContext, place: EntityRoutes, record: string): string {
  const { actor } = context.request
  if (place.one !== null && mayOpen(place.one, actor)) return withList(context, recordHref(place, record))
  const other = place.screens.find(screen => kindOf(screen)?.isRecordPage && mayOpen(screen, actor))
  const route = other === undefined ? null : specified(other.route)
  if (route !== null && fieldIn(route) === place.by) return withList(context, routeHref(route, record))
  return listOf(context, place)
}

/** The first screen of this person that shows many of them. */
export function listOf(context: RequestContext, place: EntityRoutes): string {
  const list = listScreen(context, place)
  return list !== undefined && 'pattern' in list.route ? list.route.pattern : '/'
}

/** The same as a screen; a form only where nothing shows what it makes. */
export function listScreen({ request }: RequestContext, place: EntityRoutes): Screen | undefined {
  const open = place.screens.filter(
    ({ route, ...screen }) =>
      'segments' in route &&
      route.segments.every(segment => 'text' in segment) &&
      mayOpen({ route, ...screen }, request.actor),
  )
  return open.find(screen => kindOf(screen)?.entry === undefined) ?? open[0]
}
