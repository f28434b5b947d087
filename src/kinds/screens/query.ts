/**
 * The query string of a list ↔ filters, order and search. The list's state *is* its address, so everything here can come from
 * anybody: what is unknown or malformed is left out and named, and never an error. Names that begin with `_` belong to the page.
 *
 * `state=Out&state=Overdue&due_back.before=2026-03-01&purpose.is-empty=yes&q=sony&sort=-due_back,number&after=…`
 */
import type { Entity, Field } from '../../headings/3-entities/model.ts'
import { engineValue } from '../../headings/9-limits/engine.ts'
import type { App } from '../../headings/app.ts'
import { beginningOf } from '../fields/dates.ts'
import type { Comparison, FieldKind, FieldParameters } from '../fields/field-kind.ts'
import { fieldKind } from '../fields/index.ts'
import { composed, isBlank, isStorable } from '../fields/texts.ts'
import { pageNames } from './address.ts'
import { daysOf, isRelative, type RelativeDays } from './relative.ts'
import type { Address, Filter, Sort } from './screen-kind.ts'

/** Rows on a page of a list. */
export const pageSizeOf = ({ limits }: Address): number => engineValue(limits, 'page_size')
/** A list is counted up to this. */
export const countTo = 1000
/** Where somebody asks for it, further. */
export const countAll = 10_000_000

/** `archived=only`. Fields of entities whose records are archived cannot be called so. */
export const archivedName = 'archived'
export const onlyArchived = 'only'

const most = { filters: 20, values: 50, sorts: 4, search: 200, cursor: 8000 }

interface ListQuery {
  readonly filters: readonly Filter[]
  readonly search: string | null
  readonly sort: readonly Sort[]
  readonly after: string | null
  readonly before: string | null
  /** `archived=only`: what is archived, in place of everything else. */
  readonly archived?: true
  /** Parts that were not understood, as they stand in the address. */
  readonly ignored: readonly string[]
}

/** A field that a list may be filtered and, where its kind says so, sorted by. */
export interface Filterable {
  readonly kind: FieldKind
  readonly parameters: FieldParameters
  readonly min?: Field['min']
}

/** Fields of an entity that filters and sorts may name: hidden ones and lists are not there, the state is. */
export function filterableFields(entity: Entity, app: App): ReadonlyMap<string, Filterable> {
  const fields = new Map<string, Filterable>()
  for (const { key, kind, parameters, min, hidden } of entity.fields)
    if (hidden === null && fieldKind(kind).filters.length > 0)
      fields.set(key, { kind: fieldKind(kind), parameters, min })
  const workflow = app.workflows.get(entity.key)
  if (workflow !== undefined)
    fields.set('state', { kind: fieldKind('choice'), parameters: { choices: workflow.states.map(({ name }) => name) } })
  return fields
}

/** Moments that every record keeps, shown and asked for by the API; a page has them where it names them. */
export const keptMoments = ['created_at', 'changed_at'] as const

/** What filters and sorts of the API may name. */
export function askableFields(entity: Entity, app: App): ReadonlyMap<string, Filterable> {
  const moment: Filterable = { kind: fieldKind('date and time'), parameters: {} }
  return new Map([...filterableFields(entity, app), ...keptMoments.map(key => [key, moment] as const)])
}

/** `due_back` + `at least` → `due_back.at-least`; on a page the kind's first comparison has no ending. */
export function filterName(field: string, comparison: Comparison, of: Filterable, plain = of.kind.filters[0]): string {
  return comparison === plain ? field : `${field}.${ending(comparison)}`
}

/** What programs may ask of a field, plain first: equality wherever there are values to be equal to. */
export function askedByPrograms({ kind }: Filterable): readonly Comparison[] {
  const { filters } = kind
  return kind.gathered !== undefined || filters.every(one => one === 'is empty')
    ? filters
    : ['is', ...filters.filter(comparison => comparison !== 'is')]
}

const ending = (comparison: Comparison): string => comparison.replaceAll(' ', '-')

/**
 * Reads the query string of a list of an entity. `sort` is the order where the address says none. A field that the asking person
 * never sees is as unknown as one that there is not.
 */
export function readQuery(entity: Entity, app: App, address: Address, sort: readonly Sort[]): ListQuery {
  const { sees } = address
  const fields = seenOf(entity, sees, (address.canonical ? askableFields : filterableFields)(entity, app))
  const filters: Filter[] = []
  const ignored: string[] = []
  const given = new Map<string, string[]>()
  for (const [name, value] of address.query) {
    // Those of pages; the API has none.
    if (name.startsWith('_') && !address.canonical) continue
    const values = given.get(name) ?? []
    values.push(value)
    given.set(name, values)
  }
  const single = (name: string, longest: number): string | null => {
    const value = given.get(name)?.at(-1) ?? ''
    given.delete(name)
    if (isBlank(value)) return null
    if (value.length <= longest && isStorable(value)) return value.trim()
    ignored.push(asWritten(name, value))
    return null
  }
  const search = single('q', most.search)
  const after = single('after', most.cursor)
  const before = single('before', most.cursor)
  const archived = entity.archives === null ? null : single(archivedName, most.search)
  const isArchived = archived === onlyArchived && address.restores(entity.key)
  if (archived !== null && !isArchived) ignored.push(asWritten(archivedName, archived))
  const sorted = readSort(single('sort', most.search), fields, ignored)

  const known: Known = { entity, app, fields, sees, address }
  for (const [name, all] of given) {
    const values = all.filter(value => !isBlank(value))
    if (values.length === 0 && placeOf(name, known) !== null) continue
    const read = readFilters(name, values.slice(0, most.values), known)
    if (read === null || filters.length + read.length > most.filters) ignored.push(asWritten(name, values.join(', ')))
    else filters.push(...read)
  }
  return {
    filters,
    search,
    sort:
      sorted.length > 0
        ? sorted
        : sort.length > 0
          ? sort
          : entity.order.map(({ field, descending }) => ({ field, descending })),
    after,
    before,
    ...(isArchived ? { archived: true } : {}),
    ignored,
  }
}

interface Known {
  readonly entity: Entity
  readonly app: App
  readonly fields: ReadonlyMap<string, Filterable>
  readonly sees: (entity: string, field: string) => boolean
  readonly address: Address
}

const seenOf = (
  entity: Entity,
  sees: Known['sees'],
  fields: ReadonlyMap<string, Filterable>,
): ReadonlyMap<string, Filterable> => new Map([...fields].filter(([key]) => sees(entity.key, key)))

interface FilterPlace {
  readonly place: FilterField
  readonly group: number | null
  readonly field: Filterable
  readonly comparison: Comparison
}

/** `2.lines.product.name.contains`: the group, the list of child rows, the reference, the field, the comparison; only the field must be there. */
function placeOf(name: string, known: Known): FilterPlace | null {
  const parts = name.split('.')
  const group = /^[1-9]$/.test(parts[0]!) ? Number(parts.shift()) : null
  const { entity, app, sees } = known
  const child = rowLists(entity, app).get(parts[0]!)
  const rows = child !== undefined && sees(entity.key, parts[0]!) ? parts.shift()! : null
  const of = rows === null ? entity : child!
  const fields = rows === null ? known.fields : seenOf(of, sees, filterableFields(of, app))
  const [key = '', second, third, ...more] = parts
  const own = fields.get(key)
  if (own === undefined || more.length > 0) return null
  const found = (field: Filterable, key: string, via: string | null, end: string | undefined): FilterPlace | null => {
    const filters = known.address.canonical ? askedByPrograms(field) : field.kind.filters
    const comparison = end === undefined ? filters[0] : filters.find(one => ending(one) === end)
    const place = { field: key, ...(via === null ? {} : { via }), ...(rows === null ? {} : { rows }) }
    return comparison === undefined ? null : { place, group, field, comparison }
  }
  const here = third === undefined ? found(own, key, null, second) : null
  if (here !== null || second === undefined) return here
  const there = relatedFields(own, app).get(second)
  if (there === undefined || !sees(own.parameters.entity ?? '', second)) return null
  return found(there, second, key, third)
}

/** Fields of the record that a reference names, one relation away. */
export function relatedFields({ kind, parameters }: Filterable, app: App): ReadonlyMap<string, Filterable> {
  const target = kind.type(parameters, '').kind === 'reference' ? app.entities.get(parameters.entity ?? '') : undefined
  return target === undefined ? new Map() : filterableFields(target, app)
}

/** Lists of child rows that filters may look into: the entity of the rows, by the list's field. */
export const rowLists = (entity: Entity, app: App): ReadonlyMap<string, Entity> =>
  new Map(
    entity.fields.flatMap(({ key, type, hidden }) => {
      const child = type.kind === 'list' && hidden === null ? app.entities.get(type.entity) : undefined
      return child?.partOf === entity.key ? [[key, child] as const] : []
    }),
  )

/** What a filter is about. */
export type FilterField = Pick<Filter, 'field' | 'via' | 'rows'>

/** `lines.product.name`, without a comparison. */
export const pathTo = ({ rows, via, field }: FilterField): string =>
  [rows, via, field].filter(part => part !== undefined).join('.')

/** And back. What is there is not asked. */
export function fieldAt(path: string, entity: Entity, app: App): FilterField {
  const parts = path.split('.')
  const rows = rowLists(entity, app).has(parts[0]!) ? { rows: parts.shift()! } : {}
  const [first = '', second] = parts
  return second === undefined ? { ...rows, field: first } : { ...rows, via: first, field: second }
}

/** The name of a filter in an address. */
export function writtenName({ group, comparison, ...place }: Omit<Filter, 'value'>, of: Filterable): string {
  const name = filterName(pathTo(place), comparison === 'any of' ? 'is' : comparison, of)
  return `${group === undefined ? '' : `${group}.`}${name}`
}

/**
 * Several values of `is` are alternatives; of `is-not`, it is none of them; of a comparison that takes one value, each holds.
 * Null: the name or a value is not understood.
 */
function readFilters(name: string, texts: readonly string[], known: Known): readonly Filter[] | null {
  const found = placeOf(name, known)
  if (found === null || texts.length === 0) return null
  const { field, comparison } = found
  const several = texts.length > 1 && comparison === 'is' && field.kind.filters.includes('any of')
  const isTogether = several || comparison === 'any of' || comparison === 'is not' || field.kind.gathered !== undefined
  const read = (isTogether ? [texts] : texts.map(text => [text])).map(values =>
    readFilter({ ...found, comparison: several ? 'any of' : comparison }, values, known),
  )
  return read.includes(null) ? null : (read as readonly Filter[])
}

function readFilter(
  { place: of, group, field, comparison }: FilterPlace,
  texts: readonly string[],
  known: Known,
): Filter | null {
  const place = { ...of, ...(group === null ? {} : { group }) }
  if (comparison === 'is empty') {
    const answer = texts.at(-1)
    return answer === 'yes' || answer === 'no' ? { comparison, value: answer === 'yes', ...place } : null
  }
  const { today } = known.address
  const { timeZone, weekBegins } = known.app.product
  const days = (word: RelativeDays) =>
    daysOf(word, today, weekBegins.day).map(day => dayValue(day, field, timeZone.name))
  const last = texts.at(-1)!.trim()
  if (comparison === 'within') {
    if (!isRelative(last)) return null
    return { comparison, value: days(last), relative: last, ...place }
  }
  const isDays = field.kind.filters.includes('within')
  if (isDays && (last === 'today' || last === 'yesterday' || last === 'tomorrow')) {
    const [begins, ends] = days(last) as [string, string]
    const isWhole = comparison === 'after' || comparison === 'at most'
    return { comparison, value: isWhole && isMoment(field) ? beforeMoment(ends) : begins, relative: last, ...place }
  }
  const values = texts.map(text => readValue(text, comparison, field, known.address))
  if (values.includes(null)) return null
  const read = values as readonly (string | boolean)[]
  const isList = comparison === 'any of' || read.length > 1
  return { comparison, value: isList ? read : read.at(-1)!, ...place }
}

/** A day of the application as a value of the field: for a moment, when the day begins. */
const dayValue = (day: string, field: Filterable, zone: string): string =>
  isMoment(field) ? beginningOf(day, zone) : day

const isMoment = ({ kind, parameters }: Filterable): boolean => kind.type(parameters, '').kind === 'moment'

/** The last moment before another: what is after a day is after all of it. */
const beforeMoment = (iso: string): string => new Date(Date.parse(iso) - 1).toISOString()

function readValue(text: string, comparison: Comparison, { kind, parameters }: Filterable, address: Address) {
  if ((comparison === 'contains' || comparison === 'starts with') && kind.gathered === undefined) {
    const part = composed(text.trim())
    return part.length <= most.search && part.isWellFormed() && !/\p{Cc}/u.test(part) ? part : null
  }
  const canonical = address.canonical ? kind.fromJson(text, parameters) : null
  if (canonical !== null && 'value' in canonical) return canonical.value
  const parsed = kind.parse(text, parameters, address.locale, address.zone)
  return 'invalid' in parsed ? null : parsed.value
}

function readSort(text: string | null, fields: ReadonlyMap<string, Filterable>, ignored: string[]): readonly Sort[] {
  const sorts: Sort[] = []
  for (const part of text?.split(',') ?? []) {
    const descending = part.startsWith('-')
    const field = descending ? part.slice(1) : part
    const twice = sorts.some(sort => sort.field === field)
    if (fields.get(field)?.kind.sortable && !twice && sorts.length < most.sorts) sorts.push({ field, descending })
    else ignored.push(asWritten('sort', part))
  }
  return sorts
}

/** Names in the address of a screen that reads none. */
export function unread(query: URLSearchParams): readonly string[] {
  return [...new Set(query.keys())].filter(name => !name.startsWith('_')).map(name => asWritten(name, query.get(name)!))
}

/** What only a list reads of an address. */
export const unreadOfLists = (query: URLSearchParams): readonly string[] =>
  unread(new URLSearchParams([...query].filter(([name]) => ['sort', archivedName, ...pageNames].includes(name))))

/** As it stands in the address, fit to be shown. */
export function asWritten(name: string, value: string): string {
  const text = `${name}=${value}`.replace(/\p{Cc}/gu, '\ufffd').toWellFormed()
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
