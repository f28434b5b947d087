/** How somebody else signs in, for whoever may appoint people: their sessions ended, a second factor that they lost taken away. */
import { sql } from '../../expression/sql.ts'
import type { Problem } from '../../run/outcome.ts'
import { changeCredential } from '../../run/people/credentials.ts'
import { addressToAppoint } from '../../run/people/find.ts'
import { appointable } from '../../run/people/people.ts'
import { bindingsOf } from '../../run/statements.ts'
import { isId } from '../../run/values.ts'
import { PostButton } from '../../ui/buttons.tsx'
import { PageHead, Sheet } from '../../ui/page.tsx'
import { rolesToAppoint } from '../access.ts'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { say } from '../sentences.ts'
import { accountById } from '../sign-in/accounts.ts'
import { resetFactors } from '../sign-in/second-factor.ts'
import { usedSince } from '../sign-in/session.ts'
import { PresenceSheet } from './presence.tsx'
import { postedForm } from './sign-in.tsx'

const address = '/-/people/sign-in'

export const peopleSignInHref = (person: string): string => `${address}?${new URLSearchParams({ person })}`

interface Somebody {
  readonly id: string
  readonly name: string
  /** Null: there is none, or it may not be seen. */
  readonly email: string | null
  readonly sessions: string
  readonly factor: boolean
}

/** Null: whoever asks appoints nobody, or not this person. How they sign in themselves is on the page of their account. */
async function somebody({ site, runtime, request }: RequestContext, id: string): Promise<Somebody | null> {
  const { app } = site
  if (rolesToAppoint(app, request.actor).length === 0 || !isId(id) || id === request.actor.id) return null
  const [found] = await runtime.store.query<Somebody>(
    sql`select person.id, person.name, ${addressToAppoint(app, request, 'person')} as email,
        (select count(*) from ninefold.session as s where s.person = person.id and s.ends_at > ${request.now}::timestamptz
          and s.seen_at > ${usedSince(request.limits, request.now)}::timestamptz) as sessions,
        exists (select from ninefold.second_factor as f where f.person = person.id and f.confirmed_at is not null)
          or exists (select from ninefold.passkey as k where k.person = person.id) as factor
      from public.person where person.id = ${id}::uuid and ${appointable(app, request, 'person')}`,
    bindingsOf(request),
  )
  return found ?? null
}

export async function peopleSignInPage(context: RequestContext): Promise<HttpResponse> {
  const them = await somebody(context, context.query.get('person') ?? '')
  return them === null ? notFound(context) : page(context, them, null)
}

async function page(context: RequestContext, them: Somebody, denied: Problem | null): Promise<HttpResponse> {
  const { site, runtime, request } = context
  const account = await accountById(runtime.store, request.actor.id!)
  const hidden = [csrfInput(context), { name: 'person', value: them.id }]
  const text = denied === null ? null : [denied.message, denied.whatToDo].filter(part => part !== null).join(' ')
  const title = say(site, 'signInOf', { person: them.name })
  return pageOf(context, {
    title: [title],
    status: denied?.status ?? 200,
    faults: text === null ? [] : [{ control: null, text }],
    content: (
      <>
        <PageHead title={title} facts={them.email === null ? null : <span>{them.email}</span>} />
        <div className="stack settings">
          {account !== null && <PresenceSheet context={context} account={account} next={peopleSignInHref(them.id)} />}
          <Sheet title={say(site, 'signInOfSessionsTitle')}>
            <div className="stack">
              <p>{say(site, 'signInOfSessions', { count: Number(them.sessions) })}</p>
              <div>
                <PostButton action={address} hidden={hidden} name="do" value="sessions">
                  {say(site, 'signOutEverywhere')}
                </PostButton>
              </div>
            </div>
          </Sheet>
          <Sheet title={say(site, 'secondFactor')}>
            <div className="stack">
              <p>{them.factor ? say(site, 'signInOfFactor', { person: them.name }) : say(site, 'signInOfNoFactor')}</p>
              {them.factor && (
                <div>
                  <PostButton action={address} hidden={hidden} name="do" value="factor" tone="bad">
                    {say(site, 'resetFactor')}
                  </PostButton>
                </div>
              )}
            </div>
          </Sheet>
        </div>
      </>
    ),
  })
}

export async function changeSignInOf(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, web } = context
  const form = postedForm(context)
  const does = form.get('do')
  const them = await somebody(context, form.get('person') ?? '')
  if (them === null || (does !== 'sessions' && does !== 'factor')) return notFound(context)
  const { id: person, name } = them
  const what = does === 'factor' ? 'factor off' : 'sessions'
  const outcome = await runtime.store.inTransaction(tx =>
    changeCredential(tx, site.app, request, { person, what }, async () =>
      // That sessions end is what follows from either.
      does === 'factor' ? resetFactors(tx, person) : true,
    ),
  )
  if ('denied' in outcome) return page(context, them, outcome.denied)
  web.options.wake?.()
  const detail = { person, by: request.actor.id, did: what }
  web.options.log({ level: 'warn', event: 'people', request: request.id, detail })
  const said = does === 'factor' ? 'factorReset' : 'signedOutEverywhere'
  return seeOther(peopleSignInHref(person), [flashCookie(web, say(site, said, { person: name }))])
}
