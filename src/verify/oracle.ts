/**
 * What the document says that one person may do with one record, worked out from its cells with the JavaScript back end of the
 * language. The running application decides the same in SQL, and neither knows of the other: where they disagree, one is wrong.
 */

import type { Cell } from '../document/source.ts'
import { evaluate } from '../expression/evaluate.ts'
import type { Expression } from '../expression/expression.ts'
import type { RecordValue } from '../expression/type.ts'
import type { Field } from '../headings/3-entities/model.ts'
import type { Lock, Transition } from '../headings/4-states/model.ts'
import { linesOf } from '../headings/6-permissions/lines.ts'
import type { FieldPermission, Grant, Permission } from '../headings/6-permissions/model.ts'
import { closedAfter, type NeverVerb } from '../headings/6-permissions/never.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified, type Specified } from '../headings/specified.ts'
import { storedReads } from '../headings/stored-reads.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import type { World } from './world.ts'

/** Somebody, a record, and everything else that conditions look at. */
export interface Case {
  readonly app: App
  readonly world: World
  readonly entity: string
  readonly record: RecordValue
}

/** Entities of which the document says itself who may do what. Child rows follow their parents, assumptions are nobody's word. */
export const isTold = (app: App, entity: string): boolean =>
  app.access.get(entity)?.basis === 'written' && app.entities.get(entity)!.partOf === null

export const sees = (one: Case): boolean => rowsOf(one).some(row => grants(one, row.see)) && isSpared(one, 'see')

export const changes = (one: Case): boolean =>
  sees(one) && rowsOf(one).some(row => grants(one, row.change)) && isSpared(one, 'change') && !isWhole(lockOf(one))

/** A record that somebody has changed is one that they may still change, or that a role by which they changed it may lead to. */
export const mayHaveBecome = (before: Case, after: Case): boolean =>
  (rowsOf(after).some(row => grants(after, row.change)) ||
    rowsOf(before).some(row => grants(before, row.change) && grants(after, row.changeTo))) &&
  isSparedBy(after, neverOf(after) === null ? undefined : closedAfter(neverOf(after)!))

/** Fields that decide whether somebody may change a record. */
export const readToChange = (one: Case): ReadonlySet<string> =>
  new Set(
    rowsOf(one).flatMap(({ change }) =>
      !isUnspecified(change) && change.kind === 'when' ? [...storedReads(one.app, one.entity, change.expression)] : [],
    ),
  )

export const deletes = (one: Case): boolean => restores(one) && lockOf(one)?.kind !== 'all'

/** Whoever may delete brings back what was archived, whatever its state locks. */
export const restores = (one: Case): boolean =>
  sees(one) && rowsOf(one).some(row => grants(one, row.delete)) && isSpared(one, 'delete')

/** No role of this person may create such a record, whatever stands in it. */
export const neverCreates = (one: Omit<Case, 'record'>): boolean =>
  rowsOf(one).every(({ create }) => isUnspecified(create) || create.kind === 'no') || isClosed(one)

const isClosed = ({ app, entity }: Omit<Case, 'record'>): boolean => {
  const closed = app.access.get(entity)!.never?.create
  return closed !== undefined && (isUnspecified(closed) || closed.kind === 'yes')
}

/** Fields that decide whether somebody may create a record. */
export const readToCreate = (one: Omit<Case, 'record'>): ReadonlySet<string> =>
  new Set(
    rowsOf(one).flatMap(({ create }) =>
      !isUnspecified(create) && create.kind === 'when' ? [...storedReads(one.app, one.entity, create.expression)] : [],
    ),
  )

/** Whether a role of this person takes records out as a file, whichever these are. */
export const mayExport = (one: Omit<Case, 'record'>): boolean => {
  const closed = one.app.access.get(one.entity)!.never?.export
  if (closed !== undefined && (isUnspecified(closed) || closed.kind === 'yes')) return false
  return rowsOf(one).some(row => !isUnspecified(row.export) && row.export.kind !== 'no')
}

/** A record that was created is one that a role may create. */
export const mayHaveCreated = (one: Case): boolean =>
  rowsOf(one).some(row => grants(one, row.create)) && isSpared(one, 'create')

/** Null: several people decide together, and one alone cannot be told the answer. */
export function takes(one: Case, step: string): boolean | null {
  const workflow = one.app.workflows.get(one.entity)!
  const branches = workflow.transitions.filter(({ key }) => key === step)
  const isWaiting = workflow.approvals.some(approval => approval.step === step)
  if (!isWaiting) return branches.some(branch => takesBranch(one, branch))
  const isPossible = branches.some(branch => isFrom(one, branch)) && rowsOf(one).some(row => lets(row, step))
  return isPossible && sees(one) && isSpared(one, 'do') ? null : false
}

/** The row of the step that is taken: the first that is open; null: none is, or several people decide together. */
export function branchOf(one: Case, step: string): Transition | null {
  const { transitions, approvals } = one.app.workflows.get(one.entity)!
  if (approvals.some(approval => approval.step === step)) return null
  return transitions.find(branch => branch.key === step && takesBranch(one, branch)) ?? null
}

/** May the field be seen, on a record that is? */
export const seesField = (one: Case, field: Field): boolean =>
  fieldKind(field.kind).sealed !== true && knowsField(one, field)

/** That it is there. */
function knowsField(one: Case, { key, hidden }: Field): boolean {
  if (hidden !== null) return false
  const lines = linesOf(one.app.access.get(one.entity), key)
  const shows = (line: FieldPermission) =>
    opens(one, line) && rowsOf(one).some(row => names(line.see, row) && grants(one, row.see))
  return lines.length === 0 || lines.some(shows)
}

/** A line of a field names the role of this row. */
export const names = (named: FieldPermission['see'], { role }: Permission): boolean =>
  !isUnspecified(named) && named.roles.includes(role)

/** The line of a field speaks of this record. */
const opens = (one: Case, { when }: FieldPermission): boolean =>
  when === null || (!isUnspecified(when) && holds(one, when))

/** May it be changed by hand, on a record that may? What people never write is written by nobody. */
export function setsField(one: Case, field: Field): boolean {
  if (isWritten(field) || !knowsField(one, field)) return false
  const lock = lockOf(one)
  if (lock !== null && (lock.kind === 'all' ? !lock.except.includes(field.key) : lock.fields.includes(field.key)))
    return false
  const lines = linesOf(one.app.access.get(one.entity), field.key)
  const lets = (line: FieldPermission) => {
    const { see, change } = line
    if (!opens(one, line) || !rowsOf(one).some(row => names(see, row))) return false
    return change === null || rowsOf(one).some(row => names(change, row) && grants(one, row.change))
  }
  return lines.length === 0 || lines.some(lets)
}

/** Rows are written with the record that they are part of. */
export const setsRows = (one: Case, field: Field): boolean => {
  const lock = lockOf(one)
  return knowsField(one, field) && field.readOnly === null && lock === null
}

/** The application writes it, or nobody does. */
export const isWritten = (field: Field): boolean =>
  !fieldKind(field.kind).entered ||
  [field.computed, field.copiedFrom, field.setBy, field.readOnly, field.assignedFrom, field.hidden].some(
    said => said !== null,
  )

export const rowsOf = ({ app, world, entity }: Omit<Case, 'record'>): readonly Permission[] =>
  app.access.get(entity)!.rows.filter(({ role }) => world.asker.actor.roles.includes(role))

const grants = (one: Case, grant: Specified<Grant>): boolean =>
  isOwn(one) &&
  !isUnspecified(grant) &&
  (grant.kind === 'yes' || (grant.kind === 'when' && holds(one, grant.expression)))

/** The row `never` says that it does not hold of this record: unknown is not enough. */
function isSpared(one: Case, verb: NeverVerb): boolean {
  return isSparedBy(one, neverOf(one)?.[verb])
}

const neverOf = ({ app, entity }: Case) => app.access.get(entity)!.never

function isSparedBy(one: Case, closed: Specified<Grant> | undefined): boolean {
  if (closed === undefined) return true
  if (isUnspecified(closed)) return false
  return closed.kind === 'when' ? worthOf(one, closed.expression) === false : closed.kind === 'no'
}

/** Of the person's own tenant, where the document keeps tenants apart. */
function isOwn({ app, world, entity, record }: Case): boolean {
  const { tenant } = app.schema.get(entity)!
  if (tenant === undefined) return true
  const { tenant: own } = world.asker.actor
  return own != null && record[tenant.field] === own
}

const takesBranch = (one: Case, branch: Transition): boolean =>
  isFrom(one, branch) &&
  !isUnspecified(branch.to) &&
  isSpared(one, 'see') &&
  isSpared(one, 'do') &&
  rowsOf(one).some(row => lets(row, branch.key) && grants(one, row.see) && isNamed(one, branch, row.role)) &&
  (branch.when === null || (!isUnspecified(branch.when) && holds(one, branch.when)))

/** Whether heading 4 and heading 6 give a step to anybody at all, whatever its record says. */
export function isGiven(app: App, entity: string, step: string): boolean {
  const branches = app.workflows.get(entity)!.transitions.filter(({ key }) => key === step)
  const isSomebodys = branches.some(
    ({ who, to }) =>
      !isUnspecified(to) &&
      !isUnspecified(who) &&
      (who.kind === 'everyone signed in' || who.roles.length + who.people.length > 0),
  )
  return isSomebodys && app.access.get(entity)!.rows.some(row => lets(row, step))
}

const isFrom = ({ record }: Case, { from }: Transition): boolean =>
  !isUnspecified(from) && from.includes(String(record.state))

const lets = ({ do: may }: Permission, step: string): boolean =>
  !isUnspecified(may) && (may.steps === 'all' || may.steps.includes(step))

function isNamed(one: Case, { who }: Transition, role: string): boolean {
  if (one.world.asker.actor.id === null || isUnspecified(who)) return false
  const isMe = (people: Expression) => [worthOf(one, people)].flat().includes(one.world.asker.actor.id)
  if (who.except.some(isMe)) return false
  return who.kind === 'everyone signed in' || who.roles.includes(role) || who.people.some(isMe)
}

const lockOf = ({ app, entity, record }: Case): Lock | null =>
  app.workflows.get(entity)?.states.find(({ name }) => name === record.state)?.locks ?? null

const isWhole = (lock: Lock | null): boolean => lock?.kind === 'all' && lock.except.length === 0

const worthOf = ({ world, record }: Case, expression: Expression) => evaluate(expression, world.environment(record))

/** Unknown is no. */
const holds = (one: Case, condition: Expression): boolean => worthOf(one, condition) === true

/** The cells that decide it: what a disagreement points to. */
export const cellOf = ({ app, entity }: Pick<Case, 'app' | 'entity'>): Cell => app.access.get(entity)!.cell
