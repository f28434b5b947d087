/** One's own account: set or change the password, which ends every other session. */
import { TextControl } from '../../ui/controls.tsx'
import { ErrorSummary, Field } from '../../ui/form.tsx'
import { PageHead, Sheet } from '../../ui/page.tsx'
import { accountById, setPassword } from '../accounts.ts'
import { type Answer, seeOther } from '../answer.ts'
import type { Exchange } from '../exchange.ts'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import { passwordLength } from '../password.ts'
import { say } from '../sentences.ts'
import { hashOf } from '../session.ts'
import { attempt, forgive, perAccount } from '../throttle.ts'
import { postedForm } from './sign-in.tsx'

export function accountPage(exchange: Exchange): Promise<Answer> {
  return render(exchange, null)
}

interface Refusal {
  readonly control: 'current' | 'password' | null
  readonly text: string
  readonly status: number
}

async function render(exchange: Exchange, refusal: Refusal | null): Promise<Answer> {
  const { site, runtime, request } = exchange
  const account = request.actor.id === null ? null : await accountById(runtime.store, request.actor.id)
  if (account === null) return notFound(exchange)
  const csrf = csrfInput(exchange)
  const errorAt = (control: string) => (refusal?.control === control ? refusal.text : null)
  return pageOf(exchange, {
    title: [say(site, 'account')],
    status: refusal?.status ?? 200,
    error: refusal !== null,
    content: (
      <>
        <ErrorSummary faults={refusal === null ? [] : [refusal]} />
        <PageHead title={say(site, 'account')} facts={<span>{`${account.name}, ${account.email}`}</span>} />
        <Sheet title={site.reader.words('password')}>
          <form method="post" action="/-/account" className="stack" noValidate>
            <input type="hidden" name="_csrf" value={csrf.value} />
            {/* For password managers: whose password it is. */}
            <input type="text" name="username" value={account.email} autoComplete="username" readOnly hidden />
            {account.password !== null && (
              <Field id="current" label={say(site, 'currentPassword')} error={errorAt('current')} width="medium">
                {aid => (
                  <TextControl aid={aid} name="current" type="password" value="" autoComplete="current-password" />
                )}
              </Field>
            )}
            <Field
              id="password"
              width="medium"
              label={say(site, 'newPassword')}
              hint={say(site, 'passwordHint', { min: passwordLength.min })}
              error={errorAt('password')}
            >
              {aid => <TextControl aid={aid} name="password" type="password" value="" autoComplete="new-password" />}
            </Field>
            <div>
              <button type="submit" className="btn pri">
                {site.reader.words('save')}
              </button>
            </div>
          </form>
        </Sheet>
      </>
    ),
  })
}

export async function changePassword(exchange: Exchange): Promise<Answer> {
  const { site, runtime, request, web, session } = exchange
  const form = postedForm(exchange)
  const account = request.actor.id === null ? null : await accountById(runtime.store, request.actor.id)
  if (account === null) return notFound(exchange)
  if (account.password !== null) {
    const wait = await attempt(runtime.store, perAccount, account.email, request.now)
    if (wait > 0)
      return render(exchange, { control: null, text: say(site, 'signInWait', { count: wait }), status: 429 })
    const isRight = await web.passwords.verify(form.get('current') ?? '', account.password)
    if (!isRight) return render(exchange, { control: 'current', text: say(site, 'currentWrong'), status: 422 })
    await forgive(runtime.store, perAccount, account.email, request.now)
  }
  const password = form.get('password') ?? ''
  const length = [...password].length
  if (length < passwordLength.min || length > passwordLength.max || !password.isWellFormed())
    return render(exchange, {
      control: 'password',
      text: say(site, 'passwordHint', { min: passwordLength.min }),
      status: 422,
    })
  const hash = await web.passwords.hash(password)
  await setPassword(runtime.store, account.person, hash, session === null ? null : hashOf(session), request.now)
  return seeOther('/-/account', [flashCookie(web, say(site, 'passwordSet'))])
}
