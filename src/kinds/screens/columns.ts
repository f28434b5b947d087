/** Which fields of an entity a screen shows where the document does not say. */

import type { Screen } from '../../headings/2-screens/model.ts'
import type { Entity } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { fieldKind } from '../fields/index.ts'
import { columnsName } from './address.ts'
import type { Address } from './screen-kind.ts'

/** The entity that a screen shows; null where the document leaves open what it shows. */
export function shownEntity({ shows }: Screen, app: App): Entity | null {
  if ('unspecified' in shows || shows.entity === null) return null
  return app.entities.get(shows.entity) ?? null
}

/** What the heading of a list can hold: the screen's own columns, else all fields with a short value of their own. */
export function columnsOf(own: readonly { readonly field: string }[], entity: Entity, app: App): readonly string[] {
  if (own.length > 0) return own.map(({ field }) => field)
  const shown = entity.fields.filter(
    ({ key, kind, parameters, hidden }) =>
      hidden === null &&
      fieldKind(kind).column(parameters) !== null &&
      (!isLong(parameters.length) || entity.title.includes(key)),
  )
  const titles = entity.title.filter(key => shown.some(field => field.key === key))
  const state = app.workflows.has(entity.key) ? ['state'] : []
  const others = shown.map(({ key }) => key).filter(key => !titles.includes(key))
  return [...titles, ...state, ...others]
}

/** All that a reader may choose as columns: fields with one value each, the state among them, in the document's order. */
export function columnFields(entity: Entity, app: App, sees: (field: string) => boolean): readonly string[] {
  const fields = entity.fields.filter(
    ({ key, kind, parameters, hidden, computed }) =>
      hidden === null && (computed !== null || fieldKind(kind).column(parameters) !== null) && sees(key),
  )
  return [...(app.workflows.has(entity.key) ? ['state'] : []), ...fields.map(({ key }) => key)]
}

/** The columns that the address names; null: it names none. */
export function chosenColumns(entity: Entity, app: App, { query, sees }: Address): readonly string[] | null {
  const named = query.getAll(columnsName).flatMap(text => text.split(','))
  const known = columnFields(entity, app, field => sees?.(entity.key, field) ?? true)
  const chosen = [...new Set(named)].filter(field => known.includes(field))
  return chosen.length === 0 ? null : chosen
}

/** Texts beyond this many characters are read on the record's own page, unless they name it. Lines of other programs have up to 255. */
const longest = 255

export const isLong = (length: number | undefined): boolean => (length ?? 0) > longest
