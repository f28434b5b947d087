/** What changes may lead to: a change must not lead out of what somebody may change, unless the document says so (`Change to`). */
import { reporter } from '../../document/diagnostic.ts'
import { nothing } from '../../document/nothing.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import type { Field } from '../3-entities/model.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { isUnspecified, specified } from '../specified.ts'
import { storedReads } from '../stored-reads.ts'
import { permissionCodes } from './codes.ts'
import { concerns, grants } from './held.ts'
import { linesOf } from './lines.ts'
import type { Permission } from './model.ts'

/** N1629: a role may change nothing, and so lead nothing anywhere. N1628, once for the entity: roles may change what their Change reads. */
export function lintLeading(context: Context, app: App, entity: string): void {
  const { report } = reporter(permissionCodes, 6, context.found)
  const { name } = app.entities.get(entity)!
  const open = app.access.get(entity)!.rows.flatMap(row => {
    const { role, change, changeTo } = row
    if (isUnspecified(change) || isUnspecified(changeTo)) return []
    if (grants(changeTo) && change.kind === 'no')
      report('N1629', changeTo.cell, { role, entity: name }, { related: [{ span: change.cell, message: 'Change' }] })
    const fields = leadingOut(app, entity, row)
    return fields.length === 0 ? [] : [{ role, cell: change.cell, fields }]
  })
  const [first, ...others] = open
  if (first === undefined) return
  const fields = [...new Set(open.flatMap(one => one.fields))]
  const related = [
    ...others.map(({ cell }) => ({ span: cell, message: 'so may they' })),
    ...fields.map(({ cell }) => ({ span: cell, message: 'people set it' })),
  ]
  const detail = {
    roles: open.map(({ role }) => role).join(', '),
    entity: name,
    fields: fields.map(({ key }) => `\`${key}\``).join(', '),
  }
  report('N1628', first.cell, detail, { related })
}

/** Fields that a role may set, and that decide whether it may; none where the document says what a change of theirs may lead to. */
function leadingOut(app: App, entity: string, row: Permission): readonly Field[] {
  const { role, change, changeTo } = row
  if (isUnspecified(change) || isUnspecified(changeTo) || change.kind !== 'when') return []
  const isSaid = grants(changeTo) || nothing(changeTo.cell) === 'none'
  const isFree = app.access
    .get(entity)!
    .rows.some(other => concerns(app, other.role, role) && specified(other.change)?.kind === 'yes')
  if (isSaid || isFree) return []
  const reads = storedReads(app, entity, change.expression)
  return app.entities
    .get(entity)!
    .fields.filter(field => reads.has(field.key) && isByHand(field) && mayChange(app, entity, row, field))
}

/** People may set it on a record that is there. */
export const isByHand = ({ kind, computed, copiedFrom, assignedFrom, setBy, hidden, readOnly }: Field): boolean =>
  fieldKind(kind).entered && [computed, copiedFrom, assignedFrom, setBy, hidden, readOnly].every(one => one === null)

/** By its row and the lines of the field. */
const mayChange = (app: App, entity: string, { role }: Permission, { key }: Field): boolean => {
  const lines = linesOf(app.access.get(entity), key)
  return lines.length === 0 || lines.some(({ see, change }) => specified(change ?? see)?.roles.includes(role) === true)
}
