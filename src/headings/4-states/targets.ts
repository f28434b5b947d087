/** Which records an act is about: `fine`, `lines`, `(Booking where piece = this.piece)`, `first(Booking where … order by created_at)`. */
import { after, codeless, slice, splitAt, trimmed } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import type { Type } from '../../expression/type.ts'
import { readSort } from '../2-screens/fields.ts'
import { type Context, type ExpressionScope, readAt } from '../context.ts'
import type { Use } from '../gaps/gap.ts'
import { evened } from '../names.ts'
import { stateCodes } from './codes.ts'
import type { Target } from './model.ts'

const section = 4
const yesNo: Type = { kind: 'yes/no' }

/** Null after a report. `place`: where the act is written. */
export function readTarget(context: Context, cell: Cell, place: ExpressionScope, use: Use): Target | null {
  const behind = after(codeless(cell), 'first')
  const first = behind !== null && /^(\(|\p{Lu}|other\b)/u.test(behind.text)
  const inner = unbracketed(first ? behind : cell)
  const others = after(inner, 'other')
  const named = others ?? inner
  if (/^\p{Lu}/u.test(named.text))
    return readRecords(context, cell, named, { other: others !== null, first }, place, use)
  if (first) {
    reporter(stateCodes, section, context.found).report('N1427', cell, { found: cell.text })
    return null
  }
  const path = readAt(context, inner, place, null, use)
  if (path === null) return null
  const { type } = path
  if (type.kind === 'reference' || type.kind === 'list') return { kind: 'path', path, entity: type.entity, cell }
  if (type.kind !== 'error') reporter(stateCodes, section, context.found).report('N1427', inner, { found: inner.text })
  return null
}

/** `Booking where piece = this.piece order by created_at`, the brackets around it taken off. */
function readRecords(
  context: Context,
  cell: Cell,
  named: Cell,
  { other, first }: { readonly other: boolean; readonly first: boolean },
  place: ExpressionScope,
  use: Use,
): Target | null {
  const ordered = splitAt(named, 'order by')
  const asked = ordered?.before ?? named
  const parts = splitAt(asked, 'where')
  const name = parts?.before ?? asked
  const entity = context.entities.find({ ...name, text: evened(name.text.replaceAll('_', ' ')) })
  if (entity === null) return null
  const own = place.about ?? place.entity
  if (other && own !== entity.key) {
    reporter(stateCodes, section, context.found).report('N1427', cell, { found: cell.text })
    return null
  }
  if (ordered === null ? first : ordered.after.text === '') {
    const span = { file: named.file, start: asked.end, end: named.end }
    const fixes = [{ title: 'write `order by created_at`', edits: [{ span, text: ' order by created_at' }] }]
    reporter(stateCodes, section, context.found).report('N1447', cell, { entity: entity.name }, { fixes })
    return null
  }
  const order = readSort(context, entity.key, ordered?.after ?? null, section)
  if (ordered !== null && order.length === 0) return null
  const records = { kind: 'records', other, order, first, entity: entity.key, cell } as const
  if (parts === null) return { ...records, where: null }
  const { records: names, locals, naming } = place
  const inside: ExpressionScope = {
    section,
    entity: entity.key,
    ...(own === null ? {} : { about: own }),
    ...(names === undefined ? {} : { records: names }),
    ...(locals === undefined ? {} : { locals }),
    ...(naming === undefined ? {} : { naming }),
  }
  const where = readAt(context, parts.after, inside, yesNo, use)
  return where === null ? null : { ...records, where }
}

function unbracketed(cell: Cell): Cell {
  const plain = codeless(cell)
  if (!plain.text.startsWith('(') || !plain.text.endsWith(')')) return plain
  return codeless(trimmed(slice(plain, 1, plain.text.length - 1)))
}
