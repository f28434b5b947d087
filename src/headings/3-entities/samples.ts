/** Tables under `#### Sample data`: their columns are fields, their cells values. */
import { reporter } from '../../document/diagnostic.ts'
import type { FieldShape } from '../../expression/type.ts'
import { commonCodes } from '../codes.ts'
import type { Context } from '../context.ts'
import { checkValue } from '../values.ts'
import { entityCodes } from './codes.ts'
import type { Entity, Sample } from './model.ts'
import { noField } from './no-field.ts'
import type { TypedEntity } from './shape.ts'

/** Columns that do not resolve are reported and left out, with their cells. */
export function readSamples(context: Context, { draft }: TypedEntity): readonly Sample[] {
  const { report } = reporter(entityCodes, 3, context.found)
  const shape = context.schema.get(draft.key)!
  return draft.samples.flatMap(block =>
    block.tables.map(table => {
      const columns = table.header.map((cell, index) => ({ cell, index, field: shape.fields.get(cell.text) ?? null }))
      for (const { cell, field } of columns) {
        if (field === null) noField(context, 3, shape, cell)
        else {
          const why = whyNoColumn(field)
          if (why !== null) report('N1319', cell, { field: cell.text, why })
        }
      }
      const kept = columns.filter(({ field }) => field !== null && whyNoColumn(field) === null)
      return {
        cell: block.title,
        columns: kept.map(({ cell, field }) => ({ field: field!.key, cell })),
        rows: table.rows.map(row => kept.map(({ index }) => row.cells[index]!)),
      }
    }),
  )
}

function whyNoColumn({ type, computed, renewed }: FieldShape): string | null {
  if (computed !== undefined || renewed === true) return 'it is computed'
  if (type.kind === 'file') return 'it holds files'
  return type.kind === 'list' ? 'it is a list of rows' : null
}

/** Cells are checked when all samples are known, because references name each other's records. */
export function checkSamples(context: Context, entities: ReadonlyMap<string, Entity>): void {
  const { report } = reporter(commonCodes, 3, context.found)
  for (const { key, samples, fields: read } of entities.values()) {
    const shape = context.schema.get(key)!
    const { fields } = context.typed.get(key)!
    for (const { columns, rows } of samples)
      for (const row of rows)
        row.forEach((cell, index) => {
          const { field } = columns[index]!
          checkValue(context, shape.fields.get(field)!, fields.get(field) ?? null, cell, 3)
          const pattern = read.find(one => one.key === field)?.pattern ?? null
          if (pattern === null || cell.text === '' || new RegExp(`^(?:${pattern.source})$`, 'u').test(cell.text)) return
          const why = `it does not have the form ${pattern.shown}`
          report('N1009', cell, { value: cell.text, field, why, type: fields.get(field)!.typeCell.text })
        })
  }
}
