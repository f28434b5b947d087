/** What waits for the person who is signed in: what is late or due before the rest, the longest waiting first. */
import { LinkButton } from '../../../ui/buttons.tsx'
import { Views } from '../../../ui/list.tsx'
import { Marks, Note, PageHead, Sheet } from '../../../ui/page.tsx'
import { EmptyState } from '../../../ui/problem.tsx'
import { classes, useReader } from '../../../ui/reader.tsx'
import { Decide, DescriptionList } from '../../../ui/record.tsx'
import { StateLabel } from '../../../ui/state.tsx'
import { openSteps } from '../actions.tsx'
import { FaceOf } from '../face.tsx'
import { Value } from '../value.tsx'
import { sentences } from './texts.ts'
import type { Beside, DoneView, InboxView } from './view-model.ts'

export function InboxScreen({ view }: { readonly view: InboxView }) {
  const said = sentences.in(useReader().locale)
  return (
    <>
      <Head view={view} />
      {view.groups.length === 0 ? (
        <div className="sheet">
          <EmptyState title={view.empty} text="" />
        </div>
      ) : (
        <div className={classes('inbox', view.beside?.isAsked && 'asked')}>
          {view.beside !== null && <BesideOf of={view.beside} />}
          <div className="stack">
            {view.groups.map(group => (
              <Sheet key={group.key} title={group.title} flush>
                <ul className="waits">
                  {group.rows.map(({ id, title, face, marks, state, steps, show, isShown }) => (
                    <li key={id} className={isShown ? 'on' : undefined}>
                      <FaceOf face={face}>
                        <StateLabel name={state.label} ring={state.ring} />
                        <Marks of={marks} />
                      </FaceOf>
                      <div className="acts">
                        {view.beside !== null && (
                          <LinkButton href={show} small object={title}>
                            {said('show')}
                          </LinkButton>
                        )}
                        {steps.map(({ key, label, href: take, danger }) => (
                          <LinkButton key={key} href={take} small tone={danger ? 'bad' : 'plain'} object={title}>
                            {label}
                          </LinkButton>
                        ))}
                      </div>
                    </li>
                  ))}
                </ul>
              </Sheet>
            ))}
            {view.more.map(text => (
              <p key={text} className="muted">
                {text}
              </p>
            ))}
          </div>
        </div>
      )}
    </>
  )
}

/** Its tabs, and what of its address was not understood. */
function Head({ view }: { readonly view: InboxView | DoneView }) {
  return (
    <>
      <PageHead title={view.title} meaning={view.meaning} />
      <Views label={view.title} views={view.tabs} />
      {view.ignored.map(text => (
        <Note key={text} tone="wait" icon="alert">
          {text}
        </Note>
      ))}
    </>
  )
}

/** What the person has done of what waits here, the newest first. */
export function DoneScreen({ view }: { readonly view: DoneView }) {
  return (
    <>
      <Head view={view} />
      <div className="sheet">
        {view.rows.length === 0 ? (
          <EmptyState title={view.empty} text="" />
        ) : (
          <ul className="waits">
            {view.rows.map(({ id, face, marks, state, done }) => (
              <li key={id}>
                <FaceOf face={face}>
                  <StateLabel name={state.label} ring={state.ring} />
                  <Marks of={marks} />
                </FaceOf>
                <span className="muted">{done}</span>
              </li>
            ))}
          </ul>
        )}
        {view.more !== null && <p className="muted body">{view.more}</p>}
      </div>
    </>
  )
}

/** One of them, with what one must know and what may be done; each step leads on to the next one. */
function BesideOf({ of }: { readonly of: Beside }) {
  const { words, locale } = useReader()
  const open = openSteps(of.actions, of.title)
  return (
    <section className="beside stack" aria-label={of.title}>
      <Sheet
        title={of.face.title}
        aside={
          <nav className="turn" aria-label={words('pages')}>
            <small className="muted">{of.place}</small>
            {of.previous !== null && (
              <LinkButton href={of.previous} small icon="up" letter="k">
                {words('previous')}
              </LinkButton>
            )}
            {of.next !== null && (
              <LinkButton href={of.next} small icon="down" letter="j">
                {words('next')}
              </LinkButton>
            )}
          </nav>
        }
      >
        <p>
          <StateLabel name={of.state.label} ring={of.state.ring} /> <Marks of={of.marks} />
        </p>
        <DescriptionList
          facts={of.facts.map(({ label, value }) => ({
            label,
            value: <Value value={value} />,
            long: value.look === 'long',
          }))}
        />
        {of.face.href !== null && (
          <p>
            <a href={of.face.href}>{sentences.in(locale)('page')}</a>
          </p>
        )}
      </Sheet>
      {open.length > 0 && <Decide title={words('decide')} note={of.following} steps={open} />}
    </section>
  )
}
