/** What can be pressed: links, submits, forms of one button, questions before a final step, menus. All of it native HTML, none of it needs a script. */
import { type ReactNode, useId } from 'react'
import { Icon, type IconName } from './icons.tsx'
import { classes, type Reader, useReader } from './reader.tsx'

/** At most one `primary` in a region; `bad` for what is final or destructive. */
export type Tone = 'primary' | 'plain' | 'bad' | 'quiet'

/** A hidden input: csrf, the version that was seen, where to go afterwards. */
export interface Hidden {
  readonly name: string
  readonly value: string
}

interface Look {
  readonly tone?: Tone
  readonly small?: boolean
  readonly icon?: IconName
  /** Said after the label to those who cannot see what the button stands beside: `PR-10482`. */
  readonly object?: string
  /** The letter that presses it from anywhere on the page; null, or absent: none does. */
  readonly letter?: string | null
}

const tones: Readonly<Record<Tone, string | false>> = { primary: 'pri', plain: false, bad: 'bad', quiet: 'quiet' }

function look({ tone = 'plain', small = false }: Look, ...more: readonly (string | false)[]): string | undefined {
  return classes('btn', tones[tone], small && 'sm', ...more)
}

const keyed = (letter: Look['letter']) => letter ?? undefined

function Label({ icon, object, letter, children }: Look & { readonly children: ReactNode }) {
  return (
    <>
      {icon !== undefined && <Icon name={icon} />}
      {children}
      {object !== undefined && <span className="vh"> {object}</span>}
      {letter != null && (
        <span className="letter" aria-hidden="true">
          {letter}
        </span>
      )}
    </>
  )
}

export function HiddenInputs({ inputs }: { readonly inputs: readonly Hidden[] }) {
  return inputs.map(({ name, value }) => <input key={`${name}=${value}`} type="hidden" name={name} value={value} />)
}

interface LinkButtonProps extends Look {
  readonly href: string
  readonly children: ReactNode
}

/** Goes somewhere; changes nothing. */
export function LinkButton({ href, children, ...rest }: LinkButtonProps) {
  return (
    <a className={look(rest)} href={href} aria-keyshortcuts={keyed(rest.letter)}>
      <Label {...rest}>{children}</Label>
    </a>
  )
}

interface SubmitProps extends Look {
  readonly children: ReactNode
  readonly name?: string
  readonly value?: string
  /** Another address than the form's. */
  readonly action?: string
  /** For what is not the form's purpose (add a row, save a draft): the browser does not insist on complete answers. */
  readonly unchecked?: boolean
}

/** Submits the form that it stands in. */
export function Submit({ children, name, value, action, unchecked = false, ...rest }: SubmitProps) {
  return (
    <button
      type="submit"
      className={look(rest)}
      name={name}
      value={value}
      formAction={action}
      formNoValidate={unchecked}
      aria-keyshortcuts={keyed(rest.letter)}
    >
      <Label {...rest}>{children}</Label>
    </button>
  )
}

interface PostButtonProps extends Look {
  readonly action: string
  readonly hidden: readonly Hidden[]
  readonly children: ReactNode
  readonly name?: string
  readonly value?: string
}

/** A form of one button: every change of data is a POST. */
export function PostButton({ action, hidden, children, name, value, ...rest }: PostButtonProps) {
  return (
    <form method="post" action={action} className="one">
      <HiddenInputs inputs={hidden} />
      <button type="submit" className={look(rest)} name={name} value={value} aria-keyshortcuts={keyed(rest.letter)}>
        <Label {...rest}>{children}</Label>
      </button>
    </form>
  )
}

/** What is asked before a step that is final, costly or needs a reason. */
export interface Ask {
  /** Names the object: `Decline LN-2026-00007?` */
  readonly title: string
  /** What follows: `This is final. Cleo Clerk is told by e-mail.` */
  readonly consequence: string
  /** On the button that does it: `Decline the loan`. */
  readonly confirm: string
  /** Fields to fill in, already as controls. */
  readonly fields?: ReactNode
}

interface AskButtonProps extends PostButtonProps {
  readonly ask: Ask
}

/** What leaves a question open: not the word on the button that answers it, as where a step is called Cancel. */
export const wayOut = ({ words }: Reader, confirm: string): string => {
  const cancel = words('cancel')
  return confirm.toLowerCase().includes(cancel.toLowerCase()) ? words('goBack') : cancel
}

/** A button that asks first, in a popover that works without a script. Cancel is what is focused, not the step. */
export function AskButton({ action, hidden, children, name, value, ask, ...rest }: AskButtonProps) {
  const reader = useReader()
  const id = useId()
  return (
    <>
      <button type="button" className={look(rest)} popoverTarget={id} aria-keyshortcuts={keyed(rest.letter)}>
        <Label {...rest}>{children}</Label>
      </button>
      <div className="ask" id={id} popover="auto" role="dialog" aria-labelledby={`${id}t`}>
        <form method="post" action={action}>
          <HiddenInputs inputs={hidden} />
          <h2 id={`${id}t`}>{ask.title}</h2>
          <p>{ask.consequence}</p>
          {ask.fields}
          <div className="acts end">
            <button
              type="button"
              className="btn"
              popoverTarget={id}
              popoverTargetAction="hide"
              // biome-ignore lint/a11y/noAutofocus: within a popover it says where the focus goes when it opens
              autoFocus={ask.fields === undefined}
            >
              {wayOut(reader, ask.confirm)}
            </button>
            <button
              type="submit"
              className={classes('btn', rest.tone === 'bad' ? 'bad' : 'pri')}
              name={name}
              value={value}
            >
              {ask.confirm}
            </button>
          </div>
        </form>
      </div>
    </>
  )
}

export type MenuItem =
  | {
      readonly kind: 'link'
      readonly label: string
      readonly href: string
      readonly icon?: IconName
      readonly tone?: 'plain' | 'bad'
      readonly current?: boolean
      /** The state that it leads to: where a script lets cards be dragged, it looks for this. */
      readonly to?: string
    }
  /** A submit of the form around the menu (or of the menu's own form, when `hidden` is given to the menu). */
  | {
      readonly kind: 'post'
      readonly label: string
      readonly action: string
      readonly name?: string
      readonly value?: string
      readonly icon?: IconName
      readonly tone?: 'plain' | 'bad'
      readonly to?: string
    }
  | { readonly kind: 'text'; readonly text: ReactNode }
  | { readonly kind: 'rule' }

interface MenuProps {
  /** Unique on the page. */
  readonly id: string
  /** On the button; with `icon` it is the button's name only. */
  readonly label: string
  readonly icon?: IconName
  /** Shows the label beside the icon. */
  readonly wide?: boolean
  readonly small?: boolean
  readonly tone?: Tone
  readonly items: readonly MenuItem[]
  /** Given: the menu is a form of its own. Absent: it stands in a form, or has links only. */
  readonly hidden?: readonly Hidden[]
}

/** A button with a menu of links and submits, as a native popover. */
export function Menu({ id, label, icon, wide = false, small = false, tone = 'plain', items, hidden }: MenuProps) {
  // biome-ignore lint/suspicious/noArrayIndexKey: rendered once; rules and texts have no identity of their own
  const content = items.map((item, at) => <Item key={`${at} ${item.kind}`} item={item} />)
  return (
    <>
      <button
        type="button"
        className={look({ tone, small }, !wide && icon !== undefined && 'sq')}
        popoverTarget={id}
        aria-label={icon !== undefined && !wide ? label : undefined}
      >
        {icon !== undefined && <Icon name={icon} />}
        {(icon === undefined || wide) && label}
      </button>
      <div className="menu" id={id} popover="auto">
        {hidden === undefined ? (
          content
        ) : (
          <form method="post">
            <HiddenInputs inputs={hidden} />
            {content}
          </form>
        )}
      </div>
    </>
  )
}

function Item({ item }: { readonly item: MenuItem }) {
  if (item.kind === 'rule') return <hr />
  if (item.kind === 'text') return <p className="muted">{item.text}</p>
  const content = (
    <>
      {item.icon !== undefined && <Icon name={item.icon} />}
      {item.label}
    </>
  )
  const className = item.tone === 'bad' ? 'bad' : undefined
  return item.kind === 'link' ? (
    <a className={className} href={item.href} aria-current={item.current ? 'true' : undefined} data-to={item.to}>
      {content}
    </a>
  ) : (
    <button
      type="submit"
      className={className}
      formAction={item.action}
      formMethod="post"
      name={item.name}
      value={item.value}
      data-to={item.to}
    >
      {content}
    </button>
  )
}
