/** The ways to sign in that the document names, and a password where it names none (A-SIGNIN-1). */
import type { SignUp } from '../../headings/1-product/model.ts'
import { signsUpByForm } from '../../headings/1-product/sign-up.ts'
import { specified } from '../../headings/specified.ts'
import { signUpOf } from '../../run/people/sign-up.ts'
import type { RequestContext } from '../request-context.ts'
import { havePasswords } from './accounts.ts'
import type { Provider } from './provider.ts'

export interface Ways {
  readonly password: boolean
  readonly link: boolean
  readonly passkey: boolean
  /** Where people sign on; null: nowhere, or the environment does not name it. */
  readonly single: Provider | null
}

/** `some`: whether anybody has a password, where that is known. */
export async function waysOf(
  { site, runtime, web }: Pick<RequestContext, 'site' | 'runtime' | 'web'>,
  some?: boolean,
): Promise<Ways> {
  const named = site.app.product.signIn.flatMap(way => specified(way)?.way ?? [])
  const link = named.includes('e-mail link')
  const single = named.includes('single sign-on')
  // Accounts that have a password may use it even where the document only speaks of links; not where another place lets people in.
  const password =
    named.length === 0 ||
    named.includes('password') ||
    (!single && (!link || (some ?? (await havePasswords(runtime.store)))))
  return { link, password, passkey: named.includes('passkey'), single: single ? web.provider : null }
}

/** As people call the place. */
export const providerName = ({ site }: Pick<RequestContext, 'site'>, { name }: Pick<Provider, 'name'>): string =>
  name ?? site.reader.words('singleSignOn')

/** The form by which people sign up; null: there is none. */
export const openSignUp = ({ site: { app } }: Pick<RequestContext, 'site'>): SignUp | null =>
  signsUpByForm(app.product) ? signUpOf(app) : null
