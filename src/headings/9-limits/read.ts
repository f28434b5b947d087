/** Heading 9 into the model. Constants are read first: field types and rules may name them. */
import { splitAt } from '../../document/cell.ts'
import type { ColumnName, NamedRow } from '../../document/columns.ts'
import { type Fix, reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import type { Checked } from '../../expression/checked.ts'
import { partsOf } from '../../expression/computed.ts'
import { currencyPlaces } from '../../expression/currency.ts'
import { dayNumber, formatClock } from '../../expression/dates.ts'
import { compare, formatDecimal, parseDecimal } from '../../expression/decimal.ts'
import { isName } from '../../expression/names.ts'
import type { Type, Wire } from '../../expression/type.ts'
import { readRoles } from '../6-permissions/declare.ts'
import { type Context, cellOrNull, readSpecified, readTables, sectionsOf } from '../context.ts'
import { type Gap, open } from '../gaps/gap.ts'
import { bothPlaces, names } from '../names.ts'
import { limitCodes } from './codes.ts'
import { engineLimit } from './engine.ts'
import type { Constant } from './model.ts'
import { constants } from './table.ts'

const section = 9

interface LimitRows {
  readonly row: NamedRow<ColumnName<typeof constants>>
  readonly key: string
  /** Further rows of the name, with a day. */
  readonly later: NamedRow<ColumnName<typeof constants>>[]
}

/** Types of all constants, before anything that may name one is read. */
export function declareLimits(context: Context): readonly LimitRows[] {
  const { report } = reporter(limitCodes, section, context.found)
  const known = names<LimitRows>(context.found, {
    twice: (cell, first) => report('N1902', cell, { name: cell.text }, bothPlaces(cell, first)),
    unknown: () => undefined,
  })
  for (const content of sectionsOf(context, section).flatMap(part => [part, ...part.subjects])) {
    for (const row of readTables(context, content, section, [constants]).rows(constants)) {
      const name = row.cell('Name')!
      const first = known.all.get(name.text)
      if (!isName(name.text)) report('N1901', name, { name: name.text })
      else if (first !== undefined && cellOrNull(row.cell('Since')) !== null) first.later.push(row)
      else known.declare(name, name.text, { row, key: name.text, later: [] })
    }
  }
  return [...known.all.values()]
}

/** Reads the constants. Roles must be declared. */
export function readLimits(context: Context, rows: readonly LimitRows[]): void {
  for (const row of rows) {
    const constant = readConstant(context, row)
    context.limits.set(constant.key, constant)
    context.limitShapes.set(constant.key, { type: constant.type, optional: 'unspecified' in constant.value })
  }
}

/** `14,5` is written `14.5`; `1,000` may be either. */
function withPoint(cell: Cell): readonly Fix[] {
  const number = cell.text.replace(/^[€$£]\s*|\s*(?:[€$£]|[A-Z]{3})$/g, '')
  const [, whole = '', behind = ''] = /^(\d+),(\d+)$/.exec(number) ?? []
  const parted = /^\d{1,3}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/.test(number)
    ? number.replaceAll('.', '').replace(',', '.')
    : /^\d{1,3}(?:,\d{3})+\.\d+$/.test(number)
      ? number.replaceAll(',', '')
      : number
  const meant = whole === '' ? [parted] : [`${whole}.${behind}`, ...(behind.length === 3 ? [whole + behind] : [])]
  return meant.flatMap(text => (/^\d+(?:\.\d+)?$/.test(text) && text !== cell.text ? [writeInstead(cell, text)] : []))
}

function readConstant(context: Context, { row, key, later }: LimitRows): Constant {
  const { report } = reporter(limitCodes, section, context.found)
  const name = row.cell('Name')!
  const valueCell = row.cell('Value')!
  const unit = cellOrNull(row.cell('Unit'))
  const rangeCell = cellOrNull(row.cell('Range'))
  const since = cellOrNull(row.cell('Since'))
  if (since !== null) report('N1912', since, { name: key, why: 'no row says what holds until then' })
  let type: Type = openType(unit, rangeCell)
  const isDecimal = [valueCell, rangeCell, ...later.map(one => one.cell('Value')!)].some(
    cell => cell !== null && /\d\.\d/.test(cell.text),
  )
  const isNo = nothing(valueCell) === 'none' && /^no$/i.test(valueCell.text)
  const read = (cell: Cell) => {
    const literal = readLiteral(cell.text, unit)
    if ('why' in literal) {
      report('N1903', cell, { value: cell.text, why: literal.why }, { fixes: withPoint(cell) })
      return null
    }
    type = kindOf(literal, isDecimal)
    return { cell, wire: literal.wire }
  }
  const value = isNo
    ? (read(valueCell) as Constant['value'])
    : readSpecified(context, valueCell, open(section, 'limit', { limit: key }), read)
  const range = rangeCell === null ? null : readRange(context, rangeCell, type, value, unit)
  const changeCell = cellOrNull(row.cell('Who may change'))
  const change =
    changeCell === null || /^fixed$/i.test(changeCell.text)
      ? 'fixed'
      : readSpecified(context, changeCell, open(section, 'limitChange', { limit: key }), cell =>
          readRoles(context, cell, section, ['fixed']),
        )
  const constant: Constant = {
    key,
    cell: name,
    type,
    value,
    later: [],
    onDays: false,
    unit,
    range,
    change,
    meaning: cellOrNull(row.cell('Meaning')),
  }
  const whole = { ...constant, later: readLater(context, constant, row, later) }
  checkEngine(context, whole)
  return whole
}

/** A limit of Ninefold's counts what it counts, in whole numbers that it can bear, now, later and wherever it may be changed to. */
function checkEngine(context: Context, { key, cell, type, value, later, unit, range }: Constant): void {
  const engine = engineLimit(key)
  if (engine === undefined) return
  const numbers = [...('wire' in value ? [value] : []), ...later].map(({ wire }) => wire)
  const bounds = range === null ? [] : [range.min, range.max]
  const isBorne = [...numbers, ...bounds].every(wire => Number(wire) >= 1 && Number(wire) <= engine.most)
  if (type.kind === 'integer' && isBorne && unit?.text === engine.unit) return
  const detail = { name: key, unit: engine.unit, bounds: `from 1 to ${engine.most}` }
  reporter(limitCodes, section, context.found).report('N1911', cell, detail)
}

/** The rows with a day, earliest first. Only their value and their day count. */
function readLater(
  context: Context,
  { key, type, unit, range }: Constant,
  base: LimitRows['row'],
  rows: LimitRows['later'],
): Constant['later'] {
  const { report } = reporter(limitCodes, section, context.found)
  const found = rows.flatMap((row): Constant['later'] => {
    const wrong = (cell: Cell, why: string) => {
      report('N1912', cell, { name: key, why })
      return []
    }
    const [since, value] = [row.cell('Since')!, row.cell('Value')!]
    for (const column of ['Unit', 'Range', 'Who may change'] as const) {
      const cell = cellOrNull(row.cell(column))
      if (cell !== null && cell.text !== base.cell(column)?.text)
        return wrong(cell, `${column} stands in the first row`)
    }
    if (dayNumber(since.text) === null) return wrong(since, `\`${since.text}\` is not a day, as in \`2027-01-01\``)
    const literal = readLiteral(value.text, unit)
    if ('why' in literal) return wrong(value, literal.why)
    if (JSON.stringify(kindOf(literal, type.kind === 'decimal')) !== JSON.stringify(type))
      return wrong(value, 'the value is of another kind')
    if (range !== null) {
      const held = parseDecimal(String(literal.wire))!
      if (compare(held, parseDecimal(range.min)!) < 0 || compare(held, parseDecimal(range.max)!) > 0) {
        report('N1905', value, { value: value.text, range: range.cell.text })
        return []
      }
    }
    return [{ cell: value, since: since.text, wire: literal.wire }]
  })
  const sorted = found.sort((a, b) => (a.since < b.since ? -1 : 1))
  const twice = sorted.find(({ since }, index) => sorted[index + 1]?.since === since)
  if (twice !== undefined) report('N1912', twice.cell, { name: key, why: `two values hold from ${twice.since}` })
  return sorted
}

/** The constants, with what the document's expressions ask of them. */
export function readOnDays({ limits, expressions }: Context): ReadonlyMap<string, Constant> {
  const dated = new Set<string>()
  const visit = (node: Checked): void => {
    if (node.op === 'limit on') dated.add(node.name)
    for (const part of partsOf(node)) visit(part)
  }
  for (const { expression } of expressions) visit(expression.root)
  return new Map([...limits].map(([key, constant]) => [key, { ...constant, onDays: dated.has(key) }]))
}

/** The gap of a constant without a value, once everything is read, with what reads it. */
export function withUses({ expressions }: Context, gap: Gap): Gap {
  if (gap.code !== 'limit') return gap
  const readers = expressions.filter(({ expression }) => expression.reads.includes(`limits.${gap.params.limit}`))
  return readers.length === 0 ? { ...gap, code: 'limitUnread' } : { ...gap, uses: readers.map(({ use }) => use) }
}

/** What type a constant without a value has: the unit says it, or the form of its range. */
function openType(unit: Cell | null, range: Cell | null): Type {
  if (unit !== null && isCurrency(unit.text)) return { kind: 'money', currency: unit.text }
  if (unit?.text === '%') return { kind: 'decimal', percent: true }
  if (range?.text.includes('.')) return { kind: 'decimal' }
  return unit !== null || range !== null ? { kind: 'integer' } : { kind: 'error' }
}

const currencies = new Set(Intl.supportedValuesOf('currency'))
const isCurrency = (text: string) => /^[A-Z]{3}$/.test(text) && currencies.has(text)

type Literal = { readonly type: Type; readonly wire: Wire } | { readonly why: string }

function readLiteral(text: string, unit: Cell | null): Literal {
  if (/^(yes|no)$/i.test(text)) return { type: { kind: 'yes/no' }, wire: /^yes$/i.test(text) }
  const quoted = /^"([^"]*)"$/.exec(text)
  if (quoted) return { type: { kind: 'text' }, wire: quoted[1]! }
  if (/^\d{4}-\d\d-\d\d$/.test(text))
    return dayNumber(text) !== null ? { type: { kind: 'date' }, wire: text } : { why: 'there is no such day' }
  const time = /^(\d{1,2}):(\d\d)$/.exec(text)
  if (time) {
    if (Number(time[1]) > 23 || Number(time[2]) > 59) return { why: 'there is no such time' }
    return { type: { kind: 'time' }, wire: `${time[1]!.padStart(2, '0')}:${time[2]}` }
  }
  const number = /^(-?\d[\d_]*(?:\.\d+)?)\s*(%|[a-z]+)?$/i.exec(text)
  if (!number) return { why: 'it is neither a number nor anything else that a constant can be' }
  const digits = number[1]!.replaceAll('_', '')
  const suffix = number[2]?.toLowerCase()
  if (suffix !== undefined && suffix !== '%') return readDuration(digits, suffix)
  if (unit !== null && isCurrency(unit.text)) {
    const places = currencyPlaces(unit.text)
    const [whole, rest = ''] = digits.split('.')
    if (rest.length > places) return { why: `amounts in ${unit.text} have ${places} places` }
    const wire = places === 0 ? whole! : `${whole}.${rest.padEnd(places, '0')}`
    return { type: { kind: 'money', currency: unit.text }, wire }
  }
  if (suffix === '%' || unit?.text === '%') return { type: { kind: 'decimal', percent: true }, wire: hundredth(digits) }
  return { type: { kind: digits.includes('.') ? 'decimal' : 'integer' }, wire: formatDecimal(parseDecimal(digits)!, 0) }
}

/** A whole number among decimals is one of them. */
const kindOf = ({ type }: Exclude<Literal, { readonly why: string }>, isDecimal: boolean): Type =>
  isDecimal && type.kind === 'integer' ? { kind: 'decimal' } : type

const clock: Readonly<Record<string, number>> = { second: 1000, minute: 60_000, hour: 3_600_000 }
const calendar: Readonly<Record<string, string>> = { day: 'P0M{}D', week: 'P0M{}D', month: 'P{}M0D', year: 'P{}M0D' }

function readDuration(digits: string, word: string): Literal {
  const unit = word.replace(/s$/, '')
  if (!/^\d+$/.test(digits)) return { why: 'a length of time is a whole number' }
  if (unit in clock)
    return { type: { kind: 'duration', of: 'clock' }, wire: formatClock(Number(digits) * clock[unit]!) }
  if (!(unit in calendar)) return { why: `\`${word}\` is not a length of time` }
  const amount = Number(digits) * (unit === 'week' ? 7 : unit === 'year' ? 12 : 1)
  return { type: { kind: 'duration', of: 'calendar' }, wire: calendar[unit]!.replace('{}', String(amount)) }
}

function hundredth(digits: string): string {
  const { units, scale } = parseDecimal(digits)!
  return formatDecimal({ units, scale: scale + 2 }, 0)
}

function readRange(
  context: Context,
  cell: Cell,
  type: Type,
  value: Constant['value'],
  unit: Cell | null,
): Constant['range'] {
  const { report } = reporter(limitCodes, section, context.found)
  const wrong = (why: string, fixes: readonly Fix[] = []) => {
    report('N1904', cell, { range: cell.text, why }, { fixes })
    return null
  }
  const ends = splitAt(cell, 'to')
  if (ends === null) {
    const [, ...bounds] = /^(-?\d[\d_.]*?%?)\s*(?:[-–—…]|\.{2,3}|bis|until)\s*(\d[\d_.]*%?)$/.exec(cell.text) ?? []
    const inOrder = bounds.sort((a, b) => Number.parseFloat(a) - Number.parseFloat(b)).join(' to ')
    return wrong('it has no `to`', inOrder === '' ? [] : [writeInstead(cell, inOrder)])
  }
  if (type.kind !== 'integer' && type.kind !== 'decimal' && type.kind !== 'money')
    return wrong('only numbers and amounts have one')
  const percent = unit?.text === '%' || ends.before.text.endsWith('%') || ends.after.text.endsWith('%')
  const read = (end: Cell) => {
    const digits = /^(-?\d[\d_]*(?:\.\d+)?)\s*%?$/.exec(end.text)?.[1]?.replaceAll('_', '')
    return digits === undefined ? null : percent ? hundredth(digits) : formatDecimal(parseDecimal(digits)!, 0)
  }
  const [min, max] = [read(ends.before), read(ends.after)]
  if (min === null || max === null) return wrong('its ends are not numbers')
  if (compare(parseDecimal(min)!, parseDecimal(max)!) > 0)
    return wrong('the smaller end comes first', [writeInstead(cell, `${ends.after.text} to ${ends.before.text}`)])
  if (!('unspecified' in value) && typeof value.wire === 'string') {
    const held = parseDecimal(value.wire)
    if (held && (compare(held, parseDecimal(min)!) < 0 || compare(held, parseDecimal(max)!) > 0))
      report(
        'N1905',
        value.cell,
        { value: value.cell.text, range: cell.text },
        { related: [{ span: cell, message: 'the range' }] },
      )
  }
  return { cell, min, max }
}
