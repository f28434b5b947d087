/** Timers of heading 4 that look for their records (`every weekday at 06:00 for each Loan where due_back < today`), or are about none. */
import { after, codeless, splitAt } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import { codeOf } from '../../expression/names.ts'
import { type Context, cellOrNull, readSpecified, saysNothing } from '../context.ts'
import { open, use } from '../gaps/gap.ts'
import { evened } from '../names.ts'
import type { Specified } from '../specified.ts'
import { readActs } from './acts.ts'
import { stateCodes } from './codes.ts'
import { findStates, reportNoRecords, type TimerRow } from './declare.ts'
import { readMissed } from './missed.ts'
import type { Act, Missed, Sweep, Target, Timer } from './model.ts'
import { readTarget } from './targets.ts'
import { distinct, readRhythm, readTimerWhen } from './timers.ts'

const section = 4

/** Timers with `for each`, of the whole document; `timers` are the others. */
export const readSweeps = (context: Context, timers: readonly Timer[]): readonly Sweep[] =>
  distinct(
    context,
    context.sweepRows.flatMap(row => readSweep(context, row) ?? []),
    timers,
  )

/** Null where it can never fire: something is wrong with it and reported, or left open. */
function readSweep(context: Context, row: TimerRow): Sweep | null {
  const cell = row.cell('Timer')!
  const name = evened(cell.text)
  const at = row.cell('At')!
  const { at: said, missed } = readMissed(context, at)
  const again = after(said, 'every')!
  const parts = splitAt(again, 'for each')
  if (name === '') return null
  if (parts === null) return readAlone(context, row, again, missed)
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
  const known = { key: codeOf(name), name, cell, entity, alone: false, at: every, missed }
  return { ...known, where, while: states, when, then, meaning }
}

/** A timer of the document itself. */
function readAlone(context: Context, row: TimerRow, again: Cell, missed: Missed | null | false): Sweep | null {
  const cell = row.cell('Timer')!
  const name = evened(cell.text)
  const at = row.cell('At')!
  // Nobody could tell whose records those of one tenant are.
  if (context.tenant !== null || !saysNothing(row.cell('While') ?? { ...cell, text: '' })) {
    reportNoRecords(context, row)
    return null
  }
  const rhythm = readRhythm(context, at, again)
  const when = readTimerWhen(context, null, row.cell('When'), name)
  const then = readActs(context, { entity: null, about: null, old: false, of: 'timer', name }, row.cell('Then'))
  const [entity] = then.flatMap(entityOf)
  if (rhythm === null || missed === false || entity === undefined) return null
  const known = { key: codeOf(name), name, cell, entity, alone: true, at: { cell: at, rhythm }, missed }
  return { ...known, where: null, while: null, when, then, meaning: cellOrNull(row.cell('Meaning')) }
}

const entityOf = (act: Act): readonly string[] => {
  if (act.kind === 'create') return [act.entity]
  if (act.kind === 'do') return [act.on.entity]
  return 'of' in act && act.of !== null ? [act.of.entity] : []
}

function readRecords(context: Context, cell: Cell, name: string): Extract<Target, { kind: 'records' }> | null {
  const { report } = reporter(stateCodes, section, context.found)
  const records = codeless(cell)
  if (!/^\(?\s*\p{Lu}/u.test(records.text)) {
    report('N1435', records, { found: `\`${records.text}\``, why: 'it names no entity' })
    return null
  }
  const of = readTarget(context, records, { section, entity: null }, use('timerFinds', { timer: name }))
  return of?.kind === 'records' ? of : null
}

/** States beside `for each`: its records are in one of them. */
function readWhile(
  context: Context,
  entity: string,
  cell: Cell | null,
  name: string,
): Specified<readonly string[]> | null {
  if (cell === null || saysNothing(cell)) return null
  return readSpecified(context, cell, open(section, 'timerWhile', { timer: name }), written =>
    findStates(context, entity, written),
  )
}
