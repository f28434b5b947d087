/**
 * Forms for everyone that are confirmed by mail: what was sent is judged, kept, and becomes a record when the link is followed. The
 * mail says nothing that whoever sent the form wrote: nobody sends texts of their own to others through it.
 */

import type { Screen } from '../../headings/2-screens/model.ts'
import { isPublicForm, type Only } from '../../headings/2-screens/public-forms.ts'
import { engineValue } from '../../headings/9-limits/engine.ts'
import { specified } from '../../headings/specified.ts'
import { formPart } from '../../kinds/screens/form/screen.ts'
import type { Input, Outcome } from '../../run/outcome.ts'
import { visitorTo } from '../../run/people/people.ts'
import { raise } from '../../run/problems/raise.ts'
import { accompanied, type Companion } from '../../run/write/accompanied.ts'
import { trying } from '../../run/write/trying.ts'
import { confirmedOnce, keepUnconfirmed, readUnconfirmed, type Unconfirmed } from '../../run/write/unconfirmed.ts'
import { create } from '../../run/write/writes.ts'
import { siteIn } from '../language.ts'
import { problemPage } from '../pages.tsx'
import { confirmPath } from '../paths.ts'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import type { EntityRoutes } from '../routes.ts'
import { say } from '../sentences.ts'
import { type OwnMail, putOwnMail } from '../sign-in/accounts.ts'
import { hashOf, isToken, newToken } from '../sign-in/session.ts'
import { confirming } from '../warnings.ts'
import { idempotentForm } from '../write.ts'
import { type FormPage, provenName } from './form-page.tsx'

/** The form at an address, if it is one for everyone. */
export function formAt(
  { site }: RequestContext,
  path: string,
): { readonly place: EntityRoutes; readonly screen: Screen } | null {
  const match = site.routes.match(path)
  if (match?.kind !== 'screen' || !isPublicForm(match.screen)) return null
  const place = site.routes.places.get(specified(match.screen.shows)?.entity ?? '')
  return place === undefined ? null : { place, screen: match.screen }
}

/** The address that has to confirm what stands in the form; null: it asks for none, or none was given. */
export function mailboxOf(screen: Screen | null, { values, invalidValues }: Input): string | null {
  const field = (screen && formPart(screen))?.confirmTo?.field
  const address = field === undefined || invalidValues.some(invalid => invalid.field === field) ? null : values[field]
  return typeof address === 'string' && address !== '' ? address : null
}

export async function waiting({ runtime, request }: RequestContext, token: string | null): Promise<Unconfirmed | null> {
  return isToken(token ?? undefined) ? readUnconfirmed(runtime.store, hashOf(token!), request.now) : null
}

/** What the token in a form proves, for the form at this address; null: nothing. */
export async function provenBy(context: RequestContext, form: URLSearchParams): Promise<Unconfirmed | null> {
  const found = await waiting(context, form.get(provenName))
  return found?.path === context.path ? found : null
}

export const proves = ({ mailbox }: Unconfirmed, address: string): boolean => mailbox.equals(hashOf(address))

/**
 * As whoever filled it in: in their language, with the files that they sent. Whoever follows the link may be signed in: what somebody else
 * has written is not made in their name.
 */
export function asSender(
  context: RequestContext,
  { language, sender }: Pick<Unconfirmed, 'language' | 'sender'>,
): RequestContext {
  const site = siteIn(context.web, language, context.site)
  const { request } = context
  return {
    ...context,
    site,
    runtime: site.runtime,
    request: {
      ...request,
      actor: request.actor.id === sender ? request.actor : visitorTo(site.app),
      locale: site.reader.locale,
      senders: [...(request.senders ?? []), sender],
    },
  }
}

/** The write takes with it what waited for the link. */
export const linkUsed = ({ request, site }: RequestContext, { tokenHash }: Unconfirmed): Companion =>
  confirmedOnce(tokenHash, request.now, { kind: 'not found', problem: raise(site.app, 'NF-NOT-FOUND', {}) })

/** Hours in which a link confirms. */
export const confirmHours = ({ request }: RequestContext): number => engineValue(request.limits, 'confirm_hours')

/** Judged as in earnest, then kept, with a mail on its way. A form that is sent twice is kept once. */
export async function keepForm(
  context: RequestContext,
  { place, only }: FormPage,
  form: URLSearchParams,
  input: Input,
  address: string,
): Promise<Outcome | 'full' | 'too large'> {
  const { web, runtime, site, request } = context
  const judged = await create(trying(runtime), confirming(request, form), place.entity.key, input)
  if (judged.kind !== 'done') return judged
  const screen = formAt(context, context.path)!.screen
  const words = { form: screen.name.text, app: site.app.name, hours: confirmHours(context) }
  return keepOnce(context, form, place.entity.key, address, only, link => ({
    person: null,
    name: 'confirm_form',
    subject: say(site, 'confirmMailSubject', words),
    text: say(site, 'confirmMailBody', { ...words, link: `${web.origin}${confirmPath}?${link}` }),
  }))
}

interface Mail extends OwnMail {
  /** Whose address it is; null: somebody typed it. */
  readonly person: string | null
}

/** What was judged waits at its address, with a mail on its way. `mail` is given what its link ends with. A form that is sent twice is kept once. */
export async function keepOnce(
  context: RequestContext,
  form: URLSearchParams,
  entity: string,
  address: string,
  only: Only | null,
  mail: (query: URLSearchParams) => Mail,
): Promise<Outcome | 'full' | 'too large'> {
  const { web, runtime, site, request } = context
  const token = newToken(web.options.random)
  const kept: Unconfirmed = {
    tokenHash: hashOf(token),
    mailbox: hashOf(address),
    path: context.path,
    form: new URLSearchParams(
      [...form].filter(([name]) => name === '_confirm' || only?.has(name.split('.')[0]!) === true),
    ),
    sender: request.actor.id ?? request.senders![0]!,
    language: site.app.language,
  }
  const { person, ...words } = mail(new URLSearchParams({ token }))
  const to = { person, name: '', email: address }
  const { store } = accompanied(runtime, idempotentForm(context, form, entity))
  const outcome = await keepUnconfirmed(store, kept, request, tx =>
    putOwnMail(tx, request, site.app.version, to, words),
  )
  web.options.wake?.()
  return outcome
}

export const linkGone = (context: RequestContext): Promise<HttpResponse> =>
  problemPage(context, {
    status: 404,
    what: say(context.site, 'linkGone'),
    why: say(context.site, 'confirmGoneWhy', { hours: confirmHours(context) }),
  })
