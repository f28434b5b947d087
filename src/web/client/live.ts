/**
 * Open pages follow what is written: one connection for all of a browser's pages that are shown, held by one of them, tells which of them
 * to look again. While a document is being written they follow that, too, unless it would throw away what somebody is typing.
 */

interface Page {
  readonly at: string
  readonly of: readonly string[]
}

/** Minutes that a page which is not shown goes on following. */
const hidden = 5
const mostLinks = 60

const me = crypto.randomUUID()
const pages = new Map<string, Page>()
// Closed while the browser keeps the page in its memory: a message would end that.
let channel: BroadcastChannel | null = null
let events: EventSource | null = null
let release: (() => void) | null = null
let server: string | null = null

/** This page, and the records that stand on it. */
function own(): Page {
  const links = document.querySelectorAll<HTMLAnchorElement>('main :is(a.ttl, .card h3 a, .waits .what > a, .stay a)')
  return { at: location.pathname, of: [...new Set([...links].map(({ pathname }) => pathname))].slice(0, mostLinks) }
}

const say = (message: Record<string, unknown>): void => channel?.postMessage({ ...message, from: me })

function look(): void {
  if (document.querySelector('.app') !== null) void import('./live/look.ts').then(module => module.look())
}

/** What stands beside links of the navigation, by what it counts; empty: none. */
export type Counts = Readonly<Record<string, string>>

function count(counts: Counts): void {
  const isShown = (figure: HTMLElement) =>
    (figure.hidden ? '' : figure.firstChild?.nodeValue) === counts[figure.dataset.counts!]
  if ([...document.querySelectorAll<HTMLElement>('[data-counts]')].every(isShown)) return
  void import('./live/look.ts').then(module => module.count(counts))
}

function reload(): void {
  // The editor saves what it changes, and shows the application in a frame that follows by itself.
  if (document.querySelector('[data-editor]') !== null) return
  const note = document.querySelector<HTMLElement>('[data-changed-note]')
  const isTyping = document.querySelector('form[data-changed], form[data-guard=unsaved]') !== null
  if (isTyping && note !== null) note.hidden = false
  else location.reload()
}

function heard({ event, data }: { readonly event: string; readonly data: string }): void {
  if (event === 'written' && (JSON.parse(data) as string[]).includes(location.pathname)) look()
  if (event === 'counts') count(JSON.parse(data) as Counts)
  if (event === 'reload') reload()
  if (event === 'mail' && /^\/-\/(mailbox$|calls-received$)/.test(location.pathname) && location.search === '')
    location.reload()
  if (event !== 'hello') return
  // The connection ended for a while, or the server did, perhaps for another version of itself.
  if (server !== null) {
    if (server !== data && document.querySelector('[data-changed-note]') !== null) reload()
    else look()
  }
  server = data
}

/** By the page that holds the connection; anew whenever one comes or goes. */
function connect(): void {
  events?.close()
  const query = new URLSearchParams()
  for (const { at, of } of pages.values()) {
    query.append('at', at)
    for (const link of of) query.append('of', link)
  }
  const opened = new EventSource(`/-/events?${query}`)
  events = opened
  for (const event of ['hello', 'written', 'counts', 'reload', 'mail'])
    opened.addEventListener(event, ({ data }: MessageEvent<string>) => {
      say({ event, data })
      heard({ event, data })
    })
}

let changing: ReturnType<typeof setTimeout> | undefined
function changed(): void {
  clearTimeout(changing)
  changing = setTimeout(() => release !== null && connect(), 50)
}

interface Message {
  readonly from: string
  readonly page?: Page
  readonly gone?: true
  readonly lead?: true
  readonly event?: string
  readonly data?: string
}

function told({ data: message }: MessageEvent<Message>): void {
  if (message.event !== undefined) heard({ event: message.event, data: message.data ?? '' })
  if (message.lead === true && pages.has(me)) say({ page: pages.get(me) })
  if (message.page !== undefined) pages.set(message.from, message.page)
  if (message.gone === true) pages.delete(message.from)
  if (message.page !== undefined || message.gone === true) changed()
}

function follow(): void {
  if (pages.has(me)) return
  channel = new BroadcastChannel('ninefold-live')
  channel.onmessage = told
  const page = own()
  pages.set(me, page)
  say({ page })
  void navigator.locks.request('ninefold-live', () => {
    if (!pages.has(me)) return
    return new Promise<void>(resolve => {
      release = resolve
      // The others say what they show.
      say({ lead: true })
      changed()
    })
  })
}

function leave(): void {
  pages.delete(me)
  say({ gone: true })
  channel?.close()
  channel = null
  events?.close()
  events = null
  release?.()
  release = null
}

document.querySelector('[data-changed-note] button')?.addEventListener('click', () => {
  // It was asked; it need not be asked again.
  for (const form of document.forms) for (const name of ['data-changed', 'data-guard']) form.removeAttribute(name)
  location.reload()
})

let leaving: ReturnType<typeof setTimeout> | undefined
addEventListener('visibilitychange', () => {
  clearTimeout(leaving)
  if (document.visibilityState === 'hidden') leaving = setTimeout(leave, hidden * 60_000)
  else if (!pages.has(me)) {
    follow()
    look()
  }
})

// What was missed is not told again.
addEventListener('online', () => look())

// A browser that keeps the page in its memory would keep the connection, too, and servers run out of them.
addEventListener('pagehide', leave)
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return
  follow()
  look()
})
follow()
