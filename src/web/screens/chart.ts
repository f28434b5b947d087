/** Figures that were read → what a drawing is given: points along time or by group, series, marks of the scale. */
import { isFixed } from '../../expression/currency.ts'
import { formatDecimal, parseDecimal, subtract } from '../../expression/decimal.ts'
import { evaluate } from '../../expression/evaluate.ts'
import type { Wire } from '../../expression/type.ts'
import type { Measure, Unit } from '../../headings/2-screens/model.ts'
import { type FiguresCard, isPlaced, most } from '../../kinds/screens/cards/need.ts'
import { type Period, periodsIn } from '../../kinds/screens/cards/period.ts'
import { mostPeriods, periodAfter, periods } from '../../kinds/screens/periods.ts'
import type { Charted } from '../../kinds/screens/presenter.ts'
import type { FigureKey, FigureRow, FiguresData } from '../../kinds/screens/read-data.ts'
import { groupFilters, spanFilters, together } from '../../kinds/screens/sayable.ts'
import { environmentOf, relatedNothing } from '../../run/write/environment.ts'
import type { ChartProps, Reading } from '../../ui/chart-parts.tsx'
import { say } from '../sentences.ts'
import type { Building } from './common.ts'
import { decimalsOf, firstOf, groupLabel, keyText, measureLabel, measureText } from './figures.ts'

export function chartView(build: Building, { need, now: data, before, period, leads }: Charted): ChartProps {
  const { site, context } = build
  const { card } = need
  const grouping = need.now.by[0]!
  const { today } = context.request
  const overTime = periods.includes(grouping.unit)
  const parts = seriesOf(build, need, data)
  const sums = data.rows.filter(row => row.across === null)
  const ordered = overTime ? alongTime(build, need, sums, period) : sums
  const isToCome = ({ keys }: FigureRow) => overTime && need.span !== null && String(keys[0]!.value) > today
  const running = overTime
    ? runningPeriod(
        grouping.unit!,
        ordered.filter(row => !isToCome(row)),
        today,
      )
    : null
  const left = overTime && need.span === null ? leftOut(ordered, sums, data) : { count: data.left, highest: null }
  const earlier = before === null ? [] : alongTime(build, need, before.rows, period, true)
  const decimals = decimalsOf(
    card.measures[0],
    [...sums, ...earlier].flatMap(({ values }) => values),
  )
  const reading = (value: string | null, of = 0): Reading => ({
    text: measureText(site, card.measures[of] ?? card.measures[0], value, decimals),
    size: sizeOf(value),
  })
  const groups = ordered.map((row, index) => {
    const key = row.keys[0]!
    const label = keyText(site, grouping, key)
    const isRunning = running !== null && key.value === running
    const compared = earlier[index]
    const filters = groupFilters(grouping, key.value, site.app.product.timeZone.name)
    return {
      label: isRunning ? say(site, 'soFar', { period: label }) : label,
      running: isRunning,
      short: keyText(site, grouping, key, index === 0 ? 'first' : 'next'),
      undated: overTime && typeof key.value !== 'string',
      values: parts.values(row).map((value, of) => reading(isToCome(row) ? null : value, of)),
      total: parts.whole ? reading(isToCome(row) ? null : (row.values[0] ?? null)) : null,
      before:
        compared === undefined
          ? null
          : { ...reading(compared.values[0] ?? null), label: keyText(site, grouping, compared.keys[0]!) },
      // Behind nothing there are no records.
      href: row.values.every(value => Number(sizeOf(value)) === 0)
        ? null
        : leads(together(need.span === null ? [] : spanFilters(need.span), filters)),
    }
  })
  return {
    drawn: card.drawn,
    overTime: overTime || card.drawn === 'line',
    by: groupLabel(site, grouping),
    series: parts.names,
    rest: parts.rest,
    whole: parts.whole ? say(site, 'together') : null,
    groups,
    scale: size =>
      card.drawn === 'share' && parts.whole
        ? site.reader.format.percent(String(Number(size.toPrecision(12))))
        : markText(build, card.measures[0], wireOf(size, card.measures[0])),
    aim: aimOf(build, card),
    before: before === null ? null : say(site, period.against === 'year' ? 'theYearBefore' : 'thePeriodBefore'),
    highest:
      left.highest === null
        ? null
        : {
            label: keyText(site, grouping, left.highest.keys[0]!),
            value: reading(left.highest.values[0] ?? null).text,
          },
    more:
      [
        left.count === 0
          ? null
          : overTime
            ? say(site, 'lastDrawn', {
                count: ordered.length,
                first: keyText(site, grouping, ordered[0]!.keys[0]!),
                left: left.count,
              })
            : firstOf(site, ordered.length, left.count),
        parts.left === 0 ? null : say(site, 'seriesLeft', { count: parts.left }),
      ]
        .filter(text => text !== null)
        .join(' ') || null,
  }
}

/** What is drawn of each group: its measures, or what it is parted by with what is left of others. */
function seriesOf({ site }: Building, { card }: Charted['need'], data: FiguresData) {
  const { measures, across } = card
  const [measure] = measures
  if (across === null)
    return {
      names: measures.map(one => measureLabel(site, one)),
      values: (row: FigureRow) => row.values,
      whole: measures.length > 1 && (card.drawn === 'stacked' || card.drawn === 'share'),
      rest: false,
      left: 0,
    }
  const whole = measure.whole === null && isCounted(measure) && measure.figure.type.kind !== 'duration'
  const all = data.rows.filter(row => row.keys.length === 0 && row.across !== null).map(row => row.across!)
  const left = data.leftAcross
  const rest = whole && left > 0
  const named = rest ? all.slice(0, most.series - 1) : all
  const cells = new Map(data.rows.map(row => [cellKey(row.keys[0] ?? null, row.across), row.values[0] ?? null]))
  return {
    names: [...named.map(key => keyText(site, across, key)), ...(rest ? [say(site, 'others')] : [])],
    values: (row: FigureRow) => {
      const of = named.map(key => cells.get(cellKey(row.keys[0]!, key)) ?? (isCounted(measure) ? '0' : null))
      return rest ? [...of, without(row.values[0] ?? null, of)] : of
    },
    whole,
    rest,
    left: rest ? 0 : left,
  }
}

/** The sum over all series has no key across; the series of what is empty has one. */
const cellKey = (row: FigureKey | null, across: FigureKey | null): string =>
  JSON.stringify([row?.value, across && [across.value]])

/** Counts and sums are the only ones of which others may be taken away. */
const without = (whole: string | null, parts: readonly (string | null)[]): string =>
  formatDecimal(parts.reduce((left, part) => subtract(left, parseDecimal(part ?? '0')!), parseDecimal(whole ?? '0')!))

/** Every period that is drawn, with a number also where nothing is in it. */
function alongTime(
  { site }: Building,
  { card, now, span }: Charted['need'],
  rows: readonly FigureRow[],
  { days }: Period,
  earlier = false,
): readonly FigureRow[] {
  const [measure] = card.measures
  const unit = now.by[0]!.unit!
  const none = (day: string): FigureRow => ({
    keys: [{ value: day, label: null }],
    across: null,
    values: card.measures.map(one => (isCounted(one) ? '0' : null)),
  })
  if (days === null || span === null || !isPlaced(card)) return everyPeriod(unit, rows, isCounted(measure), none)
  const found = new Map(rows.map(row => [keyIn(row), row]))
  const all = earlier ? days.before!.whole : days.whole
  return periodsIn(all, unit, site.app.product.weekBegins.day).map(day => found.get(day) ?? none(day))
}

/** Periods with something in them that are before those drawn; the highest of all, if it is one of these. */
function leftOut(drawn: readonly FigureRow[], rows: readonly FigureRow[], { left, highest }: FiguresData) {
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

/** What is aimed at. Null: nothing, or it is empty. */
export function aimOf({ site, context }: Building, { aim, measures: [measure] }: FiguresCard): Reading | null {
  const value = aim === null ? null : evaluate(aim, environmentOf(context.request, relatedNothing, {}, null))
  return typeof value === 'string' ? { text: measureText(site, measure, value), size: sizeOf(value) } : null
}

/** A mark of a scale: as short as it can be said. */
function markText({ site }: Building, measure: Measure, value: string): string {
  const { type } = measure.figure
  return measure.whole === null && isFixed(type)
    ? site.reader.format.shortMoney(value, type.currency)
    : measureText(site, measure, value)
}

/** Only for drawing: how long a bar is, never what stands beside it. */
export function sizeOf(value: string | null): number | null {
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
export function everyPeriod(
  unit: Unit,
  rows: readonly FigureRow[],
  counted: boolean,
  none: (day: string) => FigureRow,
): readonly FigureRow[] {
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
    all.push(found.get(day) ?? none(day))
  // Of records without a date none may count; then they are no point of the line.
  const isCountedIn = ({ values }: FigureRow) => !counted || Number(sizeOf(values[0] ?? null)) !== 0
  return [...all, ...rows.filter(row => !dated.includes(row) && isCountedIn(row))]
}
