/** Somebody saved first: both versions side by side with a choice per field. What was typed travels along and is not lost. */
import { type ReactNode, useId } from 'react'
import { type Hidden, HiddenInputs } from './buttons.tsx'
import { Note } from './page.tsx'
import { useReader } from './reader.tsx'

interface ConflictField {
  /** Of the radio buttons; their values are `yours` and `theirs`. */
  readonly name: string
  readonly label: string
  readonly yours: ReactNode
  readonly theirs: ReactNode
  readonly choice: 'yours' | 'theirs'
  /** Both changed it; else only the one whose answer is chosen already. */
  readonly both: boolean
}

interface ConflictProps {
  /** Null where it is not to be shown, or the application did it. */
  readonly who: string | null
  /** As people read it, in the middle of a sentence: `at 14:02`, `2 hours ago`. */
  readonly when: string
  /** The state that it was moved to; null: it was changed otherwise. */
  readonly moved: string | null
  readonly action: string
  /** csrf, the version now saved, and everything that was typed. */
  readonly hidden: readonly Hidden[]
  readonly fields: readonly ConflictField[]
  /** What has to be typed again, as a sentence; null: nothing. */
  readonly again: string | null
  /** The record as it is now. */
  readonly discard: string
  /** The application's name, where nobody is named. */
  readonly app: string
}

export function Conflict({ who, when, moved, action, hidden, fields, again, discard, app }: ConflictProps) {
  const { words } = useReader()
  const id = useId()
  return (
    <form className="sheet conflict" method="post" action={action} aria-labelledby={id}>
      <HiddenInputs inputs={hidden} />
      <div className="body">
        <Note tone="wait" icon="alert" first>
          <strong id={id}>
            {moved === null
              ? words('conflictBy', { who: who ?? app, when })
              : words('conflictMoved', { who: who ?? app, when, state: moved })}
          </strong>{' '}
          {fields.length === 0
            ? words('conflictNone')
            : fields.some(({ both }) => both)
              ? words('conflictKept', { count: fields.length })
              : words('conflictApart')}
        </Note>
        {again !== null && <Note>{again}</Note>}
        {fields.length > 0 && (
          <table className="t choices">
            <caption className="vh">{words('conflictCaption')}</caption>
            <thead>
              <tr>
                <th scope="col">{words('conflictField')}</th>
                <th scope="col">{words('conflictYours')}</th>
                <th scope="col">{words('conflictTheirs')}</th>
              </tr>
            </thead>
            <tbody>
              {fields.map(field => (
                <tr key={field.name}>
                  <th scope="row">
                    {field.label} {field.both && <span className="muted">({words('conflictBoth')})</span>}
                  </th>
                  <td>
                    <Choice field={field} value="yours" />
                  </td>
                  <td>
                    <Choice field={field} value="theirs" />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <div className="acts">
          <button type="submit" className="btn pri">
            {words('conflictSave')}
          </button>
          <a className="btn quiet" href={discard}>
            {words('conflictDiscard')}
          </a>
        </div>
      </div>
    </form>
  )
}

function Choice({ field, value }: { readonly field: ConflictField; readonly value: 'yours' | 'theirs' }) {
  const { words } = useReader()
  const text = field[value]
  return (
    <label className="opt">
      <input type="radio" name={field.name} value={value} defaultChecked={field.choice === value} />
      <span>
        <span className="vh">
          {field.label}, {words(value === 'yours' ? 'conflictYours' : 'conflictTheirs')}:{' '}
        </span>
        <span className="only-card" aria-hidden="true">
          {words(value === 'yours' ? 'conflictYours' : 'conflictTheirs')}:{' '}
        </span>
        {text === null || text === '' ? words('empty') : text}
      </span>
    </label>
  )
}
