/** What waits for the person who is signed in: a sheet for each kind of record, the longest waiting first. */
import { LinkButton } from '../../../ui/buttons.tsx'
import { Marks, Note, PageHead, Sheet } from '../../../ui/page.tsx'
import { EmptyState } from '../../../ui/problem.tsx'
import { StateLabel } from '../../../ui/state.tsx'
import { FaceOf } from '../face.tsx'
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
            <Sheet key={group.key} title={group.title} flush>
              <ul className="waits">
                {group.rows.map(({ id, title, face, marks, state, steps }) => (
                  <li key={id}>
                    <FaceOf face={face}>
                      <StateLabel name={state.label} ring={state.ring} />
                      <Marks of={marks} />
                    </FaceOf>
                    <div className="acts">
                      {steps.map(({ key, label, href: take, danger }) => (
                        <LinkButton key={key} href={take} small tone={danger ? 'bad' : 'plain'} object={title}>
                          {label}
                        </LinkButton>
                      ))}
                    </div>
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
