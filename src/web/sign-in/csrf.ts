/**
 * Cross-site request forgery: a request that changes something must come from a page of this origin (as the browser says it), and a
 * form must carry the CSRF token of its session. Both are checked, because either alone has failed somewhere; where there is no session and
 * no cookie at all, the first.
 */
import { timingSafeEqual } from 'node:crypto'
import type { Random } from '../random.ts'
import type { RequestContext } from '../request-context.ts'
import { hashOf } from './session.ts'

const tokenLength = 32

/** `secret` is the session's token, or the visit's. Masked anew in each page, so that compression gives nothing away (BREACH). */
export function csrfToken(secret: string, random: Random): string {
  const mask = random(tokenLength)
  return Buffer.concat([mask, xor(mask, plainToken(secret))]).toString('base64url')
}

export function csrfTokenFits(secret: string, given: string | null | undefined): boolean {
  const bytes = Buffer.from(given ?? '', 'base64url')
  if (bytes.length !== 2 * tokenLength) return false
  return timingSafeEqual(xor(bytes.subarray(0, tokenLength), bytes.subarray(tokenLength)), plainToken(secret))
}

/**
 * Sent from a form that this browser was given. One that keeps no cookies has nothing that its token could be held against, and acts for
 * nobody: that it comes from a page of ours is enough, but in frames, whose address has the visit from the beginning.
 */
export function isOwnForm(
  { web, headers, formSecret, visitInAddress, embedded }: RequestContext,
  form: URLSearchParams,
): boolean {
  if (csrfTokenFits(formSecret, form.get('_csrf'))) return true
  return visitInAddress && !embedded && originOf(headers, web.origin) === 'own'
}

/** What the browser says of where a request comes from. `unknown`: it says nothing (a program, or a very old browser). */
export function originOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  ownOrigin: string,
): 'own' | 'foreign' | 'unknown' {
  const site = headers['sec-fetch-site']
  const origin = headers.origin
  if (typeof origin === 'string' && origin !== ownOrigin) return 'foreign'
  if (typeof site === 'string') return site === 'same-origin' ? 'own' : 'foreign'
  return typeof origin === 'string' ? 'own' : 'unknown'
}

/** A secret is 256 random bits: what is made of it by a hash tells nothing of it, nor of any other. */
const plainToken = (secret: string): Buffer => hashOf(`ninefold csrf ${secret}`)

function xor(left: Buffer, right: Buffer): Buffer {
  const made = Buffer.alloc(left.length)
  for (let index = 0; index < left.length; index++) made[index] = left[index]! ^ right[index]!
  return made
}
