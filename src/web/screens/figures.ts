/** Figures in words: what a measure and a group are called, and how their values are written. */

import { isFixed, placesIn } from '../../expression/currency.ts'
import { dayFormat } from '../../expression/day-format.ts'
import { formatDecimal, parseDecimal, round } from '../../expression/decimal.ts'
import { isPercent } from '../../expression/fit.ts'
import type { Type } from '../../expression/type.ts'
import type { Grouping, Measure, Unit } from '../../headings/2-screens/model.ts'
import { wordFor } from '../../headings/translate.ts'
import { startOfDay } from '../../kinds/fields/dates.ts'
import { unseen } from '../../kinds/fields/reference/unseen.ts'
import type { FigureKey, ReadRow } from '../../kinds/screens/read-data.ts'
import type { LinesView, LinkView } from '../../kinds/screens/view-model.ts'
import { policyFor } from '../../run/access/policy.ts'
import { wordsIn } from '../../run/problems/words.ts'
import type { RequestContext } from '../request-context.ts'
import { say } from '../sentences.ts'
import { exportName, sheetFormats } from '../sheets.ts'
import { capital, type FieldInfo, fieldInfo, inSentence, type Site } from '../site.ts'
import { type Building, cellAt, marksOf, openHref } from './common.ts'
import { thingsOf } from './things.ts'
import { isNumeric, textOf } from './values.ts'

const infoOfType = (type: Type): FieldInfo => ({ key: '', label: '', type, field: null, cell: null })

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
  return (step === undefined ? null : fieldInfo(site.app, step.entity, step.field)?.label) ?? cell.text
}

/** A number as people read it, with `decimals` digits after the point if it has fewer; empty where there is none. */
export function measureText(site: Site, { figure, whole }: Measure, value: string | null, decimals = 0): string {
  if (value === null) return ''
  const written = padded(readableOf(figure.type, value), decimals)
  return whole === null
    ? textOf(site, figure.entity, infoOfType(figure.type), written)
    : site.reader.format.percent(written)
}

const decimalsIn = (text: string): number => /\.(\d+)$/.exec(text)?.[1]?.length ?? 0

const padded = (text: string, decimals: number): string =>
  decimalsIn(text) >= decimals
    ? text
    : `${text}${text.includes('.') ? '' : '.'}${'0'.repeat(decimals - decimalsIn(text))}`

/** A column of numbers as a file has them: all with as many digits after the point, amounts with those of their currency. */
function writtenAlike(
  { figure: { type }, whole }: Measure,
  values: readonly (string | null)[],
): readonly (string | null)[] {
  const places = whole === null && isFixed(type) ? placesIn(type) : 0
  const decimals = Math.max(places, ...values.map(value => (value === null ? 0 : decimalsIn(value))))
  return values.map(value => (value === null || parseDecimal(value) === null ? value : padded(value, decimals)))
}

/** The same as cells; `typed`: with cells of numbers. */
export const measureCells = (measure: Measure, values: readonly (string | null)[], typed: boolean) =>
  typed ? values.map(typedCell) : writtenAlike(measure, values)

/** Excel keeps 15 digits. */
const typedCell = (value: string | null): string | number | null =>
  value !== null && parseDecimal(value) !== null && value.length < 16 ? Number(value) : value

/** The value of a group as a cell: days as they begin, everything else as people read it. */
export function keyCell(site: Site, by: Grouping, key: FigureKey, typed: boolean): string | number | null {
  if (key.value === null) return ''
  if (by.unit === null) return keyText(site, by, key)
  const text = String(key.value)
  const year = text.slice(0, 4)
  return by.unit === 'year' ? (typed ? typedCell(year) : year) : text
}

/** Digits after the point of the one that is read with most: in a column the points stand below each other. */
export const decimalsOf = ({ figure }: Measure, values: readonly (string | null)[]): number =>
  Math.max(0, ...values.map(value => (value === null ? 0 : decimalsIn(readableOf(figure.type, value)))))

/** A column of numbers with all their digits, as many after the point in each. */
export function exactTexts(site: Site, measure: Measure, values: readonly (string | null)[]): readonly string[] {
  const decimals = decimalsOf(measure, values)
  return values.map(value => measureText(site, measure, value, decimals))
}

/** A column of a table of many: whole amounts where there are thousands of them, and whole per cents; its file has all digits. */
export function columnTexts(site: Site, measure: Measure, values: readonly (string | null)[]): readonly string[] {
  const { type } = measure.figure
  const numbers = values.map(value => parseDecimal(value ?? ''))
  const isLarge = values.some(value => value !== null && Math.abs(Number(value)) >= 1000)
  const places = measure.whole !== null ? 2 : isFixed(type) && isLarge ? 0 : null
  if (places === null) return exactTexts(site, measure, values)
  return numbers.map(number => {
    if (number === null) return ''
    const written = formatDecimal(round(number, places), places)
    return isFixed(type) && measure.whole === null
      ? site.reader.format.wholeMoney(written, type.currency)
      : site.reader.format.percent(written)
  })
}

/** More than four decimals (of a percentage two) come from dividing: people read two of them, the export has all. */
export function readableOf(type: Type, value: string): string {
  const exact = type.kind === 'decimal' && /\.\d{5}/.test(value) ? parseDecimal(value) : null
  return exact === null ? value : formatDecimal(round(exact, isPercent(type) ? 4 : 2))
}

export const measureIsPercent = ({ figure, whole }: Measure): boolean => whole !== null || isPercent(figure.type)

export const measureIsNumeric = ({ figure, whole }: Measure): boolean => whole !== null || isNumeric(figure.type)

/** The value of a group as people read it: "March 2026", "Camera", "none". */
export function keyText(site: Site, { unit, value }: Grouping, key: FigureKey, short?: Short): string {
  if (key.value === null) return say(site, 'noGroup')
  if (unit !== null) return unitText(site, unit, String(key.value), short)
  if (value.type.kind === 'reference')
    return key.label ?? (key.value === unseen ? wordsIn(site.reader.locale).unseen : '–')
  return textOf(site, '', infoOfType(value.type), key.value)
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

/** "The first 60 are shown. 12 more are left out." */
export const firstOf = (site: Site, count: number, left: number): string =>
  `${say(site, 'firstShown', { count })} ${say(site, 'leftOut', { count: left })}`

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
    const info = fieldInfo(site.app, entity, field)
    return info === null ? [] : [{ field, label: info.label, numeric: isNumeric(info.type) }]
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

/** Whose records one may not all take along, one takes no figures of along either. */
export const mayExport = ({ site, request }: RequestContext, entity: string): boolean =>
  policyFor(site.app, request.actor).all(entity, 'export')

/** Figures of a page as files, by its address. */
export const figureFiles = (site: Site, path: string, query: URLSearchParams): readonly LinkView[] =>
  [...sheetFormats.values()].map(({ name }) => ({
    label: say(site, name === 'csv' ? 'reportCsv' : 'reportExcel'),
    href: `${path}?${new URLSearchParams([...query].filter(([key]) => key !== exportName).concat([[exportName, name]]))}`,
  }))
