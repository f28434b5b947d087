/** `- **Groups:** model`: the lanes of a timeline that have the same in a field of what they are for stand together. */
import { codeless } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import type { Context } from '../context.ts'
import { screenCodes } from './codes.ts'
import { fieldOf } from './fields.ts'
import { reportIdle } from './idle.ts'
import { grouped, inWords } from './measures.ts'
import type { Shows } from './model.ts'

/** The field; null after a report. */
export function readLaneGroups(context: Context, cell: Cell, entity: string, { lanes }: Shows): string | null {
  const type = context.schema.get(entity)?.fields.get(lanes ?? '')?.type
  if (type?.kind !== 'reference') {
    if (type?.kind === 'choice') reportIdle(context, [['Groups', cell]], 'its lanes are values, which have no fields')
    return null
  }
  const written = codeless(cell)
  const field = fieldOf(context, type.entity, written)
  if (field === null || grouped.includes(field.type.kind)) return field?.key ?? null
  reporter(screenCodes, 2, context.found).report('N1223', written, { type: inWords(context, field.type) })
  return null
}
