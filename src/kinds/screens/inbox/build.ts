/** What waits for somebody: records that were read → what tells them apart, each step one link away from being taken, and one of them beside. */
import type { Screen } from '../../../headings/2-screens/model.ts'
import { sentence } from '../../../ui/words.ts'
import type { Presenter } from '../presenter.ts'
import type { DecidedData, InboxData, ReadRow } from '../read-data.ts'
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
}

/** In the order of the page. */
export const waitingIn = (presenter: Presenter, data: InboxData): readonly Waiting[] =>
  data.groups.flatMap(({ entity, rows }) =>
    rows.flatMap(({ row, address }) =>
      address === null
        ? []
        : [{ entity, address, key: `${entity}.${address}`, title: presenter.face(entity, row).title }],
    ),
  )

interface InboxOptions {
  readonly screen: Screen
  readonly data: InboxData
  readonly ignored: readonly string[]
  readonly waiting: readonly Waiting[]
  /** What stands beside, with all that is shown of it. */
  readonly shown: { readonly of: Waiting; readonly row: ReadRow; readonly fields: readonly string[] } | null
}

export function inboxView(presenter: Presenter, options: InboxOptions): InboxView {
  const { screen, data, ignored, waiting, shown } = options
  const { path, address: asked } = presenter
  const said = sentences.in(presenter.reader.locale)
  const open = asked.query.get(openName)
  const isGone = open !== null && shown !== null && shown.of.key !== open
  return {
    ...presenter.frame(screen, null),
    tabs: tabsOf(presenter, false),
    ignored: [...presenter.notUnderstood(ignored), ...(isGone ? [said('gone')] : [])],
    groups: data.groups.map(({ entity, rows, more }) => ({
      key: entity,
      title: sentence(presenter.things(entity)),
      rows: rows.flatMap(({ row, title, address, steps }) => {
        if (address === null) return []
        const key = `${entity}.${address}`
        return [
          {
            id: row.id,
            title: title ?? presenter.title(entity, row),
            face: { ...presenter.face(entity, row), href: presenter.hrefAt(entity, address) },
            marks: presenter.marks(entity, row),
            state: presenter.state(entity, String(row.values.state)),
            steps: steps
              .map(step => presenter.stepAt(entity, address, step))
              .toSorted((a, b) => Number(a.danger) - Number(b.danger)),
            show: hrefOf(path, key),
            isShown: shown?.of.key === key,
          },
        ]
      }),
      more: more ? presenter.firstShown(rows.length) : null,
    })),
    empty: inboxPart(screen).emptyText?.text ?? said('nothing'),
    beside: shown === null ? null : besideOf(presenter, shown, waiting, open !== null),
  }
}

function tabsOf({ path, reader }: Presenter, isDone: boolean): readonly Tab[] {
  const said = sentences.in(reader.locale)
  return [
    { label: said('waiting'), href: path, current: !isDone },
    { label: said('done'), href: `${path}?${new URLSearchParams({ [showName]: doneName })}`, current: isDone },
  ]
}

export function doneView(
  presenter: Presenter,
  screen: Screen,
  { rows, more }: DecidedData,
  ignored: readonly string[],
): DoneView {
  const { reader } = presenter
  const said = sentences.in(reader.locale)
  return {
    ...presenter.frame(screen, null),
    tabs: tabsOf(presenter, true),
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
