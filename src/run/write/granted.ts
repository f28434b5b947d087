/**
 * Conditions of heading 6 that read other records by references (`item.category.keeper = me`): what they read stays so until the commit,
 * as it does for rules. Who writes what they read at the same moment comes before, and is counted, or after.
 */
import { elsewhereOf } from '../../expression/elsewhere.ts'
import { evaluate } from '../../expression/evaluate.ts'
import type { Expression } from '../../expression/expression.ts'
import type { RecordValue } from '../../expression/type.ts'
import type { Transition } from '../../headings/4-states/model.ts'
import type { Grant } from '../../headings/6-permissions/model.ts'
import { bansOf, neversOf } from '../../headings/6-permissions/never.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified, type Specified } from '../../headings/specified.ts'
import { approvalsOf } from '../approvals/approvals.ts'
import { cachedStatement } from '../statements.ts'
import { environmentOf, withRelated } from './environment.ts'
import type { Scope } from './scope.ts'

/** Whoever may delete what is archived may bring it back. */
type Asked = 'create' | 'change' | 'delete' | 'restore' | Transition

/** Locks what the conditions of a verb or a step read; false: there is no such condition, and nothing to ask anew. */
export async function keepGranted(
  { app, request, policy, related }: Scope,
  asked: Asked,
  { entity, record }: { readonly entity: string; readonly record: RecordValue },
): Promise<boolean> {
  const what = typeof asked === 'string' ? [asked] : [asked.cell.file.path, asked.cell.start]
  const conditions = cachedStatement(app, ['granted', policy.key, entity, ...what], () =>
    (typeof asked === 'string'
      ? verbConditions(app, request.actor.roles, entity, asked === 'restore' ? 'delete' : asked)
      : byStep(app, request.actor.roles, entity, asked)
    ).filter(({ root, schema }) => elsewhereOf(root, schema).some(({ via }) => via !== null)),
  )
  if (conditions.length === 0 || request.actor.system !== null) return false
  const environment = environmentOf(request, related, record, null)
  await withRelated(related, () => {
    for (const condition of conditions) evaluate(condition, environment)
  })
  return true
}

/** Conditions of a verb, and of the fields that may be set with it. */
export function verbConditions(
  app: App,
  roles: readonly string[],
  entity: string,
  verb: 'create' | 'change' | 'delete',
): readonly Expression[] {
  const access = app.access.get(entity)!
  const { rows, fields } = access
  const nevers = neversOf(access, roles)
  const lines = verb === 'change' ? fields.flatMap(({ when }) => when ?? []) : []
  const own = rows.filter(({ role }) => roles.includes(role))
  const beyond = verb === 'change' ? [...own, ...nevers].map(({ changeTo }) => changeTo ?? undefined) : []
  return [...conditionsIn([...[...own, ...nevers].map(row => row[verb]), ...beyond]), ...lines.filter(isSaid)]
}

/** Of those who may take a step or decide about it: on which records, and whom these name. */
function byStep(app: App, roles: readonly string[], entity: string, { who, key }: Transition): readonly Expression[] {
  const access = app.access.get(entity)!
  const { rows } = access
  const people = isUnspecified(who) ? [] : [...(who.kind === 'roles' ? who.people : []), ...who.except]
  const deciders = approvalsOf(app, entity, key).flatMap(({ from, except, deputy }) => [
    ...(isUnspecified(from) ? [] : [...from.people, ...from.chosen.flatMap(({ where }) => where ?? [])]),
    ...except,
    ...(deputy?.people ?? []),
  ])
  const own = rows.filter(({ role }) => roles.includes(role)).map(({ see }) => see)
  const closed = neversOf(access, roles).flatMap(never => [
    never.see,
    never.do,
    ...bansOf(never, key).map(({ when }) => when),
  ])
  return [...conditionsIn([...own, ...closed]), ...people, ...deciders]
}

const isSaid = (expression: Specified<Expression>): expression is Expression => !isUnspecified(expression)

const conditionsIn = (grants: readonly (Specified<Grant> | undefined)[]): readonly Expression[] =>
  grants.flatMap(grant =>
    grant !== undefined && !isUnspecified(grant) && grant.kind === 'when' ? [grant.expression] : [],
  )
