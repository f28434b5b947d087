/** One's own account: how one sees the application, where one is signed in, and the password, which ends every other session. */

import { keyName } from '../../headings/translate.ts'
import { absentFrom } from '../../run/people/credentials.ts'
import { passwordLength } from '../../run/people/password.ts'
import { mailName, mailWays, noticeKinds, wayOf, ways } from '../../run/people/told.ts'
import { HiddenInputs, PostButton } from '../../ui/buttons.tsx'
import { RadioControl, SelectControl, TextControl } from '../../ui/controls.tsx'
import { Field, FieldGroup } from '../../ui/form.tsx'
import { PageHead, Sheet } from '../../ui/page.tsx'
import { ShowPassword } from '../../ui/sign-in.tsx'
import { spokenSite } from '../language.ts'
import { csrfInput, flashCookie, notFound, pageOf, refusalPage } from '../pages.tsx'
import {
  densities,
  keepPreferences,
  optionalMails,
  readPreferences,
  shortcuts,
  themes,
  toldName,
  zones,
} from '../preferences.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { say } from '../sentences.ts'
import { type Account, accountById, writePassword } from '../sign-in/accounts.ts'
import { changeOwn } from '../sign-in/change.ts'
import { confirmPresence, type Refusal } from '../sign-in/confirm.ts'
import { passwordFault } from '../sign-in/password-rules.ts'
import { agentText, endSessions, type OpenSession, ownAccount } from '../sign-in/sessions.ts'
import { type Ways, waysOf } from '../sign-in/ways.ts'
import { ActedList } from './act.tsx'
import { connectionHref, issuerName } from './connection.tsx'
import { CurrentPassword } from './current-password.tsx'
import { DeputySheet, readDeputies } from './deputies.tsx'
import { PresenceSheet } from './presence.tsx'
import { postedForm } from './sign-in.tsx'

/** `refusal`: what was just refused of one of its forms. */
export async function accountPage(context: RequestContext, refusal: Refusal | null = null): Promise<HttpResponse> {
  return render(context, refusal)
}

async function render(context: RequestContext, refusal: Refusal | null): Promise<HttpResponse> {
  const { site, runtime, request, session } = context
  const account = await ownAccount(runtime, request, session)
  if (account === null) return notFound(context)
  const { sessions, acted, issuers, passwords } = account
  const deputies = await readDeputies(context)
  const ways = await waysOf(context, passwords)
  return pageOf(context, {
    title: [say(site, 'account')],
    faults: refusal === null ? [] : [refusal],
    content: (
      <>
        <PageHead title={say(site, 'account')} facts={<span>{`${account.name}, ${account.email}`}</span>} />
        <div className="stack settings">
          <PresenceSheet context={context} account={account} next="/-/account" />
          <PreferenceSheet context={context} />
          <NoticeSheet context={context} />
          {deputies !== null && <DeputySheet context={context} deputies={deputies} refusal={refusal} />}
          <SessionSheet context={context} sessions={sessions} />
          {mayHavePassword(ways) && <PasswordSheet context={context} account={account} refusal={refusal} />}
          {acted.length > 0 && (
            <Sheet title={say(site, 'actedAsYou')}>
              <ActedList context={context} acted={acted} />
            </Sheet>
          )}
          {issuers.length > 0 && <ConnectionSheet context={context} issuers={issuers} />}
          <Elsewhere
            title={say(site, 'secondFactor')}
            text={say(site, 'secondFactorText')}
            href="/-/account/second-factor"
            label={say(site, 'secondFactorManage')}
          />
          {ways.passkey && (
            <Elsewhere
              title={say(site, 'passkeys')}
              text={say(site, 'passkeysText')}
              href="/-/account/passkeys"
              label={say(site, 'passkeysManage')}
            />
          )}
          <Elsewhere
            title={say(site, 'keys')}
            text={say(site, 'keysText', { address: '/api/v1' })}
            href="/-/account/keys"
            label={say(site, 'keysManage')}
          />
        </div>
      </>
    ),
  })
}

/** Whether there is anything to set one for. */
const mayHavePassword = ({ password, link, single }: Ways): boolean => password || (link && single === null)

/** What has a page of its own. */
function Elsewhere(props: {
  readonly title: string
  readonly text: string
  readonly href: string
  readonly label: string
}) {
  return (
    <Sheet title={props.title}>
      <p>{props.text}</p>
      <p>
        <a className="btn" href={props.href}>
          {props.label}
        </a>
      </p>
    </Sheet>
  )
}

function ConnectionSheet({
  context,
  issuers,
}: {
  readonly context: RequestContext
  readonly issuers: readonly string[]
}) {
  const { site } = context
  return (
    <Sheet title={say(site, 'connections')}>
      <ul className="sessions">
        {issuers.map(issuer => (
          <li key={issuer}>
            <strong>{issuerName(context, issuer)}</strong>
            <a className="btn sm" href={connectionHref(issuer)}>
              {say(site, 'disconnect')}
              <span className="vh"> {issuerName(context, issuer)}</span>
            </a>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

/** What is chosen by one of a few buttons; the first is what holds where nobody chose. */
const looks = [
  { name: 'density', preference: 'density', values: densities },
  { name: 'theme', preference: 'theme', values: themes },
  { name: 'shortcuts', preference: 'shortcuts', values: shortcuts },
] as const

type SentenceOf<Of> = Of extends {
  readonly preference: infer P extends string
  readonly values: readonly (infer V extends string)[]
}
  ? `${P}.${V}`
  : never
type Choice = SentenceOf<(typeof looks)[number]>

function PreferenceSheet({ context }: { readonly context: RequestContext }) {
  const { site, preferences } = context
  const { languages, timeZone } = site.app.product
  return (
    <Sheet title={say(site, 'preferences')}>
      <form method="post" action="/-/account/preferences" className="stack">
        <input type="hidden" name="_csrf" value={csrfInput(context).value} />
        {languages.length > 1 && (
          <Field id="language" label={say(site, 'language')} width="medium">
            {aid => (
              <SelectControl
                aid={aid}
                name="language"
                value={preferences?.language ?? ''}
                empty={say(site, 'asBrowser')}
                options={languages.map(({ tag }) => ({ value: tag, label: nameOf(tag) }))}
              />
            )}
          </Field>
        )}
        <Field
          id="time_zone"
          label={say(site, 'timeZone')}
          hint={say(site, 'timeZoneHint', { zone: timeZone.name })}
          width="medium"
        >
          {aid => (
            <SelectControl
              aid={aid}
              name="time_zone"
              value={preferences?.timeZone ?? ''}
              empty={say(site, 'asApplication', { zone: timeZone.name })}
              options={zones.map(zone => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
            />
          )}
        </Field>
        <Looks context={context} />
        <HiddenInputs
          inputs={Object.entries(preferences?.told ?? {}).map(([name, way]) => ({ name: toldName(name), value: way }))}
        />
        <Save context={context} />
      </form>
    </Sheet>
  )
}

/** Both sheets send all that is kept: what the other one shows goes along as it is. */
function NoticeSheet({ context }: { readonly context: RequestContext }) {
  const { site, preferences } = context
  const kept = [
    csrfInput(context),
    { name: 'language', value: preferences?.language ?? '' },
    { name: 'time_zone', value: preferences?.timeZone ?? '' },
    ...looks.map(({ name, preference }) => ({ name, value: preferences?.[preference] ?? '' })),
  ]
  return (
    <Sheet title={say(site, 'notices')}>
      <form method="post" action="/-/account/preferences" className="stack">
        <HiddenInputs inputs={kept} />
        {noticeKinds.map(kind => (
          <WayChoice key={kind} context={context} name={kind} label={say(site, `told.${kind}`)}>
            {ways.map(way => ({ value: way, label: say(site, `way.${way}`) }))}
          </WayChoice>
        ))}
        {optionalMails(site.app.mails).map(({ key }) => (
          <WayChoice
            key={key}
            context={context}
            name={mailName(key)}
            label={say(site, 'toldMail', { mail: keyName(site.app, key) })}
          >
            {mailWays.map(way => ({ value: way, label: say(site, `mailWay.${way}`) }))}
          </WayChoice>
        ))}
        <Save context={context} />
      </form>
    </Sheet>
  )
}

/** How they are told of one kind of thing. */
function WayChoice({
  context,
  name,
  label,
  children,
}: {
  readonly context: RequestContext
  readonly name: string
  readonly label: string
  readonly children: readonly { readonly value: string; readonly label: string }[]
}) {
  return (
    <Field id={toldName(name).replaceAll(/\W/g, '-')} label={label} width="medium">
      {aid => (
        <SelectControl
          aid={aid}
          name={toldName(name)}
          value={wayOf(context.preferences?.told, name)}
          options={children}
        />
      )}
    </Field>
  )
}

const Looks = ({ context: { site, preferences } }: { readonly context: RequestContext }) =>
  looks.map(({ name, preference, values }) => (
    <FieldGroup key={name} id={name} label={say(site, preference)}>
      {() => (
        <RadioControl
          id={name}
          name={name}
          value={preferences?.[preference] ?? values[0]}
          options={values.map(value => ({ value, label: say(site, `${preference}.${value}` as Choice) }))}
        />
      )}
    </FieldGroup>
  ))

const Save = ({ context }: { readonly context: RequestContext }) => (
  <div>
    <button type="submit" className="btn pri">
      {context.site.reader.words('save')}
    </button>
  </div>
)

/** A language as those call it who speak it. */
const nameOf = (tag: string): string => new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag

/** Keeps what was chosen, and says so in the language that was chosen. */
export async function choose(context: RequestContext): Promise<HttpResponse> {
  const { site, web, runtime, request, headers } = context
  if (request.actor.id === null) return notFound(context)
  const chosen = readPreferences(postedForm(context), site.app)
  await keepPreferences(runtime.store, request.actor.id, chosen, request.now)
  return seeOther('/-/account', [flashCookie(web, say(spokenSite(web, headers, chosen), 'chosen'))])
}

function SessionSheet({
  context,
  sessions,
}: {
  readonly context: RequestContext
  readonly sessions: readonly OpenSession[]
}) {
  const { site, request } = context
  const { format } = site.reader
  const hidden = [csrfInput(context)]
  return (
    <Sheet title={say(site, 'sessions')}>
      <ul className="sessions">
        {sessions.map(({ id, agent, created, seen, own }) => {
          const name = agentText(agent) || say(site, 'unknownAgent')
          const since = say(site, 'sessionSince', {
            since: format.moment(created),
            used: format.relative(seen, request.now),
          })
          return (
            <li key={id}>
              <span>
                <strong>{name}</strong> <span className="muted">{since}</span>
              </span>
              {own ? (
                <span className="tag good">{say(site, 'sessionHere')}</span>
              ) : (
                <PostButton
                  action="/-/account/sessions"
                  hidden={hidden}
                  name="end"
                  value={id}
                  small
                  object={`${name}, ${since}`}
                >
                  {say(site, 'endSession')}
                </PostButton>
              )}
            </li>
          )
        })}
      </ul>
      {sessions.length > 1 && (
        <PostButton action="/-/account/sessions" hidden={hidden} name="end" value="others">
          {say(site, 'endOthers')}
        </PostButton>
      )}
    </Sheet>
  )
}

/** Ends one other session, or all others, for whoever is there. One's own ends with signing out. */
export async function endSession(context: RequestContext): Promise<HttpResponse> {
  const { site, web, runtime, request, session } = context
  const id = postedForm(context).get('end') ?? ''
  if (request.actor.id === null || !/^(others|[0-9a-f]{64})$/.test(id)) return notFound(context)
  const absent = absentFrom(site.app, request)
  if (absent !== null) return refusalPage(context, absent)
  const ended = await endSessions(runtime.store, request.actor.id, id === 'others' ? { allBut: session } : { id })
  return seeOther('/-/account', [flashCookie(web, say(site, 'ended', { count: ended }))])
}

function PasswordSheet({
  context,
  account,
  refusal,
}: {
  readonly context: RequestContext
  readonly account: Account
  readonly refusal: Refusal | null
}) {
  const { site } = context
  const errorAt = (control: string) => (refusal?.control === control ? refusal.text : null)
  return (
    <Sheet title={site.reader.words('password')}>
      <form method="post" action="/-/account" className="stack" noValidate>
        <input type="hidden" name="_csrf" value={csrfInput(context).value} />
        {/* For password managers: whose password it is. */}
        <input type="text" name="username" value={account.email} autoComplete="username" readOnly hidden />
        <CurrentPassword context={context} account={account} refusal={refusal} beside />
        <Field
          id="password"
          width="medium"
          label={say(site, 'newPassword')}
          hint={say(site, 'passwordHint', { min: passwordLength.min })}
          error={errorAt('password')}
        >
          {aid => <TextControl aid={aid} name="password" type="password" value="" autoComplete="new-password" />}
        </Field>
        <ShowPassword />
        <p>{say(site, 'passwordEnds')}</p>
        <div>
          <button type="submit" className="btn pri">
            {say(site, 'changePassword')}
          </button>
        </div>
      </form>
    </Sheet>
  )
}

export async function changePassword(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, web } = context
  const form = postedForm(context)
  const account = request.actor.id === null ? null : await accountById(runtime.store, request.actor.id)
  if (account === null || !mayHavePassword(await waysOf(context))) return notFound(context)
  const denied = await confirmPresence(context, account, form.get('current') ?? '')
  if (denied !== null) return render(context, denied)
  const password = form.get('password') ?? ''
  const fault = await passwordFault(password, [account.email, account.name, site.app.name])
  if (fault !== null)
    return render(context, {
      control: 'password',
      text: say(site, `passwordFault.${fault}`, { min: passwordLength.min }),
      status: 422,
    })
  const hash = await web.passwords.hash(password)
  await changeOwn(context, account, { what: 'password' }, tx => writePassword(tx, account.person, hash, request.now))
  return seeOther('/-/account', [flashCookie(web, say(site, 'passwordSet'))])
}
