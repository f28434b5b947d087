/** What one types and everything that answers to it: records, screens, and steps of the record that is open. */

import type { Screen } from '../../headings/2-screens/model.ts'
import { beforeReference } from '../../headings/3-entities/titles.ts'
import { specified } from '../../headings/specified.ts'
import { isStorable } from '../../kinds/fields/texts.ts'
import { similarName } from '../../kinds/screens/address.ts'
import { kindOf } from '../../kinds/screens/index.ts'
import type { OneData } from '../../kinds/screens/read-data.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import { maximumWords, mayBeAlike, overlooked, spellings, wordsOf } from '../../run/read/filter.ts'
import { folded } from '../../run/read/fold.ts'
import { read } from '../../run/read/read.ts'
import { readFound } from '../../run/read/search.ts'
import type { SearchGroup } from '../../ui/search.tsx'
import { mayOpen, openScreens } from '../access.ts'
import { navigation } from '../navigation.ts'
import type { RequestContext } from '../request-context.ts'
import { newHref, recordHref } from '../routes.ts'
import { say } from '../sentences.ts'
import { capital, fieldInfo, inSentence, type Site, stateShown } from '../site.ts'
import { actionsOf, addressValue, building, duplicateLinks, namingFields, titleOf } from './common.ts'
import { creatable } from './create.ts'
import { faceFields, faceView } from './face.ts'
import { thingsOf } from './things.ts'

/** So many records of an entity are shown; its list shows all. */
const shownOfEach = 6

interface SearchResults {
  readonly groups: readonly SearchGroup[]
  /** What was not looked for as it was typed, in words. */
  readonly notes: readonly string[]
}

/**
 * One statement for the records, one for the steps of the open record, whose address is `from`. Where nothing at all is found, one more for
 * records of which words are one letter off.
 */
export async function searchAll(context: RequestContext, search: string, from: string | null): Promise<SearchResults> {
  const { site } = context
  const notes = overlookedIn(site, search)
  const groups = await searchGroups(context, search, from)
  const similar = groups.length === 0 && mayBeAlike(search) ? await foundRecords(context, search, true) : []
  return similar.length === 0
    ? { groups, notes }
    : { groups: similar, notes: [...notes, say(site, 'searchSimilar', { search })] }
}

/** The one record whose number was typed, in capitals or not; null: none, or what was typed is no number. */
export function numbered(groups: readonly SearchGroup[], search: string): string | null {
  const named = ({ href }: { readonly href: string }) => folded(decodeURIComponent(href.split('/').at(-1)!))
  const all = /\d/.test(search)
    ? groups.flatMap(({ items }) => items.filter(item => named(item) === folded(search)))
    : []
  return all.length === 1 ? all[0]!.href : null
}

/** Which words were not looked for. */
export function overlookedIn(site: Site, search: string | null): readonly string[] {
  const words = overlooked(search)
  return words.length === 0 ? [] : [say(site, 'searchOverlooked', { most: maximumWords, words: words.join(' ') })]
}

async function searchGroups(
  context: RequestContext,
  search: string,
  from: string | null,
): Promise<readonly SearchGroup[]> {
  const [steps, records] = await Promise.all([openSteps(context, from), foundRecords(context, search, false)])
  const { site } = context
  const fits = ({ label }: { readonly label: string }) => answers(label, search)
  const screens = navigation(context, context.hasUnread)
    .flatMap(({ items }) => items)
    .map(({ label, href }) => ({ label, href }))
  const own = { label: say(site, 'account'), href: '/-/account' }
  const made = [...site.routes.places.keys()].flatMap(entity => {
    const place = creatable(context, entity)
    if (place === null) return []
    return [{ label: say(site, 'newRecord', { thing: inSentence(site, place.entity.name) }), href: newHref(place) }]
  })
  return [
    ...(steps === null ? [] : [{ title: steps.title, items: steps.items.filter(fits), more: null }]),
    { title: say(site, 'searchDo'), items: made.filter(fits), more: null },
    { title: say(site, 'searchScreens'), items: [...screens, own].filter(fits), more: null },
    ...records,
  ].filter(({ items }) => items.length > 0)
}

/** Every word of what is looked for stands in the label, in one of its spellings. */
export const answers = (label: string, search: string): boolean =>
  wordsOf(search).every(word => spellings(word).some(way => folded(label).includes(folded(way))))

async function foundRecords(
  context: RequestContext,
  search: string,
  similar: boolean,
): Promise<readonly SearchGroup[]> {
  const { site, runtime, request } = context
  const among = [...site.routes.places.values()].flatMap(({ entity, by, one }) =>
    one !== null && mayOpen(one, request.actor) ? [{ entity: entity.key, by }] : [],
  )
  const shown = (entity: string) => [...namingFields(site, entity), ...faceFields(site, entity)]
  const build = building(context)
  const groups = await readFound(runtime, request, { search, among, shown, limit: shownOfEach, similar })
  return groups.map(({ entity, rows, more }) => {
    const place = site.routes.places.get(entity)!
    const list = openScreens(site.app, request.actor).find(screen => isListOf(screen, entity))
    const route = list === undefined ? null : specified(list.route)
    return {
      title: capital(thingsOf(site, entity)),
      items: rows.flatMap(({ row, address, through }) => {
        if (address === null) return []
        const { title, reference, said } = faceView(build, entity, row)
        const state = stateShown(site, entity, row)
        const by = through && `${fieldInfo(site.app, entity, through.field)?.label ?? through.field}: ${through.title}`
        return [
          {
            label: reference === '' ? title : `${title}${beforeReference}${reference}`,
            href: recordHref(place, address),
            ...(state === null ? {} : { state }),
            note: by ?? said.join(beforeReference),
          },
        ]
      }),
      more:
        more === null
          ? null
          : list === undefined || route === null
            ? { label: say(site, 'firstShown', { count: rows.length }), href: null }
            : {
                label: say(site, 'searchMore', { list: list.name.text }),
                href: `${route.pattern}?${new URLSearchParams(more === 'own' ? { q: search, ...(similar ? { [similarName]: 'yes' } : {}) } : { [more.field]: more.record })}`,
              },
    }
  })
}

/** People look through all records of the entity on it. */
export const isListOf = (screen: Screen, entity: string): boolean =>
  kindOf(screen)?.isListing === true && specified(screen.shows)?.entity === entity

/** Steps that this person may take now with the record that an address shows; null: it shows none that they may see. */
async function openSteps(
  context: RequestContext,
  from: string | null,
): Promise<{ readonly title: string; readonly items: SearchGroup['items'] } | null> {
  const { site, runtime, request } = context
  const match = from === null ? null : site.routes.match(from)
  if (match?.kind !== 'screen' || !mayOpen(match.screen, request.actor)) return null
  const entity = specified(match.screen.shows)?.entity ?? null
  const [by] = Object.entries(match.segments)
  if (!kindOf(match.screen)?.isRecordPage || entity === null || by === undefined) return null
  const [field, value] = by
  if (!isStorable(value)) return null
  const data: OneData | null = await read(runtime, request, { kind: 'one', entity, by: { field, value }, history: 0 })
  if (data === null) return null
  const title = titleOf(site, entity, data.row)
  const build = building(context)
  const items = actionsOf(build, usesOf(match.screen).buttons, entity, data.row, { onlyOpen: true })
  const place = site.routes.places.get(entity)
  const address = place === undefined ? null : addressValue(place, data.row)
  const { change, delete: removal } = data.row.may
  const more =
    place === undefined || address === null || data.row.archivedAt !== undefined
      ? []
      : [
          ...(change.open ? [{ label: say(site, 'edit'), href: recordHref(place, address, '/edit') }] : []),
          ...[duplicateLinks(build, place)?.(address)].flatMap(link => link ?? []),
          ...(removal.open
            ? [
                {
                  label: say(site, place.entity.archives === null ? 'delete' : 'archive'),
                  href: recordHref(place, address, '/delete'),
                },
              ]
            : []),
        ]
  return {
    title: say(site, 'searchSteps', { thing: title }),
    items: [...items.map(({ label, action }) => ({ label, href: action })), ...more],
  }
}
