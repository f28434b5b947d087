/** The tabs over a list: the list itself and the views that the document declares. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { allView } from '../../headings/2-screens/views.ts'
import { viewHref, viewName } from '../../kinds/screens/address.ts'
import type { ListView } from '../../kinds/screens/view-model.ts'
import { say } from '../sentences.ts'
import type { Building } from './common.ts'

export function viewsOf({ site, exchange }: Building, { views }: Screen): ListView['views'] {
  if (views.length === 0) return []
  const { path, query } = exchange
  const open = query.get(viewName) ?? allView
  const declared = views.map(({ key, name }) => ({ key, label: name.text }))
  return [{ key: allView, label: say(site, 'allRecords') }, ...declared].map(({ key, label }) => ({
    label,
    href: key === allView ? path : viewHref(path, key),
    current: open === key,
  }))
}
