/** Who may open which screen, worked out from the document's cells as `oracle/` does. Null: it leaves that to an assumption. */
import type { Type } from '../expression/type.ts'
import type { Screen } from '../headings/2-screens/model.ts'
import { isUnspecified } from '../headings/specified.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { isNone, isOpen, pieces } from './oracle/cells.ts'
import { changes, gives, type Judge, names, neverCreates, rowsOf, sees, seesField, toldOf } from './oracle/rights.ts'
import { type Case, isTold, type Whose } from './trial.ts'

/** A screen whose address names no record. */
export function opensScreen({ app, world }: Omit<Whose, 'entity'>, screen: Screen): boolean | null {
  const { actor } = world
  if (!isFor(screen, actor)) return false
  if (isUnspecified(screen.shows)) return true
  const { entity } = screen.shows
  const kind = kindOf(screen)
  // Answers are kept from page to page, which only somebody's can be.
  if (kind?.entry === 'steps' && actor.id === null) return false
  const placedBy = kind?.standsOn?.(screen.shows) ?? []
  if (entity === null || (placedBy.length === 0 && kind?.entry === undefined)) return true
  if (!isTold(app, entity)) return null
  const one = { app, world, entity }
  if (placedBy.length === 0) return !neverCreates(one)
  const isPlaced = placedBy.every(field => {
    const lines = toldOf(one).lines.get(field) ?? []
    return lines.length === 0 || lines.some(line => rowsOf(one).some(row => names(line('See'), row)))
  })
  // Days are there, whatever is placed on them.
  return isPlaced || kind?.showing === undefined ? isPlaced : null
}

/** One whose address names this record, by this field. */
export function opensRecord(one: Case, screen: Screen, field: string): boolean | null {
  const { actor } = one.world
  if (!isFor(screen, actor)) return false
  if (!isTold(one.app, one.entity)) return null
  const named = one.app.entities.get(one.entity)!.fields.find(({ key }) => key === field)
  if (!sees(one) || (named !== undefined && !seesField(one, named))) return false
  return kindOf(screen)?.entry === undefined ? true : actor.id !== null && changes(one)
}

/** Whether a column of a list stands there for this person: on some record they may see the field. Null: records tell, and not the roles. */
export function seesColumn(one: Whose, key: string): boolean | null {
  const field = one.app.entities.get(one.entity)!.fields.find(candidate => candidate.key === key)
  if (field === undefined && key !== 'state') return null
  if (field !== undefined && (field.hidden !== null || fieldKind(field.kind).sealed)) return false
  if (field?.type.kind === 'values' || field?.type.kind === 'list') return null
  const lines = toldOf(one).lines.get(key) ?? []
  return (
    lines.length === 0 ||
    lines.some(
      line =>
        !isOpen(line('When')?.text ?? '') && rowsOf(one).some(row => names(line('See'), row) && gives(row, 'See')),
    )
  )
}

/** Whether a value names a record that somebody does not see: to them all of those are one. People are told by name. */
export function namesUnseen({ app, world }: Omit<Whose, 'entity'>, type: Type, value: unknown): boolean {
  if (type.kind !== 'reference' || type.entity === 'person' || !isTold(app, type.entity)) return false
  const record = world.record(type.entity, String(value))
  return record !== undefined && !sees({ app, world, entity: type.entity, record } as Case)
}

/** What the column For says of this person. */
export function isFor({ for: audience }: Screen, { id, roles }: Judge['actor']): boolean {
  if (isUnspecified(audience)) return false
  const { text } = audience.cell
  if (isNone(text)) return false
  if (/^everyone$/i.test(text)) return true
  return id !== null && (/^everyone signed[ -]in$/i.test(text) || pieces(text, ',').some(role => roles.includes(role)))
}
