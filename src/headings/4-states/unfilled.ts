/** Steps, and new records, that need a field which nobody and nothing ever fills. */

import { reporter } from '../../document/diagnostic.ts'
import type { Expression } from '../../expression/expression.ts'
import { couldHold, type Facts, mustFail, mustHold } from '../../expression/outcomes.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import type { Entity, Field } from '../3-entities/model.ts'
import { concerns, mayEver } from '../6-permissions/held.ts'
import { linesOf, rolesOfLines } from '../6-permissions/lines.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { isUnspecified, specified } from '../specified.ts'
import { actsOf, createdWith } from './all-acts.ts'
import { stateCodes } from './codes.ts'
import type { Transition } from './model.ts'
import { startsOf } from './ways.ts'

/** Where what is needed is said, and the field. */
interface Need {
  readonly by: Expression
  readonly field: string
}

/** `held` are the roles that somebody can have. */
export function lintUnfilled(context: Context, app: App, held: ReadonlySet<string>): void {
  const { report } = reporter(stateCodes, 4, context.found)
  const written = writtenFields(app)
  const set = setFields(app)
  for (const entity of app.entities.values()) {
    const empty = unfilledOf(app, entity, written, held)
    // A default is given when the record is created: what is not there then begins empty.
    const conditional = entity.fields.filter(field => field.onlyWhen !== null && !isGiven({ ...field, default: null }))
    if (empty.size === 0 && conditional.length === 0) continue
    const tell = (what: string, cell: Entity['cell'], { by, field }: Need) =>
      report('N1463', cell, { what, field }, { related: [{ span: by.cell, message: 'needed here' }] })
    const born = neededAtBirth(app, entity, empty)
    if (born !== null) {
      tell(`no ${entity.name} can be created`, entity.cell, born)
      continue
    }
    for (const branch of app.workflows.get(entity.key)?.transitions ?? []) {
      const absent = conditional.filter(field => !set.has(field.key))
      const found = neededByStep(app, entity, branch, empty, absent)
      if (found === null) continue
      tell(`\`${branch.name}\` is always ${found.isShut ? 'closed' : 'refused'}`, branch.cell, found.need)
    }
  }
}

/** What keeps everybody from creating a record, in whichever state it begins. */
function neededAtBirth(app: App, entity: Entity, empty: Facts): Need | null {
  const workflow = app.workflows.get(entity.key)
  const begins = workflow === undefined ? [empty] : startsOf(workflow).map(state => inState(empty, state))
  const needs = begins.map(facts => needOf(app, entity, 'create', facts))
  const isMade = app.access.get(entity.key)!.rows.some(({ role }) => mayEver(app, entity.key, role, 'create'))
  return needs.includes(null) || !isMade ? null : needs[0]!
}

/** What keeps a step from being taken, by its condition or by a rule behind it. `conditional`: fields that no act sets. */
function neededByStep(
  app: App,
  entity: Entity,
  branch: Transition,
  empty: Facts,
  conditional: readonly Field[],
): { readonly isShut: boolean; readonly need: Need } | null {
  const { from, to, when } = branch
  if (isUnspecified(from) || isUnspecified(to)) return null
  const opens = specified(when)
  const isShut =
    opens !== null &&
    from.every(state => !couldHold(opens.root, inState(empty, state))) &&
    from.some(state => couldHold(opens.root, inState(nothing, state)))
  const absent = conditional.filter(field => isAbsentBefore(branch, from, field))
  const left = new Map([...empty, ...absent.map(({ key }) => [key, null] as const)])
  const need = isShut ? needed(opens, empty) : needOf(app, entity, branch.key, inState(left, to))
  return need === null ? null : { isShut, need }
}

/** It is not there in any state that the step begins in, and the step does not ask for it. */
const isAbsentBefore = ({ asks }: Transition, from: readonly string[], { key, onlyWhen }: Field): boolean =>
  !asks.some(({ field }) => field === key) && from.every(state => !couldHold(onlyWhen!.root, inState(nothing, state)))

const nothing: Facts = new Map()
const inState = (facts: Facts, state: string): Facts => new Map([...facts, ['state', state]])

const needed = (by: Expression, empty: Facts): Need | null => {
  const field = by.reads.find(read => empty.get(read) === null)
  return field === undefined ? null : { by, field }
}

/** What refuses every record with these values on an occasion: a rule, or a field that is required then. */
function needOf(app: App, { key, fields }: Entity, on: string, facts: Facts): Need | null {
  for (const { entity, on: occasions, mustHold: rule, warns } of app.rules) {
    const isAsked = entity === key && !warns && (occasions === null ? on === 'create' : occasions.includes(on))
    const need = isAsked && !isUnspecified(rule) && mustFail(rule.root, facts) ? needed(rule, facts) : null
    if (need !== null) return need
  }
  for (const { key: field, required, onlyWhen } of fields) {
    const conditions = required === null ? [] : [required.when, onlyWhen].filter(one => one !== null)
    const isNeeded = conditions.length > 0 && conditions.every(({ root }) => mustHold(root, facts))
    if (facts.get(field) === null && isNeeded) return { by: conditions[0]!, field }
  }
  return null
}

/** Fields that are empty on every record of an entity. Where the document leaves open who fills one, it is not among them. */
function unfilledOf(app: App, entity: Entity, written: ReadonlySet<string>, held: ReadonlySet<string>): Facts {
  const { basis, rows } = app.access.get(entity.key)!
  const isOpen = basis !== 'written' || rows.some(row => isUnspecified(row.create) || isUnspecified(row.change))
  // What another application made it fills as well; of people the name comes with the account.
  if (isOpen || entity.builtIn || entity.table !== null) return nothing
  const writers = [...held].filter(
    role => mayEver(app, entity.key, role, 'create') || mayEver(app, entity.key, role, 'change'),
  )
  const byPeople = (field: Field) => {
    if (field.setBy !== null || field.readOnly?.after === 'always' || field.hidden !== null) return false
    const lines = linesOf(app.access.get(entity.key), field.key)
    if (lines.some(line => isUnspecified(line.change ?? line.see))) return true
    const named = rolesOfLines(lines, 'change')
    return writers.some(role => named === null || named.some(one => concerns(app, one, role)))
  }
  const empty = entity.fields.filter(field => !isGiven(field) && !written.has(field.key) && !byPeople(field))
  return new Map(empty.map(({ key }) => [key, null]))
}

/** Filled by its rules or its kind. */
const isGiven = (field: Field): boolean =>
  field.default !== null ||
  field.copiedFrom !== null ||
  field.assignedFrom !== null ||
  field.computed !== null ||
  field.type.kind === 'list' ||
  !fieldKind(field.kind).entered

/** Fields that steps ask for, and that steps, timers, effects, answers and messages write, of whatever entity. */
export function writtenFields(app: App): ReadonlySet<string> {
  const asked = [...app.workflows.values()].flatMap(({ transitions }) => transitions.flatMap(({ asks }) => asks))
  return new Set([...setFields(app), ...asked.map(({ field }) => field)])
}

/** The same without those that steps ask for. */
function setFields(app: App): ReadonlySet<string> {
  const acts = [...actsOf(app), ...[...app.calls.values()].flatMap(call => call.answers.flatMap(({ then }) => then))]
  const inActs = acts.flatMap(act => {
    const given = act.kind === 'create' ? createdWith(act) : act.kind === 'set' ? [act] : []
    return given.flatMap(({ values }) => values.map(({ field }) => field))
  })
  const received = [...app.receives.values()].flatMap(({ takes }) => takes)
  return new Set([...inActs, ...received.map(({ field }) => field)])
}
