/** Records that refer to one, as far as somebody sees them. */
import type { Cell } from '../document/source.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import { isArchived } from '../run/access/archived.ts'
import { isNone, keyOf, pieces } from './oracle/cells.ts'
import * as oracle from './oracle/rights.ts'
import { type Case, isTold } from './trial.ts'

/** So many are shown of each list. */
const shownOfEach = 10

/** How many are shown of each field that refers to it, without those of which there are none; null: it cannot be told. */
export function referring(one: Case, said: Cell | null): readonly number[] | null {
  const { app, world, entity } = one
  const all = [...app.entities.values()]
  const chosen =
    said === null
      ? all.filter(({ partOf }) => partOf === null)
      : isNone(said.text)
        ? []
        : pieces(said.text, ',').flatMap(name => all.find(({ key }) => key === keyOf(name)) ?? [])
  const counts: number[] = []
  for (const of of chosen)
    for (const field of of.fields) {
      if (field.type.kind !== 'reference' && field.type.kind !== 'list') continue
      if (field.type.entity !== entity || field.hidden !== null || field.computed !== null) continue
      if (field.type.kind === 'list') return null
      if (!isTold(app, of.partOf ?? of.key)) return null
      const rows = world.records(of.key).filter(record => {
        const its = { app, world, entity: of.key, record }
        return record[field.key] === one.record.id && !isArchived(record) && seesRow(its, of, field)
      })
      if (rows.length > 0) counts.push(Math.min(rows.length, shownOfEach))
    }
  return counts
}

/** A row is seen with the record that it is part of, where its list is. */
function seesRow(its: Case, of: Entity, field: Field): boolean {
  if (!oracle.seesField(its, field)) return false
  if (of.partOf === null) return oracle.sees(its)
  const { app, world } = its
  const whole = world.record(of.partOf, String(its.record[app.schema.get(of.key)!.parent!]))
  if (whole === undefined || isArchived(whole)) return false
  const above = { app, world, entity: of.partOf, record: whole }
  const lists = app.entities.get(of.partOf)!.fields.filter(({ type }) => type.kind === 'list' && type.entity === of.key)
  return oracle.sees(above) && lists.some(list => oracle.seesField(above, list))
}
