/** What of a record stands where on its page: sections and tabs of the document, facts and child rows, with sums below these. */

import { codeOf } from '../../expression/names.ts'
import { addedUp } from '../../expression/values.ts'
import type { Screen } from '../../headings/2-screens/model.ts'
import { summedFields } from '../../headings/3-entities/summed.ts'
import { unseen } from '../../kinds/fields/reference/unseen.ts'
import type { OneData, ReadChild, ReadRow } from '../../kinds/screens/read-data.ts'
import type { RecordView, SectionView } from '../../kinds/screens/record-view.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import type { ChildTableView, ValueView } from '../../kinds/screens/view-model.ts'
import { policyFor } from '../../run/access/policy.ts'
import { mayOpen } from '../access.ts'
import { isSignedIn } from '../request-context.ts'
import { recordAddress, recordHref } from '../routes.ts'
import { fieldInfo, type Site } from '../site.ts'
import { type Building, markOf, valueAt } from './common.ts'
import { withDue } from './face.ts'
import { isNumeric, textOf } from './values.ts'

/** The sections of the screen, and before them what stands in none. */
export function tabsOf(
  build: Building,
  screen: Screen,
  entity: string,
  data: OneData,
  isFact: (field: string) => boolean,
): RecordView['tabs'] {
  const { site, context } = build
  const { row } = data
  const own = usesOf(screen).sections
  const listed = new Set(own.flatMap(({ fields }) => fields.map(({ field }) => field)))
  const factsOf = (fields: readonly string[]): SectionView['facts'] =>
    fields.flatMap(field => {
      const info = fieldInfo(site.app, entity, field)
      if (info === null || !(field in row.values)) return []
      const value = linkedValue(build, entity, row, field)
      // What only steps and calls fill is nobody's to fill: until then there is nothing to say.
      if (value.text === '' && info.field?.setBy != null) return []
      const hint = info.field?.meaning?.text ?? null
      return [{ label: info.label, value, hint, mark: markOf(site, info.cell) }]
    })
  const rowsOf = (fields: readonly string[]): SectionView['children'] =>
    fields.flatMap(key =>
      data.children[key] === undefined
        ? []
        : childrenOf(build, entity, key, data.children[key], data.childFields[key] ?? []),
    )
  const apart = (key: string) => !listed.has(key)
  const rest: SectionView = {
    key: '',
    title: site.reader.words('details'),
    meaning: null,
    mark: null,
    facts: factsOf(data.fields.filter(field => apart(field) && isFact(field))),
    children: rowsOf(Object.keys(data.children).filter(apart)),
  }
  const first = { label: site.reader.words('overview'), key: '', sections: [rest] }
  const tabs = new Map<string, { label: string; key: string; sections: SectionView[] }>([['', first]])
  for (const { name, fields, tab, meaning } of own) {
    const keys = fields.map(({ field }) => field)
    const key = tab === null ? '' : codeOf(tab.text)
    const on = tabs.get(key) ?? { label: tab?.text ?? '', key, sections: [] }
    tabs.set(key, on)
    on.sections.push({
      key: codeOf(name.text),
      title: name.text,
      meaning: meaning?.text ?? null,
      mark: site.mark(name),
      facts: factsOf(keys),
      children: rowsOf(keys),
    })
  }
  const shown = [...tabs.values()].flatMap(tab => {
    const sections = tab.sections.filter(({ facts, children }) => facts.length + children.length > 0)
    return sections.length === 0 ? [] : [{ ...tab, sections }]
  })
  const asked = context.query.get(tabName) ?? ''
  const open = shown.find(({ key }) => key === asked) ?? shown[0]
  return shown.map(tab => ({
    label: tab.label,
    href: tabHref(context, tab.key),
    current: tab === open,
    sections: tab.sections,
  }))
}

/** In the address: the tab that is open. */
export const tabName = '_tab'

/** The page with another tab open. */
export function tabHref({ path, query }: Building['context'], key: string): string {
  const copy = new URLSearchParams(query)
  if (key === '') copy.delete(tabName)
  else copy.set(tabName, key)
  return copy.size === 0 ? path : `${path}?${copy}`
}

/** The value of a field; a relation leads to its record, for whoever sees that. */
export function linkedValue(build: Building, entity: string, row: ReadRow, field: string): ValueView {
  const { site } = build
  const value = withDue(build, entity, row, field, valueAt(site, entity, row, field))
  const info = fieldInfo(site.app, entity, field)
  const id = row.values[field]
  if (info?.type.kind !== 'reference' || value.text === '' || id === unseen || typeof id !== 'string') return value
  return { ...value, href: relationHref(build, info.type.entity, id, row.labels[field]) }
}

/**
 * Its page where that is known without reading more: of records that are addressed by their id, or by all that names them. Else the
 * address from which it is found, be it that no screen shows it.
 */
function relationHref(
  { site, context }: Building,
  entity: string,
  id: string,
  label: string | undefined,
): string | null {
  const { actor } = context.request
  const place = site.routes.places.get(entity)
  if (place?.one != null && mayOpen(place.one, actor)) {
    const { called, reference } = site.app.entities.get(entity)!
    if (place.by === 'id') return recordHref(place, id)
    if (called.length === 1 && called[0] === place.by && reference === null && label !== undefined)
      return recordHref(place, label)
  }
  // Whoever sees who somebody is may still not see the record of that person.
  const seen = policyFor(site.app, actor).rows(entity, 'see', 't')
  const opens = entity === 'person' ? seen === true : seen !== false
  return opens && isSignedIn(context) ? recordAddress(entity, id) : null
}

/** Rows of a list with these columns and their sums; none where it is no list. */
export function childrenOf(
  build: Building,
  entity: string,
  key: string,
  rows: readonly ReadChild[],
  fields: readonly string[],
  inner: readonly string[] | null = null,
): readonly ChildTableView[] {
  const { site } = build
  const info = fieldInfo(site.app, entity, key)
  if (info === null || info.type.kind !== 'list') return []
  const child = info.type.entity
  const columns = fields.flatMap(field => {
    const of = fieldInfo(site.app, child, field)
    return of === null ? [] : [{ field, label: of.label, numeric: isNumeric(of.type) }]
  })
  return [
    {
      key,
      label: info.label,
      columns,
      rows: rows.map(row => ({
        id: row.id,
        cells: columns.map(({ field }) => linkedValue(build, child, row, field)),
        lists: Object.entries(row.children).flatMap(([list, own]) =>
          own.length === 0 || inner?.includes(list) === false
            ? []
            : childrenOf(build, child, list, own, row.childFields[list] ?? []),
        ),
      })),
      totals: rowTotals(site, child, columns, rows),
      mark: markOf(site, info.cell),
    },
  ]
}

/** What is seen of a column, added up; as under a list. */
function rowTotals(
  site: Site,
  child: string,
  columns: readonly { readonly field: string }[],
  rows: readonly ReadRow[],
): ChildTableView['totals'] {
  if (rows.length < 2) return null
  const summed = summedFields(site.app.entities, child)
  const cells = columns.map(({ field }) => {
    const info = fieldInfo(site.app, child, field)
    if (info === null || !summed.has(field)) return null
    const values = rows.flatMap(({ values: { [field]: wire } }) => (typeof wire === 'string' ? [wire] : []))
    const sum = addedUp(values, info.type)
    return sum === null ? null : textOf(site, child, info, sum)
  })
  return cells.every(cell => cell === null) ? null : cells
}
