/** What refers to a record → lists below it: titles that lead to the records, and a way to all of them. */

import { specified } from '../../headings/specified.ts'
import { kindOf } from '../../kinds/screens/index.ts'
import { rowLists } from '../../kinds/screens/query.ts'
import type { ReadRow } from '../../kinds/screens/read-data.ts'
import type { RelatedView } from '../../kinds/screens/record-view.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import type { LinesView, LinkView } from '../../kinds/screens/view-model.ts'
import { policyFor } from '../../run/access/policy.ts'
import { notSettable } from '../../run/access/settable.ts'
import { type Referring, readRelated, referringTo } from '../../run/read/related.ts'
import { mayOpen } from '../access.ts'
import { isSignedIn } from '../request-context.ts'
import { newHref, recordHref } from '../routes.ts'
import { say } from '../sentences.ts'
import { fieldInfo, inSentence, type Site, stateShown } from '../site.ts'
import { type Building, cellAt, marksOf, namingFields, untitled } from './common.ts'
import { creatable } from './create.ts'
import { faceFields, faceView } from './face.ts'
import { thingsOf } from './things.ts'
import { isNumeric } from './values.ts'

/** One statement, and none where nothing refers to such records. `chosen`: entities whose records are wanted; null: all. */
export async function relatedLists(
  { site, context }: Building,
  chosen: readonly { readonly entity: string }[] | null,
  entity: string,
  record: string,
): Promise<readonly RelatedView[]> {
  const { runtime, request } = context
  const all = referringTo(site.app, entity)
  // Rows stand with their record; here they do where the document says so.
  const wanted =
    chosen?.flatMap(one => all.filter(list => list.entity === one.entity)) ??
    all.filter(list => site.app.entities.get(list.entity)!.partOf === null)
  const places = site.routes.places
  const by = Object.fromEntries([...places].map(([key, place]) => [key, place.by]))
  const asked = context.query.get(relatedName)
  const shown = (key: string) => [...namingFields(site, key), ...faceFields(site, key)]
  const lists = await readRelated(runtime, request, record, wanted, by, shown, list => keyOf(list) === asked)
  return lists.flatMap(list => {
    const create = list.isOffered ? newHere({ site, context }, list, record) : null
    if (list.rows.length === 0 && (create === null || entity === 'person')) return []
    const named = site.app.entities.get(list.entity)!.partOf ?? list.entity
    const at = places.get(named)
    const place = at?.one != null && mayOpen(at.one, request.actor) ? at : null
    const isOnly = wanted.filter(other => other.entity === list.entity).length === 1
    const field = fieldInfo(site.app, list.entity, list.field)?.label ?? list.field
    const things = thingsOf(site, list.entity)
    const label = isOnly ? things : say(site, 'relatedBy', { things, field })
    const count = site.reader.format.count(list.rows.length)
    const rows = list.rows.map(({ title, address, parent, ...one }) => ({
      ...one,
      title: title ?? untitled(site, named, parent ?? one.id),
      href: place === null || address === null ? null : recordHref(place, address),
    }))
    const isRows = named !== list.entity
    return {
      key: keyOf(list),
      label: label.charAt(0).toLocaleUpperCase(site.reader.locale) + label.slice(1),
      count: list.more ? `${count}+` : count,
      rows: isRows
        ? []
        : rows.map(({ id, own, href }) => ({
            id,
            // What it refers to is the record that is looked at.
            face: { ...faceView({ site, context, tokens: [] }, list.entity, own, field => field === list.field), href },
            marks: marksOf(site, list.entity, own),
            state: stateShown(site, list.entity, own),
          })),
      lines: isRows && rows.length > 0 ? linesOf(site, list.entity, rows) : null,
      all: list.rows.length === 0 ? null : allOf({ site, context }, list, record, keyOf(list) === asked),
      create,
    }
  })
}

/** In the address: the list that is shown here as far as it can be. */
const relatedName = '_related'

const keyOf = ({ entity, field }: Referring): string => `${entity}.${field}`

interface ShownRow {
  readonly id: string
  readonly title: string
  readonly href: string | null
  readonly own: ReadRow
}

/** Child rows, each with the record that it is part of. */
function linesOf(site: Site, entity: string, rows: readonly ShownRow[]): LinesView {
  const { fields, partOf } = site.app.entities.get(entity)!
  const columns = fields.flatMap(({ key }) => {
    const info = rows.some(({ own }) => key in own.values) ? fieldInfo(site.app, entity, key) : null
    return info === null ? [] : [{ field: key, label: info.label, numeric: isNumeric(info.type) }]
  })
  return {
    columns: [{ field: '', label: site.app.entities.get(partOf!)!.name, numeric: false }, ...columns],
    rows: rows.map(({ id, title, href, own }) => ({
      id,
      href,
      cells: [
        { text: title, look: 'text', href, datetime: null, state: null },
        ...columns.map(({ field }) => cellAt(site, entity, own, field)),
      ],
    })),
    empty: '',
  }
}

/** The form of another one, with this record filled in, for those who may make one and say so themselves. */
function newHere(
  { site, context }: Pick<Building, 'site' | 'context'>,
  { entity, field }: Referring,
  record: string,
): LinkView | null {
  const { actor } = context.request
  const place = isSignedIn(context) ? creatable(context, entity) : null
  const own = place?.entity.fields.find(({ key }) => key === field)
  if (place == null || own === undefined || own.type.kind !== 'reference') return null
  if (notSettable(own, 'create', actor) !== null || own.default !== null) return null
  if (policyFor(site.app, actor).sets(entity, field, 'create', 't') === false) return null
  const label = say(site, 'newRecord', { thing: inSentence(site, place.entity.name) })
  return { label, href: `${newHref(place)}?${new URLSearchParams({ [field]: record })}` }
}

/** All of them: in a list of all such records, filtered by this one, else here. Null: they are here. */
function allOf(
  build: Pick<Building, 'site' | 'context'>,
  list: Referring & { readonly more: boolean },
  record: string,
  isWhole: boolean,
): LinkView | null {
  const { site, context } = build
  const named = site.app.entities.get(list.entity)!.partOf ?? list.entity
  const href = listHref(build, list, record)
  const label = say(site, 'allOfThem', { things: thingsOf(site, href === null ? list.entity : named) })
  if (href !== null) return { label, href }
  if (!list.more || isWhole) return null
  const query = new URLSearchParams(context.query)
  query.set(relatedName, keyOf(list))
  return { label, href: `${context.path}?${query}` }
}

/** The first list of all these records that this person may open, filtered by the record; of child rows, that of the records that they are part of. */
function listHref({ site, context }: Pick<Building, 'site' | 'context'>, { entity, field }: Referring, record: string) {
  const { partOf } = site.app.entities.get(entity)!
  const lists =
    partOf === null
      ? []
      : [...rowLists(site.app.entities.get(partOf)!, site.app)].flatMap(([key, rows]) =>
          rows.key === entity ? [key] : [],
        )
  const name = partOf === null ? field : lists.length === 1 ? `${lists[0]}.${field}` : null
  const list = site.routes.places
    .get(partOf ?? entity)
    ?.screens.find(
      screen => kindOf(screen)?.isListing && usesOf(screen).where === null && mayOpen(screen, context.request.actor),
    )
  const pattern = list === undefined ? undefined : specified(list.route)?.pattern
  return name === null || pattern === undefined || pattern.includes('{')
    ? null
    : `${pattern}?${new URLSearchParams({ [name]: record })}`
}
