/** Confirming that it is still oneself: what decides how people sign in can be changed only for a while after that, or after signing in. */
import { HiddenInputs, PostButton } from '../../ui/buttons.tsx'
import { PageHead, Sheet } from '../../ui/page.tsx'
import { presentMinutes } from '../bounds.ts'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { say } from '../sentences.ts'
import { type Account, accountById } from '../sign-in/accounts.ts'
import { confirmPresence, type Refusal } from '../sign-in/confirm.ts'
import { safeNext } from '../sign-in/next.ts'
import { CurrentPassword } from './current-password.tsx'
import { postedForm } from './sign-in.tsx'

const address = '/-/account/present'

interface Props {
  readonly context: RequestContext
  readonly account: Account
  /** Where it leads back to. */
  readonly next: string
  readonly refusal?: Refusal | null
}

/** Nothing while they count as there. */
export function PresenceSheet({ context, account, next, refusal = null }: Props) {
  const { site, request } = context
  if (request.present === true || request.by !== undefined) return null
  const token = csrfInput(context)
  return (
    <Sheet title={say(site, 'presence')}>
      <div className="stack">
        <p>{say(site, 'presenceText', { minutes: presentMinutes })}</p>
        {account.password === null ? (
          <div>
            <PostButton action="/-/sign-out" hidden={[token]}>
              {site.reader.words('signOut')}
            </PostButton>
          </div>
        ) : (
          <form method="post" action={address} className="stack" noValidate>
            <HiddenInputs inputs={[token, { name: 'next', value: next }]} />
            <CurrentPassword context={context} account={account} refusal={refusal} />
            <div>
              <button type="submit" className="btn pri">
                {say(site, 'presenceGo')}
              </button>
            </div>
          </form>
        )}
      </div>
    </Sheet>
  )
}

export async function confirmThere(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, web } = context
  const account = request.actor.id === null ? null : await accountById(runtime.store, request.actor.id)
  if (account === null || request.by !== undefined) return notFound(context)
  const form = postedForm(context)
  const next = safeNext(form.get('next'))
  const refusal = await confirmPresence(context, account, form.get('current') ?? '')
  if (refusal === null)
    return seeOther(next, [flashCookie(web, say(site, 'presenceDone', { minutes: presentMinutes }))])
  const title = say(site, 'presence')
  return pageOf(context, {
    title: [title],
    faults: [refusal],
    status: refusal.status,
    content: (
      <>
        <PageHead title={title} />
        <PresenceSheet context={context} account={account} next={next} refusal={refusal} />
      </>
    ),
  })
}
