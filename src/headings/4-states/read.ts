/** Heading 4 into the model. Everything that its cells may name must be declared, and all shapes known. */
import { codeless, splitAt, splitCell } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { didYouMean } from '../../document/nearest.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import { keyOf } from '../../expression/names.ts'
import type { Type } from '../../expression/type.ts'
import { raise } from '../8-errors/read.ts'
import { type Context, cellOrNull, notYet, readAt, readSaid, saysNothing } from '../context.ts'
import { bothPlaces, evened, names, writeOneOf } from '../names.ts'
import { type ActPlace, readActs } from './acts.ts'
import { stateCodes } from './codes.ts'
import type { StateDraft, StepRow, TimerRow, WorkflowDraft } from './declare.ts'
import { readAsks, readLocks } from './fields.ts'
import type { State, Timer, Transition, Workflow } from './model.ts'
import { readWho } from './who.ts'

const section = 4
const yesNo: Type = { kind: 'yes/no' }

export function readWorkflows(context: Context): ReadonlyMap<string, Workflow> {
  const workflows = new Map<string, Workflow>()
  for (const draft of context.workflows.values()) {
    // Without states there is nothing that a record could be in: what is wrong with that was reported.
    if (draft.states.all.size === 0) continue
    const states = [...draft.states.all.values()].map(state => readState(context, draft, state))
    const workflow: Workflow = {
      entity: draft.entity,
      cell: draft.cell,
      states,
      start: states.find(state => state.kind === 'start')?.name ?? states[0]?.name ?? '',
      transitions: draft.stepRows.flatMap(row => readTransition(context, draft, row)),
      timers: readTimers(context, draft),
    }
    workflows.set(draft.entity, workflow)
  }
  return workflows
}

function readState(context: Context, draft: WorkflowDraft, { name, cell, was: before, row }: StateDraft): State {
  const kind = cellOrNull(row.cell('Kind'))
  const meaning = cellOrNull(row.cell('Meaning'))
  const was = before === null ? null : evened(before.text)
  const locks = readLocks(context, draft.entity, row.cell('Locks'))
  if (kind === null) return { name, cell, was, kind: null, locks, meaning }
  const word = kind.text.toLowerCase()
  if (word === 'start' || word === 'end') return { name, cell, was, kind: word, locks, meaning }
  const open = nothing(kind)
  if (open === null) {
    const { report } = reporter(stateCodes, section, context.found)
    const fixes = writeOneOf(kind, ['start', 'end'])
    report('N1410', kind, { kind: kind.text, meant: didYouMean(kind.text, ['start', 'end']) }, { fixes })
  }
  return { name, cell, was, kind: null, locks, meaning }
}

function readTransition(context: Context, draft: WorkflowDraft, row: StepRow): readonly Transition[] {
  const cell = row.cell('Transition')!
  const key = keyOf(cell.text)
  if (key === '') return []
  const name = evened(cell.text)
  // A block may lack a key that a table's header must have; the step's name is then the nearest place.
  const asked = (column: 'From' | 'To' | 'Who') => row.cell(column) ?? { ...cell, text: '' }
  const open = (what: string, consequence: string) => ({ section, what: `${what} of *${name}*`, consequence })
  const from = readSaid(context, asked('From'), open('the states', 'it can be taken in none'), from =>
    readStates(draft, from),
  )
  const to = readSaid(
    context,
    asked('To'),
    open('the goal', 'it stays closed'),
    to => draft.states.find(to)?.name ?? null,
  )
  const who = readSaid(context, asked('Who'), open('the people', 'nobody can take it'), who =>
    readWho(context, draft, who, name),
  )
  const whenCell = row.cell('When')
  const when =
    whenCell === null || saysNothing(whenCell)
      ? null
      : readSaid(context, whenCell, open('the condition', 'it stays closed'), condition =>
          readAt(
            context,
            condition,
            { section, entity: draft.entity },
            yesNo,
            `*${name}* stays closed where it decides`,
          ),
        )
  return [
    {
      key,
      name,
      cell,
      from,
      fromCell: asked('From'),
      to,
      who,
      when,
      asks: readAsks(context, draft, row.cell('Asks'), name),
      // biome-ignore lint/suspicious/noThenProperty: Then is a column of the document; its value is a list, never a function
      then: readActs(context, actsOf(draft, 'step', name), row.cell('Then')),
      error: readError(context, draft, row.cell('Error'), name),
      meaning: cellOrNull(row.cell('Meaning')),
    },
  ]
}

const actsOf = ({ entity }: WorkflowDraft, of: ActPlace['of'], name: string): ActPlace => ({
  entity,
  about: null,
  old: false,
  of,
  name,
})

/** What a step is refused with where Who or When does. */
function readError(context: Context, draft: WorkflowDraft, cell: Cell | null, name: string): Transition['error'] {
  if (cell === null || saysNothing(cell)) return null
  const open = { section, what: `the error of *${name}*`, consequence: 'people read a message that is always the same' }
  return readSaid(context, cell, open, written => raise(context, codeless(written), draft.entity))
}

/** States parted by commas; null when one of them does not resolve. */
function readStates(draft: WorkflowDraft, cell: Cell): readonly string[] | null {
  const found = splitCell(cell, ',').map(piece => draft.states.find(piece))
  return found.includes(null) ? null : found.map(state => state!.name)
}

function readTimers(context: Context, draft: WorkflowDraft): readonly Timer[] {
  const { report } = reporter(stateCodes, section, context.found)
  const known = names<Timer>(context.found, {
    twice: (cell, first) =>
      report('N1418', cell, { entity: draft.entityName, name: cell.text }, bothPlaces(cell, first)),
    unknown: () => undefined,
  })
  for (const row of draft.timerRows) {
    const timer = readTimer(context, draft, row)
    if (timer !== null) known.declare(timer.cell, timer.name, timer)
  }
  return [...known.all.values()]
}

/** Null where the timer can never fire: an end is left open, or wrong and reported. */
function readTimer(context: Context, draft: WorkflowDraft, row: TimerRow): Timer | null {
  const cell = row.cell('Timer')!
  const name = evened(cell.text)
  if (name === '') return null
  const open = (what: string) => ({ section, what: `${what} of timer ${name}`, consequence: 'it never fires' })
  const asked = (column: 'While' | 'At') => row.cell(column) ?? { ...cell, text: '' }
  const states = readSaid(context, asked('While'), open('the states'), written => readStates(draft, written))
  const at = readSaid(context, asked('At'), open('the time'), written => readTime(context, draft, written, name))
  const then = readActs(context, actsOf(draft, 'timer', name), row.cell('Then'))
  if ('unspecified' in states || 'unspecified' in at) return null
  return { key: keyOf(name), name, cell, while: states, ...at, then, meaning: cellOrNull(row.cell('Meaning')) }
}

/** `due_back - 2 days` at 09:00, or a moment. */
function readTime(context: Context, draft: WorkflowDraft, cell: Cell, name: string): Pick<Timer, 'at' | 'time'> | null {
  const { report } = reporter(stateCodes, section, context.found)
  if (/^every\b/i.test(cell.text)) {
    notYet(context, section, cell, 'timers that come back (`every …`)')
    return null
  }
  const parts = splitAt(cell, 'at')
  const when = codeless(parts?.before ?? cell)
  const at = readAt(
    context,
    when,
    { section, entity: draft.entity },
    null,
    `timer ${name} is not armed where it decides`,
  )
  const time = parts === null ? null : readClock(context, parts.after)
  if (at === null || time === 'wrong') return null
  const wanted = time === null ? 'moment' : 'date'
  if (at.type.kind === wanted || at.type.kind === 'error') return { at, time }
  const found =
    at.type.kind === 'date'
      ? 'a date without a time'
      : at.type.kind === 'moment'
        ? 'a moment with a second time'
        : describe(at.type)
  const fixes =
    at.type.kind === 'date'
      ? [
          {
            title: 'write `at 09:00` after it',
            edits: [{ span: { file: cell.file, start: endOf(cell), end: endOf(cell) }, text: ' at 09:00' }],
          },
        ]
      : []
  report('N1414', when, { found }, { fixes })
  return null
}

/** Where text can be put behind a cell: after the backtick of a code span that covers it. */
const endOf = (cell: Cell): number => cell.end + (/^`+/.exec(cell.file.text.slice(cell.end))?.[0].length ?? 0)

const describe = (type: Type): string => `a value of type ${type.kind}`

function readClock(context: Context, cell: Cell): Timer['time'] | 'wrong' {
  const parts = /^(\d{1,2}):(\d\d)$/.exec(cell.text)
  const time = { hour: Number(parts?.[1]), minute: Number(parts?.[2]) }
  if (parts !== null && time.hour < 24 && time.minute < 60) return time
  const hour = /^([01]?\d|2[0-3])(?:\s*h)?$/.exec(cell.text)?.[1]
  const fixes = hour === undefined ? [] : [writeInstead(cell, `${hour.padStart(2, '0')}:00`)]
  reporter(stateCodes, section, context.found).report('N1415', cell, { time: cell.text }, { fixes })
  return 'wrong'
}
