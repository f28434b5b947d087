/** Signing in with a password or by a link sent by e-mail, and out again. Whoever asks learns nothing about who has an account. */

import { wordFor } from '../../headings/translate.ts'
import { passwordLength } from '../../run/people/password.ts'
import { LinkButton, PostButton } from '../../ui/buttons.tsx'
import type { Fault } from '../../ui/form.tsx'
import { LinkSent, SignIn } from '../../ui/sign-in.tsx'
import { parseForm } from '../form-body.ts'
import { csrfInput, notFound, pageOf, problemPage } from '../pages.tsx'
import { signUpPath } from '../paths.ts'
import { linksPerNetwork } from '../rate-limit/allowances.ts'
import { attempt, uncount } from '../rate-limit/backoff.ts'
import { countingFailures } from '../rate-limit/failures.ts'
import { isSignedIn, type RequestContext } from '../request-context.ts'
import { clearing, type HttpResponse, plain, seeOther } from '../response.ts'
import { triesOf } from '../screens/tries.ts'
import { say } from '../sentences.ts'
import { type Account, accountById, accountOf, addressOf } from '../sign-in/accounts.ts'
import { endActing } from '../sign-in/acting.ts'
import { dropCookie } from '../sign-in/cookies.ts'
import { knownDevice } from '../sign-in/devices.ts'
import { linkOf, mailLink, takeLink } from '../sign-in/links.ts'
import { safeNext } from '../sign-in/next.ts'
import { closeSession } from '../sign-in/session.ts'
import { openSignUp, providerName, waysOf } from '../sign-in/ways.ts'
import { enter } from './enter.tsx'

/** The form that was posted; its shape was checked before. */
export function postedForm(context: RequestContext): URLSearchParams {
  const form = parseForm(context.headers['content-type'], context.body)
  return 'value' in form ? form.value : new URLSearchParams()
}

export function signInPage(context: RequestContext): Promise<HttpResponse> | HttpResponse {
  const { query } = context
  const next = safeNext(query.get('next'))
  if (isSignedIn(context)) return seeOther(next)
  return signInForm(context, { next, email: '', faults: [], again: query.has('again'), out: query.has('out') })
}

interface SignInState {
  readonly next: string
  readonly email: string
  readonly faults: readonly Fault[]
  readonly again?: boolean
  /** They have just signed out, and are still signed in where they had signed on. */
  readonly out?: boolean
  readonly status?: number
}

const firstSentence = (text: string | undefined): string | null =>
  text === undefined ? null : (/^.{1,240}?[.!?](?=\s|$)/s.exec(text)?.[0] ?? null)

export async function signInForm(context: RequestContext, state: SignInState): Promise<HttpResponse> {
  const { site, web } = context
  const ways = await waysOf(context)
  const demo = web.options.mode === 'dev' ? web.served().people : []
  const tries = demo.length === 0 || state.again === true || state.faults.length > 0 ? [] : await triesOf(context)
  const { single } = ways
  const there =
    single === null || state.out !== true ? null : await single.end(`${web.origin}/-/sign-in`).catch(() => null)
  return pageOf(context, {
    title: [site.reader.words('signIn')],
    error: state.faults.length > 0,
    status: state.status ?? 200,
    scripts: ways.passkey ? ['passkey.js'] : [],
    content: (
      <SignIn
        app={site.app.name}
        text={site.app.product.brand.signInText?.text ?? null}
        action="/-/sign-in"
        hidden={[csrfInput(context), { name: 'next', value: state.next }]}
        email={state.email}
        faults={state.faults}
        password={ways.password}
        forgotten="/-/password"
        link={ways.link ? { action: '/-/sign-in/link' } : null}
        passkey={ways.passkey ? { action: '/-/sign-in/passkey', options: '/-/sign-in/passkey/options' } : null}
        single={
          single === null
            ? null
            : {
                href: `/-/sign-in/single?${new URLSearchParams({ next: state.next })}`,
                name: providerName(context, single),
                end: there,
              }
        }
        signUp={openSignUp(context) === null ? null : `${signUpPath}?${new URLSearchParams({ next: state.next })}`}
        again={state.again ?? false}
        demo={
          demo.length === 0
            ? null
            : {
                action: '/-/demo',
                about: firstSentence(site.app.product.prose[0]?.text),
                tries,
                people: demo.map(({ id, name, roles }) => ({
                  name,
                  roles: site.reader.format.allOf(roles.map(role => wordFor(site.app, role))),
                  value: id,
                })),
              }
        }
      />
    ),
  })
}

export async function signIn(context: RequestContext): Promise<HttpResponse> {
  const { runtime, request, web, site, address, network } = context
  if (!(await waysOf(context)).password) return notFound(context)
  const form = postedForm(context)
  const next = safeNext(form.get('next'))
  const email = (form.get('email') ?? '').trim()
  const password = form.get('password') ?? ''
  const account = await accountOf(runtime.store, email)
  const whom = addressOf(email) ?? email
  const guess = {
    of: 'password',
    account: whom,
    network,
    device: await knownDevice(context, { email: whom }),
    withoutMails: web.options.mails === false,
  } as const
  const guessed = await countingFailures(runtime.store, request, guess, () => provenBy(context, account, password))
  if (guessed.kind === 'wait') return tooMany(context, { next, email, faults: [] }, guessed.seconds)
  if (guessed.kind === 'right' && !guessed.guarded) return enter(context, guessed.found.person, next, 'password')
  const { kind, guarded } = guessed
  if (kind === 'right') behindAnswer(context, () => mailLink(context, guessed.found, 'sign_in', next))
  const detail = { ok: false, address, way: 'password', ...(guarded ? { guarded } : {}) }
  web.options.log({ level: 'warn', event: 'sign-in', request: request.id, detail })
  // Whether it was right is for the mailbox alone to know.
  const text = say(site, guarded ? 'signInGuarded' : 'signInFailed')
  return signInForm(context, { next, email, faults: [{ control: 'email', text }], status: 422 })
}

/** Always one hash, whoever it is and whatever was typed: the time tells nothing. */
async function provenBy({ web }: RequestContext, account: Account | null, password: string): Promise<Account | null> {
  const letters = [...password]
  const typed = letters.slice(0, passwordLength.max).join('')
  const isRight = await web.passwords.verify(typed, account?.password ?? null)
  return isRight && password.isWellFormed() && letters.length <= passwordLength.max ? account : null
}

/** Whoever waits for the answer is not to learn from its time whether there was anything to do. */
export function behindAnswer({ web, request }: RequestContext, work: () => Promise<unknown>): void {
  work().catch((error: unknown) => {
    web.options.log({ level: 'error', event: 'failure', request: request.id, detail: { error } })
  })
}

export async function tooMany(context: RequestContext, state: SignInState, seconds: number): Promise<HttpResponse> {
  const fault = {
    control: null,
    text: `${say(context.site, 'signInWait', { wait: context.site.reader.format.wait(seconds) })} ${say(context.site, 'signInByLink')}`,
  }
  const response = await signInForm(context, { ...state, faults: [fault], status: 429 })
  return { ...response, headers: { ...response.headers, 'retry-after': String(seconds) } }
}

/** For pages that are left open (`client/page/session.ts`): whether they are still their person's. */
export const sessionState = (context: RequestContext): HttpResponse => plain('', context.session === null ? 401 : 204)

export async function signOut(context: RequestContext): Promise<HttpResponse> {
  const { runtime, request, web, session } = context
  if (session !== null && (request.by ?? request.preview) !== undefined)
    await endActing(runtime.store, session, session, request.now)
  const way = session === null ? null : await closeSession(runtime.store, session)
  web.options.log({ level: 'info', event: 'sign-out', request: request.id, detail: {} })
  const response = seeOther(way === 'single sign-on' ? '/-/sign-in?out=1' : '/-/sign-in', [
    dropCookie(web.jar, web.jar.session),
    dropCookie(web.jar, web.jar.case),
    dropCookie(web.jar, web.jar.flash),
  ])
  return clearing(response)
}

/** "E-mail me a link": the same page for everybody, at once; whether anything is sent is found out afterwards. */
export async function sendLink(context: RequestContext): Promise<HttpResponse> {
  const { site, request } = context
  const form = postedForm(context)
  const email = (form.get('email') ?? '').trim()
  const next = safeNext(form.get('next'))
  const wait = await attempt(context.runtime.store, linksPerNetwork, context.network, request.now)
  if (wait > 0) return tooMany(context, { next, email, faults: [] }, wait)
  behindAnswer(context, async () => {
    if (!(await waysOf(context)).link) return
    const account = await accountOf(context.runtime.store, email)
    if (account !== null && !account.disabled) await mailLink(context, account, 'sign_in', next)
  })
  return pageOf(context, {
    title: [site.reader.words('linkSent')],
    content: <LinkSent email={email.slice(0, 254)} back={`/-/sign-in?${new URLSearchParams({ next })}`} />,
  })
}

/** The link only asks: programs that look at mails follow links, and must not use them up. */
export async function linkPage(context: RequestContext): Promise<HttpResponse> {
  const { query, site, runtime } = context
  const token = query.get('token')
  const next = safeNext(query.get('next'))
  const link = await linkOf(runtime.store, token, ['sign_in'], context.request.now)
  const account = link === null ? null : await accountById(runtime.store, link.person)
  if (account === null || token === null) return usedUp(context)
  const hidden = [csrfInput(context), { name: 'token', value: token }, { name: 'next', value: next }]
  return pageOf(context, {
    title: [site.reader.words('signIn')],
    content: (
      <section className="sheet">
        <div className="body stack">
          <h1>{say(site, 'linkAsk', { app: site.app.name })}</h1>
          <p>
            {account.name} ({account.email})
          </p>
          <PostButton action="/-/link" hidden={hidden} tone="primary">
            {say(site, 'linkGo')}
          </PostButton>
        </div>
      </section>
    ),
  })
}

export async function followLink(context: RequestContext): Promise<HttpResponse> {
  const { runtime, request } = context
  const form = postedForm(context)
  const purposes = (await waysOf(context)).link ? (['sign_in', 'invitation'] as const) : (['sign_in'] as const)
  const link = await takeLink(runtime.store, form.get('token'), purposes, request.now)
  if (link === null) return usedUp(context)
  await uncount(runtime.store, { allowance: linksPerNetwork, who: context.network })
  return enter(context, link.person, safeNext(form.get('next')), 'link')
}

/** A new link is asked for where one signs in, or at `again`; whoever is signed in needs none. */
export const usedUp = (context: RequestContext, again: string | null = null): Promise<HttpResponse> => {
  const { site, request } = context
  const visits = request.actor.id === null
  return problemPage(context, {
    status: 403,
    why: say(site, 'linkUsed'),
    what: say(site, 'linkGone'),
    actions: visits ? (
      <>
        <LinkButton href="/-/sign-in">{site.reader.words('signIn')}</LinkButton>
        {again !== null && <LinkButton href={again}>{say(site, 'linkAgain')}</LinkButton>}
      </>
    ) : undefined,
  })
}
