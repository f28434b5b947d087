/** Records whose time is over by the key `Keep`: what is personal in them is erased, or they go as a whole. Done once an hour. */
import { slot, sql } from '../../expression/sql.ts'
import type { Keep } from '../../headings/3-entities/model.ts'
import { conditionSql } from '../access/condition.ts'
import { columnSql, fromSql } from '../names.ts'
import type { Problem } from '../outcome.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { removeForGood } from '../write/writes.ts'
import { addressesOf, eraseRecord, forgetDrafts, forgetTraces } from './erase.ts'
import { continueErasure, erasePerson, unfinished } from './erasure.ts'
import { type Door, systemRequest } from './people.ts'
import { isOver, keptUntil } from './personal.ts'

export interface Kept {
  readonly erased: number
  readonly deleted: number
  /** What a rule keeps from going; it is tried again. */
  readonly failed: readonly {
    readonly entity: string
    readonly record: string
    readonly problems: readonly Problem[]
  }[]
}

/** So many are found with one statement. */
const atOnce = 200

/** Erases or deletes whatever has been kept long enough; what a rule still needs is given back as failed, and tried again next time. */
export async function keepTimes(runtime: Runtime, door: Door): Promise<Kept> {
  const request = await systemRequest(runtime, 'timer', door)
  const failed: Kept['failed'][number][] = []
  let [erased, deleted] = [0, 0]
  for (const { key: entity, keep } of runtime.app.entities.values()) {
    if (keep === null || keep.kind === 'forever') continue
    for await (const record of dueOf(runtime, request, entity, keep.end)) {
      const problems = await endOf(runtime, request, entity, record, keep)
      if (problems.length > 0) failed.push({ entity, record, problems })
      else if (keep.end === 'delete') deleted++
      else erased++
    }
  }
  for (const person of await unfinished(runtime.store)) {
    const more = await continueErasure(runtime, request, person)
    erased += more.erased.length + (more.done ? 1 : 0)
    for (const { held, problem } of more.failed)
      failed.push({ entity: held.entity, record: held.id, problems: [problem] })
  }
  return { erased, deleted, failed }
}

const nothing = '00000000-0000-0000-0000-000000000000'

/** Whose time is over, and which was not erased since: each once, whatever becomes of it. */
async function* dueOf(runtime: Runtime, request: Request, entity: string, end: 'erase' | 'delete') {
  for (let after = nothing, isFull = true; isFull; ) {
    const due = await dueAfter(runtime, request, entity, end, after)
    yield* due
    isFull = due.length === atOnce
    after = due.at(-1) ?? after
  }
}

async function dueAfter(
  { app, store }: Runtime,
  request: Request,
  entity: string,
  end: 'erase' | 'delete',
  after: string,
): Promise<readonly string[]> {
  const query = cachedStatement(app, ['keep', entity], () => {
    const id = columnSql('t', 'id')
    const again = sql`exists (select from ninefold.erased as e where e.entity = ${entity} and e.record = ${id} and e.at >= ${keptUntil(app, entity, 't')})`
    const asked = sql`exists (select from ninefold.erasure as a where a.person = ${id})`
    const isNew =
      end === 'delete' ? sql`true` : entity === 'person' ? sql`not ${again} and not ${asked}` : sql`not ${again}`
    return built(sql`select ${id} as id from ${fromSql(entity, 't')}
      where ${conditionSql(isOver(app, entity, 't'))} and ${isNew} and ${id} > ${slot('after')}::uuid order by ${id} limit ${atOnce}::bigint`)
  })
  const rows = await store.run<{ id: string }>(query, bindingsOf(request, { after }))
  return rows.map(({ id }) => id)
}

async function endOf(
  runtime: Runtime,
  request: Request,
  entity: string,
  id: string,
  keep: Extract<Keep, { kind: 'for' }>,
): Promise<readonly Problem[]> {
  const { app, store } = runtime
  if (entity === 'person') {
    const came = await erasePerson(runtime, request, id)
    if ('kind' in came) return came.kind === 'refused' ? came.problems : [came.problem]
    return came.failed.map(({ problem }) => problem)
  }
  if (keep.end === 'erase') {
    const problem = await store.inTransaction(async tx => {
      await tx.query(sql`select from ${fromSql(entity, 't')} where ${columnSql('t', 'id')} = ${id}::uuid for update`)
      // Another process was faster.
      const since = new Date(request.now.getTime() - 3_600_000).toISOString()
      const just = await tx.query(
        sql`select from ninefold.erased where entity = ${entity} and record = ${id}::uuid and at > ${since}::timestamptz`,
      )
      return just.length > 0
        ? null
        : eraseRecord(tx, runtime, request, { entity, id, what: 'keep', because: keep.cell })
    })
    return problem === null ? [] : [problem]
  }
  const addresses = await addressesOf(store, app, entity, id)
  const outcome = await removeForGood(runtime, request, entity, id)
  if (outcome.kind === 'refused') return outcome.problems
  if (outcome.kind !== 'done') return []
  await store.inTransaction(async tx => {
    await tx.write(sql`update ninefold.history set changes = '{}' where entity = ${entity} and record = ${id}::uuid`)
    await forgetTraces(tx, entity, id)
    await forgetDrafts(tx, addresses)
  })
  return []
}
