/** How much waits for somebody: the figure beside the inbox, on every page of whoever has one. */
import type { Screen } from '../headings/2-screens/model.ts'
import type { App } from '../headings/app.ts'
import { specified } from '../headings/specified.ts'
import { screenKinds } from '../kinds/screens/index.ts'
import { readWaiting } from '../run/read/inbox.ts'
import type { Actor } from '../run/request.ts'
import { openScreens } from './access.ts'
import type { RequestContext } from './request-context.ts'
import { addressOf } from './seen.ts'

/** Null: they have no inbox. */
export const inboxOf = (app: App, actor: Actor): Screen | null =>
  openScreens(app, actor).find(({ shows }) => specified(shows)?.kind === 'inbox') ?? null

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
  const need = screen && screenKinds.get('inbox')!.need?.(screen, site.app, addressOf(context, context))?.need
  if (need?.kind !== 'inbox') return null
  return readWaiting(
    runtime,
    request,
    need.steps.filter(({ entity }) => site.routes.places.has(entity)),
  )
}
