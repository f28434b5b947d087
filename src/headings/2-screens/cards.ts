/** The cards of a dashboard: its headings 4. */
import { after, codeless, splitAt } from '../../document/cell.ts'
import { readProperties } from '../../document/columns.ts'
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import type { Block, Subject } from '../../document/tree.ts'
import { counted } from '../../kinds/screens/counted.ts'
import { blockKind } from '../blocks.ts'
import { type Context, cellOrNull, commonReporter, documentReporter, readAt, readSpecified } from '../context.ts'
import { open, use } from '../gaps/gap.ts'
import { screenCodes } from './codes.ts'
import { readColumns, readSort } from './fields.ts'
import { readGrouping, readMeasure } from './measures.ts'
import type { Card, CardContent } from './model.ts'
import { cardKeys } from './table.ts'

const section = 2

/** The cards of a dashboard, in order. */
export function readCards(context: Context, subject: Subject): readonly Card[] {
  return subject.blocks.filter(block => blockKind(block.title) === 'other').map(block => readCard(context, block))
}

function readCard(context: Context, block: Block): Card {
  const keys = readProperties(block.properties, cardKeys, block.title, documentReporter(context, section)).cell
  const name = block.title
  const said = keys('Measure') ?? keys('Shows')
  const meaning = cellOrNull(keys('Meaning'))
  if (said === null) {
    const { report } = reporter(screenCodes, section, context.found)
    report('N1225', name, { name: name.text })
    return { name, meaning, shows: { unspecified: true, cell: name, owner: null, note: null } }
  }
  const shows = readSpecified(context, said, open(section, 'card', { card: name.text }), cell =>
    keys('Measure') === null ? readList(context, cell, keys, name) : readFigures(context, cell, keys, name),
  )
  return { name, meaning, shows }
}

/** `chart of Loan by month of out_on`: its one card. */
export function readChart(
  context: Context,
  shows: Cell,
  entity: string,
  { name, keys }: { readonly name: Cell; readonly keys: (key: string) => Cell | null },
): readonly Card[] {
  const counts = use('screenCounts', { screen: name.text })
  const byCell = splitAt(shows, 'by')?.after ?? null
  const written = cellOrNull(keys('Measure'))
  const measure = written === null ? counted(entity, shows) : readMeasure(context, written, { entity, use: counts })
  const by = byCell === null ? null : readGrouping(context, byCell, entity, { use: counts })
  if (measure === null || by === null) return []
  const drawn = drawnAs(context, cellOrNull(keys('Chart')), by.unit !== null)
  return [{ name, meaning: null, shows: { kind: 'chart', cell: shows, measure, by, drawn } }]
}

type Keys = (name: (typeof cardKeys)['columns'][number]['name']) => Cell | null

function readFigures(context: Context, cell: Cell, keys: Keys, name: Cell): CardContent | null {
  const counts = use('cardCounts', { card: name.text })
  const measure = readMeasure(context, cell, { entity: null, use: counts })
  const byCell = cellOrNull(keys('By'))
  if (measure === null) return null
  if (byCell === null && measure.whole === 'all') {
    const why = 'without `By` there are no other groups to compare with, so it is always 100 %; say `out of` what'
    reporter(screenCodes, section, context.found).report('N1221', cell, { measure: cell.text, why })
    return null
  }
  if (byCell === null) return { kind: 'number', cell, measure }
  const by = readGrouping(context, byCell, measure.figure.entity, { use: counts })
  if (by === null) return null
  return { kind: 'chart', cell, measure, by, drawn: drawnAs(context, cellOrNull(keys('Chart')), by.unit !== null) }
}

function drawnAs(context: Context, cell: Cell | null, isTime: boolean): 'bars' | 'line' {
  if (cell === null) return isTime ? 'line' : 'bars'
  if (/^(bars?|line)$/i.test(cell.text)) return /^line$/i.test(cell.text) ? 'line' : 'bars'
  commonReporter(context, section).report('N1007', cell, { expected: 'a kind of chart', example: 'bars' })
  return 'bars'
}

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
