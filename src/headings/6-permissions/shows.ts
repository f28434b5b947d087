/** Fields and approvals that show somebody what a field is that they may not see. */
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import type { Step } from '../../expression/checked.ts'
import { partsOf, pathsOf } from '../../expression/computed.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Field } from '../3-entities/model.ts'
import type { Transition } from '../4-states/model.ts'
import { givenIn } from '../4-states/stored.ts'
import type { App } from '../app.ts'
import { facts, seesOf } from '../cascades/facts.ts'
import type { Context } from '../context.ts'
import { isUnspecified } from '../specified.ts'
import { permissionCodes } from './codes.ts'
import { concerns, mayEver, mayEverSeeField } from './held.ts'
import { conditionOf, linesOf } from './lines.ts'

interface Showing {
  readonly entity: string
  readonly field: Field
  readonly from: readonly Expression[]
  /** Where the warning stands. */
  readonly cell: Cell
}

/** N1616, once for each field and each closed one that is shown by it. What is `hidden` is there to be computed with. */
export function lintShowing(context: Context, app: App, held: ReadonlySet<string>): void {
  const { report } = reporter(permissionCodes, 6, context.found)
  const known = new Set<string>()
  for (const { entity, field, from, cell } of showingsIn(app)) {
    if (field.hidden !== null) continue
    const seers = seersOf(app, entity, field, held)
    for (const read of from.flatMap(one => readsOf(app, one))) {
      const { step } = read
      const pair = `${entity}.${field.key} ${step.entity}.${step.field}`
      const shown = seers.filter(role => isShut(app, entity, field, read, role))
      if (shown.length === 0 || known.has(pair)) continue
      known.add(pair)
      const of = wordsOf(app, entity, step)
      const related = [
        { span: closedAt(app, step), message: 'closed here' },
        { span: from[0]!.cell, message: 'shown here' },
      ]
      const rests = { subject: facts.untold(step.entity), causes: seesOf(shown, step.entity) }
      const parameters = { roles: shown.join(', '), field: field.key, entity: nameOf(app, entity), read: of }
      report('N1616', cell, parameters, { related, ...rests })
    }
  }
}

/** What fields hold that nobody enters: they are computed, copied, or an act gives it to them. */
function showingsIn(app: App): readonly Showing[] {
  const ofFields = [...app.entities.values()].flatMap(({ key: entity, fields }) =>
    fields.flatMap(field => {
      const from = field.computed ?? field.copiedFrom
      return from === null ? [] : [{ entity, field, from: [from], cell: field.cell }]
    }),
  )
  const ofActs = givenIn(app).flatMap(({ entity, given: { field: key, value, cell }, named }) => {
    const field = app.entities.get(entity)?.fields.find(one => one.key === key)
    return field === undefined ? [] : [{ entity, field, from: withNamed(value, named), cell }]
  })
  return [...ofFields, ...ofActs]
}

/** A value, and those that it reads by the names that `let` gave them, however far. */
function withNamed(value: Expression, named: ReadonlyMap<string, Expression>): readonly Expression[] {
  const all = new Set([value])
  for (const { reads } of all) for (const [name, of] of named) if (reads.includes(`limits.let.${name}`)) all.add(of)
  return [...all]
}

/** Those who see a field, but for whoever a row of it names: they are meant to. */
function seersOf(app: App, entity: string, { key }: Field, held: ReadonlySet<string>): readonly string[] {
  const meant = linesOf(app.access.get(entity), key).flatMap(({ see }) =>
    isUnspecified(see) || see.cell.text === 'all' ? [] : see.roles,
  )
  return [...held].filter(
    role =>
      !meant.some(one => concerns(app, one, role)) &&
      mayEver(app, entity, role, 'see') &&
      mayEverSeeField(app, entity, role, key),
  )
}

/**
 * N1625: the condition of an approval reads what is closed to somebody who may take its step. Nobody else is told of the approval
 * (`run/read/readable.ts`); whoever may take the step notices that it waits.
 */
export function lintApprovalsShowing(context: Context, app: App, held: ReadonlySet<string>): void {
  const { report } = reporter(permissionCodes, 6, context.found)
  for (const { entity, approvals, transitions } of app.workflows.values())
    for (const { when, step, name } of approvals) {
      if (when === null || isUnspecified(when)) continue
      const branches = transitions.filter(({ key }) => key === step)
      const takers = [...held].filter(role => branches.some(branch => mayTake(app, entity, branch, role)))
      for (const read of readsOf(app, when)) {
        const shown = takers.filter(role => isShut(app, entity, null, read, role))
        if (shown.length === 0) continue
        const related = [{ span: closedAt(app, read.step), message: 'closed here' }]
        const values = { roles: shown.join(', '), step: branches[0]!.name, approval: name }
        report('N1625', when.cell, { ...values, read: wordsOf(app, entity, read.step) }, { related })
      }
    }
}

/** Its Who names the role, or people whom the record names, and heading 6 lets the role do it. */
export function mayTake(app: App, entity: string, { who, key }: Transition, role: string): boolean {
  if (isUnspecified(who) || !mayEver(app, entity, role, 'see')) return false
  const { rows } = app.access.get(entity)!
  const does = rows.some(
    row => row.role === role && !isUnspecified(row.do) && (row.do.steps === 'all' || row.do.steps.includes(key)),
  )
  return does && (who.kind === 'everyone signed in' || who.people.length > 0 || who.roles.includes(role))
}

export const wordsOf = (app: App, entity: string, { entity: of, field }: Step): string =>
  of === entity ? `\`${field}\`` : `\`${field}\` of ${nameOf(app, of)}`

export interface Read {
  readonly step: Step
  /** Of another record, and of that one alone: not counted or added up over many. */
  readonly ofOne: boolean
}

/**
 * Each field once, in the order in which it is written. What the person who asks has themselves is no secret to them, and a reference
 * that only leads to a field says nothing of itself unless that field names the record.
 */
export function readsOf(app: App, { root }: Expression): readonly Read[] {
  const ofOne = new Set(stepsOfOne(root))
  const reads = new Map<string, Read>()
  const shown = pathsOf(root).flatMap(({ base, steps }) =>
    base === 'me' ? [] : steps.filter((step, index) => tells(app, step, steps.slice(index + 1))),
  )
  for (const step of shown) {
    const key = `${step.entity}.${step.field}`
    reads.set(key, { step, ofOne: ofOne.has(step) || reads.get(key)?.ofOne === true })
  }
  return [...reads.values()]
}

/** Whether a step of a path is told by what stands behind it. Lists are, as far as their rows are. */
function tells(app: App, { entity, field }: Step, [next, ...further]: readonly Step[]): boolean {
  if (next === undefined) return true
  const { fields } = app.schema.get(entity)!
  if (fields.get(field)?.type.kind !== 'reference') return true
  const of = app.entities.get(next.entity)!
  const isUnique = of.fields.some(({ key, unique }) => key === next.field && unique !== null)
  return further.length === 0 && (isUnique || of.title.includes(next.field) || next.field === 'id')
}

/** What a reference leads to, the first of several records, and what is listed of them. `isOwn`: the first name is a field of the record itself. */
const stepsOfOne = (node: Expression['root'], isOwn = true): readonly Step[] => {
  if (node.op === 'field') return isOwn ? node.path.steps.slice(1) : node.path.steps
  if (!('source' in node)) return partsOf(node).flatMap(part => stepsOfOne(part, isOwn))
  return node.op === 'aggregate' && (node.name === 'first' || node.name === 'list' || node.name === 'groups')
    ? stepsOfOne(node.value!, false)
    : []
}

/** Whether a role sees it on no record at all. What is `hidden` is there to decide. */
export function isNeverSeen(app: App, { step, ofOne }: Read, role: string): boolean {
  const declared = app.entities.get(step.entity)?.fields.find(({ key }) => key === step.field)
  if (declared === undefined || declared.hidden !== null) return false
  if (!mayEverSeeField(app, step.entity, role, step.field)) return true
  return ofOne && step.entity !== 'person' && !mayEver(app, step.entity, role, 'see')
}

/** `field`: the one that shows it, which may be open under the same condition; null: no field does. */
function isShut(app: App, entity: string, field: Field | null, read: Read, role: string): boolean {
  const { step } = read
  const declared = app.entities.get(step.entity)?.fields.find(({ key }) => key === step.field)
  if (declared === undefined || declared.hidden !== null) return false
  if (isNeverSeen(app, read, role)) return true
  const when = whenOf(app, step.entity, step.field)
  return when !== null && !(field !== null && step.entity === entity && whenOf(app, entity, field.key) === when)
}

/** The condition under which a field is open, as written. */
function whenOf(app: App, entity: string, field: string): string | null {
  return conditionOf(linesOf(app.access.get(entity), field))
}

const nameOf = (app: App, entity: string): string => app.entities.get(entity)!.name

/** Where a field is closed: its line of heading 6, else the record's. */
export const closedAt = (app: App, { entity, field }: Step) => {
  const access = app.access.get(entity)!
  const [line] = linesOf(access, field)
  return line?.when?.cell ?? line?.see.cell ?? access.cell
}
