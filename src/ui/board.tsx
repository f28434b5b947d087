/** A board: columns are states, a move is a step. Every card has a menu with the moves that are allowed, so nothing needs dragging. */
import { type ReactNode, useId } from 'react'
import { type Hidden, HiddenInputs, Menu, type MenuItem } from './buttons.tsx'
import { Views } from './list.tsx'
import { Avatar } from './page.tsx'
import { LineMark } from './provenance.tsx'
import { classes, type Reader, useReader } from './reader.tsx'
import type { ClosedStep } from './record.tsx'
import { StateLabel } from './state.tsx'
import type { Ring } from './states.ts'

/** A step that this person may do with the card now. */
interface BoardMove {
  /** `Hand out`. */
  readonly label: string
  /** The state it leads to; the island that drags looks for the column of this name. */
  readonly to: string
  readonly action: string
  /** Null: pressing it does it. Else the address of the page that asks first (final steps, steps with fields). */
  readonly ask: string | null
  readonly tone?: 'plain' | 'bad'
}

export interface BoardCard {
  readonly id: string
  readonly title: string
  /** `LN-2026-00007`: follows the title; empty: nothing does. */
  readonly reference?: string
  /** Of whom it is about. */
  readonly initials?: string | null
  /** Null where this person has no screen that shows one. */
  readonly href: string | null
  readonly facts: readonly { readonly label: string; readonly value: ReactNode }[]
  /** Marks: late. */
  readonly tags?: ReactNode
  /** Waits for this person. */
  readonly mine?: boolean
  readonly moves: readonly BoardMove[]
  /** Said in the menu with their reasons. */
  readonly closed: readonly ClosedStep[]
  /** Submits that put it elsewhere in its group; absent or empty: it stays in its place. */
  readonly places?: readonly { readonly way: 'top' | 'up' | 'down'; readonly action: string; readonly value: string }[]
  /** csrf and the version that is shown. */
  readonly hidden: readonly Hidden[]
}

interface BoardColumn {
  readonly state: string
  /** What people read; absent: the state itself. */
  readonly label?: string
  readonly ring: Ring
  /** Cards in all, counted up to a bound: `12`, `100+`. */
  readonly count: string
  readonly cards: readonly BoardCard[]
  /** "Showing the first 50"; null where all are shown. */
  readonly more: string | null
  /** The one that a phone shows; and the address in which this one is. */
  readonly current: boolean
  readonly href: string
}

interface BoardProps {
  /** Names the region that scrolls. */
  readonly label: string
  readonly columns: readonly BoardColumn[]
}

/** Columns beside each other; on a phone one at a time, with a menu of them all. */
export function Board({ label, columns }: BoardProps) {
  const { words } = useReader()
  return (
    <>
      <div className="only-narrow">
        <Views
          label={words('columns')}
          views={columns.map(({ state, label: name = state, count, href, current }) => ({
            label: name,
            count,
            href,
            current,
          }))}
        />
      </div>
      <Columns label={label} columns={columns} />
    </>
  )
}

function Columns({ label, columns }: BoardProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard (WCAG 2.1.1)
    <section className="board" aria-label={label} tabIndex={0}>
      {columns.map(column => (
        <Column key={column.state} column={column} />
      ))}
    </section>
  )
}

function Column({ column }: { readonly column: BoardColumn }) {
  const { words } = useReader()
  const id = useId()
  return (
    <section className={classes('col', column.current && 'now')} aria-labelledby={id} data-state={column.state}>
      <header>
        <h2 id={id}>
          <StateLabel name={column.label ?? column.state} ring={column.ring} />
        </h2>
        <span className="muted">{column.count}</span>
      </header>
      {column.cards.length === 0 ? (
        <p className="muted none">{words('noCards')}</p>
      ) : (
        <ul>
          {column.cards.map(card => (
            <Card key={card.id} card={card} />
          ))}
        </ul>
      )}
      {column.more !== null && <p className="muted none">{column.more}</p>}
    </section>
  )
}

function Card({ card }: { readonly card: BoardCard }) {
  const { words } = useReader()
  return (
    <li className={classes('card', card.mine && 'mine')} data-record={card.id}>
      <div className="head">
        {card.initials != null && <Avatar initials={card.initials} />}
        <h3>
          {card.href === null ? card.title : <a href={card.href}>{card.title}</a>}
          {card.reference ? <small className="muted nw"> {card.reference}</small> : null}
        </h3>
        {card.mine && <span className="tag go noprint">{words('yourTurn')}</span>}
        {card.tags}
      </div>
      <dl>
        {card.facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {card.moves.length + card.closed.length + (card.places ?? []).length > 0 && (
        <form method="post">
          <HiddenInputs inputs={card.hidden} />
          <Menu
            id={`move-${card.id}`}
            label={words('moveObject', { object: [card.title, card.reference].filter(Boolean).join(' · ') })}
            icon="move"
            small
            tone="quiet"
            items={itemsOf(card, words)}
          />
        </form>
      )}
    </li>
  )
}

const placeWords = { top: 'moveToTop', up: 'moveUp', down: 'moveDown' } as const

function itemsOf(card: BoardCard, words: Reader['words']): readonly MenuItem[] {
  const open = card.moves.map(({ label, to, action, ask, tone = 'plain' }): MenuItem => {
    const shown = { label, to, tone, icon: 'arrow' as const }
    return ask === null ? { kind: 'post', action, ...shown } : { kind: 'link', href: ask, ...shown }
  })
  const closed = card.closed.map(
    ({ label, reason, line }): MenuItem => ({
      kind: 'text',
      text: (
        <>
          <b>{label}</b>: {reason} <LineMark line={line} />
        </>
      ),
    }),
  )
  const places = (card.places ?? []).map(
    ({ way, action, value }): MenuItem => ({
      kind: 'post',
      label: words(placeWords[way]),
      icon: way,
      action,
      name: '_move',
      value,
    }),
  )
  const parts = [open, places, closed].filter(part => part.length > 0)
  return parts.flatMap((part, at) => (at === 0 ? part : [{ kind: 'rule' } as const, ...part]))
}
