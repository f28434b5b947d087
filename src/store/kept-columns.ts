/** Columns for computed fields that the database keeps: what goes through the record's own rows (`expression/kept-columns.ts` says which). */
import { evaluate } from '../expression/evaluate.ts'
import { type Kept, keptColumn, keptOf } from '../expression/kept-columns.ts'
import { castOf } from '../expression/sql-values.ts'
import { toSql } from '../expression/to-sql.ts'
import type { Type } from '../expression/type.ts'
import type { Entity } from '../headings/3-entities/model.ts'
import type { App } from '../headings/app.ts'
import { inlined, shortName } from './names.ts'
import type { KeptColumn } from './physical.ts'
import { catalogueType } from './plan/types.ts'

export const keptColumns = (app: App, entity: Entity): readonly KeptColumn[] =>
  entity.fields.flatMap(({ key, cell, type }) => {
    const kept = keptOf(app.schema, entity.key, key)
    if (kept === null) return []
    const { value, own, rows } = kept
    const begins = own.size > 0 ? undefined : begin(kept)
    return [
      {
        name: keptColumn(key),
        type: catalogueType(columnType(type)),
        default: begins ?? null,
        beginsComputed: begins === undefined,
        value: inlined(toSql(value, { alias: 't' })),
        own: [...own],
        rows: [...rows].map(([table, { parent, columns }]) => ({ table, parent, columns: [...columns] })),
        shown: value.cell.text,
        appendOnly: entity.appendOnly !== null,
        cell,
      },
    ]
  })

/** A sum of whole numbers may be longer than they are, and is a number like any other. */
const columnType = (type: Type): string => (type.kind === 'integer' ? 'numeric' : castOf(type).texts.join(''))

/** Of a record without rows, as the default of a column; null: empty. Undefined: it is none that PostgreSQL would write in the same way. */
function begin({ value, lists }: Kept): string | null | undefined {
  const row = Object.fromEntries([...lists].map(list => [list, []]))
  const nothing = { old: null, me: null, my: null, today: '2000-01-01', now: '2000-01-01T00:00:00.000Z', limits: {} }
  const begins = evaluate(value, { ...nothing, row, related: () => undefined })
  if (begins === null || typeof begins === 'boolean') return begins === null ? null : String(begins)
  const whole = numbers.has(value.type.kind) && typeof begins === 'string' ? /^(\d+)(\.0+)?$/.exec(begins) : null
  return whole?.[1]
}

const numbers: ReadonlySet<string> = new Set(['integer', 'decimal', 'money'])

/** The function that works out what is kept, and its triggers: when rows change, and when the record itself does. */
export const keptBy = (rows: string): string => shortName('kept_by', rows)
export const keptIn = (record: string): string => shortName('kept_in', record)
