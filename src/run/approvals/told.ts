/** Who is told of an approval: that a record needs it tells what its `When` reads. */
import type { Checked } from '../../expression/checked.ts'
import { sql } from '../../expression/sql.ts'
import type { Approval } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { anyOf, type Condition } from '../access/condition.ts'
import type { Policy } from '../access/policy.ts'
import { readable } from '../read/readable.ts'
import { decisionsSql, me } from './approvals.ts'

/** Over the record that `alias` names: whoever sees all that its `When` reads, and those who decide or have decided it. */
export function isToldOf(app: App, policy: Policy, entity: string, approval: Approval, alias: string): Condition {
  const { when, step, key } = approval
  if (when === null || isUnspecified(when)) return true
  const sees = readable(app, policy, when.root as Checked, alias)
  if (sees === true) return true
  const decided = sql`exists (select from ${decisionsSql(entity, step, alias)} and d.approval = ${key} and ${me} in (d.person, d.represents))`
  const asked = app.workflows
    .get(entity)!
    .transitions.filter(transition => transition.key === step)
    .flatMap(transition => policy.decides(entity, transition, alias))
    .filter(one => one.approval === approval)
  return anyOf([
    sees,
    decided,
    ...asked.flatMap(({ own, stands }) => [own, ...(stands === null ? [] : [sql`${stands} is not null`])]),
  ])
}
