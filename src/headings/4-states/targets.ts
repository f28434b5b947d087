/** Which records an act is about: `fine`, `lines`, `(Booking where piece = this.piece)`. */
import { after, codeless, slice, splitAt, trimmed } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import type { Type } from '../../expression/type.ts'
import { type Context, type Place, readAt } from '../context.ts'
import { evened } from '../names.ts'
import { stateCodes } from './codes.ts'
import type { Target } from './model.ts'

const section = 4
const yesNo: Type = { kind: 'yes/no' }

/** Null after a report. `place`: where the act is written. */
export function readTarget(context: Context, cell: Cell, place: Place, about: string): Target | null {
  const inner = unbracketed(cell)
  const others = after(inner, 'other')
  const named = others ?? inner
  if (/^\p{Lu}/u.test(named.text)) return readRecords(context, cell, named, others !== null, place, about)
  const path = readAt(context, inner, place, null, about)
  if (path === null) return null
  const { type } = path
  if (type.kind === 'reference' || type.kind === 'list') return { kind: 'path', path, entity: type.entity, cell }
  if (type.kind !== 'error') reporter(stateCodes, section, context.found).report('N1427', inner, { found: inner.text })
  return null
}

/** `Booking where piece = this.piece`, the brackets around it taken off. */
function readRecords(
  context: Context,
  cell: Cell,
  named: Cell,
  other: boolean,
  place: Place,
  about: string,
): Target | null {
  const parts = splitAt(named, 'where')
  const name = parts?.before ?? named
  const entity = context.entities.find({ ...name, text: evened(name.text.replaceAll('_', ' ')) })
  if (entity === null) return null
  const own = place.about ?? place.entity
  if (other && own !== entity.key) {
    reporter(stateCodes, section, context.found).report('N1427', cell, { found: cell.text })
    return null
  }
  if (parts === null) return { kind: 'records', where: null, other, entity: entity.key, cell }
  const inside: Place = { section, entity: entity.key, ...(own === null ? {} : { about: own }) }
  const where = readAt(context, parts.after, inside, yesNo, about)
  return where === null ? null : { kind: 'records', where, other, entity: entity.key, cell }
}

function unbracketed(cell: Cell): Cell {
  const plain = codeless(cell)
  if (!plain.text.startsWith('(') || !plain.text.endsWith(')')) return plain
  return codeless(trimmed(slice(plain, 1, plain.text.length - 1)))
}
