/** While a document is being written: the page follows it, unless that would throw away what somebody is typing. */
const events = new EventSource('/-/events')

const reload = (): void => {
  // The editor saves what it changes, and shows the application in a frame that follows by itself.
  if (document.querySelector('[data-editor]') !== null) return
  const note = document.querySelector<HTMLElement>('[data-changed-note]')
  const isTyping = document.querySelector('form[data-changed], form[data-guard=unsaved]') !== null
  if (isTyping && note !== null) note.hidden = false
  else location.reload()
}

document.querySelector('[data-changed-note] button')?.addEventListener('click', () => {
  // It was asked; it need not be asked again.
  for (const form of document.forms) for (const name of ['data-changed', 'data-guard']) form.removeAttribute(name)
  location.reload()
})

events.addEventListener('reload', reload)
events.addEventListener('mail', () => {
  if (location.pathname === '/-/mailbox' || location.pathname + location.search === '/-/calls-received')
    location.reload()
})

// The server greets each connection. The second time it was away in between, perhaps for another version of itself.
let greetings = 0
events.addEventListener('hello', () => {
  greetings++
  if (greetings > 1) reload()
})

// Without this a browser that keeps the page in its memory keeps the connection, too, and servers run out of them.
addEventListener('pagehide', () => events.close())
addEventListener('pageshow', event => {
  if (event.persisted) location.reload()
})
