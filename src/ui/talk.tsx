/** What people say about a record: a form for a new comment, and one's own comments with what changes them. No script is needed. */
import { type Hidden, HiddenInputs, PostButton, Submit } from './buttons.tsx'
import { AreaControl } from './controls.tsx'
import { Field } from './form.tsx'
import { useReader } from './reader.tsx'

interface TalkProps {
  readonly action: string
  readonly hidden: readonly Hidden[]
  /** Characters. */
  readonly longest: number
}

export function NewComment({ action, hidden, longest }: TalkProps) {
  const { words } = useReader()
  return (
    <form method="post" action={action} className="talk noprint">
      <HiddenInputs inputs={hidden} />
      <Field id="comment" label={words('comment')} hint={words('commentHint')}>
        {aid => (
          <AreaControl aid={{ ...aid, 'aria-keyshortcuts': 'm' }} name="text" value="" maxLength={longest} required />
        )}
      </Field>
      <div>
        <Submit name="do" value="add">
          {words('addComment')}
        </Submit>
      </div>
    </form>
  )
}

export function FollowButton({
  action,
  hidden,
  follows,
  object,
}: TalkProps & { readonly follows: boolean; readonly object: string }) {
  const { words } = useReader()
  return (
    <PostButton
      action={action}
      hidden={hidden}
      name="do"
      value={follows ? 'stop' : 'follow'}
      icon="bell"
      small
      tone="quiet"
      object={object}
    >
      {words(follows ? 'unfollow' : 'follow')}
    </PostButton>
  )
}

interface SaidProps {
  readonly id: string
  readonly text: string
  /** That it was changed, and when. */
  readonly note: string | null
  /** Null: somebody else's. */
  readonly own: readonly Hidden[] | null
}

export function Said({ id, text, note, own, action, longest }: SaidProps & Pick<TalkProps, 'action' | 'longest'>) {
  const { words } = useReader()
  return (
    <div className="said">
      <p className="letter">{text}</p>
      {note !== null && <p className="muted">{note}</p>}
      {own !== null && (
        <div className="own noprint">
          <details>
            <summary>{words('changeComment')}</summary>
            <form method="post" action={action} className="talk">
              <HiddenInputs inputs={own} />
              <Field id={`c-${id}`} label={words('comment')}>
                {aid => <AreaControl aid={aid} name="text" value={text} maxLength={longest} />}
              </Field>
              <div>
                <Submit name="do" value="change" small>
                  {words('save')}
                </Submit>
              </div>
            </form>
          </details>
          <PostButton action={action} hidden={own} name="do" value="remove" tone="bad" small>
            {words('takeBack')}
          </PostButton>
        </div>
      )}
    </div>
  )
}
