/**
 * One mail a day with what somebody has not read: it lies in the outbox from the first comment on until the morning, and what stands
 * in it is asked when it leaves, as its reader sees it then. Like a mail about one comment it says who and where, never what.
 */
import { sql } from '../../expression/sql.ts'
import type { MailPayload } from '../../kinds/calls/mail/call.ts'
import { ofTenant } from '../limits.ts'
import { noticed, wordsIn } from '../problems/words.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf } from '../statements.ts'
import { readNotices } from './notices.ts'
import { requestsOf } from './people.ts'
import { andPresent } from './present.ts'

/** What leaves; null: there is nothing to read any more, or its reader does not want it any more. */
export async function digestOf(
  runtime: Runtime,
  request: Request,
  stored: MailPayload,
  linkTo: (entity: string, record: string) => string | null,
): Promise<MailPayload | null> {
  const { app, store } = runtime
  const id = stored.to.person ?? null
  const [person] = await store.query<{ name: string; email: string | null; language: string | null }>(
    sql`select p.name, p.email, f.language from public.person as p join ninefold.preference as f on f.person = p.id
      where p.id = ${id}::uuid and f.notify_by = 'daily'${andPresent(app, 'p')}`,
    bindingsOf(request),
  )
  const [own] = id === null ? [] : await requestsOf(store, app, [id], request)
  if (person === undefined || person.email === null || own === undefined) return null
  const asking = ofTenant(own, own.actor.tenant ?? null)
  const { notices, next } = await readNotices(runtime, asking, { by: {}, unread: true })
  if (notices.length === 0) return null
  const words = wordsIn(person.language ?? app.product.defaultLanguage.tag)
  const lines = notices.map(({ kind, who, entity, record }) => {
    const href = linkTo(entity, record)
    return `${noticed(words, kind, who ?? app.name)}${href === null ? '' : `\n${href}`}`
  })
  return {
    ...stored,
    to: { ...stored.to, name: person.name, address: person.email },
    subject: `${app.name}: ${words.unread}`.replace(/\s+/g, ' '),
    text: [...lines, ...(next === null ? [] : [words.others]), words.why].join('\n\n'),
  }
}
