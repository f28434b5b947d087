/**
 * Devices that somebody signed in from before, as OWASP's device cookies: each is trusted to be no stranger's, and with nothing else. What
 * others guess elsewhere does not hold it up. The cookie holds 256 random bits, the database their SHA-256, for each account apart.
 */
import { sql } from '../../expression/sql.ts'
import type { Here } from '../../run/request.ts'
import { deviceDays } from '../bounds.ts'
import type { RequestContext } from '../request-context.ts'
import { setCookie } from './cookies.ts'
import { hashOf, isToken, newToken } from './session.ts'

/** The token that this browser holds, whoever it is of; null: none. */
function deviceOf({ web, cookies }: Pick<RequestContext, 'web' | 'cookies'>): string | null {
  const token = cookies.get(web.jar.device)
  return isToken(token) ? token : null
}

/** By what somebody who is signed in is here: it stays when everything else of theirs ends. */
export const hereOf = (context: Pick<RequestContext, 'web' | 'cookies' | 'session'>): Here => {
  const hashed = (token: string | null) => (token === null ? null : hashOf(token))
  return { session: hashed(context.session), device: hashed(deviceOf(context)) }
}

/** The token, where this person, or whoever has this address, has signed in with it before; null: a device like any other. */
export async function knownDevice(
  context: RequestContext,
  whom: { readonly person: string } | { readonly email: string },
): Promise<string | null> {
  const token = deviceOf(context)
  if (token === null) return null
  const { runtime, request } = context
  const isTheirs =
    'person' in whom
      ? sql`device.person = ${whom.person}::uuid`
      : sql`device.person = (select id from public.person where email = ${whom.email})`
  const [row] = await runtime.store.query(sql`
    select from ninefold.device where token_hash = ${hashOf(token)} and ends_at > ${request.now} and ${isTheirs}`)
  return row === undefined ? null : token
}

/** Somebody has signed in: gives the cookie by which the device is known from now on. Those that were long not used are forgotten. */
export async function noteDevice(context: RequestContext, person: string): Promise<string> {
  const { runtime, request, web } = context
  const token = deviceOf(context) ?? newToken(web.options.random)
  const ends = new Date(request.now.getTime() + deviceDays * 86_400_000)
  await runtime.store.inTransaction(async tx => {
    await tx.write(sql`delete from ninefold.device where ends_at <= ${request.now}`)
    await tx.write(sql`
      insert into ninefold.device (token_hash, person, ends_at) values (${hashOf(token)}, ${person}::uuid, ${ends})
      on conflict (token_hash, person) do update set ends_at = excluded.ends_at`)
  })
  return setCookie(web.jar, web.jar.device, token, deviceDays * 86_400)
}
