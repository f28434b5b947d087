/** The ways to sign in that the document names, and a password where it names none (A-SIGNIN-1). */
import { said } from '../headings/said.ts'
import { havePasswords } from './accounts.ts'
import type { Exchange } from './exchange.ts'

export interface Ways {
  readonly password: boolean
  readonly link: boolean
}

export async function waysOf({ site, runtime }: Pick<Exchange, 'site' | 'runtime'>): Promise<Ways> {
  const named = site.app.product.signIn.flatMap(way => said(way)?.way ?? [])
  const link = named.includes('e-mail link')
  // Accounts that have a password may use it even where the document only speaks of links.
  return { link, password: !link || named.includes('password') || (await havePasswords(runtime.store)) }
}
