/** Records that filters name: what those are called that an address names by their ids, and those that a filter offers. */
import type { Screen } from '../../headings/2-screens/model.ts'
import type { FilterRecords, OfferedRecords } from '../../kinds/screens/filter-view.ts'
import { type FilterField, fieldAt, pathTo } from '../../kinds/screens/query.ts'
import type { Filter, GroupsNeed, RowsNeed } from '../../kinds/screens/screen-kind.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import { readOptions } from '../../run/read/options.ts'
import { isId } from '../../run/values.ts'
import { selectOptions } from '../bounds.ts'
import { type RequestContext, readingAtOnce } from '../request-context.ts'
import type { Building } from './common.ts'
import { builtFilters, filterPlace, namesRecords, soughtIn } from './filters.ts'

/** Offered are those of the filters that the screen names, and of those that are being put together; mostly nothing is asked for. */
export async function filterRecords(
  { context, ...rest }: Building,
  screen: Screen,
  { entity, filters }: Pick<RowsNeed | GroupsNeed, 'entity' | 'filters'>,
): Promise<FilterRecords> {
  const build = { ...rest, context: readingAtOnce(context) }
  const { app } = build.site
  const named = usesOf(screen).filters.map(path => fieldAt(path, app.entities.get(entity)!, app))
  const places = [...named, ...builtFilters(build, { entity, filters })]
  const [names, offered] = await Promise.all([
    namesIn(build.context, entity, filters),
    Promise.all(places.map(place => offeredAt(build, entity, place))),
  ])
  return { names, offered: new Map(offered.flat()) }
}

async function offeredAt(
  build: Building,
  entity: string,
  of: FilterField,
): Promise<readonly (readonly [string, OfferedRecords])[]> {
  const { runtime, request } = build.context
  const place = filterPlace(build.site, entity, of)
  if (place === null || !namesRecords(place.info)) return []
  const path = pathTo(of)
  const search = soughtIn(build, path) || null
  const need = { entity: place.entity, field: of.field, search, limit: selectOptions, past: true } as const
  return [[path, await readOptions(runtime, request, need)]]
}

async function namesIn(
  { site, runtime, request }: RequestContext,
  entity: string,
  filters: readonly Filter[],
): Promise<FilterRecords['names']> {
  const asked = filters.flatMap(filter => {
    const place = filterPlace(site, entity, filter)
    const ids = [filter.value]
      .flat()
      .filter(value => typeof value === 'string')
      .filter(isId)
    return place !== null && namesRecords(place.info) && ids.length > 0
      ? [{ entity: place.entity, field: filter.field, ids }]
      : []
  })
  const found = await Promise.all(
    asked.map(({ ids, ...of }) =>
      readOptions(runtime, request, { ...of, search: null, limit: ids.length, ids, named: ids }),
    ),
  )
  return new Map(found.flatMap(({ options }) => options.map(({ value, label }) => [value, label])))
}
