/** Confirming that it is still oneself: what decides how people sign in can be changed only for a while after that, or after signing in. */
import { HiddenInputs, PostButton } from '../../ui/buttons.tsx'
import { PageHead, Sheet } from '../../ui/page.tsx'
import { type Answer, seeOther } from '../answer.ts'
import { presentMinutes } from '../bounds.ts'
import type { Exchange } from '../exchange.ts'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import { say } from '../sentences.ts'
import { type Account, accountById } from '../sign-in/accounts.ts'
import { confirmPresence, type Refusal } from '../sign-in/confirm.ts'
import { safeNext } from '../sign-in/next.ts'
import { CurrentPassword } from './current-password.tsx'
import { postedForm } from './sign-in.tsx'

const address = '/-/account/present'

interface Props {
  readonly exchange: Exchange
  readonly account: Account
  /** Where it leads back to. */
  readonly next: string
  readonly refusal?: Refusal | null
}

/** Nothing while they count as there. */
export function PresenceSheet({ exchange, account, next, refusal = null }: Props) {
  const { site, request } = exchange
  if (request.present === true || request.by !== undefined) return null
  const token = csrfInput(exchange)
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
            <CurrentPassword exchange={exchange} account={account} refusal={refusal} />
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

export async function confirmThere(exchange: Exchange): Promise<Answer> {
  const { site, runtime, request, web } = exchange
  const account = request.actor.id === null ? null : await accountById(runtime.store, request.actor.id)
  if (account === null || request.by !== undefined) return notFound(exchange)
  const form = postedForm(exchange)
  const next = safeNext(form.get('next'))
  const refusal = await confirmPresence(exchange, account, form.get('current') ?? '')
  if (refusal === null)
    return seeOther(next, [flashCookie(web, say(site, 'presenceDone', { minutes: presentMinutes }))])
  const title = say(site, 'presence')
  return pageOf(exchange, {
    title: [title],
    faults: [refusal],
    status: refusal.status,
    content: (
      <>
        <PageHead title={title} />
        <PresenceSheet exchange={exchange} account={account} next={next} refusal={refusal} />
      </>
    ),
  })
}
