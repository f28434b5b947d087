/** Addresses of a document: the table from heading 2, and the conventional ones below an entity's own screen. */

import type { Route, Screen, Shows } from '../headings/2-screens/model.ts'
import type { Entity } from '../headings/3-entities/model.ts'
import type { App } from '../headings/app.ts'
import { specified } from '../headings/specified.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { segmentOf, segmentValue } from '../run/address-segment.ts'
import { emergencyPath, importPath, recordPath, sharePath, whyPath } from './paths.ts'

/** What an address leads to. */
export type Match =
  | { readonly kind: 'screen'; readonly screen: Screen; readonly segments: Readonly<Record<string, string>> }
  /** `/loans/new`. */
  | { readonly kind: 'new'; readonly place: EntityRoutes }
  /** `/loans/LN-2026-00001/edit`, `/delete`, `/restore`, `/do/hand_out`. */
  | { readonly kind: 'edit' | 'delete' | 'restore'; readonly place: EntityRoutes; readonly record: string }
  | { readonly kind: 'do'; readonly place: EntityRoutes; readonly record: string; readonly step: string }

/** Where the records of an entity live in the application, for whoever asks. */
export interface EntityRoutes {
  readonly entity: Entity
  /** `/loans`: each record's own addresses are below it. */
  readonly base: string
  /** `/loans/new`. */
  readonly form: string
  /** The field whose value names a record in addresses: `number`; `id` where no screen shows a single one. */
  readonly by: string
  /** The screen that shows one. */
  readonly one: Screen | null
  /** The form or wizard that stands in the place of the ordinary one: `/loans/{number}/edit`. */
  readonly edit: Screen | null
  /** All screens that show the entity: who may open none of them has no business below `base` either. */
  readonly screens: readonly Screen[]
}

export interface Routes {
  readonly match: (path: string) => Match | null
  /** By entity key: where several screens show one record, the first of those that whoever asks may open. */
  readonly places: ReadonlyMap<string, EntityRoutes>
  /** Screens of entities that have several such: who may open which decides on the places. */
  readonly deciding: readonly Screen[]
}

interface Known {
  readonly screen: Screen
  readonly route: Route
  readonly shows: Shows | null
}

/** `opens`: what whoever asks may open; without it all. */
export function routesOf(app: App, opens: (screen: Screen) => boolean = () => true): Routes {
  const known = app.screens.flatMap((screen): Known[] => {
    const route = specified(screen.route)
    return route === null ? [] : [{ screen, route, shows: specified(screen.shows) }]
  })
  // Fixed text before fields, so that `/loans/late` is a screen of its own beside `/loans/{number}`.
  const ordered = [...known].sort((left, right) => fields(left.route) - fields(right.route))
  const all = [...app.entities.values()].map(entity => placesOf(entity, known, opens))
  const byBase = all.flat().sort((left, right) => right.base.length - left.base.length)
  const firsts = all.flatMap(places => places.find(({ one }) => one !== null && opens(one)) ?? places.slice(0, 1))
  return {
    places: new Map(firsts.map(place => [place.entity.key, place])),
    deciding: all.flatMap(places => (places.length > 1 ? places[0]!.screens : [])),
    match(path) {
      const parts = decoded(path)
      if (parts === null) return null
      const fixed = ordered.find(({ route }) => fields(route) === 0 && segmentsOf(route, parts) !== null)
      if (fixed !== undefined) return { kind: 'screen', screen: fixed.screen, segments: {} }
      for (const place of byBase) {
        const below = subRoute(place, parts)
        if (below !== null) return below
      }
      for (const { screen, route } of ordered) {
        const segments = segmentsOf(route, parts)
        if (segments !== null) return { kind: 'screen', screen, segments }
      }
      return null
    },
  }
}

export const newHref = ({ form }: EntityRoutes): string => form

/** A step for many records; without one, a change of a field. */
export const bulkHref = (entity: string, step?: string): string =>
  `/-/bulk?${new URLSearchParams({ entity, ...(step === undefined ? {} : { step }) })}`

/** A record put elsewhere in an order by hand. */
export const placeHref = (entity: string): string => `/-/place?${new URLSearchParams({ entity })}`

/** Many records on paper, by the screen that prints one. */
export const printHref = (screen: string): string => `/-/print?${new URLSearchParams({ screen })}`

/** From where a record is found by its id, whatever screen shows it. `act`: the step that is asked for there, or `delete`. */
export const recordAddress = (entity: string, id: string, act?: string): string =>
  `${recordPath}?${new URLSearchParams({ entity, id, ...(act !== undefined && { do: act }) })}`

/** `at`: the part of the page, `step-approve`. */
export const whyHref = (entity: string, id: string, at = ''): string =>
  `${whyPath}?${new URLSearchParams({ entity, id })}${at === '' ? '' : `#${at}`}`

export const importHref = (entity: string): string => `${importPath}?${new URLSearchParams({ entity })}`

export const jobHref = (job: string, more: Readonly<Record<string, string>> = {}): string =>
  `/-/job?${new URLSearchParams({ id: job, ...more })}`

/** `record`: what names it, as far as it is known. */
/** The page that shares a record. */
export const shareHref = (entity: string, id: string): string => `${sharePath}?${new URLSearchParams({ entity, id })}`

export const emergencyHref = (entity: string, record?: string): string =>
  `${emergencyPath}?${new URLSearchParams({ entity, ...(record === undefined ? {} : { record }) })}`

/** `value`: what the record has in the field `place.by`. */
export const recordHref = (place: EntityRoutes, value: string, below = ''): string =>
  under(place.base, `/${segmentOf(value)}${below}`)

/** The field that the address of a screen names a record by; null: it names none. */
export const fieldIn = ({ segments }: Route): string | null =>
  segments.flatMap(segment => ('field' in segment ? [segment.field] : []))[0] ?? null

/** The address with this in the place of its field. */
export const routeHref = ({ segments }: Route, value: string): string =>
  `/${segments.map(segment => ('text' in segment ? segment.text : segmentOf(value))).join('/')}`

/** One for each screen that shows one record, in the document's order; else the one below the first screen that shows many. */
function placesOf(
  entity: Entity,
  known: readonly Known[],
  opens: (screen: Screen) => boolean,
): readonly EntityRoutes[] {
  const own = known.filter(({ shows }) => shows?.entity === entity.key)
  const screens = own.map(({ screen }) => screen)
  const ones = own.filter(({ screen, route }) => kindOf(screen)?.isRecordPage && endsInOneField(route))
  if (ones.length === 0) {
    const first = own.find(({ route }) => fields(route) === 0)
    if (first === undefined) return []
    const base = first.route.pattern
    return [{ entity, base, form: under(base, '/new'), by: 'id', one: null, edit: null, screens }]
  }
  return ones.map(({ screen, route }): EntityRoutes => {
    const base = baseOf(route)
    const by = fieldIn(route)!
    // Its own form; else that of another screen of the record, which names it alike.
    const beside = [route, ...ones.map(one => one.route)].filter(other => fieldIn(other) === by)
    const formAt = (patterns: readonly string[]) =>
      patterns.flatMap(pattern => own.filter(one => one.route.pattern === pattern && opens(one.screen)))[0]
    return {
      entity,
      base,
      form: formAt(beside.map(other => under(baseOf(other), '/new')))?.route.pattern ?? under(base, '/new'),
      by,
      one: screen,
      edit: formAt(beside.map(({ pattern }) => `${pattern}/edit`))?.screen ?? null,
      screens,
    }
  })
}

const under = (base: string, rest: string): string => (base === '/' ? rest : base + rest)

const baseOf = ({ segments }: Route): string => `/${segments.slice(0, -1).map(fixedText).join('/')}`

const fields = (route: Route): number => route.segments.filter(segment => 'field' in segment).length

const fixedText = (segment: Route['segments'][number]): string => ('text' in segment ? segment.text : '')

function endsInOneField(route: Route): boolean {
  const last = route.segments.at(-1)
  return fields(route) === 1 && last !== undefined && 'field' in last
}

/** `/a//b` and `/%zz` are no addresses of ours. A slash at the end is the server's affair. */
function decoded(path: string): readonly string[] | null {
  if (path === '/') return []
  try {
    const parts = path.slice(1).split('/').map(segmentValue)
    return parts.includes('') ? null : parts
  } catch {
    return null
  }
}

function segmentsOf(route: Route, parts: readonly string[]): Readonly<Record<string, string>> | null {
  if (route.segments.length !== parts.length) return null
  const found: Record<string, string> = {}
  for (const [index, segment] of route.segments.entries()) {
    const part = parts[index] as string
    if ('field' in segment) found[segment.field] = part
    else if (segment.text !== part) return null
  }
  return found
}

function subRoute(place: EntityRoutes, parts: readonly string[]): Match | null {
  const base = place.base === '/' ? [] : place.base.slice(1).split('/')
  if (base.some((text, index) => parts[index] !== text)) return null
  const [record, verb, step, ...more] = parts.slice(base.length)
  if (record === undefined || more.length > 0) return null
  if (verb === undefined) return record === 'new' ? { kind: 'new', place } : null
  if (verb === 'do') return step === undefined ? null : { kind: 'do', place, record, step }
  if (step !== undefined) return null
  const isVerb = verb === 'edit' || verb === 'delete' || (verb === 'restore' && place.entity.archives !== null)
  return isVerb ? { kind: verb, place, record } : null
}
