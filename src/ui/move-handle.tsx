/** The handle of a row whose place is changed by hand: dragged, or pressed for a menu that needs no script. Alt and arrows do the same. */
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { Icon } from './icons.tsx'
import { useReader } from './reader.tsx'

export interface RowMove {
  /** Names the handle: "Move row 2". */
  readonly label: string
  readonly id: string
  /** Of the submits: `_move` and `lines.1`, to which the way is added. */
  readonly name: string
  readonly value: string
  /** With a script: instead of the submits. */
  readonly onMove?: (to: number) => void
}

interface MoveHandleProps {
  readonly move: RowMove
  readonly at: number
  /** So many rows there are. */
  readonly of: number
}

export function MoveHandle({ move, at, of }: MoveHandleProps) {
  const { words } = useReader()
  const { id, label, name, value, onMove } = move
  const isDragged = useRef(false)
  const ways = [
    { way: 'top', text: words('moveToTop'), icon: 'top', to: 0, open: at > 1 },
    { way: 'up', text: words('moveUp'), icon: 'up', to: at - 1, open: at > 0 },
    { way: 'down', text: words('moveDown'), icon: 'down', to: at + 1, open: at < of - 1 },
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
        onPointerDown={onMove === undefined ? undefined : event => drag(event, isDragged, onMove)}
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

/** Pixels that a press must move before it is a drag. */
const threshold = 6

/** From the press until the release: the row that it would stand at is marked, and nothing has changed before it is dropped. */
function drag(
  { currentTarget: handle, pointerId, clientY: from }: PointerEvent<HTMLElement>,
  isDragged: { current: boolean },
  onMove: (to: number) => void,
): void {
  const own = handle.closest('tr')!
  const rows = [...own.parentElement!.children].filter(row => !row.classList.contains('below'))
  const at = rows.indexOf(own)
  let to = at
  isDragged.current = false
  const mark = () => {
    own.classList.toggle('moved', isDragged.current)
    rows.forEach((row, place) => {
      row.classList.toggle('over-before', place === to && to < at)
      row.classList.toggle('over-after', place === to && to > at)
    })
  }
  const follow = ({ clientY }: globalThis.PointerEvent) => {
    if (Math.abs(clientY - from) > threshold) isDragged.current = true
    if (!isDragged.current) return
    to = rows.findIndex(row => clientY < row.getBoundingClientRect().bottom)
    if (to === -1) to = rows.length - 1
    mark()
  }
  const end = ({ type }: Event) => {
    ending.abort()
    const place = to
    to = at
    const isMoved = isDragged.current && type === 'pointerup' && place !== at
    own.classList.remove('moved')
    for (const row of rows) row.classList.remove('over-before', 'over-after')
    if (isMoved) onMove(place)
  }
  const ending = new AbortController()
  const options = { signal: ending.signal }
  handle.setPointerCapture(pointerId)
  handle.addEventListener('pointermove', follow, options)
  for (const type of ['pointerup', 'pointercancel', 'lostpointercapture']) handle.addEventListener(type, end, options)
  addEventListener('keydown', event => event.key === 'Escape' && end(event), options)
}
