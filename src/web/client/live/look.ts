/**
 * Something on this page was written by somebody else: it looks again. What stays where it is changes in place; what would come, go or
 * move waits behind a bar, unless nobody is reading. Nothing happens while a menu or a question is open or something is dragged.
 */
import type { Counts } from '../live.ts'
import { items, keyOf, placeOf, renew } from './renew.ts'

const bar = document.querySelector<HTMLElement>('[data-news]')
const button = bar?.querySelector('button')

/** What the server last showed; scripts have not touched it. */
let before = document.querySelector('.app')!.cloneNode(true) as Element
let waiting: { readonly next: Element; readonly page: Document } | null = null

const isBusy = (): boolean =>
  document.querySelector('main :popover-open, dialog[open], .ghost') !== null || getSelection()?.type === 'Range'

const itemsIn = (page: Element): readonly Element[] => [...page.querySelectorAll(`main :is(${items})`)]

/** Records that came or went, or stand elsewhere. */
function movedIn(page: Element): ReadonlySet<string> {
  const [was, now] = [itemsIn(before), itemsIn(page)]
  const [old, fresh] = [new Set(was.map(placeOf)), new Set(now.map(placeOf))]
  const stayed = was.filter(item => fresh.has(placeOf(item)))
  const stays = now.filter(item => old.has(placeOf(item)))
  const moved = [
    ...was.filter(item => !fresh.has(placeOf(item))),
    ...now.filter(item => !old.has(placeOf(item))),
    // Of two that changed places, one.
    ...stays.filter((item, at) => stayed[at] !== undefined && placeOf(stayed[at]) !== placeOf(item)).slice(1),
  ]
  return new Set(moved.map(keyOf))
}

function say(text: string, isShown: boolean): void {
  if (bar === null) return
  bar.hidden = false
  bar.querySelector('span')!.textContent = text
  button!.hidden = !isShown
}

let isHeldBack = false

function take(next: Element, page: Document): void {
  const shown = next.cloneNode(true)
  const from = document.activeElement as HTMLElement | null
  for (const symbol of page.querySelectorAll('.defs symbol'))
    if (document.getElementById(symbol.id) === null) document.querySelector('.defs')?.append(symbol)
  for (const part of ['.nav', 'main > .wrap']) {
    const [live, was, now] = [document, before, next].map(one => one.querySelector(part))
    if (live && was && now) renew(live, was, now, page)
  }
  isHeldBack = !next.isEqualNode(shown)
  before = next
  waiting = null
  if (bar !== null) bar.hidden = true
  // Where a piece was put elsewhere the browser has let go of it.
  if (document.activeElement === document.body && from?.isConnected) from.focus({ preventScroll: true })
}

/** Of what has come, moved or gone, all that stays in its place. */
function takeInPlace(next: Element, page: Document): void {
  const was = new Map(itemsIn(before).map(item => [placeOf(item), item]))
  const now = new Map(itemsIn(next).map(item => [placeOf(item), item]))
  for (const item of itemsIn(document.body)) {
    const place = placeOf(item)
    const [old, fresh] = [was.get(place), now.get(place)]
    if (keyOf(item) === '' || old === undefined || fresh === undefined) continue
    renew(item, old, fresh, page)
    old.replaceWith(fresh.cloneNode(true))
  }
  const [live, old, fresh] = [document, before, next].map(one => one.querySelector('.nav'))
  if (live && old && fresh) renew(live, old, fresh, page)
  old?.replaceWith(fresh!.cloneNode(true))
}

/** As on the page that the server would show now, so that it finds them in their place. */
export function count(counts: Counts): void {
  for (const page of [document, before])
    for (const figure of page.querySelectorAll<HTMLElement>('[data-counts]')) {
      const text = counts[figure.dataset.counts!] ?? ''
      figure.hidden = text === ''
      figure.replaceChildren(text, figure.lastElementChild!)
    }
  // What is counted there stands on this page.
  if (location.pathname === '/-/notices') void look()
}

function show(): void {
  if (waiting === null) return
  const { next, page } = waiting
  const moved = movedIn(next)
  const first = itemsIn(next)
    .map(keyOf)
    .find(key => moved.has(key))
  take(next, page)
  const shown = itemsIn(document.body).find(item => keyOf(item) === first)
  shown?.classList.add('fresh')
  const place = shown?.querySelector<HTMLElement>('a[href]') ?? document.querySelector<HTMLElement>('main')
  place?.focus({ preventScroll: true })
}

button?.addEventListener('click', show)

const isOff = document.querySelector('[data-find]:not([data-shortcuts])') !== null
addEventListener('keydown', ({ key, target, ctrlKey, metaKey, altKey }) => {
  if (key !== '.' || isOff || ctrlKey || metaKey || altKey) return
  if (target instanceof Element && target.closest('input, select, textarea, [contenteditable], dialog') === null) show()
})

// What was held while somebody was in it.
addEventListener('focusout', () => {
  if (isHeldBack) void look()
})

/** One at a time; what comes meanwhile is one more. */
let looking: Promise<void> | null = null
let again = false

export async function look(): Promise<void> {
  again = true
  if (looking !== null) return looking
  looking = (async () => {
    while (again) {
      again = false
      await once()
      await new Promise(resolve => setTimeout(resolve, 2000))
    }
  })().finally(() => {
    looking = null
  })
  return looking
}

/** After something that was done on the page itself: all of it is taken at once. */
export async function lookNow(): Promise<void> {
  const answer = await fetch(location.href, { headers: { 'nf-look': '1' } }).catch(() => null)
  if (answer === null) return void dispatchEvent(new Event('unreached'))
  const page = answer.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null
  const next = page?.querySelector('.app')
  if (page === null || next == null) return location.reload()
  take(next, page)
}

async function once(): Promise<void> {
  // Its own script, or whoever writes, keeps what stands there.
  if (document.querySelector('[data-island=form]') !== null) return say(bar?.dataset.meanwhile ?? '', false)
  const answer = await fetch(location.href, { headers: { 'nf-look': '1' } }).catch(() => null)
  if (answer === null || answer.status >= 500) return
  // Signed out: the watch over the session sees to that.
  if (answer.redirected || answer.status === 401) return
  if (answer.status === 404 || answer.status === 403) return say(bar?.dataset.gone ?? '', false)
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const next = page.querySelector('.app')
  if (next === null) return
  while (isBusy()) await new Promise(resolve => setTimeout(resolve, 500))
  const moved = movedIn(next)
  const isRead = document.visibilityState === 'visible' && itemsIn(before).length > 0
  if (moved.size === 0 || !isRead) return take(next, page)
  takeInPlace(next, page)
  waiting = { next, page }
  say((bar?.dataset.moved ?? '').replace('{count}', String(moved.size)), true)
}
