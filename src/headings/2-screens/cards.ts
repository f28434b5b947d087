/** The cards of a dashboard: its headings 4. */

import { after, codeless, splitAt, splitCell } from '../../document/cell.ts'
import { readProperties } from '../../document/columns.ts'
import { reporter } from '../../document/diagnostic.ts'
import { nearest } from '../../document/nearest.ts'
import type { Cell } from '../../document/source.ts'
import type { Block, Subject } from '../../document/tree.ts'
import { isFixed } from '../../expression/currency.ts'
import type { Expression } from '../../expression/expression.ts'
import { counted } from '../../kinds/screens/counted.ts'
import { blockKind } from '../blocks.ts'
import { type Context, cellOrNull, commonReporter, documentReporter, readAt, readSpecified } from '../context.ts'
import { open, type Use, use } from '../gaps/gap.ts'
import { specified } from '../specified.ts'
import { screenCodes } from './codes.ts'
import { readColumns, readSort } from './fields.ts'
import { reportIdleKeys } from './idle.ts'
import { readAmount, readGrouping, readMeasure } from './measures.ts'
import type { Card, CardContent, CardWidth, Drawing, Grouping, Measure, PeriodName } from './model.ts'
import { cardKeys } from './table.ts'

const section = 2

/** The cards of a dashboard, in order. */
export function readCards(context: Context, subject: Subject): readonly Card[] {
  return subject.blocks.filter(block => blockKind(block.title) === 'other').map(block => readCard(context, block))
}

function readCard(context: Context, block: Block): Card {
  const keys = readProperties(block.properties, cardKeys, block.title, documentReporter(context, section))
  const name = block.title
  const measures = keys.all('Measure')
  const said = measures[0] ?? keys.cell('Shows')
  const face = {
    name,
    meaning: cellOrNull(keys.cell('Meaning')),
    width: readWord(context, cellOrNull(keys.cell('Width')), 'a width', widths),
  }
  if (said === null) {
    // A key that is nearly one of the two was reported already.
    const isMisspelt = block.properties.some(({ key }) => nearest(key.text, ['Measure', 'Shows']) !== null)
    if (!isMisspelt) reporter(screenCodes, section, context.found).report('N1225', name, { name: name.text })
    return { ...face, shows: { unspecified: true, cell: name, owner: null, note: null } }
  }
  const shows = readSpecified(context, said, open(section, 'card', { card: name.text }), cell =>
    measures.length === 0
      ? readList(context, cell, keys.cell, name)
      : readFigures(context, cell, measures.slice(1), {
          entity: null,
          name,
          use: use('cardCounts', { card: name.text }),
          keys: keys.cell,
          by: cellOrNull(keys.cell('By')),
        }),
  )
  const content = specified(shows)
  if (content !== null) reportIdleKeys(context, keys, content)
  return { ...face, shows }
}

const widths: Readonly<Record<string, CardWidth>> = { quarter: 3, third: 4, half: 6, 'two thirds': 8, full: 12 }

/** `chart of Loan by month of out_on`: its one card. */
export function readChart(
  context: Context,
  shows: Cell,
  entity: string,
  { name, keys, all }: { readonly name: Cell; readonly keys: Keys; readonly all: (key: string) => readonly Cell[] },
): readonly Card[] {
  const [first, ...more] = all('Measure')
  const by = splitAt(shows, 'by')?.after ?? null
  if (by === null) return []
  const content = readFigures(context, first ?? null, more, {
    entity,
    name: shows,
    use: use('screenCounts', { screen: name.text }),
    keys,
    by,
  })
  return content === null ? [] : [{ name, meaning: null, width: null, shows: content }]
}

type Keys = (name: (typeof cardKeys)['columns'][number]['name']) => Cell | null

interface FiguresWritten {
  /** Null: the measure says it. */
  readonly entity: string | null
  readonly name: Cell
  readonly use: Use
  readonly keys: Keys
  readonly by: Cell | null
}

const mostMeasures = 4

/** A number, or a chart of up to four. `cell` null: how many records there are. */
function readFigures(
  context: Context,
  cell: Cell | null,
  more: readonly Cell[],
  { entity, name, use, keys, by }: FiguresWritten,
): CardContent | null {
  const { report } = reporter(screenCodes, section, context.found)
  const first = cell === null ? counted(entity!, name) : readMeasure(context, cell, { entity, use })
  if (first === null) return null
  const { entity: of } = first.figure
  const others = more.flatMap(one => readMeasure(context, one, { entity: of, use }) ?? [])
  const groups = by === null ? [] : splitCell(by, ',').filter(({ text }) => text !== '')
  if (groups.length === 0 && first.whole === 'all') {
    const why = 'without `By` there are no other groups to compare with, so it is always 100 %; say `out of` what'
    report('N1221', first.cell, { measure: first.cell.text, why })
    return null
  }
  const wrong = undrawable(first, others, groups)
  if (wrong !== null) report('N1265', wrong.cell, { why: wrong.why })
  const [aim, date] = [
    readAim(context, cellOrNull(keys('Aim')), use),
    readDay(context, cellOrNull(keys('Date')), of, use),
  ]
  const [group, across = null] = groups.map(one => readGrouping(context, one, of, { use }))
  if (wrong !== null || others.length < more.length || group === null) return null
  const shared = { cell: cell ?? name, measures: [first, ...others], aim } as const
  if (group === undefined)
    return {
      ...shared,
      kind: 'number',
      date,
      better: readWord(context, cellOrNull(keys('Better')), 'what is better', betters),
    }
  if (groups.length > 1 && across === null) return null
  const chart = cellOrNull(keys('Chart'))
  const drawn = drawnAs(
    readWord(context, chart, 'a kind of chart', drawings),
    group,
    across !== null,
    others.length > 0,
  )
  if (chart !== null && isWhole(drawn) && !shared.measures.every(isSum)) {
    report('N1265', chart, { why: 'only counts and sums make up a whole' })
    return null
  }
  return { ...shared, kind: 'chart', by: group, across, drawn, date: date ?? (isPeriod(group) ? group.value : null) }
}

/** Why these are no card together. Null: they are. */
function undrawable(
  first: Measure,
  others: readonly Measure[],
  groups: readonly Cell[],
): { readonly cell: Cell; readonly why: string } | null {
  const second = others[0]?.cell
  const unlike = others.find(other => !isAlike(first, other))?.cell
  if (groups[2] !== undefined) return { cell: groups[2], why: 'it has two groups at most' }
  if (second === undefined) return null
  if (groups.length === 0) return { cell: second, why: 'without `By` it is one number' }
  if (groups.length === 2) return { cell: second, why: 'it is parted by a second group or by measures, not by both' }
  if (unlike !== undefined)
    return { cell: unlike, why: 'it has one scale, and this measure another unit than the first' }
  const over = others[mostMeasures - 1]?.cell
  return over === undefined ? null : { cell: over, why: `it has ${mostMeasures} measures at most` }
}

/** As it is said; else by what it draws. */
function drawnAs(said: Drawing | null, { unit }: Grouping, isParted: boolean, isMany: boolean): Drawing {
  const drawn = said ?? (unit === null ? 'bars' : isParted ? 'stacked' : 'line')
  return drawn === 'bars' && (isParted || isMany) ? 'grouped' : drawn
}

const isWhole = (drawn: Drawing): boolean => drawn === 'stacked' || drawn === 'share'

const betters = { higher: 'higher', lower: 'lower' } as const

const drawings = {
  line: 'line',
  bar: 'bars',
  bars: 'bars',
  grouped: 'grouped',
  stacked: 'stacked',
  share: 'share',
} as const

const isSum = ({ figure: { kind }, whole }: Measure): boolean => whole === null && (kind === 'count' || kind === 'sum')

const isPeriod = ({ unit }: Grouping): boolean => unit !== null && unit !== 'weekday' && unit !== 'hour'

/** Both stand on one scale. */
function isAlike(one: Measure, other: Measure): boolean {
  const unit = ({ figure: { type }, whole }: Measure) =>
    whole !== null ? 'share' : isFixed(type) ? type.currency : type.kind === 'integer' ? 'decimal' : type.kind
  return unit(one) === unit(other)
}

/** One of these words. Null: it is not said, or was reported. */
function readWord<V>(
  context: Context,
  cell: Cell | null,
  expected: string,
  known: Readonly<Record<string, V>>,
): V | null {
  if (cell === null) return null
  const found = known[cell.text.toLowerCase()]
  if (found === undefined)
    commonReporter(context, section).report('N1007', cell, { expected, example: Object.keys(known)[0]! })
  return found ?? null
}

/** `out_on`: a day, or a moment, of each record. */
export function readDay(context: Context, cell: Cell | null, entity: string, use: Use): Expression | null {
  if (cell === null) return null
  const day = readAt(context, codeless(cell), { section, entity }, null, use)
  if (day === null || ['date', 'moment', 'error'].includes(day.type.kind)) return day
  const example = [...context.schema.get(entity)!.fields.values()].find(
    ({ type }) => type.kind === 'date' || type.kind === 'moment',
  )
  commonReporter(context, section).report('N1007', cell, { expected: 'a date', example: example?.key ?? 'out_on' })
  return null
}

const readAim = (context: Context, cell: Cell | null, use: Use): Expression | null =>
  cell === null ? null : readAmount(context, cell, { entity: null, use })

/** What a dashboard begins with. */
export const readPeriod = (context: Context, cell: Cell | null): PeriodName | null =>
  readWord(context, cell, 'a period', { month: 'month', week: 'week', quarter: 'quarter', year: 'year', all: 'all' })

function readList(context: Context, cell: Cell, keys: Keys, name: Cell): CardContent | null {
  const of = after(cell, 'list of')
  if (of === null || of.text === '') {
    commonReporter(context, section).report('N1007', cell, { expected: 'a list', example: 'list of Loan' })
    return null
  }
  const entity = context.entities.find(codeless(of))
  if (entity === null) return null
  const where = cellOrNull(keys('Where'))
  const shows = use('cardShows', { card: name.text })
  return {
    kind: 'list',
    cell,
    entity: entity.key,
    where: where === null ? null : readAt(context, where, { section, entity: entity.key }, { kind: 'yes/no' }, shows),
    columns: readColumns(context, entity.key, cellOrNull(keys('Columns'))),
    sort: readSort(context, entity.key, cellOrNull(keys('Sort'))),
  }
}
