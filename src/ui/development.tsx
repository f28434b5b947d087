/** Pages that only `dev` has: the mailbox, and the document's mistakes while the old application keeps running. */
import type { ReactNode } from 'react'
import { PageHead, Sheet, Tag, When, type WhenProps } from './page.tsx'
import { EmptyState } from './problem.tsx'
import { useReader } from './reader.tsx'
import { DataTable } from './table.tsx'

interface MailSummary {
  readonly id: string
  readonly href: string
  readonly to: string
  readonly subject: string
  readonly sent: WhenProps
  /** Marks beside the subject: not delivered, second try. */
  readonly tags?: ReactNode
}

export function Mailbox({ mails }: { readonly mails: readonly MailSummary[] }) {
  const { words } = useReader()
  return (
    <>
      <PageHead title={words('mailbox')} facts={<span>{words('mailboxHint')}</span>} />
      <div className="sheet">
        {mails.length === 0 ? (
          <EmptyState title={words('mailboxEmpty')} text={words('mailboxEmptyHint')} />
        ) : (
          <DataTable
            caption={words('mails', { count: mails.length })}
            columns={[
              { key: 'subject', label: words('mailSubject'), slot: 'title', priority: 1, sort: null },
              { key: 'to', label: words('mailTo'), priority: 2, sort: null, bare: true },
              { key: 'sent', label: words('mailSent'), slot: 'note', priority: 1, sort: null },
            ]}
            rows={mails.map(mail => ({
              id: mail.id,
              object: mail.subject,
              href: mail.href,
              cells: [mail.subject, mail.to, <When key="sent" {...mail.sent} />],
            }))}
          />
        )}
      </div>
    </>
  )
}

export interface Mail {
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly sent: WhenProps
  readonly text: string
  /** Addresses found in the text, so that a sign-in link can be followed here. */
  readonly links: readonly string[]
}

export function MailView({ mail }: { readonly mail: Mail }) {
  const { words, format } = useReader()
  return (
    <>
      <PageHead title={mail.subject} />
      <div className="stack">
        <div className="sheet">
          <div className="body">
            <dl className="dl">
              <div>
                <dt>{words('mailFrom')}</dt>
                <dd>{mail.from}</dd>
              </div>
              <div>
                <dt>{words('mailTo')}</dt>
                <dd>{format.allOf(mail.to)}</dd>
              </div>
              <div>
                <dt>{words('mailSent')}</dt>
                <dd>
                  <When {...mail.sent} />
                </dd>
              </div>
            </dl>
          </div>
        </div>
        <Sheet title={words('mailText')}>
          <div className="letter">
            <Linked text={mail.text} links={mail.links} />
          </div>
        </Sheet>
      </div>
    </>
  )
}

/** The text with the given addresses as links; everything else is text. */
function Linked({ text, links }: { readonly text: string; readonly links: readonly string[] }) {
  const found = links.map(link => ({ link, at: text.indexOf(link) })).filter(({ at }) => at >= 0)
  const first = found.sort((a, b) => a.at - b.at || b.link.length - a.link.length)[0]
  if (first === undefined) return text
  const after = first.at + first.link.length
  return (
    <>
      {text.slice(0, first.at)}
      <a href={first.link}>{first.link}</a>
      <Linked text={text.slice(after)} links={links} />
    </>
  )
}

/** A line of source in a frame, with the part that is meant. */
export interface FrameLine {
  readonly number: number
  readonly text: string
  /** Half-open range of UTF-16 offsets in `text`; null for a line of context. */
  readonly mark: { readonly start: number; readonly end: number } | null
}

export interface DiagnosticView {
  readonly code: string
  readonly severity: 'error' | 'warning' | 'gap' | 'hint'
  readonly message: string
  readonly help: string | null
  readonly file: string
  readonly line: number
  readonly column: number
  readonly frame: readonly FrameLine[]
  readonly related: readonly { readonly message: string; readonly file: string; readonly frame: readonly FrameLine[] }[]
  /** Titles of the edits that would cure it. */
  readonly fixes: readonly string[]
  /** The article about the code. */
  readonly article: string | null
}

interface DiagnosticsProps {
  readonly diagnostics: readonly DiagnosticView[]
  /** There is an application from before the change that is still served. */
  readonly running: boolean
}

const tones = { error: 'bad', warning: 'wait', gap: 'go', hint: 'mute' } as const
const severities = {
  error: 'severityError',
  warning: 'severityWarning',
  gap: 'severityGap',
  hint: 'severityHint',
} as const

export function Diagnostics({ diagnostics, running }: DiagnosticsProps) {
  const { words } = useReader()
  const count = (severity: DiagnosticView['severity']) => diagnostics.filter(one => one.severity === severity).length
  return (
    <>
      <PageHead
        title={words('diagnosticsTitle')}
        facts={
          <>
            <span>
              {words('diagnosticsCounts', {
                errors: words('errors', { count: count('error') }),
                warnings: words('warnings', { count: count('warning') }),
              })}
            </span>
            <span>{words(running ? 'diagnosticsOld' : 'diagnosticsNone')}</span>
          </>
        }
      />
      <DiagnosticList diagnostics={diagnostics} />
    </>
  )
}

export function DiagnosticList({ diagnostics }: Pick<DiagnosticsProps, 'diagnostics'>) {
  return (
    <ol className="stack">
      {diagnostics.map(diagnostic => (
        <li
          key={`${diagnostic.file}:${diagnostic.line}:${diagnostic.column} ${diagnostic.code}`}
          className="sheet diagnostic"
        >
          <DiagnosticBody diagnostic={diagnostic} />
        </li>
      ))}
    </ol>
  )
}

function DiagnosticBody({ diagnostic }: { readonly diagnostic: DiagnosticView }) {
  const { words } = useReader()
  const { severity, code, message, file, line, column, frame, related, help, fixes, article } = diagnostic
  return (
    <>
      <header>
        <h2>
          <Tag tone={tones[severity]}>
            {words(severities[severity])} {code}
          </Tag>{' '}
          {message}
        </h2>
        <span className="src">
          {file}:{line}:{column}
        </span>
      </header>
      <Frame lines={frame} />
      {related.map(one => (
        <div key={`${one.file} ${one.message}`}>
          <p className="related">
            {one.message} <span className="src">{one.file}</span>
          </p>
          <Frame lines={one.frame} />
        </div>
      ))}
      {(help !== null || fixes.length > 0 || article !== null) && (
        <div className="body stack">
          {help !== null && (
            <p>
              {help} {article !== null && <a href={article}>{words('why')}</a>}
            </p>
          )}
          {fixes.length > 0 && (
            <dl className="dl long">
              <div>
                <dt>{words('fix')}</dt>
                {fixes.map(fix => (
                  <dd key={fix}>
                    <code>{fix}</code>
                  </dd>
                ))}
              </div>
            </dl>
          )}
        </div>
      )}
    </>
  )
}

/** Lines of the document with their numbers; the part that is meant is marked. */
export function Frame({ lines }: { readonly lines: readonly FrameLine[] }) {
  return (
    <ol className="frame">
      {lines.map(({ number, text, mark }) => (
        <li key={number} value={number} data-line={number} className={mark === null ? undefined : 'hit'}>
          {mark === null ? (
            <code>{text}</code>
          ) : (
            <code>
              {text.slice(0, mark.start)}
              <mark>{text.slice(mark.start, mark.end) || ' '}</mark>
              {text.slice(mark.end)}
            </code>
          )}
        </li>
      ))}
    </ol>
  )
}
