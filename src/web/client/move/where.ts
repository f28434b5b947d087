/** Which time and lane of a calendar or a timeline a point lies in. */

export interface Where {
  /** Since the day from which days are counted, by the clock on the wall. */
  readonly minutes: number
  readonly lane: HTMLElement | null
  /** As a control of a form holds it. */
  readonly text: (isMoment: boolean) => string
}

const since = (day: string): number => Date.parse(`${day}T00:00Z`) / 60_000

const where = (minutes: number, lane: HTMLElement | null): Where => ({
  minutes,
  lane,
  text: isMoment => new Date(minutes * 60_000).toISOString().slice(0, isMoment ? 16 : 10),
})

/** Null: it lies in none. */
export function whereIn(space: HTMLElement, x: number, y: number): Where | null {
  const axis = space.querySelector<HTMLElement>('[data-minutes]')
  const under = document.elementsFromPoint(x, y)
  if (axis !== null) return onAxis(axis, x, under)
  // What lies there over several days stands in the first of them.
  const free = under.filter(one => one.closest('.stay') === null)
  const day = free.flatMap(one => one.closest<HTMLElement>('[data-day]') ?? [])[0]
  return day === undefined ? null : where(since(day.dataset.day!) + halfHours(space, y) * 30, null)
}

function onAxis(axis: HTMLElement, x: number, under: readonly Element[]): Where | null {
  const { left, right, width } = axis.querySelector('.ground')!.getBoundingClientRect()
  const lane = under.flatMap(one => one.closest<HTMLElement>('[data-lane][data-value]') ?? [])[0] ?? null
  if (x < left || x > right || !under.includes(axis)) return null
  const { first = '', minutes = '' } = axis.dataset
  const units = Number(axis.className.replace(/.*\bu(\d) v(\d).*/, '$1$2'))
  const from = document.dir === 'rtl' ? right - x : x - left
  return where(since(first) + Math.min(Math.floor((from / width) * units), units - 1) * Number(minutes), lane)
}

/** Where hours stand beside the days: how many of them lie above the point. */
function halfHours(space: HTMLElement, y: number): number {
  const clock = space.querySelector('.clock')?.getBoundingClientRect()
  const hours = space.querySelectorAll('.clock > span').length
  if (clock === undefined || hours === 0 || y < clock.top || y > clock.bottom) return 0
  return Math.floor(((y - clock.top) / clock.height) * hours * 2)
}
