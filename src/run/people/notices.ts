/** What somebody was told of: comments that mention them or are on what they follow, and work that concerns them. */

import { join, raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import { peopleTold } from '../../store/news.ts'
import { allOf, anyOf, type Condition, conditionSql } from '../access/condition.ts'
import { type Policy, policyFor } from '../access/policy.ts'
import { isUnnamed } from '../access/unnamed.ts'
import { addressSql, columnSql, fromSql, personFields } from '../names.ts'
import { isSingle, labelSql } from '../read/select.ts'
import type { Actor, Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { mayComment } from './comments.ts'
import type { Counted } from './counted.ts'
import type { NoticeKind } from './told.ts'

export interface Notice {
  readonly id: string
  readonly kind: NoticeKind
  readonly entity: string
  readonly record: string
  /** The comment, or the entry of the history. */
  readonly source: string
  /** What names the record in addresses; null where they may not see that. */
  readonly address: string | null
  readonly title: string | null
  readonly who: string | null
  /** Of a comment. */
  readonly text: string | null
  /** The field in which they were named. */
  readonly field: string | null
  /** Where it was moved to. */
  readonly state: string | null
  readonly at: string
  readonly read: boolean
  /** So many before it are of the same kind, about the same record, and were not read either. */
  readonly more: string
}

/** Notices on one page. */
const shown = 50

interface NoticesNeed {
  /** Per entity the field that names a record in addresses. */
  readonly by: Readonly<Record<string, string>>
  /** The last one of the page before. */
  readonly before?: string | null
  /** Only what is not read. */
  readonly unread?: boolean
  /** Of these kinds alone. */
  readonly kinds?: readonly NoticeKind[]
  /** These alone, by their ids. */
  readonly only?: readonly string[]
}

/** Whether they may be told of records of the entity, as far as they see them. */
export const mayHear = ({ entities }: App, { id, emergency }: Pick<Actor, 'id' | 'emergency'>, entity: string) =>
  entities.get(entity)?.partOf === null && id !== null && emergency === undefined

/** What this person was told of, newest first: of records that they still see. `next`: the last one, where there are more. One statement. */
export async function readNotices(
  { app, store }: Runtime,
  request: Request,
  { by, before = null, unread = false, kinds, only }: NoticesNeed,
): Promise<{ readonly notices: readonly Notice[]; readonly next: string | null }> {
  const policy = policyFor(app, request.actor)
  const entities = heardOf(app, request.actor, policy)
  if (entities.length === 0) return { notices: [], next: null }
  const query = cachedStatement(app, ['notices', policy.key, JSON.stringify(by)], () => {
    const parts = entities.map((entity): Sql => {
      const field = by[entity] ?? 'id'
      const seen = field === 'id' || (isSingle(app, entity, field) && policy.field(entity, field, 't') === true)
      const address = seen ? addressSql(app, entity, field, 't') : raw('null::text')
      const who = sql`coalesce(c.person, h.actor)`
      return sql`(select n.id, n.kind, n.entity, n.record, coalesce(n.comment, n.entry) as source, n.read_at is not null as read, n.field, n.more, c.text, coalesce(c.at, h.at) as at, h.to_state as state,
        case when ${conditionSql(isUnnamed(app, policy, entity, 't', who))} then null else ${who} end as person,
        ${address} as address, ${labelSql(app, policy, entity, 't') ?? raw('null::text')} as title
        ${noticesOf(app, request.actor, policy, entity)}
          and (${slot('before')}::uuid is null or n.id < ${slot('before')}::uuid) and (n.read_at is null or not ${slot('unread')}::boolean)
          and (${slot('kinds')}::text[] is null or n.kind = any(${slot('kinds')}::text[])) and (${slot('only')}::uuid[] is null or n.id = any(${slot('only')}::uuid[]))
        order by n.id desc limit ${raw(String(shown + 1))})`
    })
    return built(sql`select f.*, (select p.name from ${fromSql('person', 'p')} where p.id = f.person) as who
      from (${join(parts, ' union all ')}) as f order by f.id desc limit ${raw(String(shown + 1))}`)
  })
  const bindings = { before, unread, kinds: kinds ?? null, only: only ?? null }
  const found = await store.run<Notice>(query, bindingsOf(request, bindings))
  const notices = found.slice(0, shown)
  return { notices, next: found.length > shown ? notices.at(-1)!.id : null }
}

/** What they have not read, and work on many records that ended and that they have not looked at. */
export const unreadNotices: Counted = {
  name: 'unread',
  rows: (app, actor, policy) => [
    sql`select from ninefold.job as j where j.person = ${slot('me')}::uuid and j.unseen_since is not null and j.entity = any(${[...app.entities.keys()]}::text[])`,
    ...heardOf(app, actor, policy).map(
      entity => sql`select ${noticesOf(app, actor, policy, entity)} and n.read_at is null`,
    ),
  ],
}

/** Entities of whose records they may see what they are told of. */
const heardOf = (app: App, actor: Actor, policy: Policy): readonly string[] =>
  [...app.entities.keys()].filter(entity => mayHear(app, actor, entity) && policy.rows(entity, 'see', 't') !== false)

/** From where notices of records of the entity come (`n`, of a record `t`), as far as their reader still sees what they tell. */
const noticesOf = (app: App, actor: Actor, policy: Policy, entity: string): Sql =>
  sql`from ninefold.notice as n left join ninefold.comment as c on c.id = n.comment left join ninefold.history as h on h.id = n.entry
    join ${fromSql(entity, 't')} on ${columnSql('t', 'id')} = n.record
    where n.person = ${slot('me')}::uuid and n.entity = ${entity} and ${conditionSql(
      allOf([isStillNews(app, actor, policy, entity), policy.rows(entity, 'see', 't')]),
    )}`

/** A comment is there, and may be read; of the record they see what the notice tells. */
function isStillNews(app: App, actor: Actor, policy: Policy, entity: string): Condition {
  const talks = mayComment(app, actor, entity)
  return anyOf([
    talks && sql`c.text is not null`,
    allOf([
      sql`h.id is not null`,
      anyOf([sql`n.kind = 'decide'`, ...seenParts(app, entity).map(part => tells(policy, entity, part))]),
    ]),
  ])
}

/** The state, and the fields that name people: what a notice of work tells of a record. */
const seenParts = (app: App, entity: string): readonly string[] => [
  ...(app.workflows.has(entity) ? ['state'] : []),
  ...personFields(app, entity),
]

const tells = (policy: Policy, entity: string, part: string): Condition =>
  allOf([
    part === 'state' ? sql`n.kind = 'moved'` : sql`(n.kind = 'owner' and n.field = ${part})`,
    policy.field(entity, part, 't'),
  ])

/** Marks one's own as read; null: all of them, those included that one does not see any more. */
export const markRead = ({ store }: Runtime, { actor, now }: Request, id: string | null): Promise<void> =>
  store.inTransaction(async tx => {
    const read = await tx.write(sql`update ninefold.notice set read_at = ${now.toISOString()}::timestamptz
      where person = ${actor.id}::uuid and read_at is null and (${id}::uuid is null or id = ${id}::uuid)`)
    if (read > 0) tx.tell(peopleTold, actor.id!, null)
  })
