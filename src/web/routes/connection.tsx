/** Taking back that one signs in at another place: it decides how somebody signs in, and so asks once more who it is. */
import { HiddenInputs } from '../../ui/buttons.tsx'
import { PageHead, Sheet } from '../../ui/page.tsx'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
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
export const issuerName = (context: RequestContext, issuer: string): string => {
  const { provider } = context.web
  return provider?.issuer === issuer ? providerName(context, provider) : new URL(issuer).host
}

/** Null: they are not connected with it. */
async function own({ runtime, request }: RequestContext, issuer: string): Promise<Account | null> {
  const { id } = request.actor
  if (id === null || !(await issuersOf(runtime.store, id)).some(one => one.issuer === issuer)) return null
  return accountById(runtime.store, id)
}

/** Asks whether it is really to go. */
export async function connectionPage(context: RequestContext): Promise<HttpResponse> {
  const issuer = context.query.get('issuer') ?? ''
  const account = await own(context, issuer)
  return account === null ? notFound(context) : page(context, account, issuer, null)
}

/** Whoever comes from there the next time is connected anew, if they may be. */
export async function disconnect(context: RequestContext): Promise<HttpResponse> {
  const { web, site } = context
  const form = postedForm(context)
  const issuer = form.get('issuer') ?? ''
  const account = await own(context, issuer)
  if (account === null) return notFound(context)
  const refusal = await confirmPresence(context, account, form.get('current') ?? '')
  if (refusal !== null) return page(context, account, issuer, refusal)
  const change = { what: 'disconnected', name: issuerName(context, issuer) } as const
  await changeOwn(context, account, change, tx => dropIdentity(tx, account.person, issuer))
  return seeOther('/-/account', [flashCookie(web, say(site, 'disconnected'))])
}

function page(
  context: RequestContext,
  account: Account,
  issuer: string,
  refusal: Refusal | null,
): Promise<HttpResponse> {
  const { site } = context
  const title = `${say(site, 'connections')} ${issuerName(context, issuer)}`
  return pageOf(context, {
    title: [title],
    faults: refusal === null ? [] : [refusal],
    content: (
      <>
        <PageHead title={title} />
        <Sheet title={say(site, 'disconnect')}>
          <form method="post" action={address} className="stack" noValidate>
            <HiddenInputs inputs={[csrfInput(context), { name: 'issuer', value: issuer }]} />
            <CurrentPassword context={context} account={account} refusal={refusal} />
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
