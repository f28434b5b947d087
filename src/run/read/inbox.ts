/** What waits for a person: records of which they may take a step now. Derived from the workflows; one statement for all of them. */
import { join, raw, type Sql, sql } from '../../expression/sql.ts'
import type { Transition } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import type { InboxData } from '../../kinds/screens/read-data.ts'
import type { InboxNeed } from '../../kinds/screens/screen-kind.ts'
import { allOf, anyOf, type Condition, conditionSql } from '../access/condition.ts'
import { openSql } from '../access/guards.ts'
import { type Policy, policyFor } from '../access/policy.ts'
import { addressSql, columnSql, fromSql } from '../names.ts'
import type { Counted } from '../people/counted.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { fromArray, isSingle, labelSql, type Selection, selectArray, selectionOf } from './select.ts'

type Row = {
  readonly place: string
  readonly id: string
  readonly title: string | null
  readonly address: string | null
  /** Places in `need.steps` of what may be taken. */
  readonly open: readonly string[]
  readonly cells: readonly (string | null)[]
}

/** An entity of which something can wait: the steps that are asked, by their place among all, and what is shown of a record. */
interface Waiting {
  readonly entity: string
  readonly steps: readonly { readonly place: number; readonly step: string; readonly open: Condition }[]
  readonly selection: Selection
}

/** By entity in the order of `need.steps`, each record once with all that may be done; the longest waiting first. */
export async function readInbox(runtime: Runtime, request: Request, need: InboxNeed): Promise<InboxData> {
  const { app, store } = runtime
  const policy = policyFor(app, request.actor)
  if (request.actor.id === null) return { kind: 'inbox', groups: [] }
  const key = JSON.stringify([need.steps, need.by, need.facts])
  const { statement, kinds } = cachedStatement(app, ['inbox', policy.key, key, need.limit], () => {
    const asked = [...new Set(need.steps.map(({ entity }) => entity))].flatMap((entity): readonly Waiting[] => {
      const steps = need.steps.flatMap(({ entity: of, step }, place) => {
        const open = of === entity ? openTo(app, policy, entity, step) : false
        return open === false ? [] : [{ place, step, open }]
      })
      const fields = need.facts[entity] ?? []
      return steps.length === 0
        ? []
        : [
            {
              entity,
              steps,
              selection: selectionOf({ app, policy, entity, alias: 't', fields, may: false, marks: true }),
            },
          ]
    })
    const parts = asked.map((one, place) => waiting(app, policy, need, one, place))
    return {
      statement: parts.length === 0 ? null : built(sql`${join(parts, ' union all ')} order by 1, 2`),
      kinds: asked,
    }
  })
  const found = statement === null ? [] : await store.run<Row>(statement, bindingsOf(request))
  const groups = kinds.flatMap(({ entity, steps, selection }, place) => {
    const rows = found.filter(row => Number(row.place) === place)
    if (rows.length === 0) return []
    const shown = rows.slice(0, need.limit).map(({ title, address, open, cells }) => ({
      row: selection.read(fromArray(selection.parts, cells), request),
      title,
      address,
      steps: steps.flatMap(one => (open.includes(String(one.place)) ? [one.step] : [])),
    }))
    return [{ entity, rows: shown, more: rows.length > need.limit }]
  })
  return { kind: 'inbox', groups }
}

/** Records of which somebody may take one of these steps now. */
export const waitingRecords = (steps: InboxNeed['steps']): Counted => ({
  name: `waiting ${JSON.stringify(steps)}`,
  rows: (app, { id }, policy) =>
    id === null
      ? []
      : [...new Set(steps.map(({ entity }) => entity))].flatMap(entity => {
          const own = steps.filter(one => one.entity === entity)
          const open = anyOf(own.map(({ step }) => openTo(app, policy, entity, step)))
          return open === false ? [] : [sql`select from ${fromSql(entity, 't')} where ${conditionSql(open)}`]
        }),
})

/** Holds for the rows of `t` of which these roles may take the step now: state, who and guard together, one branch at least. */
function openTo(app: App, policy: Policy, entity: string, step: string): Condition {
  const branches = (app.workflows.get(entity)?.transitions ?? []).filter(({ key }) => key === step)
  const open = anyOf(branches.map(branch => branchOpen(policy, entity, branch)))
  return allOf([policy.rows(entity, 'see', 't'), open])
}

function branchOpen(policy: Policy, entity: string, transition: Transition): Condition {
  const { from, to, when } = transition
  if (isUnspecified(from) || isUnspecified(to) || isUnspecified(when)) return false
  if (!policy.offers(entity, transition)) return false
  return allOf([
    sql`${columnSql('t', 'state')} = any(${from}::text[])`,
    policy.takes(entity, transition, 't'),
    when === null ? true : openSql(when, 't', 'agrees'),
  ])
}

function waiting(
  app: App,
  policy: Policy,
  { by, limit }: InboxNeed,
  { entity, steps, selection }: Waiting,
  place: number,
): Sql {
  const field = by[entity] ?? 'id'
  const seen = field === 'id' ? true : isSingle(app, entity, field) && policy.field(entity, field, 't')
  const address = seen === true ? addressSql(app, entity, field, 't') : raw('null')
  const page = sql`select ${columnSql('t', 'id')} as id from ${fromSql(entity, 't')} where ${conditionSql(anyOf(steps.map(({ open }) => open)))}
    order by ${columnSql('t', 'id')} limit ${raw(String(limit + 1))}`
  const open = steps.map(one => sql`case when ${conditionSql(one.open)} then ${raw(`'${one.place}'`)} end`)
  return sql`(select ${raw(String(place))} as place, ${columnSql('t', 'id')} as id, ${labelSql(app, policy, entity, 't') ?? raw('null')} as title,
    ${address} as address, array_remove(array[${join(open, ', ')}]::text[], null) as open, ${selectArray(selection.parts)} as cells
    from (${page}) as page join ${fromSql(entity, 't')} on ${columnSql('t', 'id')} = page.id${selection.joins})`
}
