/** When there is nothing to show or something is wrong: what it is, why, what now; and after trouble what did not happen. */
import type { ReactNode } from 'react'
import { LineMark } from './provenance.tsx'
import { classes, type Line, useReader } from './reader.tsx'
import type { WordKey } from './words.ts'

type Art = 'nothing' | 'search' | 'lock' | 'fault'

interface EmptyStateProps {
  readonly art?: 'nothing' | 'search'
  readonly title: string
  readonly text?: ReactNode
  readonly actions?: ReactNode
  readonly line?: Line | null
}

/** Nothing yet, or nothing that matches: inside a sheet, with the way on. */
export function EmptyState({ art = 'nothing', title, text, actions, line }: EmptyStateProps) {
  return (
    <div className="empty">
      <Drawing art={art} />
      <h2>{title}</h2>
      {text != null && <p>{text}</p>}
      {actions != null && <div className="acts">{actions}</div>}
      {line != null && (
        <p>
          <LineMark line={line} />
        </p>
      )}
    </div>
  )
}

/** The statuses that have words of their own; another 4xx is shown as 400, another 5xx as 500. */
type ProblemStatus = 400 | 401 | 403 | 404 | 409 | 422 | 429 | 500 | 502 | 503 | 504

export interface ProblemProps {
  /** The response's HTTP status. */
  readonly status: number
  /** In the words of the error catalogue where it has some. */
  readonly what?: string | null
  readonly why?: ReactNode
  /** From the catalogue's "What to do". */
  readonly now?: ReactNode
  /** What did *not* happen; null: nothing worth saying. */
  readonly notDone?: string | null
  readonly actions?: ReactNode
  /** `E-DUE-2`. */
  readonly code?: string | null
  /** Finds the log entry: the request's id. */
  readonly reference?: string | null
  readonly line?: Line | null
}

const known: readonly number[] = [
  400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504,
] satisfies readonly ProblemStatus[]

/** The h1 of a problem, for the title of the page as well. */
export function problemTitle(
  status: number,
  words: (key: WordKey & `problem.${ProblemStatus}.what`) => string,
): string {
  return words(`problem.${spoken(status)}.what`)
}

function spoken(status: number): ProblemStatus {
  if (known.includes(status)) return status as ProblemStatus
  return status < 500 ? 400 : 500
}

/** The body of a page that could not do what was asked. */
export function Problem({ status, what, why, now, notDone, actions, code, reference, line }: ProblemProps) {
  const { words, provenance } = useReader()
  const shown = spoken(status)
  const art: Art = shown === 401 || shown === 403 ? 'lock' : shown === 404 ? 'search' : 'fault'
  const rest = notDone === undefined ? words(`problem.${shown}.notDone`) : notDone
  return (
    <section className="sheet">
      <div className={classes('body', 'empty', 'problem')}>
        <Drawing art={art} />
        <h1>{what ?? problemTitle(status, words)}</h1>
        <p>{why ?? words(`problem.${shown}.why`)}</p>
        {now != null && <p>{now}</p>}
        {rest !== null && <p>{rest}</p>}
        {actions != null && <div className="acts">{actions}</div>}
        <p className="muted">
          <small>
            {[code ?? String(status), reference == null ? null : words('reference', { reference })]
              .filter(Boolean)
              .join(' · ')}
            {line != null && provenance && ' · '}
            <LineMark line={line} />
          </small>
        </p>
      </div>
    </section>
  )
}

export function Drawing({ art }: { readonly art: Art }) {
  return (
    <svg className="art" viewBox="0 0 96 64" aria-hidden="true">
      {art === 'nothing' && (
        <>
          <rect x="20" y="8" width="56" height="48" rx="4" />
          <path d="M20 20h56M34 8v48" />
          <path className="s" d="M42 30h26M42 40h18" />
        </>
      )}
      {art === 'search' && (
        <>
          <rect x="14" y="10" width="50" height="44" rx="4" />
          <path d="M14 22h50" />
          <circle cx="62" cy="40" r="13" className="f" />
          <path d="m71.5 49.5 9 9" className="s" />
        </>
      )}
      {art === 'lock' && (
        <>
          <rect x="20" y="8" width="56" height="48" rx="4" strokeDasharray="4 4" />
          <rect className="f" x="38" y="28" width="20" height="16" rx="3" />
          <path className="s" d="M42 28v-4a6 6 0 0 1 12 0v4" />
        </>
      )}
      {art === 'fault' && (
        <>
          <rect x="20" y="8" width="56" height="48" rx="4" />
          <path d="M20 20h56" />
          <path className="s" d="M48 29v10M48 46h.01" />
        </>
      )}
    </svg>
  )
}
