/** What an expression reads, as far as these roles may see it: a forbidden field or row never counts in a number. */
import type { Checked, Path } from '../../expression/checked.ts'
import { partsOf } from '../../expression/computed.ts'
import { decidedEntity, decisionsNamed } from '../../expression/decisions.ts'
import { sql } from '../../expression/sql.ts'
import type { Approval } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { allOf, anyOf, type Condition, conditionSql } from '../access/condition.ts'
import type { Policy } from '../access/policy.ts'
import { decisionsSql, me } from '../approvals/approvals.ts'
import { columnSql, fieldSql, fromSql } from '../names.ts'

/**
 * Holds for the rows of `alias` of which these roles may see everything that the expression reads. A field that computes others
 * counts as itself, as on every screen. Of many other records (sums inside, `any(Loan where …)`) all must be open to these roles:
 * a number over some of them would be another number. Decisions are open to whoever is told of each approval of the record; `asking`:
 * approvals of which that is being found out.
 */
export function readable(
  app: App,
  policy: Policy,
  node: Checked,
  alias: string,
  asking: ReadonlySet<Approval> = new Set(),
): Condition {
  if (node.op === 'field') return pathReadable(app, policy, node.path, alias)
  if (!('source' in node)) return allOf(partsOf(node).map(part => readable(app, policy, part, alias, asking)))
  const { source } = node
  const decided = decidedEntity(source.entity)
  if (decided !== null) {
    const { key } = decisionsNamed('where' in node ? node.where : null)
    return allOf([
      ...app.workflows
        .get(decided)!
        .approvals.filter(approval => !asking.has(approval) && (approval.key === key || approval.step === key))
        .map(approval => isToldOf(app, policy, decided, approval, alias, asking)),
      ...partsOf(node).map(part => openInside(app, policy, part, alias)),
    ])
  }
  const path = source.kind === 'list' ? pathReadable(app, policy, source.path, alias) : true
  const of = node.op === 'member' ? readable(app, policy, node.of, alias) : true
  const inside = node.op === 'member' ? [] : partsOf(node)
  const isOwnList =
    source.kind === 'list' && source.parent !== null && app.access.get(source.entity)?.basis === 'parent'
  const rows = isOwnList || policy.all(source.entity, 'see')
  return allOf([path, of, rows, ...inside.map(part => openInside(app, policy, part, alias))])
}

/**
 * Who is told of an approval, over the record that `alias` names: that the record needs it tells what its `When` reads. They are whoever sees all that its `When` reads, and those who decide
 * or have decided it.
 */
export function isToldOf(
  app: App,
  policy: Policy,
  entity: string,
  approval: Approval,
  alias: string,
  asking: ReadonlySet<Approval> = new Set(),
): Condition {
  const { when, step, key } = approval
  if (when === null || isUnspecified(when)) return true
  const sees = readable(app, policy, when.root as Checked, alias, new Set([...asking, approval]))
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

/** Inside of an aggregate: `own` is one of many records, of which every field must be open; `this` is the row of `alias`. */
function openInside(app: App, policy: Policy, node: Checked, alias: string): Condition {
  const inner = partsOf(node).map(part => openInside(app, policy, part, alias))
  const isOpen = (path: Path) =>
    path.steps.every(
      (step, index) =>
        (index === 0 || policy.all(step.entity, 'see')) && isAlways(app, policy, step.entity, step.field),
    )
  const paths =
    node.op === 'field' ? [node.path] : 'source' in node && node.source.kind === 'list' ? [node.source.path] : []
  const others = 'source' in node ? policy.all(node.source.entity, 'see') : true
  return allOf([
    others,
    ...paths.map(path =>
      path.base === 'this' ? pathReadable(app, policy, path, alias) : path.base === 'me' || isOpen(path),
    ),
    ...inner,
  ])
}

const isAlways = (app: App, policy: Policy, entity: string, field: string): boolean =>
  isBuiltIn(app, entity, field) || policy.field(entity, field, 'r') === true

/** Columns that are no fields of the document: the state, the parent, the id, and those of decisions. */
const isBuiltIn = (app: App, entity: string, field: string): boolean =>
  !app.entities.get(entity)?.fields.some(({ key }) => key === field)

function pathReadable(app: App, policy: Policy, path: Path, alias: string): Condition {
  // What the person who asks has, decides about that person.
  if (path.base === 'me') return true
  const follow = (index: number, at: string): Condition => {
    const step = path.steps[index]!
    const seen = policy.field(step.entity, step.field, at)
    if (seen === false || step.to === null || index === path.steps.length - 1) return seen
    const next = `${at}_${index}`
    const inner = allOf([policy.names(step.to, next), follow(index + 1, next)])
    if (typeof inner === 'boolean') return inner && seen
    const reference = fieldSql(app, step.entity, step.field, at)
    const there = sql`exists (select from ${fromSql(step.to, next)} where ${columnSql(next, 'id')} = ${reference} and ${conditionSql(inner)})`
    return allOf([seen, sql`(${reference} is null or ${there})`])
  }
  return follow(0, alias)
}
