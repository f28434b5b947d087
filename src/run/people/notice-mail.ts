/**
 * Mails that tell somebody of notices: of one, or in the morning of what they have not read. What stands in them is asked when they leave,
 * as their reader sees it then: who, what kind of thing it was, and about what; never what somebody wrote.
 */
import { sql } from '../../expression/sql.ts'
import { appFor } from '../../headings/translate.ts'
import type { MailPayload } from '../../kinds/calls/mail/call.ts'
import { ofTenant } from '../limits.ts'
import { noticed, noticedThing, wordsIn } from '../problems/words.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf } from '../statements.ts'
import { mayComment } from './comments.ts'
import { readNotices } from './notices.ts'
import { requestsOf } from './people.ts'
import { andPresent } from './present.ts'
import { type Replies, replyAddress, replyMark } from './reply-address.ts'
import { noticeKinds, type Told, wayOf } from './told.ts'

/** Whether its text is made when it leaves. */
export const isOfNotices = ({ digest, notices }: MailPayload): boolean => digest === true || notices !== undefined

interface Leaving {
  /** Of the page of a record. */
  readonly linkTo: (entity: string, record: string) => string | null
  /** Null: nobody takes answers. */
  readonly replies: Replies | null
}

/** What leaves; null: all of it was read meanwhile, or its reader does not want it any more. */
export async function noticeMail(
  runtime: Runtime,
  request: Request,
  stored: MailPayload,
  { linkTo, replies }: Leaving,
): Promise<MailPayload | null> {
  const { app, store } = runtime
  const id = stored.to.person ?? null
  const [person] = await store.query<{
    name: string
    email: string | null
    language: string | null
    told: Told | null
  }>(
    sql`select p.name, p.email, f.language, f.told from public.person as p left join ninefold.preference as f on f.person = p.id
      where p.id = ${id}::uuid${andPresent(app, 'p')}`,
    bindingsOf(request),
  )
  const [own] = id === null ? [] : await requestsOf(store, app, [id], request)
  if (person === undefined || person.email === null || own === undefined) return null
  const asking = ofTenant(own, own.actor.tenant ?? null)
  const way = stored.digest ? 'daily' : 'now'
  const kinds = noticeKinds.filter(kind => wayOf(person.told, kind) === way)
  const only = stored.notices === undefined ? {} : { only: stored.notices }
  const { notices, next } = await readNotices(runtime, asking, { by: {}, unread: true, kinds, ...only })
  if (notices.length === 0) return null
  const spoken = appFor(app, person.language)
  const words = wordsIn(person.language ?? app.product.defaultLanguage.tag)
  const told = notices.map(notice => ({
    notice,
    line: `${noticed(spoken, words, notice)}: ${noticedThing(spoken, notice)}`,
  }))
  const lines = told.map(({ notice: { entity, record }, line }) =>
    [line, linkTo(entity, record) ?? ''].join('\n').trim(),
  )
  const subject = told.length === 1 ? told[0]!.line : words.unread
  const [first] = notices
  const isAnswered =
    replies !== null && way === 'now' && notices.length === 1 && mayComment(app, asking.actor, first!.entity)
  return {
    ...stored,
    ...(isAnswered ? { replyTo: replyAddress(replies, first!.source, id!) } : {}),
    to: { ...stored.to, name: person.name, address: person.email },
    subject: `${app.name}: ${subject}`.replace(/\s+/g, ' '),
    text: [
      ...(isAnswered ? [`${replyMark} ${words.reply} ${replyMark}`] : []),
      ...lines,
      ...(next === null ? [] : [words.others]),
      words.why,
    ].join('\n\n'),
  }
}
