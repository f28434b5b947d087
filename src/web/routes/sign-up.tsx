/**
 * Signing up: whoever comes says who they are, and the link in the mail makes them a person, with a password that only whoever follows it
 * has chosen. Whoever asks learns nothing about who has an account: what is answered and what is written is the same.
 */

import { askedToSignUp } from '../../headings/1-product/sign-up.ts'
import type { Only } from '../../headings/2-screens/public-forms.ts'
import { decodeForm } from '../../kinds/fields/input.ts'
import { FormScreen } from '../../kinds/screens/form/view.tsx'
import type { Input, Outcome, Problem } from '../../run/outcome.ts'
import { passwordLength } from '../../run/people/password.ts'
import { admits, comingIn, signUp } from '../../run/people/sign-up.ts'
import { raise } from '../../run/problems/raise.ts'
import { noClosedRows } from '../../run/read/form.ts'
import { accompanied } from '../../run/write/accompanied.ts'
import { trying } from '../../run/write/trying.ts'
import type { Unconfirmed } from '../../run/write/unconfirmed.ts'
import { create } from '../../run/write/writes.ts'
import { LinkButton, PostButton } from '../../ui/buttons.tsx'
import { PageHead } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/problem.tsx'
import { KeyReused } from '../idempotency.ts'
import { csrfInput, notFound, pageOf, problemPage, viewPage } from '../pages.tsx'
import { signUpPath } from '../paths.ts'
import { formsPerAddress } from '../rate-limit/allowances.ts'
import { attempt } from '../rate-limit/backoff.ts'
import { isSignedIn, type RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { markOf, onceInput } from '../screens/common.ts'
import { formView } from '../screens/form.ts'
import { typedOf } from '../screens/typed.ts'
import { say } from '../sentences.ts'
import { accountOf } from '../sign-in/accounts.ts'
import { safeNext } from '../sign-in/next.ts'
import { passwordFault } from '../sign-in/password-rules.ts'
import { openSignUp, waysOf } from '../sign-in/ways.ts'
import { inputOf, listed, statusOf } from '../write.ts'
import { enter } from './enter.tsx'
import { NewPassword } from './password.tsx'
import { postedForm } from './sign-in.tsx'
import { caught, isSprung, trapFor } from './trap.ts'
import { asSender, confirmHours, keepOnce, linkUsed, waiting } from './unconfirmed.ts'

const personOf = ({ site }: RequestContext) => site.app.entities.get('person')!

const askedOf = (context: RequestContext): Only =>
  new Map(askedToSignUp(personOf(context)).map(({ key }) => [key, null]))

const sentName = 'sent'

export async function signUpPage(context: RequestContext): Promise<HttpResponse> {
  const { query } = context
  if (openSignUp(context) === null) return notFound(context)
  if (isSignedIn(context)) return seeOther('/')
  return query.has(sentName) ? sentPage(context) : formPage(context)
}

function sentPage(context: RequestContext): Promise<HttpResponse> {
  const { site } = context
  const title = say(site, 'confirmSent')
  return pageOf(context, {
    title: [title],
    content: (
      <>
        <PageHead title={site.reader.words('signUp')} />
        <div className="sheet">
          <EmptyState
            title={title}
            text={say(site, 'signUpSentText', { hours: confirmHours(context) })}
            actions={<LinkButton href="/-/sign-in">{site.reader.words('signIn')}</LinkButton>}
          />
        </div>
      </>
    ),
  })
}

interface Filled {
  readonly sent: URLSearchParams
  readonly problems?: readonly Problem[]
  readonly note?: string
  readonly status?: number
}

function formPage(context: RequestContext, filled: Filled | null = null): Promise<HttpResponse> {
  const { site, query } = context
  const { cell } = openSignUp(context)!
  const problems = filled?.problems ?? []
  const next = safeNext(filled?.sent.get('next') ?? query.get('next'))
  const view = formView(
    { context, site, tokens: [csrfInput(context), onceInput(context), { name: 'next', value: next }] },
    {
      entity: 'person',
      form: {
        id: null,
        version: null,
        values: {},
        labels: {},
        fields: [...askedOf(context).keys()].map(key => ({ key, settable: true, children: null })),
        closedRows: noClosedRows,
        locks: [],
        verdict: { open: true, because: cell, reason: 'allowed', missing: null },
      },
      typed: filled === null ? null : typedOf(filled.sent, personOf(context), site),
      problems,
      choices: new Map(),
      searches: new Map(),
      chosen: new Map(),
      title: site.reader.words('signUp'),
      mark: markOf(site, cell),
      action: signUpPath,
      cancel: '/-/sign-in',
      note: filled?.note ?? null,
      forEveryone: { trap: filled !== null && isSprung(filled.sent) ? null : trapFor(site) },
    },
  )
  const content = <FormScreen view={{ ...view, submit: say(site, 'signUpGo') }} />
  return viewPage(context, view, content, [], { status: filled?.status ?? 200, error: problems.length > 0 })
}

/** Judged as in earnest, but for the address: then it waits, whoever has it, and the mailbox is told what is so. */
export async function askToSignUp(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, network } = context
  if (openSignUp(context) === null) return notFound(context)
  if (isSignedIn(context)) return seeOther('/')
  const sent = postedForm(context)
  const held = await caught(context, sent, null)
  if (held !== null) return formPage(context, held)
  const wait = await attempt(runtime.store, formsPerAddress(request), network, request.now)
  if (wait > 0) {
    const response = await formPage(context, {
      sent,
      note: say(site, 'formWait', { wait: site.reader.format.wait(wait) }),
      status: 429,
    })
    return { ...response, headers: { ...response.headers, 'retry-after': String(wait) } }
  }
  const input = inputFrom(context, sent)
  const problems = await problemsOf(context, input)
  const email = input.values.email
  if (problems.length > 0 || typeof email !== 'string')
    return formPage(context, { sent, problems, status: statusOf(problems) })
  try {
    const kept = await keepAsked(context, sent, email)
    if (kept === 'full') return formPage(context, { sent, note: say(site, 'confirmFull'), status: 503 })
    if (kept === 'too large') return formPage(context, { sent, note: say(site, 'confirmTooLong'), status: 413 })
    return toSent
  } catch (error) {
    if (!(error instanceof KeyReused)) throw error
    return formPage(context, { sent, note: say(site, 'keyReused'), status: 409 })
  }
}

const toSent = seeOther(`${signUpPath}?${sentName}=1`)

function inputFrom(context: RequestContext, sent: URLSearchParams): Input {
  const { site, request } = context
  const only = askedOf(context)
  const shown = new Set(only.keys())
  const decoded = decodeForm(personOf(context), site.app, sent, site.reader.locale, { shown, zone: request.zone })
  return inputOf(context, listed(decoded, only))
}

/** What is wrong, as far as everybody may know: that an address is taken is for its mailbox alone. */
async function problemsOf(context: RequestContext, input: Input): Promise<readonly Problem[]> {
  const { site, runtime, request } = context
  const outcome = await create(trying(runtime), comingIn(request), 'person', input)
  const found = outcome.kind === 'refused' ? outcome.problems.filter(problem => !isTaken(problem)) : []
  const { email } = input.values
  if (typeof email !== 'string' || admits(site.app, email)) return found
  const { cell, domains } = openSignUp(context)!
  const detail = { domains: site.reader.format.anyOf(domains ?? []) }
  return [raise(site.app, 'NF-SIGN-UP-ADDRESS', detail, { field: 'email', because: cell }), ...found]
}

const isTaken = ({ code, field }: Problem): boolean =>
  (code === 'NF-UNIQUE' || code === 'NF-UNIQUE-ARCHIVED') && field === 'email'

/** It waits in either case, so that what is done, and how many may be asked for at one address, is the same. */
async function keepAsked(context: RequestContext, sent: URLSearchParams, email: string) {
  const { site, runtime, web } = context
  const account = await accountOf(runtime.store, email)
  const app = site.app.name
  const next = safeNext(sent.get('next'))
  return keepOnce(context, sent, 'person', email, askedOf(context), query => {
    if (next !== '/') query.set('next', next)
    return account === null
      ? {
          person: null,
          name: 'sign_up',
          subject: say(site, 'signUpMailSubject', { app }),
          text: say(site, 'signUpMailBody', {
            app,
            hours: confirmHours(context),
            link: `${web.origin}${signUpPath}/confirm?${query}`,
          }),
        }
      : {
          person: account.person,
          name: 'sign_up_known',
          subject: say(site, 'signUpKnownSubject', { app }),
          text: say(site, 'signUpKnownBody', { app, link: `${web.origin}/-/sign-in` }),
        }
  })
}

/** What waits behind the link, as whoever asked for it; null: it was used, it is too old, or the document lets them come no more. */
async function askedFor(arrived: RequestContext, token: string | null) {
  const found = await waiting(arrived, token)
  if (found === null || found.path !== signUpPath || openSignUp(arrived) === null) return null
  const context = asSender(arrived, found)
  const input = inputFrom(context, found.form)
  const { name, email } = input.values
  if (typeof email !== 'string' || !admits(context.site.app, email)) return null
  return { context, found, input, email, name: typeof name === 'string' ? name : '' }
}

/** The link only asks: programs that look at mails follow links, and must not use them up. */
export async function signUpLinkPage(arrived: RequestContext): Promise<HttpResponse> {
  const { query } = arrived
  return confirmPage(arrived, query.get('token'), safeNext(query.get('next')), null)
}

async function confirmPage(
  arrived: RequestContext,
  token: string | null,
  next: string,
  refused: string | null,
): Promise<HttpResponse> {
  const asked = await askedFor(arrived, token)
  if (asked === null || token === null) return linkGone(arrived)
  const { context, name, email } = asked
  const { site } = context
  const ways = await waysOf(context)
  const hidden = [csrfInput(context), { name: 'token', value: token }, { name: 'next', value: next }]
  const action = `${signUpPath}/confirm`
  return pageOf(context, {
    title: [site.reader.words('signUp')],
    faults: refused === null ? [] : [{ control: 'password', text: refused }],
    status: refused === null ? 200 : 422,
    content: (
      <section className="sheet">
        <div className="body stack">
          <h1>{say(site, 'welcome', { app: site.app.name })}</h1>
          <p>{`${name} (${email})`}</p>
          {ways.password && (
            <NewPassword context={context} action={action} hidden={hidden} email={email} error={refused} />
          )}
          {ways.link && (
            <div>
              <PostButton
                action={action}
                hidden={[...hidden, { name: 'without', value: 'password' }]}
                tone={ways.password ? 'plain' : 'primary'}
              >
                {say(site, ways.password ? 'withoutPassword' : 'signUpFinish')}
              </PostButton>
            </div>
          )}
        </div>
      </section>
    ),
  })
}

/** The person, their roles and their password, and the end of the link: all of it at once, and then they are in. */
export async function finishSignUp(arrived: RequestContext): Promise<HttpResponse> {
  const form = postedForm(arrived)
  const token = form.get('token')
  const next = safeNext(form.get('next'))
  const asked = await askedFor(arrived, token)
  if (asked === null) return linkGone(arrived)
  const { context, found, input, email, name } = asked
  const { site, runtime, request, web } = context
  const ways = await waysOf(context)
  const password = form.get('password') ?? ''
  const isWithout = !ways.password || (ways.link && form.get('without') === 'password')
  const fault = isWithout ? null : await passwordFault(password, [email, name, site.app.name])
  if (fault !== null)
    return confirmPage(arrived, token, next, say(site, `passwordFault.${fault}`, { min: passwordLength.min }))
  const hash = isWithout ? null : await web.passwords.hash(password)
  const outcome = await signUp(accompanied(runtime, linkUsed(context, found)), request, input, hash)
  return outcome.kind === 'done' ? enter(context, outcome.id, next, 'sign-up') : notMade(context, found, outcome)
}

/** Somebody else was quicker with the address, or the document asks for something else by now. */
function notMade(
  context: RequestContext,
  { form }: Unconfirmed,
  outcome: Exclude<Outcome, { kind: 'done' }>,
): Promise<HttpResponse> {
  if (outcome.kind !== 'refused' || outcome.problems.some(isTaken)) return linkGone(context)
  const { problems } = outcome
  return formPage(context, {
    sent: form,
    problems,
    note: say(context.site, 'signUpRefused'),
    status: statusOf(problems),
  })
}

function linkGone(context: RequestContext): Promise<HttpResponse> {
  const { site } = context
  return problemPage(context, {
    status: 404,
    what: say(site, 'linkGone'),
    why: say(site, 'signUpGoneWhy', { hours: confirmHours(context) }),
    actions: (
      <>
        <LinkButton href="/-/sign-in">{site.reader.words('signIn')}</LinkButton>
        {openSignUp(context) !== null && <LinkButton href={signUpPath}>{say(site, 'linkAgain')}</LinkButton>}
      </>
    ),
  })
}
