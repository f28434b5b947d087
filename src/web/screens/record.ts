/** One record that was read → its page: facts, rows, what can be done, where it is in its life, what happened. */

import type { Screen } from '../../headings/2-screens/model.ts'
import { recordFace } from '../../headings/3-entities/face.ts'
import { startsOf } from '../../headings/4-states/ways.ts'
import { specified } from '../../headings/specified.ts'
import { wordFor } from '../../headings/translate.ts'
import { heldFile } from '../../kinds/fields/file/held.ts'
import { isFramed, isShownInPlace } from '../../kinds/fields/file/types.ts'
import { unseen } from '../../kinds/fields/reference/unseen.ts'
import { kindOf } from '../../kinds/screens/index.ts'
import type { HistoryEntry, OneData, ReadRow } from '../../kinds/screens/read-data.ts'
import type { DiagramView, HistoryEntryView, RecordView } from '../../kinds/screens/record-view.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import type { Hidden, ValueView } from '../../kinds/screens/view-model.ts'
import { archiving, bringingBack } from '../../run/access/archived.ts'
import { longestComment } from '../../run/people/commenting.ts'
import { wordsIn } from '../../run/problems/words.ts'
import type { Neighbour, Neighbours } from '../../run/read/neighbours.ts'
import type { DiagramLayout } from '../../ui/layout.ts'
import { mayOpen } from '../access.ts'
import { listBefore, withList } from '../from-list.ts'
import { commentsPath } from '../paths.ts'
import { listScreen } from '../records.ts'
import { fileAddress, frameAddress } from '../routes/files.ts'
import { fieldIn, recordHref, routeHref } from '../routes.ts'
import { say } from '../sentences.ts'
import { branchesOf, fieldInfo, type Site, stateView } from '../site.ts'
import { approvalView } from './approvals.ts'
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
import { linkedValue, tabHref, tabName, tabsOf } from './sections.ts'
import { valueView } from './values.ts'

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
  const state = row.values.state
  const place = site.routes.places.get(entity)
  const address = place === undefined ? null : addressValue(place, row)
  const change = row.may.change
  const isArchived = row.archivedAt !== undefined
  const actions = isArchived ? [] : actionsOf(build, usesOf(screen).buttons, entity, row)
  const strip = stripOf(build, entity, data)
  const isFact = (field: string) =>
    field !== 'state' &&
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
    state: typeof state === 'string' ? stateView(site, entity, state) : null,
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
            why: whyClosed(site, entity, change, typeof state === 'string' ? state : null),
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
function stripOf(build: Building, entity: string, { row, approvals }: OneData): RecordView['strip'] {
  const { site } = build
  const { facts, person, date } = recordFace(site.app, entity)
  const [first, ...others] = facts
  const strip = [first, person, ...others, date?.field].flatMap((key): RecordView['strip'] => {
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
  const waits = approvals.filter(({ due, missing }) => due && missing !== 0).flatMap(({ waiting }) => waiting)
  if (waits.length === 0 || row.archivedAt !== undefined) return strip
  const text = site.reader.format.anyOf([...new Set(waits)])
  const value: ValueView = { text, look: 'text', href: null, datetime: null, state: null }
  return [...strip, { key: 'waiting', label: say(site, 'waitingFor'), value, mark: null }]
}

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
  return ends === null ? others : [...others, { label: say(site, 'caseEnd'), href: ends, icon: 'lock' }]
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
  changes: ['create', 'change', 'delete', 'step', 'timer', 'decision', 'emergency', 'refused'],
  messages: ['mail', 'call'],
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

/** What every form about the comments of a record sends. */
const talkInputs = ({ tokens, context }: Building, entity: string, record: string): readonly Hidden[] => [
  ...tokens,
  { name: 'entity', value: entity },
  { name: 'record', value: record },
  { name: '_next', value: `${context.path}${context.query.size === 0 ? '' : `?${context.query}`}` },
]

/** Who it was that brought a record into the state in which it is, how and when; null: nobody has, or it is not told. */
export function stateSentence(build: Building, entity: string, history: OneData['history'], record: string) {
  const entry = history.find(({ changes }) => changes.some(({ field }) => field === 'state'))
  if (entry === undefined) return null
  const { who, what, when } = historyEntryView(build, entity, entry, record)
  return say(build.site, 'meanwhile', { who, what, when })
}

function historyEntryView(build: Building, entity: string, entry: HistoryEntry, record: string): HistoryEntryView {
  const { site, context } = build
  const { at, actedBy, key, confirmed, changes, delivery, comment } = entry
  const who =
    entry.who === '' ? say(site, 'somebody') : (entry.who ?? (entry.byLink ? say(site, 'byLink') : site.app.name))
  const what = sentenceOf(site, entity, entry)
  const said =
    confirmed.length === 0 || entry.what === 'refused'
      ? what
      : say(site, 'hasConfirmed', { what, codes: confirmed.join(', ') })
  return {
    who: actedBy === null ? who : say(site, 'actedAs', { by: actedBy || say(site, 'somebody'), who }),
    what: key === null ? said : say(site, 'byKey', { what: said, key }),
    kind: entry.what,
    at,
    when: site.reader.format.relative(at, context.request.now),
    changes: changes.map(({ field, before, after }) => ({
      label: changeLabel(site, entity, field),
      before: changedValue(site, entity, field, before),
      after: changedValue(site, entity, field, after),
    })),
    delivery:
      delivery === null
        ? null
        : {
            family: delivery.state === 'done' ? 'good' : delivery.state === 'failed' ? 'bad' : 'wait',
            text: deliveryText(site, delivery),
          },
    reason: entry.decision?.reason ?? entry.emergency?.reason ?? null,
    comment:
      comment === null || comment.text === null
        ? null
        : {
            id: comment.id,
            text: comment.text,
            note:
              comment.changedAt === null
                ? null
                : say(site, 'commentChanged', {
                    when: site.reader.format.relative(comment.changedAt, context.request.now),
                  }),
            own: comment.own ? [...talkInputs(build, entity, record), { name: 'comment', value: comment.id }] : null,
          },
  }
}

function deliveryText(site: Building['site'], { state, attempts }: NonNullable<HistoryEntry['delivery']>): string {
  if (state === 'settled' || state === 'unaddressed') return say(site, state)
  if (state === 'withdrawn') return say(site, 'callWithdrawn')
  if (state === 'failed') return say(site, 'failed', { count: attempts })
  if (state === 'done') return attempts > 1 ? say(site, 'deliveredAfter', { count: attempts }) : say(site, 'delivered')
  return attempts > 0 ? say(site, 'waitingAfter', { count: attempts }) : say(site, 'waiting')
}

const mailSentences = {
  done: 'hasMailed',
  waiting: 'isMailing',
  settled: 'hasNotMailed',
  failed: 'hasNotMailed',
  unaddressed: 'hasNotMailed',
  withdrawn: 'hasNotMailed',
} as const
const callSentences = {
  done: 'hasCalled',
  waiting: 'isCalling',
  settled: 'hasNotCalled',
  failed: 'hasNotCalled',
  unaddressed: 'hasNotCalled',
  withdrawn: 'wasToCall',
} as const

const deputySentences: Readonly<Record<string, 'hasNamedDeputy' | 'hasTakenDeputyBack'>> = {
  deputy: 'hasNamedDeputy',
  'deputy taken back': 'hasTakenDeputyBack',
}

function sentenceOf(site: Building['site'], entity: string, entry: HistoryEntry): string {
  const { what, name } = entry
  const delivery = entry.delivery?.state

  switch (what) {
    case 'create':
      return say(site, name === null ? 'hasCreated' : 'hasSampled')
    case 'change':
      return say(site, name === archiving ? 'hasArchived' : name === bringingBack ? 'hasRestored' : 'hasChanged')
    case 'delete':
      return say(site, 'hasDeleted')
    case 'step':
      return say(site, 'hasStepped', { step: branchesOf(site.app, entity, name ?? '')[0]?.name ?? name ?? '' })
    case 'decision': {
      const step = branchesOf(site.app, entity, name ?? '')[0]?.name ?? name ?? ''
      const represents = entry.decision?.represents ?? null
      return represents === null
        ? say(site, 'hasDecided', { step })
        : say(site, 'hasDecidedFor', { step, represents: represents || say(site, 'somebody') })
    }
    case 'erase':
      return say(site, name === 'keep' ? 'hasErasedInTime' : 'hasErased')
    case 'give out':
      return say(site, 'hasGivenOut')
    case 'appointment':
      return say(site, 'hasAppointed', { role: roleText(site, name) })
    case 'sign-in':
      return say(site, deputySentences[name ?? ''] ?? 'hasChangedSignIn')
    case 'refused':
      return say(site, 'hasTried', { what: triedOf(site, entity, name ?? ''), codes: entry.confirmed.join(', ') })
    case 'emergency':
      return say(site, 'hasOpened', {
        count: entry.emergency?.reads ?? 0,
        until: site.reader.format.moment(entry.emergency?.until ?? entry.at),
      })
    case 'timer': {
      const timer = [...site.app.timers, ...site.app.sweeps].find(one => one.entity === entity && one.key === name)
      return say(site, 'hasTimer', { name: timer?.name ?? name ?? '' })
    }
    case 'comment':
      return say(site, entry.comment?.text == null ? 'hasTakenBack' : 'hasCommented')
    case 'mail':
      return say(site, mailSentences[delivery ?? 'waiting'], { name: name ?? '' })
    case 'call':
      return say(site, callSentences[delivery ?? 'waiting'], {
        name: site.app.calls.get(name ?? '')?.name ?? name ?? '',
      })
  }
}

/** A step, or what is done with any record. */
function triedOf(site: Building['site'], entity: string, name: string): string {
  const [branch] = branchesOf(site.app, entity, name)
  if (branch !== undefined) return branch.name
  return say(site, name === 'delete' ? 'verb.delete' : 'verb.change')
}

function roleText({ app }: Building['site'], key: string | null): string {
  const role = [...app.roles.values()].find(one => one.key === key)
  return role === undefined ? (key ?? '') : wordFor(app, role.name)
}

/** `lines.value` → "Lines, value". */
function changeLabel(site: Building['site'], entity: string, field: string): string {
  const [list = '', key] = field.split('.')
  const info = fieldInfo(site.app, entity, list)
  if (key === undefined) return info?.label ?? field
  const child = info?.type.kind === 'list' ? fieldInfo(site.app, info.type.entity, key) : null
  return `${info?.label ?? list}, ${(child?.label ?? key).toLocaleLowerCase(site.reader.locale)}`
}

/** References and rows come as their titles already. */
function changedValue(site: Building['site'], entity: string, field: string, text: string | null): ValueView {
  const [list = '', key] = field.split('.')
  const outer = fieldInfo(site.app, entity, list)
  const [of, info] =
    key !== undefined && outer?.type.kind === 'list'
      ? [outer.type.entity, fieldInfo(site.app, outer.type.entity, key)]
      : [entity, outer]
  if (text === null || info === null || info.type.kind === 'list') {
    const told = text?.replace(unseen, wordsIn(site.reader.locale).unseen) ?? ''
    return { text: told, look: 'text', href: null, datetime: null, state: null }
  }
  const wire = info.type.kind === 'yes/no' ? text === 'true' : text
  return valueView(site, of, info, wire, { label: text, href: null })
}
