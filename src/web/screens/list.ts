/** A list: rows that were read → what its view shows. The list's state is its address, so every link is one. */
import type { Screen } from '../../headings/2-screens/model.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import { searchedFields } from '../../headings/3-entities/searched.ts'
import { said } from '../../headings/said.ts'
import { wordFor } from '../../headings/translate.ts'
import {
  clearHref,
  countName,
  filterHref,
  otherParameters,
  pageHref,
  similarName,
  sortHref,
  withoutHref,
} from '../../kinds/screens/address.ts'
import type { ListView } from '../../kinds/screens/list/view-model.ts'
import {
  archivedName,
  type Filterable,
  type FilterField,
  fieldAt,
  filterableFields,
  onlyArchived,
  writtenName,
} from '../../kinds/screens/query.ts'
import type { Filter, RowsData, RowsNeed } from '../../kinds/screens/screen-kind.ts'
import type { FieldView, Option } from '../../kinds/screens/view-model.ts'
import { editable, editableAtOnce } from '../../run/access/editable.ts'
import { opensIn } from '../../run/access/read-log.ts'
import { mayBeAlike, refersToNames } from '../../run/read/filter.ts'
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
import { columnChooser, daysOf, filterBuilder, filterPlace, movesWithDays } from './filters.ts'
import { rowViews } from './list-rows.ts'
import { overlookedIn } from './search.ts'
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
}

export function listView(build: Building, { screen, need, ignored, data }: ListOptions): ListView {
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
  const controls = [...filterControls(build, screen, entity, shown, fields), ...archivedFilter(build, entity)]
  const isFiltered = need.filters.length > 0 || need.search !== null || need.archived === true
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
    action: path,
    views: viewsOf(build, screen),
    search: searchOf(build, need),
    filters: controls,
    keep: otherParameters(query, ['q', ...controls.map(({ name }) => name)]),
    builder: filterBuilder(build, entity, need),
    saver: saverOf(build, screen),
    chooser: columnChooser(build, entity, shown),
    chips: [
      ...searchChip(build, need),
      ...archivedChip(build, need),
      ...need.filters.map(filter => chipOf(build, entity, filter)),
    ],
    clear: isFiltered ? clearHref(path, query) : null,
    ignored: [
      ...(need.similar && need.search !== null ? [say(site, 'searchSimilar', { search: need.search })] : []),
      ...overlookedIn(site, need.search),
      ...(ignored.length === 0 ? [] : [say(site, 'notUnderstood', { parts: ignored.join(', ') })]),
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

function searchOf({ site, exchange }: Building, need: RowsNeed): ListView['search'] {
  const { entity } = need
  const of = site.app.entities.get(entity)!
  const sees = seesOf(exchange)
  const through = (field: Field) =>
    need.searched?.includes(field.key) && refersToNames(site.app, field) && sees(entity, field.key)
  const labels = [...searchedFields(of), ...of.fields.filter(through)].map(({ label }) => label)
  if (labels.length === 0) return null
  return { name: 'q', value: need.search ?? '', label: site.reader.format.anyOf(labels) }
}

function searchChip({ site, exchange }: Building, need: RowsNeed): ListView['chips'] {
  if (need.search === null) return []
  const href = withoutHref(exchange.path, exchange.query, 'q')
  return [{ label: site.reader.words('search'), value: need.search, href }]
}

function archivedChip({ site, exchange }: Building, { archived }: RowsNeed): ListView['chips'] {
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

/** `Kind: since before 1 Jan 2024`; filters of a group say which one. */
function chipOf({ site, exchange }: Building, entity: string, filter: Filter): ListView['chips'][number] {
  const { comparison, value, group, relative } = filter
  const place = filterPlace(site, entity, filter)
  if (place === null) return { label: filter.field, value: '', href: exchange.path }
  const values = Array.isArray(value) ? value : [value]
  const texts = values.map(one => textOf(site, place.entity, place.face, one as string | boolean, '…'))
  const isNot = comparison === 'is empty' && value === false
  const label = say(site, isNot ? 'filter.is not empty' : `filter.${comparison}`, { field: place.label })
  return {
    label: group === undefined ? label : say(site, 'filterIn', { group, filter: label }),
    value:
      comparison === 'is empty'
        ? ''
        : relative === undefined
          ? site.reader.format.anyOf(texts)
          : say(site, `days.${relative}`),
    href: withoutHref(exchange.path, exchange.query, writtenName(filter, place.of)),
  }
}

/** So many filters stand above a list; the address takes all of them. */
const filtersShown = 4

/** Those that the screen names, as far as this person sees them; else one for the state and for columns with few answers. */
function filterControls(
  build: Building,
  { filters }: Screen,
  entity: string,
  shown: readonly string[],
  fields: ReadonlyMap<string, Filterable>,
): readonly FieldView[] {
  const { site } = build
  if (filters.length > 0) return filters.flatMap(({ path }) => namedFilter(build, entity, path) ?? [])
  const of = site.app.entities.get(entity)!
  const sees = seesOf(build.exchange)
  const candidates = site.app.workflows.has(entity) && !shown.includes('state') ? ['state', ...shown] : shown
  return candidates
    .flatMap((key): FieldView[] => {
      const filterable = fields.get(key)
      const face = faceOf(site.app, entity, key)
      if (filterable === undefined || face === null || face.type.kind === 'reference' || !sees(entity, key)) return []
      const control = filterControl(build, filterable, face.type.kind)
      // Free text is what the search is for.
      if (control.kind === 'input') return []
      if (of.fields.find(field => field.key === key)?.hidden != null) return []
      return [filterField(build, { field: key }, filterable, face.label, control)]
    })
    .slice(0, filtersShown)
}

function namedFilter(build: Building, entity: string, path: string): FieldView | null {
  const { app } = build.site
  const named = fieldAt(path, app.entities.get(entity)!, app)
  const place = filterPlace(build.site, entity, named)
  const sees = seesOf(build.exchange)
  if (place === null || !sees(entity, named.via ?? named.field) || !sees(place.entity, named.field)) return null
  const { of, face, label } = place
  return filterField(build, named, of, label, filterControl(build, of, face.type.kind))
}

function filterControl({ site }: Building, of: Filterable, kind: string): FieldView['control'] {
  const options = movesWithDays(of) ? daysOf(site) : optionsOf(of.parameters.choices, kind === 'yes/no', site)
  if (options !== null) return { kind: 'select', options, empty: say(site, 'any') }
  const isNumber = kind === 'integer' || kind === 'decimal' || kind === 'money'
  return {
    kind: 'input',
    type: 'text',
    size: 'medium',
    inputMode: isNumber ? (kind === 'integer' ? 'numeric' : 'decimal') : null,
    maxLength: null,
    min: null,
    max: null,
    affix: null,
    autoComplete: 'off',
  }
}

function filterField(
  { site, exchange }: Building,
  place: FilterField,
  of: Filterable,
  field: string,
  control: FieldView['control'],
): FieldView {
  const comparison = movesWithDays(of) ? 'within' : of.kind.filters[0]!
  const name = writtenName({ ...place, comparison }, of)
  return {
    key: name,
    name,
    id: `filter-${name.replaceAll('.', '-')}`,
    label: comparison === 'within' ? field : say(site, `filter.${comparison}`, { field }),
    hint: null,
    required: false,
    value: exchange.query.get(name) ?? '',
    errors: [],
    mark: null,
    control,
  }
}

function optionsOf(
  choices: readonly string[] | undefined,
  isYesNo: boolean,
  site: Building['site'],
): readonly Option[] | null {
  if (choices !== undefined) return choices.map(choice => ({ value: choice, label: wordFor(site.app, choice) }))
  return isYesNo ? (['yes', 'no'] as const).map(value => ({ value, label: site.reader.words(value) })) : null
}
