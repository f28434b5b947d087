/**
 * Tells people of what concerns them, in the way that they chose for its kind. A mail says who, what kind of thing it was and about what;
 * what stands in it is asked when it leaves, as its reader sees it then (`notice-mail.ts`).
 */
import { createHash } from 'node:crypto'
import { type Sql, slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import type { MailPayload } from '../../kinds/calls/mail/call.ts'
import { peopleTold } from '../../store/news.ts'
import type { Tx } from '../../store/pool.ts'
import { nextOccurrence } from '../later/recurrence.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built } from '../statements.ts'
import { andPresent } from './present.ts'
import { type NoticeKind, type Told, wayOf } from './told.ts'

/** Something that a person is to be told: a comment, or an entry of the history. */
export interface News {
  readonly person: string
  readonly kind: NoticeKind
  readonly record: string
  readonly comment?: string
  readonly entry?: string
  /** In which they were named. */
  readonly field?: string
  /** So many others of its kind are one with it. */
  readonly more?: number
}

interface Reached {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly zone: string | null
  readonly told: Told | null
}

/** Tells it, in as many statements for two hundred as for two. Nobody is told twice of the same comment. `due`: before it no mail leaves. */
export async function tellAll(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  entity: string,
  news: readonly News[],
  due = request.now,
): Promise<void> {
  if (news.length === 0) return
  const people = await reachedOf(tx, runtime.app, request, [...new Set(news.map(({ person }) => person))])
  const wayTo = ({ person, kind }: News) => wayOf(people.get(person)!.told, kind)
  const wanted = news.filter(one => people.has(one.person) && wayTo(one) !== 'none')
  if (wanted.length === 0) return
  const given = wanted.map(one => ({ ...one, id: request.newId() }))
  const rows = await tx.run<{ id: string }>(putNotices, {
    entity,
    given: JSON.stringify(given.map(({ more = 0, ...one }) => ({ ...one, more }))),
  })
  const put = new Set(rows.map(({ id }) => id))
  const told = given.filter(({ id }) => put.has(id))
  for (const { person } of told) tx.tell(peopleTold, person, null)
  const mails = [...Map.groupBy(told, ({ person }) => person)].flatMap(([person, own]) => {
    const reader = people.get(person)!
    const ids = (way: string) => own.filter(one => wayTo(one) === way).map(({ id }) => id)
    const atOnce = mailOf(runtime.app, request, reader, ids('now'), due)
    return [...atOnce, ...daily(runtime.app, request, reader, ids('daily'))]
  })
  await putMails(tx, runtime.app, request, mails)
  if (mails.length > 0 && runtime.wake !== undefined) tx.afterCommit(runtime.wake)
}

/** What was not read yet of the same kind about the same record goes up in it. */
const putNotices = built(sql`
  insert into ninefold.notice as n (id, person, entity, record, comment, entry, field, kind, more)
  select g.id, g.person, ${slot('entity')}, g.record, g.comment, g.entry, g.field, g.kind, g.more
  from jsonb_to_recordset(${slot('given')}::jsonb) as g (id uuid, person uuid, record uuid, comment uuid, entry uuid, field text, kind text, more integer)
  where g.comment is null or not exists (select from ninefold.notice as o where o.comment = g.comment and o.person = g.person)
  on conflict (person, entity, record, kind) where read_at is null and entry is not null
  do update set id = excluded.id, entry = excluded.entry, field = excluded.field, more = n.more + 1 + excluded.more
  returning n.id`)

async function reachedOf(tx: Tx, app: App, request: Request, people: readonly string[]) {
  const found = await tx.query<Reached>(
    sql`select p.id, p.name, p.email, f.time_zone as zone, f.told
    from public.person as p left join ninefold.preference as f on f.person = p.id
    where p.id = any(${people}::uuid[])${andPresent(app, 'p')} order by p.id`,
    bindingsOf(request),
  )
  return new Map(found.map(one => [one.id, one]))
}

/** A mail of the outbox, for one person. One with the same id is put there once. */
interface NoticeMail {
  readonly id: string
  readonly person: string
  readonly payload: MailPayload
  readonly due: Date
}

function mailOf(
  app: App,
  request: Request,
  reader: Reached,
  notices: readonly string[],
  due: Date,
): readonly NoticeMail[] {
  return notices.length === 0 ? [] : mailTo(app, reader, request.newId(), due, { notices })
}

/** The mail of the next morning, which may be there already. */
function daily(app: App, { now }: Request, reader: Reached, notices: readonly string[]): readonly NoticeMail[] {
  if (notices.length === 0) return []
  const due = nextMorning(app, now, reader.zone)
  const id = createHash('sha256').update(`digest ${reader.id} ${due.toISOString()}`).digest('hex').slice(0, 32)
  return mailTo(app, reader, id, due, { digest: true })
}

function mailTo(
  app: App,
  { id: person, name, email }: Reached,
  id: string,
  due: Date,
  what: Pick<MailPayload, 'notices' | 'digest'>,
): readonly NoticeMail[] {
  if (email === null) return []
  const payload = { to: { name, address: email, person }, subject: app.name, text: '', ...what, idempotencyKey: id }
  return [{ id, person, payload, due }]
}

const morning = { of: 'days', days: Array<boolean>(7).fill(true), time: { hour: 7, minute: 0 } } as const

/** When what is told once a day leaves, by the clocks of its reader. */
export function nextMorning(app: App, now: Date, zone: string | null): Date {
  const clockwork = { zone: zone ?? app.product.timeZone.name, days: morning.days, hours: null, closed: [] }
  return nextOccurrence(morning, now, clockwork) ?? now
}

async function putMails(tx: Tx, app: App, request: Request, mails: readonly NoticeMail[]): Promise<void> {
  if (mails.length === 0) return
  await tx.run(insertMails, {
    keys: mails.map(({ id }) => id),
    people: mails.map(({ person }) => person),
    payloads: mails.map(({ payload }) => JSON.stringify(payload)),
    dues: mails.map(({ due }) => due.toISOString()),
    now: request.now.toISOString(),
    by: request.actor.id,
    request: request.id,
    document: app.version,
  })
}

const insertMails = built(sql`insert into ninefold.outbox
    (id, kind, name, entity, record, payload, repeat_key, quiet, due_at, created_at, created_by, request, document)
  select m.key::uuid, 'mail', 'comment', 'person', m.person, m.payload::jsonb, m.key, true, m.due, ${slot('now')}::timestamptz, ${by()}, ${slot('request')}, ${slot('document')}
  from unnest(${slot('keys')}::text[], ${slot('people')}::uuid[], ${slot('payloads')}::text[], ${slot('dues')}::timestamptz[]) as m (key, person, payload, due)
  on conflict (id) do nothing`)

/** Who caused it; nobody where it tells of several. */
function by(): Sql {
  return sql`case when m.payload::jsonb ? 'digest' then null else ${slot('by')}::uuid end`
}
