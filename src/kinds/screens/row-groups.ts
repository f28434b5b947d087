/** What rows are grouped by: as its address says, else as the document does. */
import type { Cell } from '../../document/source.ts'
import { ownField } from '../../expression/own-field.ts'
import type { Wire } from '../../expression/type.ts'
import type { Grouping, Total } from '../../headings/2-screens/model.ts'
import type { Entity } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { foldedName, groupedName, noGroup } from './address.ts'
import { counted, groupingKey } from './counted.ts'
import { asWritten } from './query.ts'
import type { Address, FiguresNeed, RowsGroup, RowsNeed, Sort } from './screen-kind.ts'

/** More are not read from an address. */
const mostFolded = 100

interface Groups {
  /** What its reader may choose, those of the document first. */
  readonly offered: readonly Grouping[]
  /** Absent: its rows are in no groups. */
  readonly group?: RowsGroup
  readonly ignored: readonly string[]
}

/** `declared`: of the document; the first is how the list opens. `columns`: those that are shown, of which few answers make groups. */
export function groupsOf(
  declared: readonly Grouping[],
  columns: readonly string[],
  entity: Entity,
  app: App,
  { query, sees }: Pick<Address, 'query' | 'sees'>,
  sort: readonly Sort[],
): Groups {
  const own = columns.flatMap(field => (sees(entity.key, field) ? (columnGroup(entity, app, field) ?? []) : []))
  const offered = [...new Map([...own, ...declared].map(one => [groupingKey(one), one])).values()]
  const open = [...declared, ...offered.filter(one => !declared.includes(one))]
  const asked = query.get(groupedName)
  const by = asked === null ? declared[0] : open.find(one => groupingKey(one) === asked)
  const ignored = asked === null || asked === noGroup || by !== undefined ? [] : [asWritten(groupedName, asked)]
  if (by === undefined) return { offered: open, ignored }
  const { root } = by.value
  const [step] = root.op === 'field' ? root.path.steps : []
  const descending = sort.find(({ field }) => field === step?.field)?.descending ?? false
  const folded = query
    .getAll(foldedName)
    .slice(0, mostFolded)
    .map(text => readFolded(by, text))
  return { offered: open, group: { by, descending, folded }, ignored }
}

/** Few records have the same name or amount: only by what many share. */
function columnGroup(entity: Entity, app: App, key: string): Grouping | null {
  const shape = app.schema.get(entity.key)?.fields.get(key)
  const cell = entity.fields.find(field => field.key === key)?.cell ?? entity.cell
  if (shape === undefined) return null
  const { type, computed } = shape
  const root = ownField(entity.key, key, type, computed !== undefined)
  const isDay = type.kind === 'date' || type.kind === 'moment'
  if (!isDay && !['choice', 'reference', 'yes/no'].includes(type.kind)) return null
  const place = { ...cell, text: isDay ? `month of ${key}` : key }
  const value = { cell: place, type, optional: true, tier: 0, reads: [key], schema: app.schema, root } as const
  return { cell: place, unit: isDay ? 'month' : null, value }
}

/** A value of a group in an address; what is empty is a dash there, and one more stands before a dash of its own. */
export const writeFolded = (value: Wire): string => (value === null ? '-' : String(value).replace(/^-/, '--'))

function readFolded({ unit, value: { type } }: Grouping, text: string): Wire {
  if (text === '-') return null
  const value = text.replace(/^--/, '-')
  return type.kind === 'yes/no' && unit === null ? value === 'true' : value
}

/** The field of the records that they are grouped by, where it is one of their own. */
export function groupField(group: RowsGroup | undefined): readonly string[] {
  const { root } = group?.by.value ?? {}
  return root?.op === 'field' && root.path.steps.length === 1 ? [root.path.steps[0]!.field] : []
}

/** Groups with figures: there are no more of them where more records are not counted. */
const mostGroups = 1000

/** What is asked along with the rows of a page: how many there are, and what stands under their columns; null: nothing. */
export function rowFigures(need: RowsNeed, totals: readonly Total[], of: Cell): FiguresNeed | null {
  if (need.countTo === 0 || (totals.length === 0 && need.group === undefined)) return null
  return {
    kind: 'figures',
    entity: need.entity,
    where: need.where,
    by: need.group === undefined ? [] : [need.group.by],
    measures: [counted(need.entity, of), ...totals.map(({ measure }) => measure)],
    asked: {},
    limit: mostGroups,
    looked: need,
    list: need.countTo,
  }
}
