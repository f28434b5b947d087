/** What waits for the person who is signed in: a sheet for each step, the longest waiting first. */
import { LinkButton } from '../../../ui/buttons.tsx'
import { Note, PageHead, Sheet } from '../../../ui/page.tsx'
import { EmptyState } from '../../../ui/problem.tsx'
import { StateLabel } from '../../../ui/state.tsx'
import type { InboxView } from './view-model.ts'

export function InboxScreen({ view }: { readonly view: InboxView }) {
  return (
    <>
      <PageHead title={view.title} />
      {view.ignored.map(text => (
        <Note key={text} tone="wait" icon="alert">
          {text}
        </Note>
      ))}
      {view.groups.length === 0 ? (
        <div className="sheet">
          <EmptyState title={view.empty} text="" />
        </div>
      ) : (
        <div className="stack">
          {view.groups.map(group => (
            <Sheet key={group.key} title={group.title} line={group.mark} flush>
              <ul className="waits">
                {group.rows.map(({ id, title, href, state, take }) => (
                  <li key={id}>
                    <span className="what">{href === null ? title : <a href={href}>{title}</a>}</span>
                    <StateLabel name={state.name} ring={state.ring} />
                    <LinkButton href={take} small icon="arrow" object={title}>
                      {group.step}
                    </LinkButton>
                  </li>
                ))}
              </ul>
              {group.more !== null && <p className="muted body">{group.more}</p>}
            </Sheet>
          ))}
        </div>
      )}
    </>
  )
}
