/** What refers to a record → lists below it: titles that lead to the records, and a way to all of them. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { said } from '../../headings/said.ts'
import type { RelatedView } from '../../kinds/screens/one/view-model.ts'
import type { ReadRow } from '../../kinds/screens/screen-kind.ts'
import type { LinkView } from '../../kinds/screens/view-model.ts'
import { allowFor } from '../../run/access/allow.ts'
import { notSettable } from '../../run/access/settable.ts'
import { type Referring, readRelated, referringTo } from '../../run/read/related.ts'
import { mayOpen } from '../access.ts'
import { isSignedIn } from '../exchange.ts'
import { newHref, recordHref } from '../routes.ts'
import { say } from '../sentences.ts'
import { faceOf, inSentence, type Site, stateView } from '../site.ts'
import { type Building, untitled } from './common.ts'
import { creatable } from './create.ts'
import { thingsOf } from './things.ts'
import { scalar } from './typed.ts'
import { textOf } from './values.ts'

/** One statement, and none where nothing refers to such records. */
export async function relatedLists(
  { site, exchange }: Building,
  screen: Screen,
  entity: string,
  record: string,
): Promise<readonly RelatedView[]> {
  const { runtime, request } = exchange
  const all = referringTo(site.app, entity)
  // Rows stand with their record; here they do where the document says so.
  const wanted =
    screen.related?.flatMap(one => all.filter(list => list.entity === one.entity)) ??
    all.filter(list => site.app.entities.get(list.entity)!.partOf === null)
  const places = site.routes.places
  const by = Object.fromEntries([...places].map(([key, place]) => [key, place.by]))
  const lists = await readRelated(runtime, request, record, wanted, by)
  return lists.flatMap(list => {
    const create = list.isOffered ? newHere({ site, exchange }, list, record) : null
    if (list.rows.length === 0 && (create === null || entity === 'person')) return []
    const named = site.app.entities.get(list.entity)!.partOf ?? list.entity
    const place = places.get(named)
    const one = place?.one != null && mayOpen(place.one, request.actor) ? place : null
    const isOnly = wanted.filter(other => other.entity === list.entity).length === 1
    const field = faceOf(site.app, list.entity, list.field)?.label ?? list.field
    const things = thingsOf(site, list.entity)
    const label = isOnly ? things : say(site, 'relatedBy', { things, field })
    const all = list.rows.length === 0 ? null : allHref({ site, exchange }, list, record)
    const count = site.reader.format.count(list.rows.length)
    return {
      key: `${list.entity}.${list.field}`,
      label: label.charAt(0).toLocaleUpperCase(site.reader.locale) + label.slice(1),
      count: list.more ? `${count}+` : count,
      rows: list.rows.map(({ id, title, address, state, row }) => ({
        id,
        title: title ?? untitled(site, named, row?.parent ?? id),
        detail: row === null ? null : detailOf(site, list.entity, row.own),
        href: one === null || address === null ? null : recordHref(one, address),
        state: state === null ? null : stateView(site, list.entity, state),
      })),
      all: all === null ? null : { label: say(site, 'allOfThem', { things }), href: all },
      create,
    }
  })
}

/** What stands in a row, as one text. */
const detailOf = (site: Site, entity: string, { values, labels }: ReadRow): string =>
  site.app.entities
    .get(entity)!
    .fields.flatMap(({ key }) => {
      const face = key in values ? faceOf(site.app, entity, key) : null
      return face === null ? [] : [textOf(site, entity, face, scalar(values[key]), labels[key])]
    })
    .filter(text => text !== '')
    .join(' · ')

/** The form of another one, with this record filled in, for those who may make one and say so themselves. */
function newHere(
  { site, exchange }: Pick<Building, 'site' | 'exchange'>,
  { entity, field }: Referring,
  record: string,
): LinkView | null {
  const { actor } = exchange.request
  const place = isSignedIn(exchange) ? creatable(exchange, entity) : null
  const own = place?.entity.fields.find(({ key }) => key === field)
  if (place == null || own === undefined || own.type.kind !== 'reference') return null
  if (notSettable(own, 'create', actor) !== null || own.default !== null) return null
  if (allowFor(site.app, actor).sets(entity, field, 'create', 't') === false) return null
  const label = say(site, 'newRecord', { thing: inSentence(site, place.entity.name) })
  return { label, href: `${newHref(place)}?${new URLSearchParams({ [field]: record })}` }
}

/** The first list of these records that this person may open, filtered by the record. */
function allHref(
  { site, exchange }: Pick<Building, 'site' | 'exchange'>,
  { entity, field }: Referring,
  record: string,
) {
  if (faceOf(site.app, entity, field)?.type.kind !== 'reference') return null
  const list = site.routes.places
    .get(entity)
    ?.screens.find(screen => said(screen.shows)?.kind === 'list' && mayOpen(screen, exchange.request.actor))
  const pattern = list === undefined ? undefined : said(list.route)?.pattern
  return pattern === undefined || pattern.includes('{')
    ? null
    : `${pattern}?${new URLSearchParams({ [field]: record })}`
}
