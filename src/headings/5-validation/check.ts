/** Checks of heading 5 on the finished model. */
import { reporter } from '../../document/diagnostic.ts'
import type { Checked } from '../../expression/checked.ts'
import { actsOf, createdWith, isDone } from '../4-states/all-acts.ts'
import { isNobody } from '../4-states/takers.ts'
import { mayEver } from '../6-permissions/held.ts'
import type { App } from '../app.ts'
import { facts, seesOf } from '../cascades/facts.ts'
import type { Context } from '../context.ts'
import { isUnspecified } from '../specified.ts'
import { ruleCodes } from './codes.ts'

/** A message beside a field that is in no form, and rules that are never asked. `held` are the roles that somebody can have. */
export function lintRules(context: Context, app: App, held: ReadonlySet<string>): void {
  const { report } = reporter(ruleCodes, 5, context.found)
  const { rules, entities } = app
  for (const { name, entity, field: key, cell } of rules) {
    const field = entities.get(entity)?.fields.find(field => field.key === key)
    if (field !== undefined && (field.hidden !== null || field.computed !== null))
      report('N1504', cell, { rule: name, field: field.key })
  }
  for (const rule of rules) {
    if (rule.on === null || rule.on.some(on => happens(app, rule.entity, on, held))) continue
    const error = isUnspecified(rule.error) ? null : rule.error
    const isUsed = rules.some(one => one !== rule && one.error === error) || givenElsewhere(app).includes(error)
    const after = error === null || isUsed ? '' : `, so that ${error} is never given`
    const occasions = rule.on.map(on => `\`${on.replaceAll('_', ' ')}\``).join(' or ')
    const rests = { subject: facts.happens(occasions, rule.entity), causes: seesOf(held, rule.entity) }
    report('N1505', rule.cell, { rule: rule.name, occasions, entity: entities.get(rule.entity)!.name, after }, rests)
  }
}

/** Texts that must have some length when a step is taken, and may be empty then: `length(reason) >= 20` says nothing of those. */
export function lintLengths(context: Context, { rules, entities, workflows }: App): void {
  const { report } = reporter(ruleCodes, 5, context.found)
  for (const { name, entity, on, mustHold, warns } of rules) {
    const steps = workflows.get(entity)?.transitions.filter(({ key }) => on?.includes(key)) ?? []
    if (on === null || warns || isUnspecified(mustHold) || on.some(one => !steps.some(({ key }) => key === one)))
      continue
    const { root, cell } = mustHold
    for (const part of root.op === 'and' ? root.parts : [root]) {
      const key = leastLengthOf(part)
      const field = entities.get(entity)!.fields.find(one => one.key === key)
      if (field === undefined || !part.optional || field.required !== null || field.computed !== null) continue
      if (steps.every(({ asks }) => asks.some(asked => asked.field === key && asked.required))) continue
      const span = { ...cell, end: cell.start }
      const fixes = [
        { title: `write \`${key} is not empty and …\``, edits: [{ span, text: `${key} is not empty and ` }] },
      ]
      report('N1507', cell, { rule: name, field: field.key }, { fixes })
    }
  }
}

/** The field of the record of which a condition says that it has at least so many characters; null where it says something else. */
function leastLengthOf(node: Checked): string | null {
  if (node.op !== 'compare' || !['>', '>='].includes(node.sign) || node.right.op !== 'literal') return null
  const { left } = node
  if (left.op !== 'call' || left.name !== 'length') return null
  const [of] = left.arguments
  return of?.op === 'field' && of.path.base === 'own' && of.path.steps.length === 1 ? of.path.steps[0]!.field : null
}

/** Codes that steps, fields, acts and answers give. */
const givenElsewhere = (app: App): readonly unknown[] => [
  ...[...app.workflows.values()].flatMap(({ transitions }) =>
    transitions.flatMap(({ error, elsewhere }) => [error, ...elsewhere.map(one => one.error)]),
  ),
  ...[...app.entities.values()].flatMap(({ fields }) =>
    fields.flatMap(({ refusals }) => [...refusals.values()].map(({ code }) => code)),
  ),
  ...[...actsOf(app), ...[...app.calls.values()].flatMap(({ answers }) => answers.flatMap(({ then }) => then))].map(
    act => (act.kind === 'report' ? act.error : null),
  ),
]

/** Whether somebody or something can cause an occasion. */
function happens(app: App, entity: string, on: string, held: ReadonlySet<string>): boolean {
  const access = app.access.get(entity)!
  // What heading 6 leaves open is a gap, and a step that nobody can take is reported as such.
  if (access.basis !== 'written' || access.rows.length === 0) return true
  if (on !== 'create' && on !== 'change' && on !== 'delete') {
    const own = app.workflows.get(entity)?.transitions.some(({ key }) => key === on) === true
    const of = own ? entity : (app.entities.get(entity)!.partOf ?? entity)
    const branches = app.workflows.get(of)?.transitions.filter(({ key }) => key === on) ?? []
    return isDone(app, of, on) || branches.some(({ who }) => isUnspecified(who) || !isNobody(who))
  }
  if (access.rows.some(row => isUnspecified(row[on]))) return true
  if ([...held].some(role => mayEver(app, entity, role, on))) return true
  const acts = actsOf(app)
  const brings = [...app.receives.values()].some(
    ({ entity: of, does }) => of === entity && typeof does === 'string' && does.includes(on),
  )
  if (on === 'create')
    return brings || acts.some(act => act.kind === 'create' && createdWith(act).some(one => one.entity === entity))
  if (on === 'delete') return acts.some(act => act.kind === 'delete' && act.of.entity === entity)
  return brings || changes(app, entity)
}

/** Whether something in the document writes records that are there. */
function changes(app: App, entity: string): boolean {
  const isOwn = [...app.timers, ...app.effects, ...app.sweeps].some(
    one => one.entity === entity && one.then.some(act => act.kind === 'set' && act.of === null),
  )
  const answers = [...app.calls.values()].some(
    call => call.entity === entity && call.answers.some(({ then }) => then.some(act => act.kind === 'set')),
  )
  return isOwn || answers || actsOf(app).some(act => writesInto(act, entity))
}

function writesInto(act: ReturnType<typeof actsOf>[number], entity: string): boolean {
  if (act.kind === 'for each') return act.of.entity === entity
  return act.kind === 'set' && act.of?.entity === entity
}
