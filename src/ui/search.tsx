/** Finding anything: the box in the sidebar, and the page with what answers to it. The palette shows the same groups. */
import { Icon } from './icons.tsx'
import { Note, PageHead, Sheet } from './page.tsx'
import { EmptyState } from './problem.tsx'
import { useReader } from './reader.tsx'
import { StateLabel } from './state.tsx'
import type { Ring } from './states.ts'

export interface SearchGroup {
  readonly title: string
  readonly items: readonly SearchItem[]
  /** There is more of it: the list that shows all, or without an address only that there is. */
  readonly more: { readonly label: string; readonly href: string | null } | null
}

interface SearchItem {
  readonly label: string
  readonly href: string
  readonly state?: { readonly label: string; readonly ring: Ring }
  /** What of it answers, where that is not its label: "Borrower: Anna". */
  readonly note?: string
}

interface FindProps {
  /** The page with what is found, without scripts and with them. */
  readonly action: string
  readonly search: string
  /** Address of the record that is open: its steps are found too. */
  readonly from: string | null
}

interface FindBoxProps extends Omit<FindProps, 'search'> {
  /** Whose records this browser keeps in mind; empty: nobody's. */
  readonly person: string
  /** The page that says what keys do; null: single keys do nothing. */
  readonly shortcuts: string | null
  /** Minutes without a request after which the session ends: `client/page/session.ts` then looks. */
  readonly idle: number
}

/** The palette stands on this form: `client/page.ts` opens it with Ctrl or Cmd and K. */
export function Find({ action, from, person, shortcuts, idle }: FindBoxProps) {
  const { words } = useReader()
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element `search` is not known to every browser that we serve
    <form
      className="find"
      role="search"
      action={action}
      aria-label={words('findAll')}
      data-find={person}
      data-idle={idle}
      data-recent={words('findRecent')}
      data-here={words('findHere')}
      data-keys={words('findKeys')}
      data-shortcuts={shortcuts ?? undefined}
    >
      <Icon name="search" />
      <input
        type="search"
        name="q"
        aria-label={words('findAll')}
        placeholder={words('findHint')}
        autoComplete="off"
        aria-keyshortcuts="Control+K Meta+K"
      />
      {from !== null && <input type="hidden" name="from" value={from} />}
      <kbd hidden />
    </form>
  )
}

interface SearchPageProps extends FindProps {
  readonly groups: readonly SearchGroup[]
  /** What was not looked for as it was typed. */
  readonly notes: readonly string[]
}

export function SearchPage({ search, groups, notes, ...find }: SearchPageProps) {
  const { words } = useReader()
  return (
    <>
      <PageHead title={words('find')} />
      <div className="stack">
        <form className="found" action={find.action}>
          <label className="vh" htmlFor="found-q">
            {words('find')}
          </label>
          <input className="in" id="found-q" type="search" name="q" defaultValue={search} autoComplete="off" />
          {find.from !== null && <input type="hidden" name="from" value={find.from} />}
          <button type="submit" className="btn pri">
            {words('search')}
          </button>
        </form>
        {notes.length > 0 && (
          <Note tone="wait" icon="alert">
            {notes.join(' ')}
          </Note>
        )}
        {groups.length === 0 && (
          <div className="sheet">
            <EmptyState title={words('pickNone')} text={words('findNone')} />
          </div>
        )}
        {groups.map(({ title, items, more }) => (
          <Sheet key={title} title={title} flush>
            <ul className="waits">
              {items.map(({ label, href, state, note }) => (
                <li key={href}>
                  <span className="what">
                    <a href={href}>{label}</a> {note !== undefined && <small className="muted">{note}</small>}
                  </span>
                  {state !== undefined && <StateLabel name={state.label} ring={state.ring} />}
                </li>
              ))}
            </ul>
            {more !== null && (
              <p className="body">
                {more.href === null ? (
                  <span className="muted">{more.label}</span>
                ) : (
                  <a href={more.href}>{more.label}</a>
                )}
              </p>
            )}
          </Sheet>
        ))}
      </div>
    </>
  )
}
