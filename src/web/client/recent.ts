/** The records that this person looked at last, kept in this browser only: opened with nothing typed, the palette offers them. */

export interface Recent {
  readonly label: string
  readonly href: string
}

interface Kept {
  readonly person: string
  readonly records: readonly Recent[]
}

const key = 'ninefold.recent'
const most = 10

/** Takes note of the record that the page shows; one that is no longer shown at its address, and what somebody else looked at, is forgotten. */
export function visit(find: HTMLFormElement): void {
  const person = find.dataset.find ?? ''
  if (person === '') return
  const others = kept(person).filter(({ href }) => href !== location.pathname)
  const label = document.querySelector('h1')?.textContent ?? ''
  const shows = find.elements.namedItem('from') !== null && label !== ''
  keep({ person, records: shows ? [{ label, href: location.pathname }, ...others].slice(0, most + 1) : others })
}

/** The last ten, the newest first, besides the one that is open. */
export const recentOf = (find: HTMLFormElement): readonly Recent[] =>
  kept(find.dataset.find ?? '')
    .filter(({ href }) => href !== location.pathname)
    .slice(0, most)

export function forgetAll(): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // This browser keeps nothing.
  }
}

function kept(person: string): readonly Recent[] {
  try {
    const all = JSON.parse(localStorage.getItem(key) ?? 'null') as Kept | null
    return person !== '' && all?.person === person ? all.records : []
  } catch {
    return []
  }
}

function keep(all: Kept): void {
  try {
    localStorage.setItem(key, JSON.stringify(all))
  } catch {
    // This browser keeps nothing, or no more.
  }
}
