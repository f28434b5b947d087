/** From the addresses of open pages to the records that they show. */
import { specified } from '../headings/specified.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { usesOf } from '../kinds/screens/uses.ts'
import { isLogged } from '../run/access/read-log.ts'
import { type Named, seenOf } from '../run/read/following.ts'
import { referringTo } from '../run/read/related.ts'
import { mayEnter, mayOpen } from './access.ts'
import { followedPages, followedRecords } from './bounds.ts'
import { awaitedBy, countsFor } from './counts.ts'
import type { FollowedPage, PageFollower } from './live.ts'
import { type RequestContext, readingAtOnce } from './request-context.ts'
import type { EntityRoutes } from './routes.ts'
import type { Site } from './site.ts'

/** A page, and what it links to. */
interface Asked {
  readonly address: string
  readonly links: string[]
}

/**
 * `at=/loans&of=/loans/LN-1&of=/loans/LN-2&at=…`: open pages, each followed by the records that stand on it. Null: nobody is signed in.
 */
export async function followerOf(asking: RequestContext): Promise<PageFollower | null> {
  const context = readingAtOnce(asking)
  const { site, request, query } = context
  if (request.actor.id === null) return null
  const asked: Asked[] = []
  for (const [name, value] of query) {
    if (name === 'at' && asked.length < followedPages) asked.push({ address: value, links: [] })
    const last = asked.at(-1)
    if (name === 'of' && last !== undefined && last.links.length < followedRecords) last.links.push(value)
  }
  const shown = asked.flatMap(one => {
    const entities = entitiesOf(context, one.address)
    if (entities === null) return []
    const named = [one.address, ...one.links].flatMap(address => namedBy(site, address) ?? [])
    return { address: one.address, entities, named }
  })
  const all = shown.flatMap(({ named }) => named)
  const [seen, counts] = await Promise.all([
    seenOf(context.runtime.store, context.runtime, request, all),
    countsFor(context),
  ])
  const pages = shown.flatMap(({ address, entities, named }): readonly FollowedPage[] => {
    const records = new Map<string, Set<string>>()
    for (const one of named) {
      const id = seen.get(one)
      if (id !== undefined) records.set(one.entity, (records.get(one.entity) ?? new Set()).add(id))
    }
    return entities.size + records.size === 0 ? [] : [{ address, entities, records }]
  })
  return { request, pages, awaited: awaitedBy(site, request.actor), counts }
}

/** All of which any record shows on the page. Null: they may not open it, or it is read only when it is asked for. */
function entitiesOf({ site, request }: RequestContext, address: string): ReadonlySet<string> | null {
  const { app } = site
  const match = site.routes.match(address)
  if (match === null || match.kind === 'new') return null
  if (match.kind !== 'screen')
    return mayEnter(match.place, request.actor) && !isLogged(app, match.place.entity.key) ? new Set() : null
  const { screen } = match
  if (!mayOpen(screen, request.actor)) return null
  const own = specified(screen.shows)?.entity
  // To be shown such a record is written down each time.
  if (own != null && isLogged(app, own)) return null
  const kind = kindOf(screen)
  if (kind === null || kind.entry !== undefined) return new Set()
  const cards = usesOf(screen).cards.flatMap(({ shows }) => {
    const content = specified(shows)
    return content === null ? [] : [content.kind === 'list' ? content.entity : content.measures[0].figure.entity]
  })
  const awaited = kind.awaits?.(screen, app)?.map(({ entity }) => entity) ?? []
  const beside = own == null ? [] : kind.isRecordPage ? referringTo(app, own).map(({ entity }) => entity) : [own]
  return new Set([...cards, ...awaited, ...beside])
}

/** The record that an address leads to. */
function namedBy(site: Site, address: string): Named | null {
  const match = site.routes.match(address)
  if (match === null || match.kind === 'new') return null
  if (match.kind !== 'screen') return { ...named(match.place), value: match.record }
  const entity = specified(match.screen.shows)?.entity
  const [by] = Object.keys(match.segments)
  return entity == null || by === undefined ? null : { entity, by, value: match.segments[by]! }
}

const named = ({ entity, by }: EntityRoutes) => ({ entity: entity.key, by })
