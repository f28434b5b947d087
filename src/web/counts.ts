/** How much waits for somebody, and how much they have not read: the figures in the navigation, on every page of whoever has them. */
import type { Screen } from '../headings/2-screens/model.ts'
import type { App } from '../headings/app.ts'
import { kindOf } from '../kinds/screens/index.ts'
import type { InboxNeed } from '../kinds/screens/screen-kind.ts'
import { countFor } from '../run/people/counted.ts'
import { unreadNotices } from '../run/people/notices.ts'
import { waitingRecords } from '../run/read/inbox.ts'
import type { Actor } from '../run/request.ts'
import type { CountTexts } from '../ui/shell.tsx'
import { openScreens } from './access.ts'
import type { RequestContext } from './request-context.ts'
import type { Site } from './site.ts'

/** Null: they have no inbox. */
export const inboxOf = (app: App, actor: Actor): Screen | null =>
  openScreens(app, actor).find(screen => kindOf(screen)?.awaits !== undefined) ?? null

/** What the inbox of these people waits for. Null: they have none. */
export function awaitedBy(site: Site, actor: Actor): InboxNeed['steps'] | null {
  const screen = inboxOf(site.app, actor)
  const steps = screen && kindOf(screen)?.awaits?.(screen, site.app)
  return steps == null ? null : withPlace(site, steps)
}

export const noCounts: CountTexts = { waiting: '', unread: '' }

const asked = new WeakMap<RequestContext['request'], Promise<CountTexts>>()

/**
 * Every page with navigation asks for them, once it is made; a page that asks before, while it reads what it shows, spares itself the
 * statement. Counted once for each request.
 */
export function countsFor(context: RequestContext): Promise<CountTexts> {
  const { request } = context
  const known = asked.get(request) ?? counted(context)
  asked.set(request, known)
  return known
}

async function counted({ site, runtime, request, hasUnread }: RequestContext): Promise<CountTexts> {
  const isCounted = request.actor.id !== null
  const awaited = isCounted ? awaitedBy(site, request.actor) : null
  const count = (of: Parameters<typeof countFor>[3]) => countFor(runtime.store, runtime.app, request, of)
  const [waiting, unread] = await Promise.all([
    awaited && count(waitingRecords(awaited)),
    isCounted && hasUnread ? count(unreadNotices) : null,
  ])
  return { waiting: countText(waiting), unread: countText(unread) }
}

/** What is counted up to a hundred. */
export const countText = (n: number | null): string => (n === null || n === 0 ? '' : n >= 100 ? '99+' : String(n))

/** A step is taken at the address of its record. */
export const withPlace = ({ routes }: Site, steps: InboxNeed['steps']): InboxNeed['steps'] =>
  steps.filter(({ entity }) => routes.places.has(entity))
