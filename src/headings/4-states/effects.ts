/** Rows of `| On | Of | When | Then |`: what follows from what happened to a record. */
import { splitCell } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import type { Type } from '../../expression/type.ts'
import type { Call } from '../7-calls/model.ts'
import { type Context, cellOrNull, leaveOpen, readAt, readSpecified, saysNothing } from '../context.ts'
import { open, use } from '../gaps/gap.ts'
import { readOccasion } from '../occasions.ts'
import { readActs } from './acts.ts'
import { stateCodes } from './codes.ts'
import type { EffectRow } from './declare.ts'
import type { Effect } from './model.ts'
import { eventNames } from './table.ts'

const section = 4
const yesNo: Type = { kind: 'yes/no' }

/** The effects of the whole document, in order. */
export function readEffects(context: Context): readonly Effect[] {
  return context.effectRows.flatMap(row => readEffect(context, row) ?? [])
}

/** Null where it can never happen: an end is left open, or wrong and reported. */
function readEffect(context: Context, row: EffectRow): Effect | null {
  const [cell, of] = [row.cell('On')!, row.cell('Of')!]
  if (saysNothing(cell) || saysNothing(of)) {
    if (saysNothing(cell)) leaveOpen(context, cell, open(section, 'effectOn'))
    else leaveOpen(context, of, open(section, 'effectOf'))
    return null
  }
  const entity = context.entities.find(of)
  if (entity === null) return null
  const on = splitCell(cell, ',').map(piece => occasionOf(context, entity.key, piece))
  if (on.includes(null)) return null
  const old = !on.some(one => one === 'created' || one === 'deleted')
  const whenCell = cellOrNull(row.cell('When'))
  const undone = use('effectWhen', { entity: entity.name })
  const when =
    whenCell === null
      ? null
      : readSpecified(context, whenCell, open(section, 'effectWhen'), written =>
          readAt(context, written, { section, entity: entity.key, old, code: true }, yesNo, undone),
        )
  const name = `${cell.text} ${entity.name}`
  const then = readActs(context, { entity: entity.key, about: null, old, of: 'effect', name }, row.cell('Then'))
  return { cell, entity: entity.key, on: on as string[], when, then, meaning: cellOrNull(row.cell('Meaning')) }
}

/** `created`, or the key of a step; null after a report. */
const occasionOf = (context: Context, entity: string, cell: Cell): string | null =>
  readOccasion(context, entity, cell, eventNames, (about, options) =>
    reporter(stateCodes, section, context.found).report('N1429', cell, about, options),
  )

/** Calls that leave `after Fine created` are effects without a condition; `after Loan take back` stands among the acts of the step. */
export function callEffects(calls: ReadonlyMap<string, Call>): readonly Effect[] {
  return [...calls.values()].flatMap(({ key, trigger }): readonly Effect[] => {
    if (trigger === null || 'unspecified' in trigger || !eventNames.some(known => known === trigger.step)) return []
    const { cell, entity, step } = trigger
    // biome-ignore lint/suspicious/noThenProperty: Then is a column of the document; its value is a list, never a function
    return [{ cell, entity, on: [step], when: null, then: [{ kind: 'call', call: key, cell }], meaning: null }]
  })
}
