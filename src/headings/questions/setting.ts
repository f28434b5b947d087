/** Who may set a field by hand while a record is in a state. For questions: what cannot be told counts as nobody. */
import type { Cell } from '../../document/source.ts'
import { couldHold, type Facts } from '../../expression/outcomes.ts'
import type { Field } from '../3-entities/model.ts'
import type { State } from '../4-states/model.ts'
import { couldGrant, couldSpare, heldRoles } from '../6-permissions/held.ts'
import { isByHand } from '../6-permissions/leading.ts'
import { linesOf } from '../6-permissions/lines.ts'
import type { Permission } from '../6-permissions/model.ts'
import { neverFor } from '../6-permissions/never.ts'
import type { App } from '../app.ts'
import { isUnspecified, specified } from '../specified.ts'
import { storedReads } from '../stored-reads.ts'

export interface Setter {
  readonly role: string
  /** Of Change under heading 6. */
  readonly cell: Cell
  readonly row: Permission
}

/** The rows of heading 6 by which somebody changes the field of such a record; `facts` has its state. */
export function settersOf(app: App, entity: string, field: Field, facts: Facts): readonly Setter[] {
  const access = app.access.get(entity)!
  const isClosed =
    app.entities.get(entity)!.appendOnly !== null ||
    !isByHand(field) ||
    (field.readOnlyWhen !== null && couldHold(field.readOnlyWhen.root, facts)) ||
    isLocked(stateOf(app, entity, facts), field.key)
  if (isClosed) return []
  const held = heldRoles(app.roles)
  return access.rows.flatMap(row => {
    const { role, see, change } = row
    const isOpen = held.has(role) && couldGrant(see, facts) && !isUnspecified(change) && couldGrant(change, facts)
    const isSpared = couldSpare(neverFor(access, [role]), 'change', facts)
    if (!isOpen || !isSpared || !hasLine(app, entity, field, role, facts) || !changesRows(app, field, role)) return []
    return [{ role, cell: change.cell, row }]
  })
}

/** Whether such a change may make the field anything: Change does not read it, or leads further. */
export function mayBecomeAnything(app: App, entity: string, { row }: Setter, field: string): boolean {
  const { change, changeTo } = row
  const [condition, further] = [specified(change), specified(changeTo)]
  if (further !== null && further.kind !== 'no') return true
  return condition?.kind !== 'when' || !storedReads(app, entity, condition.expression).has(field)
}

function hasLine(app: App, entity: string, { key }: Field, role: string, facts: Facts): boolean {
  const lines = linesOf(app.access.get(entity), key)
  return (
    lines.length === 0 ||
    lines.some(({ see, change, when }) => {
      const condition = when === null ? null : specified(when)
      const isOpen = when === null || (condition !== null && couldHold(condition.root, facts))
      return isOpen && specified(change ?? see)?.roles.includes(role) === true
    })
  )
}

/** Of a list: its rows go with their record, or the role has all of them. */
function changesRows(app: App, { type }: Field, role: string): boolean {
  if (type.kind !== 'list') return true
  const access = app.access.get(type.entity)
  return (
    access?.basis === 'parent' ||
    access?.rows.some(row => row.role === role && specified(row.change)?.kind === 'yes') === true
  )
}

const stateOf = (app: App, entity: string, facts: Facts): State | undefined =>
  app.workflows.get(entity)?.states.find(({ name }) => name === facts.get('state'))

function isLocked(state: State | undefined, field: string): boolean {
  const locks = state?.locks ?? null
  if (locks === null) return false
  return locks.kind === 'all' ? !locks.except.includes(field) : locks.fields.includes(field)
}
