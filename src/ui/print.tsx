/** A page for paper: nothing around it but its letterhead, and above it, on the screen alone, the ways to go on. */
import type { ReactNode } from 'react'
import { LinkButton } from './buttons.tsx'
import { Icon } from './icons.tsx'
import { useReader } from './reader.tsx'

/** `back` null: whoever reads it may not open the record itself. The button is there where a script prints. */
export function PrintBar({ back }: { readonly back: { readonly label: string; readonly href: string } | null }) {
  const { words } = useReader()
  return (
    <nav className="printbar noprint" aria-label={words('print')}>
      {back !== null && <LinkButton href={back.href}>{back.label}</LinkButton>}
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
