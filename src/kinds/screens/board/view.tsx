/** A board: columns are states, moving a card is a step. */

import { Board } from '../../../ui/board.tsx'
import { LinkButton } from '../../../ui/buttons.tsx'
import { Marks, PageHead } from '../../../ui/page.tsx'
import { EmptyState } from '../../../ui/problem.tsx'
import { unknownRing } from '../../../ui/states.ts'
import { closedSteps } from '../actions.tsx'
import { AssumedBoxes } from '../assumed.tsx'
import { Lookup } from '../lookup.tsx'
import { Value } from '../value.tsx'
import type { BoardView, CardView } from './view-model.ts'

export function BoardScreen({ view }: { readonly view: BoardView }) {
  const actions = (
    <>
      {view.held !== null && (
        <LinkButton href={view.held.href} icon="alert">
          {view.held.label}
        </LinkButton>
      )}
      {view.create !== null && (
        <LinkButton href={view.create.href} tone="primary" icon="plus" letter="n">
          {view.create.label}
        </LinkButton>
      )}
    </>
  )
  return (
    <>
      <PageHead
        title={view.title}
        meaning={view.meaning}
        actions={view.held !== null || view.create !== null ? actions : undefined}
      />
      {view.empty?.filtered !== false && <Lookup title={view.title} bar={view.bar} ignored={view.ignored} />}
      {view.empty !== null && (
        <div className="sheet above">
          <EmptyState title={view.empty.title} text={view.empty.text} />
        </div>
      )}
      <Board
        label={view.title}
        columns={view.groups.map(({ value, label, state, count, cards, more, current, href }) => ({
          state: value,
          label,
          ring: state?.ring ?? unknownRing,
          count,
          cards: cards.map(cardOf),
          more,
          current,
          href,
        }))}
      />
      <AssumedBoxes assumed={view.assumed} />
    </>
  )
}

function cardOf({ id, title, reference, initials, href, marks, lines, moves, places }: CardView) {
  const open = moves.filter(move => move.open)
  return {
    id,
    title,
    reference,
    initials,
    href,
    facts: lines.map(({ label, value }) => ({ label, value: <Value value={value} /> })),
    tags: <Marks of={marks} />,
    mine: open.some(({ primary }) => primary),
    moves: open.map(({ label, to, action, confirm, danger }) => ({
      label,
      to: to?.name ?? '',
      action,
      ask: confirm,
      tone: danger ? ('bad' as const) : ('plain' as const),
    })),
    closed: closedSteps(moves),
    places: places === null ? [] : places.ways.map(one => ({ ...one, action: places.action })),
    hidden: [...(open[0]?.hidden ?? []), ...(places?.hidden ?? [])],
  }
}
