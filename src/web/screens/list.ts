/** A list: rows that were read → what its view shows. The list's state is its address, so every link is one. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { pageHref, similarName } from '../../kinds/screens/address.ts'
import { listPart } from '../../kinds/screens/list/screen.ts'
import type { BulkLink, ListFrame, ListView } from '../../kinds/screens/list/view-model.ts'
import type { RowsData } from '../../kinds/screens/read-data.ts'
import type { RowsNeed } from '../../kinds/screens/screen-kind.ts'
import { memoize } from '../../run/memoize.ts'
import { mayBeAlike } from '../../run/read/filter.ts'
import { csrfInput } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import { bulkHref } from '../routes.ts'
import { say } from '../sentences.ts'
import { fieldInfo, type Site } from '../site.ts'
import { type Building, namingFields, noneOf, screenMark } from './common.ts'
import { draftLinks } from './drafts.ts'
import { faceFields } from './face.ts'
import { searchOf } from './filter-bar.ts'
import type { FilterRecords } from './filter-records.ts'
import { framed } from './list-frame.ts'
import { rowViews } from './list-rows.ts'
import { countNumber, countText } from './things.ts'
import { textOf } from './values.ts'
import { saverOf, viewsOf } from './views.ts'

/** What is read for a list: its columns, what rows are named and linked by, and the sums of what it adds up and shows. */
export const listNeed = (build: Building, screen: Screen, need: RowsNeed): RowsNeed => ({
  ...need,
  columns: [
    ...new Set([...need.columns, ...namingFields(build.site, need.entity), ...faceFields(build.site, need.entity)]),
  ],
  totals: listPart(screen).totals.flatMap(({ field }) => (need.columns.includes(field) ? [field] : [])),
})

/** What is asked where a search found nothing: for words that are one letter off. Null: it has none that may be. */
export const similarNeed = (need: RowsNeed): RowsNeed | null =>
  need.similar !== true && need.after === null && need.before === null && mayBeAlike(need.search)
    ? { ...need, similar: true }
    : null

/** As if its address asked for that: so do the addresses that the list leads to, of its pages, files and records. */
export const similarExchange = (context: RequestContext): RequestContext => ({
  ...context,
  query: new URLSearchParams([...context.query, [similarName, 'yes']]),
})

interface ListOptions {
  readonly screen: Screen
  /** As the screen kind gave it: without what `listNeed` adds. */
  readonly need: RowsNeed
  readonly ignored: readonly string[]
  readonly data: RowsData
  readonly records: FilterRecords
  readonly held: ListView['held']
}

export function listView(build: Building, { screen, need, ignored, data, records, held }: ListOptions): ListView {
  const { site, context } = build
  const { path, query } = context
  const { entity } = need
  const around = framed(build, { screen, need, ignored, data, records })
  const { frame } = around
  const count = data.count === null ? null : countText(site, entity, data.count)
  const { rows, bulk } = memoize(around.pages, data.rows, () => {
    const fields = frame.columns.map(({ field }) => field)
    const made = data.rows.map(rowViews(build, screen, entity, fields, around.rows))
    return { rows: made, bulk: need.archived ? [] : bulkOf(entity, made, around.bulk) }
  })
  const further = need.after !== null || need.before !== null
  return {
    kind: 'list',
    title: frame.title,
    pageTitle: frame.title,
    crumbs: [],
    mark: screenMark(site, screen),
    assumed: frame.assumed,
    frame,
    views: viewsOf(build, screen),
    saver: saverOf(build, screen),
    count,
    more: data.count?.more === true,
    range:
      data.count === null || further
        ? count
        : say(site, 'firstOf', { to: data.rows.length, all: countNumber(site, data.count) }),
    caption: captionOf(site, frame, count),
    rows,
    totals: totalsOf(build, entity, frame.columns, data),
    bulk,
    here: { name: '_list', value: query.size === 0 ? path : `${path}?${query}` },
    token: csrfInput(context),
    next: data.next === null ? null : pageHref(path, query, { after: data.next }),
    previous: data.previous === null ? null : pageHref(path, query, { before: data.previous }),
    further,
    drafts: draftLinks(build, entity),
    held,
    empty: data.rows.length > 0 ? null : emptyOf(build, screen, need, frame.bar.clear !== null),
  }
}

/** One per column; null where there is nothing to add up, and in all where it is one row or none. */
function totalsOf(
  { site }: Building,
  entity: string,
  columns: readonly { readonly field: string }[],
  { totals, count }: RowsData,
): ListView['totals'] {
  if (count === null || count.n < 2) return null
  const cells = columns.map(({ field }) => {
    const info = fieldInfo(site.app, entity, field)
    return info === null || totals[field] === undefined ? null : textOf(site, entity, info, totals[field])
  })
  return cells.every(cell => cell === null) ? null : cells
}

/** Steps that are open for a row of the page, and `others`; last what leads to a bad end. */
function bulkOf(entity: string, rows: ListView['rows'], others: readonly BulkLink[]): readonly BulkLink[] {
  const steps = new Map(rows.flatMap(row => row.actions).map(action => [action.key, action]))
  const taken = [...steps.values()].map(({ key, label, danger }) => ({ label, danger, action: bulkHref(entity, key) }))
  return [...taken, ...others].toSorted((a, b) => Number(a.danger) - Number(b.danger))
}

function emptyOf(build: Building, screen: Screen, need: RowsNeed, filtered: boolean): ListView['empty'] {
  const { site } = build
  const fields = need.search === null ? null : searchOf(build, need)
  if (filtered) {
    const text = fields === null ? '' : say(site, 'emptySearched', { fields: fields.label })
    return { title: say(site, 'emptyFiltered'), text, filtered }
  }
  const { emptyText, where } = listPart(screen)
  return {
    title: emptyText?.text ?? noneOf(site, need.entity, where !== null),
    text: '',
    filtered,
  }
}

function captionOf(site: Site, { title, order }: ListFrame, count: string | null): string {
  const things = count === null ? title : say(site, 'captionAll', { things: title, count })
  return order === '' ? things : say(site, 'captionSorted', { things, fields: order })
}
