/** Seeing the application as a role, and acting as somebody: begun here, shown on every page, ended by its button. */

import { engineValue } from '../../headings/9-limits/engine.ts'
import { wordFor } from '../../headings/translate.ts'
import { composed, isStorable } from '../../kinds/fields/texts.ts'
import { mayActAs, mayActAtAll, previewable } from '../../run/people/acting.ts'
import { mostOffered, otherRequests, requestMeant, type Somebody } from '../../run/people/find.ts'
import type { Request } from '../../run/request.ts'
import { SelectControl, TextControl } from '../../ui/controls.tsx'
import { Field } from '../../ui/form.tsx'
import { PageHead, Sheet } from '../../ui/page.tsx'
import { mayAct, mustHaveFactor } from '../access.ts'
import { problem as apiProblem } from '../api/problem.ts'
import { reasonLetters } from '../bounds.ts'
import { csrfInput, flashCookie, notFound, pageOf, problemPage } from '../pages.tsx'
import { actPath } from '../paths.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther, withCookies } from '../response.ts'
import { say } from '../sentences.ts'
import { accountById } from '../sign-in/accounts.ts'
import { type Acted, actedOf, beginActing, endActing } from '../sign-in/acting.ts'
import { confirmPresence, type Refusal } from '../sign-in/confirm.ts'
import { setCookie } from '../sign-in/cookies.ts'
import { newToken } from '../sign-in/session.ts'
import { CurrentPassword } from './current-password.tsx'
import { postedForm } from './sign-in.tsx'
import { SomebodyField } from './somebody.tsx'

/** Those of these people as whom whoever asks may act. */
const open = ({ runtime, request }: RequestContext, people: readonly Request[]): readonly Request[] =>
  people.filter(({ actor }) => mayActAs(runtime.app, request.actor.roles, actor.roles))

/** People as whom whoever asks may act, by name. Of more than are offered, all: the one who is named is looked at. */
async function candidates(context: RequestContext): Promise<readonly Somebody[]> {
  const { app, store } = context.runtime
  if (!mayActAtAll(app, context.request.actor.roles)) return []
  const people = await otherRequests(store, app, context.request)
  const offered = people.length > mostOffered ? people : open(context, people)
  return offered.map(({ actor }) => ({ id: actor.id!, name: actor.name! }))
}

export async function actPage(context: RequestContext, refusal: Refusal | null = null): Promise<HttpResponse> {
  const { site, request, runtime } = context
  const account = request.actor.id === null ? null : await accountById(runtime.store, request.actor.id)
  if (account === null || !mayAct(site.app, request)) return notFound(context)
  const roles = previewable(site.app, request.actor.roles)
  const people = await candidates(context)
  const acted = await actedOf(runtime, request, 'by')
  const typed = postedForm(context)
  const errorAt = (control: string) => (refusal?.control === control ? refusal.text : null)
  return pageOf(context, {
    title: [say(site, 'act')],
    faults: refusal === null ? [] : [refusal],
    content: (
      <>
        <PageHead title={say(site, 'act')} />
        <div className="stack">
          {roles.length > 0 && (
            <Sheet title={say(site, 'actPreview')}>
              <p>{say(site, 'actPreviewText')}</p>
              <form method="post" action={actPath} className="stack">
                <input type="hidden" name="_csrf" value={csrfInput(context).value} />
                <Field id="role" label={say(site, 'role')} width="medium">
                  {aid => (
                    <SelectControl
                      aid={aid}
                      name="role"
                      value=""
                      options={roles.map(role => ({ value: role, label: role }))}
                    />
                  )}
                </Field>
                <div>
                  <button type="submit" className="btn" name="do" value="preview">
                    {say(site, 'actPreviewBegin')}
                  </button>
                </div>
              </form>
            </Sheet>
          )}
          {mayActAtAll(site.app, request.actor.roles) && (
            <Sheet title={say(site, 'actAs')}>
              <p>{say(site, 'actAsText', { minutes: engineValue(request.limits, 'acting_as') })}</p>
              <form method="post" action={actPath} className="stack" noValidate>
                <input type="hidden" name="_csrf" value={csrfInput(context).value} />
                <SomebodyField
                  site={site}
                  name="person"
                  label={say(site, 'name')}
                  value={typed.get('person') ?? ''}
                  error={errorAt('person')}
                  people={people}
                />
                <Field
                  id="reason"
                  label={say(site, 'actReason')}
                  hint={say(site, 'actReasonHint')}
                  error={errorAt('reason')}
                >
                  {aid => (
                    <TextControl aid={aid} name="reason" value={typed.get('reason') ?? ''} maxLength={reasonLetters} />
                  )}
                </Field>
                <CurrentPassword context={context} account={account} refusal={refusal} />
                <div>
                  <button type="submit" className="btn" name="do" value="act">
                    {say(site, 'actAsBegin')}
                  </button>
                </div>
              </form>
              <ActedList context={context} acted={acted} />
            </Sheet>
          )}
        </div>
      </>
    ),
  })
}

/** Who acted as whom, when and why. */
export function ActedList({ context, acted }: { readonly context: RequestContext; readonly acted: readonly Acted[] }) {
  const { site } = context
  if (acted.length === 0) return null
  return (
    <ul>
      {acted.map(({ id, by, person, reason, at, ended, until }) => (
        <li key={id}>
          {say(site, 'actedAs', { by: by ?? say(site, 'somebody'), who: person ?? say(site, 'somebody') })}
          {', '}
          {say(site, 'actedFrom', {
            from: site.reader.format.moment(at),
            to: site.reader.format.moment(ended ?? until),
          })}
          {`: ${reason}`}
        </li>
      ))}
    </ul>
  )
}

export async function act(context: RequestContext): Promise<HttpResponse> {
  const { site, web, runtime, request, session, strong } = context
  const { app } = site
  const account = request.actor.id === null ? null : await accountById(runtime.store, request.actor.id)
  if (account === null || session === null || !mayAct(site.app, request)) return notFound(context)
  const form = postedForm(context)
  const role = form.get('role') ?? ''
  const refuse = (control: string | null, text: string): Promise<HttpResponse> =>
    actPage(context, { control, text, status: 422 })
  const begin = async (who: { person: string | null; role: string | null; reason: string }): Promise<HttpResponse> => {
    const token = newToken(web.options.random)
    const until = new Date(request.now.getTime() + engineValue(request.limits, 'acting_as') * 60_000)
    const acting = { id: request.newId(), by: account.person, now: request.now, until, ...who }
    if (!(await beginActing(runtime.store, session, token, acting))) return notFound(context)
    web.options.log({
      level: 'warn',
      event: 'acting',
      request: request.id,
      detail: { did: 'began', by: account.person, person: who.person, role: who.role, id: acting.id },
    })
    return seeOther('/', [setCookie(web.jar, web.jar.session, token)])
  }
  const lacksFactor = (actor: typeof request.actor) => mustHaveFactor(app, actor) && !strong
  if (form.get('do') === 'preview') {
    if (!previewable(app, request.actor.roles).includes(role)) return notFound(context)
    if (lacksFactor({ ...request.actor, roles: [role] })) return refuse(null, say(site, 'factorNeeded'))
    return begin({ person: null, role, reason: '' })
  }
  if (form.get('do') !== 'act') return notFound(context)
  const named = await requestMeant(runtime.store, app, request, form.get('person') ?? '')
  const isOpen = mayActAtAll(app, request.actor.roles) && named !== null && named.actor.id !== request.actor.id
  const [them] = isOpen ? open(context, [named]) : []
  const reason = composed(form.get('reason') ?? '').trim()
  if (them === undefined) return refuse('person', say(site, 'actNobody'))
  if (reason === '' || [...reason].length > reasonLetters || !isStorable(reason))
    return refuse('reason', say(site, 'actReasonMissing'))
  if (lacksFactor(them.actor)) return refuse(null, say(site, 'factorNeeded'))
  const denied = await confirmPresence(context, account, form.get('current') ?? '')
  return denied === null ? begin({ person: them.actor.id, role: null, reason }) : actPage(context, denied)
}

export async function stopActing(context: RequestContext): Promise<HttpResponse> {
  const { web, runtime, request, session } = context
  if (session === null || (request.by === undefined && request.preview === undefined)) return notFound(context)
  const token = newToken(web.options.random)
  await endActing(runtime.store, session, token, request.now)
  const detail = { did: 'ended', by: request.by?.id ?? request.actor.id }
  web.options.log({ level: 'warn', event: 'acting', request: request.id, detail })
  return seeOther(actPath, [setCookie(web.jar, web.jar.session, token)])
}

const actOver = { time: 'actOver.time', right: 'actOver.right', person: 'actOver.person' } as const

/**
 * Whoever acted as somebody, or looked through a role, and does so no more, is told before anything is shown or done in their own name.
 * What was sent from a page of before would mean something else now, so nothing is done with it.
 */
export async function oneselfAgain(
  context: RequestContext,
  { token, ends, person, role }: NonNullable<RequestContext['oneself']>,
): Promise<HttpResponse> {
  const { web, site, method, path, query } = context
  const who = person ?? (role === null ? say(site, 'somebody') : wordFor(site.app, role))
  const text = say(site, actOver[ends], { who })
  const cookies = [setCookie(web.jar, web.jar.session, token)]
  web.options.log({
    level: 'warn',
    event: 'acting',
    request: context.request.id,
    detail: { did: 'ended', by: context.request.actor.id, because: ends },
  })
  if (path.startsWith('/api/')) return withCookies(apiProblem(context, 403, { detail: text }), cookies)
  if (method === 'GET' || method === 'HEAD')
    return seeOther(path + (query.size === 0 ? '' : `?${query}`), [...cookies, flashCookie(web, text, 'bad')])
  return withCookies(
    await problemPage(context, { status: 403, why: `${text} ${say(site, 'actOverNothing')}` }),
    cookies,
  )
}
