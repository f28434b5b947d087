/** What a list adds up, or works out anew, over all of its rows and over each group of them. */
import { splitCell } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import { isSummable, typeWords } from '../../expression/fit.ts'
import { keyOf } from '../../expression/names.ts'
import { type Context, readAt } from '../context.ts'
import type { Use } from '../gaps/gap.ts'
import { screenCodes } from './codes.ts'
import { fieldOf } from './fields.ts'
import { isMeasure, readMeasure } from './measures.ts'
import type { Measure, Total } from './model.ts'

const section = 2

/** `net, average of days, share of count where in_time as In time`: each stands under a column. */
export const readTotals = (context: Context, entity: string, cell: Cell | null, use: Use): readonly Total[] =>
  cell === null
    ? []
    : splitCell(cell, ',').flatMap(piece => {
        if (piece.text === '') return []
        const isField = context.schema.get(entity)!.fields.has(piece.text)
        return (isMeasure(piece) && !isField ? measured : summed)(context, entity, piece, use) ?? []
      })

function summed(context: Context, entity: string, cell: Cell, use: Use): Total | null {
  const field = fieldOf(context, entity, cell)
  if (field === null) return null
  const { type } = field
  if (!isSummable(type)) {
    const words = typeWords(type, named => context.schema.get(named)?.name ?? named)
    if (type.kind !== 'error')
      reporter(screenCodes, section, context.found).report('N1222', cell, { kind: 'total', type: words })
    return null
  }
  const of = readAt(context, cell, { section, entity }, null, use)
  if (of === null) return null
  const figure = { cell, kind: 'sum', entity, of, where: null, type } as const
  return { cell, field: field.key, measure: { cell, name: null, figure, whole: null } }
}

function measured(context: Context, entity: string, cell: Cell, use: Use): Total | null {
  const measure = readMeasure(context, cell, { entity, use })
  if (measure === null) return null
  const field = columnOf(context, entity, measure)
  if (field !== null) return { cell, field, measure }
  const why = 'it stands under no column; say with `as` under which, by the name of a field'
  reporter(screenCodes, section, context.found).report('N1221', cell, { measure: cell.text, why })
  return null
}

/** The field that it is named by, else the one that it measures. */
function columnOf(context: Context, entity: string, { name, figure }: Measure): string | null {
  const { fields } = context.schema.get(entity)!
  if (name !== null) return fields.has(keyOf(name)) ? keyOf(name) : null
  const { root } = figure.of ?? {}
  const [step, further] = root?.op === 'field' && root.path.base === 'own' ? root.path.steps : []
  return further === undefined ? (step?.field ?? null) : null
}
