/** What the first column of a table is headed by, where it shows what records are called instead of its own values. */
import type { Entity } from '../../headings/3-entities/model.ts'
import { titleFields } from '../../headings/3-entities/titles.ts'
import type { App } from '../../headings/app.ts'
import { fieldInfo } from '../site.ts'

/** Fields that its rows are called by: none of those that have a column of their own. */
export const calledIn = (of: Entity, fields: readonly string[]): readonly string[] =>
  titleFields(of).includes(fields[0] ?? '') ? of.called.filter(key => !fields.slice(1).includes(key)) : []

interface Head {
  readonly label: string
  /** The field that it begins with. */
  readonly field: string
}

/** The field that names them, else the thing that they are; null: by the column itself. `sees`: this reader, on some record. */
export function firstHead(
  app: App,
  of: Entity,
  fields: readonly string[],
  sees: (field: string) => boolean,
): Head | null {
  const [field, further] = calledIn(of, fields).filter(sees)
  const info = field === undefined ? null : fieldInfo(app, of.key, field)
  if (info === null || (field === fields[0] && further === undefined)) return null
  const isOne = further === undefined && info.type.kind !== 'list'
  return { label: isOne ? info.label : of.name, field: info.key }
}
