/** Records in rows: what was read → the table that shows it. Its state is its address, so every link is one. */
import type { Cell } from '../../document/source.ts'
import { memoize } from '../../expression/memoize.ts'
import type { Screen } from '../../headings/2-screens/model.ts'
import { pageHref } from '../../kinds/screens/address.ts'
import type { Tabled } from '../../kinds/screens/presenter.ts'
import type { RowsNeed } from '../../kinds/screens/screen-kind.ts'
import type { BulkLink, TableFrame, TableView } from '../../kinds/screens/table-view.ts'
import { mayBeAlike } from '../../run/read/filter.ts'
import { csrfInput } from '../pages.tsx'
import { bulkHref } from '../routes.ts'
import { say } from '../sentences.ts'
import type { Site } from '../site.ts'
import { type Building, noneOf } from './common.ts'
import { searchOf } from './filter-bar.ts'
import { framed } from './table-frame.ts'
import { groupViews, sumsUnder, whole } from './table-groups.ts'
import { rowViews } from './table-rows.ts'
import { countNumber, countText } from './things.ts'

/** What is asked where a search found nothing: for words that are one letter off. Null: it has none that may be. */
export const similarNeed = (need: RowsNeed): RowsNeed | null =>
  need.similar !== true && need.after === null && need.before === null && mayBeAlike(need.search)
    ? { ...need, similar: true }
    : null

export function tableView(
  build: Building,
  screen: Screen,
  { need, ignored, data, records, emptyText, totals, groups: declared, figures }: Tabled,
): TableView {
  const { site, context } = build
  const { path, query } = context
  const { entity } = need
  const around = framed(build, { screen, need, ignored, data, records, groups: declared })
  const { frame } = around
  const count = data.count === null ? null : countText(site, entity, data.count)
  const { rows, bulk } = memoize(around.pages, data.rows, () => {
    const fields = frame.columns.map(({ field }) => field)
    const made = data.rows.map(rowViews(build, screen, entity, fields, around))
    return { rows: made, bulk: need.archived ? [] : bulkOf(entity, made, around.bulk) }
  })
  const further = need.after !== null || need.before !== null
  const sums = sumsUnder(build, totals, frame.columns)
  const all = whole(figures, data)
  const total = all === null || (data.count?.n ?? 0) < 2 ? [] : sums(all.total.values)
  const groups = need.group === undefined ? [] : groupViews(build, need.group, data, all, sums)
  const isFolded = groups.some(group => group.isFolded)
  return {
    frame,
    count,
    more: data.count?.more === true,
    range:
      data.count === null || further || isFolded
        ? count
        : say(site, 'firstOf', { to: data.rows.length, all: countNumber(site, data.count) }),
    caption: captionOf(site, frame, count),
    rows,
    groups,
    totals: total.some(sum => sum !== null) ? total : null,
    bulk,
    here: { name: '_list', value: query.size === 0 ? path : `${path}?${query}` },
    token: csrfInput(context),
    next: data.next === null ? null : pageHref(path, query, { after: data.next }),
    previous: data.previous === null ? null : pageHref(path, query, { before: data.previous }),
    further,
    empty: data.rows.length + groups.length > 0 ? null : emptyOf(build, need, emptyText, frame.bar.clear !== null),
  }
}

/** Steps that are open for a row of the page, and `others`; last what leads to a bad end. */
function bulkOf(entity: string, rows: TableView['rows'], others: readonly BulkLink[]): readonly BulkLink[] {
  const steps = new Map(rows.flatMap(row => row.actions).map(action => [action.key, action]))
  const taken = [...steps.values()].map(({ key, label, danger }) => ({ label, danger, action: bulkHref(entity, key) }))
  return [...taken, ...others].toSorted((a, b) => Number(a.danger) - Number(b.danger))
}

function emptyOf(build: Building, need: RowsNeed, emptyText: Cell | null, filtered: boolean): TableView['empty'] {
  const { site } = build
  const fields = need.search === null ? null : searchOf(build, need)
  if (filtered) {
    const text = fields === null ? '' : say(site, 'emptySearched', { fields: fields.label })
    return { title: say(site, 'emptyFiltered'), text, filtered }
  }
  return {
    title: emptyText?.text ?? noneOf(site, need.entity, need.where !== null),
    text: '',
    filtered,
  }
}

function captionOf(site: Site, { title, order }: TableFrame, count: string | null): string {
  const things = count === null ? title : say(site, 'captionAll', { things: title, count })
  return order === '' ? things : say(site, 'captionSorted', { things, fields: order })
}
