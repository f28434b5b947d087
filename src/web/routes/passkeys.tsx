/** Passkeys of one's own account: added, named, removed; and signing in with one. */
import { raise } from '../../run/problems/raise.ts'
import { HiddenInputs } from '../../ui/buttons.tsx'
import { TextControl } from '../../ui/controls.tsx'
import { Field } from '../../ui/form.tsx'
import { PageHead, Sheet } from '../../ui/page.tsx'
import { PasskeyForm } from '../../ui/sign-in.tsx'
import { keyNameLetters, passkeysOfPerson } from '../bounds.ts'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import { begunPerNetwork } from '../rate-limit/allowances.ts'
import { attempt, uncount } from '../rate-limit/backoff.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, json, seeOther } from '../response.ts'
import { say } from '../sentences.ts'
import { type Account, accountById } from '../sign-in/accounts.ts'
import { changeOwn } from '../sign-in/change.ts'
import { confirmPresence, type Refusal } from '../sign-in/confirm.ts'
import { givenName } from '../sign-in/given-name.ts'
import { linkOf, takeLink } from '../sign-in/links.ts'
import { safeNext } from '../sign-in/next.ts'
import {
  askForNew,
  askForProof,
  isPasskeyId,
  keepPasskey,
  madePasskey,
  type Passkey,
  passkeysOf,
  personOfProof,
  type RelyingParty,
  removePasskey,
  renamePasskey,
} from '../sign-in/passkeys.ts'
import { waysOf } from '../sign-in/ways.ts'
import { CurrentPassword } from './current-password.tsx'
import { letIn, mustShowFactor } from './enter.tsx'
import { postedForm, signInForm, usedUp } from './sign-in.tsx'

const address = '/-/account/passkeys'

const placeOf = (context: RequestContext): RelyingParty => ({
  store: context.runtime.store,
  origin: context.web.origin,
  app: context.site.app.name,
  now: context.request.now,
  secret: context.formSecret,
})

/** The account that asks; null where there is none, the document names no passkeys, or another factor is to be shown first. */
async function own(context: RequestContext): Promise<Account | null> {
  const { id } = context.request.actor
  if (id === null || !(await waysOf(context)).passkey || (await mustShowFactor(context, id))) return null
  return accountById(context.runtime.store, id)
}

/** `remove`: the one of which it is asked whether it is really to go. */
export async function passkeysPage(
  context: RequestContext,
  refusal: Refusal | null = null,
  remove: string | null = null,
): Promise<HttpResponse> {
  const { site, runtime, request } = context
  const account = await own(context)
  if (account === null) return notFound(context)
  const keys = await passkeysOf(runtime.store, account.person)
  const { format } = site.reader
  const named = remove ?? context.query.get('remove')
  const leaving = keys.some(({ id }) => id === named) ? named : null
  return pageOf(context, {
    title: [say(site, 'passkeys')],
    faults: refusal === null ? [] : [refusal],
    scripts: ['passkey.js'],
    content: (
      <>
        <PageHead title={say(site, 'passkeys')} facts={<span>{say(site, 'passkeysText')}</span>} />
        <div className="stack">
          {keys.map(key => (
            <KeySheet
              key={key.id}
              context={context}
              passkey={key}
              account={account}
              leaves={key.id === leaving}
              refusal={refusal}
              facts={say(site, 'passkeySince', {
                since: format.moment(key.made),
                used: key.used === null ? say(site, 'keyNever') : format.relative(key.used, request.now),
              })}
            />
          ))}
          {leaving === null && (
            <Sheet title={say(site, 'passkeyNew')}>
              <PasskeyForm
                kind="new"
                action={address}
                options={`${address}/options`}
                hidden={[csrfInput(context), { name: 'do', value: 'add' }]}
                label={say(site, 'passkeyAdd')}
                fault={say(site, 'passkeyNotMade')}
              >
                <Field id="name" label={say(site, 'name')} hint={say(site, 'passkeyNameHint')} width="medium">
                  {aid => <TextControl aid={aid} name="name" value="" maxLength={keyNameLetters} />}
                </Field>
                <CurrentPassword context={context} account={account} />
              </PasskeyForm>
              <noscript>{say(site, 'passkeyScripts')}</noscript>
            </Sheet>
          )}
        </div>
      </>
    ),
  })
}

interface KeyProps {
  readonly context: RequestContext
  readonly passkey: Passkey
  readonly account: Account
  readonly facts: string
  /** It is asked whether it is really to go. */
  readonly leaves: boolean
  readonly refusal: Refusal | null
}

function KeySheet({ context, passkey, account, facts, leaves, refusal }: KeyProps) {
  const { site } = context
  const hidden = [csrfInput(context), { name: 'id', value: passkey.id }]
  const named = <span className="vh"> {passkey.name}</span>
  return (
    <Sheet title={passkey.name}>
      <p className="muted">{facts}</p>
      <form method="post" action={address} className="stack" noValidate>
        <HiddenInputs inputs={hidden} />
        {leaves ? (
          <>
            <CurrentPassword context={context} account={account} refusal={refusal} />
            <div>
              <button type="submit" className="btn bad" name="do" value="remove">
                {say(site, 'passkeyRemove')}
                {named}
              </button>{' '}
              <a className="btn" href={address}>
                {site.reader.words('cancel')}
              </a>
            </div>
          </>
        ) : (
          <>
            <Field id={`name-${passkey.id}`} label={say(site, 'name')} width="medium">
              {aid => <TextControl aid={aid} name="name" value={passkey.name} maxLength={keyNameLetters} />}
            </Field>
            <div>
              <button type="submit" className="btn" name="do" value="rename">
                {say(site, 'passkeyRename')}
                {named}
              </button>{' '}
              <a className="btn bad" href={`${address}?${new URLSearchParams({ remove: passkey.id })}`}>
                {say(site, 'passkeyRemove')}
                {named}
              </a>
            </div>
          </>
        )}
      </form>
    </Sheet>
  )
}

const refusalOf = (context: RequestContext, why: 'name' | 'wrong' | 'taken' | 'too many'): Refusal => {
  const { site } = context
  const text = {
    name: () => say(site, 'ownNameWrong'),
    wrong: () => raise(site.app, 'NF-PASSKEY', {}).message,
    taken: () => say(site, 'passkeyTaken'),
    'too many': () => say(site, 'passkeysTooMany', { most: passkeysOfPerson }),
  }[why]()
  return { control: why === 'name' || why === 'taken' ? 'name' : null, text, status: 422 }
}

const told = ({ web, request }: RequestContext, person: string, did: string): void =>
  web.options.log({ level: 'info', event: 'passkey', request: request.id, detail: { person, did } })

/** What the device is asked for a new one: only whoever knows the password gets it. */
export async function newPasskeyOptions(context: RequestContext): Promise<HttpResponse> {
  const account = await own(context)
  if (account === null) return notFound(context)
  const form = postedForm(context)
  const refusal =
    givenName(form) === null
      ? refusalOf(context, 'name')
      : await confirmPresence(context, account, form.get('current') ?? '')
  if (refusal !== null) return json({ text: refusal.text }, refusal.status)
  return json(await askForNew(placeOf(context), account))
}

export async function changePasskeys(context: RequestContext): Promise<HttpResponse> {
  const { site, web, runtime } = context
  const account = await own(context)
  if (account === null) return notFound(context)
  const { person } = account
  const form = postedForm(context)
  const name = givenName(form)
  const id = form.get('id') ?? ''
  const does = form.get('do')
  if (does !== 'add' && !isPasskeyId(id)) return notFound(context)
  if (does === 'remove') {
    const denied = await confirmPresence(context, account, form.get('current') ?? '')
    if (denied !== null) return passkeysPage(context, denied, id)
    const isGone = await changeOwn(context, account, { what: 'passkey removed' }, tx => removePasskey(tx, person, id))
    if (isGone === null) return notFound(context)
    told(context, person, 'removed')
    return seeOther(address, [flashCookie(web, say(site, 'passkeyRemoved'))])
  }
  if (does !== 'add' && does !== 'rename') return notFound(context)
  if (name === null) return passkeysPage(context, refusalOf(context, 'name'))
  if (does === 'rename') {
    const isDone = await renamePasskey(runtime.store, person, id, name)
    return isDone ? seeOther(address) : passkeysPage(context, refusalOf(context, 'taken'))
  }
  const place = placeOf(context)
  const made = await madePasskey(place, person, form.get('credential') ?? '')
  if (made === null) return passkeysPage(context, refusalOf(context, 'wrong'))
  let why: Awaited<ReturnType<typeof keepPasskey>> = null
  await changeOwn(context, account, { what: 'passkey', name }, async tx => {
    why = await keepPasskey(tx, place, { person, name, made })
    return why === null ? true : null
  })
  if (why !== null) return passkeysPage(context, refusalOf(context, why))
  told(context, person, 'added')
  return seeOther(address, [flashCookie(web, say(site, 'passkeyAdded', { name }))])
}

/** What the device is asked for: any passkey of this application, or one of whom the first factor named. */
export async function passkeyOptions(context: RequestContext): Promise<HttpResponse> {
  const { runtime, request, network, site } = context
  if (!(await waysOf(context)).passkey) return notFound(context)
  const wait = await attempt(runtime.store, begunPerNetwork, network, request.now)
  if (wait > 0) return json({ text: say(site, 'signInWait', { wait: site.reader.format.wait(wait) }) }, 429)
  const link = await linkOf(runtime.store, postedForm(context).get('token'), ['second_factor'], request.now)
  return json(await askForProof(placeOf(context), link?.person ?? null))
}

/** With a `token` of the first factor the passkey must be that person's; without, it tells who it is. */
export async function signInWithPasskey(context: RequestContext): Promise<HttpResponse> {
  const { runtime, request, web, network, address: from, site } = context
  if (!(await waysOf(context)).passkey) return notFound(context)
  const form = postedForm(context)
  const next = safeNext(form.get('next'))
  const token = form.get('token')
  const link = await linkOf(runtime.store, token, ['second_factor'], request.now)
  if (link === null && token !== null) return usedUp(context)
  const person = await personOfProof(placeOf(context), form.get('credential') ?? '')
  if (person === null || (link !== null && link.person !== person)) {
    const detail = { ok: false, address: from, way: 'passkey' }
    web.options.log({ level: 'warn', event: 'sign-in', request: request.id, detail })
    const { message, whatToDo, status } = raise(site.app, 'NF-PASSKEY', {})
    return signInForm(context, {
      next,
      email: '',
      faults: [{ control: null, text: `${message} ${whatToDo}` }],
      status,
    })
  }
  if (link !== null && (await takeLink(runtime.store, token, ['second_factor'], request.now)) === null)
    return usedUp(context)
  await uncount(runtime.store, { allowance: begunPerNetwork, who: network })
  return letIn(context, person, next, 'passkey', true)
}
