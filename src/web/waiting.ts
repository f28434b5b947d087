/** How much waits for somebody: the figure beside the inbox, on every page of whoever has one. */
import type { Screen } from '../headings/2-screens/model.ts'
import type { App } from '../headings/app.ts'
import { said } from '../headings/said.ts'
import { screenKinds } from '../kinds/screens/index.ts'
import { readWaiting } from '../run/read/inbox.ts'
import type { Actor } from '../run/request.ts'
import { mayEnter, mayOpen, openScreens } from './access.ts'
import type { Exchange } from './exchange.ts'

/** Null: they have no inbox. */
export const inboxOf = (app: App, actor: Actor): Screen | null =>
  openScreens(app, actor).find(({ shows }) => said(shows)?.kind === 'inbox') ?? null

/** The page of a record, a form, and a dashboard read it with other things that they show. */
export function countsItself({ method, path, site, request }: Exchange): boolean {
  const match = site.routes.match(path)
  if (method !== 'GET' || match === null) return false
  if (match.kind === 'new') return mayEnter(match.place, request.actor)
  if (match.kind === 'edit')
    return mayEnter(match.place, request.actor) && (match.place.edit === null || isForm(match.place.edit))
  if (match.kind !== 'screen' || !mayOpen(match.screen, request.actor)) return false
  const kind = said(match.screen.shows)?.kind
  return isForm(match.screen) || kind === 'dashboard' || (kind === 'one' && match.screen.print === null)
}

const isForm = ({ shows }: Screen): boolean => ['form', 'wizard'].includes(said(shows)?.kind ?? '')

/** Counted once. */
export const withWaiting = async (exchange: Exchange): Promise<Exchange> =>
  exchange.waiting === null ? { ...exchange, waiting: await waitingFor(exchange) } : exchange

/** Null: they have no inbox, or what is asked for has no navigation. One statement where they have one. */
export async function waitingFor({ method, path, site, runtime, request, query }: Exchange): Promise<number | null> {
  if (request.actor.id === null || method !== 'GET' || /^\/-\/(files\/|options$|.*\.json$)/.test(path)) return null
  const screen = inboxOf(site.app, request.actor)
  const need = screen === null ? null : screenKinds.get('inbox')!.need(screen, site.app, { segments: {}, query })?.need
  if (need?.kind !== 'inbox') return null
  return readWaiting(
    runtime,
    request,
    need.steps.filter(({ entity }) => site.routes.places.has(entity)),
  )
}
