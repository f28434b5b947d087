/** Decisions about a step that waits for approvals: each is kept with its person and reason, and the last one makes the step happen. */

import { identifier, join, raw, slot, sql } from '../../expression/sql.ts'
import type { Transition } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { composed } from '../../kinds/fields/texts.ts'
import type { Tx } from '../../store/pool.ts'
import { allOf, conditionSql } from '../access/condition.ts'
import type { Policy } from '../access/policy.ts'
import { fromSql } from '../names.ts'
import type { Problem } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import { remember } from '../read/history.ts'
import type { Raw } from '../read/select.ts'
import type { Request } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { changesOf } from '../write/change-set.ts'
import type { ChangedRecord } from '../write/domain-events.ts'
import { isGiven } from './approvals.ts'

/** Characters of a reason. */
export const reasonLimit = 1000

/** A reason as it was sent; null: none. */
export const reasonIn = (sent: unknown): string | null =>
  typeof sent === 'string' && sent.trim() !== '' ? composed(sent).trim() : null

export interface Decided {
  readonly entity: string
  readonly transition: Transition
  readonly record: string
  readonly version: number
  readonly reason: string | null
  /** Codes of warnings that were confirmed with it. */
  readonly confirmed: ReadonlySet<string>
}

/**
 * Keeps what a person decides, who may (`Policy.takes`), for the first approval that is still open to them as one of its people, else for
 * the first that is for somebody whose deputy they are. The record is locked. `given`: nothing is missing any more. Null: no approval applies, and nothing was kept.
 */
export async function decide(
  tx: Tx,
  app: App,
  request: Request,
  policy: Policy,
  { entity, transition, record, version, reason, confirmed }: Decided,
): Promise<{ readonly given: boolean } | { readonly problem: Problem } | null> {
  const { asked, which, given } = cachedStatement(
    app,
    ['decide', policy.key, entity, transition.cell.file.path, transition.cell.start],
    () => {
      const approvals = policy.decides(entity, transition, 't')
      const columns = approvals.flatMap(({ applies, open, own, stands }, index) => {
        const here = allOf([applies, open])
        return [
          sql`, (${conditionSql(applies)}) as ${identifier(`a${index}`)}`,
          sql`, (${conditionSql(allOf([here, own]))}) is true as ${identifier(`o${index}`)}`,
          sql`, ${stands === null ? raw('null::uuid') : sql`case when ${conditionSql(here)} then ${stands} end`} as ${identifier(`s${index}`)}`,
        ]
      })
      const isRow = sql`where t.id = ${slot('id')}::uuid`
      return {
        asked: approvals,
        which: built(sql`select true as found ${join(columns, '')} from ${fromSql(entity, 't')} ${isRow}`),
        given: built(
          sql`select ${isGiven(app, entity, transition, 't')} as given from ${fromSql(entity, 't')} ${isRow}`,
        ),
      }
    },
  )
  const bindings = bindingsOf(request, { id: record })
  const [found] = await tx.run<Raw>(which, bindings)
  if (found === undefined || !asked.some((_, index) => found[`a${index}`] === true)) return null
  const own = asked.findIndex((_, index) => found[`o${index}`] === true)
  const at = own === -1 ? asked.findIndex((_, index) => typeof found[`s${index}`] === 'string') : own
  if (at === -1) return null
  // Whoever decided for another would count twice.
  if (request.by !== undefined) return { problem: raise(app, 'NF-ACTING', {}, { because: asked[at]!.approval.cell }) }
  const length = reason === null ? 0 : [...reason].length
  if (length > reasonLimit)
    return {
      problem: raise(
        app,
        'NF-LONG',
        { label: 'reason', limit: reasonLimit, found: length },
        { field: 'reason', because: null },
      ),
    }
  const { approval } = asked[at]!
  const id = request.newId()
  const kept = await tx.write(insertDecision, {
    id,
    at: request.now.toISOString(),
    entity,
    record,
    version,
    step: transition.key,
    approval: approval.key,
    person: request.actor.id,
    represents: found[`o${at}`] === true ? null : found[`s${at}`],
    reason,
    document: app.version,
  })
  if (kept !== 1)
    throw new Error(`${transition.key} of the locked ${entity} ${record} was decided by the same person meanwhile.`)
  tx.tell(entity, record, null)
  remember(tx, app, request, {
    id,
    entity,
    record,
    version,
    kind: 'decision',
    what: transition.key,
    changes: {},
    confirmed,
    because: approval.cell,
  })
  const [now] = await tx.run<Raw>(given, bindings)
  return { given: now!.given === true }
}

/** The step was taken: what was decided for it is told from now on as what it was taken with, and what it was taken with before is not. */
export const endDecisions = (
  tx: Tx,
  entity: string,
  { key, from }: Transition,
  record: string,
  version: number,
): void => tx.writeAhead(endThese, { entity, record, step: key, version, from })

const endThese = built(sql`
  update ninefold.decision set taken_from = case when version = ${slot('version')} then ${slot('from')}::text[] end
  where entity = ${slot('entity')} and record = ${slot('record')} and step = ${slot('step')}
    and (version = ${slot('version')} or taken_from is not null)`)

/**
 * A record is about to have its next version: decisions for approvals that survive what is different go with it. `step`: the one that is
 * taken; else it is written in the same state, or its decisions stay behind.
 */
export function carryDecisions(
  tx: Tx,
  app: App,
  { entity, record, old }: ChangedRecord,
  version: number,
  step: string | null,
): void {
  const surviving = (app.workflows.get(entity)?.approvals ?? []).filter(({ survives }) => survives !== null)
  if (surviving.length === 0 || old === null) return
  const changed = Object.keys(changesOf(app, entity, old, record))
  const isMoved = step !== null || record.state !== old.state
  const kept = surviving.filter(({ survives }) =>
    isMoved
      ? step !== null && survives!.steps.includes(step)
      : changed.every(field => survives!.fields.includes(field)),
  )
  if (kept.length > 0)
    tx.writeAhead(carryThese, { entity, record: record.id, version, kept: kept.map(({ key }) => key) })
}

const carryThese = built(sql`
  update ninefold.decision set version = version + 1
  where entity = ${slot('entity')} and record = ${slot('record')} and version = ${slot('version')}
    and approval = any(${slot('kept')}::text[]) and taken_from is null`)

/** Somebody takes a decision back about which nothing has come yet; false: something has. */
export const withdrawDecision = async (tx: Tx, id: string, version: number): Promise<boolean> =>
  (await tx.write(
    sql`delete from ninefold.decision where id = ${id}::uuid and version = ${version}::integer and taken_from is null`,
  )) === 1

/**
 * A step is taken back, by whom its last decision was: the others count again, as they did before it, and so do those that outlasted it. `version`:
 * the one that the step made.
 */
export async function reviveDecisions(
  tx: Tx,
  {
    entity,
    record,
    step,
    version,
    by,
  }: {
    readonly entity: string
    readonly record: string
    readonly step: string
    readonly version: number
    readonly by: string
  },
): Promise<void> {
  const taken = sql`entity = ${entity} and record = ${record}::uuid and step = ${step} and version = ${version - 1}::integer and taken_from is not null`
  await tx.write(sql`delete from ninefold.decision where ${taken} and person = ${by}::uuid`)
  await tx.write(sql`update ninefold.decision set taken_from = null, version = ${version + 1}::integer where ${taken}`)
  await tx.write(sql`update ninefold.decision set version = version + 1
    where entity = ${entity} and record = ${record}::uuid and version = ${version}::integer and taken_from is null`)
}

/** Where somebody's own decision was committed after this transaction began to read, the conflict makes it begin again, and then it is there. */
const insertDecision = built(sql`
  insert into ninefold.decision (id, at, entity, record, version, step, approval, person, represents, reason, document)
  values (${slot('id')}, ${slot('at')}, ${slot('entity')}, ${slot('record')}, ${slot('version')}, ${slot('step')}, ${slot('approval')},
    ${slot('person')}, ${slot('represents')}, ${slot('reason')}, ${slot('document')}) on conflict do nothing`)
