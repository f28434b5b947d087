/** Rows and cards in an order by hand: put elsewhere by their handle, by their menu, or with Alt and the arrows from anywhere in them. */
import { dragRow } from '../../ui/drag-row.ts'
import { put, recordOf, submitOf } from './order/put.ts'

const itemAt = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest('tbody > tr, .card') : null

addEventListener('click', event => {
  const submit = event.target instanceof Element ? event.target.closest<HTMLButtonElement>('button[name=_move]') : null
  const item = itemAt(submit)
  if (submit === null || item === null) return
  event.preventDefault()
  submit.closest<HTMLElement>('[popover]')?.hidePopover()
  put(item, submit.value.slice(submit.value.indexOf('.') + 1))
})

addEventListener('keydown', event => {
  const { key, altKey, ctrlKey, metaKey, target } = event
  const item = itemAt(target)
  const way = key === 'ArrowUp' ? 'up' : key === 'ArrowDown' ? 'down' : null
  if (way === null || !altKey || ctrlKey || metaKey || item === null || submitOf(item) === null) return
  if ((target as Element).matches('input:not([type=checkbox]), select, textarea')) return
  event.preventDefault()
  const beside = way === 'up' ? item.previousElementSibling : item.nextElementSibling
  const submit = beside && submitOf(beside)
  // At the end of a page the server knows the next one.
  put(item, submit == null ? way : `${way === 'up' ? 'before' : 'after'}.${recordOf(submit)}`)
})

let isDragged = false

addEventListener('pointerdown', event => {
  isDragged = false
  const handle = event.target instanceof Element ? event.target.closest('.grip') : null
  const row = handle?.closest('tbody > tr')
  if (handle === null || row == null || event.button !== 0) return
  const rows = [...row.parentElement!.children].filter(one => submitOf(one) !== null)
  const begins = () => {
    isDragged = true
  }
  const drop = (to: number) => {
    const side = to < rows.indexOf(row) ? 'before' : 'after'
    put(row, `${side}.${recordOf(submitOf(rows[to]!)!)}`)
  }
  dragRow(event, handle, { row, rows, begins, drop })
})

// A press that became a drag opens no menu.
addEventListener(
  'click',
  event => {
    if (isDragged) event.preventDefault()
    isDragged = false
  },
  true,
)
