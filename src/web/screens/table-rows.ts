/** The rows of a list: what stands in each, where it leads, what can be done with it. */

import { memoize } from '../../expression/memoize.ts'
import type { Screen } from '../../headings/2-screens/model.ts'
import { titleFields } from '../../headings/3-entities/titles.ts'
import type { ReadRow } from '../../kinds/screens/read-data.ts'
import type { TableView } from '../../kinds/screens/table-view.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import { listParameter } from '../from-list.ts'
import { isSignedIn } from '../request-context.ts'
import { recordHref } from '../routes.ts'
import { say } from '../sentences.ts'
import { fieldInfo } from '../site.ts'
import {
  actionsOf,
  addressValue,
  type Building,
  calledBy,
  cellAt,
  duplicateLinks,
  marksOf,
  openHref,
  titleOf,
} from './common.ts'
import { saidOf, withDue } from './face.ts'
import { calledIn } from './table-heads.ts'
import { isNumeric } from './values.ts'

type Row = TableView['rows'][number]

/** The view of a row that was read. The same row (`run/read/unchanged.ts`) has the same one in the same list, as `rows` has them. */
export function rowViews(
  build: Building,
  screen: Screen,
  entity: string,
  fields: readonly string[],
  { rows: known, places }: { readonly rows: WeakMap<ReadRow, Row>; readonly places: string | null },
): (row: ReadRow) => Row {
  let make: ((row: ReadRow) => Row) | null = null
  return row =>
    memoize(known, row, () => {
      make ??= rowView(build, screen, entity, fields, places)
      return make(row)
    })
}

function rowView(
  build: Building,
  screen: Screen,
  entity: string,
  fields: readonly string[],
  places: string | null,
): (row: ReadRow) => Row {
  const { site, context } = build
  const list = listParameter(context)
  const fromHere = (href: string | null) => (href === null || list === null ? href : `${href}?${list}`)
  const more = moreOf(build, entity)
  const { buttons } = usesOf(screen)
  const face = rowFace(build, entity, fields)
  return row => ({
    id: row.id,
    title: titleOf(site, entity, row),
    href: fromHere(openHref(build, entity, row)),
    marks: marksOf(site, entity, row),
    under: face.under(row),
    cells: fields.map((field, at) => {
      const cell = withDue(build, entity, row, field, cellAt(site, entity, row, field))
      const title = at === 0 ? face.title(row) : null
      return title === null ? cell : { ...cell, text: title, look: 'text', state: null, datetime: null }
    }),
    places: row.may.change.open ? places : null,
    // Not all of an action: forms of a page have its tokens.
    actions: actionsOf(build, buttons, entity, row, { onlyOpen: true }).map(
      ({ key, label, danger, primary, action, confirm }) => ({ key, label, danger, primary, action, confirm }),
    ),
    more: more(row),
  })
}

/**
 * In a list whose first column names the record that column has its title, and below it stands what else its face says. What has a
 * column of its own is not said twice.
 */
function rowFace(build: Building, entity: string, fields: readonly string[]) {
  const { site } = build
  const of = site.app.entities.get(entity)!
  const others = new Set(fields.slice(1))
  const isNamed = titleFields(of).includes(fields[0] ?? '')
  const called = calledIn(of, fields)
  const isReference = fields[0] === of.reference && called.length === 0
  const isShort = (key: string) => {
    const field = fieldInfo(site.app, entity, key)
    return others.has(key) || key === fields[0] || field === null || isNumeric(field.type)
  }
  return {
    title: (row: ReadRow) => (called.length > 0 ? calledBy(site, of, row, called) : null),
    under(row: ReadRow): string {
      if (!isNamed) return ''
      const { reference } = of
      const number = reference === null || isReference || others.has(reference) ? null : row.values[reference]
      const behind = typeof number === 'string' && calledBy(site, of, row, called) !== null ? [number] : []
      return [...behind, ...saidOf(build, entity, row, isShort)].join(' · ')
    },
  }
}

/** Changing, making another one like it, deleting: where a row is open for it and has an address. */
function moreOf(build: Building, entity: string): (row: ReadRow) => Row['more'] {
  const { site, context } = build
  const place = site.routes.places.get(entity)
  if (place === undefined || !isSignedIn(context)) return () => []
  const copyOf = duplicateLinks(build, place)
  const edit = say(site, 'edit')
  const kind = place.entity.archives === null ? ('delete' as const) : ('archive' as const)
  const remove = say(site, kind)
  return row => {
    const value = addressValue(place, row)
    if (value === null) return []
    const { change, delete: removal } = row.may
    return [
      ...(change.open ? [{ kind: 'edit' as const, label: edit, href: recordHref(place, value, '/edit') }] : []),
      ...(copyOf === null || row.archivedAt !== undefined ? [] : [{ kind: 'copy' as const, ...copyOf(value) }]),
      ...(removal.open ? [{ kind, label: remove, href: recordHref(place, value, '/delete') }] : []),
    ]
  }
}
