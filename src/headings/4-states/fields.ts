/** Cells of heading 4 that name fields of the entity: Asks of steps, Locks of states. */
import { codeless, slice, splitAt, trimmed } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import { fieldKey } from '../3-entities/no-field.ts'
import { type Context, cellOrNull, readList, saysNothing } from '../context.ts'
import { open } from '../gaps/gap.ts'
import { misspelt, writeNearest } from '../names.ts'
import { stateCodes } from './codes.ts'
import type { WorkflowDraft } from './declare.ts'
import type { AskedField, Lock } from './model.ts'

const section = 4

/** `reason required, photo`: in order; what is not understood is reported and left out. */
export function readAsks(
  context: Context,
  draft: WorkflowDraft,
  cell: Cell | null,
  step: string,
): readonly AskedField[] {
  if (cell === null || saysNothing(cell)) return []
  const { report } = reporter(stateCodes, section, context.found)
  const shape = context.schema.get(draft.entity)
  const asked: AskedField[] = []
  for (const piece of readList(context, cell, ',', open(section, 'stepAsks', { step }))) {
    const plain = codeless(piece)
    const end = /\s/.exec(plain.text)?.index ?? plain.text.length
    const field = codeless(slice(plain, 0, end))
    const word = trimmed(slice(plain, end))
    const key = shape === undefined ? null : fieldKey(context, section, shape, field)
    const required = word.text.toLowerCase() === 'required'
    const near = misspelt(word, ['required'])
    if (word.text !== '' && !required && (key !== null || near !== null)) {
      report(
        'N1423',
        word,
        { word: word.text, meant: near === null ? '' : '; did you mean `required`?' },
        { fixes: near === null ? [] : writeNearest(word, ['required']) },
      )
    }
    if (key === null) continue
    const first = asked.find(one => one.field === key)
    if (first === undefined) asked.push({ field: key, required, cell: piece })
    else report('N1424', piece, { step, field: key }, { related: [{ span: first.cell, message: 'first here' }] })
  }
  return asked
}

/** `all`, `all except remarks`, or fields; null where the state locks nothing. */
export function readLocks(context: Context, entity: string, cell: Cell | null): Lock | null {
  const said = cellOrNull(cell)
  const shape = context.schema.get(entity)
  if (said === null || shape === undefined) return null
  const parts = splitAt(said, 'except')
  const isAll = codeless(parts?.before ?? said).text.toLowerCase() === 'all'
  if (parts !== null && !isAll) {
    reporter(stateCodes, section, context.found).report('N1426', parts.before, { locks: parts.before.text })
    return null
  }
  if (isAll && parts === null) return { kind: 'all', except: [], cell: said }
  const fields = readList(context, parts?.after ?? said, ',', open(section, 'locks')).flatMap(
    piece => fieldKey(context, section, shape, codeless(piece)) ?? [],
  )
  if (isAll) return { kind: 'all', except: fields, cell: said }
  return fields.length === 0 ? null : { kind: 'fields', fields, cell: said }
}
