/** From a list to a record and on to its neighbours: the address of the list travels along in the record's own. */
import type { Screen } from '../headings/2-screens/model.ts'
import { pageNames } from '../kinds/screens/address.ts'
import { kindOf } from '../kinds/screens/index.ts'
import type { RowsNeed } from '../kinds/screens/screen-kind.ts'
import { mayOpen } from './access.ts'
import type { RequestContext } from './request-context.ts'
import { addressOf } from './seen.ts'
import { safeNext } from './sign-in/next.ts'

const name = '_list'

/** A longer list of filters is not carried along. */
const longest = 1000

interface ListShown {
  readonly screen: Screen
  readonly need: RowsNeed
  /** The list itself. */
  readonly href: string
}

/** What the list at this address shows to this person. Null: there is no such list of these records for them. */
export function listShown(context: RequestContext, address: string, entity: string): ListShown | null {
  const { site, request, web } = context
  const url = URL.parse(address, web.origin)
  const match = url === null ? null : site.routes.match(url.pathname)
  if (url === null || match?.kind !== 'screen' || !mayOpen(match.screen, request.actor)) return null
  const { screen, segments } = match
  const asked = kindOf(screen)?.rows?.(screen, site.app, addressOf(context, { segments, query: url.searchParams }))
  const need = asked?.need
  if (need?.entity !== entity) return null
  const { group, ...rest } = need
  // Rows of a group that is folded are records of the list all the same.
  const unfolded = group === undefined ? rest : { ...rest, group: { ...group, folded: [] } }
  return { screen, need: unfolded, href: url.pathname + url.search }
}

/** The list that this page was opened from, as its address says. */
export function listBefore(context: RequestContext, entity: string): ListShown | null {
  const given = context.query.get(name)
  return given === null ? null : listShown(context, safeNext(given), entity)
}

/** What a list gives to the addresses of its records: `_list=/loans?state=Out`, whatever page of it is shown. */
export function listParameter({ path, query }: Pick<RequestContext, 'path' | 'query'>): string | null {
  const kept = new URLSearchParams([...query].filter(([key, value]) => !pageNames.includes(key) && value.trim() !== ''))
  const address = kept.size === 0 ? path : `${path}?${kept}`
  return address.length > longest ? null : `${new URLSearchParams({ [name]: address })}`
}

/** The same list goes on with another address of the record. */
export function withList({ query }: Pick<RequestContext, 'query'>, href: string): string {
  const given = query.get(name)
  if (given === null || given.length > longest || safeNext(given) !== given) return href
  return `${href}${href.includes('?') ? '&' : '?'}${new URLSearchParams({ [name]: given })}`
}
