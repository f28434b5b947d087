/** Shares one record with a person, or with those whom a record names, in a role of heading 6; ends it, and tells of it. */
import { dateOf, dayNumber } from '../../expression/dates.ts'
import { join, raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { SharedWho } from '../../headings/6-permissions/model.ts'
import { heldToGive, sharedBy } from '../../headings/6-permissions/shares.ts'
import type { App } from '../../headings/app.ts'
import { wordFor } from '../../headings/translate.ts'
import type { Reader, Tx } from '../../store/pool.ts'
import { allOf, type Condition, conditionSql } from '../access/condition.ts'
import { policyFor } from '../access/policy.ts'
import { collated, columnSql, fromSql } from '../names.ts'
import type { Outcome, Problem } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import { remember, sharedUntil, sharedWith } from '../read/history.ts'
import { labelSql } from '../read/select.ts'
import { rolesToShare, sharesOf } from '../read/shares.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { isId } from '../values.ts'
import { notFound, refused } from '../write/write.ts'
import { mostOffered, type Somebody } from './find.ts'
import { appointable } from './people.ts'

interface Sharing {
  readonly entity: string
  readonly record: string
  readonly role: string
  /** The id of a person, or of a record that names several. */
  readonly to: string
  /** The last day, `YYYY-MM-DD`; null: as long as the document lets it last. */
  readonly until: string | null
}

/** The record, locked, and whether whoever asks may do with it what they give away. */
interface Held {
  readonly version: string
  readonly may: boolean | null
}

/** Shares a record that whoever asks sees. With whom it is shared already, it is shared until this day from now on. */
export async function share({ app, store }: Runtime, request: Request, sharing: Sharing): Promise<Outcome> {
  const { entity, record, role, to } = sharing
  if (!isId(record)) return notFound(app)
  return store.inTransaction(async (tx): Promise<Outcome> => {
    const held = await lockToShare(tx, app, request, sharing)
    if (held === null) return notFound(app)
    const who = sharedBy(app, role)
    if (who === null || held.may !== true || !rolesToShare(app, request.actor, entity).includes(role))
      return refused([denied(app, entity, role)])
    const until = lastDay(app, request, role, sharing.until)
    if (typeof until === 'object' && until !== null) return refused([until])
    if (!(await isOffered(tx, app, request, who, to)))
      return refused([raise(app, 'NF-NO-RECORD', { label: wordFor(app, role) }, { field: 'with', because: who.cell })])
    const [before] = await tx.query<{ until: string | null }>(
      sql`select until_on::text as until from ninefold.share where entity = ${entity} and record = ${record}::uuid and role = ${role}
        and with_record = ${to}::uuid for update`,
    )
    const [{ id = '' } = {}] = await tx.query<{ id: string }>(sql`insert into ninefold.share as old
        (id, role, entity, record, with_record, until_on, by, at)
      values (${request.newId()}::uuid, ${role}, ${entity}, ${record}::uuid, ${to}::uuid, ${until}::date, ${request.actor.id}::uuid, ${request.now.toISOString()}::timestamptz)
      on conflict (entity, record, role, with_record) do update set until_on = excluded.until_on, by = excluded.by, at = excluded.at
      returning id`)
    const changes = { [sharedWith]: [null, to], [sharedUntil]: [before?.until ?? null, until] } as const
    rememberShare(tx, app, request, { entity, record, role, version: held.version, changes, who })
    return { kind: 'done', id, version: Number(held.version) }
  })
}

/** Ends a share, by whoever could share the record so. */
export async function endShare(
  { app, store }: Runtime,
  request: Request,
  { entity, record, id }: { readonly entity: string; readonly record: string; readonly id: string },
): Promise<Outcome> {
  if (!isId(record) || !isId(id)) return notFound(app)
  return store.inTransaction(async (tx): Promise<Outcome> => {
    const shares = await sharesOf(tx, app, request, entity, record)
    const ended = shares?.find(one => one.id === id)
    if (ended === undefined) return notFound(app)
    const who = sharedBy(app, ended.role)!
    if (!rolesToShare(app, request.actor, entity).includes(ended.role))
      return refused([denied(app, entity, ended.role)])
    const taken = await tx.write(sql`delete from ninefold.share where id = ${id}::uuid`)
    if (taken === 0) return notFound(app)
    const [{ version } = { version: '1' }] = await tx.query<{ version: string }>(
      sql`select ${columnSql('t', 'version')} as version from ${fromSql(entity, 't')} where ${columnSql('t', 'id')} = ${record}::uuid`,
    )
    const changes = { [sharedWith]: [ended.with, null], [sharedUntil]: [ended.until, null] } as const
    rememberShare(tx, app, request, { entity, record, role: ended.role, version, changes, who })
    return { kind: 'done', id, version: Number(version) }
  })
}

const denied = (app: App, entity: string, role: string): Problem => {
  const because = sharedBy(app, role)?.cell ?? app.access.get(entity)!.cell
  return raise(
    app,
    'NF-SHARE-DENIED',
    { entity: app.entities.get(entity)!.name, role: wordFor(app, role) },
    { because },
  )
}

/** Null: there is none such for whoever asks. */
async function lockToShare(
  tx: Tx,
  app: App,
  request: Request,
  { entity, record, role }: Sharing,
): Promise<Held | null> {
  const policy = policyFor(app, request.actor)
  const shared = sharedBy(app, role)
  const verbs = shared?.entity === entity ? heldToGive(app, role) : []
  const query = cachedStatement(app, ['to share', policy.key, entity, role], () => {
    const may: Condition = allOf(verbs.map(verb => policy.rows(entity, verb, 't')))
    return built(sql`select ${columnSql('t', 'version')} as version, (${conditionSql(may)}) as may from ${fromSql(entity, 't')}
      where ${conditionSql(allOf([sql`${columnSql('t', 'id')} = ${slot('record')}::uuid`, policy.rows(entity, 'see', 't')]))} for share of t`)
  })
  const [held = null] = await tx.run<Held>(query, bindingsOf(request, { record }))
  return held
}

/** Until when it is shared; a problem: that day is past, or too late. */
function lastDay(app: App, request: Request, role: string, wanted: string | null): string | null | Problem {
  const { days } = sharedBy(app, role)!
  if (wanted !== null && wanted < request.today) return raise(app, 'NF-ROLE-DAYS', {}, { field: 'until' })
  const last = days === null ? null : dateOf(dayNumber(request.today)! + days)
  if (last === null || (wanted !== null && wanted <= last)) return wanted
  return wanted === null ? last : raise(app, 'NF-SHARE-LONG', { role: wordFor(app, role), last }, { field: 'until' })
}

/** Somebody else, or a record that whoever asks sees, with which the document lets it be shared. */
async function isOffered(tx: Tx, app: App, request: Request, who: SharedWho, to: string): Promise<boolean> {
  if (!isId(to)) return false
  const found = await tx.query(offered(app, request, [who], sql`w.id = ${to}::uuid`), bindingsOf(request))
  return found.length > 0
}

/** With whom whoever asks may share in these roles, by name; one more than is offered, where there are more. `named`: those of exactly this name. */
export function offeredTo(
  reader: Reader,
  app: App,
  request: Request,
  roles: readonly string[],
  named: string | null = null,
): Promise<readonly Somebody[]> {
  const whos = roles.map(role => sharedBy(app, role)!)
  const isNamed = named === null ? sql`o.name is not null` : sql`ninefold.fold(o.name) = ninefold.fold(${named.trim()})`
  return reader.query<Somebody>(
    sql`select o.id, o.name from (${offered(app, request, whos, raw('true'))}) as o where ${isNamed}
      order by ${collated(sql`o.name`)}, o.id limit ${mostOffered + 1}::bigint`,
    bindingsOf(request),
  )
}

/** Nobody shares with themselves: they would be given what they do not have. */
function offered(app: App, request: Request, whos: readonly SharedWho[], where: Sql): Sql {
  const policy = policyFor(app, request.actor)
  const entities = [...new Set(whos.flatMap(who => who.with.map(({ entity }) => entity)))]
  const all = entities.map(entity => {
    const isKnown =
      entity === 'person'
        ? sql`w.id is distinct from ${request.actor.id}::uuid and ${appointable(app, request, 'w')}`
        : policy.rows(entity, 'see', 'w')
    return sql`select w.id, ${labelSql(app, policy, entity, 'w') ?? raw('null::text')} as name from ${fromSql(entity, 'w')}
      where ${conditionSql(allOf([where, isKnown]))}`
  })
  return join(all, ' union all ')
}

type Who = NonNullable<ReturnType<typeof sharedBy>>

interface Remembered {
  readonly entity: string
  readonly record: string
  readonly role: string
  readonly version: string
  readonly changes: Readonly<Record<string, readonly [string | null, string | null]>>
  readonly who: Pick<Who, 'cell'>
}

function rememberShare(tx: Tx, app: App, request: Request, one: Remembered): void {
  const { entity, record, role, version, changes, who } = one
  remember(tx, app, request, {
    entity,
    record,
    version: Number(version),
    kind: 'share',
    what: role,
    changes,
    because: who.cell,
  })
  tx.tell(entity, record, null)
}
