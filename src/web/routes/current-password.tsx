/** The field that asks somebody who is signed in for their password again, before something that outlives the session. */
import { TextControl } from '../../ui/controls.tsx'
import { Field } from '../../ui/form.tsx'
import { ShowPassword } from '../../ui/sign-in.tsx'
import type { RequestContext } from '../request-context.ts'
import { say } from '../sentences.ts'
import type { Account } from '../sign-in/accounts.ts'
import type { Refusal } from '../sign-in/confirm.ts'

interface Props {
  readonly context: RequestContext
  readonly account: Account
  readonly refusal?: Refusal | null | undefined
  /** Its form asks for another password as well, and shows both by a button of its own. */
  readonly beside?: boolean
}

/** Nothing where the account has no password to ask for. `confirmPresence` reads it. */
export function CurrentPassword({ context, account, refusal, beside = false }: Props) {
  if (account.password === null) return null
  const error = refusal?.control === 'current' ? refusal.text : null
  return (
    <>
      <Field id="current" label={say(context.site, 'currentPassword')} error={error} width="medium">
        {aid => <TextControl aid={aid} name="current" type="password" value="" autoComplete="current-password" />}
      </Field>
      {!beside && <ShowPassword />}
    </>
  )
}
