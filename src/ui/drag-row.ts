/** A row that is dragged by its handle, with a mouse, a pen or a finger. Nothing has changed before it is dropped. */

/** Pixels that a press must move before it is a drag. */
const threshold = 6

interface Dragging {
  readonly row: Element
  /** All of them, in their order. */
  readonly rows: readonly Element[]
  /** The press has become a drag. */
  readonly begins: () => void
  /** `to`: the place that it was dropped at, among them all. */
  readonly drop: (to: number) => void
}

/** From the press on the handle until the release: the row that it would stand at is marked. */
export function dragRow(
  { pointerId, clientY: from }: PointerEvent,
  handle: Element,
  { row, rows, begins, drop }: Dragging,
): void {
  const at = rows.indexOf(row)
  let to: number | null = null
  const mark = () => {
    row.classList.toggle('moved', to !== null)
    rows.forEach((one, place) => {
      one.classList.toggle('over-before', place === to && place < at)
      one.classList.toggle('over-after', place === to && place > at)
    })
  }
  const ending = new AbortController()
  const { signal } = ending
  const end = (target: number | null) => {
    ending.abort()
    to = null
    mark()
    if (target !== null && target !== at) drop(target)
  }
  const follow = ({ clientY }: PointerEvent) => {
    if (to === null && Math.abs(clientY - from) < threshold) return
    if (to === null) begins()
    const over = rows.findIndex(one => clientY < one.getBoundingClientRect().bottom)
    to = over === -1 ? rows.length - 1 : over
    mark()
  }
  handle.setPointerCapture(pointerId)
  handle.addEventListener('pointermove', event => follow(event as PointerEvent), { signal })
  handle.addEventListener('pointerup', () => end(to), { signal })
  handle.addEventListener('lostpointercapture', () => end(null), { signal })
  addEventListener('keydown', ({ key }) => key === 'Escape' && end(null), { signal })
}
