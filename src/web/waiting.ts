/** How much waits for somebody: the figure beside the inbox, on every page of whoever has one. */
import type { Screen } from '../headings/2-screens/model.ts'
import type { App } from '../headings/app.ts'
import { kindOf } from '../kinds/screens/index.ts'
import type { InboxNeed } from '../kinds/screens/screen-kind.ts'
import { readWaiting } from '../run/read/inbox.ts'
import type { Actor } from '../run/request.ts'
import { openScreens } from './access.ts'
import type { RequestContext } from './request-context.ts'
import type { Site } from './site.ts'

/** Null: they have no inbox. */
export const inboxOf = (app: App, actor: Actor): Screen | null =>
  openScreens(app, actor).find(screen => kindOf(screen)?.awaits !== undefined) ?? null

const asked = new WeakMap<RequestContext['request'], Promise<number | null>>()

/**
 * Every page with navigation asks for it, once it is made; a page that asks before, while it reads what it shows, spares itself the
 * statement. Counted once for each request. Null: they have no inbox, or a form comes back.
 */
export function waitingFor(context: RequestContext): Promise<number | null> {
  const { request } = context
  const known = asked.get(request) ?? counted(context)
  asked.set(request, known)
  return known
}

async function counted(context: RequestContext): Promise<number | null> {
  const { method, site, runtime, request } = context
  if (request.actor.id === null || method !== 'GET') return null
  const screen = inboxOf(site.app, request.actor)
  const steps = screen && kindOf(screen)?.awaits?.(screen, site.app)
  return steps == null ? null : readWaiting(runtime, request, withPlace(site, steps))
}

/** A step is taken at the address of its record. */
export const withPlace = ({ routes }: Site, steps: InboxNeed['steps']): InboxNeed['steps'] =>
  steps.filter(({ entity }) => routes.places.has(entity))
