/**
 * Links sent by e-mail. Each is for one thing, works once and for a time, and as long as its person has the address that they had: `sign_in`
 * lets in, `password` lets its person set a new password, `invitation` is the first way in. Only their hashes are kept.
 */
import { sql } from '../../expression/sql.ts'
import { engineValue } from '../../headings/9-limits/engine.ts'
import { isPresent } from '../../run/people/present.ts'
import type { Request } from '../../run/request.ts'
import type { Store } from '../../store/pool.ts'
import { secondFactorMinutes } from '../bounds.ts'
import type { Random } from '../random.ts'
import { linksPerAccount } from '../rate-limit/allowances.ts'
import { attempt } from '../rate-limit/backoff.ts'
import type { RequestContext } from '../request-context.ts'
import { say } from '../sentences.ts'
import { type Account, enqueueOwnMail } from './accounts.ts'
import { hashOf, isToken, newToken } from './session.ts'

/** What is mailed; and `second_factor`, which stands in a form and says that the first factor was there. */
export type Mailed = 'sign_in' | 'password' | 'invitation'
export type Purpose = Mailed | 'second_factor'

type Limits = Request['limits']

const minutesOf: Readonly<Record<Purpose, (limits: Limits) => number>> = {
  sign_in: limits => engineValue(limits, 'sign_in_link'),
  password: limits => engineValue(limits, 'password_link'),
  invitation: limits => engineValue(limits, 'invitation_days') * 1440,
  second_factor: () => secondFactorMinutes,
}

/** A new link of this person, as the token that it holds; without limits Ninefold's own hold. */
export async function openLink(
  store: Store,
  person: string,
  now: Date,
  random: Random,
  purpose: Purpose = 'sign_in',
  limits: Limits = {},
): Promise<string> {
  const token = newToken(random)
  const ends = new Date(now.getTime() + minutesOf[purpose](limits) * 60_000)
  await store.inTransaction(async tx => {
    await tx.write(sql`delete from ninefold.link where ends_at <= ${now}`)
    await tx.write(sql`
      insert into ninefold.link (token_hash, person, email, purpose, created_at, ends_at)
      select ${hashOf(token)}, id, email, ${purpose}, ${now}, ${ends} from public.person where id = ${person}::uuid`)
  })
  return token
}

interface Link {
  readonly person: string
  readonly purpose: Purpose
}

/** A link that would still work, untouched; null for every other token. */
export async function linkOf(
  store: Store,
  token: string | null | undefined,
  purposes: readonly Purpose[],
  now: Date,
): Promise<Link | null> {
  if (!isToken(token ?? undefined)) return null
  const [row] = await store.query<{ person: string; purpose: Purpose }>(sql`
    select person, purpose from ninefold.link where ${works(hashOf(token!), purposes, now)}`)
  return row ?? null
}

/** Uses the link up, by its token or the hash of it; null where that was done before, or it would not work. */
export async function takeLink(
  store: Store,
  link: string | Buffer | null | undefined,
  purposes: readonly Purpose[],
  now: Date,
): Promise<Link | null> {
  const hash = typeof link !== 'string' ? link : isToken(link) ? hashOf(link) : null
  if (hash === null || hash === undefined) return null
  const [row] = await store.inTransaction(tx =>
    tx.query<{ person: string; purpose: Purpose }>(sql`
      update ninefold.link set used_at = ${now} where ${works(hash, purposes, now)} returning person, purpose`),
  )
  return row ?? null
}

const works = (hash: Buffer, purposes: readonly Purpose[], now: Date) => sql`
  token_hash = ${hash} and used_at is null and ends_at > ${now} and purpose = any(${[...purposes]}::text[])
  and (link.email is null or link.email = (select email from public.person where person.id = link.person))
  and not exists (select from ninefold.account where account.person = link.person and disabled_at is not null)`

const mails = {
  sign_in: { subject: 'linkMailSubject', text: 'linkMailBody', path: '/-/link' },
  password: { subject: 'passwordMailSubject', text: 'passwordMailBody', path: '/-/password' },
  invitation: { subject: 'invitationMailSubject', text: 'invitationMailBody', path: '/-/password' },
} as const

/** Mails a link. False where the document keeps the person out, and where this account was sent too many already: its mailbox is not a stranger's to fill. */
export async function mailLink(
  { runtime, request, web, site }: RequestContext,
  account: Account,
  purpose: Mailed,
  next = '/',
): Promise<boolean> {
  if (!(await isPresent(runtime, request, account.person))) return false
  const { limits } = request
  if ((await attempt(runtime.store, linksPerAccount, account.person, request.now)) > 0) return false
  const token = await openLink(runtime.store, account.person, request.now, web.options.random, purpose, limits)
  const { subject, text, path } = mails[purpose]
  const link = `${web.origin}${path}?${new URLSearchParams({ token, ...(next === '/' ? {} : { next }) })}`
  const app = site.app.name
  await enqueueOwnMail(runtime.store, request, site.app.version, account, {
    name: purpose,
    subject: say(site, subject, { app }),
    text: say(site, text, {
      app,
      link,
      minutes: minutesOf[purpose](limits),
      days: engineValue(limits, 'invitation_days'),
    }),
  })
  web.options.wake?.()
  return true
}
