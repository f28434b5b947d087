/** What happened to a record: who, what, when; changes of fields from what to what; mails and calls with their outcome. */
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'
import { When, type WhenProps } from './page.tsx'
import { LineMark } from './provenance.tsx'
import { classes, type Line, useReader } from './reader.tsx'

export interface Change {
  readonly field: string
  /** Null: was, or became, empty. */
  readonly before: string | null
  readonly after: string | null
}

export interface HistoryItem {
  readonly id: string
  readonly icon: IconName
  readonly tone?: 'good' | 'bad'
  /** Null: the application itself did it (a timer, an answer). */
  readonly who: string | null
  /** What follows the name: `approved`, `changed 2 fields`. */
  readonly what: ReactNode
  readonly when: WhenProps
  readonly changes: readonly Change[]
  /** What was said. */
  readonly said?: ReactNode
  readonly note?: ReactNode
  readonly line?: Line | null
}

export function History({ items }: { readonly items: readonly HistoryItem[] }) {
  return (
    <ol className="tl">
      {items.map(({ id, icon, tone, who, what, when, changes, said, note, line }) => (
        <li key={id}>
          <span className={classes('ev', tone)}>
            <Icon name={icon} />
          </span>
          <div className="w">
            <p>
              {who !== null && <strong>{who} </strong>}
              {what} <When {...when} /> <LineMark line={line} />
            </p>
            {said}
            {changes.length > 0 && <Changes changes={changes} />}
            {note != null && <div className="muted">{note}</div>}
          </div>
        </li>
      ))}
    </ol>
  )
}

/** `<del>` and `<ins>` with a word each, because not every screen reader says what they are. */
export function Changes({ changes }: { readonly changes: readonly Change[] }) {
  const { words } = useReader()
  return (
    <dl className="chg">
      {changes.map(({ field, before, after }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            {before !== null && (
              <>
                <span className="vh">{words('was')} </span>
                <del>{before}</del>{' '}
              </>
            )}
            <span className="vh">{words('became')} </span>
            <ins>{after ?? words('empty')}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}
