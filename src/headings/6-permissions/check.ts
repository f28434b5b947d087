/** Checks of heading 6 on the finished model. */
import { reporter } from '../../document/diagnostic.ts'
import type { Facts } from '../../expression/outcomes.ts'
import type { Wire } from '../../expression/type.ts'
import type { Field } from '../3-entities/model.ts'
import type { Act, Transition } from '../4-states/model.ts'
import type { App } from '../app.ts'
import { facts } from '../cascades/facts.ts'
import type { Context } from '../context.ts'
import { isUnspecified, specified } from '../specified.ts'
import { permissionCodes } from './codes.ts'
import { grants, isEverybody, isGiven, mayEver } from './held.ts'
import { lintLeading } from './leading.ts'
import { linesOf, rolesOfLines } from './lines.ts'
import type { Access, Permission, Role } from './model.ts'
import { lintRevealing } from './reveals.ts'
import { lintShares } from './shares.ts'
import { lintApprovalsShowing, lintShowing, mayTake } from './shows.ts'

const section = 6

/** What can be served but hardly is what was meant. `held` are the roles that somebody can have. */
export function lintPermissions(context: Context, app: App, held: ReadonlySet<string>): void {
  lintRoles(context, app, held)
  lintDeciding(context, app)
  lintDecidingSteps(context, app)
  lintFilling(context, app, held)
  lintShowing(context, app, held)
  lintApprovalsShowing(context, app, held)
  lintRevealing(context, app, held)
  lintShares(context, app)
  for (const { entity, rows, fields } of app.access.values()) {
    for (const row of rows) {
      lintRow(context, app, entity, row)
      lintNew(context, app, entity, row)
      lintSteps(context, app, entity, row)
      lintEmergency(context, app, entity, row)
    }
    lintLeading(context, app, entity)
    lintUnseen(context, app, entity)
    const { report } = reporter(permissionCodes, section, context.found)
    for (const { field, see, change } of fields) {
      if (change === null || isUnspecified(see) || isUnspecified(change)) continue
      const blind = change.roles.find(role => !see.roles.includes(role))
      if (blind !== undefined) {
        const what = `the field \`${field}\``
        report(
          'N1606',
          change.cell,
          { role: blind, verb: 'change', entity: what },
          { related: [{ span: see.cell, message: 'who may see it' }], subject: facts.open(field, entity) },
        )
      }
    }
  }
}

function lintRoles(context: Context, { roles }: App, held: ReadonlySet<string>): void {
  const { report } = reporter(permissionCodes, section, context.found)
  for (const { name, cell, who } of roles.values()) {
    if (!context.usedRoles.has(name)) report('N1605', cell, { role: name })
    if (isUnspecified(who) || !isGiven(who) || held.has(name)) continue
    report('N1609', who.cell, { role: name, why: `it is ${who.kind} by ${who.by.join(', ')}, which nobody has` })
  }
}

/** Fields of people that decide a role, where those who are no appointed deciders may change them. */
function lintDeciding(context: Context, app: App): void {
  const { report } = reporter(permissionCodes, section, context.found)
  const access = app.access.get('person')
  for (const { name, who } of app.roles.values()) {
    if (isUnspecified(who) || who.kind !== 'when') continue
    for (const read of who.when.reads) {
      const [base, key] = read.split('.')
      const field = base === 'my' ? app.entities.get('person')?.fields.find(one => one.key === key) : undefined
      if (field === undefined || field.setBy !== null || field.hidden !== null || field.computed !== null) continue
      if (field.readOnly?.after === 'always') continue
      const only = rolesOfLines(linesOf(access, field.key), 'change')
      const by = access?.rows.find(row => {
        if (isUnspecified(row.change) || row.change.kind === 'no') return false
        if (only !== null && !only.includes(row.role)) return false
        const of = app.roles.get(row.role)?.who
        const isAppointed = of !== undefined && !isUnspecified(of) && of.kind === 'appointed'
        return !isAppointed || row.change.kind === 'when'
      })
      if (by === undefined) continue
      const related = [{ span: by.change.cell, message: 'may change it here' }]
      report('N1612', who.cell, { by: by.role, field: field.key, role: name }, { related })
      break
    }
  }
}

/** Steps that write what decides a role, and that those whom nobody appointed may take on their own record. */
function lintDecidingSteps(context: Context, app: App): void {
  const { report } = reporter(permissionCodes, section, context.found)
  const workflow = app.workflows.get('person')
  for (const { name, who } of app.roles.values()) {
    if (isUnspecified(who) || who.kind !== 'when' || workflow === undefined) continue
    const read = new Set(who.when.reads.flatMap(path => (path.startsWith('my.') ? [path.slice('my.'.length)] : [])))
    for (const step of workflow.transitions) {
      const field = [...writtenBy(step)].find(key => read.has(key))
      const taker = [...app.roles.values()].find(role => role.name !== name && takesOnThemselves(app, step, role))
      if (field === undefined || taker === undefined || workflow.approvals.some(approval => approval.step === step.key))
        continue
      const related = [{ span: step.cell, message: 'the step' }]
      report('N1632', who.cell, { by: taker.name, step: step.name, field, role: name }, { related })
      break
    }
  }
}

/** Fields of its record that a step fills, with what is asked for; the state is one. */
const writtenBy = ({ then, asks }: Transition): ReadonlySet<string> =>
  new Set([
    'state',
    ...asks.map(({ field }) => field),
    ...then.flatMap(act => (act.kind === 'set' && act.of === null ? act.values.map(({ field }) => field) : [])),
  ])

/** Nobody appointed them, and neither Who nor When speaks of who takes it. */
function takesOnThemselves(app: App, step: Transition, { name, who }: Role): boolean {
  if (isUnspecified(who) || who.kind === 'appointed' || isUnspecified(step.who) || step.who.except.length > 0)
    return false
  const asksWho =
    step.when !== null && !isUnspecified(step.when) && step.when.reads.some(path => /^(me|my)\b/.test(path))
  const isNamed = step.who.kind === 'everyone signed in' || step.who.roles.includes(name)
  return isNamed && !asksWho && mayTake(app, 'person', step, name)
}

/** Roles that may create a record, and may not fill what it must have: whoever has no other role can never create one. */
function lintFilling(context: Context, app: App, held: ReadonlySet<string>): void {
  const { report } = reporter(permissionCodes, section, context.found)
  for (const access of app.access.values()) {
    const { entity, fields } = access
    const { name, fields: declared, shape } = app.entities.get(entity)!
    const creators = [...held].filter(role => mayEver(app, entity, role, 'create'))
    for (const key of new Set(fields.map(({ field }) => field))) {
      const field = declared.find(one => one.key === key)
      const lines = linesOf(access, key)
      const setters = rolesOfLines(lines, 'change')
      const change = lines.find(line => line.change !== null)?.change
      if (field === undefined || setters === null || setters.length === 0 || change == null) continue
      if (!isAsked(field) || key === shape.tenant?.field) continue
      const unable = creators.filter(role => !setters.some(setter => isAlso(app, setter, role)))
      if (unable.length === 0) continue
      const related = [{ span: field.required!.cell, message: 'required here' }]
      report('N1613', change.cell, { roles: unable.join(', '), entity: name, field: key }, { related })
    }
  }
}

/** Whoever has the role has the other one too. */
function isAlso(app: App, other: string, role: string): boolean {
  const who = app.roles.get(other)?.who
  return other === role || (who !== undefined && !isUnspecified(who) && isEverybody(who, role))
}

/** People must fill it in when they create a record. */
const isAsked = (field: Field): boolean =>
  field.required !== null &&
  field.required.when === null &&
  field.default === null &&
  field.copiedFrom === null &&
  field.assignedFrom === null &&
  field.computed === null &&
  field.onlyWhen === null &&
  field.setBy === null &&
  field.readOnly?.after !== 'always'

/** What heading 6 says of whatever rows follow. */
function followed(app: App, entity: string): Access {
  const access = app.access.get(entity)!
  return access.basis === 'parent' ? followed(app, app.entities.get(entity)!.partOf!) : access
}

/** A field is given to a role on the records that this role sees, or creates. */
function lintUnseen(context: Context, app: App, entity: string): void {
  const { report } = reporter(permissionCodes, section, context.found)
  const { basis, fields } = app.access.get(entity)!
  const { name } = app.entities.get(entity)!
  if (basis === 'assumed') return
  const { rows } = followed(app, entity)
  const meets = (role: string) =>
    rows.some(
      row => row.role === role && [row.see, row.create, row.emergency].some(one => isUnspecified(one) || grants(one)),
    )
  for (const { field, see } of fields) {
    if (isUnspecified(see) || see.cell.text === 'all') continue
    const blind = see.roles.find(role => !meets(role))
    if (blind !== undefined) {
      const rests = {
        subject: facts.meets(blind, entity),
        causes: [facts.sees(blind, entity), facts.takes(blind, entity)],
      }
      report('N1626', see.cell, { role: blind, field, entity: name }, rests)
    }
  }
}

/** A role that may change what it may not see. */
function lintRow(context: Context, app: App, entity: string, row: Permission): void {
  const { report } = reporter(permissionCodes, section, context.found)
  if (isUnspecified(row.see) || mayEver(app, entity, row.role, 'see')) return
  const { name } = app.entities.get(entity)!
  for (const verb of ['change', 'delete', 'export'] as const) {
    const grant = row[verb]
    if (isUnspecified(grant) || !grants(grant)) continue
    report(
      'N1606',
      grant.cell,
      { role: row.role, verb, entity: name },
      { related: [{ span: row.see.cell, message: 'See' }], subject: facts.sees(row.role, entity) },
    )
    return
  }
  if (!isUnspecified(row.do) && row.do.steps.length > 0)
    report(
      'N1606',
      row.do.cell,
      { role: row.role, verb: 'take steps of', entity: name },
      { related: [{ span: row.see.cell, message: 'See' }], subject: facts.sees(row.role, entity) },
    )
}

/** A role that may create what it does not see then. Visitors are not expected to. */
function lintNew(context: Context, app: App, entity: string, row: Permission): void {
  const { report } = reporter(permissionCodes, section, context.found)
  if (
    isUnspecified(row.see) ||
    !grants(row.create) ||
    specified(app.roles.get(row.role)?.who ?? null)?.kind === 'everyone'
  )
    return
  if (mayEver(app, entity, row.role, 'see', newFacts(app, entity))) return
  const related = [{ span: row.create.cell, message: 'Create' }]
  const subject = facts.sees(row.role, entity)
  const parameters = { role: row.role, entity: app.entities.get(entity)!.name }
  report('N1624', row.see.cell, parameters, { related, subject, causes: [subject] })
}

/** What is known of every record when somebody has created it: its state, and that what only steps and calls set is empty. */
function newFacts(app: App, entity: string): Facts {
  const acts = app.effects.flatMap(effect =>
    effect.entity === entity && effect.on.includes('created') ? effect.then : [],
  )
  const leaving: readonly Act['kind'][] = ['set', 'send mail', 'call', 'report']
  if (acts.some(({ kind }) => !leaving.includes(kind))) return new Map()
  const set = new Set(acts.flatMap(act => (act.kind === 'set' ? act.values.map(({ field }) => field) : [])))
  const starts = app.workflows.get(entity)?.starts ?? []
  const empty = app.entities
    .get(entity)!
    .fields.filter(
      field =>
        field.setBy !== null &&
        field.type.kind !== 'list' &&
        field.default === null &&
        field.computed === null &&
        field.copiedFrom === null &&
        field.assignedFrom === null &&
        !set.has(field.key),
    )
  return new Map<string, Wire>([
    ...(starts.length === 1 ? [['state', starts[0]!.state] as const] : []),
    ...empty.map(({ key }) => [key, null] as const),
  ])
}

/** Steps in a Do cell that heading 4 keeps from this role. */
function lintSteps(context: Context, app: App, entity: string, row: Permission): void {
  const { report } = reporter(permissionCodes, section, context.found)
  if (isUnspecified(row.do) || row.do.steps === 'all') return
  for (const step of row.do.steps) {
    const branches = app.workflows.get(entity)?.transitions.filter(({ key }) => key === step) ?? []
    const open = branches.some(
      ({ who }) =>
        isUnspecified(who) ||
        who.kind === 'everyone signed in' ||
        who.people.length > 0 ||
        who.roles.includes(row.role),
    )
    if (branches.length > 0 && !open) report('N1607', row.do.cell, { role: row.role, step: branches[0]!.name })
  }
}

/** Emergency where it can open nothing: everything is seen anyway, or it goes with the parent. */
function lintEmergency(context: Context, app: App, entity: string, row: Permission): void {
  if (isUnspecified(row.emergency) || !grants(row.emergency)) return
  const { report } = reporter(permissionCodes, section, context.found)
  const { name, partOf } = app.entities.get(entity)!
  if (partOf !== null) report('N1615', row.emergency.cell, { entity: name, parent: app.entities.get(partOf)!.name })
  else if (!isUnspecified(row.see) && row.see.kind === 'yes')
    report(
      'N1614',
      row.emergency.cell,
      { role: row.role, entity: name },
      { related: [{ span: row.see.cell, message: 'See' }], subject: facts.sees(row.role, entity) },
    )
}
