/**
 * A calendar: whoever draws over days with a mouse or a pen begins a new record on them. Each day has a link to the same form. What lies on
 * days is moved to others.
 */
import './move.ts'

interface Drawing {
  readonly calendar: HTMLElement
  readonly pointer: number
  readonly from: string
  to: string
}

let drawing: Drawing | null = null

const dayAt = (target: Element | null): HTMLElement | null =>
  target?.closest<HTMLElement>('[data-new] [data-day]') ?? null

function mark(): void {
  for (const day of document.querySelectorAll<HTMLElement>('[data-day]')) {
    const [first, last] = drawing === null ? ['', ''] : [drawing.from, drawing.to].sort()
    day.classList.toggle('drawn', drawing !== null && day.dataset.day! >= first! && day.dataset.day! <= last!)
  }
}

addEventListener('pointerdown', event => {
  const target = event.target as Element
  const day = dayAt(target)
  if (day === null || event.button !== 0 || event.pointerType === 'touch' || target.closest('a, .stay') !== null) return
  const { day: iso = '' } = day.dataset
  drawing = { calendar: day.closest<HTMLElement>('[data-new]')!, pointer: event.pointerId, from: iso, to: iso }
  mark()
})

addEventListener('pointermove', event => {
  if (drawing?.pointer !== event.pointerId) return
  const over = dayAt(
    document.elementsFromPoint(event.clientX, event.clientY).find(one => one.closest('.stay') === null) ?? null,
  )
  if (over === null || over.dataset.day === drawing.to) return
  drawing.to = over.dataset.day!
  mark()
})

addEventListener('pointerup', event => {
  if (drawing?.pointer !== event.pointerId) return
  const { calendar, from, to } = drawing
  const [first, last] = [from, to].sort()
  end()
  const { new: href = '', from: begins = '', to: ends, time = '' } = calendar.dataset
  // A press on a day alone is none: its link is there for that.
  if (first === last) return
  location.assign(
    `${href}?${new URLSearchParams({ [begins]: first! + time, ...(ends === undefined ? {} : { [ends]: last! + time }) })}`,
  )
})

addEventListener('pointercancel', () => end())
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') end()
})
addEventListener('selectstart', event => {
  if (drawing !== null) event.preventDefault()
})

function end(): void {
  drawing = null
  mark()
}
