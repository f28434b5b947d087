/** What a script has done can be taken back: what is said of it lies over the page for a while, longer while it is pointed at. */

const shown = 10_000

/** `said`: what came as a piece of a page. */
export function showBeside(said: Element): void {
  for (const before of document.querySelectorAll('.flash:has([form=undo]), .flash.beside:not([role]), form#undo'))
    before.remove()
  const parts = [...said.children].map(part => document.importNode(part, true))
  document.querySelector('main')?.append(...parts)
  const next = document.querySelector<HTMLInputElement>('form#undo [name=_next]')
  if (next !== null) next.value = location.pathname + location.search
  const leave = () => {
    if (parts[0]?.matches(':hover, :focus-within')) setTimeout(leave, 1000)
    else for (const part of parts) part.remove()
  }
  setTimeout(leave, shown)
}
