/** What a person has done of what waits in an inbox: the records of which they took a step last. One statement for all entities. */
import { join, raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import type { DecidedData } from '../../kinds/screens/read-data.ts'
import type { InboxNeed } from '../../kinds/screens/screen-kind.ts'
import { momentFromSql } from '../../store/rows.ts'
import { conditionSql } from '../access/condition.ts'
import { type Policy, policyFor } from '../access/policy.ts'
import { addressSql, columnSql, fromSql } from '../names.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { takingBack } from './history.ts'
import { fromArray, isSingle, type Selection, selectArray, selectionOf } from './select.ts'

/** So many of what they did with records of an entity are looked at. */
const lookedAt = 200

interface Row {
  readonly place: string
  readonly act: string
  readonly address: string
  readonly step: string
  readonly at: string
  readonly cells: readonly (string | null)[]
}

interface Part {
  readonly entity: string
  readonly selection: Selection
}

/** The newest first; of records that they still see and that have a page, each once. What they took back is not among it. */
export async function readDecided({ app, store }: Runtime, request: Request, need: InboxNeed): Promise<DecidedData> {
  const policy = policyFor(app, request.actor)
  const key = JSON.stringify([need.steps, need.by, need.facts, need.limit])
  const { statement, parts } = cachedStatement(app, ['decided', policy.key, key], () => {
    const entities = [...new Set(need.steps.map(({ entity }) => entity))]
    const all = entities.flatMap((entity): readonly Part[] => {
      const field = need.by[entity] ?? 'id'
      const isNamed = field === 'id' || (isSingle(app, entity, field) && policy.field(entity, field, 't') === true)
      if (!isNamed || policy.rows(entity, 'see', 't') === false) return []
      const fields = need.facts[entity] ?? []
      return [{ entity, selection: selectionOf({ app, policy, entity, alias: 't', fields, may: false, marks: true }) }]
    })
    const each = all.map((part, place) => decidedSql(app, policy, need, part, place))
    const limited = sql`${join(each, ' union all ')} order by act desc limit ${raw(String(need.limit + 1))}`
    return { statement: all.length === 0 ? null : built(limited), parts: all }
  })
  const found =
    statement === null || request.actor.id === null ? [] : await store.run<Row>(statement, bindingsOf(request))
  const rows = found.slice(0, need.limit).map(({ place, address, step, at, cells }) => {
    const { entity, selection } = parts[Number(place)]!
    return {
      entity,
      row: selection.read(fromArray(selection.parts, cells), request),
      address,
      step,
      at: momentFromSql(at),
    }
  })
  return { rows, more: found.length > need.limit }
}

function decidedSql(app: App, policy: Policy, need: InboxNeed, { entity, selection }: Part, place: number): Sql {
  const steps = need.steps.flatMap(one => (one.entity === entity ? [one.step] : []))
  const acts = sql`select h.id, h.at, h.record, h.what, h.from_state, h.to_state from ninefold.history as h
    where h.actor = ${slot('me')}::uuid and h.entity = ${entity} and h.kind in ('step', 'decision') and h.what = any(${steps}::text[])
    order by h.id desc limit ${raw(String(lookedAt))}`
  const isBack = sql`exists (select from ninefold.history as x where x.entity = ${entity} and x.record = h.record and x.id > h.id and x.what = ${takingBack}
    and x.from_state is not distinct from h.to_state and x.to_state is not distinct from h.from_state)`
  const last = sql`select distinct on (h.record) h.id, h.at, h.record, h.what from (${acts}) as h where not ${isBack} order by h.record, h.id desc`
  return sql`(select ${raw(String(place))} as place, h.id as act, ${addressSql(app, entity, need.by[entity] ?? 'id', 't')} as address, h.what as step, h.at as at,
    ${selectArray(selection.parts)} as cells
    from (${last}) as h join ${fromSql(entity, 't')} on ${columnSql('t', 'id')} = h.record${selection.joins}
    where ${conditionSql(policy.rows(entity, 'see', 't'))})`
}
