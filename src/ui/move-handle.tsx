/** The handle of a row whose place is changed by hand: dragged, or pressed for a menu that needs no script. Alt and arrows do the same. */
import { type KeyboardEvent, useRef } from 'react'
import { dragRow } from './drag-row.ts'
import { Icon } from './icons.tsx'
import { useReader } from './reader.tsx'

export interface RowMove {
  /** Names the handle: "Move row 2". */
  readonly label: string
  readonly id: string
  /** Of the submits: `_move` and `lines.1`, to which the way is added. */
  readonly name: string
  readonly value: string
  /** Another address than the form's. */
  readonly action?: string
  /** Absent: every way is open. */
  readonly at?: { readonly place: number; readonly of: number }
  /** With a script: instead of the submits. */
  readonly onMove?: (to: number) => void
}

export function MoveHandle({ move }: { readonly move: RowMove }) {
  const { words } = useReader()
  const { id, label, name, value, action, at, onMove } = move
  const { place = 2, of = 4 } = at ?? {}
  const isDragged = useRef(false)
  const ways = [
    { way: 'top', text: words('moveToTop'), icon: 'top', to: 0, open: place > 1 },
    { way: 'up', text: words('moveUp'), icon: 'up', to: place - 1, open: place > 0 },
    { way: 'down', text: words('moveDown'), icon: 'down', to: place + 1, open: place < of - 1 },
  ] as const
  return (
    <>
      <button
        type="button"
        className="btn quiet sq grip"
        id={id}
        popoverTarget={`${id}-menu`}
        aria-label={label}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        onPointerDown={event => {
          isDragged.current = false
          if (onMove === undefined) return
          const row = event.currentTarget.closest('tr')!
          const rows = [...row.parentElement!.children].filter(one => !one.classList.contains('below'))
          dragRow(event.nativeEvent, event.currentTarget, {
            row,
            rows,
            begins: () => {
              isDragged.current = true
            },
            drop: onMove,
          })
        }}
        // A press that became a drag opens no menu.
        onClick={event => {
          if (isDragged.current) event.preventDefault()
        }}
      >
        <Icon name="grip" />
      </button>
      <div className="menu" id={`${id}-menu`} popover="auto">
        {ways.flatMap(({ way, text, icon, to, open }) =>
          open
            ? [
                <button
                  key={way}
                  type="submit"
                  name={name}
                  value={`${value}.${way}`}
                  formAction={action}
                  formNoValidate
                  onClick={event => {
                    if (onMove === undefined) return
                    event.preventDefault()
                    onMove(to)
                  }}
                >
                  <Icon name={icon} />
                  {text}
                </button>,
              ]
            : [],
        )}
      </div>
    </>
  )
}

/** Alt and an arrow, from anywhere in the row. */
export const keysThatMove =
  (onMove: (to: number) => void, at: number, of: number) =>
  (event: KeyboardEvent<HTMLTableRowElement>): void => {
    const to = event.key === 'ArrowUp' ? at - 1 : event.key === 'ArrowDown' ? at + 1 : -1
    // A row within this one has moved already.
    if (event.defaultPrevented || !event.altKey || event.ctrlKey || event.metaKey || to < 0 || to >= of) return
    event.preventDefault()
    onMove(to)
  }
