/** What people say about a record: a form for a new comment, and one's own comments with what changes them. No script is needed. */
import { type Hidden, HiddenInputs, PostButton, Submit } from './buttons.tsx'
import { AreaControl } from './controls.tsx'
import { Field } from './form.tsx'
import { When } from './page.tsx'
import { useReader } from './reader.tsx'

interface TalkProps {
  readonly action: string
  readonly hidden: readonly Hidden[]
  /** Characters. */
  readonly longest: number
}

interface NewCommentProps extends TalkProps {
  /** What was typed before. */
  readonly text?: string
  /** Names of files that were sent before. */
  readonly kept?: readonly string[]
  readonly does?: 'add' | 'change'
}

export function NewComment({ action, hidden, longest, text = '', kept = [], does = 'add' }: NewCommentProps) {
  const { words } = useReader()
  return (
    <form method="post" action={action} className="talk noprint" encType="multipart/form-data">
      <HiddenInputs inputs={hidden} />
      <Field id="comment" label={words('comment')} hint={words('commentHint')}>
        {aid => (
          <AreaControl
            aid={{ ...aid, 'aria-keyshortcuts': 'm' }}
            name="text"
            value={text}
            maxLength={longest}
            required
          />
        )}
      </Field>
      {kept.length > 0 && <p>{kept.join(', ')}</p>}
      {does === 'add' && <FilesControl id="files" />}
      <div>
        <Submit name="do" value={does}>
          {words(does === 'add' ? 'addComment' : 'save')}
        </Submit>
      </div>
    </form>
  )
}

function FilesControl({ id }: { readonly id: string }) {
  const { words } = useReader()
  return (
    <Field id={id} label={words('attachments')} optional>
      {aid => <input {...aid} className="in" type="file" name="files" multiple />}
    </Field>
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
  /** Null: it was taken back. */
  readonly text: string | null
  /** That it was changed, and when. */
  readonly note: string | null
  /** Null: somebody else's. */
  readonly own: readonly Hidden[] | null
  readonly files: readonly { readonly name: string; readonly size: string; readonly href: string }[]
}

interface ReplyProps extends SaidProps {
  readonly who: string
  readonly what: string
  readonly at: string
  readonly when: string
}

interface ThreadProps extends SaidProps {
  /** What a reply is sent with. */
  readonly reply: readonly Hidden[]
  /** Oldest first. */
  readonly replies: readonly ReplyProps[]
}

type Talking = Pick<TalkProps, 'action' | 'longest'>

/** Replies that stand below a comment; those before them are folded. */
const unfolded = 2

/** A comment with the replies to it, and a form for one more. */
export function Thread({ reply, replies, action, longest, ...comment }: ThreadProps & Talking) {
  const { words } = useReader()
  const before = replies.slice(0, -unfolded)
  return (
    <>
      <Said {...comment} action={action} longest={longest} />
      {before.length > 0 && (
        <details className="thread">
          <summary>{words('repliesBefore', { count: before.length })}</summary>
          <Replies of={before} action={action} longest={longest} />
        </details>
      )}
      {replies.length > 0 && <Replies of={replies.slice(-unfolded)} action={action} longest={longest} />}
      {(comment.text !== null || replies.length > 0) && (
        <details className="thread noprint">
          <summary>{words('reply')}</summary>
          <form method="post" action={action} className="talk" encType="multipart/form-data">
            <HiddenInputs inputs={reply} />
            <Field id={`r-${comment.id}`} label={words('reply')}>
              {aid => <AreaControl aid={aid} name="text" value="" maxLength={longest} required />}
            </Field>
            <FilesControl id={`f-${comment.id}`} />
            <div>
              <Submit name="do" value="add" small>
                {words('reply')}
              </Submit>
            </div>
          </form>
        </details>
      )}
    </>
  )
}

function Replies({ of, ...talking }: { readonly of: readonly ReplyProps[] } & Talking) {
  return (
    <ol className="thread replies">
      {of.map(({ who, what, at, when, ...reply }) => (
        <li key={reply.id}>
          <p>
            <strong>{who}</strong> {what} <When iso={at} text={when} />
          </p>
          <Said {...reply} {...talking} />
        </li>
      ))}
    </ol>
  )
}

function Said({ id, text, note, own, files, action, longest }: SaidProps & Talking) {
  const { words } = useReader()
  return text === null ? null : (
    <div className="said">
      <p className="letter">{text}</p>
      {files.length > 0 && (
        <ul>
          {files.map(({ name, size, href }) => (
            <li key={href}>
              <a href={href}>{name}</a> <small className="muted">{size}</small>
            </li>
          ))}
        </ul>
      )}
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
