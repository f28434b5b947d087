/** One record that was read → its page: facts, rows, what can be done, where it is in its life, what happened. */

import type { Screen } from '../../headings/2-screens/model.ts'
import { recordFace } from '../../headings/3-entities/face.ts'
import { startsOf } from '../../headings/4-states/ways.ts'
import { specified } from '../../headings/specified.ts'
import { wordFor } from '../../headings/translate.ts'
import { heldFile } from '../../kinds/fields/file/held.ts'
import { isFramed, isShownInPlace } from '../../kinds/fields/file/types.ts'
import { kindOf } from '../../kinds/screens/index.ts'
import type { HistoryEntry, OneData, ReadRow } from '../../kinds/screens/read-data.ts'
import type { DiagramView, RecordView } from '../../kinds/screens/record-view.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import type { ValueView } from '../../kinds/screens/view-model.ts'
import { archiving } from '../../run/access/archived.ts'
import { isState, stateIn } from '../../run/names.ts'
import { longestComment } from '../../run/people/commenting.ts'
import type { Neighbour, Neighbours } from '../../run/read/neighbours.ts'
import { rolesToShare } from '../../run/read/shares.ts'
import type { DiagramLayout } from '../../ui/layout.ts'
import { mayOpen } from '../access.ts'
import { listBefore, withList } from '../from-list.ts'
import { commentsPath } from '../paths.ts'
import { listScreen } from '../records.ts'
import { fileAddress, frameAddress } from '../routes/files.ts'
import { fieldIn, recordHref, routeHref, shareHref } from '../routes.ts'
import { say } from '../sentences.ts'
import { fieldInfo, type Site, stateShown } from '../site.ts'
import { approvalView, awaitedIn } from './approvals.ts'
import {
  actionsOf,
  addressValue,
  assumedOf,
  type Building,
  duplicateLinks,
  endLinksHref,
  headOf,
  markOf,
  marksOf,
  removeAction,
  restoreAction,
  screenMark,
  titleOf,
  whyClosed,
  whyLink,
} from './common.ts'
import { pictureOf } from './face.ts'
import { historyEntryView, talkInputs } from './history.ts'
import { linkedValue, tabHref, tabName, tabsOf } from './sections.ts'
import { sharesView } from './shares.ts'

interface RecordOptions {
  readonly screen: Screen
  readonly entity: string
  readonly data: OneData
  readonly related: RecordView['related']
  readonly near: RecordView['near']
  /** Of the states of the entity; null: it has none. */
  readonly layout: DiagramLayout | null
}

export function recordView(
  build: Building,
  { screen, entity, data, related, near, layout }: RecordOptions,
): RecordView {
  const { site, context } = build
  const { row } = data
  const of = site.app.entities.get(entity)!
  const title = titleOf(site, entity, row)
  const state = stateIn(site.app, entity, row.values)
  const place = site.routes.places.get(entity)
  const address = place === undefined ? null : addressValue(place, row)
  const change = row.may.change
  const isArchived = row.archivedAt !== undefined
  const actions = isArchived ? [] : actionsOf(build, usesOf(screen).buttons, entity, row)
  const strip = stripOf(build, entity, data)
  const isFact = (field: string) =>
    !isState(site.app, entity, field) &&
    !of.title.includes(field) &&
    field in row.values &&
    !strip.some(({ key }) => key === field) &&
    !isAttached(site, entity, row, field)
  return {
    opened: data.opened === null ? null : say(site, 'openedUntil', { until: site.reader.format.moment(data.opened) }),
    archived: isArchived ? { note: archivedNote(build, data), restore: restoreAction(build, entity, row) } : null,
    ...headOf(site, of, row),
    pageTitle: title,
    meaning: screen.meaning?.text ?? null,
    crumbs: crumbsOf(build, entity, title),
    mark: screenMark(site, screen),
    assumed: assumedOf(site, entity),
    state: stateShown(site, entity, row),
    marks: marksOf(site, entity, row),
    picture: pictureOf(site, entity, row),
    strip,
    actions: [...actions.filter(({ open }) => open), ...actions.filter(({ open }) => !open)],
    edit:
      change.open && address !== null && place !== undefined
        ? { label: say(site, 'edit'), href: withList(context, recordHref(place, address, '/edit')) }
        : null,
    editClosed:
      isArchived || change.open || change.reason === 'no rule' || change.reason === 'who'
        ? null
        : {
            why: whyClosed(site, entity, change, state),
            mark: site.mark(change.because),
          },
    remove: removeAction(build, entity, row),
    duplicate:
      place === undefined || address === null || isArchived ? null : (duplicateLinks(build, place)?.(address) ?? null),
    ways: waysOf(build, entity, row),
    near,
    attachments: data.fields.flatMap(field => attachment(build, entity, row, field)),
    why: data.opened === null && !isArchived ? whyLink(build, entity, row.id) : null,
    diagram: diagramOf(build, entity, data, layout),
    tabs: tabsOf(build, screen, entity, data, field => isFact(field)),
    approvals: {
      title: say(site, 'approvals'),
      all: data.approvals.map(approval => approvalView(build, entity, approval)),
    },
    related,
    blocks: [],
    history: data.history
      .filter(({ what }) => isShown(what, shownOf(context)))
      .map(entry => historyEntryView(build, entity, entry, row.id)),
    shows: showsOf(build, data),
    talk:
      data.follows === null || isArchived
        ? null
        : {
            action: commentsPath,
            hidden: talkInputs(build, entity, row.id),
            follows: data.follows,
            longest: longestComment,
          },
  }
}

/** Its figures, whom it is about, until when it is to be done, and for whom it waits. */
function stripOf(build: Building, entity: string, { row, approvals, shares }: OneData): RecordView['strip'] {
  const { site } = build
  const { facts, person, date } = recordFace(site.app, entity)
  const [first, ...others] = facts
  const shown = [first, person, ...others, date?.field].flatMap((key): RecordView['strip'] => {
    const field = key == null || row.values[key] == null ? null : fieldInfo(site.app, entity, key)
    if (field === null) return []
    const value = linkedValue(build, entity, row, field.key)
    const isReader = field.key === person && row.values[field.key] === build.context.request.actor.id
    return value.text === ''
      ? []
      : [
          {
            key: field.key,
            label: field.label,
            value: isReader ? { ...value, text: say(site, 'you') } : value,
            mark: markOf(site, field.cell),
          },
        ]
  })
  const me = build.context.request.actor.id
  const value = textValue(sharesView(site, me, shares))
  const isShared = shares.length > 0 && row.archivedAt === undefined
  const strip = isShared ? [...shown, { key: 'shares', label: say(site, 'shareNow'), value, mark: null }] : shown
  const { anyOf, allOf } = site.reader.format
  const waits = approvals.map(approval => awaitedIn(site, approval)).filter(names => names.length > 0)
  if (waits.length === 0 || row.archivedAt !== undefined) return strip
  const text = allOf([...new Set(waits.map(names => anyOf(names)))])
  return [...strip, { key: 'waiting', label: say(site, 'waitingFor'), value: textValue(text), mark: null }]
}

const textValue = (text: string): ValueView => ({ text, look: 'text', href: null, datetime: null, state: null })

/** Other screens of this record, for whoever may open them; those that change it, for whoever may. */
function waysOf(build: Building, entity: string, row: ReadRow): RecordView['ways'] {
  const { site, context } = build
  const place = site.routes.places.get(entity)
  const ends = endLinksHref(build, entity, row)
  const others = (place?.screens ?? []).flatMap((screen): RecordView['ways'] => {
    const [kind, route] = [kindOf(screen), specified(screen.route)]
    const field = route === null ? null : fieldIn(route)
    if (route === null || field === null || kind === null || kind.isRecordPage || screen === place?.edit) return []
    const value = field === 'id' ? row.id : row.values[field]
    const isPrint = kind.isPaper === true
    if (typeof value !== 'string' || !mayOpen(screen, context.request.actor)) return []
    if (!isPrint && !row.may.change.open) return []
    const label = isPrint ? say(site, 'printIt', { name: screen.name.text }) : screen.name.text
    return [{ label, href: withList(context, routeHref(route, value)), icon: isPrint ? 'print' : 'pencil' }]
  })
  const isShared = rolesToShare(site.app, context.request.actor, entity).length > 0 && row.archivedAt === undefined
  return [
    ...others,
    ...(isShared ? [{ label: say(site, 'shareIt'), href: shareHref(entity, row.id), icon: 'share' as const }] : []),
    ...(ends === null ? [] : [{ label: say(site, 'caseEnd'), href: ends, icon: 'lock' as const }]),
  ]
}

/** Since when, and by whom: as the history says it. */
function archivedNote({ site }: Building, { row, history }: OneData): string {
  const at = site.reader.format.moment(row.archivedAt!)
  const entry = history.find(({ name }) => name === archiving)
  const who = entry?.actedBy ?? entry?.who
  return who ? say(site, 'archivedBy', { at, who }) : say(site, 'archivedOn', { at })
}

/** What of the activity is shown: `_show=comments`. */
type Show = 'comments' | 'changes' | 'messages'

const showName = '_show'
const kindsOf: Readonly<Record<Show, readonly HistoryEntry['what'][]>> = {
  comments: ['comment'],
  changes: ['create', 'change', 'delete', 'step', 'timer', 'decision', 'emergency', 'refused', 'share'],
  messages: ['mail', 'call', 'report'],
}

/** Null: all of it. */
export function shownOf({ query }: Building['context']): Show | null {
  const asked = query.get(showName)
  return asked === 'comments' || asked === 'changes' || asked === 'messages' ? asked : null
}

const isShown = (what: HistoryEntry['what'], show: Show | null): boolean =>
  show === null || kindsOf[show].includes(what)

/** Only what there is, or what was asked for. */
function showsOf({ site, context }: Building, { history }: OneData): RecordView['shows'] {
  const { path, query } = context
  const now = shownOf(context)
  const there = (['comments', 'changes', 'messages'] as const).filter(
    show => show === now || history.some(({ what }) => isShown(what, show)),
  )
  if (there.length < 2) return []
  return [null, ...there].map(show => {
    const copy = new URLSearchParams(query)
    if (show === null) copy.delete(showName)
    else copy.set(showName, show)
    const href = `${path}${copy.size === 0 ? '' : `?${copy}`}#activity`
    return { label: say(site, show === null ? 'activity.all' : `activity.${show}`), href, current: show === now }
  })
}

const heldAt = (site: Site, entity: string, { values }: ReadRow, field: string) => {
  const wire = values[field]
  return fieldInfo(site.app, entity, field)?.type.kind === 'file' && typeof wire === 'string' ? heldFile(wire) : null
}

const isAttached = (site: Site, entity: string, row: ReadRow, field: string): boolean =>
  heldAt(site, entity, row, field) !== null

function attachment({ site }: Building, entity: string, row: ReadRow, field: string): RecordView['attachments'] {
  const held = heldAt(site, entity, row, field)
  if (held === null) return []
  const { name, size, type } = held
  const href = fileAddress(entity, row.id, field)
  return [
    {
      field: fieldInfo(site.app, entity, field)?.label ?? field,
      name,
      size: site.reader.format.bytes(size),
      href,
      preview: isShownInPlace(type)
        ? { kind: 'image' }
        : isFramed(type)
          ? { kind: 'frame', src: frameAddress(href) }
          : null,
    },
  ]
}

/** The records beside it in the list that it was opened from. */
export function nearOf(build: Building, entity: string, { previous, next }: Neighbours): RecordView['near'] {
  const { site, context } = build
  const place = site.routes.places.get(entity)
  const link = (found: Neighbour | null) =>
    found === null || found.address === null || place === undefined
      ? null
      : {
          label: found.title ?? found.address,
          href: tabHref({ ...context, path: recordHref(place, found.address) }, context.query.get(tabName) ?? ''),
        }
  return { previous: link(previous), next: link(next) }
}

/**
 * The list that it was opened from; else the first screen without a record of its own that shows the same entity. `below`: what is
 * done with the record, whose page is `record`.
 */
export function crumbsOf(
  { site, context }: Building,
  entity: string,
  title: string,
  below?: string,
  record = withList(context, context.path.replace(/\/(edit|delete|restore|do\/[^/]*)$/, '')),
): RecordView['crumbs'] {
  const place = site.routes.places.get(entity)
  const list = place === undefined ? undefined : listScreen(context, place)
  const before = listBefore(context, entity)
  const first =
    before !== null
      ? [{ label: before.screen.name.text, href: before.href }]
      : list === undefined || !('pattern' in list.route)
        ? []
        : [{ label: list.name.text, href: list.route.pattern }]
  if (below === undefined) return [...first, { label: title, href: null }]
  return [...first, { label: title, href: record }, { label: below, href: null }]
}

function diagramOf(
  { site }: Building,
  entity: string,
  { row, history }: OneData,
  layout: DiagramLayout | null,
): DiagramView | null {
  const called = (state: string) => wordFor(site.app, state)
  const graph = site.graphs.get(entity)
  const current = row.values.state
  if (graph === undefined || layout === null || typeof current !== 'string') return null
  const passed = new Set<string>(graph.workflow.starts.length > 1 ? [] : startsOf(graph.workflow))
  for (const { changes } of history)
    for (const { field, before } of changes) if (field === 'state' && before !== null) passed.add(before)
  passed.delete(current)
  const possible = row.may.steps.flatMap(({ open, to }) => (open && to !== null && to !== current ? [to] : []))
  return {
    layout,
    rings: new Map([...graph.rings].map(([state, ring]) => [called(state), ring])),
    current: called(current),
    possible: [...new Set(possible)].map(called),
    passed: [...passed].map(called),
    mark: site.mark(graph.workflow.cell),
  }
}
