/** Figures in words: what a measure and a group are called, and how their values are written. */

import { dayFormat } from '../../expression/day-format.ts'
import { formatDecimal, parseDecimal, round } from '../../expression/decimal.ts'
import { isPercent } from '../../expression/fit.ts'
import type { Type, Wire } from '../../expression/type.ts'
import { currencyPlaces } from '../../expression/values.ts'
import type { Grouping, Measure, Unit } from '../../headings/2-screens/model.ts'
import { wordFor } from '../../headings/translate.ts'
import { startOfDay } from '../../kinds/fields/dates.ts'
import { unseen } from '../../kinds/fields/reference/unseen.ts'
import type { ChartView } from '../../kinds/screens/cards/view-model.ts'
import { mostPeriods, periodAfter, periods } from '../../kinds/screens/periods.ts'
import type { Leads } from '../../kinds/screens/presenter.ts'
import { groupFilters } from '../../kinds/screens/sayable.ts'
import type { FigureRow, FiguresData, FiguresNeed, ReadRow } from '../../kinds/screens/screen-kind.ts'
import type { LinesView } from '../../kinds/screens/view-model.ts'
import { wordsIn } from '../../run/problems/words.ts'
import { say } from '../sentences.ts'
import { capital, type Face, faceOf, inSentence, type Site } from '../site.ts'
import { type Building, cellAt, marksOf, openHref } from './common.ts'
import { thingsOf } from './things.ts'
import { isNumeric, textOf } from './values.ts'

const faceOfType = (type: Type): Face => ({ key: '', label: '', type, field: null, cell: null })

/** "Loans", "Sum of fee", or the name that the document gives it. */
export function measureLabel(site: Site, { name, figure, whole }: Measure): string {
  if (name !== null) return wordFor(site.app, name)
  const { kind, entity, of } = figure
  const what = of === null ? thingsOf(site, entity) : inSentence(site, pathLabel(site, of))
  const label = kind === 'count' ? capital(what) : say(site, `measure.${kind}`, { what })
  return whole === null ? label : say(site, 'measure.share', { what: inSentence(site, label) })
}

export function groupLabel(site: Site, { unit, value }: Grouping): string {
  const what = pathLabel(site, value)
  return unit === null ? what : say(site, `by.${unit}`, { what: inSentence(site, what) })
}

/** A path is called as its last field; anything else as it is written. */
function pathLabel(site: Site, { root, cell }: Grouping['value']): string {
  const step = root.op === 'field' ? root.path.steps.at(-1) : undefined
  return (step === undefined ? null : faceOf(site.app, step.entity, step.field)?.label) ?? cell.text
}

/** A number as people read it, with `decimals` digits after the point if it has fewer; empty where there is none. */
export function measureText(site: Site, { figure, whole }: Measure, value: string | null, decimals = 0): string {
  if (value === null) return ''
  const written = padded(readableOf(figure.type, value), decimals)
  return whole === null
    ? textOf(site, figure.entity, faceOfType(figure.type), written)
    : site.reader.format.percent(written)
}

const decimalsIn = (text: string): number => /\.(\d+)$/.exec(text)?.[1]?.length ?? 0

const padded = (text: string, decimals: number): string =>
  decimalsIn(text) >= decimals
    ? text
    : `${text}${text.includes('.') ? '' : '.'}${'0'.repeat(decimals - decimalsIn(text))}`

/** A column of numbers as a file has them: all with as many digits after the point, amounts with those of their currency. */
export function writtenAlike(
  { figure: { type }, whole }: Measure,
  values: readonly (string | null)[],
): readonly (string | null)[] {
  const places = whole === null && type.kind === 'money' ? currencyPlaces(type.currency) : 0
  const decimals = Math.max(places, ...values.map(value => (value === null ? 0 : decimalsIn(value))))
  return values.map(value => (value === null || parseDecimal(value) === null ? value : padded(value, decimals)))
}

/** Digits after the point of the one that is read with most: in a column the points stand below each other. */
export const decimalsOf = ({ figure }: Measure, values: readonly (string | null)[]): number =>
  Math.max(0, ...values.map(value => (value === null ? 0 : decimalsIn(readableOf(figure.type, value)))))

/** More than four decimals (of a percentage two) come from dividing: people read two of them, the export has all. */
export function readableOf(type: Type, value: string): string {
  const exact = type.kind === 'decimal' && /\.\d{5}/.test(value) ? parseDecimal(value) : null
  return exact === null ? value : formatDecimal(round(exact, isPercent(type) ? 4 : 2))
}

export const measureIsPercent = ({ figure, whole }: Measure): boolean => whole !== null || isPercent(figure.type)

export const measureIsNumeric = ({ figure, whole }: Measure): boolean => whole !== null || isNumeric(figure.type)

/** The value of a group as people read it: "March 2026", "Camera", "none". */
export function keyText(site: Site, { unit, value }: Grouping, key: FigureRow['keys'][number], short?: Short): string {
  if (key.value === null) return say(site, 'noGroup')
  if (unit !== null) return unitText(site, unit, String(key.value), short)
  if (value.type.kind === 'reference')
    return key.label ?? (key.value === unseen ? wordsIn(site.reader.locale).unseen : '–')
  return textOf(site, '', faceOfType(value.type), key.value)
}

/** On an axis. Of the months that follow each other, the first one and each January name the year: `Sept 26` would be a day. */
type Short = 'first' | 'next'

function unitText(site: Site, unit: Unit, text: string, short?: Short): string {
  const { locale } = site.reader
  const written = (options: Intl.DateTimeFormatOptions, day = text) =>
    dayFormat(locale, options, 'UTC')(startOfDay(day))
  switch (unit) {
    case 'year':
      return text.slice(0, 4)
    case 'quarter':
      return say(site, 'quarter', {
        number: String(Math.floor((Number(text.slice(5, 7)) + 2) / 3)),
        year: text.slice(0, 4),
      })
    case 'month':
      return written({
        month: short === undefined ? 'long' : 'short',
        ...(short === 'next' && !text.startsWith('01', 5) ? {} : { year: 'numeric' }),
      })
    case 'week':
      return short !== undefined
        ? written({ day: 'numeric', month: 'short' })
        : say(site, 'weekFrom', { day: site.reader.format.date(text) })
    case 'day':
      return short !== undefined ? written({ day: 'numeric', month: 'short' }) : site.reader.format.date(text)
    case 'weekday':
      // The fifth of January 2026 was a Monday.
      return written(
        { weekday: short === undefined ? 'long' : 'short' },
        `2026-01-${String(4 + Number(text)).padStart(2, '0')}`,
      )
    case 'hour':
      return `${text.padStart(2, '0')}:00`
  }
}

export function chartView(
  { site, context }: Building,
  { by, measures }: FiguresNeed,
  data: FiguresData,
  drawn: ChartView['drawn'],
  leads: Leads,
): ChartView {
  const [grouping, measure] = [by[0]!, measures[0]!]
  const overTime = periods.includes(grouping.unit)
  const decimals = decimalsOf(
    measure,
    data.rows.map(({ values }) => values[0] ?? null),
  )
  const rows = overTime ? everyPeriod(grouping.unit!, data.rows, isCounted(measure)) : data.rows
  const running = overTime ? runningPeriod(grouping.unit!, rows, context.request.today) : null
  const textIn = ({ values }: FigureRow) => measureText(site, measure, values[0] ?? null, decimals)
  const left = overTime ? leftOut(rows, data) : { count: data.left, highest: null }
  const points = rows.map(({ keys, values }, index) => {
    const label = keyText(site, grouping, keys[0]!)
    const isRunning = running !== null && keys[0]!.value === running
    return {
      label: isRunning ? say(site, 'soFar', { period: label }) : label,
      running: isRunning,
      short: keyText(site, grouping, keys[0]!, index === 0 ? 'first' : 'next'),
      text: textIn({ keys, values }),
      size: sizeOf(values[0] ?? null),
      undated: overTime && typeof keys[0]!.value !== 'string',
      // Behind nothing there are no records.
      href:
        Number(sizeOf(values[0] ?? null)) === 0
          ? null
          : leads(groupFilters(grouping, keys[0]!.value, site.app.product.timeZone.name)),
    }
  })
  return {
    drawn,
    overTime: overTime || drawn === 'line',
    by: groupLabel(site, grouping),
    measure: measureLabel(site, measure),
    points,
    scale: size => markText(site, measure, wireOf(size, measure)),
    highest:
      left.highest === null
        ? null
        : { label: keyText(site, grouping, left.highest.keys[0]!), value: textIn(left.highest) },
    more:
      left.count === 0
        ? null
        : overTime
          ? say(site, 'lastDrawn', {
              count: rows.length,
              first: keyText(site, grouping, rows[0]!.keys[0]!),
              left: left.count,
            })
          : firstOf(site, rows.length, left.count),
  }
}

/** "The first 60 are shown. 12 more are left out." */
export const firstOf = (site: Site, count: number, left: number): string =>
  `${say(site, 'firstShown', { count })} ${say(site, 'leftOut', { count: left })}`

/** Periods with something in them that are before those drawn; the highest of all, if it is one of these. */
function leftOut(drawn: readonly FigureRow[], { rows, left, highest }: FiguresData) {
  const shown = new Set(drawn.map(keyIn))
  const before = rows.filter(row => typeof keyIn(row) === 'string' && !shown.has(keyIn(row)))
  const sizeIn = ({ values }: FigureRow) => sizeOf(values[0] ?? null) ?? Number.NEGATIVE_INFINITY
  const higher = [...before, ...(highest === null ? [] : [highest])].reduce<FigureRow | null>(
    (best, row) => (best === null || sizeIn(row) > sizeIn(best) ? row : best),
    null,
  )
  const isHighest = higher !== null && drawn.every(row => sizeIn(higher) > sizeIn(row))
  return { count: left + before.length, highest: isHighest ? higher : null }
}

const keyIn = ({ keys }: FigureRow): Wire => keys[0]!.value

const isCounted = ({ figure, whole }: Measure): boolean =>
  whole === null && (figure.kind === 'count' || figure.kind === 'sum')

/** A mark of a scale: as short as it can be said. */
function markText(site: Site, measure: Measure, value: string): string {
  const { type } = measure.figure
  return measure.whole === null && type.kind === 'money'
    ? site.reader.format.shortMoney(value, type.currency)
    : measureText(site, measure, value)
}

/** Only for drawing: how long a bar is, never what stands beside it. */
function sizeOf(value: string | null): number | null {
  const size = Number(value?.replace(/^(-?)PT(.*)S$/, '$1$2') ?? 'none')
  return Number.isFinite(size) ? size : null
}

function wireOf(size: number, { figure, whole }: Measure): string {
  const text = String(Number(size.toPrecision(12)))
  return whole === null && figure.type.kind === 'duration' ? `PT${text}S` : text
}

/** The last period, where it is not over yet: its number is not to be compared with the others. */
export function runningPeriod(unit: Unit, rows: readonly FigureRow[], today: string): string | null {
  const last = rows.findLast(({ keys }) => typeof keys[0]!.value === 'string')?.keys[0]?.value
  if (typeof last !== 'string' || unit === 'day' || last > today) return null
  const next = periodAfter(unit, last)
  return next !== null && next > today ? last : null
}

/** The newest periods, each with a number, also where nothing is in it. */
export function everyPeriod(unit: Unit, rows: readonly FigureRow[], counted: boolean): readonly FigureRow[] {
  const dated = rows.filter(({ keys }) => typeof keys[0]!.value === 'string')
  const [first, last] = [dated[0], dated.at(-1)].map(row => row?.keys[0]?.value)
  if (typeof first !== 'string' || typeof last !== 'string') return rows
  const found = new Map(dated.map(row => [row.keys[0]!.value, row]))
  const all: FigureRow[] = []
  const oldest = periodAfter(unit, last, 1 - mostPeriods)
  for (
    let day: string | null = [first, oldest ?? first].sort()[1]!;
    day !== null && day <= last;
    day = periodAfter(unit, day)
  )
    all.push(found.get(day) ?? { keys: [{ value: day, label: null }], values: [counted ? '0' : null] })
  // Of records without a date none may count; then they are no point of the line.
  const isCountedIn = ({ values }: FigureRow) => !counted || Number(sizeOf(values[0] ?? null)) !== 0
  return [...all, ...rows.filter(row => !dated.includes(row) && isCountedIn(row))]
}

/** Records in a plain table. `columns`: those that were read and are to be shown. */
export function linesView(
  build: Building,
  entity: string,
  columns: readonly string[],
  rows: readonly ReadRow[],
  empty: string,
): LinesView {
  const { site } = build
  const shown = columns.flatMap(field => {
    const face = faceOf(site.app, entity, field)
    return face === null ? [] : [{ field, label: face.label, numeric: isNumeric(face.type) }]
  })
  return {
    columns: shown,
    rows: rows.map(row => ({
      id: row.id,
      href: openHref(build, entity, row),
      marks: marksOf(site, entity, row),
      cells: shown.map(({ field }) => cellAt(site, entity, row, field)),
    })),
    empty,
  }
}

export const keyAsText = (value: Wire): string => (value === null ? '' : String(value))
