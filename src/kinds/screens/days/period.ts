/** The days that a page of records in time is about: its address names one of them, and how much around it is shown. */
import { addMonths, dateOf, dayNumber, partsOf } from '../../../expression/dates.ts'
import type { Type } from '../../../expression/type.ts'
import { beginningOf } from '../../fields/dates.ts'
import { weekOf } from '../periods.ts'
import type { Address, During, RowsNeed } from '../screen-kind.ts'

/** `lane`: the field that says in which lane they lie; absent: there are none. */
export type RowsInTime = RowsNeed & { readonly during: During; readonly lane?: string }

export type Zoom = 'day' | 'week' | 'month' | 'quarter'

/** `view` and `on`, `usual` and today where they say nothing; `rest`: what else the address says. */
export function readPeriod<Z extends Zoom>(
  { query, today }: Pick<Address, 'query' | 'today'>,
  zooms: readonly Z[],
  usual: NoInfer<Z>,
): { readonly view: Z; readonly on: number; readonly rest: URLSearchParams } {
  const rest = new URLSearchParams(query)
  const view = zooms.find(name => name === query.get('view'))
  const on = inYears(dayNumber(query.get('on') ?? ''))
  if (view !== undefined) rest.delete('view')
  if (on !== null) rest.delete('on')
  return { view: view ?? usual, on: on ?? dayNumber(today)!, rest }
}

/** Far enough from the first and the last day there is that every page has a page before and after it. */
const inYears = (day: number | null): number | null =>
  day !== null && day >= dayNumber('0002-01-01')! && day <= dayNumber('9998-12-31')! ? day : null

/** First and last day. */
export interface Days {
  readonly first: number
  readonly last: number
}

export function daysAround(view: Zoom, on: number, weekBegins: number): Days {
  if (view === 'day') return { first: on, last: on }
  if (view === 'week') return { first: weekOf(on, weekBegins), last: weekOf(on, weekBegins) + 6 }
  const first = firstOf(view, on)
  return { first, last: addMonths(first, monthsIn(view))! - 1 }
}

/** The day that the page before (-1) or after (1) is about. */
export function turned(view: Zoom, on: string, by: 1 | -1): string {
  const day = dayNumber(on)!
  if (view === 'day' || view === 'week') return dateOf(day + by * (view === 'week' ? 7 : 1))!
  return dateOf(addMonths(firstOf(view, day), by * monthsIn(view))!)!
}

const monthsIn = (view: 'month' | 'quarter'): number => (view === 'month' ? 1 : 3)

/** Of a month or a quarter. */
function firstOf(view: 'month' | 'quarter', day: number): number {
  const [, month, dayOfMonth] = partsOf(day)
  return addMonths(day - dayOfMonth + 1, -((month - 1) % monthsIn(view)))!
}

export function duringOf(type: Type, from: string, to: string | null, { first, last }: Days, zone: string): During {
  const value = (day: number) => (type.kind === 'moment' ? beginningOf(dateOf(day)!, zone) : dateOf(day)!)
  return { from, to, start: value(first), end: value(last + 1) }
}
