/**
 * A board whose cards can be dragged with a mouse or a pen. A drag is a step: a card goes only where one of its open steps leads,
 * and dropping it there presses that step in the card's menu, which stays the way for keyboards and fingers. In its own column it is put
 * before or after another card, where the order is by hand.
 */
import { put, recordOf, submitOf } from './order/put.ts'

/** Pixels that a press must move before it is a drag. */
const threshold = 6

interface Drag {
  readonly card: HTMLElement
  readonly pointer: number
  readonly x: number
  readonly y: number
  /** By the state that they lead to. */
  readonly steps: ReadonlyMap<string, readonly HTMLElement[]>
  /** Follows the pointer, once it is a drag. */
  ghost: HTMLElement | null
}

let drag: Drag | null = null

const columns = (): readonly HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.col[data-state]')]

const columnAt = (x: number, y: number): HTMLElement | null =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>('.col[data-state]') ?? null

function stepsOf(card: Element): ReadonlyMap<string, readonly HTMLElement[]> {
  return Map.groupBy(card.querySelectorAll<HTMLElement>('[data-to]'), ({ dataset }) => dataset.to ?? '')
}

addEventListener('pointerdown', event => {
  const target = event.target as Element
  const card = target.closest<HTMLElement>('.card')
  if (card === null || event.button !== 0 || event.pointerType === 'touch') return
  if (target.closest('a, button, [popover]') !== null) return
  const steps = stepsOf(card)
  if (steps.size > 0 || submitOf(card) !== null)
    drag = { card, pointer: event.pointerId, x: event.clientX, y: event.clientY, steps, ghost: null }
})

addEventListener('pointermove', event => {
  if (drag === null || event.pointerId !== drag.pointer) return
  const { x, y } = drag
  if (drag.ghost === null) {
    if (Math.hypot(event.clientX - x, event.clientY - y) < threshold) return
    begin(drag)
  }
  event.preventDefault()
  // Through the style object: the content policy refuses `style=` in markup, not this.
  drag.ghost!.style.translate = `${event.clientX - x}px ${event.clientY - y}px`
  const over = columnAt(event.clientX, event.clientY)
  for (const column of columns()) column.classList.toggle('over', column === over && column.classList.contains('open'))
  mark(besideAt(drag.card, event))
})

interface Beside {
  readonly card: HTMLElement
  readonly side: 'before' | 'after'
}

/** The card of its own column that it would stand beside; null: it is not over one, or has no place. */
function besideAt(own: HTMLElement, { clientX, clientY }: PointerEvent): Beside | null {
  const card = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('.card') ?? null
  if (card === null || card === own || card.parentElement !== own.parentElement || submitOf(own) === null) return null
  const { top, height } = card.getBoundingClientRect()
  return submitOf(card) === null ? null : { card, side: clientY < top + height / 2 ? 'before' : 'after' }
}

function mark(beside: Beside | null): void {
  for (const one of document.querySelectorAll('.card:is(.over-before, .over-after)'))
    one.classList.remove('over-before', 'over-after')
  beside?.card.classList.add(`over-${beside.side}`)
}

addEventListener('pointerup', event => {
  if (drag === null || event.pointerId !== drag.pointer) return
  const { steps, ghost, card } = drag
  const found = ghost === null ? undefined : steps.get(columnAt(event.clientX, event.clientY)?.dataset.state ?? '')
  const beside = ghost === null ? null : besideAt(card, event)
  end()
  if (beside !== null) return put(card, `${beside.side}.${recordOf(submitOf(beside.card)!)}`)
  if (found === undefined) return
  const [step] = found
  // Several steps lead there: the menu asks which.
  if (found.length > 1 || step === undefined) card.querySelector<HTMLElement>('[popovertarget]')?.click()
  else if (step instanceof HTMLButtonElement) step.form?.requestSubmit(step)
  else step.click()
})

addEventListener('pointercancel', () => end())
addEventListener('keydown', event => {
  if (event.key === 'Escape') end()
})
// A press that became a drag is no selection of text, and a link or picture in a card is not dragged by itself.
addEventListener('selectstart', event => {
  if (drag !== null) event.preventDefault()
})
addEventListener('dragstart', event => {
  if ((event.target as Element | null)?.closest?.('.card') != null) event.preventDefault()
})

function begin(now: Drag): void {
  const { left, top, width } = now.card.getBoundingClientRect()
  const ghost = now.card.cloneNode(true) as HTMLElement
  for (const part of ghost.querySelectorAll('[popover], form')) part.remove()
  ghost.classList.add('ghost')
  ghost.setAttribute('aria-hidden', 'true')
  Object.assign(ghost.style, { left: `${left}px`, top: `${top}px`, width: `${width}px` })
  document.body.append(ghost)
  now.ghost = ghost
  now.card.classList.add('moved')
  const own = now.card.closest('.col')
  for (const column of columns()) {
    const isOpen = now.steps.has(column.dataset.state ?? '')
    column.classList.toggle('open', isOpen)
    column.classList.toggle('shut', !isOpen && column !== own)
  }
}

function end(): void {
  mark(null)
  drag?.ghost?.remove()
  drag?.card.classList.remove('moved')
  for (const column of columns()) column.classList.remove('open', 'shut', 'over')
  drag = null
}
