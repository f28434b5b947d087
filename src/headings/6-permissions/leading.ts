/** What changes may lead to: a change must not lead out of what somebody may change, unless the document says so (`Change to`). */
import { reporter } from '../../document/diagnostic.ts'
import { nothing } from '../../document/nothing.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import type { Field } from '../3-entities/model.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { isUnspecified, said } from '../said.ts'
import { storedReads } from '../stored-reads.ts'
import { permissionCodes } from './codes.ts'
import { concerns, grants } from './held.ts'
import { linesOf } from './lines.ts'
import type { Permission } from './model.ts'

/** N1628: a role may change what its Change reads. N1629: it may change nothing, and so lead nothing anywhere. */
export function lintLeading(context: Context, app: App, entity: string, row: Permission): void {
  const { report } = reporter(permissionCodes, 6, context.found)
  const { name, fields } = app.entities.get(entity)!
  const { role, change, changeTo } = row
  if (isUnspecified(change) || isUnspecified(changeTo)) return
  if (grants(changeTo) && change.kind === 'no') {
    report('N1629', changeTo.cell, { role, entity: name }, { related: [{ span: change.cell, message: 'Change' }] })
    return
  }
  const isSaid = grants(changeTo) || nothing(changeTo.cell) === 'none'
  const isFree = app.access
    .get(entity)!
    .rows.some(other => concerns(app, other.role, role) && said(other.change)?.kind === 'yes')
  if (change.kind !== 'when' || isSaid || isFree) return
  const reads = storedReads(app, entity, change.expression)
  const open = fields.filter(field => reads.has(field.key) && isByHand(field) && mayChange(app, entity, row, field))
  if (open.length === 0) return
  const related = open.map(({ cell }) => ({ span: cell, message: 'people set it' }))
  report(
    'N1628',
    change.cell,
    { role, entity: name, fields: open.map(({ key }) => `\`${key}\``).join(', ') },
    { related },
  )
}

/** People may set it on a record that is there. */
const isByHand = ({ kind, computed, copiedFrom, assignedFrom, setBy, hidden, readOnly }: Field): boolean =>
  fieldKind(kind).entered && [computed, copiedFrom, assignedFrom, setBy, hidden, readOnly].every(one => one === null)

/** By its row and the lines of the field. */
const mayChange = (app: App, entity: string, { role }: Permission, { key }: Field): boolean => {
  const lines = linesOf(app.access.get(entity), key)
  return lines.length === 0 || lines.some(({ see, change }) => said(change ?? see)?.roles.includes(role) === true)
}
