/** Taking back that one signs in at another place: it decides how somebody signs in, and so asks once more who it is. */
import { HiddenInputs } from '../../ui/buttons.tsx'
import { PageHead, Sheet } from '../../ui/page.tsx'
import { type Answer, seeOther } from '../answer.ts'
import type { Exchange } from '../exchange.ts'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import { say } from '../sentences.ts'
import { type Account, accountById } from '../sign-in/accounts.ts'
import { changeOwn } from '../sign-in/change.ts'
import { confirmPresence, type Refusal } from '../sign-in/confirm.ts'
import { dropIdentity, issuersOf } from '../sign-in/identities.ts'
import { providerName } from '../sign-in/ways.ts'
import { CurrentPassword } from './current-password.tsx'
import { postedForm } from './sign-in.tsx'

const address = '/-/account/connection'

export const connectionHref = (issuer: string): string => `${address}?${new URLSearchParams({ issuer })}`

/** What the provider is called; of one that is no longer in use, its host. */
export const issuerName = (exchange: Exchange, issuer: string): string => {
  const { provider } = exchange.web
  return provider?.issuer === issuer ? providerName(exchange, provider) : new URL(issuer).host
}

/** Null: they are not connected with it. */
async function own({ runtime, request }: Exchange, issuer: string): Promise<Account | null> {
  const { id } = request.actor
  if (id === null || !(await issuersOf(runtime.store, id)).some(one => one.issuer === issuer)) return null
  return accountById(runtime.store, id)
}

/** Asks whether it is really to go. */
export async function connectionPage(exchange: Exchange): Promise<Answer> {
  const issuer = exchange.query.get('issuer') ?? ''
  const account = await own(exchange, issuer)
  return account === null ? notFound(exchange) : page(exchange, account, issuer, null)
}

/** Whoever comes from there the next time is connected anew, if they may be. */
export async function disconnect(exchange: Exchange): Promise<Answer> {
  const { web, site } = exchange
  const form = postedForm(exchange)
  const issuer = form.get('issuer') ?? ''
  const account = await own(exchange, issuer)
  if (account === null) return notFound(exchange)
  const refusal = await confirmPresence(exchange, account, form.get('current') ?? '')
  if (refusal !== null) return page(exchange, account, issuer, refusal)
  const change = { what: 'disconnected', name: issuerName(exchange, issuer) } as const
  await changeOwn(exchange, account, change, tx => dropIdentity(tx, account.person, issuer))
  return seeOther('/-/account', [flashCookie(web, say(site, 'disconnected'))])
}

function page(exchange: Exchange, account: Account, issuer: string, refusal: Refusal | null): Promise<Answer> {
  const { site } = exchange
  const title = `${say(site, 'connections')} ${issuerName(exchange, issuer)}`
  return pageOf(exchange, {
    title: [title],
    faults: refusal === null ? [] : [refusal],
    content: (
      <>
        <PageHead title={title} />
        <Sheet title={say(site, 'disconnect')}>
          <form method="post" action={address} className="stack" noValidate>
            <HiddenInputs inputs={[csrfInput(exchange), { name: 'issuer', value: issuer }]} />
            <CurrentPassword exchange={exchange} account={account} refusal={refusal} />
            <div className="acts">
              <button type="submit" className="btn bad">
                {say(site, 'disconnect')}
              </button>
              <a className="btn" href="/-/account">
                {site.reader.words('cancel')}
              </a>
            </div>
          </form>
        </Sheet>
      </>
    ),
  })
}
