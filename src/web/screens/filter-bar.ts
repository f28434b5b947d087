/** What stands over records that a reader looks through: the search, the filters, and those that are in force. */

import type { Screen } from '../../headings/2-screens/model.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import { searchedFields } from '../../headings/3-entities/searched.ts'
import { wordFor } from '../../headings/translate.ts'
import { clearHref, otherParameters, withoutHref } from '../../kinds/screens/address.ts'
import type { FilterBarView, FilterRecords } from '../../kinds/screens/filter-view.ts'
import type { BarOf } from '../../kinds/screens/presenter.ts'
import {
  type Filterable,
  type FilterField,
  fieldAt,
  filterableFields,
  pathTo,
  writtenName,
} from '../../kinds/screens/query.ts'
import type { Filter, GroupsNeed, RowsNeed } from '../../kinds/screens/screen-kind.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import type { FieldView, LinkView, Option } from '../../kinds/screens/view-model.ts'
import { refersToNames } from '../../run/read/filter.ts'
import { seesOf } from '../seen.ts'
import { say } from '../sentences.ts'
import { fieldInfo } from '../site.ts'
import type { Building } from './common.ts'
import {
  addingHref,
  daysOf,
  filterBuilder,
  filterPlace,
  movesWithDays,
  namesRecords,
  recordOptions,
} from './filters.ts'
import { overlookedIn } from './search.ts'
import { controlText, isNeverBelowZero, textOf } from './values.ts'

/** What of a need its reader chose. */
export type Looked = Pick<RowsNeed | GroupsNeed, 'entity' | 'filters' | 'search' | 'searched'>

/** `records`: those that the filters name. `shown`: fields that have a filter where the screen names none, but for `without`. `more`: controls of the list alone. */
export function filterBar(
  build: Building,
  screen: Screen,
  need: Looked,
  shown: readonly string[],
  {
    records,
    more = [],
    without,
    looks,
  }: { readonly records: FilterRecords; readonly more?: readonly FieldView[] } & BarOf,
): FilterBarView {
  const { site, context } = build
  const { path, query } = context
  const fields = filterableFields(site.app.entities.get(need.entity)!, site.app)
  const controls = filterControls(build, screen, need, shown, fields, records, without)
  const filters = [...controls.flatMap(one => withValue(build, need, one) ?? []), ...more]
  const isFiltered = need.filters.length > 0 || need.search !== null
  return {
    action: path,
    search: searchOf(build, need),
    filters,
    choosers: choosersOf(build, screen, need, records),
    keep: otherParameters(query, ['q', ...filters.map(({ name }) => name)]),
    builder: filterBuilder(build, need, records),
    chips: [...searchChip(build, need), ...need.filters.map(filter => chipOf(build, need, filter, records.names))],
    clear: isFiltered ? clearHref(path, query, looks) : null,
  }
}

/**
 * The control with what is in force, which it sends again. Null: that is more than it can say, as of two states; then it would lose some
 * of it, and the chips and the form of all filters say it.
 */
function withValue({ site }: Building, { entity, filters }: Looked, field: FieldView): FieldView | null {
  const own = filters.filter(filter => {
    const place = filterPlace(site, entity, filter)
    return place !== null && writtenName(filter, place.of) === field.name
  })
  const [first, ...others] = own
  if (first === undefined) return field
  const { value, relative } = first
  const of = filterPlace(site, entity, first)!
  const text =
    relative ??
    (typeof value === 'boolean'
      ? value
        ? 'yes'
        : 'no'
      : typeof value !== 'string'
        ? null
        : of.info.field === null || field.control.kind === 'select'
          ? value
          : controlText(site, of.info.field, value))
  const says =
    text !== null &&
    others.length === 0 &&
    (field.control.kind !== 'select' || field.control.options.some(option => option.value === text))
  return says ? { ...field, value: text } : null
}

/** What was not looked for as the address has it, in words. */
export const notLooked = ({ site }: Building, { search }: Looked, ignored: readonly string[]): readonly string[] => [
  ...overlookedIn(site, search),
  ...(ignored.length === 0 ? [] : [say(site, 'notUnderstood', { parts: ignored.join(', ') })]),
]

export function searchOf({ site, context }: Building, need: Looked): FilterBarView['search'] {
  const { entity } = need
  const of = site.app.entities.get(entity)!
  const sees = seesOf(context)
  const through = (field: Field) =>
    need.searched?.includes(field.key) && refersToNames(site.app, field) && sees(entity, field.key)
  const own = searchedFields(of).filter(({ key }) => sees(entity, key))
  const labels = [...own, ...of.fields.filter(through)].map(({ label }) => label)
  if (labels.length === 0) return null
  return { name: 'q', value: need.search ?? '', label: site.reader.format.anyOf(labels) }
}

function searchChip({ site, context }: Building, need: Looked): FilterBarView['chips'] {
  if (need.search === null) return []
  const href = withoutHref(context.path, context.query, 'q')
  return [{ label: site.reader.words('search'), value: need.search, href }]
}

/** `Kind: since before 1 Jan 2024`; filters of a group say which one. */
function chipOf(
  { site, context }: Building,
  { entity, filters }: Looked,
  filter: Filter,
  names: FilterRecords['names'],
): FilterBarView['chips'][number] {
  const { comparison, value, group, relative } = filter
  const place = filterPlace(site, entity, filter)
  if (place === null) return { label: filter.field, value: '', href: context.path }
  const values = Array.isArray(value) ? value : [value]
  const texts = values.map(one =>
    textOf(site, place.entity, place.info, one as string | boolean, names.get(String(one)) ?? '…'),
  )
  const isNot = comparison === 'is empty' && value === false
  const { path, query } = context
  const name = writtenName(filter, place.of)
  const alike = filters.filter(
    other => other.group === group && other.comparison === comparison && pathTo(other) === pathTo(filter),
  )
  const text = query.getAll(name).filter(one => one.trim() !== '')[alike.indexOf(filter)]
  const label = say(site, isNot ? 'filter.is not empty' : `filter.${comparison}`, { field: place.label })
  return {
    label: group === undefined ? label : say(site, 'filterIn', { group, filter: label }),
    value:
      comparison === 'is empty'
        ? ''
        : relative === undefined
          ? site.reader.format.anyOf(texts)
          : say(site, `days.${relative}`),
    href: withoutHref(path, query, name, alike.length > 1 ? text : undefined),
  }
}

/** So many filters stand above a list; the address takes all of them. */
const filtersShown = 4

/** Those that the screen names, as far as this person sees them; else one for the state and for columns with few answers. */
function filterControls(
  build: Building,
  screen: Screen,
  { entity }: Looked,
  shown: readonly string[],
  fields: ReadonlyMap<string, Filterable>,
  records: FilterRecords,
  without?: string,
): readonly FieldView[] {
  const { site } = build
  const { filters } = usesOf(screen)
  if (filters.length > 0) return filters.flatMap(path => namedFilter(build, entity, path, records) ?? [])
  const of = site.app.entities.get(entity)!
  const sees = seesOf(build.context)
  const candidates = site.app.workflows.has(entity) && !shown.includes('state') ? ['state', ...shown] : shown
  return candidates
    .filter(key => key !== without)
    .flatMap((key): FieldView[] => {
      const filterable = fields.get(key)
      const info = fieldInfo(site.app, entity, key)
      if (filterable === undefined || info === null || info.type.kind === 'reference' || !sees(entity, key)) return []
      const control = filterControl(build, filterable, info.type.kind)
      // Free text is what the search is for.
      if (control.kind === 'input') return []
      if (of.fields.find(field => field.key === key)?.hidden != null) return []
      return [filterField(build, { field: key }, filterable, info.label, control)]
    })
    .slice(0, filtersShown)
}

/** Null: its reader does not see it. */
function seenFilter(build: Building, entity: string, path: string) {
  const { app } = build.site
  const named = fieldAt(path, app.entities.get(entity)!, app)
  const place = filterPlace(build.site, entity, named)
  const sees = seesOf(build.context)
  return place !== null && sees(entity, named.via ?? named.field) && sees(place.entity, named.field)
    ? { named, ...place }
    : null
}

/** Null: its reader does not see it, or it has more records, or none, to choose from. */
function namedFilter(build: Building, entity: string, path: string, records: FilterRecords): FieldView | null {
  const seen = seenFilter(build, entity, path)
  if (seen === null) return null
  const { named, of, info, label } = seen
  if (!namesRecords(info)) return filterField(build, named, of, label, filterControl(build, of, info.type.kind))
  const chosen = build.context.query.getAll(path)
  const options = recordOptions(build, chosen, records, path)
  if (options.length === 0 || records.offered.get(path)?.more) return null
  return filterField(build, named, of, label, { kind: 'select', options, empty: say(build.site, 'any') })
}

/** Of filters with more records than a select takes: where one looks for them. */
const choosersOf = (
  build: Building,
  screen: Screen,
  { entity, filters }: Looked,
  records: FilterRecords,
): readonly LinkView[] =>
  usesOf(screen).filters.flatMap(path => {
    const seen = records.offered.get(path)?.more ? seenFilter(build, entity, path) : null
    return seen === null ? [] : [{ label: seen.label, href: addingHref(build, filters, path) }]
  })

function filterControl({ site }: Building, of: Filterable, kind: string): FieldView['control'] {
  const options = movesWithDays(of) ? daysOf(site) : optionsOf(of.parameters.choices, kind === 'yes/no', site)
  if (options !== null) return { kind: 'select', options, empty: say(site, 'any') }
  const isNumber = kind === 'integer' || kind === 'decimal' || kind === 'money'
  return {
    kind: 'input',
    type: 'text',
    size: 'medium',
    inputMode: isNumber && isNeverBelowZero(of.min) ? (kind === 'integer' ? 'numeric' : 'decimal') : null,
    numeric: isNumber,
    maxLength: null,
    min: null,
    max: null,
    affix: null,
    autoComplete: 'off',
  }
}

function filterField(
  { site }: Building,
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
    value: '',
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
