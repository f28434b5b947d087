/** A field that is not there is told in the same words, whichever heading names it. */
import { type Fix, reporter } from '../../document/diagnostic.ts'
import { didYouMean } from '../../document/nearest.ts'
import type { Cell } from '../../document/source.ts'
import type { EntityShape } from '../../expression/type.ts'
import type { Context } from '../context.ts'
import { writeNearest } from '../names.ts'
import { entityCodes } from './codes.ts'
import { knownFields } from './shape.ts'

/** Always null, for whoever goes on without it. `known`: all that may stand there. */
export function noField(
  context: Context,
  section: number,
  shape: EntityShape,
  cell: Cell,
  known: readonly string[] = [...shape.fields.keys()],
): null {
  const isError = context.errors.all.has(cell.text)
  const meant = isError ? '; is the cell before it missing?' : didYouMean(cell.text, known)
  reporter(entityCodes, section, context.found).report(
    'N1304',
    cell,
    { entity: shape.name, field: cell.text, meant, known: knownFields(shape) },
    { fixes: isError ? [cellBefore(cell)] : writeNearest(cell, known) },
  )
  return null
}

/** An error of the catalogue where a field belongs stands one cell too early. */
const cellBefore = ({ file, start }: Cell): Fix => ({
  title: 'put an empty cell before it',
  edits: [{ span: { file, start, end: start }, text: '| ' }],
})

/** The key of the field that a cell names; null after a report. */
export const fieldKey = (context: Context, section: number, shape: EntityShape, cell: Cell): string | null =>
  shape.fields.has(cell.text) ? cell.text : noField(context, section, shape, cell)
