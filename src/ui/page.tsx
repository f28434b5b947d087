/** What every screen is put together from: its head, crumbs, sheets, notes, columns and the regions that scroll. */
import { Fragment, type ReactNode, useId } from 'react'
import { Icon, type IconName } from './icons.tsx'
import { LineMark } from './provenance.tsx'
import { classes, type Line, useReader } from './reader.tsx'

export interface Crumb {
  readonly label: string
  /** Null: the page itself. */
  readonly href: string | null
}

export function Crumbs({ crumbs }: { readonly crumbs: readonly Crumb[] }) {
  const { words } = useReader()
  if (crumbs.length === 0) return null
  return (
    <nav className="crumbs" aria-label={words('breadcrumb')}>
      <ol>
        {crumbs.map(({ label, href }) => (
          <li key={`${label} ${href}`} aria-current={href === null ? 'page' : undefined}>
            {href === null ? label : <a href={href}>{label}</a>}
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface PageHeadProps {
  /** The one h1: what this page is. */
  readonly title: string
  /** What follows the title, in smaller letters: a number, a code. */
  readonly reference?: string
  /** Before the title; decoration. */
  readonly picture?: ReactNode
  /** Under the title, in a sentence: what the page is for. */
  readonly meaning?: string | null | undefined
  /** Under the title: state, reference, key facts. */
  readonly facts?: ReactNode
  /** Buttons; at most one of them primary. */
  readonly actions?: ReactNode
  /** One has come on to it from another page of the same form: reading begins here. */
  readonly first?: boolean
}

export function PageHead({ title, reference = '', picture, meaning, facts, actions, first = false }: PageHeadProps) {
  return (
    <div className="phead">
      {picture}
      <div>
        <h1 {...(first && { tabIndex: -1, autoFocus: true })}>
          {whole(title)}
          {reference !== '' && <small className="muted nw"> · {reference}</small>}
        </h1>
        {meaning != null && meaning !== '' && <p className="rec-sub">{meaning}</p>}
        {facts != null && <div className="rec-sub">{facts}</div>}
      </div>
      {actions != null && <div className="acts">{actions}</div>}
    </div>
  )
}

/** A number such as `IN-2026-00008` is not broken at its hyphens. */
const whole = (title: string): ReactNode =>
  title.split(/(\S*-\S*\d\S*)/).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, which stay in their places
      <span key={at} className="nw">
        {part}
      </span>
    ),
  )

export interface SheetProps {
  readonly title: string
  /** At the end of the sheet's head: a count, a link. */
  readonly aside?: ReactNode
  readonly line?: Line | null
  /** Without inner margin, for tables and lists that bring their own. */
  readonly flush?: boolean
  readonly children: ReactNode
}

/** A titled surface: one section of a page. */
export function Sheet({ title, aside, line, flush = false, children }: SheetProps) {
  const id = useId()
  return (
    <section className="sheet" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
        <LineMark line={line} />
      </header>
      {flush ? children : <div className="body">{children}</div>}
    </section>
  )
}

/** Sections below each other. */
export function Stack({ children }: { readonly children: ReactNode }) {
  return <div className="stack">{children}</div>
}

/** A place that scrolls sideways by itself: reached by the keyboard and named, so that it can be scrolled without a mouse. */
export function ScrollRegion(props: {
  readonly label?: string
  readonly labelledBy?: string
  readonly className: string
  readonly children: ReactNode
}) {
  return (
    <section
      className={props.className}
      aria-label={props.label}
      aria-labelledby={props.labelledBy}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard (WCAG 2.1.1)
      tabIndex={0}
    >
      {props.children}
    </section>
  )
}

interface NoteProps {
  readonly tone?: 'go' | 'wait' | 'bad' | 'good'
  readonly icon?: IconName
  /** What just happened: read before anything else. */
  readonly first?: boolean
  readonly children: ReactNode
}

/** Something to know before going on. */
export function Note({ tone = 'go', icon = 'info', first = false, children }: NoteProps) {
  return (
    <div className={classes('note', tone !== 'go' && tone)} {...(first && { tabIndex: -1, autoFocus: true })}>
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  )
}

interface TagProps {
  readonly tone: 'go' | 'wait' | 'bad' | 'good' | 'mute'
  readonly icon?: IconName
  readonly children: ReactNode
}

/** A word that marks something: `late`, `Your turn`. Sign and word, never the tint alone. */
export function Tag({ tone, icon, children }: TagProps) {
  return (
    <span className={`tag ${tone}`}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </span>
  )
}

/** A word that the document gives a record while something holds of it. */
export interface MarkOf {
  readonly label: string
  readonly tone: 'bad' | 'warning' | 'good' | 'plain'
}

const marks = {
  bad: { tone: 'bad', icon: 'alert' },
  warning: { tone: 'wait', icon: 'clock' },
  good: { tone: 'good', icon: 'check' },
  plain: { tone: 'mute' },
} as const

/** Marks of a record, each parted from what stands before it by a space. */
export const Marks = ({ of }: { readonly of: readonly MarkOf[] }) =>
  of.map(({ label, tone }) => (
    <Fragment key={label}>
      {' '}
      <Tag {...marks[tone]}>{label}</Tag>
    </Fragment>
  ))

/** The mark for a value that is empty, said as a word to those who do not see the dash. */
export function Nothing() {
  const { words } = useReader()
  return (
    <span className="muted">
      <span aria-hidden="true">–</span>
      <span className="vh">{words('empty')}</span>
    </span>
  )
}

export interface WhenProps {
  /** ISO date or moment, for machines. */
  readonly iso: string
  /** As people read it. */
  readonly text: string
  /** The same in full, where `text` is short or relative. */
  readonly full?: string
}

export function When({ iso, text, full }: WhenProps) {
  return (
    <time dateTime={iso} title={full}>
      {text}
    </time>
  )
}

/** The first letters of the first and last name. */
export function initialsOf(name: string): string {
  const parts = name.trim().split(/\s+/)
  return [parts[0], parts.length > 1 ? parts.at(-1) : undefined]
    .map(part => [...(part ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase()
}

/** `initialsOf` a name as a round mark; decoration beside the name. */
export function Avatar({ initials }: { readonly initials: string }) {
  return (
    <span className="av" aria-hidden="true">
      {initials}
    </span>
  )
}
