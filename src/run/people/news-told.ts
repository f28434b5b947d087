/**
 * Tells people of work that concerns them, from the history: who named them in a record, that it waits for their decision, where it went that
 * they follow. Entries lie ready from the transaction that wrote them on, so that none is lost and no write waits for it.
 */
import { join, raw, slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import { peopleTold } from '../../store/news.ts'
import type { Tx } from '../../store/pool.ts'
import { allOf, type Condition, conditionSql } from '../access/condition.ts'
import type { Policy } from '../access/policy.ts'
import { askedFor, isAwaited } from '../approvals/approvals.ts'
import { columnSql, fromSql } from '../names.ts'
import type { Changes } from '../read/history.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { amongPairs } from './among.ts'
import { followersOf } from './followers.ts'
import { approvedIn, comers, isMove, namingFields } from './news.ts'
import { type Door, requestsOf, systemRequest } from './people.ts'
import { type News, tellAll } from './telling.ts'

/** Entries that are told of at once. */
const atOnce = 200

interface Entry {
  readonly id: string
  readonly entity: string
  readonly record: string
  readonly from_state: string | null
  readonly to_state: string | null
  readonly changes: Changes
  /** Who did it, and who did it as them. */
  readonly actor: string | null
  readonly acted_by: string | null
}

/** Tells of what lies ready, as much as is told at once. Gives how many entries that were. */
export async function tellNews(runtime: Runtime, door: Door): Promise<number> {
  const { app, store } = runtime
  const now = door.now.toISOString()
  const [some] = await store.run<{ is: boolean }>(isThere, { now })
  if (some?.is !== true) return 0
  const request = await systemRequest(runtime, 'call', door)
  return store.inTransaction(async tx => {
    const entries = await tx.run<Entry>(claim, { now })
    for (const [entity, own] of Map.groupBy(entries, ({ entity }) => entity))
      if (app.entities.has(entity)) await tellOf(tx, runtime, request, entity, own)
    return entries.length
  })
}

/** A step that can still be taken back is told of afterwards. */
const isDue = sql`(u.due_at is null or u.due_at <= ${slot('now')}::timestamptz)`

const isThere = built(sql`select exists (select from ninefold.untold as u where ${isDue}) as is`)

const claim = built(sql`
  with claimed as (delete from ninefold.untold where entry in (
    select u.entry from ninefold.untold as u where ${isDue} order by u.entry limit ${raw(String(atOnce))} for update skip locked) returning entry)
  select h.id, h.entity, h.record, h.from_state, h.to_state, h.changes, h.actor, h.acted_by
  from ninefold.history as h join claimed as c on c.entry = h.id order by h.id`)

async function tellOf(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  entity: string,
  entries: readonly Entry[],
): Promise<void> {
  const { app } = runtime
  const found = [
    ...(await asked(tx, app, request, entity, entries)),
    ...(await named(tx, app, request, entity, entries)),
    ...(await moved(tx, app, request, entity, entries)),
  ]
  await tellAll(tx, runtime, request, entity, folded(found))
}

/** Of one entry everybody hears what concerns them most; several of one kind about one record are one, the last. */
function folded(found: readonly News[]): readonly News[] {
  const first = [...Map.groupBy(found, ({ person, entry }) => `${person} ${entry}`).values()].map(([one]) => one!)
  const alike = Map.groupBy(first, ({ person, record, kind }) => `${person} ${record} ${kind}`)
  return [...alike.values()].map(own => ({ ...own.at(-1)!, more: own.length - 1 }))
}

/** Nobody is told of what they did themselves, or somebody did as them. */
const isOwn = ({ actor, acted_by }: Entry, person: string): boolean => person === actor || person === acted_by

/** The last entry of each record. */
const lastOf = (entries: readonly Entry[]) => new Map(entries.map(one => [one.record, one]))

/** Those for whom a record waits, and who were not told so since it came into its state, or decided about it last. */
async function asked(
  tx: Tx,
  app: App,
  request: Request,
  entity: string,
  entries: readonly Entry[],
): Promise<readonly News[]> {
  if (approvedIn(app, entity).length === 0) return []
  const last = lastOf(entries)
  const waiting = await tx.run<{ record: string; person: string; told: boolean }>(
    awaited(app, entity),
    bindingsOf(request, { records: [...last.keys()] }),
  )
  const decided = await tx.run<{ person: string }>(noLongerAsked, {
    entity,
    records: [...last.keys()],
    now: request.now.toISOString(),
    waiting: waiting.map(({ record, person }) => `${record} ${person}`),
  })
  for (const { person } of decided) tx.tell(peopleTold, person, null)
  const people = await readersOf(tx, app, request, waiting)
  const pairs = waiting.flatMap(({ record, person, told }) => {
    const entry = last.get(record)!
    return told || isOwn(entry, person) ? [] : [{ record, person, entry: entry.id }]
  })
  const sees = (policy: Policy) => policy.rows(entity, 'see', 't')
  return (await seen(tx, app, entity, people, pairs, 'sees', sees)).map(one => ({ ...one, kind: 'decide' }))
}

const awaited = (app: App, entity: string) =>
  cachedStatement(app, ['asked for', entity], () => {
    const id = columnSql('t', 'id')
    const each = approvedIn(app, entity).map(
      approval => sql`select asks.id as person from (${askedFor(app, entity, approval, 't')}) as asks (id)
        where ${conditionSql(isAwaited(app, entity, approval, 't'))}`,
    )
    const told = sql`exists (select from ninefold.notice as n join ninefold.history as h on h.id = n.entry
      where n.kind = 'decide' and n.entity = ${entity} and n.record = ${id} and n.person = w.person and h.at >= ${columnSql('t', 'state_since')}
        and not exists (select from ninefold.decision as d where d.entity = ${entity} and d.record = ${id} and d.person = w.person and d.at > h.at))`
    return built(sql`select ${id} as record, w.person, ${told} as told
      from ${fromSql(entity, 't')} cross join lateral (${join(each, ' union ')}) as w
      where ${id} = any(${slot('records')}::uuid[]) order by 1, 2`)
  })

/** What does not wait for somebody any more is no news to them. */
const noLongerAsked = built(sql`update ninefold.notice set read_at = ${slot('now')}::timestamptz
  where kind = 'decide' and read_at is null and entity = ${slot('entity')} and record = any(${slot('records')}::uuid[])
    and record || ' ' || person <> all(${slot('waiting')}::text[]) returning person`)

/** Those whom somebody else put into a field that they see. */
async function named(
  tx: Tx,
  app: App,
  request: Request,
  entity: string,
  entries: readonly Entry[],
): Promise<readonly News[]> {
  const found = entries.flatMap(entry =>
    namingFields(app, entity).flatMap(field =>
      comers(entry.changes, field)
        .filter(person => !isOwn(entry, person))
        .map(person => ({ person, record: entry.record, entry: entry.id, field })),
    ),
  )
  const people = await readersOf(tx, app, request, found)
  const told: News[] = []
  for (const [field, own] of Map.groupBy(found, ({ field }) => field)) {
    const sees = (policy: Policy) => allOf([policy.rows(entity, 'see', 't'), policy.field(entity, field, 't')])
    for (const one of await seen(tx, app, entity, people, own, `sees ${field}`, sees))
      told.push({ ...one, kind: 'owner' })
  }
  return told
}

/** Those who follow what has another state now, and see that. */
async function moved(
  tx: Tx,
  app: App,
  request: Request,
  entity: string,
  entries: readonly Entry[],
): Promise<readonly News[]> {
  const moves = entries.filter(({ from_state, to_state }) => isMove(from_state, to_state))
  if (moves.length === 0) return []
  const condition = (policy: Policy) => policy.field(entity, 'state', 't')
  const records = [...new Set(moves.map(({ record }) => record))]
  const followers = await followersOf(tx, app, request, entity, records, { name: 'state', condition })
  return moves.flatMap(entry =>
    followers.flatMap(({ record, request: { actor } }) =>
      record === entry.record && !isOwn(entry, actor.id!)
        ? [{ person: actor.id!, kind: 'moved' as const, record, entry: entry.id }]
        : [],
    ),
  )
}

interface Found {
  readonly person: string
  readonly record: string
}

/** By their ids, as they would ask. */
const readersOf = async (tx: Tx, app: App, request: Request, found: readonly Found[]) =>
  new Map(
    (await requestsOf(tx, app, [...new Set(found.map(({ person }) => person))], request)).map(one => [
      one.actor.id!,
      one,
    ]),
  )

/** Those of whom the condition holds. */
async function seen<One extends Found>(
  tx: Tx,
  app: App,
  entity: string,
  people: ReadonlyMap<string, Request>,
  found: readonly One[],
  question: string,
  condition: (policy: Policy) => Condition,
): Promise<readonly One[]> {
  const pairs = found.flatMap(one => {
    const request = people.get(one.person)
    return request === undefined ? [] : [{ request, record: one.record, one }]
  })
  const held = await amongPairs(tx, app, pairs, { entity, question: `told ${question}`, condition })
  return held.map(({ one }) => one)
}
