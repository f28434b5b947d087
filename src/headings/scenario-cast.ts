/** Who and what a scenario has introduced, and the values that its rows write. */
import { slice, splitAt, splitCell, trimmed, words } from '../document/cell.ts'
import { reporter } from '../document/diagnostic.ts'
import { didYouMean } from '../document/nearest.ts'
import type { Cell } from '../document/source.ts'
import type { Screen } from './2-screens/model.ts'
import { fieldOrOfRows } from './3-entities/no-field.ts'
import type { ScenarioValue } from './app.ts'
import { commonCodes } from './codes.ts'
import type { Context } from './context.ts'
import { writeNearest } from './names.ts'
import { checkValue, namedBySample } from './values.ts'

/** What a scenario has introduced so far: records by name → entity, people by name → role. */
export interface Cast {
  readonly records: Map<string, string>
  readonly people: Map<string, { readonly role: string | null; readonly cell: Cell }>
  /** Those of the records that are of the sample data. */
  readonly samples: Map<string, string>
  readonly screens: readonly Screen[]
  /** A row that introduces something could not be read: that a name is unknown is no news then. */
  isBroken: boolean
}

/** `Cleo the Clerk`. */
export function introduction(cell: Cell): { readonly name: string; readonly role: Cell } | null {
  const parts = splitAt(cell, 'the')
  return parts === null || parts.before.text === '' ? null : { name: parts.before.text, role: parts.after }
}

/** A name that the scenario gave to a person, and to no record. */
export const isPerson = ({ records, people }: Cast, { text }: Cell): boolean => people.has(text) && !records.has(text)

/** Somebody of the sample data, whether the scenario introduces them or not. */
export function isSamplePerson(context: Context, cell: Cell): boolean {
  const people = context.typed.get('person')
  return people !== undefined && namedBySample(people, cell)
}

export function unknownName(context: Context, cast: Cast, cell: Cell, known: Iterable<string>, section: number): void {
  if (cast.isBroken) return
  const all = [...known]
  const { report } = reporter(commonCodes, section, context.found)
  report('N1008', cell, { name: cell.text, meant: didYouMean(cell.text, all) }, { fixes: writeNearest(cell, all) })
}

/** `item CA-0001, out_on 2026-03-02, state Requested`. */
export function readValues(
  context: Context,
  cast: Cast,
  entity: string,
  cell: Cell | null,
  section: number,
): { readonly values: readonly ScenarioValue[]; readonly state: string | null } {
  const { report } = reporter(commonCodes, section, context.found)
  const values: ScenarioValue[] = []
  let state: string | null = null
  for (const piece of cell === null ? [] : splitCell(cell, ',')) {
    const [field, ...others] = words(piece)
    if (field === undefined) continue
    const value = trimmed(slice(piece, field.text.length))
    const workflow = context.workflows.get(entity)
    if (field.text === 'state' && workflow !== undefined) {
      state = workflow.states.find(value)?.name ?? null
      continue
    }
    if (others.length === 0) {
      report('N1007', piece, { expected: 'a field with a value', example: 'out_on 2026-03-02' })
      continue
    }
    const found = fieldOrOfRows(context, section, entity, field)
    if (found === null) continue
    if (found.child === null && isGivenByItself(context, entity, field.text)) {
      report('N1007', piece, { expected: 'a field that people fill', example: 'out_on 2026-03-02' })
      continue
    }
    const shape = context.schema.get(found.entity)!.fields.get(field.text)!
    const draft = context.typed.get(found.entity)!.fields.get(field.text) ?? null
    checkValue(context, shape, draft, value, section, new Set([...cast.records.keys(), ...cast.people.keys()]))
    values.push({ field: field.text, child: found.child, cell: value })
  }
  return { values, state }
}

/** What every record has without being given it; a row names the record that it is part of. */
const isGivenByItself = (context: Context, entity: string, key: string): boolean =>
  !context.typed.get(entity)!.fields.has(key) && key !== context.schema.get(entity)!.parent
