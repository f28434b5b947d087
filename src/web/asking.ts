/** Who asks, as far as a request tells by itself: for turns that are given before anybody is looked up. */
import type { Asking } from './line.ts'
import { networkOf } from './rate-limit/network.ts'
import { readCookies } from './sign-in/cookies.ts'

/** `session`: the name of its cookie. What stands there is believed of nobody: who makes it up is still of their own network. */
export const askingOf = (
  address: string,
  { authorization, cookie }: { readonly authorization?: string | undefined; readonly cookie?: string | undefined },
  session: string,
): Asking => ({ network: networkOf(address), person: authorization ?? readCookies(cookie).get(session) ?? '' })

/** The same of what came first, over a connection from this address, behind so many proxies that are believed. */
export function askingIn(text: string, address: string, proxies: number, session: string): Asking {
  const [head = ''] = text.split('\r\n\r\n', 1)
  const value = (header: RegExp) => header.exec(head)?.[1]?.trim()
  const named = proxies === 0 ? [] : (value(forwarded) ?? '').split(',').flatMap(one => one.trim() || [])
  const hops = [...named, address]
  return askingOf(
    hops.at(-1 - Math.min(proxies, named.length))!,
    { authorization: value(authorization), cookie: value(cookie) },
    session,
  )
}

const forwarded = /^x-forwarded-for:[ \t]*(.*)$/im
const authorization = /^authorization:[ \t]*(.*)$/im
const cookie = /^cookie:[ \t]*(.*)$/im
