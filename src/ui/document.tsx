/** The document inside the application: its nine headings, what they leave open, what is assumed meanwhile, and its text line by line. */
import type { ReactNode } from 'react'
import { PageHead, Sheet, Tag } from './page.tsx'
import { Assumed, LineMark } from './provenance.tsx'
import { type Line, useReader } from './reader.tsx'

export interface HeadingView {
  /** 1 to 9. */
  readonly number: number
  /** `Entities and their fields`. */
  readonly title: string
  readonly status: 'specified' | 'partly' | 'unspecified'
  /** What it says, in short: `4 entities, 31 fields`. */
  readonly summary?: ReactNode
  /** Gaps under this heading. */
  readonly gaps: number
  readonly line: Line
}

interface SeedProps {
  readonly headings: readonly HeadingView[]
  readonly document: { readonly href: string; readonly file: string } | null
}

/** What is served when a document says nothing yet: the nine headings, each marked unspecified. */
export function Seed({ headings, document }: SeedProps) {
  const { words } = useReader()
  return (
    <>
      <PageHead
        title={words('seedTitle')}
        facts={<span className="prose">{words('seedText')}</span>}
        actions={
          document !== null && (
            <a className="btn" href={document.href}>
              {words('source', { file: document.file })}
            </a>
          )
        }
      />
      <ol className="headings">
        {headings.map(heading => (
          <li key={heading.number}>
            <section className="sheet" aria-labelledby={`h${heading.number}`}>
              <header>
                <h2 id={`h${heading.number}`}>
                  <span className="muted">{heading.number}</span> {heading.title}
                </h2>
                {heading.status !== 'unspecified' && <Status status={heading.status} />}
              </header>
              <div className="body">
                {heading.status === 'unspecified' ? (
                  <div className="assume">
                    <strong>{words('unspecified')}</strong>
                    <p>{words('unspecifiedText')}</p>
                    <p>
                      <LineMark line={heading.line} />
                    </p>
                  </div>
                ) : (
                  heading.summary
                )}
              </div>
            </section>
          </li>
        ))}
      </ol>
    </>
  )
}

function Status({ status }: { readonly status: HeadingView['status'] }) {
  const { words } = useReader()
  const tones = { specified: 'good', partly: 'wait', unspecified: 'mute' } as const
  return (
    <Tag tone={tones[status]} {...(status === 'specified' ? { icon: 'check' as const } : {})}>
      {words(status)}
    </Tag>
  )
}

interface GapView {
  readonly what: string
  readonly owner: string | null
  /** What happens as long as it is open: `Nobody may see it.` */
  readonly consequence: string
  readonly line: Line
}

interface AssumptionView {
  readonly text: string
  readonly line: Line
}

interface DocumentProps {
  readonly title: string
  readonly headings: readonly HeadingView[]
  readonly gaps: readonly GapView[]
  readonly assumptions: readonly AssumptionView[]
  /** How many records there are: `146 loans`. */
  readonly counts: readonly string[]
  /** Diagrams, permissions, versions. */
  readonly pages: readonly { readonly label: string; readonly href: string }[]
  /** The text of each file. */
  readonly files: readonly { readonly file: string; readonly href: string }[]
}

/** The overview: what is decided, what is not, what that means until it is. */
export function DocumentOverview({ title, headings, gaps, assumptions, counts, pages, files }: DocumentProps) {
  const { words } = useReader()
  return (
    <>
      <PageHead
        title={title}
        facts={
          <>
            <span>{gaps.length === 0 ? words('noGaps') : words('gaps', { count: gaps.length })}</span>
            <span>{words('assumptions', { count: assumptions.length })}</span>
            {counts.map(count => (
              <span key={count}>{count}</span>
            ))}
          </>
        }
        actions={[...pages, ...files.map(({ file, href }) => ({ label: words('source', { file }), href }))].map(
          ({ label, href }) => (
            <a key={href} className="btn" href={href}>
              {label}
            </a>
          ),
        )}
      />
      <div className="stack">
        <Sheet title={words('headings')} flush>
          <ol className="moves toc">
            {headings.map(heading => (
              <li key={heading.number}>
                <span className="lab">
                  <span className="muted">{heading.number}</span> {heading.title}
                </span>
                <span className="muted">
                  <Status status={heading.status} /> {heading.summary}
                </span>
                <LineMark line={heading.line} />
              </li>
            ))}
          </ol>
        </Sheet>
        <Sheet title={words('gapsTitle')} aside={<span className="muted">{gaps.length}</span>} flush>
          {gaps.length === 0 ? (
            <p className="body">{words('gapsNone')}</p>
          ) : (
            <ul className="moves gaps">
              {gaps.map(gap => (
                <li key={`${gap.line.file}:${gap.line.line} ${gap.what}`}>
                  <span className="lab">{gap.what}</span>
                  <span>
                    <span className="muted">{words('consequence')}:</span> {gap.consequence}.{' '}
                    <span className="muted">{words('owner')}:</span> {gap.owner ?? words('nobody')}
                  </span>
                  <LineMark line={gap.line} />
                </li>
              ))}
            </ul>
          )}
        </Sheet>
        {assumptions.map(({ text, line }) => (
          <Assumed key={`${line.file}:${line.line} ${text}`} line={line}>
            {text}
          </Assumed>
        ))}
      </div>
    </>
  )
}

interface SourceProps {
  readonly file: string
  /** Anchors are `L1`, `L2`, … so that a line mark can point at its line. */
  readonly lines: readonly string[]
}

/** The text of a file, each line with its number and an anchor. */
export function SourceText({ file, lines }: SourceProps) {
  const { words } = useReader()
  return (
    <>
      <PageHead title={words('source', { file })} />
      <div className="sheet">
        <ol className="frame source">
          {lines.map((text, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its number
            <li key={at} id={`L${at + 1}`} data-line={at + 1}>
              <code>{text}</code>
            </li>
          ))}
        </ol>
      </div>
    </>
  )
}
