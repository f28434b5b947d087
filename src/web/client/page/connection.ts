/**
 * Without a connection a page stays, with all that was typed, and says of when it is: no link leads away from it to a page of the browser's
 * that has nothing of it, and no form is sent. Scripts that reached nobody tell it by the event `unreached`.
 */
const main = document.querySelector<HTMLElement>('main[data-offline]')
const bar = document.createElement('output')
bar.className = 'flash bad beside noprint'

/** A page that follows what others do is of the moment until which it did. */
const follows = document.querySelector('[data-news]') !== null
let since = Date.now()

function say(): void {
  if (main === null) return
  const time = new Intl.DateTimeFormat(document.documentElement.lang, { hour: '2-digit', minute: '2-digit' })
  main.append(bar)
  bar.textContent = ''
  // Only what changes in it is read out.
  setTimeout(() => {
    bar.textContent = main.dataset.offline!.replace('{time}', time.format(since))
  }, 100)
}

addEventListener('unreached', say)
addEventListener('offline', () => {
  if (follows && !bar.isConnected) since = Date.now()
  say()
})
addEventListener('online', () => bar.remove())

addEventListener('click', event => {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
  if (navigator.onLine || link === null || link.origin !== location.origin || event.ctrlKey || event.metaKey) return
  if (link.hash !== '' && link.pathname + link.search === location.pathname + location.search) return
  event.preventDefault()
  say()
})

/** Whether a form would reach nobody; what was typed is then said to be there still. */
export function isCutOff(form: HTMLFormElement): boolean {
  if (navigator.onLine) return false
  const status = form.querySelector('.unsaved')
  const { offline } = form.dataset
  if (status === null || offline === undefined) {
    say()
    return true
  }
  form.setAttribute('data-changed', '')
  const before = status.textContent
  status.textContent = offline
  if (before !== offline)
    addEventListener(
      'online',
      () => {
        status.textContent = before
      },
      { once: true },
    )
  return true
}

// On a home screen there is no page of the browser's to fall back on: one of ours is kept for that, with nothing of anybody in it.
if (matchMedia('(display-mode: standalone)').matches)
  navigator.serviceWorker?.register(`/-/worker?${document.documentElement.lang}`, { scope: '/' }).catch(() => {})
