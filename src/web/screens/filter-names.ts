/** What the records are called that filters of an address name by their ids. */
import type { Filter } from '../../kinds/screens/screen-kind.ts'
import { readOptions } from '../../run/read/form.ts'
import { isId } from '../../run/values.ts'
import type { Exchange } from '../exchange.ts'
import { linksTo } from '../site.ts'
import { filterPlace } from './filters.ts'

/** By id; whose names their reader may not see are not among them. */
export type FilterNames = ReadonlyMap<string, string>

/** Mostly nothing is asked for. */
export async function filterNames(
  { site, runtime, request }: Exchange,
  entity: string,
  filters: readonly Filter[],
): Promise<FilterNames> {
  const asked = filters.flatMap(filter => {
    const place = filterPlace(site, entity, filter)
    const ids = [filter.value]
      .flat()
      .filter(value => typeof value === 'string')
      .filter(isId)
    const isNamed = place !== null && (place.face.type.kind === 'reference' || linksTo(place.face) !== null)
    return isNamed && ids.length > 0 ? [{ entity: place.entity, field: filter.field, ids }] : []
  })
  const found = await Promise.all(
    asked.map(({ ids, ...of }) =>
      readOptions(runtime, request, { ...of, search: null, limit: ids.length, ids, named: ids }),
    ),
  )
  return new Map(found.flatMap(({ options }) => options.map(({ value, label }) => [value, label])))
}
