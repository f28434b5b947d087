/** Timers of heading 4 that look for their records: `every weekday at 06:00 for each Loan where due_back < today`. */
import { after, codeless, splitAt, splitCell } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import { keyOf } from '../../expression/names.ts'
import { type Context, cellOrNull, readSaid, saysNothing } from '../context.ts'
import { bothPlaces, evened } from '../names.ts'
import type { Said } from '../said.ts'
import { readActs } from './acts.ts'
import { stateCodes } from './codes.ts'
import { findState, type TimerRow } from './declare.ts'
import { readMissed } from './missed.ts'
import type { Sweep, Target, Workflow } from './model.ts'
import { readTarget } from './targets.ts'
import { readRhythm, readTimerWhen } from './timers.ts'

const section = 4

/** Timers with `for each`, of the whole document. */
export function readSweeps(context: Context, workflows: ReadonlyMap<string, Workflow>): readonly Sweep[] {
  const { report } = reporter(stateCodes, section, context.found)
  const known = new Map<string, Cell>()
  for (const { entity, timers } of workflows.values())
    for (const { key, cell } of timers) known.set(`${entity} ${key}`, cell)
  return context.sweepRows.flatMap(row => {
    const sweep = readSweep(context, row)
    if (sweep === null) return []
    const { entity, key, cell, name } = sweep
    const first = known.get(`${entity} ${key}`)
    if (first !== undefined) {
      const of = context.entityByKey.get(entity)!.name
      report('N1418', cell, { entity: of, name }, bothPlaces(cell, first))
      return []
    }
    known.set(`${entity} ${key}`, cell)
    return [sweep]
  })
}

/** Null where it can never fire: something is wrong with it and reported, or left open. */
function readSweep(context: Context, row: TimerRow): Sweep | null {
  const cell = row.cell('Timer')!
  const name = evened(cell.text)
  const at = row.cell('At')!
  const { at: said, missed } = readMissed(context, at)
  const parts = splitAt(after(said, 'every')!, 'for each')!
  if (name === '') return null
  const rhythm = readRhythm(context, at, parts.before)
  const of = readRecords(context, parts.after, name)
  if (rhythm === null || of === null || missed === false) return null
  const { entity } = of
  const states = readWhile(context, entity, row.cell('While'), name)
  const when = readTimerWhen(context, entity, row.cell('When'), name)
  const then = readActs(context, { entity, about: null, old: false, of: 'timer', name }, row.cell('Then'))
  if (states !== null && 'unspecified' in states) return null
  const meaning = cellOrNull(row.cell('Meaning'))
  const { where } = of
  const every = { cell: at, rhythm }
  return { key: keyOf(name), name, cell, entity, at: every, missed, where, while: states, when, then, meaning }
}

function readRecords(context: Context, cell: Cell, name: string): Extract<Target, { kind: 'records' }> | null {
  const { report } = reporter(stateCodes, section, context.found)
  const records = codeless(cell)
  if (!/^\(?\s*\p{Lu}/u.test(records.text)) {
    report('N1435', records, { found: `\`${records.text}\``, why: 'it names no entity' })
    return null
  }
  const of = readTarget(context, records, { section, entity: null }, `timer ${name} finds none`)
  return of?.kind === 'records' ? of : null
}

/** States beside `for each`: its records are in one of them. */
function readWhile(context: Context, entity: string, cell: Cell | null, name: string): Said<readonly string[]> | null {
  if (cell === null || saysNothing(cell)) return null
  const open = { section, what: `the states of timer ${name}`, consequence: 'it never fires' }
  return readSaid(context, cell, open, written => {
    const found = splitCell(written, ',').map(piece => findState(context, entity, piece))
    return found.includes(null) ? null : found.map(state => state!.name)
  })
}
