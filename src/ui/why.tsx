/** Why somebody may or may not: each thing with yes or no, the reason, and the lines that decide with the values that they read. */
import { Sheet, Tag } from './page.tsx'
import { LineMark } from './provenance.tsx'
import { type Line, useReader } from './reader.tsx'

export interface WhyView {
  /** Where a link to it leads: `step-approve`. */
  readonly id: string
  readonly label: string
  readonly open: boolean
  readonly why: string
  readonly decidedBy: readonly WhyLine[]
}

export interface WhyLine {
  readonly line: Line
  /** Whose line it is, and what it grants: `Clerk: yes`; null: `why` says it. */
  readonly text: string | null
  /** Null: no condition decides. */
  readonly condition: WhyText | null
  /** `value` null: kept from whoever reads. */
  readonly values: readonly { readonly name: WhyText; readonly value: string | null }[]
}

/** In the words of the screens, and as the document writes it. */
export interface WhyText {
  readonly words: string
  readonly written: string
}

export function WhyList({ title, items }: { readonly title: string; readonly items: readonly WhyView[] }) {
  const { words } = useReader()
  if (items.length === 0) return null
  return (
    <Sheet title={title} flush>
      <ul className="moves whys">
        {items.map(({ id, label, open, why, decidedBy }) => (
          <li key={id} id={id}>
            <span className="lab">
              <Tag tone={open ? 'good' : 'mute'} icon={open ? 'check' : 'lock'}>
                {words(open ? 'yes' : 'no')}
              </Tag>{' '}
              {label}
            </span>
            <div>
              <p>{why}</p>
              {decidedBy.map(one => (
                <Deciding key={`${one.line.file} ${one.line.line} ${one.text}`} {...one} />
              ))}
            </div>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

function Deciding({ line, text, condition, values }: WhyLine) {
  const { words, provenance } = useReader()
  if (text === null && condition === null && !provenance) return null
  return (
    <p className="muted by">
      {text} {condition?.words} <LineMark line={line} />
      {values.map(({ name, value }) => (
        <span key={name.written} className="read">
          {name.words}: {value === null ? <em>{words('keptFromYou')}</em> : <b>{value}</b>}
        </span>
      ))}
    </p>
  )
}
