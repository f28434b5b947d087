/** A screen that is a React component of the document. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { pageHref } from '../../kinds/screens/address.ts'
import { BlockScreen } from '../../kinds/screens/block/view.tsx'
import type { BlockScreenView } from '../../kinds/screens/block/view-model.ts'
import type { RowsNeed } from '../../kinds/screens/screen-kind.ts'
import { read } from '../../run/read/read.ts'
import { rowJson } from '../api/json.ts'
import { screenBlock, stepsOf } from '../blocks.ts'
import { notFound, viewPage } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { actionsOf, assumedOf, building, namingFields, openHref, screenMark } from '../screens/common.ts'

/** `need` null: it is given no records. */
export async function blockPage(context: RequestContext, screen: Screen, need: RowsNeed | null): Promise<HttpResponse> {
  const { site, runtime, request, path, query } = context
  const build = building(context)
  const wanted =
    need === null ? null : { ...need, columns: [...new Set([...need.columns, ...namingFields(site, need.entity)])] }
  const data = wanted === null ? null : await read(runtime, request, wanted)
  if (need !== null && data === null) return notFound(context)
  const records =
    need === null || data === null
      ? []
      : data.rows.map(row => ({
          ...rowJson(site.app, need.entity, row),
          href: openHref(build, need.entity, row),
          steps: stepsOf(actionsOf(build, null, need.entity, row, { onlyOpen: true })),
        }))
  const next = data?.next ?? null
  const given = need === null ? null : { records, more: next !== null }
  const { view: block, script } = screenBlock(context, screen, given)
  const view: BlockScreenView = {
    kind: 'block',
    title: screen.name.text,
    pageTitle: screen.name.text,
    crumbs: [],
    mark: screenMark(site, screen),
    assumed: assumedOf(site, need?.entity ?? null),
    block,
    next: next === null ? null : pageHref(path, query, { after: next }),
    previous: data?.previous == null ? null : pageHref(path, query, { before: data.previous }),
  }
  return viewPage(context, view, <BlockScreen view={view} />, script === null ? [] : [script])
}
