/**
 * Forms for everyone that are confirmed by mail: what was sent is judged, kept, and becomes a record when the link is followed. The
 * mail says nothing that whoever sent the form wrote: nobody sends texts of their own to others through it.
 */
import type { Screen } from '../../headings/2-screens/model.ts'
import { isPublicForm, type Only } from '../../headings/2-screens/public-forms.ts'
import { engineValue } from '../../headings/9-limits/engine.ts'
import { specified } from '../../headings/specified.ts'
import type { Input, Outcome } from '../../run/outcome.ts'
import { visitorTo } from '../../run/people/people.ts'
import { raise } from '../../run/problems/raise.ts'
import type { Runtime } from '../../run/request.ts'
import { trying } from '../../run/write/trying.ts'
import { confirmingOnce, keepUnconfirmed, readUnconfirmed, type Unconfirmed } from '../../run/write/unconfirmed.ts'
import { create } from '../../run/write/writes.ts'
import type { Answer } from '../answer.ts'
import type { Exchange } from '../exchange.ts'
import { siteIn } from '../language.ts'
import { problemPage } from '../pages.tsx'
import { confirmPath } from '../paths.ts'
import type { Place } from '../routes.ts'
import { say } from '../sentences.ts'
import { type OwnMail, putOwnMail } from '../sign-in/accounts.ts'
import { once } from '../sign-in/once.ts'
import { hashOf, isToken, newToken } from '../sign-in/session.ts'
import { confirming } from '../warnings.ts'
import { formKey } from '../write.ts'
import { type Paper, provenName } from './paper.tsx'

/** The form at an address, if it is one for everyone. */
export function formAt({ site }: Exchange, path: string): { readonly place: Place; readonly screen: Screen } | null {
  const match = site.routes.match(path)
  if (match?.kind !== 'screen' || !isPublicForm(match.screen)) return null
  const place = site.routes.places.get(specified(match.screen.shows)?.entity ?? '')
  return place === undefined ? null : { place, screen: match.screen }
}

/** The address that has to confirm what stands in the form; null: it asks for none, or none was given. */
export function mailboxOf(screen: Screen | null, { values, misfits }: Input): string | null {
  const field = screen?.confirmTo?.field
  const address = field === undefined || misfits.some(misfit => misfit.field === field) ? null : values[field]
  return typeof address === 'string' && address !== '' ? address : null
}

export async function waiting({ runtime, request }: Exchange, token: string | null): Promise<Unconfirmed | null> {
  return isToken(token ?? undefined) ? readUnconfirmed(runtime.store, hashOf(token!), request.now) : null
}

/** What the token in a form proves, for the form at this address; null: nothing. */
export async function provenBy(exchange: Exchange, form: URLSearchParams): Promise<Unconfirmed | null> {
  const found = await waiting(exchange, form.get(provenName))
  return found?.path === exchange.path ? found : null
}

export const proves = ({ mailbox }: Unconfirmed, address: string): boolean => mailbox.equals(hashOf(address))

/**
 * As whoever filled it in: in their language, with the files that they sent. Whoever follows the link may be signed in: what somebody else
 * has written is not made in their name.
 */
export function asSender(exchange: Exchange, { language, sender }: Unconfirmed): Exchange {
  const site = siteIn(exchange.web, language, exchange.site)
  const { request } = exchange
  return {
    ...exchange,
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

/** Writes take what waited with them. */
export const withProof = (runtime: Runtime, { request, site }: Exchange, { tokenHash }: Unconfirmed): Runtime =>
  confirmingOnce(runtime, tokenHash, request.now, {
    kind: 'not found',
    problem: raise(site.app, 'NF-NOT-FOUND', {}),
  } satisfies Outcome)

/** Hours in which a link confirms. */
export const confirmHours = ({ request }: Exchange): number => engineValue(request.limits, 'confirm_hours')

/** Judged as in earnest, then kept, with a mail on its way. A form that is sent twice is kept once. */
export async function keepForm(
  exchange: Exchange,
  { place, only }: Paper,
  form: URLSearchParams,
  input: Input,
  address: string,
): Promise<Outcome | 'full' | 'too large'> {
  const { web, runtime, site, request } = exchange
  const judged = await create(trying(runtime), confirming(request, form), place.entity.key, input)
  if (judged.kind !== 'done') return judged
  const screen = formAt(exchange, exchange.path)!.screen
  const words = { form: screen.name.text, app: site.app.name, hours: confirmHours(exchange) }
  return keepOnce(exchange, form, place.entity.key, address, only, link => ({
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
  exchange: Exchange,
  form: URLSearchParams,
  entity: string,
  address: string,
  only: Only | null,
  mail: (query: URLSearchParams) => Mail,
): Promise<Outcome | 'full' | 'too large'> {
  const { web, runtime, site, request } = exchange
  const token = newToken(web.options.random)
  const kept: Unconfirmed = {
    tokenHash: hashOf(token),
    mailbox: hashOf(address),
    path: exchange.path,
    form: new URLSearchParams(
      [...form].filter(([name]) => name === '_confirm' || only?.has(name.split('.')[0]!) === true),
    ),
    sender: request.actor.id ?? request.senders![0]!,
    language: site.app.language,
  }
  const { person, ...words } = mail(new URLSearchParams({ token }))
  const to = { person, name: '', email: address }
  let refused: 'full' | 'too large' | null = null
  const outcome = await once(runtime, formKey(exchange, form, entity), request.now, async whole => {
    const result = await keepUnconfirmed(whole.store, kept, request, tx =>
      putOwnMail(tx, request, site.app.version, to, words),
    )
    if (typeof result !== 'string') return result
    refused = result
    return { kind: 'not found', problem: raise(site.app, 'NF-NOT-FOUND', {}) }
  })
  web.options.wake?.()
  return refused ?? outcome
}

export const linkGone = (exchange: Exchange): Promise<Answer> =>
  problemPage(exchange, {
    status: 404,
    what: say(exchange.site, 'linkGone'),
    why: say(exchange.site, 'confirmGoneWhy', { hours: confirmHours(exchange) }),
  })
