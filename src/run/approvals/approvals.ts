/**
 * Approvals of a step as SQL over the record that an alias names: which apply, who may still decide, what is missing.
 * A decision is about one version of a record: whatever changes the record, its state or its rows, leaves the decision behind.
 */
import type { Expression } from '../../expression/expression.ts'
import { join, raw, type Sql, slot, sql } from '../../expression/sql.ts'
import { toSql } from '../../expression/to-sql.ts'
import type { Choosing } from '../../headings/3-entities/model.ts'
import type { Approval, Transition } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { allOf, anyOf, type Condition, conditionSql } from '../access/condition.ts'
import { guardSql } from '../access/guards.ts'
import { columnSql, fromSql, isMeSql, linksSql, valueSql } from '../names.ts'
import { isOpenTo } from '../people/present.ts'
import { holdsRole } from '../people/roles.ts'

/** One approval of a step, as far as it concerns whoever asks. */
export interface AskedApproval {
  readonly approval: Approval
  /** Unknown counts as needed. */
  readonly applies: Condition
  /** It takes decisions: those that come before it are given, and it is not. */
  readonly open: Condition
  /** Whoever asks is one of its people. */
  readonly own: Condition
  /** The person for whom whoever asks may decide, as a uuid or null; null: nobody ever. */
  readonly stands: Sql | null
}

export const approvalsOf = (app: App, entity: string, step: string): readonly Approval[] =>
  app.workflows.get(entity)?.approvals.filter(approval => approval.step === step) ?? []

/** The number, the people or the condition is left open: what it guards stays closed where it applies. */
export const isOpenEnded = ({ when, needs, from }: Approval): boolean =>
  isUnspecified(when) || isUnspecified(needs) || isUnspecified(from)

/** Whether an approval is needed for the record; unknown counts as needed. */
export function appliesTo({ when }: Approval, alias: string): Condition {
  if (when === null || isUnspecified(when)) return true
  return sql`((${guardSql(when, alias)}) is not false)`
}

/** None of a step's approvals applies: then the step is taken as any other. */
export const noneApplies = (approvals: readonly Approval[], alias: string): Condition =>
  allOf(
    approvals.map(approval => {
      const applies = appliesTo(approval, alias)
      return typeof applies === 'boolean' ? !applies : sql`(not ${applies})`
    }),
  )

/** Decisions of a step that count now: on the version that the record has. */
export const decisionsSql = (entity: string, step: string, alias: string): Sql =>
  sql`ninefold.decision as d where d.entity = ${entity} and d.record = ${columnSql(alias, 'id')}
    and d.step = ${step} and d.version = ${columnSql(alias, 'version')}`

/** Nobody decided as, or for, this person. */
const undecided = (entity: string, step: string, alias: string, person: Sql): Sql =>
  sql`not exists (select from ${decisionsSql(entity, step, alias)} and (d.person = ${person} or d.represents = ${person}))`

/** Whoever asks. */
export const me = sql`${slot('me')}::uuid`

/** Whoever asks has not decided yet, and nobody has for them. */
export const notDecided = (entity: string, step: string, alias: string): Sql => undecided(entity, step, alias, me)

/** What the approvals of a step are to somebody with these roles. Those that are left open are not among them. */
export function askedOf(
  app: App,
  entity: string,
  transition: Transition,
  alias: string,
  roles: readonly string[],
): readonly AskedApproval[] {
  return approvalsOf(app, entity, transition.key).flatMap((approval): readonly AskedApproval[] => {
    const { from, needs } = approval
    if (isUnspecified(from) || isUnspecified(needs) || isUnspecified(approval.when)) return []
    const named = [
      ...from.people.map(person => isAmong(person, alias, me)),
      ...from.chosen.map(chosen => isChosen(app, chosen, alias, me)),
    ]
    return [
      {
        approval,
        applies: appliesTo(approval, alias),
        open: allOf([
          isDue(app, entity, transition, approval, alias),
          needs === 'all' || sql`(not ${conditionSql(isFulfilled(app, entity, transition, approval, alias))})`,
        ]),
        own: allOf([
          from.roles.some(role => roles.includes(role)) ? true : anyOf(named),
          ...approval.except.map(person => isNot(person, alias, me)),
        ]),
        stands: standsFor(app, entity, transition, approval, alias),
      },
    ]
  })
}

/**
 * Whoever asks stands in for somebody: they see what they may decide for them, by one of these steps, as long as it waits for that, and
 * afterwards what they have decided so.
 */
export function seesAsDeputy(
  app: App,
  entity: string,
  steps: readonly Transition[],
  alias: string,
  roles: readonly string[],
): Condition {
  const waiting = steps.flatMap(step => {
    const { key, from, who } = step
    if (isUnspecified(from) || isUnspecified(who)) return []
    return askedOf(app, entity, step, alias, roles).flatMap(({ applies, open, stands }) =>
      stands === null
        ? []
        : allOf([
            sql`${columnSql(alias, 'state')} = any(${from}::text[])`,
            sql`${stands} is not null`,
            applies,
            open,
            notDecided(entity, key, alias),
            ...who.except.map(person => isNot(person, alias, me)),
          ]),
    )
  })
  const decided = sql`exists (select from ninefold.decision as d
    where d.entity = ${entity} and d.record = ${columnSql(alias, 'id')} and d.person = ${me} and d.represents is not null)`
  return waiting.length > 0 && anyOf([...waiting, decided])
}

/** The step has got all that it waits for. False where an approval that applies is left open. */
export function isGiven(app: App, entity: string, transition: Transition, alias: string): Sql {
  const all = approvalsOf(app, entity, transition.key)
  return conditionSql(allOf(all.map(approval => isSettled(app, entity, transition, approval, alias))))
}

/** Whether people are asked for it by now: all that come before it are settled, and what comes before those. */
export const isDue = (
  app: App,
  entity: string,
  transition: Transition,
  { after }: Approval,
  alias: string,
): Condition =>
  allOf(
    approvalsOf(app, entity, transition.key)
      .filter(({ key }) => after.includes(key))
      .flatMap(earlier => [
        isDue(app, entity, transition, earlier, alias),
        isSettled(app, entity, transition, earlier, alias),
      ]),
  )

/** It is given, or not needed. */
function isSettled(app: App, entity: string, transition: Transition, approval: Approval, alias: string): Condition {
  const applies = appliesTo(approval, alias)
  const given = isFulfilled(app, entity, transition, approval, alias)
  return applies === true ? given : anyOf([sql`(not ${conditionSql(applies)})`, given])
}

function isFulfilled(app: App, entity: string, transition: Transition, approval: Approval, alias: string): Condition {
  const { needs, key } = approval
  if (isOpenEnded(approval) || isUnspecified(needs)) return false
  const own = sql`${decisionsSql(entity, transition.key, alias)} and d.approval = ${key}`
  const given = sql`(select count(*) from ${own})`
  if (typeof needs === 'number') return sql`(${given} >= ${raw(String(needs))})`
  const waiting = waitingFor(app, entity, transition, approval, alias)
  if (needs === 'all') return sql`(exists (select from ${own}) and not exists (${waiting}))`
  const missing = sql`(select count(*) from (${waiting}) as waiting)`
  const share =
    needs === 'majority'
      ? sql`${given} > ${missing}`
      : sql`${given} * 100 >= ${raw(String(Number.parseInt(needs, 10)))} * (${given} + ${missing})`
  return sql`(${given} > 0 and ${share})`
}

/** The people that an approval names who have not decided: `x` is the row of each, its id the only column. */
export function waitingFor(app: App, entity: string, transition: Transition, approval: Approval, alias: string): Sql {
  const { from, except } = approval
  const who = isUnspecified(transition.who) ? [] : transition.who.except
  const x = columnSql('x', 'id')
  const named = isUnspecified(from)
    ? false
    : anyOf([
        ...from.roles.map(role => holdsRole(app, role, 'x')),
        ...from.people.map(person => isAmong(person, alias, x)),
        ...from.chosen.map(chosen => isChosen(app, chosen, alias, x)),
      ])
  const { tenant } = app.schema.get(entity)!
  const conditions = allOf([
    named,
    tenant === undefined || sql`${columnSql('x', tenant.person)} = ${columnSql(alias, tenant.field)}`,
    ...[...except, ...who].map(person => isNot(person, alias, x)),
    undecided(entity, transition.key, alias, x),
    isOpenTo(app, x),
  ])
  return sql`select ${x} from ${fromSql('person', 'x')} where ${conditionSql(conditions)}`
}

/** The record waits for it now, in a state in which its step can be taken. */
export const isAwaited = (app: App, entity: string, approval: Approval, alias: string): Condition =>
  anyOf(
    app.workflows.get(entity)!.transitions.flatMap(transition => {
      const { key, from } = transition
      if (key !== approval.step || isUnspecified(from)) return []
      return allOf([
        sql`${columnSql(alias, 'state')} = any(${from}::text[])`,
        appliesTo(approval, alias),
        isDue(app, entity, transition, approval, alias),
        sql`(not ${conditionSql(isFulfilled(app, entity, transition, approval, alias))})`,
      ])
    }),
  )

/** The record waits for this person to decide: they are one of those who are asked, or stand in for one. */
export const awaits = (app: App, entity: string, approval: Approval, alias: string, person: Sql): Condition =>
  allOf([isAwaited(app, entity, approval, alias), sql`${person} in (${askedFor(app, entity, approval, alias)})`])

/** Ids of those who are asked for an approval and have not decided, and of those who stand in for them. */
export function askedFor(app: App, entity: string, approval: Approval, alias: string): Sql {
  const step = app.workflows.get(entity)!.transitions.find(({ key }) => key === approval.step)
  if (step === undefined) return raw('select null::uuid where false')
  const waiting = waitingFor(app, entity, step, approval, alias)
  const deputy = approval.deputy ?? { named: false, people: [] }
  const named = sql`select s.deputy from ninefold.deputy as s
    where ${slot('today')}::date between s.from_on and s.until_on and s.person in (${waiting})`
  const q = columnSql('q', 'id')
  const others = deputy.people.map(
    one => sql`select ${q} from ${fromSql('person', 'q')} where ${isAmong(one, alias, q)}`,
  )
  const all = join([waiting, ...(deputy.named ? [named] : []), ...others], ' union ')
  const kept = approval.except.map(one => isNot(one, alias, raw('asked.id')))
  return sql`select asked.id from (${all}) as asked (id) where ${conditionSql(allOf(kept))}`
}

/** The first person for whom whoever asks stands in. */
function standsFor(app: App, entity: string, transition: Transition, approval: Approval, alias: string): Sql | null {
  const { deputy } = approval
  if (deputy === null) return null
  const today = sql`${slot('today')}::date`
  const named = sql`ninefold.deputy as s where s.deputy = ${me} and ${today} between s.from_on and s.until_on`
  const stands = [
    ...(deputy.named ? [sql`exists (select from ${named} and s.person = ${columnSql('x', 'id')})`] : []),
    ...deputy.people.map(person => isAmong(person, alias, me)),
  ]
  const found = sql`(${waitingFor(app, entity, transition, approval, alias)} and (${join(stands, ' or ')})
    and ${columnSql('x', 'id')} <> ${me} ${except(approval, alias)} order by 1 limit 1)`
  // Most people stand in for nobody: that is known before any record is looked at.
  return deputy.people.length > 0 ? found : sql`(case when exists (select from ${named}) then ${found} end)`
}

/** Who never counts does not count for somebody else either. */
const except = (approval: Approval, alias: string): Sql =>
  join(
    approval.except.map(person => sql` and ${isNot(person, alias, me)}`),
    '',
  )

const isNot = (people: Expression, alias: string, person: Sql): Sql =>
  sql`(${isAmong(people, alias, person)}) is not true`

/** Whether this person is one of those who meet a condition about the record. */
function isChosen(app: App, { role, where }: Choosing, alias: string, person: Sql): Sql {
  const conditions = allOf([
    sql`${columnSql('chosen', 'id')} = ${person}`,
    role === null ? true : holdsRole(app, role, 'chosen'),
    where === null ? true : toSql(where, { alias: 'chosen', this: alias, as: 'condition' }),
  ])
  return sql`exists (select from ${fromSql('person', 'chosen')} where ${conditionSql(conditions)})`
}

/** Whether a field, a path or a list names this person. Empty: unknown, or no. */
function isAmong(people: Expression, alias: string, person: Sql): Sql {
  const { root, type } = people
  if (type.kind === 'values' || root.op === 'values') return sql`${person} = any(${valueSql(people, alias)})`
  if (type.kind !== 'list' || root.op !== 'field')
    return person === me ? isMeSql(people, alias) : sql`${valueSql(people, alias)} = ${person}`
  const { path } = root
  const last = path.steps.at(-1)!
  const above = { ...people, root: { ...root, path: { ...path, steps: path.steps.slice(0, -1) } } }
  const owner = path.steps.length === 1 ? columnSql(alias, 'id') : valueSql(above, alias)
  return sql`exists (select from ${linksSql(last.entity, last.field)} as links where links.owner = ${owner} and links.member = ${person})`
}
