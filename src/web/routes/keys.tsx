/** Keys for programs: made by a person for one of their own roles, shown once, used up by time or taken back. */

import { engineValue } from '../../headings/9-limits/engine.ts'
import { isId } from '../../run/values.ts'
import type { Tx } from '../../store/pool.ts'
import { HiddenInputs, PostButton } from '../../ui/buttons.tsx'
import { AreaControl, CheckControl, SelectControl, TextControl } from '../../ui/controls.tsx'
import { BesideField, Field } from '../../ui/form.tsx'
import { Note, PageHead, Sheet } from '../../ui/page.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { keyDays, keyNameLetters, keysOfPerson } from '../bounds.ts'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { seeOther } from '../response.ts'
import { say } from '../sentences.ts'
import { type Account, accountById } from '../sign-in/accounts.ts'
import { type ApiKey, keysOf, makeKey, type NewKey, type NoKey, revokeKey } from '../sign-in/api-keys.ts'
import { changeOwn } from '../sign-in/change.ts'
import { confirmPresence, type Refusal } from '../sign-in/confirm.ts'
import { givenName } from '../sign-in/given-name.ts'
import { CurrentPassword } from './current-password.tsx'
import { postedForm } from './sign-in.tsx'

interface State {
  readonly refusals?: readonly Refusal[]
  /** A key that was just made; this page is the only one that ever shows it. */
  readonly made?: string
  readonly typed?: URLSearchParams
}

export const keysPage = (context: RequestContext): Promise<HttpResponse> => render(context, {})

async function render(context: RequestContext, state: State): Promise<HttpResponse> {
  const { site, runtime, request } = context
  const account = request.actor.id === null ? null : await accountById(runtime.store, request.actor.id)
  if (account === null) return notFound(context)
  const keys = await keysOf(runtime.store, account.person)
  return pageOf(context, {
    title: [say(site, 'keys')],
    faults: state.refusals ?? [],
    content: (
      <>
        <PageHead title={say(site, 'keys')} facts={<span>{say(site, 'keysText', { address: '/api/v1' })}</span>} />
        <div className="stack">
          {state.made !== undefined && (
            <Note tone="good" icon="check">
              <Field id="made" label={say(site, 'keyMade')} hint={say(site, 'keyOnce')}>
                {aid => <AreaControl aid={aid} name="made" value={state.made!} readOnly first />}
              </Field>
            </Note>
          )}
          <KeyTable context={context} keys={keys} />
          <NewKeySheet context={context} account={account} state={state} />
        </div>
      </>
    ),
  })
}

function KeyTable({ context, keys }: { readonly context: RequestContext; readonly keys: readonly ApiKey[] }) {
  const { site, request } = context
  const { format } = site.reader
  if (keys.length === 0) return <p className="muted">{say(site, 'keysNone')}</p>
  const hidden = [csrfInput(context)]
  return (
    <div className="sheet">
      <PlainTable
        roomy
        label={say(site, 'keys')}
        columns={[
          { key: 'name', label: say(site, 'name') },
          { key: 'role', label: say(site, 'keyRole') },
          { key: 'ends', label: say(site, 'keyEnds') },
          { key: 'used', label: say(site, 'keyUsed') },
          { key: 'revoke', label: say(site, 'keyRevoke'), bare: true },
        ]}
        rows={keys.map(({ id, name, role, seen, ends, signIn, assistant }) => ({
          id,
          cells: [
            name,
            <>
              {role} {assistant && <span className="tag">{say(site, 'keyAssistant')}</span>}{' '}
              {signIn && <span className="tag">{say(site, 'keySignIn')}</span>}{' '}
              {!request.actor.roles.includes(role) && <span className="tag bad">{say(site, 'keyIdle')}</span>}
            </>,
            <>
              {format.moment(ends)}{' '}
              {Date.parse(ends) <= request.now.getTime() && <span className="tag bad">{say(site, 'keyEnded')}</span>}
            </>,
            seen === null ? say(site, 'keyNever') : format.relative(seen, request.now),
            <PostButton
              key="revoke"
              action="/-/account/keys"
              hidden={hidden}
              name="revoke"
              value={id}
              small
              tone="bad"
              object={name}
            >
              {say(site, 'keyRevoke')}
            </PostButton>,
          ],
        }))}
      />
    </div>
  )
}

interface NewKeyProps {
  readonly context: RequestContext
  readonly account: Account
  readonly state: State
}

function NewKeySheet({ context, account, state: { refusals = [], typed } }: NewKeyProps) {
  const { site, request } = context
  return (
    <Sheet title={say(site, 'newKey')}>
      <form method="post" action="/-/account/keys" className="stack" noValidate>
        <HiddenInputs inputs={[csrfInput(context)]} />
        <KeyFields context={context} roles={request.actor.roles} refusals={refusals} typed={typed} />
        <BesideField id="sign_in" hint={say(site, 'keySignInHint')}>
          {aid => (
            <CheckControl
              aid={aid}
              name="sign_in"
              value={maySignIn(typed) ? 'yes' : 'no'}
              text={say(site, 'keySignIn')}
            />
          )}
        </BesideField>
        <CurrentPassword context={context} account={account} refusal={atControl(refusals, 'current')} />
        <div>
          <button type="submit" className="btn pri">
            {say(site, 'makeKey')}
          </button>
        </div>
      </form>
    </Sheet>
  )
}

export const atControl = (refusals: readonly Refusal[], control: string): Refusal | undefined =>
  refusals.find(one => one.control === control)

interface KeyFieldsProps {
  readonly context: RequestContext
  /** Those that may be chosen. */
  readonly roles: readonly string[]
  readonly refusals: readonly Refusal[]
  readonly typed: URLSearchParams | undefined
}

/** What it is called, as what it acts, and for how long. */
export function KeyFields({ context: { site, request }, roles, refusals, typed }: KeyFieldsProps) {
  const most = engineValue(request.limits, 'max_key_days')
  const errorAt = (control: string) => atControl(refusals, control)?.text ?? null
  return (
    <>
      <Field id="name" label={say(site, 'name')} hint={say(site, 'keyNameHint')} error={errorAt('name')} width="medium">
        {aid => <TextControl aid={aid} name="name" value={typed?.get('name') ?? ''} maxLength={keyNameLetters} />}
      </Field>
      <Field
        id="role"
        label={say(site, 'keyRole')}
        hint={say(site, 'keyRoleHint')}
        error={errorAt('role')}
        width="medium"
      >
        {aid => (
          <SelectControl
            aid={aid}
            name="role"
            value={typed?.get('role') ?? (roles.length === 1 ? roles[0]! : '')}
            options={roles.map(role => ({ value: role, label: role }))}
          />
        )}
      </Field>
      <Field
        id="days"
        label={say(site, 'keyDays')}
        hint={say(site, 'keyDaysHint', { most })}
        error={errorAt('days')}
        width="small"
      >
        {aid => (
          <TextControl
            aid={aid}
            name="days"
            inputMode="numeric"
            numeric
            value={typed?.get('days') ?? String(Math.min(keyDays, most))}
          />
        )}
      </Field>
    </>
  )
}

const maySignIn = (form: URLSearchParams | undefined): boolean => form?.getAll('sign_in').includes('yes') === true

export async function changeKeys(context: RequestContext): Promise<HttpResponse> {
  const { site, web, runtime, request } = context
  const form = postedForm(context)
  const account = request.actor.id === null ? null : await accountById(runtime.store, request.actor.id)
  if (account === null) return notFound(context)
  const revoked = form.get('revoke')
  if (revoked !== null) {
    const name = isId(revoked) ? await revokeKey(runtime.store, account.person, revoked) : null
    if (name === null) return notFound(context)
    web.options.log({
      level: 'info',
      event: 'key',
      request: request.id,
      detail: { person: account.person, key: name, did: 'revoked' },
    })
    return seeOther('/-/account/keys', [flashCookie(web, say(site, 'keyRevoked', { name }))])
  }
  const signIn = maySignIn(form)
  const { random } = web.options
  const made = await makeOwn(context, account, form, { what: 'key', roles: request.actor.roles }, (tx, key) =>
    makeKey(tx, random, { ...key, signIn }),
  )
  return 'refusals' in made ? render(context, { ...made, typed: form }) : render(context, { made: made.key })
}

interface Own {
  readonly what: 'key' | 'assistant'
  /** Those that it may act in. */
  readonly roles: readonly string[]
}

/** Makes a key as it was typed, for somebody who shows that it is them; or gives everything that is wrong with it. */
export async function makeOwn<Made extends object>(
  context: RequestContext,
  account: Account,
  form: URLSearchParams,
  { what, roles }: Own,
  make: (tx: Tx, key: Omit<NewKey, 'signIn'>) => Promise<Made | NoKey>,
): Promise<Made | { readonly refusals: readonly Refusal[] }> {
  const { site, web, request } = context
  const wanted = wantedKey(context, form, roles)
  if ('refusals' in wanted) return wanted
  const denied = await confirmPresence(context, account, form.get('current') ?? '')
  if (denied !== null) return { refusals: [denied] }
  const { name, role, days } = wanted
  const { person } = account
  const ends = new Date(request.now.getTime() + days * 86_400_000)
  const key = { id: request.newId(), person, name, role, now: request.now, ends }
  let why: NoKey['refused'] | null = null
  const made = await changeOwn(context, account, { what, name }, async tx => {
    const outcome = await make(tx, key)
    if (!('refused' in outcome)) return outcome
    why = outcome.refused
    return null
  })
  if (made === null) {
    const text = why === 'taken' ? say(site, 'keyTaken') : say(site, 'keysTooMany', { most: keysOfPerson })
    return { refusals: [{ control: 'name', text, status: 422 }] }
  }
  web.options.log({
    level: 'info',
    event: 'key',
    request: request.id,
    detail: { person, key: name, role, days, did: what === 'key' ? 'made' : 'let in' },
  })
  return made
}

/** What was typed, where it can be had; else everything that is wrong with it. */
function wantedKey(
  { site, request }: RequestContext,
  form: URLSearchParams,
  roles: readonly string[],
): { readonly refusals: readonly Refusal[] } | { readonly name: string; readonly role: string; readonly days: number } {
  const refusals: Refusal[] = []
  const refuse = (control: string, text: string) => void refusals.push({ control, text, status: 422 })
  const name = givenName(form)
  const role = form.get('role') ?? ''
  const days = form.get('days') ?? ''
  const most = engineValue(request.limits, 'max_key_days')
  if (name === null) refuse('name', say(site, 'ownNameWrong'))
  if (!roles.includes(role)) refuse('role', say(site, 'keyRoleMissing'))
  if (!/^\d{1,6}$/.test(days) || Number(days) < 1 || Number(days) > most)
    refuse('days', say(site, 'keyDaysWrong', { most }))
  return name === null || refusals.length > 0 ? { refusals } : { name, role, days: Number(days) }
}
