/** Asking somebody who is signed in whether it is still them, before something that outlives the session. */

import type { Problem } from '../../run/outcome.ts'
import { passwordLength } from '../../run/people/password.ts'
import { raise } from '../../run/problems/raise.ts'
import { countingFailures, type Guessed } from '../rate-limit/failures.ts'
import type { RequestContext } from '../request-context.ts'
import { say } from '../sentences.ts'
import type { Account } from './accounts.ts'

export interface Refusal {
  readonly control: string | null
  readonly text: string
  readonly status: number
}

export const refusalFor = ({ message, whatToDo, status }: Problem): Refusal => ({
  control: null,
  text: [message, whatToDo].filter(part => part !== null).join(' '),
  status,
})

/** What somebody is told whose password or code was wrong, or who has to wait before the next. */
export function notProven(
  { site }: RequestContext,
  guessed: Exclude<Guessed<unknown>, { kind: 'right' }>,
  control: string,
  wrong: 'codeWrong' | 'currentWrong',
): Refusal {
  return guessed.kind === 'wait'
    ? { control: null, text: say(site, 'signInWait', { wait: site.reader.format.wait(guessed.seconds) }), status: 429 }
    : { control, text: say(site, wrong), status: 422 }
}

/**
 * Null: it is them, by their password, or, where they have none, as they have just signed in. Wrong passwords are counted for this
 * session alone: what strangers try at the door does not keep out who is inside.
 */
export async function confirmPresence(
  context: RequestContext,
  account: Account,
  typed: string,
): Promise<Refusal | null> {
  const { runtime, request, web, site, network, session, shown } = context
  if (account.password === null) {
    if (request.present === true) return null
    return refusalFor(raise(site.app, 'NF-PRESENCE', {}))
  }
  const isSane = typed.isWellFormed() && [...typed].length <= passwordLength.max
  const guess = { of: 'password', account: account.person, network, device: session } as const
  const guessed = await countingFailures(runtime.store, request, guess, async () =>
    isSane && (await web.passwords.verify(typed, account.password)) ? account : null,
  )
  if (guessed.kind !== 'right') return notProven(context, guessed, 'current', 'currentWrong')
  shown.anew = 'password'
  return null
}
