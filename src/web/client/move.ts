/**
 * What lies on days or in lanes is put to another time, with a mouse or a pen, or with Alt and arrow keys; by its end, or with Shift, it is
 * made longer or shorter. The server judges it as it judges the form, and says in words what it refuses. Fingers have the form.
 */
import { spoken, timeOf } from './move/spoken.ts'
import { type Where, whereIn } from './move/where.ts'
import { showBeside } from './undo.ts'

/** Pixels that a press moves before it is a drag, and from an end that belong to the end. */
const threshold = 6

const day = 1440

interface Moving {
  readonly bar: HTMLElement
  readonly isStretch: boolean
  /** As controls of a form hold them; null: it has no time yet. */
  begins: string | null
  ends: string
  /** Minutes by which it has been moved, and the lane that it is in now; null: the one that it was in. */
  minutes: number
  lane: HTMLElement | null
}

interface Drag extends Moving {
  readonly pointer: number
  readonly x: number
  readonly y: number
  readonly at: Where | null
  ghost: HTMLElement | null
}

let drag: Drag | null = null
let keyed: Moving | null = null
let isDragged = false

const sets = ({ dataset }: HTMLElement, field: string | undefined): boolean =>
  field !== undefined && (dataset.sets ?? '').split(' ').includes(field)

const spaceOf = (bar: HTMLElement): HTMLElement => (bar.closest('.cal') ?? document.querySelector<HTMLElement>('.cal'))!

const isMoment = (bar: HTMLElement): boolean => spaceOf(bar).dataset.moment !== undefined

const resting = (bar: HTMLElement, isStretch: boolean): Moving => {
  const { begins = '', ends = '' } = bar.dataset
  return {
    bar,
    isStretch,
    begins: begins === '' ? null : begins,
    ends: ends === '' ? begins : ends,
    minutes: 0,
    lane: null,
  }
}

/** As a control of a form holds it. */
const shifted = (text: string, minutes: number): string => {
  const at = new Date(Date.parse(text.length === 10 ? `${text}T00:00Z` : `${text}Z`) + minutes * 60_000).toISOString()
  return text.length === 10 ? at.slice(0, 10) : at.slice(0, 16)
}

/** Where it would begin and end. */
function spanOf({ begins, ends, minutes, isStretch }: Moving): readonly [begins: string, ends: string] {
  if (begins === null) return ['', '']
  const until = shifted(ends, minutes)
  if (!isStretch) return [shifted(begins, minutes), until]
  return [begins, until < begins ? begins : until]
}

function valuesOf(moving: Moving): Record<string, string> {
  const { bar, lane } = moving
  const { from = '', to, by = '' } = spaceOf(bar).dataset
  const [begins, ends] = spanOf(moving)
  const laneOf = lane?.dataset.value
  // What had no end keeps none, unless it gets one.
  const isEnded = moving.isStretch || bar.dataset.ends !== '' || bar.dataset.begins === ''
  return {
    ...(begins !== bar.dataset.begins && sets(bar, from) ? { [from]: begins } : {}),
    ...(to !== undefined && sets(bar, to) && isEnded && ends !== bar.dataset.ends ? { [to]: ends } : {}),
    ...(laneOf !== undefined && lane !== bar.closest('[data-lane]') && sets(bar, by) ? { [by]: laneOf } : {}),
  }
}

async function take(moving: Moving): Promise<void> {
  const { bar } = moving
  const values = valuesOf(moving)
  if (Object.keys(values).length === 0) return
  const { move, step, version = '' } = bar.dataset
  const next = location.pathname + location.search
  if (step !== undefined) return location.assign(`${step}?${new URLSearchParams({ ...values, _next: next })}`)
  const token = document.querySelector<HTMLInputElement>('input[name=_csrf]')?.value ?? ''
  const hadFocus = bar.contains(document.activeElement)
  bar.ariaBusy = 'true'
  const body = new URLSearchParams({ ...values, _version: version, _csrf: token })
  const answer = await fetch(`/-/move?${new URLSearchParams({ of: move ?? '' })}`, { method: 'POST', body }).catch(
    () => null,
  )
  bar.ariaBusy = null
  if (answer === null) return void dispatchEvent(new Event('unreached'))
  const said = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('[data-saved]')
  if (said === null) return location.reload()
  spoken(said.querySelector('.flash > span')?.textContent ?? '')
  const { lookNow } = await import('./live/look.ts')
  if (answer.ok) await lookNow()
  // It may stand elsewhere now, as another piece of the page.
  if (hadFocus) document.querySelector<HTMLElement>(`.stay[data-move="${CSS.escape(move ?? '')}"] a`)?.focus()
  showBeside(said)
}

function show(moving: Moving): void {
  const [begins, ends] = spanOf(moving)
  if (begins === '') return
  const lane = moving.lane?.querySelector('h3')?.textContent
  const text = [timeOf(begins, ends), ...(lane == null ? [] : [lane])].join(' · ')
  const ghost = 'ghost' in moving ? (moving as Drag).ghost : null
  if (ghost !== null) ghost.querySelector('.time')!.textContent = text
  else spoken((spaceOf(moving.bar).dataset.asks ?? '{time}').replace('{time}', text), true)
  for (const one of document.querySelectorAll<HTMLElement>('.cal [data-day]'))
    one.classList.toggle('drawn', one.dataset.day! >= begins.slice(0, 10) && one.dataset.day! <= ends.slice(0, 10))
}

function clear(): void {
  for (const one of document.querySelectorAll('.cal .drawn')) one.classList.remove('drawn')
  for (const one of document.querySelectorAll('.stay.moved')) one.classList.remove('moved')
  drag?.ghost?.remove()
  drag = null
  keyed = null
  spoken('', true)
}

const barAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('.stay:is([data-move], [data-step])') : null

/** By its end it is made longer. */
function isAtEnd(bar: HTMLElement, x: number): boolean {
  const { left, right, width } = bar.getBoundingClientRect()
  const end = getComputedStyle(bar).direction === 'rtl' ? x - left : right - x
  return sets(bar, spaceOf(bar).dataset.to) && !bar.matches('.goes-on') && width > 3 * threshold && end <= threshold
}

addEventListener('pointerdown', event => {
  const bar = barAt(event.target)
  isDragged = false
  if (bar === null || event.button !== 0 || event.pointerType === 'touch') return
  clear()
  const { clientX: x, clientY: y } = event
  const at = whereIn(spaceOf(bar), x, y)
  drag = { ...resting(bar, isAtEnd(bar, x)), pointer: event.pointerId, x, y, at, ghost: null }
})

addEventListener('pointermove', event => {
  if (drag === null) barAt(event.target)?.classList.toggle('at-end', isAtEnd(barAt(event.target)!, event.clientX))
  if (drag?.pointer !== event.pointerId) return
  const { clientX: x, clientY: y } = event
  if (drag.ghost === null) {
    if (Math.hypot(x - drag.x, y - drag.y) < threshold) return
    begin(drag)
  }
  const { bar, at, ghost, isStretch } = drag
  ghost!.style.translate = `${x - drag.x}px ${y - drag.y}px`
  const now = whereIn(spaceOf(bar), x, y)
  if (now === null) return
  // What has no time yet is put where it is dropped.
  if (bar.dataset.begins === '') {
    drag.begins = now.text(isMoment(bar))
    drag.ends = isMoment(bar) ? shifted(drag.begins, 60) : drag.begins
  } else drag.minutes = at === null ? 0 : now.minutes - at.minutes
  drag.lane = isStretch ? null : now.lane
  show(drag)
})

addEventListener('pointerup', event => {
  if (drag?.pointer !== event.pointerId) return
  const { ghost } = drag
  const moving = drag
  isDragged = ghost !== null
  clear()
  if (ghost !== null) void take(moving)
})

function begin(now: Drag): void {
  const { left, top, width, height } = now.bar.getBoundingClientRect()
  const ghost = now.bar.cloneNode(true) as HTMLElement
  ghost.className = `${now.bar.className} ghost`
  ghost.ariaHidden = 'true'
  const time = document.createElement('span')
  time.className = 'time'
  ghost.append(time)
  Object.assign(ghost.style, { left: `${left}px`, top: `${top}px`, minWidth: `${width}px`, minHeight: `${height}px` })
  document.body.append(ghost)
  now.ghost = ghost
  now.bar.classList.add('moved')
}

addEventListener('pointercancel', () => clear())
// A drag is no click on the link under it, no selection of text, and no drag of the browser's.
addEventListener(
  'click',
  event => {
    if (isDragged) event.preventDefault()
    isDragged = false
  },
  true,
)
addEventListener('selectstart', event => {
  if (drag !== null) event.preventDefault()
})
addEventListener('dragstart', event => {
  if (barAt(event.target) !== null) event.preventDefault()
})

/** Minutes by which an arrow moves a bar. */
function minutesBy(key: string, space: HTMLElement, bar: HTMLElement): number | null {
  const unit = Number(space.querySelector<HTMLElement>('[data-minutes]')?.dataset.minutes ?? day)
  const end = document.dir === 'rtl' ? -1 : 1
  const isWeek = bar.closest('.at-hours') !== null
  const across = isMoment(bar) ? unit : day
  const down = isWeek ? 30 : 7 * day
  return { ArrowRight: end * across, ArrowLeft: -end * across, ArrowDown: down, ArrowUp: -down }[key] ?? null
}

/** The lane above or below; the same where there is none. */
function laneBeside(from: HTMLElement, by: 1 | -1): HTMLElement {
  const all = [...document.querySelectorAll<HTMLElement>('[data-lane][data-value]')]
  return all[all.indexOf(from) + by] ?? from
}

addEventListener('keydown', event => {
  const bar = barAt(event.target)
  if (event.key === 'Escape' && (drag !== null || keyed !== null)) {
    event.preventDefault()
    // Letting go of it is still no click.
    isDragged = drag?.ghost != null
    return clear()
  }
  if (keyed !== null && event.key === 'Enter') {
    event.preventDefault()
    const moving = keyed
    clear()
    return void take(moving)
  }
  if (bar === null || !event.altKey || !event.key.startsWith('Arrow') || bar.dataset.begins === '') return
  event.preventDefault()
  const space = spaceOf(bar)
  const isStretch = event.shiftKey && sets(bar, space.dataset.to)
  if (event.shiftKey && !isStretch) return
  if (keyed?.bar !== bar || keyed.isStretch !== isStretch) {
    clear()
    keyed = resting(bar, isStretch)
  }
  const lane = bar.closest<HTMLElement>('[data-lane]')
  const isAcross = event.key === 'ArrowLeft' || event.key === 'ArrowRight'
  if (lane !== null && !isAcross && !isStretch) {
    if (sets(bar, space.dataset.by)) keyed.lane = laneBeside(keyed.lane ?? lane, event.key === 'ArrowDown' ? 1 : -1)
  } else keyed.minutes += minutesBy(event.key, space, bar) ?? 0
  bar.classList.add('moved')
  show(keyed)
})

addEventListener('focusout', ({ target }) => {
  if (keyed !== null && barAt(target) === keyed.bar) clear()
})
