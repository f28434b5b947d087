/** What a record waits for: the approvals that apply to it in its state, who has decided, and who of the people that it names has not. */
import { raw, type Sql, sql } from '../../expression/sql.ts'
import { type Approval, neededOf, type Transition } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import type { PendingApproval } from '../../kinds/screens/read-data.ts'
import { momentFromSql } from '../../store/rows.ts'
import { allOf, conditionSql } from '../access/condition.ts'
import type { Policy } from '../access/policy.ts'
import { isUnnamed, nameSql } from '../access/unnamed.ts'
import { collated, columnSql } from '../names.ts'
import { commas } from '../read/filter.ts'
import { isToldOf } from '../read/readable.ts'
import type { Raw } from '../read/select.ts'
import { appliesTo, decisionsSql, isDue, waitingFor } from './approvals.ts'

/** Names that are listed of those who have not decided. */
const mostNames = 20

interface Row {
  /** People are asked for it by now. */
  readonly due: boolean
  readonly decisions: readonly (readonly [who: string, represents: string | null, at: string, reason: string | null])[]
  readonly waiting: readonly string[]
  /** How many they are, whoever may be told their names. */
  readonly open: number
}

export interface Pending {
  /** Stands in a select from the record, which `t` names. */
  readonly column: Sql
  readonly read: (row: Raw) => readonly PendingApproval[]
}

/** Those that whoever asks is told of. Names are empty where they are not to be told. */
export function pendingOf(app: App, policy: Policy, entity: string): Pending {
  const workflow = app.workflows.get(entity)
  const guarded = (workflow?.approvals ?? []).flatMap(approval => {
    const branch = workflow!.transitions.find(({ key }) => key === approval.step)
    return branch === undefined ? [] : [{ approval, branch, states: statesOf(workflow!.transitions, approval) }]
  })
  if (guarded.length === 0) return { column: raw('null as " approvals"'), read: () => [] }
  const rows = guarded.map(({ approval, branch, states }) => {
    const told = allOf([appliesTo(approval, 't'), isToldOf(app, policy, entity, approval, 't')])
    const here = sql`(${columnSql('t', 'state')} = any(${states}::text[]) and ${conditionSql(told)})`
    const name = (person: Sql) => nameSql(app, policy, entity, 't', person)
    const made = sql`(select coalesce(jsonb_agg(jsonb_build_array(${name(sql`d.person`)}, ${name(sql`d.represents`)}, d.at, d.reason) order by d.id), '[]')
      from ${decisionsSql(entity, approval.step, 't')} and d.approval = ${approval.key})`
    return sql`case when ${here} then jsonb_build_object('due', ${conditionSql(isDue(app, entity, branch, approval, 't'))}, 'decisions', ${made}, 'waiting', ${namesOf(app, policy, entity, branch, approval)},
      'open', ${openOf(app, entity, branch, approval)}) end`
  })
  return {
    column: sql`jsonb_build_array(${commas(rows)}) as " approvals"`,
    read(row) {
      const found = (row[' approvals'] ?? []) as unknown as readonly (Row | null)[]
      return guarded.flatMap(({ approval, branch }, index) => {
        const one = found[index]
        return one == null ? [] : [pending(approval, branch, one)]
      })
    },
  }
}

/** Of the people that fields name; holders of roles may be many, and the role says it. */
function namesOf(app: App, policy: Policy, entity: string, branch: Transition, approval: Approval): Sql {
  const open = waitingByField(app, entity, branch, approval)
  if (open === null) return sql`'[]'::jsonb`
  return sql`(select coalesce(jsonb_agg(w.name order by ${collated(sql`w.name`)}), '[]') from (
    select p.name from public.person as p where p.id in (${open}) and not ${conditionSql(isUnnamed(app, policy, entity, 't', sql`p.id`))}
    order by ${collated(sql`p.name`)} limit ${raw(String(mostNames + 1))}) as w)`
}

/** Whom the reader may not see is waited for all the same. */
function openOf(app: App, entity: string, branch: Transition, approval: Approval): Sql {
  const open = waitingByField(app, entity, branch, approval)
  return open === null ? raw('0') : sql`(select count(*) from public.person as p where p.id in (${open}))`
}

function waitingByField(app: App, entity: string, branch: Transition, approval: Approval): Sql | null {
  if (isUnspecified(approval.from) || approval.from.people.length + approval.from.chosen.length === 0) return null
  const people = { ...approval, from: { ...approval.from, roles: [] } }
  return waitingFor(app, entity, branch, people, 't')
}

const statesOf = (transitions: readonly Transition[], { step }: Approval): readonly string[] =>
  transitions.flatMap(({ key, from }) => (key === step && !isUnspecified(from) ? from : []))

function pending(approval: Approval, branch: Transition, { due, decisions, waiting, open }: Row): PendingApproval {
  const { key, name, cell, needs, from } = approval
  const number = isUnspecified(needs) ? null : needs
  // All of them: those whom fields name are known; holders of a role are as many as there are.
  const rolesToo = isUnspecified(from) || from.roles.length > 0
  const missing =
    number === null
      ? null
      : typeof number !== 'number' && rolesToo
        ? null
        : Math.max(0, neededOf(number, decisions.length + open) - decisions.length)
  return {
    key,
    name,
    step: branch.key,
    stepName: branch.name,
    because: cell,
    needs: number,
    from: isUnspecified(from) ? null : from,
    missing,
    due,
    decisions: decisions.map(([who, represents, at, reason]) => ({ who, represents, at: momentFromSql(at), reason })),
    waiting: missing === 0 || !due ? [] : waiting.slice(0, mostNames),
    others: missing !== 0 && due && waiting.length > mostNames,
  }
}

/** As the API has it. */
export const pendingJson = ({
  key,
  name,
  step,
  needs,
  missing,
  due,
  decisions,
  waiting,
}: PendingApproval): Readonly<Record<string, unknown>> => ({
  approval: key,
  name,
  step,
  needs,
  missing,
  due,
  decisions: decisions.map(({ who, represents, at, reason }) => ({
    by: who || null,
    for: represents || null,
    at,
    reason,
  })),
  waiting,
})
