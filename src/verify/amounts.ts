/** What the measures of heading 2 come to over the records that somebody sees, worked out from the text of their cells. */
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { RecordValue } from '../expression/type.ts'
import type { Figure, Grouping, Measure } from '../headings/2-screens/model.ts'
import type { App } from '../headings/app.ts'
import { isArchived } from '../run/access/archived.ts'
import { namesUnseen } from './audience.ts'
import type { Site } from './client.ts'
import { worth } from './judge.ts'
import { readsOf, sees, seesField } from './oracle/rights.ts'
import { dayOf, wireDay } from './oracle/values.ts'
import { isTold } from './trial.ts'
import type { World } from './world.ts'

/** From one day to another, both included; null: whenever. */
export type Days = { readonly from: string; readonly to: string } | null

/** What stands for `asked.from` in a text. */
export type AskedTexts = ReadonlyMap<string, string>

export interface Counting {
  readonly site: Site
  readonly world: World
  readonly asked: AskedTexts
}

/** A condition, or a path, as its cell writes it. */
interface Written {
  readonly cell: { readonly text: string }
}

/** What cannot be told from here. */
export class Untold extends Error {}

/** What a piece of text gives of a record. */
export function worthIn({ world, asked }: Counting, said: Written, entity: string, record: RecordValue) {
  const text = said.cell.text.replace(/\basked\.(\w+)/g, (whole, key: string) => `(${asked.get(key) ?? whole})`)
  const value = worth({ text: text.replaceAll('`', '') }, world.environment(entity, record))
  if (value === NOT_LOADED) throw new Untold()
  return value
}

/**
 * The records of an entity that somebody sees, and of which all of these hold; in a period, by a day of each. What is closed to them in one
 * that they see leaves open whether it counts.
 */
export function countedIn(
  counting: Counting,
  entity: string,
  conditions: readonly (Written | null)[],
  within: { readonly by: Written; readonly days: Days } | null = null,
): readonly RecordValue[] {
  const { site, world } = counting
  const { parent, permissions } = world.told.entity(entity)
  const whole = parent ?? entity
  if (!isTold(site.app, whole) || (parent !== null && permissions !== null)) throw new Untold()
  // Rows are seen with the record that they are part of.
  const list = [...world.told.entity(whole).fields.values()].find(
    field => field.kind === 'rows' && field.entity === entity,
  )
  const isSeen = (record: RecordValue) => {
    const of = parent === null ? record : world.record(whole, String(record[parent]))
    if (of === undefined || isArchived(of) || !sees({ world, entity: whole, record: of })) return false
    if (parent !== null && (list === undefined || !seesField({ world, entity: whole, record: of }, list)))
      throw new Untold()
    return true
  }
  const read = [...conditions, within?.days == null ? null : within.by].flatMap(one => one?.cell.text ?? [])
  return world.records(entity).filter(record => {
    if (isArchived(record) || !isSeen(record)) return false
    if (!seesAll(counting, entity, read, [record])) throw new Untold()
    const holds = conditions.every(one => one === null || worthIn(counting, one, entity, record) === true)
    if (!holds || within === null || within.days === null) return holds
    const day = dayIn(counting, worthIn(counting, within.by, entity, record))
    return day !== null && day >= within.days.from && day <= within.days.to
  })
}

/** The day of a date or a moment, there. */
function dayIn({ world }: Counting, wire: unknown): string | null {
  if (typeof wire !== 'string') return null
  return wire.length === 10 ? wire : wireDay(world.told.dayAt(Date.parse(wire)))
}

/** The number of some records. */
function amountOf(counting: Counting, { kind, entity, of, where }: Figure, records: readonly RecordValue[]): number {
  const counted = records.filter(record => where === null || worthIn(counting, where, entity, record) === true)
  if (kind === 'count') return counted.length
  if (of === null) throw new Untold()
  const values = counted.flatMap(record => {
    const value = worthIn(counting, of, entity, record)
    return value === null ? [] : [Number(value)]
  })
  if (values.some(Number.isNaN)) throw new Untold()
  if (kind === 'sum') return values.reduce((sum, value) => sum + value, 0)
  if (values.length === 0) throw new Untold()
  if (kind === 'average') return values.reduce((sum, value) => sum + value, 0) / values.length
  return kind === 'smallest' ? Math.min(...values) : Math.max(...values)
}

/** Of a share in per cent; null: of nothing. `all`: the records of all groups. */
export function measured(
  counting: Counting,
  { figure, whole }: Measure,
  records: readonly RecordValue[],
  all: readonly RecordValue[] = records,
): number | null {
  const part = amountOf(counting, figure, records)
  if (whole === null) return part
  if (whole !== 'all' && !('kind' in whole)) throw new Untold()
  const of = whole === 'all' ? amountOf(counting, figure, all) : amountOf(counting, whole, records)
  return of === 0 ? null : (100 * part) / of
}

/** What a group of records has in common, as a text. */
function groupOf(counting: Counting, { unit, value }: Grouping, entity: string, record: RecordValue): string {
  const wire = worthIn(counting, value, entity, record)
  if (unit === null)
    return namesUnseen({ app: counting.site.app, world: counting.world }, value.type, wire) ? 'unseen' : String(wire)
  const day = dayIn(counting, wire)
  if (day === null) return 'null'
  if (unit === 'year' || unit === 'month') return day.slice(0, unit === 'year' ? 4 : 7)
  if (unit === 'day') return day
  if (unit === 'quarter') return `${day.slice(0, 4)} ${Math.ceil(Number(day.slice(5, 7)) / 3)}`
  if (unit !== 'week') throw new Untold()
  return wireDay(weekOf(counting.site.app, dayOf(day)))
}

/** The first day of the week in which a day lies. The first of all days was a Thursday. */
export const weekOf = ({ product }: App, day: number): number =>
  day - ((((day + 3) % 7) - product.weekBegins.day + 7) % 7)

/** The records of each group; of several groupings, of each of their pairs. */
export const grouped = (counting: Counting, by: readonly Grouping[], entity: string, records: readonly RecordValue[]) =>
  Map.groupBy(records, record => by.map(one => groupOf(counting, one, entity, record)).join('\n'))

/** Whether somebody sees all that a text reads, of all of these. */
export function seesAll(
  { world }: Counting,
  entity: string,
  texts: readonly string[],
  records: readonly RecordValue[],
) {
  const keys = texts.flatMap(text => [...readsOf({ world, entity }, text)])
  return records.every(record => keys.every(key => seesField({ world, entity, record }, { key })))
}
