/** One timer for all that is given the same time: one for each would take longer than most of what is waited for. */

export interface Overdue {
  /** `tell` is called once, unless it is ended before the time is over. */
  readonly begin: (tell: () => void) => Waiting
  readonly end: (waiting: Waiting) => void
}

/** Stands between the one that began before and the one that began after it. */
class Waiting {
  before: Waiting = this
  after: Waiting = this
  readonly begun: number
  readonly tell: () => void

  constructor(begun: number, tell: () => void) {
    this.begun = begun
    this.tell = tell
  }
}

/** So many times within the time it is looked for what is late: it is told by as much later. */
const looks = 20

/** For what is given so many milliseconds. It does not keep the process alive. */
export function overdue(milliseconds: number): Overdue {
  /** Both ends of the row. */
  const ends = new Waiting(0, () => {})
  let now = 0
  let looking: NodeJS.Timeout | null = null
  const end = (one: Waiting) => {
    one.before.after = one.after
    one.after.before = one.before
    one.before = one.after = one
  }
  const look = () => {
    now++
    for (let one = ends.after; one !== ends && now - one.begun > looks; one = ends.after) {
      end(one)
      one.tell()
    }
    if (ends.after !== ends || looking === null) return
    clearInterval(looking)
    looking = null
  }
  return {
    begin(tell) {
      const one = new Waiting(now, tell)
      one.before = ends.before
      one.after = ends
      one.before.after = ends.before = one
      looking ??= setInterval(look, milliseconds / looks).unref()
      return one
    },
    end,
  }
}
