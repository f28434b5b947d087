/** The way in, whichever factor came first: the second factor, then a new session. */
import { TextControl } from '../../ui/controls.tsx'
import { ErrorSummary, type Fault, Field } from '../../ui/form.tsx'
import { type Answer, seeOther } from '../answer.ts'
import { setCookie } from '../cookies.ts'
import type { Exchange } from '../exchange.ts'
import { openLink } from '../links.ts'
import { csrfInput, pageOf } from '../pages.tsx'
import { secondFactorOf } from '../second-factor.ts'
import { say } from '../sentences.ts'
import { closeSession, openSession } from '../session.ts'
import { tidy } from '../tidy.ts'

/** After the first factor: whoever has a second one is asked for it, everybody else is in. */
export async function enter(exchange: Exchange, person: string, next: string, way: string): Promise<Answer> {
  const { runtime, request, web } = exchange
  const factor = await secondFactorOf(runtime.store, person)
  if (factor === null || factor.confirmed === null) return letIn(exchange, person, next, way)
  const token = await openLink(runtime.store, person, request.now, web.options.random, 'second_factor')
  return codePage(exchange, { token, next }, [])
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

/** After the first factor: asks for a code. `token` stands for the first one, for some minutes. */
export function codePage(
  exchange: Exchange,
  { token, next }: { readonly token: string; readonly next: string },
  faults: readonly Fault[],
  status = 200,
): Answer {
  const { site } = exchange
  return pageOf(exchange, {
    title: [site.reader.words('signIn')],
    status,
    error: faults.length > 0,
    content: (
      <>
        <ErrorSummary faults={faults} />
        <section className="sheet">
          <form method="post" action="/-/sign-in/code" className="body stack" noValidate>
            <h1>{say(site, 'codeAsk')}</h1>
            <input type="hidden" name="_csrf" value={csrfInput(exchange).value} />
            <input type="hidden" name="token" value={token} />
            <input type="hidden" name="next" value={next} />
            <CodeField exchange={exchange} error={faults.find(({ control }) => control === 'code')?.text ?? null} />
            <div>
              <button type="submit" className="btn pri">
                {site.reader.words('signIn')}
              </button>
            </div>
          </form>
        </section>
      </>
    ),
  })
}

export function CodeField({ exchange, error }: { readonly exchange: Exchange; readonly error: string | null }) {
  const { site } = exchange
  return (
    <Field id="code" label={say(site, 'code')} hint={say(site, 'codeHint')} error={error} width="medium">
      {aid => <TextControl aid={aid} name="code" value="" autoComplete="one-time-code" />}
    </Field>
  )
}
