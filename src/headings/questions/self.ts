/** N0403 and N0404: whoever makes a record decides about it, or gets out of what `except` says by changing a field. */
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import type { Checked } from '../../expression/checked.ts'
import { conjuncts } from '../../expression/grouping.ts'
import type { Field } from '../3-entities/model.ts'
import { badEnds } from '../4-states/ends.ts'
import type { Workflow } from '../4-states/model.ts'
import { movesOf } from '../4-states/moves.ts'
import { lets } from '../4-states/takers.ts'
import { concerns, mayEver } from '../6-permissions/held.ts'
import type { App } from '../app.ts'
import { isUnspecified, specified } from '../specified.ts'
import { type Ask, listed, type Step, stepsOf } from './asking.ts'
import { mayBecomeAnything, settersOf } from './setting.ts'

export function askSelf(ask: Ask, app: App, workflow: Workflow): void {
  const bad = badEnds(workflow.states, movesOf(app, workflow))
  for (const step of stepsOf(workflow)) {
    // To refuse what is one's own is no gain.
    if (step.to.every(goal => bad.has(goal))) continue
    askOwn(ask, app, workflow.entity, step)
    askExcept(ask, app, workflow.entity, step)
  }
}

/** Once for a step: of its approvals, those that whoever makes a record may give. */
function askOwn(ask: Ask, app: App, entity: string, { branches, name, approvals }: Step): void {
  if (branches.some(({ who }) => !isUnspecified(who) && who.except.length > 0)) return
  const own = approvals.flatMap(approval => {
    const { from, except, exceptCell } = approval
    const isSaid = except.length > 0 || (exceptCell !== null && nothing(exceptCell) === 'none')
    const decider = specified(from)?.roles.find(role => mayEver(app, entity, role, 'create'))
    return isSaid || decider === undefined ? [] : [{ approval, decider }]
  })
  const [first, ...others] = own
  if (first === undefined) return
  const { name: record, fields } = app.entities.get(entity)!
  const parameters = {
    entity: record,
    approval: listed(own.map(({ approval }) => approval.name)),
    maker: fields.find(isMaker)?.key ?? 'created_by',
    example: `Ada, who has the role ${first.decider}, makes one and decides herself about its \`${name}\``,
  }
  const related = others.map(({ approval }) => ({ span: approval.cell, message: 'here, too' }))
  ask('N0403', first.approval.cell, parameters, { related })
}

/** Whose record it is, unless it says otherwise. */
const isMaker = ({ default: first }: Field): boolean => first?.root.op === 'me'

/** Of `Clerk except requester` and `requester != me`, where a clerk may write somebody else into `requester` before. */
function askExcept(ask: Ask, app: App, entity: string, step: Step): void {
  const { fields, name: record } = app.entities.get(entity)!
  const bans = bansOf(step)
  for (const field of fields.filter(isMaker)) {
    const ban = bans.find(one => one.field === field.key)
    const who = ban === undefined ? [] : changing(app, entity, step, field)
    if (ban === undefined || who.length === 0) continue
    const roles = who.map(({ role }) => role)
    const parameters = {
      entity: record,
      who: listed(roles),
      field: field.key,
      ban: ban.words,
      step: step.name,
      example: `a ${record} of Ada, who has the role ${roles[0]}: Ada writes Ben into ${field.key}, and takes \`${step.name}\` herself`,
    }
    const related = [{ span: who[0]!.cell, message: 'lets them change it' }]
    ask('N0404', ban.cell, parameters, { related })
  }
}

interface Ban {
  readonly field: string
  readonly words: string
  readonly cell: Cell
}

/** Fields of the record whose people may not take the step, whatever their roles. */
function bansOf({ branches, approvals }: Step): readonly Ban[] {
  const left = [...branches.map(({ who }) => specified(who)), ...approvals].flatMap(one => one?.except ?? [])
  const excepted = left.flatMap(one => {
    const field = ownField(one.root)
    return field === null ? [] : [{ field, words: `except ${one.cell.text}`, cell: one.cell }]
  })
  const [only, ...others] = branches
  const when = others.length === 0 ? specified(only!.when) : null
  const guarded = when === null ? [] : conjuncts(when.root).flatMap(notMe)
  return [...excepted, ...guarded.map(field => ({ field, words: when!.cell.text, cell: when!.cell }))]
}

/** `requester != me`, `requester is not me`. */
function notMe(node: Checked): readonly string[] {
  if (node.op === 'compare' && node.sign === '!=') return besideMe(node.left, node.right)
  return node.op === 'not' && node.of.op === 'same' ? besideMe(node.of.left, node.of.right) : []
}

const besideMe = (left: Checked, right: Checked): readonly string[] => {
  const field = right.op === 'me' ? ownField(left) : left.op === 'me' ? ownField(right) : null
  return field === null ? [] : [field]
}

/** The rows of those who take the step, and may change the field before they do. */
function changing(app: App, entity: string, step: Step, field: Field) {
  const takers = [...takersOf(app, entity, step)]
  const rows = step.from.flatMap(state => settersOf(app, entity, field, new Map([['state', state]])))
  return rows.filter(
    row => takers.some(taker => concerns(app, row.role, taker)) && mayBecomeAnything(app, entity, row, field.key),
  )
}

/** Roles that Who and heading 6 name, and those that decide. */
function takersOf(app: App, entity: string, { key, branches, approvals }: Step): ReadonlySet<string> {
  const deciders = approvals.flatMap(({ from }) => specified(from)?.roles ?? [])
  const doers = app.access
    .get(entity)!
    .rows.filter(row => lets(row, key))
    .map(({ role }) => role)
  const named = branches.flatMap(({ who }) => {
    const one = specified(who)
    if (one === null) return []
    return one.kind === 'everyone signed in' ? doers : one.roles
  })
  return new Set(approvals.length > 0 ? deciders : named.filter(role => doers.some(doer => concerns(app, doer, role))))
}

const ownField = (node: Checked): string | null =>
  node.op === 'field' && node.path.base === 'own' && node.path.steps.length === 1 ? node.path.steps[0]!.field : null
