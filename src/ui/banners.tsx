/** Strips above everything, on each page. */
import { type Hidden, HiddenInputs } from './buttons.tsx'
import { Icon, type IconName } from './icons.tsx'
import { useReader } from './reader.tsx'

interface DevBannerProps {
  /** File of the document, its gaps, the mailbox, who one is. */
  readonly links: readonly {
    readonly label: string
    readonly href: string
    readonly icon?: IconName
    readonly current?: boolean
  }[]
  /** Lines of the document are shown where somebody asks for them. */
  readonly lines: boolean
  /** One click to be somebody else. */
  readonly people: {
    readonly action: string
    readonly hidden: readonly Hidden[]
    readonly names: readonly { readonly value: string; readonly label: string }[]
  } | null
  /** The newest text has mistakes, and the application from before it goes on: the first of them, and the page that shows all. */
  readonly mistakes?: { readonly href: string; readonly first: string } | null
}

interface ActingBannerProps {
  readonly text: string
  readonly stop: { readonly action: string; readonly hidden: readonly Hidden[]; readonly label: string }
}

/** Above everything, on each page: who acts as whom, and how that ends. */
export function ActingBanner({ text, stop }: ActingBannerProps) {
  return (
    <aside className="acting" aria-label={text}>
      <Icon name="alert" />
      <strong>{text}</strong>
      <form method="post" action={stop.action}>
        <HiddenInputs inputs={stop.hidden} />
        <button type="submit" className="btn sm">
          {stop.label}
        </button>
      </form>
    </aside>
  )
}

/** The strip that only `dev` shows: it is never part of the application. */
export function DevBanner({ links, people, lines, mistakes = null }: DevBannerProps) {
  const { words } = useReader()
  return (
    <aside className="dev" aria-label={words('developing')}>
      <span className="tag wait">
        <Icon name="code" />
        {words('developing')}
      </span>
      {links.map(({ label, href, icon, current }) => (
        <a key={href} href={href} aria-current={current ? 'page' : undefined}>
          {icon !== undefined && <Icon name={icon} />}
          {label}
        </a>
      ))}
      {lines && (
        <label>
          <input type="checkbox" id="dev-lines" />
          {words('showLines')}
        </label>
      )}
      {mistakes !== null && (
        <a className="told bad" href={mistakes.href}>
          <Icon name="alert" />
          {`${words('diagnosticsTitle')}: ${mistakes.first}`}
        </a>
      )}
      {/* Shown by a script when the document has changed and a form is half filled in: what was typed is not thrown away. */}
      <output className="told wait" data-changed-note="" hidden>
        {words('documentChanged')}
        <button type="button">{words('reload')}</button>
      </output>
      {people !== null && (
        <form method="post" action={people.action}>
          <HiddenInputs inputs={people.hidden} />
          {people.names.map(({ value, label }) => (
            <button
              key={value}
              type="submit"
              name="person"
              value={value}
              aria-label={words('signInAs', { name: label })}
              data-do=""
            >
              {label}
            </button>
          ))}
        </form>
      )}
    </aside>
  )
}
