/**
 * Brings a page up to what the server would show now: only where that is different from what it showed before. What is being written, or
 * was opened, stays as it is.
 */

declare global {
  interface GlobalEventHandlersEventMap {
    /** A piece of the page was put in, or in the place of another; the page that it came with. */
    'ninefold:put': CustomEvent<Document>
  }
}

/** Rows, cards, notices and what lies on days: each is taken whole. */
export const items = 'tbody > tr:not(.grp), .card, .waits > li, .notices > li, .stay'

const writing =
  'input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable], [role=gridcell], [role=rowheader]'

/** And where it stands: in which column of a board, on which days, in which lane. */
export function placeOf(item: Element): string {
  const state = item.closest<HTMLElement>('[data-state]')?.dataset.state ?? ''
  const { day = '', lane = '' } = item.closest<HTMLElement>('[data-day], [data-lane]')?.dataset ?? {}
  const days = day + lane === '' ? '' : (item.className.match(/\b[a-z]\d+\b/g) ?? []).join('')
  return [state, day + lane, days, keyOf(item)].join(' ')
}

/** What scripts have made of a piece that stays. */
const scripted = ['fresh', 'over', 'open', 'shut']

/** What a form carries that is new each time it is shown. */
const once = /<input[^>]*name="_(?:once|csrf)"[^>]*>/g

const isSame = (before: Element, now: Element): boolean =>
  before.outerHTML.replace(once, '') === now.outerHTML.replace(once, '')

const ownText = ({ childNodes }: Element): string =>
  [...childNodes].flatMap(node => (node.nodeType === Node.TEXT_NODE ? node.nodeValue : [])).join('')

/** What it stands for: by its id, or the record that it leads to. */
export const keyOf = (item: Element): string =>
  item.id || (item.querySelector('a[href]')?.getAttribute('href')?.split('?')[0] ?? '')

/** It is its own affair, or holds what somebody has begun. */
const isOwn = (live: Element): boolean => live.matches('[data-island], form[data-changed], .flash')

/** Whoever writes in it keeps it. */
function isHeld(live: Element): boolean {
  const active = document.activeElement
  return (
    isOwn(live) ||
    live.querySelector('form[data-changed], [aria-busy=true]') !== null ||
    (active !== null && live.contains(active) && active.matches(writing))
  )
}

/** By what stands for the same thing on both pages: an id, a record, or its place among its like. */
function childrenOf(parent: Element): Map<string, Element> {
  const places = new Map<string, number>()
  return new Map(
    [...parent.children].map(child => {
      const name = child.id || (child.matches(items) && keyOf(child)) || child.tagName
      const place = places.get(name) ?? 0
      places.set(name, place + 1)
      return [`${name} ${place}`, child]
    }),
  )
}

/** `page`: what `now` came with. Of what is held there stays in `now` what was before: the next time it is different again. */
export function renew(live: Element, before: Element, now: Element, page: Document): void {
  if (isSame(before, now) || isOwn(live)) return
  const isWhole = live.matches(items) || before.childElementCount * now.childElementCount === 0
  if (isWhole || before.tagName !== now.tagName || ownText(before) !== ownText(now)) {
    if (isHeld(live)) now.replaceWith(before.cloneNode(true))
    else put(live, before, now, page)
    return
  }
  copyAttributes(live, now)
  const known = childrenOf(before)
  const here = childrenOf(live)
  const next = childrenOf(now)
  const staying = new Set([...next.keys()].flatMap(name => here.get(name) ?? []))
  let at: Element | null = live.firstElementChild
  for (const [name, child] of next) {
    // What only this page has, a message for one, stays where it is.
    while (at !== null && !staying.has(at)) at = at.nextElementSibling
    const own = here.get(name)
    const was = known.get(name)
    if (own === undefined) {
      const added = document.importNode(child, true)
      live.insertBefore(added, at)
      tell(added, page)
      continue
    }
    if (own === at) at = own.nextElementSibling
    else live.insertBefore(own, at)
    if (was !== undefined) renew(own, was, child, page)
  }
  // What scripts have added belongs to no page.
  for (const [name] of known)
    if (!next.has(name) && here.has(name) && !isHeld(here.get(name)!)) here.get(name)!.remove()
}

/** A row in a table that stays: its cells are as wide, or as hidden, as those above and below, whatever the page that it came with made of them. */
export function alignCells(next: Element, live: Element): void {
  if (!(next instanceof HTMLTableRowElement && live instanceof HTMLTableRowElement)) return
  for (const [at, cell] of [...next.cells].entries()) {
    const like = live.cells[at]
    if (like !== undefined) cell.className = like.className
  }
}

function put(live: Element, before: Element, now: Element, page: Document): void {
  const next = document.importNode(now, true)
  const isFocused = live.contains(document.activeElement)
  const chosen = live.querySelector<HTMLInputElement>('.c-sel input:checked')
  alignCells(next, live)
  live.replaceWith(next)
  const box = next.querySelector<HTMLInputElement>('.c-sel input')
  if (chosen !== null && box !== null) box.checked = true
  // Else its columns stand in another way, or scripts had made something of it. Figures of the navigation are no news of this page.
  if (before.textContent !== now.textContent && !next.matches('[data-counts]')) next.classList.add('fresh')
  tell(next, page)
  if (isFocused) next.querySelector<HTMLElement>('a[href], button')?.focus({ preventScroll: true })
}

/** Scripts of the page prepare what is new on it. */
function tell(added: Element, page: Document): void {
  added.dispatchEvent(new CustomEvent<Document>('ninefold:put', { bubbles: true, detail: page }))
}

function copyAttributes(live: Element, now: Element): void {
  const kept = scripted.filter(name => live.classList.contains(name))
  for (const { name, value } of now.attributes) if (live.getAttribute(name) !== value) live.setAttribute(name, value)
  live.classList.add(...kept)
  if (live.className === '') live.removeAttribute('class')
}
