/** A figure that stands for itself: how much, how much more or less than before, towards what, and how it came to it. */

import { isFixed } from '../../expression/currency.ts'
import {
  compare,
  divide,
  formatDecimal,
  multiply,
  negate,
  parseDecimal,
  round,
  subtract,
  whole,
  ZERO,
} from '../../expression/decimal.ts'
import type { Measure } from '../../headings/2-screens/model.ts'
import type { FiguresCard } from '../../kinds/screens/cards/need.ts'
import { type Days, periodsIn } from '../../kinds/screens/cards/period.ts'
import { daysText } from '../../kinds/screens/cards/texts.ts'
import type { Figured } from '../../kinds/screens/presenter.ts'
import type { FiguresData } from '../../kinds/screens/read-data.ts'
import { spanFilters, together } from '../../kinds/screens/sayable.ts'
import type { KeyFigureView } from '../../ui/key-figures.tsx'
import { say } from '../sentences.ts'
import type { Site } from '../site.ts'
import { aimOf, sizeOf } from './chart.ts'
import type { Building } from './common.ts'
import { measureIsPercent, measureText } from './figures.ts'

export function keyFigure(build: Building, { need, now, before, period, leads }: Figured): KeyFigureView {
  const { site } = build
  const { card } = need
  const [measure] = card.measures
  const { days } = period
  const nothing = measure.whole === null && ['count', 'sum'].includes(measure.figure.kind) ? '0' : null
  const valueAt = (day: string) => now.rows.find(({ keys }) => keys[0]?.value === day)?.values[0] ?? nothing
  const isLine = need.now.by.length > 0 && days !== null
  const value = isLine ? valueAt(days.now.from) : (now.total.values[0] ?? null)
  const text = measureText(site, measure, value)
  const aim = aimOf(build, card)
  return {
    text,
    short: shortText(site, measure, value, text),
    href: text === '' ? null : leads(together(need.span === null ? [] : spanFilters(need.span))),
    change:
      before === null || days?.before == null
        ? null
        : changeOf(site, card, value, before.total.values[0] ?? null, days.before.now),
    aim: aim === null ? null : { text: say(site, 'aimIs', { value: aim.text }), ...aimReached(card, value, aim.size) },
    line: isLine
      ? {
          sizes: periodsIn(
            { from: firstOf(now, days.now.from), to: days.now.to },
            need.now.by[0]!.unit!,
            site.app.product.weekBegins.day,
          ).map(day => sizeOf(valueAt(day))),
          aim: aim?.size ?? null,
        }
      : null,
  }
}

/** Before the first record there was nothing to go up from. */
const firstOf = ({ rows }: FiguresData, otherwise: string): string => {
  const first = rows[0]?.keys[0]?.value
  return typeof first === 'string' && first < otherwise ? first : otherwise
}

function aimReached(
  { kind, ...card }: FiguresCard & { readonly kind: 'number' },
  value: string | null,
  aim: number | null,
) {
  const size = sizeOf(value)
  if (kind !== 'number' || card.better === null || size === null || aim === null) return { reached: null }
  return { reached: card.better === 'higher' ? size >= aim : size <= aim }
}

/** Whole amounts from a thousand on, and thousands from a hundred thousand on: what it is exactly stands behind it. Null: it is short. */
function shortText(
  { reader }: Site,
  { figure: { type }, whole: of }: Measure,
  value: string | null,
  text: string,
): string | null {
  const number = parseDecimal(value ?? '')
  if (number === null) return null
  if (of !== null) {
    const percent = reader.format.percent(formatDecimal(round(number, 2), 2))
    return percent === text ? null : percent
  }
  if (!['money', 'decimal', 'integer'].includes(type.kind)) return null
  const size = Math.abs(Number(value))
  const [format, rounded] = [reader.format, formatDecimal(round(number, 0))]
  const short =
    size < 1000
      ? text
      : size < 100_000
        ? isFixed(type)
          ? format.wholeMoney(rounded, type.currency)
          : format.integer(rounded)
        : isFixed(type)
          ? format.shortMoney(rounded, type.currency)
          : format.shortNumber(rounded)
  return short === text ? null : short
}

/** Against as many days before. */
function changeOf(
  site: Site,
  card: Figured['need']['card'],
  now: string | null,
  before: string | null,
  days: Days,
): KeyFigureView['change'] {
  const [measure] = card.measures
  const [one, other] = [now, before].map(value => parseDecimal(String(sizeOf(value) ?? '')))
  const shownDays = daysText(site.reader, days)
  // From nothing there is no way up; from a share of nothing there is, in points.
  const isNothing = other == null || (compare(other, ZERO) === 0 && !measureIsPercent(measure))
  if (isNothing) return { way: null, text: '', tone: null, against: say(site, 'againstNothing', { days: shownDays }) }
  const against = say(site, 'against', { value: measureText(site, measure, before), days: shownDays })
  if (one == null) return { way: null, text: '', tone: null, against }
  const more = subtract(one, other)
  const way = compare(more, ZERO) > 0 ? 'up' : compare(more, ZERO) < 0 ? 'down' : 'same'
  const size = way === 'down' ? negate(more) : more
  const isGood = card.better === null || way === 'same' ? null : (card.better === 'higher') === (way === 'up')
  return {
    way,
    text: sizeText(site, measure, size, other),
    tone: isGood === null ? null : isGood ? 'good' : 'bad',
    against,
  }
}

/** Of shares in points, else in per cent of what it was. */
function sizeText(site: Site, measure: Measure, size: ReturnType<typeof subtract>, before: typeof size): string {
  if (measureIsPercent(measure)) {
    const points = round(multiply(size, whole(100)), 1)
    return say(site, 'points', { count: Number(formatDecimal(points)) })
  }
  const part = divide(size, compare(before, ZERO) < 0 ? negate(before) : before)!
  return site.reader.format.percent(formatDecimal(round(part, 2), 2))
}
