/** Signing in: password or a link by mail; pasting is allowed, nothing is puzzled over; while developing one click per demo person. */
import { type ReactNode, useId } from 'react'
import { type Hidden, HiddenInputs } from './buttons.tsx'
import { TextControl } from './controls.tsx'
import { ErrorSummary, type Fault, Field } from './form.tsx'
import { Icon } from './icons.tsx'
import { Avatar, initialsOf, Note } from './page.tsx'
import { useReader } from './reader.tsx'

export interface DemoPerson {
  readonly name: string
  /** `Clerk, Manager`. */
  readonly roles: string
  /** Name and value of the button that signs in as this person. */
  readonly value: string
}

interface SignInProps {
  readonly app: string
  /** What the document says to whoever comes in. */
  readonly text?: string | null
  /** Where e-mail and password go. */
  readonly action: string
  /** csrf and the page that was wanted. */
  readonly hidden: readonly Hidden[]
  readonly email: string
  /** The same words for an unknown person and a wrong password. */
  readonly faults: readonly Fault[]
  /** Null where the document does not offer it. */
  readonly password: boolean
  readonly link: { readonly action: string } | null
  /** Another place that lets people in; `end`: where to sign out there too, right after signing out here. */
  readonly single?: { readonly href: string; readonly name: string; readonly end: string | null } | null
  /** Null where the document does not offer passkeys. */
  readonly passkey?: { readonly action: string; readonly options: string } | null
  /** Where whoever forgot their password goes. */
  readonly forgotten?: string
  /** Where whoever has no account makes one; null: nobody may. */
  readonly signUp?: string | null
  /** A session that ended while somebody typed: what was typed is kept in `hidden`. */
  readonly again?: boolean
  /** The note of the document where another way of signing in is left open. */
  readonly note?: string | null
  readonly demo: {
    readonly action: string
    readonly people: readonly DemoPerson[]
    /** What the application is, in a sentence; null: the document does not say. */
    readonly about: string | null
    readonly tries: readonly TryView[]
  } | null
}

/** One click for the first minute: who does what, and on which page. */
export interface TryView {
  readonly person: string
  readonly name: string
  /** "Rita makes a new purchase request." */
  readonly text: string
  readonly next: string
}

export function SignIn(props: SignInProps) {
  const {
    app,
    text,
    action,
    hidden,
    email,
    faults,
    password,
    link,
    single = null,
    passkey = null,
    forgotten,
    signUp = null,
    again = false,
    note,
    demo,
  } = props
  const { words } = useReader()
  const tries = again ? [] : (demo?.tries ?? [])
  const Heading = tries.length > 0 ? 'h2' : 'h1'
  return (
    <>
      <ErrorSummary faults={faults} />
      {demo !== null && tries.length > 0 && <Tries app={app} hidden={hidden} {...demo} />}
      <section className="sheet">
        <div className="body stack">
          <div>
            <Heading>{again ? words('signInAgain') : words('signInTo', { app })}</Heading>
            {text != null && <p>{text}</p>}
            {again && <p className="muted">{words('signInKept')}</p>}
          </div>
          {single !== null && (
            <a className={password || link !== null ? 'btn' : 'btn pri'} href={single.href}>
              {words('signInWith', { name: single.name })}
            </a>
          )}
          {passkey !== null && (
            <PasskeyForm
              kind="proof"
              {...passkey}
              hidden={hidden}
              label={words('signInPasskey')}
              fault={words('passkeyFailed')}
            />
          )}
          {single?.end != null && (
            <Note>
              <p>{words('stillThere', { name: single.name })}</p>
              <a href={single.end}>{words('signOutThere', { name: single.name })}</a>
            </Note>
          )}
          {(password || link !== null) && (
            <form className="stack" method="post" action={password ? action : (link?.action ?? action)}>
              <HiddenInputs inputs={hidden} />
              <Field id="email" label={words('email')} error={faultOf(faults, 'email')}>
                {aid => (
                  <TextControl aid={aid} name="email" type="email" value={email} autoComplete="username" required />
                )}
              </Field>
              {password && (
                <>
                  <Field id="password" label={words('password')} error={faultOf(faults, 'password')}>
                    {aid => (
                      <TextControl aid={aid} name="password" type="password" value="" autoComplete="current-password" />
                    )}
                  </Field>
                  <ShowPassword />
                </>
              )}
              {password ? (
                <>
                  <button type="submit" className="btn pri">
                    {words('signIn')}
                  </button>
                  {link !== null && (
                    <button type="submit" className="btn" formAction={link.action}>
                      <Icon name="mail" />
                      {words('emailLink')}
                    </button>
                  )}
                </>
              ) : (
                <button type="submit" className="btn pri">
                  <Icon name="mail" />
                  {words('emailLinkOnly')}
                </button>
              )}
            </form>
          )}
          {!password && link === null && single === null && <Note>{words('signInNowhere')}</Note>}
          {password && forgotten !== undefined && <a href={forgotten}>{words('forgotten')}</a>}
          {signUp !== null && <a href={signUp}>{words('signUp')}</a>}
          {note != null && <Note>{note}</Note>}
        </div>
      </section>
      {demo !== null && demo.people.length > 0 && <DemoPeople hidden={hidden} {...demo} />}
    </>
  )
}

/** Shows what is typed as passwords in its form, and hides it again, by the script of every page. It has its place before that comes. */
export function ShowPassword() {
  const { words } = useReader()
  return (
    <div>
      <button type="button" className="btn sm late" aria-pressed={false} data-reveal="">
        {words('showPassword')}
      </button>
    </div>
  )
}

interface PasskeyFormProps {
  /** `new`: a passkey is made; `proof`: one is used. */
  readonly kind: 'new' | 'proof'
  readonly action: string
  /** Where the browser gets what it asks the device. */
  readonly options: string
  readonly hidden: readonly Hidden[]
  readonly label: string
  /** Said where the device refuses, or nobody answers it. */
  readonly fault: string
  readonly children?: ReactNode
}

/** Only where there are scripts: without one there is nothing to send. */
export function PasskeyForm({ kind, action, options, hidden, label, fault, children }: PasskeyFormProps) {
  return (
    <form
      className="stack late"
      method="post"
      action={action}
      data-passkey={kind}
      data-options={options}
      data-fault={fault}
      noValidate
    >
      <HiddenInputs inputs={hidden} />
      <input type="hidden" name="credential" value="" />
      {children}
      <div>
        <button type="submit" className="btn">
          {label}
        </button>
        <p role="alert" className="err" />
      </div>
    </form>
  )
}

const faultOf = (faults: readonly Fault[], control: string): string | null =>
  faults.find(fault => fault.control === control)?.text ?? null

function Tries({
  app,
  about,
  action,
  hidden,
  tries,
}: NonNullable<SignInProps['demo']> & Pick<SignInProps, 'app' | 'hidden'>) {
  const { words } = useReader()
  const own = hidden.filter(({ name }) => name !== 'next')
  return (
    <section className="sheet">
      <div className="body stack">
        <div>
          <h1>{app}</h1>
          {about !== null && <p>{about}</p>}
        </div>
        <div>
          <h2>{words('tryTitle')}</h2>
          <p className="muted">{words('tryText')}</p>
        </div>
        <ol className="tries">
          {tries.map(({ person, name, text, next }, at) => (
            <li key={person}>
              <p>{text}</p>
              <form method="post" action={action}>
                <HiddenInputs inputs={[...own, { name: 'next', value: next }, { name: 'person', value: person }]} />
                <button type="submit" className={at === 0 ? 'btn pri' : 'btn'}>
                  {words('tryBe', { name })}
                </button>
              </form>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

function DemoPeople(props: {
  readonly action: string
  readonly people: readonly DemoPerson[]
  readonly hidden: readonly Hidden[]
}) {
  const { words } = useReader()
  const id = useId()
  return (
    <section className="sheet" aria-labelledby={id}>
      <header>
        <div>
          <h2 id={id}>{words('demoPeople')}</h2>
          <p className="muted">{words('demoPeopleHint')}</p>
        </div>
      </header>
      <form className="body" method="post" action={props.action}>
        <HiddenInputs inputs={props.hidden} />
        <ul className="people">
          {props.people.map(({ name, roles, value }) => (
            <li key={value}>
              <button type="submit" className="btn" name="person" value={value}>
                <Avatar initials={initialsOf(name)} />
                <span>
                  <strong>{name}</strong>
                  <small>{roles}</small>
                </span>
              </button>
            </li>
          ))}
        </ul>
      </form>
    </section>
  )
}

/** After "e-mail me a link": the same for everybody, whether there is an account or not. */
export function LinkSent({ email, back }: { readonly email: string; readonly back: string }) {
  const { words } = useReader()
  return (
    <section className="sheet">
      <div className="body stack">
        <h1>{words('linkSent')}</h1>
        <p>{words('linkSentText', { email })}</p>
        <a className="btn" href={back}>
          {words('back')}
        </a>
      </div>
    </section>
  )
}
