/** Rows that lie in time → what stands for them on a calendar or a timeline. */
import { dayFormat } from '../../../expression/day-format.ts'
import { dayIn, localMoment, startOfDay, timeIn } from '../../fields/dates.ts'
import { pageNames } from '../address.ts'
import type { Presenter } from '../presenter.ts'
import type { ReadRow } from '../read-data.ts'
import type { Entry } from './entry.tsx'
import type { RowsInTime } from './period.ts'

/** Minutes of the day. */
export interface Hours {
  readonly from: number
  readonly until: number
}

/** What is read of each row: what is shown, what names it, and its days. */
export function columnsOf(rows: RowsInTime, { namingFields }: Presenter): readonly string[] {
  const { from, to } = rows.during
  return [...new Set([...rows.columns, ...namingFields(rows.entity), from, ...(to === null ? [] : [to])])]
}

/** What lies on days, and how it is called there. */
export interface Placed {
  /** As they are stored; `ends` null: it has no end. */
  readonly begins: string
  readonly ends: string | null
  /** Days. */
  readonly first: string
  readonly last: string
  /** Of its one day; null: it takes whole days, or several. */
  readonly hours: Hours | null
  readonly on: (day: string) => Entry
}

/** `rows` without what `columnsOf` adds. */
export function placedOf(presenter: Presenter, rows: RowsInTime, row: ReadRow): Placed {
  const { during } = rows
  const { zone } = presenter.reader.format
  const [begins, ends] = [during.from, during.to].map(field => {
    const value = field === null ? undefined : row.values[field]
    return typeof value === 'string' ? value : null
  })
  const isMoment = begins!.includes('T')
  const dayOf = (value: string) => (isMoment ? dayIn(value, zone) : value)
  const first = dayOf(begins!)
  // What ends at midnight takes nothing of the day that begins then.
  const end =
    ends == null
      ? null
      : isMoment && ends > begins!
        ? dayIn(new Date(Date.parse(ends) - 1).toISOString(), zone)
        : dayOf(ends)
  const last = end !== null && end > first ? end : first
  const entry = entryOf(presenter, rows, row)
  return {
    begins: begins!,
    ends: ends ?? null,
    first,
    last,
    hours:
      isMoment && first === last
        ? { from: minutesOf(begins!, zone), until: untilOf(begins!, ends ?? null, zone) }
        : null,
    on: day => ({ ...entry, time: isMoment && day === first ? timeIn(begins!, zone) : null }),
  }
}

/** The same of what has no day. */
export function entryOf(presenter: Presenter, rows: RowsInTime, row: ReadRow): Omit<Entry, 'time'> {
  const { entity, columns } = rows
  const { state } = row.values
  const shown = columns.filter(field => field in row.values && field !== 'state')
  const href = presenter.href(entity, row)
  // Where nothing leads to it, all that tells it from others.
  const title = href === null ? presenter.title(entity, row) : presenter.called(entity, row)
  return {
    id: row.id,
    title,
    href,
    marks: presenter.marks(entity, row),
    state:
      typeof state === 'string' &&
      presenter.app.workflows.has(entity) &&
      (columns.length === 0 || columns.includes('state'))
        ? presenter.state(entity, state)
        : null,
    facts: shown
      .map(field => presenter.value(entity, row, field).text)
      .filter(text => text !== '' && !title.includes(text)),
    move: moveOf(presenter, rows, row),
  }
}

function moveOf(presenter: Presenter, { entity, during, lane }: RowsInTime, row: ReadRow): Entry['move'] {
  const { from, to } = during
  const changing = presenter.changing(
    entity,
    row,
    [from, to, lane].flatMap(field => field ?? []),
  )
  if (changing === null) return null
  const held = (field: string | null) => {
    const value = field === null ? null : row.values[field]
    if (typeof value !== 'string') return ''
    return value.includes('T') ? localMoment(value, presenter.reader.format.zone) : value
  }
  return { ...changing, version: row.version, begins: held(from), ends: held(to) }
}

function minutesOf(moment: string, zone: string): number {
  const [hours, minutes] = timeIn(moment, zone).split(':').map(Number)
  return hours! * 60 + minutes!
}

/** What has no end takes an hour; what ends at midnight, the rest of its day. */
function untilOf(begins: string, ends: string | null, zone: string): number {
  const from = minutesOf(begins, zone)
  const until = ends === null || ends <= begins ? from + 60 : minutesOf(ends, zone)
  return Math.min(until === 0 || until < from ? 24 * 60 : until, 24 * 60)
}

/** The same page with other days. */
export function hrefOf({ address, path }: Presenter, view: string, day: string): string {
  const query = new URLSearchParams(address.query)
  for (const name of pageNames) query.delete(name)
  query.set('view', view)
  query.set('on', day)
  return `${path}?${query}`
}

/** Writes days, `YYYY-MM-DD`. */
export function dayWords(locale: string, options: Intl.DateTimeFormatOptions): (day: string) => string {
  const written = dayFormat(locale, options, 'UTC')
  return day => written(startOfDay(day))
}
