/** A new password by a link: for whoever forgot theirs, and for whoever was invited. Whoever asks learns nothing about who has an account. */

import { passwordLength } from '../../run/people/password.ts'
import { type Hidden, HiddenInputs, PostButton } from '../../ui/buttons.tsx'
import { TextControl } from '../../ui/controls.tsx'
import { type Fault, Field } from '../../ui/form.tsx'
import { LinkSent, ShowPassword } from '../../ui/sign-in.tsx'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import { linksPerNetwork } from '../rate-limit/allowances.ts'
import { attempt, uncount } from '../rate-limit/backoff.ts'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { say } from '../sentences.ts'
import { accountById, accountOf, writePassword } from '../sign-in/accounts.ts'
import { changeOwn } from '../sign-in/change.ts'
import { linkOf, mailLink, takeLink } from '../sign-in/links.ts'
import { safeNext } from '../sign-in/next.ts'
import { passwordFault } from '../sign-in/password-rules.ts'
import { providerName, waysOf } from '../sign-in/ways.ts'
import { enter } from './enter.tsx'
import { behindAnswer, postedForm, usedUp } from './sign-in.tsx'

const purposes = ['password', 'invitation'] as const

/** With a link: the form that sets a password. Without: the form that asks for a link. */
export async function passwordPage(context: RequestContext): Promise<HttpResponse> {
  const { query } = context
  if (!query.has('token')) return (await waysOf(context)).password ? askForm(context, []) : notFound(context)
  return setForm(context, query.get('token'), safeNext(query.get('next')), [])
}

/** Also to whoever was invited, another link is sent where one asks for a new password. */
const gone = async (context: RequestContext): Promise<HttpResponse> =>
  usedUp(context, (await waysOf(context)).password ? '/-/password' : null)

function askForm(context: RequestContext, faults: readonly Fault[], status = 200): Promise<HttpResponse> {
  const { site } = context
  return pageOf(context, {
    title: [site.reader.words('forgotten')],
    status,
    faults,
    content: (
      <>
        <section className="sheet">
          <div className="body stack">
            <h1>{site.reader.words('forgotten')}</h1>
            <form className="stack" method="post" action="/-/password/forgotten" noValidate>
              <input type="hidden" name="_csrf" value={csrfInput(context).value} />
              <Field id="email" label={site.reader.words('email')} hint={say(site, 'forgottenHint')}>
                {aid => <TextControl aid={aid} name="email" type="email" value="" autoComplete="username" />}
              </Field>
              <div>
                <button type="submit" className="btn pri">
                  {site.reader.words('emailLinkOnly')}
                </button>
              </div>
            </form>
          </div>
        </section>
      </>
    ),
  })
}

/** The same page for everybody, at once; whether anything is sent is found out afterwards. */
export async function sendPasswordLink(context: RequestContext): Promise<HttpResponse> {
  const { site, request, runtime } = context
  if (!(await waysOf(context)).password) return notFound(context)
  const email = (postedForm(context).get('email') ?? '').trim()
  const wait = await attempt(runtime.store, linksPerNetwork, context.network, request.now)
  if (wait > 0) {
    const response = await askForm(
      context,
      [{ control: null, text: say(site, 'signInWait', { wait: site.reader.format.wait(wait) }) }],
      429,
    )
    return { ...response, headers: { ...response.headers, 'retry-after': String(wait) } }
  }
  behindAnswer(context, async () => {
    const account = await accountOf(runtime.store, email)
    if (account !== null && !account.disabled) await mailLink(context, account, 'password')
  })
  return pageOf(context, {
    title: [site.reader.words('linkSent')],
    content: <LinkSent email={email.slice(0, 254)} back="/-/sign-in" />,
  })
}

async function setForm(
  context: RequestContext,
  token: string | null,
  next: string,
  faults: readonly Fault[],
): Promise<HttpResponse> {
  const { site, runtime, request } = context
  const link = await linkOf(runtime.store, token, purposes, request.now)
  const account = link === null ? null : await accountById(runtime.store, link.person)
  if (link === null || account === null || token === null) return gone(context)
  const ways = await waysOf(context)
  const isInvited = link.purpose === 'invitation'
  const hidden = [csrfInput(context), { name: 'token', value: token }, { name: 'next', value: next }]
  return pageOf(context, {
    title: [say(site, 'newPassword')],
    faults,
    content: (
      <>
        <section className="sheet">
          <div className="body stack">
            <h1>{isInvited ? say(site, 'welcome', { app: site.app.name }) : say(site, 'newPassword')}</h1>
            <p>{`${account.name} (${account.email})`}</p>
            {(ways.password || !isInvited) && (
              <NewPassword
                context={context}
                action="/-/password"
                hidden={hidden}
                email={account.email}
                error={faults[0]?.text ?? null}
                ends={!isInvited}
              />
            )}
            {ways.single !== null && isInvited && (
              <a
                className={ways.password ? 'btn' : 'btn pri'}
                href={`/-/sign-in/single?${new URLSearchParams({ next, invitation: token })}`}
              >
                {site.reader.words('signInWith', { name: providerName(context, ways.single) })}
              </a>
            )}
            {ways.link && isInvited && (
              <div>
                <PostButton action="/-/link" hidden={hidden} tone={ways.password ? 'plain' : 'primary'}>
                  {ways.password ? say(site, 'withoutPassword') : say(site, 'linkGo')}
                </PostButton>
              </div>
            )}
          </div>
        </section>
      </>
    ),
  })
}

interface NewPasswordProps {
  readonly context: RequestContext
  readonly action: string
  readonly hidden: readonly Hidden[]
  readonly email: string
  readonly error: string | null
  /** There may be sessions and keys, which end with it. */
  readonly ends?: boolean
}

/** Chosen by whoever follows a link, who is in then. */
export function NewPassword({ context: { site }, action, hidden, email, error, ends = false }: NewPasswordProps) {
  return (
    <form method="post" action={action} className="stack" noValidate>
      <HiddenInputs inputs={hidden} />
      {/* For password managers: whose password it is. */}
      <input type="text" name="username" value={email} autoComplete="username" readOnly hidden />
      <Field
        id="password"
        label={say(site, 'newPassword')}
        hint={say(site, 'passwordHint', { min: passwordLength.min })}
        error={error}
      >
        {aid => <TextControl aid={aid} name="password" type="password" value="" autoComplete="new-password" />}
      </Field>
      <ShowPassword />
      {ends && <p>{say(site, 'passwordEnds')}</p>}
      <div>
        <button type="submit" className="btn pri">
          {say(site, 'passwordSetAndIn')}
        </button>
      </div>
    </form>
  )
}

/** Sets it, ends every session that there was, and lets in. A password that is refused leaves the link as it is. */
export async function setPasswordByLink(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, web } = context
  const form = postedForm(context)
  const token = form.get('token')
  const next = safeNext(form.get('next'))
  const link = await linkOf(runtime.store, token, purposes, request.now)
  const account = link === null ? null : await accountById(runtime.store, link.person)
  if (account === null || (link!.purpose === 'invitation' && !(await waysOf(context)).password)) return gone(context)
  const password = form.get('password') ?? ''
  const fault = await passwordFault(password, [account.email, account.name, site.app.name])
  if (fault !== null)
    return setForm(context, token, next, [
      { control: 'password', text: say(site, `passwordFault.${fault}`, { min: passwordLength.min }) },
    ])
  const hash = await web.passwords.hash(password)
  if ((await takeLink(runtime.store, token, purposes, request.now)) === null) return gone(context)
  await uncount(runtime.store, { allowance: linksPerNetwork, who: context.network })
  await changeOwn(context, account, { what: 'password' }, tx => writePassword(tx, account.person, hash, request.now))
  const response = await enter(context, account.person, next, link!.purpose)
  if (link!.purpose === 'invitation' || response.status !== 303) return response
  return { ...response, cookies: [...response.cookies, flashCookie(web, say(site, 'passwordSet'))] }
}
