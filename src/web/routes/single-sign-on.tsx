/** Signing in at another place: there and back. Who comes back is known there, or has an address here that the place vouches for. */
import { decodeForm } from '../../kinds/fields/input.ts'
import type { Problem } from '../../run/outcome.ts'
import { admits, signUp, signUpOf } from '../../run/people/sign-up.ts'
import { raise } from '../../run/problems/raise.ts'
import { notFound } from '../pages.tsx'
import { begunPerNetwork } from '../rate-limit/allowances.ts'
import { attempt, uncount } from '../rate-limit/backoff.ts'
import { isSignedIn, type RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { accountOf } from '../sign-in/accounts.ts'
import { changeOwn } from '../sign-in/change.ts'
import { keepsNone } from '../sign-in/cookies.ts'
import { beginSignOn, identityOf, keepIdentity, type SignOn, takeSignOn } from '../sign-in/identities.ts'
import { linkOf, takeLink } from '../sign-in/links.ts'
import { safeNext } from '../sign-in/next.ts'
import type { Provider, Somebody } from '../sign-in/provider.ts'
import { hashOf } from '../sign-in/session.ts'
import { providerName, waysOf } from '../sign-in/ways.ts'
import { cookiesNeeded } from '../signed-out.ts'
import { inputOf } from '../write.ts'
import { enter } from './enter.tsx'
import { signInForm, tooMany } from './sign-in.tsx'

const way = 'single sign-on'
const back = '/-/sign-in/single/back'

/** Goes there. Only from a page of ours: nobody is to be signed in by a stranger's link. */
export async function startSignOn(context: RequestContext): Promise<HttpResponse> {
  const { query, runtime, request, headers, web, visit, network } = context
  const provider = (await waysOf(context)).single
  if (provider === null) return notFound(context)
  const next = safeNext(query.get('next'))
  if (isSignedIn(context)) return seeOther(next)
  if (headers['sec-fetch-site'] === 'cross-site') return seeOther(`/-/sign-in?${new URLSearchParams({ next })}`)
  const wait = await attempt(runtime.store, begunPerNetwork, network, request.now)
  if (wait > 0) return tooMany(context, { next, email: '', faults: [] }, wait)
  const token = query.get('invitation')
  const invitation = await linkOf(runtime.store, token, ['invitation'], request.now)
  try {
    const { to, state, nonce, verifier } = await provider.begin(web.origin + back)
    const begun = { nonce, verifier, next, invitation: invitation === null ? null : hashOf(token!) }
    await beginSignOn(runtime.store, state, visit, begun, request.now)
    return seeOther(to)
  } catch (error) {
    return failed(context, next, error)
  }
}

/** Comes back. What is in the address counts once, and only in the browser that went. */
export async function finishSignOn(context: RequestContext): Promise<HttpResponse> {
  const { query, runtime, request, web, visit, network, cookies } = context
  const provider = (await waysOf(context)).single
  if (provider === null) return notFound(context)
  if (keepsNone(web.jar, cookies)) return cookiesNeeded(context, null)
  const state = query.get('state')
  const begun = await takeSignOn(runtime.store, state, visit, request.now)
  if (begun === null || state === null) return failed(context, '/', 'nobody began it here')
  let who: Somebody
  try {
    const { nonce, verifier } = begun
    who = await provider.finish(new URL(`${web.origin}${back}?${query}`), { state, nonce, verifier })
  } catch (error) {
    return failed(context, begun.next, error)
  }
  await uncount(runtime.store, { allowance: begunPerNetwork, who: network })
  const found = await personOf(context, provider, who, begun)
  return 'person' in found
    ? enter(context, found.person, begun.next, way, who.strong)
    : refused(context, begun.next, found)
}

/** By the subject, by an invitation, by an address that is vouched for; or somebody new, where the document lets people sign up. */
async function personOf(
  context: RequestContext,
  provider: Provider,
  who: Somebody,
  begun: SignOn,
): Promise<{ readonly person: string } | Problem> {
  const { runtime, request, site } = context
  const { store } = runtime
  const name = providerName(context, provider)
  const unknown = () => raise(site.app, 'NF-SIGN-ON-UNKNOWN', { email: who.email ?? who.name ?? who.subject })
  const known = await identityOf(store, provider.issuer, who.subject)
  if (known !== null) return known.disabled ? unknown() : known
  const connect = async (person: string) => {
    const { issuer } = provider
    const identity = { issuer, subject: who.subject, person, now: request.now }
    const account = { person, name: who.name ?? '' }
    const isKept = await changeOwn(context, account, { what: 'connected', name }, tx => keepIdentity(tx, identity))
    const isTheirs = isKept === true || (await identityOf(store, issuer, who.subject))?.person === person
    return isTheirs ? { person } : raise(site.app, 'NF-SIGN-ON-OTHER', { name })
  }
  const invited = begun.invitation && (await takeLink(store, begun.invitation, ['invitation'], request.now))
  if (invited !== null) return connect(invited.person)
  if (who.email === null || !who.verified) return raise(site.app, 'NF-SIGN-ON-UNVERIFIED', { name })
  const account = await accountOf(store, who.email)
  if (account !== null) return account.disabled ? unknown() : connect(account.person)
  const open = signUpOf(site.app)
  if (open === null) return unknown()
  if (!admits(site.app, who.email))
    return raise(site.app, 'NF-SIGN-ON-ADDRESS', {
      email: who.email,
      domains: site.reader.format.anyOf(open.domains ?? []),
    })
  const made = await newPerson(context, who.email, who.name ?? who.email)
  return 'person' in made ? connect(made.person) : made
}

/** A new person, whom the document lets sign up. */
async function newPerson(
  context: RequestContext,
  email: string,
  name: string,
): Promise<{ readonly person: string } | Problem> {
  const { site, runtime, request } = context
  const entity = site.app.entities.get('person')!
  const typed = Object.entries({ name: [...name].slice(0, 100).join(''), email })
  const input = inputOf(context, decodeForm(entity, site.app, typed, site.reader.locale, { zone: request.zone }))
  const outcome = await signUp(runtime, request, input, null)
  if (outcome.kind === 'done') return { person: outcome.id }
  return outcome.kind === 'refused' ? outcome.problems[0]! : outcome.problem
}

/** What went wrong is for whoever runs it; whoever signs in learns that it did. */
async function failed(context: RequestContext, next: string, error: unknown): Promise<HttpResponse> {
  const { web, request, address, site } = context
  const { single } = await waysOf(context)
  web.options.log({
    level: 'warn',
    event: 'sign-in',
    request: request.id,
    detail: { ok: false, address, way, why: whyOf(error) },
  })
  return refused(context, next, raise(site.app, 'NF-SIGN-ON', { name: providerName(context, single!) }))
}

/** The library's words and those of what caused them, without what was sent. */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, cause } = error as Error & { code?: unknown }
  const more = cause instanceof Error ? `: ${cause.message}` : ''
  return `${error.message}${typeof code === 'string' ? ` (${code})` : ''}${more}`.slice(0, 300)
}

const refused = (
  context: RequestContext,
  next: string,
  { message, whatToDo, status }: Problem,
): Promise<HttpResponse> =>
  signInForm(context, {
    next,
    email: '',
    faults: [{ control: null, text: [message, whatToDo].filter(text => text !== null).join(' ') }],
    status,
  })
