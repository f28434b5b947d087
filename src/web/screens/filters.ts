/** Filters put together, and columns chosen, in a form without scripts: what it sends is made into the address of the list. */
import type { Entity } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { wordFor } from '../../headings/translate.ts'
import type { Comparison } from '../../kinds/fields/field-kind.ts'
import { columnsName, keptParameters, pageNames } from '../../kinds/screens/address.ts'
import { columnFields } from '../../kinds/screens/columns.ts'
import type { FilterBuilderView, FilterRecords, OfferedRecords } from '../../kinds/screens/filter-view.ts'
import {
  type Filterable,
  type FilterField,
  fieldAt,
  filterableFields,
  pathTo,
  relatedFields,
  rowLists,
  writtenName,
} from '../../kinds/screens/query.ts'
import { isRelative, type RelativeDays, relativeDays } from '../../kinds/screens/relative.ts'
import type { Filter, RowsNeed } from '../../kinds/screens/screen-kind.ts'
import type { ColumnChooserView } from '../../kinds/screens/table-view.ts'
import type { Option } from '../../kinds/screens/view-model.ts'
import { seesOf } from '../seen.ts'
import { say } from '../sentences.ts'
import { type FieldInfo, fieldInfo, linksTo, type Site } from '../site.ts'
import type { Building } from './common.ts'
import { controlText } from './values.ts'

/** Asks for one of the forms: `_open=filters`. With `_new` it has a row for one more field. */
export const openName = '_open'
const newName = '_new'
/** What is looked for among the records that one filter of the form may name: `_find=borrower:okaf`. */
const findName = '_find'
/** A column that changes places with a neighbour: `price.before`; and, in the address that follows, what was pressed. */
const moveName = '_move'
const movedName = '_moved'
const groups = ['1', '2', '3'] as const

interface Place {
  readonly entity: string
  readonly of: Filterable
  readonly info: FieldInfo
  /** `Kind: Since` where it is one relation away, `Lines: Quantity` of child rows. */
  readonly label: string
}

/** What a filter is about. Null: there is no such field. */
export function filterPlace(site: Site, entity: string, { field, via, rows }: FilterField): Place | null {
  if (rows !== undefined) {
    const list = fieldInfo(site.app, entity, rows)
    const child = rowLists(site.app.entities.get(entity)!, site.app).get(rows)
    const inside = child === undefined ? null : filterPlace(site, child.key, { field, ...(via && { via }) })
    if (list === null || inside === null) return null
    return { ...inside, label: say(site, 'filterOf', { reference: list.label, field: inside.label }) }
  }
  const own = filterableFields(site.app.entities.get(entity)!, site.app)
  const reference = via === undefined ? null : fieldInfo(site.app, entity, via)
  const there = via === undefined ? null : own.get(via)
  const target = via === undefined ? entity : (there?.parameters.entity ?? '')
  const of =
    via === undefined
      ? own.get(field)
      : there === null || there === undefined
        ? undefined
        : relatedFields(there, site.app).get(field)
  const info = site.app.entities.has(target) ? fieldInfo(site.app, target, field) : null
  if (of === undefined || info === null) return null
  const label =
    reference === null ? info.label : say(site, 'filterOf', { reference: reference.label, field: info.label })
  return { entity: target, of, info, label }
}

/** It is chosen from records, which its value names by their ids. */
export const namesRecords = (info: FieldInfo): boolean => info.type.kind === 'reference' || linksTo(info) !== null

/** What is looked for in the form among the records of one filter; empty: nothing. */
export function soughtIn({ context }: Building, path: string): string {
  const sought = context.query.get(findName) ?? ''
  return sought.startsWith(`${path}:`) ? sought.slice(path.length + 1).trim() : ''
}

/** What a filter offers, those first that are chosen and not among it. Of more than are offered only these: the others are looked for. */
export function recordOptions(
  build: Building,
  values: readonly string[],
  { names, offered }: FilterRecords,
  path: string,
): readonly Option[] {
  const { options: all, more } = offered.get(path) ?? { options: [], more: false }
  const options = more && soughtIn(build, path) === '' ? all.filter(({ value }) => values.includes(value)) : all
  const others = values.filter(id => id !== '' && !options.some(({ value }) => value === id))
  return [...others.map(id => ({ value: id, label: names.get(id) ?? '…' })), ...options]
}

/** Null: all that may be chosen stands there. */
function searchAt(build: Building, path: string, offered: OfferedRecords | undefined): Row['search'] {
  const query = soughtIn(build, path)
  if (offered === undefined || (query === '' && !offered.more)) return null
  const { options, more } = offered
  return { query, found: query === '' ? null : options.length, note: more ? build.site.reader.words('pickMore') : '' }
}

/** The form with a row for one more field, unless it has one. */
export const addingHref = (build: Building, filters: readonly Filter[], path: string): string =>
  listHref(build, { [openName]: 'filters', ...(!filters.some(one => pathTo(one) === path) && { [newName]: path }) })

/** The same list, with or without one of its forms. */
export function listHref({ context }: Building, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(context.query)
  for (const name of [openName, newName, findName, moveName, movedName, ...pageNames]) query.delete(name)
  for (const [name, value] of Object.entries(more)) query.set(name, value)
  return query.size === 0 ? context.path : `${context.path}?${query}`
}

type Asked = Pick<RowsNeed, 'entity' | 'filters' | 'search'>

/** The rows of the form; none where it is closed. */
export function builtFilters(build: Building, { entity, filters }: Pick<Asked, 'entity' | 'filters'>) {
  const { site, context } = build
  if (context.query.get(openName) !== 'filters') return []
  const fresh = filterable(build, entity).find(({ value }) => value === context.query.get(newName))
  return fresh === undefined ? filters : [...filters, blank(site, entity, fresh.value)]
}

export function filterBuilder(build: Building, need: Asked, records: FilterRecords): FilterBuilderView {
  const { site, context } = build
  const { entity } = need
  const { query, path } = context
  const open = listHref(build, { [openName]: 'filters' })
  const close = listHref(build)
  if (query.get(openName) !== 'filters') return { open, close, form: null }
  const search = need.search === null ? [] : [{ name: 'q', value: need.search }]
  return {
    open,
    close,
    form: {
      action: path,
      hidden: [...keptParameters(query), ...search],
      rows: builtFilters(build, need).flatMap((filter, at) => rowOf(build, entity, filter, at, records) ?? []),
      groups: [
        { value: '', label: say(site, 'filterGroupAll') },
        ...groups.map(group => ({ value: group, label: say(site, 'filterGroupOne', { group }) })),
      ],
      fields: filterable(build, entity),
    },
  }
}

function blank(site: Site, entity: string, path: string): Filter {
  const place = fieldAt(path, site.app.entities.get(entity)!, site.app)
  return { ...place, comparison: filterPlace(site, entity, place)!.of.kind.filters[0]!, value: [] }
}

type Row = NonNullable<FilterBuilderView['form']>['rows'][number]

function rowOf(build: Building, entity: string, filter: Filter, at: number, records: FilterRecords): Row | null {
  const { site } = build
  const place = filterPlace(site, entity, filter)
  if (place === null) return null
  const { of, info, label } = place
  const { comparison, value, relative } = filter
  const values = (Array.isArray(value) ? value : [value]) as readonly (string | boolean)[]
  const choices = of.parameters.choices ?? (info.type.kind === 'yes/no' ? ['yes', 'no'] : null)
  const plain = (wire: string | boolean) =>
    typeof wire === 'boolean' ? (wire ? 'yes' : 'no') : info.field === null ? wire : controlText(site, info.field, wire)
  const texts = relative === undefined && comparison !== 'is empty' ? values.map(plain) : []
  const path = pathTo(filter)
  const isRecords = namesRecords(info)
  return {
    at,
    label,
    field: path,
    comparison: offered(filter),
    comparisons: comparisonsOf(site, of, filter),
    options: isRecords
      ? recordOptions(build, texts, records, path)
      : (choices?.map(one => ({
          value: one,
          label: info.type.kind === 'yes/no' ? site.reader.words(one as 'yes') : wordFor(site.app, one),
        })) ?? null),
    several: of.kind.filters.includes('any of') || of.kind.gathered !== undefined,
    search: isRecords ? searchAt(build, path, records.offered.get(path)) : null,
    values: texts,
    date: movesWithDays(of),
    group: filter.group === undefined ? '' : String(filter.group),
  }
}

/** Which of the comparisons of its row it is. */
function offered({ comparison, value, relative }: Filter): string {
  if (relative !== undefined) return `${comparison === 'is' ? 'within' : comparison}.${relative}`
  if (comparison === 'is empty' && value === false) return 'is not empty'
  return comparison === 'any of' ? 'is' : comparison
}

/** Days that a bound can be beside those that one types. */
const bounds = (['before', 'after', 'at least', 'at most'] as const).map(comparison => ({
  comparison,
  relative: 'today' as const,
}))

/** `any of` is what several values of `is` mean. Days that move with the calendar stand in the same list as the comparisons. */
function comparisonsOf(site: Site, of: Filterable, now: Filter): readonly Option[] {
  const plain = of.kind.filters.filter(one => one !== 'any of' && one !== 'within')
  const label = (one: Comparison | 'is not empty') =>
    say(site, one === 'is' ? 'filterIs' : `filter.${one}`, { field: '' }).trim()
  const written = [...plain, 'is not empty' as const].map(one => ({ value: one, label: label(one) }))
  if (!movesWithDays(of)) return written
  const within = daysOf(site).map(one => ({ ...one, value: `within.${one.value}` }))
  const bound = (comparison: Comparison, relative: RelativeDays) => ({
    value: `${comparison}.${relative}`,
    label: `${label(comparison)} ${say(site, `days.${relative}`)}`,
  })
  const all = [...written, ...within, ...bounds.map(({ comparison, relative }) => bound(comparison, relative))]
  const isThere = now.relative === undefined || all.some(({ value }) => value === offered(now))
  return isThere ? all : [...all, bound(now.comparison, now.relative!)]
}

export const movesWithDays = ({ kind }: Filterable): boolean => kind.filters.includes('within')

/** Days that move with the calendar, as choices. */
export const daysOf = (site: Site): readonly Option[] =>
  relativeDays.map(value => ({ value, label: say(site, `days.${value}`) }))

/** Fields of the record, then those of the records that it names, then those of its child rows, as far as this person sees them. */
function filterable({ site, context }: Building, entity: string): readonly Option[] {
  const sees = seesOf(context)
  const of = site.app.entities.get(entity)!
  const lists = [...rowLists(of, site.app)].filter(([key]) => sees(entity, key))
  const places = [
    ...fieldsIn(site.app, of, sees),
    ...lists.flatMap(([rows, child]) => fieldsIn(site.app, child, sees).map(place => ({ ...place, rows }))),
  ]
  return places.flatMap(place => {
    const label = filterPlace(site, entity, place)?.label
    return label === undefined ? [] : [{ value: pathTo(place), label }]
  })
}

function fieldsIn(app: App, entity: Entity, sees: (entity: string, field: string) => boolean): readonly FilterField[] {
  const own = [...filterableFields(entity, app)].filter(([key]) => sees(entity.key, key))
  const further = own.flatMap(([via, of]) =>
    [...relatedFields(of, app).keys()].flatMap(field => (sees(of.parameters.entity!, field) ? [{ via, field }] : [])),
  )
  return [...own.map(([field]) => ({ field })), ...further]
}

/** What one of the forms over a list sent, as the address of the list. Null: none was sent. */
export function builtAddress(build: Building, entity: string): string | null {
  const { site, context } = build
  const { query, path } = context
  const move = query.get(moveName)
  if (move !== null) return movedAddress(build, move)
  const picked = query.get('_pick')
  const wanted = query.get('_build') ?? picked
  if (wanted === null) return null
  const made = new URLSearchParams()
  for (const { name, value } of keptParameters(query)) made.append(name, value)
  const text = query.get('q')
  if (text) made.set('q', text)
  for (let row = 0; row < mostRows; row++) {
    const condition = wanted === `drop${row}` ? null : conditionIn(site, entity, query, row)
    if (condition === null) continue
    const { field, name, values, sought } = condition
    for (const value of values) made.append(name, value)
    // Enter among its letters looks for them.
    if (sought !== '' && (picked === `_v${row}` || (wanted === 'apply' && values.length === 0))) {
      made.set(findName, `${field}:${sought}`)
      made.set(openName, 'filters')
      if (values.length === 0) made.set(newName, field)
    }
  }
  const added = query.get('_add') ?? ''
  if (wanted !== 'apply') made.set(openName, 'filters')
  if (wanted === 'add' && added !== '') made.set(newName, added)
  return made.size === 0 ? path : `${path}?${made}`
}

/** Rows of the builder. */
const mostRows = 21

/** The condition that a row of the builder says, as the address writes it; null: the row is not there, or its field is none. */
function conditionIn(site: Site, entity: string, query: URLSearchParams, row: number) {
  const field = query.get(`_f${row}`)
  if (field === null) return null
  const at = fieldAt(field, site.app.entities.get(entity)!, site.app)
  const place = filterPlace(site, entity, at)
  if (place === null) return null
  const [asked = '', relative = ''] = (query.get(`_c${row}`) ?? '').split('.')
  const isNot = asked === 'is not empty'
  const { filters } = place.of.kind
  const comparison = filters.find(one => one === (isNot ? 'is empty' : asked)) ?? filters[0]!
  const group = groups.find(one => one === query.get(`_g${row}`))
  const name = writtenName({ ...at, comparison, ...(group === undefined ? {} : { group: Number(group) }) }, place.of)
  const typed = query.getAll(`_v${row}`).filter(text => text.trim() !== '')
  const given = isRelative(relative) ? [relative] : typed
  const sought = query.get(`_q._v${row}`)?.trim() ?? ''
  return { field, name, values: comparison === 'is empty' ? [isNot ? 'no' : 'yes'] : given, sought }
}

/** The columns as they were chosen, one of them on the other side of its neighbour. */
function movedAddress(build: Building, move: string): string {
  const [column = '', way] = move.split('.')
  const columns = build.context.query.getAll(columnsName).flatMap(text => text.split(','))
  const from = columns.indexOf(column)
  const to = from + (way === 'before' ? -1 : 1)
  if (from >= 0 && columns[to] !== undefined) columns.splice(to, 0, ...columns.splice(from, 1))
  return listHref(build, { [columnsName]: columns.join(), [openName]: 'columns', [movedName]: move })
}

export function columnChooser(build: Building, entity: string, shown: readonly string[]): ColumnChooserView {
  const { site, context } = build
  const { query, path } = context
  const open = listHref(build, { [openName]: 'columns' })
  const close = listHref(build)
  if (query.get(openName) !== 'columns') return { open, close, form: null }
  const sees = seesOf(context)
  const all = columnFields(site.app.entities.get(entity)!, site.app, field => sees(entity, field))
  const others = all.filter(key => !shown.includes(key))
  const kept = [...query].filter(([name]) => ![columnsName, openName, movedName, ...pageNames].includes(name))
  return {
    open,
    close,
    form: {
      action: path,
      hidden: kept.map(([name, value]) => ({ name, value })),
      columns: [...shown, ...others].map(key => ({
        value: key,
        label: fieldInfo(site.app, entity, key)?.label ?? key,
        chosen: shown.includes(key),
      })),
      moved: pressed(shown, query.get(movedName)),
    },
  }
}

/** The button that has the focus when a column has moved: the same one, or the other one where it is the first or the last now. */
function pressed(shown: readonly string[], moved: string | null): string | null {
  const [column = '', way] = moved?.split('.') ?? []
  const at = shown.indexOf(column)
  if (at < 0) return null
  return `${column}.${at === 0 || (way === 'after' && at < shown.length - 1) ? 'after' : 'before'}`
}
