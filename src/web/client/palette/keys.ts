/** What single keys open over the page: what they do, and letters beside the ways on. */

/** The page that says what keys do, in a dialog; where it cannot be read, the page itself. */
export async function showKeys(address: string): Promise<void> {
  const answer = await fetch(address).catch(() => null)
  const told = new DOMParser().parseFromString(answer?.ok ? await answer.text() : '', 'text/html')
  const [head, ...parts] = ['h1', '.stack'].map(part => told.querySelector(`main ${part}`))
  if (head == null || parts[0] == null) return location.assign(address)
  const dialog = document.createElement('dialog')
  dialog.className = 'palette keysheet'
  dialog.setAttribute('aria-label', head.textContent ?? '')
  dialog.tabIndex = -1
  const title = document.createElement('h2')
  title.textContent = head.textContent
  dialog.append(title, parts[0])
  dialog.addEventListener('close', () => dialog.remove())
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  document.body.append(dialog)
  dialog.showModal()
  dialog.focus()
}

/** The next letter goes where it stands; any other key, and a press, takes the letters away. */
export function goTo(): void {
  const places = new Map<string, HTMLAnchorElement>()
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.nav a[href]')) {
    const text = (link.textContent ?? '').toLowerCase()
    const letter = [...text].find(one => /\p{L}/u.test(one) && !places.has(one))
    if (letter === undefined) continue
    places.set(letter, link)
    const key = document.createElement('kbd')
    key.className = 'go'
    key.textContent = letter
    link.append(key)
  }
  const end = new AbortController()
  end.signal.addEventListener('abort', () => {
    for (const key of document.querySelectorAll('kbd.go')) key.remove()
  })
  addEventListener('pointerdown', () => end.abort(), { signal: end.signal })
  addEventListener(
    'keydown',
    event => {
      const link = places.get(event.key.toLowerCase())
      event.preventDefault()
      event.stopImmediatePropagation()
      end.abort()
      link?.click()
    },
    { signal: end.signal, capture: true },
  )
}
