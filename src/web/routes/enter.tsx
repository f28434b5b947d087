/** The way in, whichever factor came first: the second factor, then a new session. */
import { type Hidden, HiddenInputs } from '../../ui/buttons.tsx'
import { TextControl } from '../../ui/controls.tsx'
import { ErrorSummary, type Fault, Field } from '../../ui/form.tsx'
import { PasskeyForm } from '../../ui/sign-in.tsx'
import { type Answer, seeOther } from '../answer.ts'
import { setCookie } from '../cookies.ts'
import type { Exchange } from '../exchange.ts'
import { openLink } from '../links.ts'
import { csrfInput, pageOf } from '../pages.tsx'
import { passkeysOf } from '../passkeys.ts'
import { secondFactorOf } from '../second-factor.ts'
import { say } from '../sentences.ts'
import { closeSession, openSession } from '../session.ts'
import { tidy } from '../tidy.ts'
import { waysOf } from '../ways.ts'

/** After the first factor: whoever has a second one is asked for it, everybody else is in. */
export async function enter(exchange: Exchange, person: string, next: string, way: string): Promise<Answer> {
  const { runtime, request, web } = exchange
  const factor = await secondFactorOf(runtime.store, person)
  if (factor === null || factor.confirmed === null) return letIn(exchange, person, next, way)
  const token = await openLink(runtime.store, person, request.now, web.options.random, 'second_factor')
  return codePage(exchange, { token, next, person }, [])
}

/** A new session under a new token; the one before it, if there was any, ends. */
export async function letIn(exchange: Exchange, person: string, next: string, way: string): Promise<Answer> {
  const { runtime, request, web, session, headers } = exchange
  const { random, log } = web.options
  if (session !== null) await closeSession(runtime.store, session)
  const token = await openSession(runtime.store, person, {
    now: request.now,
    random,
    agent: headers['user-agent'],
    way,
  })
  log({ level: 'info', event: 'sign-in', request: request.id, detail: { ok: true, person, way } })
  tidy(runtime.store, request.now).catch((error: unknown) => {
    log({ level: 'error', event: 'failure', request: request.id, detail: { error } })
  })
  return seeOther(next, [setCookie(web.jar, web.jar.session, token)])
}

export interface FirstFactor {
  /** Stands for it, for some minutes. */
  readonly token: string
  readonly person: string
  readonly next: string
}

/** After the first factor: asks for a code, or for one of the person's passkeys. */
export async function codePage(
  exchange: Exchange,
  { token, person, next }: FirstFactor,
  faults: readonly Fault[],
  status = 200,
): Promise<Answer> {
  const { site, runtime } = exchange
  const hidden = [csrfInput(exchange), { name: 'token', value: token }, { name: 'next', value: next }]
  const hasPasskey = (await waysOf(exchange)).passkey && (await passkeysOf(runtime.store, person)).length > 0
  return pageOf(exchange, {
    title: [site.reader.words('signIn')],
    status,
    error: faults.length > 0,
    scripts: hasPasskey ? ['passkey.js'] : [],
    content: (
      <>
        <ErrorSummary faults={faults} />
        <section className="sheet">
          <div className="body stack">
            <form method="post" action="/-/sign-in/code" className="stack" noValidate>
              <h1>{say(site, 'codeAsk')}</h1>
              <HiddenInputs inputs={hidden} />
              <CodeField exchange={exchange} error={faults.find(({ control }) => control === 'code')?.text ?? null} />
              <div>
                <button type="submit" className="btn pri">
                  {site.reader.words('signIn')}
                </button>
              </div>
            </form>
            {hasPasskey && <UsePasskey exchange={exchange} hidden={hidden} />}
          </div>
        </section>
      </>
    ),
  })
}

const UsePasskey = (props: { readonly exchange: Exchange; readonly hidden: readonly Hidden[] }) => {
  const { words } = props.exchange.site.reader
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

export function CodeField({ exchange, error }: { readonly exchange: Exchange; readonly error: string | null }) {
  const { site } = exchange
  return (
    <Field id="code" label={say(site, 'code')} hint={say(site, 'codeHint')} error={error} width="medium">
      {aid => <TextControl aid={aid} name="code" value="" autoComplete="one-time-code" />}
    </Field>
  )
}
