/**
 * What every page gains from a script: keys in menus, the focus where it was when the page comes again and in the field that a summary
 * leads to, no half date, no second sending of a form and none without a connection, a question before unsaved work is left.
 */
import { tellHalfTyped, withPickers } from '../../ui/dates.ts'
import { takePlace } from './again.ts'
import { isCutOff } from './page/connection.ts'
import { watchSession } from './page/session.ts'
import { forgetAll, recentOf, visit } from './recent.ts'

/** Milliseconds in which the same form is not sent again. */
const patience = 10_000

/** Of a menu: what is done there, and not where the document says so. */
const entries = 'a:not(.src), button'

/** What takes an answer, or adds a row to take one. */
const controls = ':is(input:not([type=hidden]), select, textarea, button):not(:disabled)'

/** Where a letter is meant for what has the focus. */
const typing = 'input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable], dialog[open]'

const isDirty = (form: Element): boolean => form.matches('[data-changed], [data-guard=unsaved]')

addEventListener('keydown', event => {
  const menu = event.target instanceof Element ? event.target.closest('.menu:not([role])') : null
  if (menu === null) return
  const items = [...menu.querySelectorAll<HTMLElement>(entries)]
  const at = items.indexOf(document.activeElement as HTMLElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  items.at(next % items.length)?.focus()
})

// A toggle does not bubble.
document.addEventListener(
  'toggle',
  ({ target, newState }) => {
    if (newState === 'open' && target instanceof Element && target.matches('.menu'))
      target.querySelector<HTMLElement>(entries)?.focus()
  },
  true,
)

// Who goes on with Tab does not find a menu, a sheet, or what was asked, lying over where they are.
addEventListener('focusout', ({ target, relatedTarget: next }) => {
  const open = target instanceof Element ? target.closest<HTMLElement>(':popover-open') : null
  // A press between its controls focuses what it stands in.
  if (open === null || !(next instanceof Element) || open.contains(next) || next.contains(open)) return
  if (next.getAttribute('popovertarget') !== open.id) open.hidePopover()
})

// Of its own a link to a list of rows or of choices, and in Firefox one to a date, takes nobody to a control.
addEventListener('click', event => {
  const link = event.target instanceof Element ? event.target.closest('.summary a[href^="#"]') : null
  const place = document.getElementById(link?.getAttribute('href')?.slice(1) ?? '')
  const control = place?.matches('fieldset') ? place.querySelector<HTMLElement>(controls) : place
  if (control == null) return
  event.preventDefault()
  control.focus()
})

withPickers(document)
takePlace()

// An address with a place in it takes the focus from the message above: there it is said anew.
const said = location.hash === '' ? null : document.querySelector('.flash > span')
const message = said?.textContent ?? ''
if (said !== null) {
  said.textContent = ''
  setTimeout(() => {
    said.textContent = message
  }, 100)
}

// On a home screen the application says how much waits there.
if ('setAppBadge' in navigator) {
  const counts = Array.from(document.querySelectorAll('.nav .hot'), ({ textContent }) =>
    Number.parseInt(textContent, 10),
  )
  navigator.setAppBadge(counts.reduce((sum, count) => sum + count, 0)).catch(() => {})
}

const sent = new WeakMap<HTMLFormElement, number>()

addEventListener('submit', event => {
  const form = event.target
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method === 'dialog') return
  if (isCutOff(form)) return event.preventDefault()
  if (form.method !== 'post') return
  if (!(event.submitter as HTMLButtonElement | null)?.formNoValidate && tellHalfTyped(form))
    return event.preventDefault()
  if (/\/-\/sign-out$/.test((event.submitter as HTMLButtonElement | null)?.formAction ?? '')) forgetAll()
  if (event.timeStamp - (sent.get(form) ?? -patience) < patience) event.preventDefault()
  else sent.set(form, event.timeStamp)
})

// A page that comes back from the browser's memory may be sent again.
addEventListener('pageshow', () => {
  for (const form of document.forms) sent.delete(form)
})

addEventListener('input', event => {
  const form = event.target instanceof Element ? event.target.closest('form[data-guard]') : null
  form?.setAttribute('data-changed', '')
})

for (const button of document.querySelectorAll('[data-print]')) button.addEventListener('click', () => print())

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-reveal]')) {
  const { form } = button
  const hidden = form?.querySelectorAll<HTMLInputElement>('[type=password]') ?? []
  const show = (shown: boolean) => {
    for (const input of hidden) input.type = shown ? 'text' : 'password'
    button.ariaPressed = String(shown)
  }
  button.addEventListener('click', () => show(button.ariaPressed !== 'true'))
  // Browsers offer again what was sent as text.
  form?.addEventListener('submit', () => show(false))
}

// Of `dev` alone: whether lines of the document are shown, on the next page too.
const lines = document.querySelector<HTMLInputElement>('#dev-lines')
if (lines !== null) {
  lines.checked = sessionStorage.getItem('ninefold.lines') === 'on'
  lines.addEventListener('change', () => sessionStorage.setItem('ninefold.lines', lines.checked ? 'on' : 'off'))
}

const find = document.querySelector<HTMLFormElement>('[data-find]')
watchSession(find === null ? null : Number(find.dataset.idle), () => [...document.forms].some(isDirty))
if (find !== null) {
  visit(find)
  const shown = find.querySelector('kbd')
  if (shown !== null) {
    shown.hidden = false
    shown.textContent = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ K' : 'Ctrl K'
  }
  const openPalette = () => {
    const before = document.activeElement as HTMLElement | null
    if (before?.closest('.palette') != null) return
    const box = find.querySelector<HTMLInputElement>('[name=q]')!
    box.select()
    // What is typed until it is there is not lost; where the box is not shown, another one takes it.
    const spare = document.activeElement === box ? null : document.createElement('input')
    if (spare !== null) {
      spare.className = 'vh'
      spare.ariaLabel = box.ariaLabel
      ;(before?.closest('dialog') ?? document.body).append(spare)
      spare.focus()
    }
    void import('./palette/start.tsx').then(({ start }) => {
      box.value = spare?.value || box.value
      spare?.remove()
      start(find, recentOf, before)
    })
  }
  const { shortcuts } = find.dataset
  addEventListener('keydown', event => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if (key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !event.shiftKey) {
      event.preventDefault()
      openPalette()
      return
    }
    const isTyped = ctrlKey || metaKey || altKey || !(target instanceof Element) || target.closest(typing) !== null
    if (shortcuts === undefined || isTyped || event.defaultPrevented || event.repeat) return
    // What lies over the page has keys of its own.
    if (document.querySelector('dialog[open], :popover-open') !== null) return
    const pressed =
      key.length === 1 && key !== '.'
        ? document.querySelector<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(key)}"]`)
        : null
    if (key !== '?' && key !== '/' && key !== 'g' && pressed === null) return
    event.preventDefault()
    if (key === '/') openPalette()
    else if (key === '?') void import('./palette/keys.ts').then(({ showKeys }) => showKeys(shortcuts))
    else if (key === 'g') void import('./palette/keys.ts').then(({ goTo }) => goTo())
    else if (pressed!.matches('textarea')) pressed!.focus()
    else pressed!.click()
  })
}

addEventListener('beforeunload', event => {
  const open = [...document.forms].filter(form => isDirty(form) && !sent.has(form))
  if (open.length > 0) event.preventDefault()
})
