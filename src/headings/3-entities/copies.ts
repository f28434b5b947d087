/** Fields that are `copied from` what is copied from them in turn: nothing could be worked out first. */
import type { App } from '../app.ts'
import type { Field } from './model.ts'

interface CopyCircle {
  readonly field: Field
  /** The names on the way round, beginning and ending with the field. */
  readonly way: readonly string[]
}

interface OwnedField {
  readonly entity: string
  readonly field: Field
}

/** One per circle, at the field that stands first. */
export function copyCircles(app: App): readonly CopyCircle[] {
  const found: CopyCircle[] = []
  const done = new Set<Field>()
  const visit = ({ entity, field }: OwnedField, way: readonly Field[]): void => {
    const begin = way.indexOf(field)
    if (begin >= 0) found.push({ field, way: [...way.slice(begin), field].map(({ key }) => key) })
    if (done.has(field)) return
    done.add(field)
    for (const path of field.copiedFrom?.reads ?? [])
      for (const next of readIn(app, entity, path.split('.'))) visit(next, [...way, field])
  }
  for (const { key, fields } of app.entities.values()) for (const field of fields) visit({ entity: key, field }, [])
  return found
}

/** The field that a path reads of the record itself, of its rows, or of what it is part of: what is filled with it. */
function readIn(app: App, entity: string, [key, ...rest]: readonly string[]): readonly OwnedField[] {
  const { fields, partOf } = app.entities.get(entity)!
  const field = fields.find(one => one.key === key)
  if (field === undefined)
    return partOf !== null && key === app.schema.get(entity)!.parent ? readIn(app, partOf, rest) : []
  const rows = field.type.kind === 'list' && app.entities.get(field.type.entity)?.partOf === entity
  return rows ? readIn(app, field.type.entity, rest) : [{ entity, field }]
}
