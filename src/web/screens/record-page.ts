/** The page of a record: it is read with its neighbours in the list that it was opened from, and with what refers to it. */
import type { Screen } from '../../headings/2-screens/model.ts'
import type { RecordView } from '../../kinds/screens/record-view.ts'
import type { OneNeed } from '../../kinds/screens/screen-kind.ts'
import { readNeighbours } from '../../run/read/neighbours.ts'
import { readRecord } from '../../run/read/read.ts'
import { blocksOf } from '../blocks.ts'
import { countsFor } from '../counts.ts'
import { listBefore } from '../from-list.ts'
import { isLookup } from '../records.ts'
import { type RequestContext, readingAtOnce } from '../request-context.ts'
import { building } from './common.ts'
import { nearOf, recordView, shownOf } from './record.ts'
import { relatedLists } from './related.ts'

interface RecordPage {
  readonly view: RecordView
  /** Those of its blocks. */
  readonly scripts: readonly string[]
}

/** `related`: entities whose records are listed below; null: all that refer to it. Null: there is none such, or not for this person. */
export async function recordPage(
  context: RequestContext,
  screen: Screen,
  need: OneNeed,
  related: readonly { readonly entity: string }[] | null,
): Promise<RecordPage | null> {
  const { runtime, request, site } = context
  const { entity } = need
  if (!isLookup(need.by.value)) return null
  const list = listBefore(context, entity)
  const order = list === null ? {} : { order: list.need }
  // Of few kinds, further back.
  // What happened names those who work here, and is theirs.
  const many = shownOf(context) === null ? need.history : need.history * 4
  const history = request.actor.link === undefined ? many : 0
  const found = await readRecord(runtime, request, { ...need, ...order, history, shown: 'page' })
  if (found === null) return null
  const { one } = found
  const by = site.routes.places.get(entity)?.by ?? 'id'
  const reading = readingAtOnce(context)
  const [happened, neighbours, lists] = await Promise.all([
    found.history(reading.runtime),
    list === null || one.place === null || one.opened !== null
      ? null
      : readNeighbours(reading.runtime, request, list.need, by, one.place),
    relatedLists(building(reading), related, entity, one.row.id),
    countsFor(reading),
  ])
  const data = { ...one, history: happened }
  const build = building(context)
  const near = neighbours === null ? null : nearOf(build, entity, neighbours)
  const layout = (await site.graphs.get(entity)?.layout()) ?? null
  const plain = recordView(build, { screen, entity, data, related: lists, near, layout })
  const { views: blocks, scripts } = blocksOf(context, screen, entity, data, plain)
  return { view: { ...plain, blocks }, scripts }
}
