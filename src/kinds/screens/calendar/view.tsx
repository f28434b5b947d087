/** A calendar: a table of days with links to records; on a narrow screen the same days below each other as an agenda. */
import { LinkButton } from '../../../ui/buttons.tsx'
import { PageHead } from '../../../ui/page.tsx'
import { AssumedBoxes } from '../assumed.tsx'
import { Lookup } from '../lookup.tsx'
import { Calendar } from './parts.tsx'
import type { CalendarView } from './view-model.ts'

export function CalendarScreen({ view }: { readonly view: CalendarView }) {
  const create = view.create !== null && (
    <LinkButton href={view.create.href} tone="primary" icon="plus">
      {view.create.label}
    </LinkButton>
  )
  return (
    <>
      <PageHead title={view.title} meaning={view.meaning} actions={create || undefined} />
      <Lookup title={view.title} bar={view.bar} ignored={view.ignored} />
      <Calendar calendar={view} />
      {view.empty !== null && <p className="muted">{view.empty.title}</p>}
      {view.cut !== null && <p className="muted">{view.cut}</p>}
      {view.further !== null && (
        <p>
          <a className="link-more" href={view.further.href} rel="next">
            {view.further.label}
          </a>
        </p>
      )}
      <AssumedBoxes assumed={view.assumed} />
    </>
  )
}
