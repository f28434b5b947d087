/** A cell of a list while it is changed where it stands: its control, what is wrong with it, and two small buttons. */
import type { ReactNode } from 'react'
import { type Hidden, HiddenInputs } from './buttons.tsx'
import type { ControlAid } from './form.tsx'
import { Icon } from './icons.tsx'
import { useReader } from './reader.tsx'

interface CellFormProps {
  readonly id: string
  readonly action: string
  readonly hidden: readonly Hidden[]
  /** What is changed, of which record: `Price, T-1`. */
  readonly label: string
  /** Why it was not saved. */
  readonly error: string | null
  readonly children: (aid: ControlAid) => ReactNode
}

/** Sent and taken back by the script of the list, which puts it into the cell. */
export function CellForm({ id, action, hidden, label, error, children }: CellFormProps) {
  const { words } = useReader()
  const said = `${id}-e`
  return (
    <form className="cellform" method="post" action={action} aria-label={label} noValidate data-guard="">
      <HiddenInputs inputs={hidden} />
      <span className="cellrow">
        {children({ id, ...(error === null ? {} : { 'aria-describedby': said, 'aria-invalid': true as const }) })}
        <button type="submit" className="btn pri sm sq" aria-label={words('save')}>
          <Icon name="check" />
        </button>
        <button type="button" className="btn quiet sm sq" aria-label={words('cancel')} data-cancel="">
          <Icon name="close" />
        </button>
      </span>
      {error !== null && (
        <span className="err" id={said} role="alert">
          <Icon name="alert" />
          <span>{error}</span>
        </span>
      )}
    </form>
  )
}

/** Why the cell stays as it is. */
export function CellClosed({ why }: { readonly why: string }) {
  return (
    <span className="err cellwhy" role="alert">
      <Icon name="lock" />
      <span>{why}</span>
    </span>
  )
}
