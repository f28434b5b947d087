/** Where a behaviour comes from: the mark of a line, the box for what the document leaves open, the foot of a page. */
import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'
import { type Line, useReader } from './reader.tsx'

/** `§4 line 88`, a link where the document can be looked at. Nothing unless the reader sees line marks. */
export function LineMark({ line }: { readonly line: Line | null | undefined }) {
  const { provenance, words, lineHref } = useReader()
  if (!provenance || line == null) return null
  const text = words(line.unspecified ? 'lineMarkUnspecified' : 'lineMark', {
    section: line.section,
    line: String(line.line),
  })
  const title = words('fileLine', { file: line.file, line: String(line.line) })
  return lineHref === null ? (
    <span className="src" title={title}>
      {text}
    </span>
  ) : (
    <a className="src" href={lineHref(line)} title={title}>
      {text}
    </a>
  )
}

interface AssumedProps {
  /** What is assumed because nothing is said: a sentence. */
  readonly children: ReactNode
  /** The line that is silent. */
  readonly line?: Line | null
}

/** The dashed box: nothing decides this, so something careful is assumed. Shown to everybody; the line only to those who see lines. */
export function Assumed({ children, line }: AssumedProps) {
  const { words } = useReader()
  return (
    <div className="assume" role="note">
      <strong>
        <Icon name="info" />
        {words('assumed')}
      </strong>
      <p>{children}</p>
      {line != null && (
        <p>
          <LineMark line={line} />
        </p>
      )}
    </div>
  )
}

/** The foot of a page: the lines that decide it. Nothing unless the reader sees line marks. */
export function DecidedBy({ lines }: { readonly lines: readonly Line[] }) {
  const { provenance, words } = useReader()
  if (!provenance || lines.length === 0) return null
  return (
    <p className="decided">
      {words('decidedBy')}
      {lines.map(line => (
        <LineMark key={`${line.file}:${line.line}`} line={line} />
      ))}
    </p>
  )
}
