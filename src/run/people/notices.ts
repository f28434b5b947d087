/**
 * Who is told of a comment: those whom it mentions and those who follow the record, as far as they see it, and want to know. A mail
 * says who wrote and where to look, never what: whether its reader sees that is asked when they look.
 */

import { createHash } from 'node:crypto'
import { join, raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import type { MailPayload } from '../../kinds/calls/mail/call.ts'
import type { Tx } from '../../store/pool.ts'
import { allOf, conditionSql } from '../access/condition.ts'
import { type Policy, policyFor } from '../access/policy.ts'
import { isUnnamed } from '../access/unnamed.ts'
import { nextOccurrence } from '../later/recurrence.ts'
import { addressSql, columnSql, fieldSql, fromSql, isLinks, linksSql, personFields } from '../names.ts'
import { noticed, wordsIn } from '../problems/words.ts'
import { isSingle, labelSql } from '../read/select.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { type About, among } from './among.ts'
import { followsSql, mayComment } from './comments.ts'
import { requestsOf } from './people.ts'
import { andPresent } from './present.ts'

export interface Notice {
  readonly id: string
  readonly kind: 'mention' | 'comment'
  readonly entity: string
  readonly record: string
  /** What names the record in addresses; null where they may not see that. */
  readonly address: string | null
  readonly title: string | null
  readonly who: string | null
  readonly text: string
  readonly at: string
  readonly read: boolean
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
}

/** What this person was told of, newest first: of records that they still see and may talk about. `next`: the last one, where there are more. One statement. */
export async function readNotices(
  { app, store }: Runtime,
  request: Request,
  { by, before = null, unread = false }: NoticesNeed,
): Promise<{ readonly notices: readonly Notice[]; readonly next: string | null }> {
  const entities = [...app.entities.keys()].filter(entity => mayComment(app, request.actor, entity))
  if (entities.length === 0) return { notices: [], next: null }
  const policy = policyFor(app, request.actor)
  const query = cachedStatement(app, ['notices', policy.key, JSON.stringify(by)], () => {
    const parts = entities.map((entity): Sql => {
      const field = by[entity] ?? 'id'
      const seen = field === 'id' || (isSingle(app, entity, field) && policy.field(entity, field, 't') === true)
      const address = seen ? addressSql(app, entity, field, 't') : raw('null::text')
      return sql`(select n.id, n.kind, n.entity, n.record, n.read_at is not null as read, c.text, c.at, case when ${conditionSql(isUnnamed(app, policy, entity, 't', sql`c.person`))} then null else c.person end as person,
        ${address} as address, ${labelSql(app, policy, entity, 't') ?? raw('null::text')} as title
        from ninefold.notice as n join ninefold.comment as c on c.id = n.comment
        join ${fromSql(entity, 't')} on ${columnSql('t', 'id')} = n.record
        where n.person = ${slot('me')}::uuid and n.entity = ${entity} and c.text is not null
          and (${slot('before')}::uuid is null or n.id < ${slot('before')}::uuid) and (n.read_at is null or not ${slot('unread')}::boolean)
          and ${conditionSql(policy.rows(entity, 'see', 't'))}
        order by n.id desc limit ${raw(String(shown + 1))})`
    })
    return built(sql`select f.*, (select p.name from ${fromSql('person', 'p')} where p.id = f.person) as who
      from (${join(parts, ' union all ')}) as f order by f.id desc limit ${raw(String(shown + 1))}`)
  })
  const found = await store.run<Notice>(query, bindingsOf(request, { before, unread }))
  const notices = found.slice(0, shown)
  return { notices, next: found.length > shown ? notices.at(-1)!.id : null }
}

/** Marks one's own as read; null: all of them, those included that one does not see any more. */
export const markRead = ({ store }: Runtime, { actor, now }: Request, id: string | null): Promise<number> =>
  store.inTransaction(tx =>
    tx.write(sql`update ninefold.notice set read_at = ${now.toISOString()}::timestamptz
      where person = ${actor.id}::uuid and read_at is null and (${id}::uuid is null or id = ${id}::uuid)`),
  )

interface Reached {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly language: string | null
  readonly zone: string | null
  readonly notify: 'mentions' | 'none' | null
  readonly by: 'daily' | 'page' | null
}

type Mailed = Reached & { readonly email: string }

/** Tells those who are to know of a comment, in as many statements for two hundred as for two. Nobody is told twice of the same one, and nobody of their own. */
export async function tell(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  about: About & { readonly comment: string },
  mentioned: readonly string[],
): Promise<void> {
  const following = await followersOf(tx, runtime.app, request, about.entity, about.record)
  const people = [...new Set([...mentioned, ...following])].filter(id => id !== request.actor.id)
  if (people.length === 0) return
  const reached = await tx.query<Reached>(
    sql`select p.id, p.name, p.email, f.language, f.time_zone as zone, f.notify, f.notify_by as by
    from public.person as p left join ninefold.preference as f on f.person = p.id
    where p.id = any(${people}::uuid[])${andPresent(runtime.app, 'p')} order by p.id`,
    bindingsOf(request),
  )
  const kindOf = ({ id }: Reached) => (mentioned.includes(id) ? 'mention' : 'comment')
  const wanting = reached.filter(
    one => one.notify !== 'none' && !(one.notify === 'mentions' && kindOf(one) === 'comment'),
  )
  const put = await tx.query<{
    person: string
  }>(sql`insert into ninefold.notice (id, person, entity, record, comment, kind)
    select n.id, n.person, ${about.entity}, ${about.record}::uuid, ${about.comment}::uuid, n.kind
    from unnest(${wanting.map(() => request.newId())}::uuid[], ${wanting.map(({ id }) => id)}::uuid[], ${wanting.map(kindOf)}::text[]) as n (id, person, kind)
    on conflict (comment, person) do nothing returning person`)
  const told = new Set(put.map(({ person }) => person))
  const byMail = wanting.flatMap(one =>
    told.has(one.id) && one.by !== 'page' && one.email !== null ? [{ ...one, email: one.email }] : [],
  )
  const atOnce = byMail.filter(({ by }) => by !== 'daily')
  const named = await toldTheName(tx, runtime.app, request, about, atOnce)
  const mails = byMail.flatMap(one => {
    if (one.by === 'daily') return digestOf(runtime.app, request, one)
    const who = named.has(one.id) ? (request.actor.name ?? '') : runtime.app.name
    return [mailOf(runtime.app, request, one, kindOf(one), about, who)]
  })
  await putMails(tx, runtime.app, request, mails)
  if (atOnce.length > 0 && runtime.wake !== undefined) tx.afterCommit(runtime.wake)
}

/** A comment that was taken back is nobody's news. */
export const untell = (tx: Tx, comment: string): Promise<number> =>
  tx.write(sql`delete from ninefold.notice where comment = ${comment}::uuid`)

/** Whoever follows the record, sees it now and may talk about it. */
async function followersOf(
  tx: Tx,
  app: App,
  request: Request,
  entity: string,
  record: string,
): Promise<readonly string[]> {
  const found = await tx.run<{ id: string }>(candidates(app, entity), { record })
  const people = await requestsOf(
    tx,
    app,
    found.map(({ id }) => id),
    request,
  )
  const able = people.filter(({ actor }) => mayComment(app, actor, entity))
  const follows = (policy: Policy) => allOf([policy.rows(entity, 'see', 't'), followsSql(app, policy, entity, 't')])
  const following = await among(tx, app, able, { entity, record }, 'follows', follows)
  return following.map(({ actor }) => actor.id!)
}

/** People whom the record, or a choice of their own, could make followers. */
const candidates = (app: App, entity: string) =>
  cachedStatement(app, ['candidates', entity], () => {
    const t = fromSql(entity, 't')
    const isIt = sql`${columnSql('t', 'id')} = ${slot('record')}::uuid`
    const named = personFields(app, entity).map(key =>
      isLinks(app, entity, key)
        ? sql`select links.member as id from ${t} join ${linksSql(entity, key)} as links on links.owner = ${columnSql('t', 'id')} where ${isIt}`
        : sql`select ${fieldSql(app, entity, key, 't')} as id from ${t} where ${isIt}`,
    )
    const made = sql`select ${columnSql('t', 'created_by')} as id from ${t} where ${isIt}`
    const chosen = sql`select f.person as id from ninefold.follower as f
      where f.entity = ${entity} and f.record = ${slot('record')}::uuid and f.follows`
    return built(sql`select c.id from (${join([made, ...named, chosen], ' union ')}) as c
      where c.id is not null order by c.id`)
  })

/** A mail of the outbox, for one person. One with the same id is put there once. */
interface NoticeMail {
  readonly id: string
  readonly person: string
  readonly payload: MailPayload
  readonly due: Date
  /** Who caused it; null: it tells of several. */
  readonly by: string | null
}

function mailOf(
  app: App,
  request: Request,
  person: Mailed,
  kind: 'mention' | 'comment',
  { entity, record }: About,
  who: string,
): NoticeMail {
  const words = wordsIn(person.language ?? app.product.defaultLanguage.tag)
  const id = request.newId()
  const payload: MailPayload = {
    to: { name: person.name, address: person.email, person: person.id },
    subject: `${app.name}: ${noticed(words, kind, who)}`.replace(/\s+/g, ' '),
    text: words.why,
    link: { entity, record },
    idempotencyKey: id,
  }
  return { id, person: person.id, payload, due: request.now, by: request.actor.id }
}

/** When the mail of a day leaves, by the clocks of its reader. */
const morning = { of: 'days', days: Array<boolean>(7).fill(true), time: { hour: 7, minute: 0 } } as const

/** The mail of the next morning, which may be there already; what stands in it is asked when it leaves. */
function digestOf(app: App, request: Request, person: Mailed): readonly NoticeMail[] {
  const clockwork = { zone: person.zone ?? app.product.timeZone.name, days: morning.days, hours: null, closed: [] }
  const due = nextOccurrence(morning, request.now, clockwork)
  if (due === null) return []
  const id = createHash('sha256').update(`digest ${person.id} ${due.toISOString()}`).digest('hex').slice(0, 32)
  const payload: MailPayload = {
    to: { name: person.name, address: person.email, person: person.id },
    subject: app.name,
    text: '',
    digest: true,
    idempotencyKey: id,
  }
  return [{ id, person: person.id, payload, due, by: null }]
}

async function putMails(tx: Tx, app: App, request: Request, mails: readonly NoticeMail[]): Promise<void> {
  if (mails.length === 0) return
  const ids = mails.map(({ id }) => id)
  const now = request.now.toISOString()
  await tx.write(sql`insert into ninefold.outbox
      (id, kind, name, entity, record, payload, repeat_key, quiet, due_at, created_at, created_by, request, document)
    select m.key::uuid, 'mail', 'comment', 'person', m.person, m.payload::jsonb, m.key, true, m.due, ${now}::timestamptz, m.by, ${request.id}, ${app.version}
    from unnest(${ids}::text[], ${mails.map(({ person }) => person)}::uuid[], ${mails.map(({ payload }) => JSON.stringify(payload))}::text[],
      ${mails.map(({ due }) => due.toISOString())}::timestamptz[], ${mails.map(({ by }) => by)}::uuid[]) as m (key, person, payload, due, by)
    on conflict (id) do nothing`)
}

/** Those of these readers from whom no closed field of the record keeps the name of whoever asks. */
async function toldTheName(
  tx: Tx,
  app: App,
  request: Request,
  about: About,
  readers: readonly { readonly id: string }[],
): Promise<ReadonlySet<string>> {
  const people = await requestsOf(
    tx,
    app,
    readers.map(({ id }) => id),
    request,
  )
  const isKept = (policy: Policy) => isUnnamed(app, policy, about.entity, 't', sql`${slot('person')}::uuid`)
  const kept = await among(tx, app, people, about, 'unnamed', isKept, { person: request.actor.id })
  return new Set(people.filter(one => !kept.includes(one)).map(({ actor }) => actor.id!))
}
