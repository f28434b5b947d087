/** A value as every screen shows it. */
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icons.tsx'
import { Nothing, Tag, When } from '../../ui/page.tsx'
import { LineMark } from '../../ui/provenance.tsx'
import { StateLabel } from '../../ui/state.tsx'
import type { ErrorView, ValueView } from './view-model.ts'

export function Value({ value }: { readonly value: ValueView }) {
  return shown(value) ?? <Nothing />
}

/** Null for an empty value, for places that leave it out instead of showing a dash. `shared`: the page has the rings of states once. */
export function shown({ text, state, href, datetime, look, due }: ValueView, shared = false): ReactNode {
  if (state !== null) return <StateLabel name={state.label} ring={state.ring} shared={shared} />
  if (text === '') return null
  if (look === 'image' && href !== null)
    return (
      <a href={href}>
        <img className="thumb" src={href} alt={text} loading="lazy" />
      </a>
    )
  const when = datetime === null ? text : <When iso={datetime} text={text} />
  const said =
    due === undefined ? (
      when
    ) : (
      <>
        {when}{' '}
        <Tag tone={due.tone} icon={due.tone === 'bad' ? 'alert' : 'clock'}>
          {due.said}
        </Tag>
      </>
    )
  const set = look === 'long' ? <span className="pre">{said}</span> : look === 'code' ? <code>{said}</code> : said
  return href === null ? set : <a href={href}>{set}</a>
}

/** The same where there are words alone. */
export const wordsOf = ({ text, state, due }: ValueView): string =>
  state?.label ?? [text, due?.said ?? ''].filter(said => said !== '').join(', ')

/** Message and what to do, as one text: the same words in the summary and beside the field. */
export const errorText = ({ message, whatToDo }: ErrorView): string =>
  whatToDo === null ? message : `${message} ${whatToDo}`

/** The same where the row that it is about does not stand beside it. */
export const placedErrorText = (error: ErrorView): string =>
  error.place === undefined ? errorText(error) : `${error.place}: ${errorText(error)}`

/** What belongs to the record as a whole or to its rows, where no control shows it. */
export function Errors({ errors }: { readonly errors: readonly ErrorView[] }) {
  return errors.map(error => (
    <p className="err" key={`${error.code} ${error.message}`}>
      <Icon name="alert" />
      <span>
        {placedErrorText(error)} <LineMark line={error.mark} />
      </span>
    </p>
  ))
}
