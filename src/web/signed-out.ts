/** What becomes of a request for which somebody has to come in first: where it leads back to, and what was sent with it, is kept. */

import { mayOpen } from './access.ts'
import { keptMinutes } from './bounds.ts'
import { isSecret } from './given-back.tsx'
import { csrfInput, problemPage } from './pages.tsx'
import { casePath } from './paths.ts'
import { keptPerAddress } from './rate-limit/allowances.ts'
import { attempt } from './rate-limit/backoff.ts'
import type { RequestContext } from './request-context.ts'
import { clearing, type HttpResponse, seeOther } from './response.ts'
import { postedForm } from './routes/sign-in.tsx'
import { say } from './sentences.ts'
import { keepsNone, setCookie } from './sign-in/cookies.ts'
import { keepPost } from './sign-in/kept-posts.ts'
import { longestNext } from './sign-in/next.ts'

/** Somebody who is not signed in and needs to be: they come back to where they were. */
export function toSignIn({ web, path, query, cookies }: RequestContext): HttpResponse {
  const next = path + (query.size === 0 ? '' : `?${query}`)
  const isKept = next !== '/' && next.length <= longestNext
  const response = seeOther(isKept ? `/-/sign-in?${new URLSearchParams({ next })}` : '/-/sign-in')
  // The session has ended: what the browser kept of it goes, as with signing out.
  return cookies.has(web.jar.session) ? clearing(response) : response
}

/** A POST without a session: kept, and taken up again after signing in; by a visitor of a form for everyone, who has no account, at once. */
export async function signedOutPost(context: RequestContext, form: URLSearchParams): Promise<HttpResponse> {
  const { path, site, web, cookies } = context
  const tooOld = () => problemPage(context, { status: 403, why: say(site, 'formTooOld') })
  const isOurs = path.startsWith('/-/')
  const ofVisitor = isOfVisitor(context)
  if ((isOurs || ofVisitor) && keepsNone(web.jar, cookies)) return cookiesNeeded(context, form)
  if (isOurs) return tooOld()
  const next = await keptAt(context, form)
  if (ofVisitor) return next === null ? tooOld() : seeOther(next)
  return seeOther(`/-/sign-in?${new URLSearchParams({ next: next ?? path, ...(next === null ? {} : { again: '1' }) })}`)
}

/** The browser keeps no cookies, so that nobody can be known by it: what was typed stands on the page that says so, to be sent again. */
export function cookiesNeeded(context: RequestContext, form: URLSearchParams | null): Promise<HttpResponse> {
  const { site, web, path } = context
  const again = new URLSearchParams([...(form ?? [])].filter(([name]) => name !== '_csrf'))
  const { name, value } = csrfInput(context)
  again.set(name, value)
  return problemPage(context, {
    status: 403,
    what: say(site, 'noCookies'),
    why: say(site, 'noCookiesWhy', { host: web.host }),
    back: form === null ? null : { site, action: path, sent: { form: again, lost: [] } },
  })
}

/** Whoever had a session signs in again: what they send is theirs. */
function isOfVisitor({ site, path, request, cookies, web }: RequestContext): boolean {
  const match = site.routes.match(path)
  return match?.kind === 'screen' && mayOpen(match.screen, request.actor) && !cookies.has(web.jar.session)
}

/** Keeps a POST; gives the address at which it is taken up again. Null: it is too large, or one of too many. */
async function keptAt(context: RequestContext, form: URLSearchParams): Promise<string | null> {
  const { web, runtime, path, visit, request, site, network, cookies } = context
  const { random } = web.options
  const session = cookies.get(web.jar.session)
  const readable = new URLSearchParams([...form].filter(([name]) => !isSecret(site.app, name)))
  const wait = await attempt(runtime.store, keptPerAddress, network, request.now)
  const kept =
    wait > 0
      ? null
      : await keepPost(runtime.store, { path, form: readable }, { visit, session, now: request.now, random })
  return kept === null ? null : `${path}?kept=${kept}`
}

/** A visitor where only the link of a record leads: they open it again, and go on where they were, with what they had typed. */
export async function toCase(context: RequestContext): Promise<HttpResponse> {
  const { method, path, web } = context
  const next = method === 'POST' ? await keptAt(context, postedForm(context)) : path
  const cookie = setCookie(web.jar, web.jar.caseNext, Buffer.from(next ?? path).toString('base64url'), keptMinutes * 60)
  return seeOther(casePath, path.length > longestNext ? [] : [cookie])
}
