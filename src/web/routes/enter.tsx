/** The way in, whichever factor came first: the second factor, then a new session. */
import { requestsOf } from '../../run/people/people.ts'
import { isPresent } from '../../run/people/present.ts'
import { raise } from '../../run/problems/raise.ts'
import { type Hidden, HiddenInputs } from '../../ui/buttons.tsx'
import { TextControl } from '../../ui/controls.tsx'
import { type Fault, Field } from '../../ui/form.tsx'
import { PasskeyForm } from '../../ui/sign-in.tsx'
import { mustHaveFactor } from '../access.ts'
import { csrfInput, pageOf, refusalPage } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { say } from '../sentences.ts'
import { setCookie } from '../sign-in/cookies.ts'
import { noteDevice } from '../sign-in/devices.ts'
import { openLink } from '../sign-in/links.ts'
import { passkeysOf } from '../sign-in/passkeys.ts'
import { secondFactorOf } from '../sign-in/second-factor.ts'
import { closeSession, openSession } from '../sign-in/session.ts'
import { waysOf } from '../sign-in/ways.ts'

/**
 * After the first factor: whoever has a second one is asked for it, everybody else is in. A passkey alone is asked for where a role of
 * theirs needs a second factor. `strong`: it was there already.
 */
export async function enter(
  context: RequestContext,
  person: string,
  next: string,
  way: string,
  strong = false,
): Promise<HttpResponse> {
  const { runtime, request, web } = context
  const factors = await factorsOf(context, person)
  const isAsked = factors.codes || (factors.passkeys && !strong && (await needsFactor(context, person)))
  if (!isAsked) return letIn(context, person, next, way, strong)
  const token = await openLink(runtime.store, person, request.now, web.options.random, 'second_factor')
  return codePage(context, { token, next, person }, [])
}

/** What somebody has. */
async function factorsOf(context: RequestContext, person: string) {
  const { store } = context.runtime
  const factor = await secondFactorOf(store, context.web.seal, person)
  const passkeys = (await waysOf(context)).passkey && (await passkeysOf(store, person)).length > 0
  return { codes: factor !== null && factor.confirmed !== null, passkeys }
}

/** They have a second factor, need it, and have not shown it in this session: they must not add another one, but sign in with it. */
export async function mustShowFactor(context: RequestContext, person: string): Promise<boolean> {
  if (context.strong || !mustHaveFactor(context.runtime.app, context.request.actor)) return false
  const { codes, passkeys } = await factorsOf(context, person)
  return codes || passkeys
}

async function needsFactor({ runtime, request }: RequestContext, person: string): Promise<boolean> {
  if (runtime.app.secondFactor.roles.length === 0) return false
  const [them] = await requestsOf(runtime.store, runtime.app, [person], request)
  return them !== undefined && mustHaveFactor(runtime.app, them.actor)
}

/** A new session under a new token; the one before it, if there was any, ends. Nobody whom the document keeps out. */
export async function letIn(
  context: RequestContext,
  person: string,
  next: string,
  way: string,
  strong: boolean,
): Promise<HttpResponse> {
  const { runtime, request, web, session, headers, address, site } = context
  const { random, log } = web.options
  if (!(await isPresent(runtime, request, person))) {
    log({ level: 'warn', event: 'sign-in', request: request.id, detail: { ok: false, address, way } })
    return refusalPage(context, raise(site.app, 'NF-SIGN-IN-CLOSED', {}))
  }
  if (session !== null) await closeSession(runtime.store, session)
  const made = { now: request.now, limits: request.limits, random, agent: headers['user-agent'], way, strong }
  const token = await openSession(runtime.store, person, made)
  log({ level: 'info', event: 'sign-in', request: request.id, detail: { ok: true, address, person, way, strong } })
  return seeOther(next, [setCookie(web.jar, web.jar.session, token), await noteDevice(context, person)])
}

interface FirstFactor {
  /** Stands for it, for some minutes. */
  readonly token: string
  readonly person: string
  readonly next: string
}

/** After the first factor: asks for a code, or for one of the person's passkeys. */
export async function codePage(
  context: RequestContext,
  { token, person, next }: FirstFactor,
  faults: readonly Fault[],
  status = 200,
): Promise<HttpResponse> {
  const { site } = context
  const hidden = [csrfInput(context), { name: 'token', value: token }, { name: 'next', value: next }]
  const { codes, passkeys } = await factorsOf(context, person)
  return pageOf(context, {
    title: [site.reader.words('signIn')],
    status,
    faults,
    scripts: passkeys ? ['passkey.js'] : [],
    content: (
      <>
        <section className="sheet">
          <div className="body stack">
            <h1>{say(site, codes ? 'codeAsk' : 'passkeyAsk')}</h1>
            {codes && (
              <form method="post" action="/-/sign-in/code" className="stack" noValidate>
                <HiddenInputs inputs={hidden} />
                <CodeField context={context} error={faults.find(({ control }) => control === 'code')?.text ?? null} />
                <div>
                  <button type="submit" className="btn pri">
                    {site.reader.words('signIn')}
                  </button>
                </div>
              </form>
            )}
            {!codes && <noscript>{say(site, 'passkeyScripts')}</noscript>}
            {passkeys && <UsePasskey context={context} hidden={hidden} />}
          </div>
        </section>
      </>
    ),
  })
}

const UsePasskey = (props: { readonly context: RequestContext; readonly hidden: readonly Hidden[] }) => {
  const { words } = props.context.site.reader
  return (
    <PasskeyForm
      kind="proof"
      action="/-/sign-in/passkey"
      options="/-/sign-in/passkey/options"
      hidden={props.hidden}
      label={words('signInPasskey')}
      fault={words('passkeyFailed')}
    />
  )
}

interface CodeProps {
  readonly context: RequestContext
  readonly error: string | null
  /** There are no recovery codes yet. */
  readonly first?: boolean
}

export function CodeField({ context: { site }, error, first = false }: CodeProps) {
  return (
    <Field
      id="code"
      label={say(site, 'code')}
      hint={say(site, first ? 'codeHintFirst' : 'codeHint')}
      error={error}
      width="medium"
    >
      {aid => <TextControl aid={aid} name="code" value="" autoComplete="one-time-code" />}
    </Field>
  )
}
