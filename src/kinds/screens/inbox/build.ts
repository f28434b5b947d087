/** What waits for somebody: records that were read → what tells them apart, each step one link away from being taken, and one of them beside. */
import { dayNumber } from '../../../expression/dates.ts'
import type { Screen } from '../../../headings/2-screens/model.ts'
import { sentence } from '../../../ui/words.ts'
import { nextWorkingDay } from '../days/free.ts'
import type { Presenter } from '../presenter.ts'
import type { DecidedData, InboxData, ReadRow } from '../read-data.ts'
import type { FaceView } from '../view-model.ts'
import { doneName, inboxPart, openName, showName } from './screen.ts'
import { sentences } from './texts.ts'
import type { Beside, DoneView, InboxView, Tab } from './view-model.ts'

/** Something that waits, and can be shown beside. */
export interface Waiting {
  readonly entity: string
  readonly address: string
  /** In the address of the inbox. */
  readonly key: string
  readonly title: string
  readonly of: InboxData['groups'][number]['rows'][number]
  readonly face: FaceView
}

/** What stands together. */
interface Group {
  readonly key: string
  readonly title: string
  readonly rows: readonly Waiting[]
}

/** In the order of the page: what is late, what is due by the next working day, and the rest. Where nothing is either, by what they are. */
export function waitingIn(presenter: Presenter, data: InboxData): readonly Group[] {
  const said = sentences.in(presenter.reader.locale)
  const kinds = data.groups.map(({ entity, rows }) => ({
    key: entity,
    title: sentence(presenter.things(entity)),
    rows: rows.flatMap((of): readonly Waiting[] => {
      const { row, address } = of
      if (address === null) return []
      const face = { ...presenter.face(entity, row), href: presenter.hrefAt(entity, address) }
      return [{ entity, address, key: `${entity}.${address}`, title: face.title, of, face }]
    }),
  }))
  const soon = nextWorkingDay(presenter)
  const urgency = ({ face: { date } }: Waiting) => {
    const due = date?.value.due
    return due === undefined || dayNumber(due.day)! > soon ? 'later' : due.tone === 'bad' ? 'late' : 'due'
  }
  const all = kinds.flatMap(({ rows }) => rows).toSorted((a, b) => (a.of.row.id < b.of.row.id ? -1 : 1))
  const groups = Map.groupBy(all, urgency)
  const isUrgent = groups.has('late') || groups.has('due')
  return isUrgent
    ? (['late', 'due', 'later'] as const).flatMap(key => {
        const rows = groups.get(key)
        return rows === undefined ? [] : [{ key, title: said(key), rows }]
      })
    : kinds.filter(({ rows }) => rows.length > 0)
}

interface InboxOptions {
  readonly screen: Screen
  readonly data: InboxData
  readonly ignored: readonly string[]
  readonly groups: readonly Group[]
  /** How many wait. */
  readonly count: string
  /** What stands beside, with all that is shown of it. */
  readonly shown: { readonly of: Waiting; readonly row: ReadRow; readonly fields: readonly string[] } | null
}

export function inboxView(presenter: Presenter, options: InboxOptions): InboxView {
  const { screen, data, ignored, groups, count, shown } = options
  const { path, address: asked } = presenter
  const said = sentences.in(presenter.reader.locale)
  const open = asked.query.get(openName)
  const isGone = open !== null && shown !== null && shown.of.key !== open
  return {
    ...presenter.frame(screen, null),
    tabs: tabsOf(presenter, false, count),
    ignored: [...presenter.notUnderstood(ignored), ...(isGone ? [said('gone')] : [])],
    groups: groups.map(({ rows, ...group }) => ({
      ...group,
      rows: rows.map(({ entity, address, key, of: { row, title, steps }, face }) => ({
        id: row.id,
        title: title ?? presenter.title(entity, row),
        face,
        marks: presenter.marks(entity, row),
        state: presenter.state(entity, String(row.values.state)),
        steps: steps
          .map(step => presenter.stepAt(entity, address, step))
          .toSorted((a, b) => Number(a.danger) - Number(b.danger)),
        show: hrefOf(path, key),
        isShown: shown?.of.key === key,
      })),
    })),
    more: data.groups.flatMap(({ entity, rows, more }) =>
      more ? [`${sentence(presenter.things(entity))}: ${presenter.firstShown(rows.length)}`] : [],
    ),
    empty: inboxPart(screen).emptyText?.text ?? said('nothing'),
    beside:
      shown === null
        ? null
        : besideOf(
            presenter,
            shown,
            groups.flatMap(({ rows }) => rows),
            open !== null,
          ),
  }
}

function tabsOf({ path, reader }: Presenter, isDone: boolean, count: string): readonly Tab[] {
  const said = sentences.in(reader.locale)
  return [
    { label: said('waiting'), ...(count !== '' && { count }), href: path, current: !isDone },
    { label: said('done'), href: `${path}?${new URLSearchParams({ [showName]: doneName })}`, current: isDone },
  ]
}

export function doneView(
  presenter: Presenter,
  screen: Screen,
  { rows, more }: DecidedData,
  { ignored, count }: Pick<InboxOptions, 'ignored' | 'count'>,
): DoneView {
  const { reader } = presenter
  const said = sentences.in(reader.locale)
  return {
    ...presenter.frame(screen, null),
    tabs: tabsOf(presenter, true, count),
    ignored: presenter.notUnderstood(ignored),
    rows: rows.map(({ entity, row, address, step, at }) => ({
      id: row.id,
      face: { ...presenter.face(entity, row), href: presenter.hrefAt(entity, address) },
      marks: presenter.marks(entity, row),
      state: presenter.state(entity, String(row.values.state)),
      done: said('doneThen', { step: presenter.stepAt(entity, address, step).label, when: reader.format.moment(at) }),
    })),
    more: more ? presenter.firstShown(rows.length) : null,
    empty: said('nothingDone'),
  }
}

const hrefOf = (path: string, key: string): string => `${path}?${new URLSearchParams({ [openName]: key })}`

function besideOf(
  presenter: Presenter,
  { of: { entity, address, key }, row, fields }: NonNullable<InboxOptions['shown']>,
  waiting: readonly Waiting[],
  isAsked: boolean,
): Beside {
  const { path, reader } = presenter
  const said = sentences.in(reader.locale)
  const at = waiting.findIndex(one => one.key === key)
  const [before, after] = [waiting[at - 1], waiting[at + 1]]
  const following = after ?? before
  const next = following === undefined ? path : hrefOf(path, following.key)
  const face = presenter.face(entity, row)
  return {
    title: presenter.title(entity, row),
    face: { ...face, href: presenter.hrefAt(entity, address) },
    state: presenter.state(entity, String(row.values.state)),
    marks: presenter.marks(entity, row),
    facts: fields.flatMap(field => {
      const fact = field === 'state' ? null : presenter.fact(entity, row, field)
      return fact === null || fact.value.text === '' || fact.value.text === face.title ? [] : [fact]
    }),
    actions: presenter.actions(null, entity, row).map(action => ({
      ...action,
      hidden: [...action.hidden, { name: '_next', value: next }],
      confirm: action.confirm && `${action.confirm.split('?')[0]}?${new URLSearchParams({ _next: next })}`,
    })),
    place: said('place', { at: at + 1, count: waiting.length }),
    previous: before === undefined ? null : hrefOf(path, before.key),
    next: after === undefined ? null : hrefOf(path, after.key),
    following: following === undefined ? null : said('following', { title: following.title }),
    isAsked,
  }
}
