/** What stands around the rows of a list: made once for all who may do the same at an address, whatever page of it they look at. */

import { memoize } from '../../expression/memoize.ts'
import type { Grouping, Screen } from '../../headings/2-screens/model.ts'
import { hasPlace, placeField } from '../../headings/3-entities/by-hand.ts'
import type { App } from '../../headings/app.ts'
import { specified } from '../../headings/specified.ts'
import { clearHref, countName, filterHref, pageHref, sortHref, withoutHref } from '../../kinds/screens/address.ts'
import type { FilterBarView, FilterRecords } from '../../kinds/screens/filter-view.ts'
import { kindOf } from '../../kinds/screens/index.ts'
import { archivedName, filterableFields, onlyArchived } from '../../kinds/screens/query.ts'
import type { ReadRow, RowsData } from '../../kinds/screens/read-data.ts'
import { groupField } from '../../kinds/screens/row-groups.ts'
import type { RowsNeed } from '../../kinds/screens/screen-kind.ts'
import type { BulkLink, TableFrame, TableView } from '../../kinds/screens/table-view.ts'
import type { FieldView } from '../../kinds/screens/view-model.ts'
import { editable, editableAtOnce } from '../../run/access/editable.ts'
import { policyFor } from '../../run/access/policy.ts'
import { opensIn } from '../../run/access/read-log.ts'
import { listLabel } from '../../run/many/import-fields.ts'
import { listsOut } from '../../run/read/read-out.ts'
import type { Actor, Request } from '../../run/request.ts'
import { mayOpen } from '../access.ts'
import { isSignedIn } from '../request-context.ts'
import { bulkHref, emergencyHref, importHref, placeHref, printHref } from '../routes.ts'
import { restoresOf, seesOf } from '../seen.ts'
import { say } from '../sentences.ts'
import { exportName, paperFormat, withRowsName } from '../sheets.ts'
import { fieldInfo, type Site } from '../site.ts'
import { assumedOf, type Building, createLink } from './common.ts'
import { groupLabel } from './figures.ts'
import { filterBar, notLooked } from './filter-bar.ts'
import { columnChooser } from './filters.ts'
import { groupChoice } from './table-groups.ts'
import { firstHead } from './table-heads.ts'
import { thingsOf } from './things.ts'
import { isNumeric } from './values.ts'

interface Framing {
  readonly screen: Screen
  /** As the screen kind gave it. */
  readonly need: RowsNeed
  readonly ignored: readonly string[]
  readonly data: Pick<RowsData, 'columns' | 'create' | 'exports' | 'imports'>
  readonly records: FilterRecords
  /** What its rows may be grouped by besides columns. */
  readonly groups: readonly Grouping[]
}

/** What is kept of a list. */
interface Framed {
  readonly frame: TableFrame
  /** What may be done with several rows, whatever can be done with each. */
  readonly bulk: readonly BulkLink[]
  /** Where places in it are changed; null: it is not in an order by hand. */
  readonly places: string | null
  /** Its rows, by what was read of them. */
  readonly rows: WeakMap<ReadRow, TableView['rows'][number]>
  /** Its pages, by the rows that were read. */
  readonly pages: WeakMap<readonly ReadRow[], Pick<TableView, 'rows' | 'bulk'>>
}

/** Lists come from addresses: many, and mostly the same. */
const mostLists = 500

const lists = new WeakMap<Site, WeakMap<Request['limits'], Map<string, Framed>>>()

/**
 * The frame of a list. Beside the site and the constants, what decides it is in its key: the address but for its page, what of it was not
 * understood, the rights of whoever reads, the day, and the records that filters name and offer. So it is made of that address, and not
 * of the one that was asked for.
 */
export function framed(build: Building, framing: Framing): Framed {
  const { site, context } = build
  const { request, path, query } = context
  const address = pageHref(path, query, null)
  const known = memoize(
    memoize(lists, site, () => new WeakMap<Request['limits'], Map<string, Framed>>()),
    request.limits,
    () => new Map<string, Framed>(),
  )
  const rights = policyFor(site.app, request.actor).key
  const { names, offered } = framing.records
  const found = JSON.stringify([framing.ignored, [...names], [...offered]])
  const key = [rights, framing.screen.key, request.today, address, found].join('\0')
  if (known.size > mostLists) known.clear()
  return memoize(known, key, () => {
    const listed = { ...build, context: { ...context, query: new URLSearchParams(address.slice(path.length)) } }
    return {
      frame: frameOf(listed, framing),
      bulk: bulkOf(listed, framing.need),
      places: isSignedIn(context) && isByHand(site.app, framing.need) ? placeHref(framing.need.entity) : null,
      rows: new WeakMap(),
      pages: new WeakMap(),
    }
  })
}

/** It stands in its entity's order by hand, and in no other one besides. */
export function isByHand(
  app: App,
  { entity, sort, group, archived }: Pick<RowsNeed, 'entity' | 'sort' | 'group' | 'archived'>,
): boolean {
  const of = app.entities.get(entity)!
  const [first, ...further] = sort.length > 0 ? sort : of.order
  const isPlace = first?.field === placeField && !first.descending && further.length === 0
  return hasPlace(of) && isPlace && group === undefined && archived !== true
}

function frameOf(build: Building, { screen, need, ignored, data, records, groups }: Framing): TableFrame {
  const { site, context } = build
  const { path, query } = context
  const { entity } = need
  const shown = need.columns.filter(column => data.columns.includes(column))
  const bar = filterBar(build, screen, need, shown, { records, more: archivedFilter(build, entity) })
  const isFiltered = bar.clear !== null || need.archived === true
  return {
    title: screen.name.text,
    meaning: screen.meaning?.text ?? null,
    assumed: assumedOf(site, entity),
    bar: {
      ...bar,
      chips: [...archivedChip(build, need), ...bar.chips],
      clear: isFiltered ? clearHref(path, query) : null,
    },
    chooser: columnChooser(build, entity, shown),
    ignored: [
      ...(need.similar && need.search !== null ? [say(site, 'searchSimilar', { search: need.search })] : []),
      ...notLooked(build, need, ignored),
    ],
    columns: columnsOf(build, need, shown),
    grouping: groupChoice(build, groups, { ...need, columns: shown }),
    order: orderOf(build, need),
    countAll: filterHref(path, query, countName, 'all'),
    first: pageHref(path, query, null),
    create: createLink(build, entity, data.create),
    import: data.imports ? { label: say(site, 'import'), href: importHref(entity) } : null,
    emergency: opensIn(site.app, context.request.actor, entity)
      ? { label: say(site, 'emergency'), href: emergencyHref(entity) }
      : null,
    exports: data.exports ? exportLinks(build, entity) : [],
  }
}

function columnsOf(build: Building, need: RowsNeed, shown: readonly string[]): TableFrame['columns'] {
  const { site, context } = build
  const { entity } = need
  const of = site.app.entities.get(entity)!
  const fields = filterableFields(of, site.app)
  const sees = seesOf(context)
  const head = firstHead(site.app, of, shown, field => sees(entity, field))
  const edited = new Set(need.archived ? [] : editedFields(build, entity))
  return shown.flatMap((field, at) => {
    const info = fieldInfo(site.app, entity, field)
    if (info === null) return []
    const first = need.sort[0]
    const called = at === 0 ? head : null
    const sorted = called !== null && fields.get(called.field)?.kind.sortable ? called.field : field
    return [
      {
        field,
        label: called?.label ?? info.label,
        numeric: isNumeric(info.type),
        amount: info.type.kind === 'money',
        bare: isOnlyOne(build, entity, field, shown),
        edited: edited.has(field),
        sort: fields.get(sorted)?.kind.sortable
          ? {
              href: sortHref(context.path, context.query, sorted, need.sort),
              direction:
                first?.field !== sorted ? null : first.descending ? ('descending' as const) : ('ascending' as const),
            }
          : null,
      },
    ]
  })
}

/** Whether it names a record, and no other column one of the same entity. */
function isOnlyOne({ site }: Building, entity: string, field: string, shown: readonly string[]): boolean {
  const target = (of: string) => {
    const type = fieldInfo(site.app, entity, of)?.type
    return type?.kind === 'reference' ? type.entity : null
  }
  return target(field) !== null && shown.filter(other => target(other) === target(field)).length === 1
}

/** Fields that this person may change on some record. */
const editedFields = ({ site, context }: Pick<Building, 'site' | 'context'>, entity: string): readonly string[] =>
  isSignedIn(context) ? editable(site.app, context.request.actor, entity).map(({ key }) => key) : []

/** A change of one field, where these roles may change one, and what they may print. */
function bulkOf({ site, context }: Building, { entity, archived }: RowsNeed): readonly BulkLink[] {
  const { actor } = context.request
  if (archived || !isSignedIn(context)) return []
  const isEdited = editableAtOnce(site.app, actor, entity).length > 0
  const edit = isEdited ? [{ label: say(site, 'bulkEdit'), danger: false, action: bulkHref(entity) }] : []
  const prints = printsOf(site, actor, entity).map(({ key, name }) => ({
    label: say(site, 'printIt', { name: name.text }),
    danger: false,
    action: printHref(key),
  }))
  return [...edit, ...prints]
}

/** Prints of such records, for whoever may open them. */
const printsOf = ({ app }: Site, actor: Actor, entity: string): readonly Screen[] =>
  app.screens.filter(
    screen => kindOf(screen)?.isPaper && specified(screen.shows)?.entity === entity && mayOpen(screen, actor),
  )

/** These records in this order, from the first one on; as a sheet, with their rows, too. */
function exportLinks({ site, context }: Building, entity: string): TableFrame['exports'] {
  const { path, query, runtime, request } = context
  const things = thingsOf(site, entity)
  const lists = listsOut(runtime, request, entity).flatMap(({ list }) =>
    list.within === null ? [listLabel(site.app, entity, list)] : [],
  )
  return (['csv', 'xlsx', paperFormat] as const).flatMap(name => {
    const href = filterHref(path, query, exportName, name)
    const plain = { label: say(site, exportWords[name], { things }), href }
    if (name === paperFormat || lists.length === 0) return [plain]
    const rows = site.reader.format.allOf(lists)
    return [plain, { label: say(site, 'exportRows', { file: plain.label, rows }), href: `${href}&${withRowsName}=yes` }]
  })
}

const exportWords = { csv: 'exportCsv', xlsx: 'exportExcel', pdf: 'exportPdf' } as const

function orderOf({ site, context }: Building, { entity, sort, group }: RowsNeed): string {
  const sees = seesOf(context)
  const together = group === undefined ? [] : [groupLabel(site, group.by)]
  const isGroup = (field: string) => group?.by.unit === null && groupField(group).includes(field)
  const order = sort
    .filter(({ field }) => !isGroup(field))
    .flatMap(({ field, descending }) => {
      const info = fieldInfo(site.app, entity, field)
      // The document may sort a screen by what not everybody sees who opens it.
      if (info === null || !sees(entity, field)) return []
      return [descending ? say(site, 'descending', { field: info.label }) : info.label]
    })
  return site.reader.format.allOf([...together, ...order])
}

function archivedChip({ site, context }: Building, { archived }: RowsNeed): FilterBarView['chips'] {
  if (archived !== true) return []
  return [
    { label: say(site, 'archivedFilter'), value: '', href: withoutHref(context.path, context.query, archivedName) },
  ]
}

/** What is archived, for those who may bring it back. */
function archivedFilter({ site, context }: Building, entity: string): readonly FieldView[] {
  if (!restoresOf(context)(entity)) return []
  return [
    {
      key: archivedName,
      name: archivedName,
      id: `filter-${archivedName}`,
      label: say(site, 'archivedFilter'),
      hint: null,
      required: false,
      value: context.query.get(archivedName) ?? '',
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
