/** A list: rows that were read → what its view shows. The list's state is its address, so every link is one. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { said } from '../../headings/said.ts'
import {
  clearHref,
  countName,
  filterHref,
  pageHref,
  similarName,
  sortHref,
  withoutHref,
} from '../../kinds/screens/address.ts'
import type { ListView } from '../../kinds/screens/list/view-model.ts'
import { archivedName, filterableFields, onlyArchived } from '../../kinds/screens/query.ts'
import type { RowsData, RowsNeed } from '../../kinds/screens/screen-kind.ts'
import type { FieldView } from '../../kinds/screens/view-model.ts'
import { editable, editableAtOnce } from '../../run/access/editable.ts'
import { opensIn } from '../../run/access/read-log.ts'
import { mayBeAlike } from '../../run/read/filter.ts'
import type { Actor } from '../../run/request.ts'
import { mayOpen } from '../access.ts'
import { type Exchange, isSignedIn } from '../exchange.ts'
import { csrfInput } from '../pages.tsx'
import { bulkHref, emergencyHref, importHref, printHref } from '../routes.ts'
import { restoresOf, seesOf } from '../seen.ts'
import { say } from '../sentences.ts'
import { exportName, sheetFormats } from '../sheets.ts'
import { faceOf, type Site } from '../site.ts'
import { assumedOf, type Building, createLink, namingFields, noneOf, screenMark } from './common.ts'
import { draftLinks } from './drafts.ts'
import { filterBar, notLooked, searchOf } from './filter-bar.ts'
import type { FilterRecords } from './filter-records.ts'
import { columnChooser } from './filters.ts'
import { rowViews } from './list-rows.ts'
import { countNumber, countText, thingsOf } from './things.ts'
import { isNumeric, textOf } from './values.ts'
import { saverOf, viewsOf } from './views.ts'

/** What is read for a list: its columns, what rows are named and linked by, and the sums of what it adds up and shows. */
export const listNeed = (build: Building, { totals }: Screen, need: RowsNeed): RowsNeed => ({
  ...need,
  columns: [...new Set([...need.columns, ...namingFields(build.site, need.entity)])],
  totals: totals.flatMap(({ field }) => (need.columns.includes(field) ? [field] : [])),
})

/** What is asked where a search found nothing: for words that are one letter off. Null: it has none that may be. */
export const similarNeed = (need: RowsNeed): RowsNeed | null =>
  need.similar !== true && need.after === null && need.before === null && mayBeAlike(need.search)
    ? { ...need, similar: true }
    : null

/** As if its address asked for that: so do the addresses that the list leads to, of its pages, files and records. */
export const similarExchange = (exchange: Exchange): Exchange => ({
  ...exchange,
  query: new URLSearchParams([...exchange.query, [similarName, 'yes']]),
})

interface ListOptions {
  readonly screen: Screen
  /** As the screen kind gave it: without what `listNeed` adds. */
  readonly need: RowsNeed
  readonly ignored: readonly string[]
  readonly data: RowsData
  readonly records: FilterRecords
}

export function listView(build: Building, { screen, need, ignored, data, records }: ListOptions): ListView {
  const { site, exchange } = build
  const { path, query } = exchange
  const { entity } = need
  const of = site.app.entities.get(entity)!
  const fields = filterableFields(of, site.app)
  const shown = need.columns.filter(column => data.columns.includes(column))
  const edited = new Set(need.archived ? [] : editedFields(build, entity))
  const columns = shown.flatMap(field => {
    const face = faceOf(site.app, entity, field)
    if (face === null) return []
    const first = need.sort[0]
    return [
      {
        field,
        label: face.label,
        numeric: isNumeric(face.type),
        amount: face.type.kind === 'money',
        bare: isOnlyOne(build, entity, field, shown),
        edited: edited.has(field),
        sort: fields.get(field)?.kind.sortable
          ? {
              href: sortHref(path, query, field, need.sort),
              direction:
                first?.field !== field ? null : first.descending ? ('descending' as const) : ('ascending' as const),
            }
          : null,
      },
    ]
  })
  const bar = filterBar(build, screen, need, shown, { records, more: archivedFilter(build, entity) })
  const isFiltered = bar.clear !== null || need.archived === true
  const count = data.count === null ? null : countText(site, entity, data.count)
  const rows = data.rows.map(
    rowViews(
      build,
      screen,
      entity,
      columns.map(({ field }) => field),
    ),
  )
  return {
    kind: 'list',
    title: screen.name.text,
    pageTitle: screen.name.text,
    crumbs: [],
    mark: screenMark(site, screen),
    assumed: assumedOf(site, entity),
    views: viewsOf(build, screen),
    bar: {
      ...bar,
      chips: [...archivedChip(build, need), ...bar.chips],
      clear: isFiltered ? clearHref(path, query) : null,
    },
    saver: saverOf(build, screen),
    chooser: columnChooser(build, entity, shown),
    ignored: [
      ...(need.similar && need.search !== null ? [say(site, 'searchSimilar', { search: need.search })] : []),
      ...notLooked(build, need, ignored),
    ],
    count,
    range:
      data.count === null || need.after !== null || need.before !== null
        ? count
        : say(site, 'firstOf', { to: data.rows.length, all: countNumber(site, data.count) }),
    exact: data.count?.more === true ? filterHref(path, query, countName, 'all') : null,
    caption: captionOf(build, screen, need, count),
    columns,
    rows,
    totals: totalsOf(build, entity, columns, data),
    bulk: need.archived ? [] : bulkOf(build, entity, rows),
    hidden: [{ name: '_list', value: query.size === 0 ? path : `${path}?${query}` }],
    token: csrfInput(exchange),
    next: data.next === null ? null : pageHref(path, query, { after: data.next }),
    previous: data.previous === null ? null : pageHref(path, query, { before: data.previous }),
    first: need.after === null && need.before === null ? null : pageHref(path, query, null),
    create: createLink(build, entity, data.create),
    drafts: draftLinks(build, entity),
    import: data.imports ? { label: say(site, 'import'), href: importHref(entity) } : null,
    emergency: opensIn(site.app, build.exchange.request.actor, entity)
      ? { label: say(site, 'emergency'), href: emergencyHref(entity) }
      : null,
    exports: data.exports ? exportLinks(build, entity) : [],
    empty: data.rows.length > 0 ? null : emptyOf(build, screen, need, isFiltered),
  }
}

/** Whether it names a record, and no other column one of the same entity. */
function isOnlyOne({ site }: Building, entity: string, field: string, shown: readonly string[]): boolean {
  const target = (of: string) => {
    const type = faceOf(site.app, entity, of)?.type
    return type?.kind === 'reference' ? type.entity : null
  }
  return target(field) !== null && shown.filter(other => target(other) === target(field)).length === 1
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
    const face = faceOf(site.app, entity, field)
    return face === null || totals[field] === undefined ? null : textOf(site, entity, face, totals[field])
  })
  return cells.every(cell => cell === null) ? null : cells
}

/** Fields that this person may change on some record. */
const editedFields = ({ site, exchange }: Pick<Building, 'site' | 'exchange'>, entity: string): readonly string[] =>
  isSignedIn(exchange) ? editable(site.app, exchange.request.actor, entity).map(({ key }) => key) : []

/** Steps that are open for a row of the page, and a change of one field, where these roles may change one; last what leads to a bad end. */
function bulkOf({ site, exchange }: Building, entity: string, rows: ListView['rows']): ListView['bulk'] {
  const steps = new Map(rows.flatMap(row => row.actions).map(action => [action.key, action]))
  const taken = [...steps.values()].map(({ key, label, danger }) => ({ label, danger, action: bulkHref(entity, key) }))
  const isEdited = isSignedIn(exchange) && editableAtOnce(site.app, exchange.request.actor, entity).length > 0
  const edit = isEdited ? [{ label: say(site, 'bulkEdit'), danger: false, action: bulkHref(entity) }] : []
  const prints = (isSignedIn(exchange) ? printsOf(site, exchange.request.actor, entity) : []).map(({ key, name }) => ({
    label: say(site, 'printIt', { name: name.text }),
    danger: false,
    action: printHref(key),
  }))
  return [...taken, ...edit, ...prints].toSorted((a, b) => Number(a.danger) - Number(b.danger))
}

/** Prints of such records, for whoever may open them. */
const printsOf = ({ app }: Site, actor: Actor, entity: string): readonly Screen[] =>
  app.screens.filter(screen => screen.print !== null && said(screen.shows)?.entity === entity && mayOpen(screen, actor))

/** These records in this order, from the first one on. */
const exportLinks = ({ site, exchange }: Building, entity: string): ListView['exports'] =>
  [...sheetFormats.values()].map(({ name }) => ({
    label: say(site, name === 'csv' ? 'exportCsv' : 'exportExcel', { things: thingsOf(site, entity) }),
    href: filterHref(exchange.path, exchange.query, exportName, name),
  }))

function emptyOf(build: Building, screen: Screen, need: RowsNeed, filtered: boolean): ListView['empty'] {
  const { site } = build
  const fields = need.search === null ? null : searchOf(build, need)
  if (filtered) {
    const text = fields === null ? '' : say(site, 'emptySearched', { fields: fields.label })
    return { title: say(site, 'emptyFiltered'), text, filtered }
  }
  return {
    title: screen.emptyText?.text ?? noneOf(site, need.entity, screen.where !== null),
    text: '',
    filtered,
  }
}

function captionOf({ site, exchange }: Building, screen: Screen, need: RowsNeed, count: string | null): string {
  const sees = seesOf(exchange)
  const order = need.sort.flatMap(({ field, descending }) => {
    const face = faceOf(site.app, need.entity, field)
    // The document may sort a screen by what not everybody sees who opens it.
    if (face === null || !sees(need.entity, field)) return []
    return [descending ? say(site, 'descending', { field: face.label }) : face.label]
  })
  const title = count === null ? screen.name.text : say(site, 'captionAll', { things: screen.name.text, count })
  return order.length === 0
    ? title
    : say(site, 'captionSorted', { things: title, fields: site.reader.format.allOf(order) })
}

function archivedChip({ site, exchange }: Building, { archived }: RowsNeed): ListView['bar']['chips'] {
  if (archived !== true) return []
  return [
    { label: say(site, 'archivedFilter'), value: '', href: withoutHref(exchange.path, exchange.query, archivedName) },
  ]
}

/** What is archived, for those who may bring it back. */
function archivedFilter({ site, exchange }: Building, entity: string): readonly FieldView[] {
  if (!restoresOf(exchange)(entity)) return []
  return [
    {
      key: archivedName,
      name: archivedName,
      id: `filter-${archivedName}`,
      label: say(site, 'archivedFilter'),
      hint: null,
      required: false,
      value: exchange.query.get(archivedName) ?? '',
      errors: [],
      mark: null,
      control: {
        kind: 'select',
        options: [{ value: onlyArchived, label: say(site, 'archivedOnly') }],
        empty: say(site, 'archivedNone'),
      },
    },
  ]
}
