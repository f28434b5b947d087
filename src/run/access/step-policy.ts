/** Who may take a step, or decide about it: the cells of heading 4 and the column Do of heading 6, as SQL. */
import type { Expression } from '../../expression/expression.ts'
import { sql } from '../../expression/sql.ts'
import type { Transition } from '../../headings/4-states/model.ts'
import { linkedBy } from '../../headings/6-permissions/links.ts'
import type { Access, Permission } from '../../headings/6-permissions/model.ts'
import type { NeverVerb } from '../../headings/6-permissions/never.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import {
  type AskedApproval,
  approvalsOf,
  askedOf,
  isOpenEnded,
  noneApplies,
  notDecided,
  seesAsDeputy,
} from '../approvals/approvals.ts'
import { isMeSql } from '../names.ts'
import type { Actor } from '../request.ts'
import { allOf, anyOf, type Condition } from './condition.ts'
import { byRow, conditionsIn, type Deciding } from './deciding.ts'
import type { Policy } from './policy.ts'

/** What a set of roles may of a record, which its steps rest on. */
interface Grants {
  readonly app: App
  readonly roles: readonly string[]
  readonly signedIn: boolean
  readonly emergency: Actor['emergency']
  readonly accessOf: (entity: string) => Access
  readonly rowsOf: (entity: string) => readonly Permission[]
  readonly granted: (entity: string, row: Permission, verb: 'see', alias: string) => Condition
  /** Where the rows `never` leave it open. */
  readonly exceptionsTo: (entity: string, verb: NeverVerb, alias: string) => Condition
  readonly stepDenyRules: Policy['stepDenyRules']
  /** The rows of this person's tenant. */
  readonly own: (entity: string, alias: string) => Condition
  /** It is not archived. */
  readonly there: (entity: string, verb: 'do', alias: string) => Condition
}

interface StepPolicy {
  readonly policy: Pick<Policy, 'takes' | 'stepExceptions' | 'decides' | 'offers' | 'becauseStep'>
  /** Records that somebody sees because they stand in for whoever decides about them. */
  readonly standsIn: (entity: string, alias: string) => Condition
}

export function stepPolicy(grants: Grants): StepPolicy {
  const { app, roles, signedIn, emergency, accessOf, rowsOf, granted, exceptionsTo, stepDenyRules, own, there } = grants
  const takers = (entity: string, transition: Transition): readonly Permission[] => {
    const { who } = transition
    if (isUnspecified(who) || emergency !== undefined) return []
    return rowsOf(entity).filter(
      row =>
        // Who is not signed in takes steps by a link alone.
        (signedIn || (linkedBy(app, row.role) !== null && who.kind === 'roles' && who.roles.includes(row.role))) &&
        (who.kind === 'everyone signed in' || who.people.length > 0 || who.roles.includes(row.role)) &&
        !isUnspecified(row.do) &&
        (row.do.steps === 'all' || row.do.steps.includes(transition.key)),
    )
  }
  const lets = (entity: string, { key }: Transition): readonly Permission[] =>
    signedIn && emergency === undefined
      ? rowsOf(entity).filter(({ do: may }) => !isUnspecified(may) && (may.steps === 'all' || may.steps.includes(key)))
      : []
  const direct = (entity: string, transition: Transition, alias: string): Condition => {
    const { who } = transition
    if (isUnspecified(who)) return false
    const named = who.kind === 'roles' ? who.people.map(person => isMeSql(person, alias)) : []
    const byRole = (role: string) => who.kind === 'everyone signed in' || who.roles.includes(role)
    const some = anyOf(
      takers(entity, transition).map(row =>
        allOf([granted(entity, row, 'see', alias), byRole(row.role) ? true : anyOf(named)]),
      ),
    )
    return allOf([some, steppable(entity, transition, alias)])
  }
  /** Where the rows `never` let somebody see a record and take the step. */
  const steppable = (entity: string, step: Transition, alias: string): Condition =>
    allOf([exceptionsTo(entity, 'see', alias), spared(entity, step, alias), there(entity, 'do', alias)])
  const spared = (entity: string, { key }: Transition, alias: string): Condition =>
    allOf(stepDenyRules(entity, key, alias).map(({ exceptions }) => exceptions))
  const asks = (entity: string, transition: Transition, alias: string): readonly AskedApproval[] => {
    const able = lets(entity, transition)
    if (able.length === 0) return []
    const may = allOf([own(entity, alias), steppable(entity, transition, alias)])
    const self = direct(entity, transition, alias)
    return askedOf(app, entity, transition, alias, roles).map(asked => ({
      ...asked,
      own: allOf([self, asked.own]),
      stands:
        asked.stands === null || may === false
          ? null
          : may === true
            ? asked.stands
            : sql`(case when ${may} then ${asked.stands} end)`,
    }))
  }
  const standsIn = (entity: string, alias: string): Condition => {
    if (!signedIn || emergency !== undefined) return false
    const able = (app.workflows.get(entity)?.transitions ?? []).filter(one => lets(entity, one).length > 0)
    return allOf([seesAsDeputy(app, entity, able, alias, roles), own(entity, alias)])
  }
  const exceptOf = (people: readonly Expression[], alias: string): readonly Condition[] =>
    people.map(person => sql`(${isMeSql(person, alias)}) is not true`)
  const takes = (entity: string, transition: Transition, alias: string): Condition => {
    const { who, key: step } = transition
    if (isUnspecified(who)) return false
    const except = exceptOf(who.except, alias)
    const self = direct(entity, transition, alias)
    const approvals = approvalsOf(app, entity, step)
    if (approvals.length === 0) return allOf([self, ...except])
    const rows = asks(entity, transition, alias).map(({ applies, open, own, stands }) =>
      allOf([anyOf([own, ...(stands === null ? [] : [sql`${stands} is not null`])]), applies, open]),
    )
    const ended = approvals.filter(isOpenEnded)
    return allOf([
      noneApplies(ended, alias),
      anyOf([allOf([noneApplies(approvals, alias), self]), allOf([anyOf(rows), notDecided(entity, step, alias)])]),
      ...except,
    ])
  }
  const stepExceptions = (entity: string, step: Transition, alias: string): Condition =>
    allOf([spared(entity, step, alias), ...(isUnspecified(step.who) ? [] : exceptOf(step.who.except, alias))])
  const offers = (entity: string, transition: Transition): boolean =>
    takers(entity, transition).length > 0 ||
    (!isUnspecified(transition.who) &&
      approvalsOf(app, entity, transition.key).some(({ deputy }) => deputy !== null) &&
      lets(entity, transition).length > 0)
  const becauseStep = (entity: string, transition: Transition, open: boolean): Deciding => {
    const { who } = transition
    if (isUnspecified(who)) return { cell: who.cell, reason: 'unspecified' }
    const able = takers(entity, transition)
    if (open) return { cell: able[0]?.cell ?? who.cell, reason: 'allowed' }
    const approvals = approvalsOf(app, entity, transition.key)
    const ended = approvals.find(isOpenEnded)
    if (ended !== undefined) return { cell: ended.cell, reason: 'unspecified' }
    const byName = who.kind === 'roles' && who.people.length > 0
    if (able.length > 0) {
      if (approvals.length > 0) return { cell: approvals[0]!.cell, reason: 'who' }
      // Closed for one of those who may do it: then it is the person that the record names.
      if (who.except.length > 0 || byName) return { cell: who.cell, reason: 'who' }
      // Those of their roles that may take it do not see this record.
      const [first = able[0]!.cell, ...others] = conditionsIn(able.map(({ see }) => see))
      return byRow(first, others)
    }
    if (who.kind === 'roles' && !byName && !who.roles.some(role => roles.includes(role)))
      return { cell: who.cell, reason: 'who' }
    const row = rowsOf(entity)[0]
    if (row === undefined) return { cell: accessOf(entity).cell, reason: 'no rule' }
    return { cell: row.do.cell, reason: isUnspecified(row.do) ? 'unspecified' : 'who' }
  }

  return { policy: { takes, stepExceptions, decides: asks, offers, becauseStep }, standsIn }
}
