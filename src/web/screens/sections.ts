/** What of a record stands where on its page: sections and tabs of the document, facts and child rows, with sums below these. */

import { keyOf } from '../../expression/names.ts'
import { addedUp } from '../../expression/values.ts'
import type { Screen } from '../../headings/2-screens/model.ts'
import { summedFields } from '../../headings/3-entities/summed.ts'
import { unseen } from '../../kinds/fields/reference/unseen.ts'
import { onePart } from '../../kinds/screens/one/screen.ts'
import type { OneView, SectionView } from '../../kinds/screens/one/view-model.ts'
import type { OneData, ReadRow } from '../../kinds/screens/screen-kind.ts'
import type { ValueView } from '../../kinds/screens/view-model.ts'
import { mayOpen } from '../access.ts'
import { recordHref } from '../routes.ts'
import { faceOf, type Site } from '../site.ts'
import { type Building, markOf, valueAt } from './common.ts'
import { isNumeric, textOf } from './values.ts'

/** The sections of the screen, and before them what stands in none. */
export function tabsOf(
  build: Building,
  screen: Screen,
  entity: string,
  data: OneData,
  isFact: (field: string) => boolean,
): OneView['tabs'] {
  const { site, context } = build
  const { row } = data
  const own = onePart(screen).sections
  const listed = new Set(own.flatMap(({ fields }) => fields.map(({ field }) => field)))
  const factsOf = (fields: readonly string[]): SectionView['facts'] =>
    fields.flatMap(field => {
      const face = faceOf(site.app, entity, field)
      if (face === null || !(field in row.values)) return []
      const value = referenceLinked(build, entity, row, field)
      // What only steps and calls fill is nobody's to fill: until then there is nothing to say.
      if (value.text === '' && face.field?.setBy != null) return []
      const hint = face.field?.meaning?.text ?? null
      return [{ label: face.label, value, hint, mark: markOf(site, face.cell) }]
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
    const key = tab === null ? '' : keyOf(tab.text)
    const on = tabs.get(key) ?? { label: tab?.text ?? '', key, sections: [] }
    tabs.set(key, on)
    on.sections.push({
      key: keyOf(name.text),
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

/** Where it is known without reading more: records that are addressed by their id, or by all that names them. */
function referenceLinked(build: Building, entity: string, row: ReadRow, field: string): ValueView {
  const { site, context } = build
  const value = valueAt(site, entity, row, field)
  const face = faceOf(site.app, entity, field)
  if (face?.type.kind !== 'reference' || value.text === '' || row.values[field] === unseen) return value
  const place = site.routes.places.get(face.type.entity)
  const id = row.values[field]
  if (place?.one == null || typeof id !== 'string' || !mayOpen(place.one, context.request.actor)) return value
  const { title } = site.app.entities.get(face.type.entity)!
  const address =
    place.by === 'id' ? id : title.length === 1 && title[0] === place.by ? (row.labels[field] ?? null) : null
  return address === null ? value : { ...value, href: recordHref(place, address) }
}

/** Rows of a list with these columns and their sums; none where it is no list. */
export function childrenOf(
  { site }: Building,
  entity: string,
  key: string,
  rows: readonly ReadRow[],
  fields: readonly string[],
): SectionView['children'] {
  const face = faceOf(site.app, entity, key)
  if (face === null || face.type.kind !== 'list') return []
  const child = face.type.entity
  const columns = fields.flatMap(field => {
    const of = faceOf(site.app, child, field)
    return of === null ? [] : [{ field, label: of.label, numeric: isNumeric(of.type) }]
  })
  return [
    {
      key,
      label: face.label,
      columns,
      rows: rows.map(row => ({ id: row.id, cells: columns.map(({ field }) => valueAt(site, child, row, field)) })),
      totals: rowTotals(site, child, columns, rows),
      mark: markOf(site, face.cell),
    },
  ]
}

/** What is seen of a column, added up; as under a list. */
function rowTotals(
  site: Site,
  child: string,
  columns: readonly { readonly field: string }[],
  rows: readonly ReadRow[],
): SectionView['children'][number]['totals'] {
  if (rows.length < 2) return null
  const summed = summedFields(site.app.entities, child)
  const cells = columns.map(({ field }) => {
    const face = faceOf(site.app, child, field)
    if (face === null || !summed.has(field)) return null
    const values = rows.flatMap(({ values: { [field]: wire } }) => (typeof wire === 'string' ? [wire] : []))
    const sum = addedUp(values, face.type)
    return sum === null ? null : textOf(site, child, face, sum)
  })
  return cells.every(cell => cell === null) ? null : cells
}
