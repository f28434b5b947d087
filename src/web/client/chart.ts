/** The numbers of a chart one after the other by the arrows: one place for Tab, whatever the number of periods. */
document.addEventListener('keydown', event => {
  const strip = (event.target as Element).closest<HTMLElement>('.hits > *')
  if (strip === null || event.altKey || event.ctrlKey || event.metaKey) return
  const all = [...strip.parentElement!.children] as HTMLElement[]
  const forward = getComputedStyle(strip).direction === 'rtl' ? -1 : 1
  const at = all.indexOf(strip)
  const to = { ArrowRight: at + forward, ArrowLeft: at - forward, Home: 0, End: all.length - 1 }[event.key]
  const next = to === undefined ? undefined : all[to]
  if (next === undefined) return
  event.preventDefault()
  strip.tabIndex = -1
  next.tabIndex = 0
  next.focus()
})
