/** A timeline: rows that were read → lanes with bars. Its place is its address, so every way on is a link. */

import { mondayToFriday } from '../../../expression/calendar.ts'
import { dayNumber } from '../../../expression/dates.ts'
import type { Screen } from '../../../headings/2-screens/model.ts'
import { beforeReference } from '../../../headings/3-entities/titles.ts'
import { wordFor } from '../../../headings/translate.ts'
import { dayIn, startOfDay, timeIn } from '../../fields/dates.ts'
import type { Entry } from '../days/entry.tsx'
import { isFreeDay } from '../days/free.ts'
import { turned, type Zoom } from '../days/period.ts'
import { dayWords, entryOf, hrefOf, type Placed, placedOf } from '../days/placed.ts'
import { sentences as common } from '../days/texts.ts'
import { weekOf } from '../periods.ts'
import type { Lookup, Presenter } from '../presenter.ts'
import type { ReadRow, RowsData } from '../read-data.ts'
import type { LinkView } from '../view-model.ts'
import { type Axis, axisOf, loadOf, minutesIn, overlap, placeOn, runsOf, type Span } from './axis.ts'
import { type TimelineNeed, timelinePart } from './screen.ts'
import { sentences } from './texts.ts'
import type { Bar, Lane, LaneGroup, Load, Scale, TimelineView } from './view-model.ts'

interface TimelineOptions {
  readonly screen: Screen
  readonly need: TimelineNeed
  readonly data: RowsData
  /** Records that lanes are for; null: their values are known, or nobody may see them. */
  readonly records: RowsData | null
  readonly tray: RowsData | null
  readonly lookup: Lookup
}

interface Made extends TimelineOptions {
  readonly presenter: Presenter
  readonly axis: Axis
  readonly isMoment: boolean
}

export function timelineView(presenter: Presenter, options: TimelineOptions): TimelineView {
  const { screen, need, data, tray, lookup } = options
  const { reader, address } = presenter
  const { locale, format } = reader
  const [said, ofDays] = [sentences.in(locale), common.in(locale)]
  const { view, on, first, last, rows } = need
  const isMoment = rows.during.start.includes('T')
  const axis = axisOf(view, first, last, isMoment ? format.zone : null)
  const made: Made = { ...options, presenter, axis, isMoment }
  const href = (to: Zoom, day: string) => hrefOf(presenter, to, day)
  const create = presenter.create(rows.entity, data.create)
  const bar = lookup.bar(rows.columns, { looks: ['view', 'on'] })
  const { groups, isCut } = lanesOf(made, bar.clear !== null)
  const lanes = groups.flatMap(group => group.lanes)
  const twice = lanes.filter(({ bars }) => bars.some(({ besides }) => besides !== null))
  const today = axis.days.flatMap((day, at) => (day === address.today ? [at] : []))
  const dayName = formats(locale)
  return {
    ...presenter.frame(screen, rows.entity),
    period:
      view === 'month'
        ? dayName.month(on)
        : view === 'day'
          ? dayName.full(on)
          : ofDays('period', { first: format.date(first), last: format.date(last) }),
    views: need.zooms.map(name => ({ label: ofDays(name), href: href(name, on), current: name === view })),
    previous: href(view, turned(view, on, -1)),
    next: href(view, turned(view, on, 1)),
    today: href(view, address.today),
    set: { from: rows.during.from, to: rows.during.to, isMoment, by: need.by },
    bar,
    ignored: lookup.ignored,
    create,
    summary: said('summary', { entries: data.rows.length, lanes: lanes.length }),
    overlaps:
      twice.length === 0
        ? null
        : {
            label: said('overlaps', { count: twice.length }),
            lanes: twice.slice(0, 3).map(({ id, label }) => ({ label, href: `#${id}` })),
          },
    of: labelOf(made),
    first,
    units: axis.units.length,
    minutes: isMoment ? minutesIn[view] : minutesIn.quarter,
    scale: scaleOf(made),
    above: view === 'quarter' ? monthsOf(made) : [],
    now: today.length === 0 ? null : { start: today[0]!, length: today.length },
    groups,
    tray:
      tray === null || tray.rows.length === 0
        ? null
        : {
            title: said('tray'),
            entries: tray.rows.map(row => ({ ...entryOf(presenter, rows, row), time: null })),
            more: tray.next === null ? null : presenter.firstShown(tray.rows.length),
          },
    cut: data.next !== null ? said('cut', { count: data.rows.length }) : isCut ? said('lanesCut') : null,
    empty: data.rows.length > 0 ? null : (timelinePart(screen).emptyText?.text ?? ofDays('nothing')),
  }
}

function formats(locale: string) {
  const format = (options: Intl.DateTimeFormatOptions) => dayWords(locale, options)
  return {
    month: format({ month: 'long', year: 'numeric' }),
    full: format({ dateStyle: 'full' }),
    short: format({ weekday: 'short', day: 'numeric', month: 'short' }),
    weekday: format({ weekday: 'short', day: 'numeric' }),
    number: format({ day: 'numeric' }),
  }
}

const fieldOf = ({ presenter, need }: Made) =>
  presenter.app.entities.get(need.rows.entity)!.fields.find(({ key }) => key === need.by)

const labelOf = (made: Made): string => fieldOf(made)?.label ?? sentences.in(made.presenter.reader.locale)('state')

/** Monday is 0. */
const weekdayOf = (day: string): number => (new Date(startOfDay(day)).getUTCDay() + 6) % 7

function scaleOf(made: Made): readonly Scale[] {
  const { presenter, need, axis, isMoment } = made
  const { reader, address, app } = presenter
  const name = formats(reader.locale)
  const { view } = need
  if (view === 'day')
    return runsOf(axis.units.length, at => Math.floor(at / 2)).map(({ start, length }) => ({
      label: timeIn(axis.units[start]!, reader.format.zone),
      long: null,
      href: null,
      start,
      length,
      isToday: false,
      isFree: false,
    }))
  if (view === 'quarter') {
    const weekAt = (at: number) => weekOf(dayNumber(axis.days[at]!)!, app.product.weekBegins.day)
    return runsOf(axis.units.length, weekAt).map(({ start, length }) => {
      const day = axis.days[start]!
      return {
        label: name.number(day),
        long: name.full(day),
        href: hrefOf(presenter, 'week', day),
        start,
        length,
        isToday: false,
        isFree: false,
      }
    })
  }
  const closer: Zoom = view === 'month' || !isMoment ? 'week' : 'day'
  return runsOf(axis.units.length, at => axis.days[at]!).map(({ key: day, start, length }) => ({
    label: view === 'week' ? name.weekday(day) : name.number(day),
    long: view === 'week' ? `${name.weekday(day)} ${name.month(day)}` : name.full(day),
    href: hrefOf(presenter, closer, day),
    start,
    length,
    isToday: day === address.today,
    isFree: isFreeDay(presenter, day),
  }))
}

function monthsOf({ presenter, axis }: Made): readonly Scale[] {
  const { month } = formats(presenter.reader.locale)
  return runsOf(axis.units.length, at => axis.days[at]!.slice(0, 7)).map(({ start, length }) => ({
    label: month(axis.days[start]!),
    long: null,
    href: hrefOf(presenter, 'month', axis.days[start]!),
    start,
    length,
    isToday: false,
    isFree: false,
  }))
}

/** What a lane is for. */
interface Of {
  /** What its records have in the field; null: nothing, or what this person may not see. */
  readonly value: string | null
  readonly label: string
  readonly href: string | null
  /** What it has in the field of the groups; absent: it is in none. */
  readonly group?: string
}

interface Laned {
  readonly lane: Lane
  readonly group: string | null
  /** When it is taken; null: nothing can be said of that. */
  readonly spans: readonly Span[] | null
}

/** `isLooked`: only some records are looked for, and a lane without any says nothing. */
function lanesOf(made: Made, isLooked: boolean): { readonly groups: readonly LaneGroup[]; readonly isCut: boolean } {
  const { presenter, need, data, records } = made
  const said = sentences.in(presenter.reader.locale)
  const byLane = Map.groupBy(data.rows, row => keyOf(need.by, row))
  const isCut = records !== null && records.next !== null
  const known = isCut ? [] : knownLanes(made)
  const more = [...byLane]
    .filter(([key]) => key !== nothing && key !== closed && !known.some(({ value }) => value === key))
    .map(([value, [row]]): Of => ({ value, label: presenter.value(need.rows.entity, row!, need.by).text, href: null }))
    .sort((a, b) => a.label.localeCompare(b.label, presenter.reader.locale))
  const others = [
    { key: nothing, label: said('without', { field: labelOf(made) }) },
    { key: closed, label: said('closed') },
  ]
  const lanes = [
    ...[...known, ...more]
      .filter(({ value }) => !isLooked || byLane.has(value!))
      .map((of, at) => laneOf(made, of, byLane.get(of.value!) ?? [], `lane-${at + 1}`)),
    ...others.flatMap(({ key, label }) => {
      const rows = byLane.get(key)
      return rows === undefined ? [] : [laneOf(made, { value: null, label, href: null }, rows, `lane-${key}`)]
    }),
  ]
  return { groups: groupsOf(made, lanes), isCut }
}

/** In the order of the lanes; where none is in a group, all together. */
function groupsOf(made: Made, all: readonly Laned[]): readonly LaneGroup[] {
  if (all.every(({ group }) => group === null)) return [{ label: null, load: null, lanes: all.map(({ lane }) => lane) }]
  const { locale } = made.presenter.reader
  return [...Map.groupBy(all, ({ group }) => group)].map(([group, within]) => {
    const spans = within.flatMap(one => (one.spans === null ? [] : [one.spans]))
    return {
      label: group ?? sentences.in(locale)('other'),
      load: loadView(made, spans),
      lanes: within.map(({ lane }) => lane),
    }
  })
}

const nothing = 'none'
const closed = 'closed'

/** Of a record that this person may not see they are not told the name. */
function keyOf(by: string, { values, labels }: ReadRow): string {
  if (!(by in values)) return closed
  const value = values[by]
  if (typeof value !== 'string') return nothing
  return value.length === 36 && labels[by] === undefined ? closed : value
}

function knownLanes({ presenter, need, records }: Made): readonly Of[] {
  const { lanes, rows, by } = need
  if ('values' in lanes)
    return lanes.values.map(value => ({
      value,
      label: by === 'state' ? presenter.state(rows.entity, value).label : wordFor(presenter.app, value),
      href: null,
    }))
  const { entity } = lanes.records
  return (records?.rows ?? []).map(row => ({
    value: row.id,
    ...calledIn(presenter.title(entity, row), groupOf(presenter, need, entity, row)),
    href: presenter.href(entity, row),
  }))
}

/** Null: it is in none, or this person may not know in which. */
function groupOf(presenter: Presenter, { groups }: TimelineNeed, entity: string, row: ReadRow): string | null {
  if (groups === null || row.values[groups] == null) return null
  const { text, state } = presenter.value(entity, row, groups)
  return state?.label ?? text
}

/** What the group says already, its lanes need not. */
const calledIn = (title: string, group: string | null): Pick<Of, 'label' | 'group'> =>
  group === null ? { label: title } : { label: within(title, group), group }

function within(title: string, of: string): string {
  const before = `${of}${beforeReference}`
  return title.startsWith(before) ? title.slice(before.length) : title
}

function laneOf(made: Made, of: Of, rows: readonly ReadRow[], id: string): Laned {
  const { presenter, need, data } = made
  // Only one thing at a time can be in a room, and nothing forbids two in one state.
  const isTaken = 'records' in need.lanes && of.value !== null
  const placed = rows.map(row => named(made, of, row))
  const create = of.value === null ? null : presenter.create(need.rows.entity, data.create)
  const lane = {
    id,
    value: of.value,
    label: of.label,
    href: of.href,
    load: isTaken ? loadView(made, [placed]) : null,
    bars: placed.map(one => barOf(made, one, isTaken ? placed : [])),
    create: create && newIn(made, create, of),
  }
  return { lane, group: of.group ?? null, spans: isTaken ? placed : null }
}

function newIn({ presenter, need, axis, isMoment }: Made, create: LinkView, { value, label }: Of): LinkView {
  const { from, to } = need.rows.during
  const day = axis.days.includes(presenter.address.today) ? presenter.address.today : need.first
  const begins = isMoment ? `${day} 09:00` : day
  const given = [[need.by, value!], [from, begins], ...(to === null ? [] : [[to, begins]])] as [string, string][]
  return {
    label: `${create.label}, ${label}`,
    href: `${create.href}?${new URLSearchParams(given)}`,
  }
}

function barOf({ presenter, axis, isMoment }: Made, one: Named, lane: readonly Named[]): Bar {
  const { locale, format } = presenter.reader
  const { short } = formats(locale)
  const at = (value: string) =>
    isMoment ? `${short(dayIn(value, format.zone))} ${timeIn(value, format.zone)}` : short(value)
  const [from, until] = [at(one.begins), one.ends === null ? null : at(one.ends)]
  const others = lane.filter(other => other !== one && overlap(other, one)).map(({ entry }) => entry.title)
  return {
    ...one.entry,
    time: null,
    ...placeOn(axis, one),
    when: until === null || until === from ? from : common.in(locale)('period', { first: from, last: until }),
    besides: others.length === 0 ? null : sentences.in(locale)('besides', { others: format.allOf(others.slice(0, 3)) }),
  }
}

/** What the lane or its group says already, its bars need not: then they are called by the first fact, or by what names them in full. */
function named({ presenter, need }: Made, { label, group }: Of, row: ReadRow): Named {
  const placed = placedOf(presenter, need.rows, row)
  const entry = placed.on(placed.first)
  if (entry.title !== label && entry.title !== group) return { ...placed, entry }
  const [first, ...facts] = entry.facts
  if (first !== undefined) return { ...placed, entry: { ...entry, title: first, facts } }
  const full = presenter.title(need.rows.entity, row)
  return { ...placed, entry: { ...entry, title: within(full, entry.title) } }
}

type Named = Placed & { readonly entry: Entry }

/** Of one lane, or several together. */
function loadView(made: Made, lanes: readonly (readonly Span[])[]): Load | null {
  const { format, locale } = made.presenter.reader
  const taken = loadOf(openOf(made), lanes.flat())
  if (taken === null || lanes.length === 0) return null
  const percent = Math.round(taken / lanes.length)
  const short = format.percent((percent / 100).toFixed(2))
  return {
    percent: Math.min(percent, 100),
    short,
    text: sentences.in(locale)('load', { percent: short }),
    tone: percent > 100 ? 'bad' : percent > 85 ? 'wait' : 'accent',
  }
}

/** Hours in which there is work, whole working days where no hours are declared. */
function openOf(made: Made): readonly Required<Span>[] {
  const { presenter, axis, isMoment } = made
  const { hours } = presenter.app.workingTime ?? mondayToFriday
  return runsOf(axis.units.length, at => axis.days[at]!)
    .filter(({ key }) => !isFreeDay(presenter, key))
    .map(({ key: day, start }) => {
      if (!isMoment) return { begins: day, ends: day }
      const { from, to } = hours?.[weekdayOf(day)] ?? { from: 0, to: 24 * 60 }
      const midnight = Date.parse(axis.units[start]!)
      const at = (minutes: number) => new Date(midnight + minutes * 60_000).toISOString()
      return { begins: at(from), ends: at(to) }
    })
}
