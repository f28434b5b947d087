/** Asking somebody who is signed in whether it is still them, before something that outlives the session. */

import { passwordLength } from '../../run/people/password.ts'
import { raise } from '../../run/problems/raise.ts'
import type { Exchange } from '../exchange.ts'
import { say } from '../sentences.ts'
import type { Account } from './accounts.ts'
import { attempt, forgive, perAccount } from './throttle.ts'

export interface Refusal {
  readonly control: string | null
  readonly text: string
  readonly status: number
}

/** Null: it is them, by their password (counted as attempts to sign in are), or, where they have none, as they have just signed in. */
export async function confirmPresence(
  { runtime, request, web, site }: Exchange,
  account: Account,
  typed: string,
): Promise<Refusal | null> {
  if (account.password === null) {
    if (request.present === true) return null
    const { message, whatToDo, status } = raise(site.app, 'NF-PRESENCE', {})
    return { control: null, text: `${message} ${whatToDo}`, status }
  }
  const who = account.email.toLowerCase()
  const wait = await attempt(runtime.store, perAccount(request), who, request.now)
  if (wait > 0)
    return { control: null, text: say(site, 'signInWait', { wait: site.reader.format.wait(wait) }), status: 429 }
  const isSane = typed.isWellFormed() && [...typed].length <= passwordLength.max
  if (!isSane || !(await web.passwords.verify(typed, account.password)))
    return { control: 'current', text: say(site, 'currentWrong'), status: 422 }
  await forgive(runtime.store, perAccount(request), who, request.now)
  return null
}
