/** Changes of one's own credentials, by whoever has just shown who they are. */
import { type CredentialChange, changeCredential, shown } from '../../run/people/credentials.ts'
import type { Tx } from '../../store/pool.ts'
import type { RequestContext } from '../request-context.ts'
import type { Account } from './accounts.ts'

/** Null: there was nothing to change, as `write` says. */
export async function changeOwn<Value>(
  { runtime, request, web }: RequestContext,
  { person, name }: Pick<Account, 'person' | 'name'>,
  change: Omit<CredentialChange, 'person'>,
  write: (tx: Tx) => Promise<Value | null>,
): Promise<Value | null> {
  const proven = shown(request, { id: person, name })
  const outcome = await runtime.store.inTransaction(tx =>
    changeCredential(tx, runtime.app, proven, { ...change, person }, () => write(tx)),
  )
  web.options.wake?.()
  if ('denied' in outcome) throw new Error(`Their own credentials are denied to them: ${outcome.denied.code}.`)
  return outcome.value
}
