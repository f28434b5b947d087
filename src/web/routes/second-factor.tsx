/** The second factor of one's own account: set up, given up, its recovery codes; and signing in with a code. */
import { encode } from 'uqr'
import { atOnce } from '../../store/at-once.ts'
import { PostButton } from '../../ui/buttons.tsx'
import { Note, PageHead, Sheet } from '../../ui/page.tsx'
import { mustHaveFactor } from '../access.ts'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import { factorPath } from '../paths.ts'
import { countingFailures, type Guess } from '../rate-limit/failures.ts'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { seeOther } from '../response.ts'
import { say } from '../sentences.ts'
import { type Account, accountById } from '../sign-in/accounts.ts'
import { changeOwn } from '../sign-in/change.ts'
import { confirmPresence, notProven, type Refusal } from '../sign-in/confirm.ts'
import { knownDevice } from '../sign-in/devices.ts'
import { linkOf, takeLink } from '../sign-in/links.ts'
import { safeNext } from '../sign-in/next.ts'
import {
  addressOf,
  beginSecondFactor,
  confirmSecondFactor,
  dropSecondFactor,
  renewCodes,
  type SecondFactor,
  secondFactorOf,
  takeCode,
} from '../sign-in/second-factor.ts'
import { waysOf } from '../sign-in/ways.ts'
import { CurrentPassword } from './current-password.tsx'
import { CodeField, codePage, letIn, mustShowFactor } from './enter.tsx'
import { postedForm, usedUp } from './sign-in.tsx'

const address = factorPath

interface State {
  readonly refusal?: Refusal
  /** Recovery codes that were just made; this page is the only one that ever shows them. */
  readonly codes?: readonly string[]
}

export const secondFactorPage = (context: RequestContext): Promise<HttpResponse> => render(context, {})

async function render(context: RequestContext, { refusal, codes }: State): Promise<HttpResponse> {
  const { site, runtime, request } = context
  const store = atOnce(runtime.store)
  const [account, ways] = await Promise.all([
    request.actor.id === null ? null : accountById(store, request.actor.id),
    waysOf({ ...context, runtime: { ...runtime, store } }),
  ])
  if (account === null) return notFound(context)
  const factor = await secondFactorOf(runtime.store, context.web.seal, account.person)
  const isOn = factor !== null && factor.confirmed !== null
  const isLocked = await mustShowFactor(context, account.person)
  return pageOf(context, {
    title: [say(site, 'secondFactor')],
    faults: refusal === undefined ? [] : [refusal],
    content: (
      <>
        <PageHead title={say(site, 'secondFactor')} facts={<span>{say(site, 'secondFactorText')}</span>} />
        <div className="stack">
          {codes !== undefined && (
            <Note tone="good" icon="check" first>
              <p>{say(site, 'codesOnce')}</p>
              <ul>
                {codes.map(code => (
                  <li key={code}>
                    <code>{code}</code>
                  </li>
                ))}
              </ul>
            </Note>
          )}
          {mustHaveFactor(site.app, request.actor) && !context.strong && codes === undefined && (
            <Note tone="wait">
              <p>{say(site, isLocked ? 'factorAgain' : 'factorNeeded')}</p>
              {isLocked && (
                <PostButton action="/-/sign-out" hidden={[csrfInput(context)]}>
                  {site.reader.words('signOut')}
                </PostButton>
              )}
              {!isLocked && ways.passkey && <a href="/-/account/passkeys">{say(site, 'factorPasskey')}</a>}
            </Note>
          )}
          {isLocked ? null : isOn ? (
            <OnSheet context={context} factor={factor} refusal={refusal} />
          ) : (
            <>
              {factor !== null && <ProveSheet context={context} account={account} factor={factor} refusal={refusal} />}
              <BeginSheet context={context} account={account} again={factor !== null} refusal={refusal} />
            </>
          )}
        </div>
      </>
    ),
  })
}

interface SheetProps {
  readonly context: RequestContext
  readonly refusal: Refusal | undefined
}

const errorAt = (refusal: Refusal | undefined, control: string) => (refusal?.control === control ? refusal.text : null)

function BeginSheet(props: SheetProps & { readonly account: Account; readonly again: boolean }) {
  const { context, account, again, refusal } = props
  const { site } = context
  return (
    <Sheet title={say(site, again ? 'secondFactorAgain' : 'secondFactorOff')}>
      <form method="post" action={address} className="stack" noValidate>
        <input type="hidden" name="_csrf" value={csrfInput(context).value} />
        <CurrentPassword context={context} account={account} refusal={refusal} />
        <div>
          <button type="submit" name="do" value="begin" className={again ? 'btn' : 'btn pri'}>
            {say(site, 'secondFactorBegin')}
          </button>
        </div>
      </form>
    </Sheet>
  )
}

function ProveSheet(props: SheetProps & { readonly account: Account; readonly factor: SecondFactor }) {
  const { context, account, factor, refusal } = props
  const { site } = context
  const link = addressOf(factor.secret, site.app.name, account.email)
  return (
    <Sheet title={say(site, 'secondFactorProve')}>
      <form method="post" action={address} className="stack" noValidate>
        <input type="hidden" name="_csrf" value={csrfInput(context).value} />
        <p>{say(site, 'secondFactorScan')}</p>
        <Picture text={link} label={say(site, 'secondFactorPicture')} />
        <p>
          <a href={link}>{say(site, 'secondFactorHere')}</a>
        </p>
        <p>
          {say(site, 'secondFactorKey')} <code>{factor.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        </p>
        <CodeField context={context} error={errorAt(refusal, 'code')} first />
        <div>
          <button type="submit" name="do" value="confirm" className="btn pri">
            {say(site, 'secondFactorOn')}
          </button>
        </div>
      </form>
    </Sheet>
  )
}

/** Dark on light in either theme: not every camera reads it the other way round. */
function Picture({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width="192"
      height="192"
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function OnSheet({ context, factor, refusal }: SheetProps & { readonly factor: SecondFactor }) {
  const { site } = context
  return (
    <Sheet title={say(site, 'secondFactorIsOn')}>
      <form method="post" action={address} className="stack" noValidate>
        <input type="hidden" name="_csrf" value={csrfInput(context).value} />
        <p>{say(site, 'codesLeft', { count: factor.left })}</p>
        <CodeField context={context} error={errorAt(refusal, 'code')} />
        <div className="row">
          <button type="submit" name="do" value="codes" className="btn">
            {say(site, 'codesNew')}
          </button>{' '}
          <button type="submit" name="do" value="off" className="btn bad">
            {say(site, 'secondFactorDrop')}
          </button>
        </div>
      </form>
    </Sheet>
  )
}

export async function changeSecondFactor(context: RequestContext): Promise<HttpResponse> {
  const { site, web, runtime, request, session } = context
  const form = postedForm(context)
  const account = request.actor.id === null ? null : await accountById(runtime.store, request.actor.id)
  if (account === null) return notFound(context)
  const { person } = account
  const { random } = web.options
  if (await mustShowFactor(context, person)) return render(context, {})
  const does = form.get('do')
  if (does === 'begin') {
    const refusal = await confirmPresence(context, account, form.get('current') ?? '')
    if (refusal !== null) return render(context, { refusal })
    await beginSecondFactor(runtime.store, context.web.seal, person, random)
    return seeOther(address)
  }
  if (does !== 'confirm' && does !== 'codes' && does !== 'off') return notFound(context)
  const typed = form.get('code') ?? ''
  const guess: Guess = { of: 'code', account: person, network: context.network, device: session }
  const guessed = await countingFailures(runtime.store, request, guess, async (): Promise<readonly string[] | null> => {
    if (does === 'confirm')
      return changeOwn(context, account, { what: 'factor on' }, tx =>
        confirmSecondFactor(tx, web.seal, person, typed, request.now, random),
      )
    return changeOwn(context, account, { what: does === 'off' ? 'factor off' : 'codes' }, async tx => {
      if (!(await takeCode(tx, web.seal, person, typed, request.now))) return null
      if (does === 'codes') return renewCodes(tx, person, random)
      await dropSecondFactor(tx, person)
      return []
    })
  })
  if (guessed.kind !== 'right') return render(context, { refusal: notProven(context, guessed, 'code', 'codeWrong') })
  context.shown.anew = 'code'
  told(context, person, does === 'confirm' ? 'on' : does)
  return does === 'off'
    ? seeOther(address, [flashCookie(web, say(site, 'secondFactorDropped'))])
    : render(context, { codes: guessed.found })
}

function told({ web, request }: RequestContext, person: string, did: string): void {
  web.options.log({ level: 'info', event: 'second-factor', request: request.id, detail: { person, did } })
}

export async function signInWithCode(context: RequestContext): Promise<HttpResponse> {
  const { runtime, request, web, address: from } = context
  const form = postedForm(context)
  const token = form.get('token')
  const next = safeNext(form.get('next'))
  const link = await linkOf(runtime.store, token, ['second_factor'], request.now)
  if (link === null || token === null) return usedUp(context)
  const { person } = link
  const device = await knownDevice(context, { person })
  const guess: Guess = { of: 'code', account: person, network: context.network, device }
  const guessed = await countingFailures(runtime.store, request, guess, async () =>
    (await runtime.store.inTransaction(tx => takeCode(tx, web.seal, person, form.get('code') ?? '', request.now)))
      ? person
      : null,
  )
  if (guessed.kind !== 'right') {
    const { control, text, status } = notProven(context, guessed, 'code', 'codeWrong')
    const response = await codePage(context, { token, next, person }, [{ control, text }], status)
    if (guessed.kind === 'wait')
      return { ...response, headers: { ...response.headers, 'retry-after': String(guessed.seconds) } }
    const detail = { ok: false, address: from, way: 'code', person }
    web.options.log({ level: 'warn', event: 'sign-in', request: request.id, detail })
    return response
  }
  if ((await takeLink(runtime.store, token, ['second_factor'], request.now)) === null) return usedUp(context)
  return letIn(context, person, next, 'code', true)
}
