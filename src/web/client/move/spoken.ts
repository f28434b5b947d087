/** What is said while something is moved: the time that it would have, and what became of it. */

const status = document.createElement('p')
status.setAttribute('role', 'status')
status.className = 'vh'
document.querySelector('main')?.append(status)

/** `seen`: shown, not only read out; empty: nothing is said any more. */
export function spoken(text: string, seen = false): void {
  status.className = seen && text !== '' ? 'flash beside' : 'vh'
  if (text !== '' || seen) status.textContent = text
}

const { lang } = document.documentElement

/** "Thu, 5 Nov – Fri, 6 Nov". */
export function timeOf(begins: string, ends: string): string {
  const hasTime = begins.length > 10
  const format = new Intl.DateTimeFormat(lang, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    ...(hasTime ? { hour: '2-digit', minute: '2-digit' } : {}),
  })
  const [from, until] = [begins, ends].map(text => new Date(hasTime ? `${text}Z` : `${text}T00:00Z`))
  return format.formatRange(from!, until!)
}
