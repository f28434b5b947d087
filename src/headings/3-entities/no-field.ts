/** A field that is not there is told in the same words, whichever heading names it. */
import { type Fix, reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { didYouMean } from '../../document/nearest.ts'
import type { Cell } from '../../document/source.ts'
import { type EntityShape, namesIn } from '../../expression/type.ts'
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
  known: readonly string[] = namesIn(shape),
): null {
  const isError = context.errors.all.has(cell.text)
  // `lines.item`: rows are meant by their field alone.
  const [, ofRow = ''] = cell.text.split('.')
  const isOfRow = !shape.fields.has(ofRow) && known.includes(ofRow)
  const meant = isError
    ? '; is the cell before it missing?'
    : isOfRow
      ? `; write \`${ofRow}\` alone`
      : didYouMean(cell.text, known)
  reporter(entityCodes, section, context.found).report(
    'N1304',
    cell,
    { entity: shape.name, field: cell.text, meant, known: knownFields(shape) },
    { fixes: isError ? [cellBefore(cell)] : isOfRow ? [writeInstead(cell, ofRow)] : writeNearest(cell, known) },
  )
  return null
}

/** An error of the catalogue where a field belongs stands one cell too early. */
const cellBefore = ({ file, start }: Cell): Fix => ({
  title: 'put an empty cell before it',
  kind: 'insert cell',
  edits: [{ span: { file, start, end: start }, text: '| ' }],
})

/** The key of the field that a cell names; null after a report. */
export const fieldKey = (context: Context, section: number, shape: EntityShape, cell: Cell): string | null =>
  shape.fields.has(cell.text) ? cell.text : noField(context, section, shape, cell)

/** A field of the record, or of its child rows. */
export function fieldOrOfRows(
  context: Context,
  section: number,
  entity: string,
  cell: Cell,
): { readonly entity: string; readonly child: string | null } | null {
  const shape = context.schema.get(entity)!
  if (shape.fields.has(cell.text)) return { entity, child: null }
  const lists = [...shape.fields.values()].flatMap(({ key, type }) =>
    type.kind === 'list' && context.typed.get(type.entity)?.parent?.key === entity
      ? [{ key, entity: type.entity }]
      : [],
  )
  const list = lists.find(child => context.schema.get(child.entity)?.fields.has(cell.text))
  if (list !== undefined) return { entity: list.entity, child: list.key }
  // A list whose type could not be read may have the field.
  if ([...shape.fields.values()].some(({ type }) => type.kind === 'error')) return null
  const known = [shape, ...lists.map(child => context.schema.get(child.entity)!)].flatMap(({ fields }) => [
    ...fields.keys(),
  ])
  return noField(context, section, shape, cell, known)
}
