/** React takes a page over that the server has rendered, while somebody types in it. */
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { type HydrationOptions, hydrateRoot } from 'react-dom/client'

/**
 * All at once: no key comes in between. React would put a text of several lines back to what the server wrote; it stays as it is, and
 * so does the place in it.
 */
export function takeOver(island: HTMLElement, page: ReactNode, options: HydrationOptions): void {
  const typed = [...island.querySelectorAll('textarea')].map(area => {
    const { value, selectionStart, selectionEnd, selectionDirection } = area
    return () => {
      if (area.value === value) return
      area.value = value
      area.setSelectionRange(selectionStart, selectionEnd, selectionDirection)
    }
  })
  flushSync(() => void hydrateRoot(island, page, options))
  for (const putBack of typed) putBack()
}
