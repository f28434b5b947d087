/**
 * A person is erased: their sign-in and all that is theirs alone at once, what is personal in records about them as far as it need not
 * be kept, and their name with the last of those. Who is named stays a person, called otherwise, so that counts and history hold.
 */
import type { Cell } from '../../document/source.ts'
import { identifier, raw, type Sql, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import type { Reader, Tx } from '../../store/pool.ts'
import { allOf, type Condition, conditionSql } from '../access/condition.ts'
import { policyFor } from '../access/policy.ts'
import { columnSql, fromSql } from '../names.ts'
import type { Outcome, Problem } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import { remember } from '../read/history.ts'
import { labelSql } from '../read/select.ts'
import type { Actor, Request, Runtime } from '../request.ts'
import { bindingsOf } from '../statements.ts'
import { isId } from '../values.ts'
import { childLists } from '../write/draft-record.ts'
import { absentFrom } from './credentials.ts'
import { eraseRecord } from './erase.ts'
import { guardLastHolder } from './last-holder.ts'
import { knownPeople } from './people.ts'
import { isAbout, isOver, keptUntil, ownedBy, personalOf } from './personal.ts'

/** Those whom heading 6 names under `Personal data for`; the application itself, for whoever runs it. */
export const mayHandlePeople = (app: App, { id, roles, system }: Actor): boolean =>
  system !== null || (id !== null && app.personalDataFor.roles.some(role => roles.includes(role)))

/** A record about a person. */
export interface RecordAboutPerson {
  readonly entity: string
  readonly id: string
  readonly label: string | null
  /** The line that keeps it; null: nothing does. */
  readonly because: Cell | null
  /** Until when; null: nobody can tell yet, or forever. */
  readonly until: string | null
}

export interface Erasure {
  readonly erased: readonly RecordAboutPerson[]
  readonly kept: readonly RecordAboutPerson[]
  readonly failed: readonly { readonly held: RecordAboutPerson; readonly problem: Problem }[]
  /** Comments that they wrote on records of others: they stay, and so does nobody's name beside them. */
  readonly comments: number
  /** Nothing is left: they are called otherwise now. */
  readonly done: boolean
}

/** Null: there is no such person, or none that whoever asks may know of. */
export async function findPerson(reader: Reader, app: App, request: Request, person: string): Promise<string | null> {
  if (!isId(person) || !mayHandlePeople(app, request.actor)) return null
  const [found] = await reader.query<{ name: string }>(
    sql`select p.name from ${fromSql('person', 'p')} where p.id = ${person}::uuid and ${knownPeople(app, request, 'p')}`,
  )
  return found?.name ?? null
}

/** Everything about a person, entity by entity, in one statement; what has to be kept says by which line. The person themselves is not among it. */
export async function recordsAbout(
  reader: Reader,
  app: App,
  request: Request,
  person: string,
): Promise<readonly RecordAboutPerson[]> {
  const entities = [...app.entities.values()]
  const parts = entities.flatMap(({ key, partOf }, place) => {
    const own = partOf === null ? isAbout(app, key, 't') : ownRows(app, key, partOf)
    return key === 'person' || own === false ? [] : [aboutSql(app, key, place, own)]
  })
  if (parts.length === 0) return []
  const all = parts.reduce((before, part) => sql`${before} union all ${part}`)
  const rows = await reader.query<{
    place: string
    id: string
    label: string | null
    until: string | null
    over: boolean | null
  }>(sql`${all} order by place, id`, bindingsOf(request, { person }))
  return rows.map(({ place, id, label, until, over }) => {
    const { key: entity, keep } = entities[Number(place)]!
    const isKept = keep !== null && over !== true
    return { entity, id, label, because: isKept ? keep.cell : null, until: isKept ? until : null }
  })
}

/** Those of one entity, which is at this place among all. */
function aboutSql(app: App, entity: string, place: number, own: Condition): Sql {
  const everything = policyFor(app, { roles: [], system: 'seed', id: null })
  const label = labelSql(app, everything, entity, 't') ?? raw('null')
  return sql`(select ${String(place)}::integer as place, ${columnSql('t', 'id')} as id, (${label})::text as label,
    ${keptUntil(app, entity, 't')} as until, (${conditionSql(isOver(app, entity, 't'))})::boolean as over
    from ${fromSql(entity, 't')} where ${conditionSql(own)})`
}

/** Rows that name the person, of a record that is not about them. */
function ownRows(app: App, entity: string, partOf: string): Condition {
  const above = isAbout(app, partOf, 'u')
  if (above === false) return ownedBy(app, entity, 't')
  const parent = columnSql('t', app.schema.get(entity)!.parent!)
  return allOf([
    ownedBy(app, entity, 't'),
    sql`not exists (select from ${fromSql(partOf, 'u')} where u.id = ${parent} and ${conditionSql(above)})`,
  ])
}

/** From now on nobody signs in as them: only whoever is there does that. What is left for later is done by `keepTimes`. */
export async function erasePerson(
  runtime: Runtime,
  request: Request,
  person: string,
): Promise<Erasure | Exclude<Outcome, { kind: 'done' | 'stale' }>> {
  const { app, store } = runtime
  const now = request.now.toISOString()
  const refusal = await store.inTransaction(async tx => {
    if ((await findPerson(tx, app, request, person)) === null)
      return { kind: 'not found' as const, problem: raise(app, 'NF-NOT-FOUND', {}) }
    const absent = absentFrom(app, request)
    if (absent !== null) return { kind: 'refused' as const, problems: [absent] }
    const last = await guardLastHolder(tx, app, request, null)
    await leave(tx, person, now)
    const problem = await last()
    if (problem !== null) return tx.abandon({ kind: 'refused' as const, problems: [problem] })
    await tx.write(sql`insert into ninefold.erasure (person, asked_at, asked_by) values (${person}::uuid, ${now}::timestamptz, ${request.actor.id}::uuid)
      on conflict (person) do update set asked_at = excluded.asked_at, asked_by = excluded.asked_by, done_at = null`)
    const because = app.personalDataFor.cell
    const entry = {
      entity: 'person',
      record: person,
      version: 1,
      kind: 'erase',
      what: 'asked',
      changes: {},
      because,
    } as const
    remember(tx, app, request, entry)
    return null
  })
  return refusal ?? continueErasure(runtime, request, person)
}

/** What goes with its person, wherever it stands, and the way in. */
async function leave(tx: Tx, person: string, now: string): Promise<void> {
  const own = await tx.query<{ table: string; column: string }>(goingWithPeople)
  for (const { table, column } of own)
    await tx.write(sql`delete from ${identifier('ninefold', table)} where ${identifier(column)} = ${person}::uuid`)
  await tx.write(sql`update ninefold.comment set before = null where person = ${person}::uuid and before is not null`)
  await tx.write(
    sql`insert into ninefold.account (person, disabled_at, changed_at) values (${person}::uuid, ${now}::timestamptz, ${now}::timestamptz)`,
  )
}

const goingWithPeople = sql`
  select t.relname as table, a.attname as column from pg_constraint as c join pg_class as t on t.oid = c.conrelid
  join pg_attribute as a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
  where c.contype = 'f' and c.confdeltype = 'c' and c.confrelid = 'public.person'::regclass and c.connamespace = 'ninefold'::regnamespace
  order by 1, 2`

/** As far as it can be done now; again later, where something is left. */
export async function continueErasure(runtime: Runtime, request: Request, person: string): Promise<Erasure> {
  const { app, store } = runtime
  const held = await recordsAbout(store, app, request, person)
  const before = await erasedSince(store, person, held)
  const kept = held.filter(({ because }) => because !== null)
  const erased: RecordAboutPerson[] = []
  const failed: { held: RecordAboutPerson; problem: Problem }[] = []
  for (const one of held) {
    if (one.because !== null || before.has(one.id) || !hasPersonal(app, one.entity)) continue
    const erasing = { entity: one.entity, id: one.id, what: 'asked', because: null } as const
    const problem = await store.inTransaction(tx => eraseRecord(tx, runtime, request, erasing))
    if (problem === null) erased.push(one)
    else failed.push({ held: one, problem })
  }
  const self = await personHeld(store, app, request, person)
  if (self.because !== null) kept.push(self)
  const isLeft = kept.length > 0 || failed.length > 0
  const problem = isLeft ? null : await store.inTransaction(tx => nameless(tx, runtime, request, person))
  if (problem !== null) failed.push({ held: self, problem })
  const [written] = await store.query<{ count: string }>(
    sql`select count(*) as count from ninefold.comment where person = ${person}::uuid and text is not null`,
  )
  return { erased, kept, failed, comments: Number(written!.count), done: !isLeft && problem === null }
}

const hasPersonal = (app: App, entity: string): boolean =>
  personalOf(app, entity).fields.length > 0 || childLists(app, entity).some(list => hasPersonal(app, list.entity))

async function erasedSince(
  reader: Reader,
  person: string,
  held: readonly RecordAboutPerson[],
): Promise<ReadonlySet<string>> {
  const rows = await reader.query<{ record: string }>(
    sql`select e.record from ninefold.erased as e join ninefold.erasure as a on a.person = ${person}::uuid and e.at >= a.asked_at
      where e.record = any(${held.map(({ id }) => id)}::uuid[])`,
  )
  return new Set(rows.map(({ record }) => record))
}

async function personHeld(reader: Reader, app: App, request: Request, person: string): Promise<RecordAboutPerson> {
  const { keep } = app.entities.get('person')!
  const [row] = await reader.query<{ name: string; until: string | null; over: boolean | null }>(
    sql`select t.name, ${keptUntil(app, 'person', 't')} as until, (${conditionSql(isOver(app, 'person', 't'))}) as over
      from ${fromSql('person', 't')} where t.id = ${person}::uuid`,
    bindingsOf(request),
  )
  const isKept = keep !== null && row?.over !== true
  const because = isKept ? keep.cell : null
  return {
    entity: 'person',
    id: person,
    label: row?.name ?? null,
    because,
    until: isKept ? (row?.until ?? null) : null,
  }
}

/** The last of it: they are called otherwise, and no mail to them is left. */
async function nameless(tx: Tx, runtime: Runtime, request: Request, person: string): Promise<Problem | null> {
  const [row] = await tx.query<{ email: string | null }>(
    sql`select email from public.person where id = ${person}::uuid`,
  )
  const because = runtime.app.personalDataFor.cell
  const problem = await eraseRecord(tx, runtime, request, { entity: 'person', id: person, what: 'asked', because })
  if (problem !== null) return problem
  const to = sql`kind = 'mail' and payload -> 'to' ->> 'person' = ${person}`
  await tx.write(
    sql`update ninefold.outbox set payload = '{}', last_answer = null, last_error = null where ${to} and state = 'delivered'`,
  )
  await tx.write(sql`delete from ninefold.outbox where ${to} and state <> 'delivered'`)
  if (row?.email != null) await tx.write(sql`delete from ninefold.mailbox where ${row.email} = any(recipients)`)
  await tx.write(
    sql`update ninefold.erasure set done_at = ${request.now.toISOString()}::timestamptz where person = ${person}::uuid`,
  )
  return null
}

/** People who were to be erased and of whom something is left. */
export async function unfinished(reader: Reader): Promise<readonly string[]> {
  const rows = await reader.query<{ person: string }>(
    sql`select person from ninefold.erasure where done_at is null order by asked_at, person`,
  )
  return rows.map(({ person }) => person)
}
