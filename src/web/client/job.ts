/** The page of a job that is under way: looks again by itself, and shows the whole page anew once there is an end. */

const every = 1500

async function look(): Promise<void> {
  const now = document.querySelector('#job')
  if (now === null || !now.hasAttribute('data-under-way')) return
  const response = await fetch(location.href).catch(() => null)
  const text = response?.ok ? await response.text() : ''
  const next = new DOMParser().parseFromString(text, 'text/html').querySelector('#job')
  if (next !== null && !next.hasAttribute('data-under-way')) location.reload()
  else if (next !== null && next.textContent !== now.textContent) now.replaceChildren(...next.childNodes)
  setTimeout(look, every)
}

setTimeout(look, every)
