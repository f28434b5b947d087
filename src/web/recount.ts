/** Figures in the navigation of open pages, counted anew when something was written that may change them: for all whom it concerns together. */
import { countForEach } from '../run/people/counted.ts'
import { mayHear, unreadNotices } from '../run/people/notices.ts'
import { waitingRecords } from '../run/read/inbox.ts'
import type { Request, Runtime } from '../run/request.ts'
import { peopleTold, type Written } from '../store/news.ts'
import { countText } from './counts.ts'
import type { PageFollower } from './live.ts'

/** Milliseconds from one count to the next: however much is written, no more is counted. */
const rest = 2000

interface Due {
  readonly waiting: ReadonlySet<PageFollower>
  readonly unread: ReadonlySet<PageFollower>
}

/** Whose figures may be others now. `written` null: anybody's. */
function dueOf({ app }: Runtime, followers: readonly PageFollower[], written: Written | null): Due {
  if (written === null) return { waiting: new Set(followers), unread: new Set(followers) }
  const told = written.get(peopleTold)
  const entities = [...written.keys()].filter(entity => app.entities.has(entity))
  const waiting = followers.filter(({ awaited }) => awaited?.some(({ entity }) => written.has(entity)))
  const unread = followers.filter(
    ({ request: { actor } }) => told?.has(actor.id!) === true || entities.some(entity => mayHear(app, actor, entity)),
  )
  return { waiting: new Set(waiting), unread: new Set(unread) }
}

/** Those whose figures are others now, which they are given. */
async function changed({ store, app }: Runtime, { waiting, unread }: Due): Promise<readonly PageFollower[]> {
  const asking = (of: readonly PageFollower[]): readonly Request[] => of.map(({ request }) => request)
  const alike = Map.groupBy(waiting, ({ awaited }) => JSON.stringify(awaited))
  const counted = await Promise.all([
    countForEach(store, app, asking([...unread]), unreadNotices),
    ...[...alike.values()].map(of => countForEach(store, app, asking(of), waitingRecords(of[0]!.awaited ?? []))),
  ])
  const [unreadOf, ...waitingOf] = counted
  return [...new Set([...waiting, ...unread])].filter(follower => {
    const before = follower.counts
    const awaits = waitingOf.find(found => found.has(follower.request))?.get(follower.request)
    follower.counts = {
      waiting: waiting.has(follower) ? countText(awaits ?? null) : before.waiting,
      unread: unread.has(follower) ? countText(unreadOf.get(follower.request) ?? null) : before.unread,
    }
    return follower.counts.waiting !== before.waiting || follower.counts.unread !== before.unread
  })
}

/** Gives what is called with whatever was written; `tell` is called for those whose figures have changed. */
export function recounting(
  runtime: () => Runtime,
  tell: (followers: readonly PageFollower[]) => void,
): (followers: readonly PageFollower[], written: Written | null) => void {
  let due: Due = { waiting: new Set(), unread: new Set() }
  let isCounting = false
  const count = async () => {
    isCounting = true
    while (due.waiting.size + due.unread.size > 0) {
      const now = due
      due = { waiting: new Set(), unread: new Set() }
      // Figures that could not be counted are counted with the next change, or when the connection is opened again.
      tell(await changed(runtime(), now).catch(() => []))
      await new Promise(resolve => setTimeout(resolve, rest).unref())
    }
    isCounting = false
  }
  return (followers, written) => {
    const more = dueOf(runtime(), followers, written)
    due = { waiting: new Set([...due.waiting, ...more.waiting]), unread: new Set([...due.unread, ...more.unread]) }
    if (!isCounting) void count()
  }
}
