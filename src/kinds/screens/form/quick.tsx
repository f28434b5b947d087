/** A record that is made while another form is filled in: the button beside a picker, and how the picker asks for the dialog. */
import { createContext, useContext } from 'react'
import type { Option } from '../../../ui/controls.tsx'
import { Icon } from '../../../ui/icons.tsx'
import type { CreateView } from '../view-model.ts'

export interface Wish {
  readonly create: CreateView
  readonly text: string
  readonly take: (option: Option) => void
}

/** Asks for a record in a dialog. Null: no script runs, or nothing can be made here. */
export const Quick = createContext<((wish: Wish) => void) | null>(null)

/** What a picker offers: to make what was not found. Null: it cannot be made here. */
export function useQuick(create: CreateView | null | undefined, take: (option: Option) => void) {
  const ask = useContext(Quick)
  if (create?.source == null || ask === null) return null
  return (text: string) => ask({ create, text, take })
}

interface NewButtonProps {
  readonly create: CreateView
  /** Null: it is sent, and comes back. */
  readonly open: (() => void) | null
  /** Said where there is no room for words: cells of rows. */
  readonly of: string | null
}

export function NewButton({ create, open, of }: NewButtonProps) {
  const { submit, label } = create
  const content = (
    <>
      <Icon name="plus" />
      {of === null && label}
    </>
  )
  const look = {
    className: of === null ? 'btn quiet sm' : 'btn quiet sq',
    'aria-label': of === null ? undefined : `${of}: ${label}`,
  }
  if (open !== null)
    return (
      <button type="button" {...look} onClick={open}>
        {content}
      </button>
    )
  return submit === null ? null : (
    <button type="submit" {...look} name={submit.name} value={submit.value} formNoValidate>
      {content}
    </button>
  )
}
