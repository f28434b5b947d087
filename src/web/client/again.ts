/**
 * A page that comes again with another address (filters, order, period): the focus is where it was, and the count is said. Whoever turned
 * the page of a list goes on at its rows.
 */
const key = 'ninefold:place'

const named = (element: Element): string => element.getAttribute('aria-label') ?? element.textContent?.trim() ?? ''

const rows = '.listform [tabindex="0"]'

/** What finds it on the next page: an id, or what a link or button is called; the rows, from the links between pages. */
function traceOf(element: Element): string {
  if (element.matches('.prov a')) return rows
  return element.id === '' ? named(element) : `#${element.id}`
}

function found(trace: string): HTMLElement | null {
  if (trace === rows) return document.querySelector<HTMLElement>(rows)
  if (trace.startsWith('#')) return document.getElementById(trace.slice(1))
  const all = [...document.querySelectorAll<HTMLElement>('main a[href], main button')]
  return all.find(element => named(element) === trace && element.checkVisibility()) ?? null
}

/** The next page with this address gives the focus back. */
export function keepPlace(at: Element | null): void {
  if (at !== null && at !== document.body)
    sessionStorage.setItem(key, JSON.stringify({ path: location.pathname, trace: traceOf(at) }))
}

/** The link by which the form over a list was asked for. */
export function openerOf(): Element | null {
  const open = new URLSearchParams(location.search).get('_open')
  return open === null ? null : document.querySelector(`.tools a[href*="_open=${CSS.escape(open)}"]`)
}

export function takePlace(): void {
  const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null') as { path: string; trace: string } | null
  sessionStorage.removeItem(key)
  if (kept?.path === location.pathname && document.querySelector('[autofocus]') === null) {
    // What was taken away (a filter) leaves the search field.
    const place = found(kept.trace) ?? document.querySelector<HTMLElement>('form.filters input')
    place?.focus()
    const count = document.querySelector('output.count')
    const text = count?.textContent ?? ''
    if (count !== null) {
      // Only what changes in it is read out.
      count.textContent = ''
      setTimeout(() => {
        count.textContent = text
      }, 100)
    }
  }
  document.querySelector('main')?.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey
    if (link !== null && !elsewhere && link.pathname === location.pathname && link.search !== location.search)
      keepPlace(link.closest('[data-close]') === null ? link : openerOf())
  })
}
