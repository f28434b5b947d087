/** A page with a form: React is loaded when somebody turns to it, or when the browser has nothing else to do. */
const island = document.querySelector<HTMLElement>('[data-island=form]')

if (island !== null) {
  let isLoading = false
  const load = async () => {
    if (isLoading) return
    isLoading = true
    const { start } = await import('./form/start.tsx')
    await start(island)
  }
  for (const event of ['focusin', 'pointerover']) island.addEventListener(event, () => void load(), { once: true })
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in window) requestIdleCallback(() => void load(), { timeout: 2000 })
  else setTimeout(() => void load(), 500)
}
