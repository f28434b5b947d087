/** A page for paper: nothing around it but its letterhead, and above it, on the screen alone, the ways to go on. */
import type { ReactNode } from 'react'
import { type Hidden, LinkButton, PostButton } from './buttons.tsx'
import { Icon } from './icons.tsx'
import { useReader } from './reader.tsx'

export interface PrintBarProps {
  /** Null: whoever reads it may not open the record itself. */
  readonly back: { readonly label: string; readonly href: string } | null
  /** Where the same is a file; of what was sent by a form, with what was sent. */
  readonly file: { readonly href: string; readonly sent: readonly Hidden[] | null }
}

/** The button is there where a script prints. */
export function PrintBar({ back, file }: PrintBarProps) {
  const { words } = useReader()
  return (
    <nav className="printbar noprint" aria-label={words('print')}>
      {back !== null && <LinkButton href={back.href}>{back.label}</LinkButton>}
      {file.sent === null ? (
        <LinkButton href={file.href} icon="download">
          {words('pdf')}
        </LinkButton>
      ) : (
        <PostButton action={file.href} hidden={file.sent} icon="download">
          {words('pdf')}
        </PostButton>
      )}
      <button className="btn pri late" type="button" data-print="">
        <Icon name="print" />
        {words('print')}
      </button>
    </nav>
  )
}

/** A title stays with what follows it. */
export function PrintPart({
  title,
  text,
  children,
}: {
  readonly title: string | null
  readonly text: string | null
  readonly children: ReactNode
}) {
  return (
    <section className="part">
      {title !== null && <h2>{title}</h2>}
      {text !== null && <p>{text}</p>}
      {children}
    </section>
  )
}

/** One of several records, each on pages of its own; `head` stands above all but the first, whose page has it already. */
export const PrintSheet = ({ head, children }: { readonly head: ReactNode; readonly children: ReactNode }) => (
  <article className="one">
    {head !== null && <header className="letterhead">{head}</header>}
    {children}
  </article>
)

/** On paper it stands at the foot of each page, where the browser can do that; else at the end. */
export const PrintFoot = ({ text }: { readonly text: string }) => text !== '' && <p className="printfoot">{text}</p>
