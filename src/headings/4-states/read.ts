/** Heading 4 into the model. Everything that its cells may name must be declared, and all shapes known. */
import { after, codeless, splitAt, splitCell } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { didYouMean } from '../../document/nearest.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import type { Expression } from '../../expression/expression.ts'
import { stepKeyOf } from '../../expression/names.ts'
import type { Type } from '../../expression/type.ts'
import { checkSearches } from '../3-entities/searching.ts'
import { raise } from '../8-errors/read.ts'
import { type Context, cellOrNull, readAt, readSpecified, saysNothing } from '../context.ts'
import { open, use } from '../gaps/gap.ts'
import { evened, writeOneOf } from '../names.ts'
import { type ActPlace, readActs } from './acts.ts'
import { readApprovals } from './approvals.ts'
import { stateCodes } from './codes.ts'
import { findStates, type StateDraft, type StepRow, type WorkflowDraft } from './declare.ts'
import { readAsks, readLocks } from './fields.ts'
import type { Elsewhere, State, Transition, Workflow } from './model.ts'
import { readWho } from './who.ts'

const section = 4
const kindsOfState = ['start', 'end', 'good end', 'bad end']
const yesNo: Type = { kind: 'yes/no' }

/** Workflows by the key of their entity. */
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
      starts: [
        ...states.flatMap(({ name, begins }) => (begins == null ? [] : [{ state: name, when: begins }])),
        {
          state: (states.find(({ kind, begins }) => kind === 'start' && begins === undefined) ?? states[0]!).name,
          when: null,
        },
      ],
      transitions: draft.stepRows.flatMap(row => readTransition(context, draft, row)),
      approvals: readApprovals(context, draft),
    }
    workflows.set(draft.entity, workflow)
  }
  return workflows
}

function readState(context: Context, draft: WorkflowDraft, { name, cell, was: before, row }: StateDraft): State {
  const kind = cellOrNull(row.cell('Kind'))
  const meaning = cellOrNull(row.cell('Meaning'))
  const was = before === null ? [] : readBefore(context, draft, before)
  const locks = readLocks(context, draft.entity, row.cell('Locks'))
  if (kind === null) return { name, cell, was, kind: null, locks, meaning }
  const word = kind.text.toLowerCase()
  if (word === 'start' || word === 'end') return { name, cell, was, kind: word, locks, meaning }
  const condition = after(kind, 'start when')
  if (condition !== null)
    return { name, cell, was, kind: 'start', begins: readStart(context, draft, name, condition), locks, meaning }
  if (word === 'good end') return { name, cell, was, kind: 'end', outcome: 'good', locks, meaning }
  if (word === 'bad end') return { name, cell, was, kind: 'end', outcome: 'bad', locks, meaning }
  const said = nothing(kind)
  if (said === null) {
    const { report } = reporter(stateCodes, section, context.found)
    const fixes = writeOneOf(kind, kindsOfState)
    report('N1410', kind, { kind: kind.text, meant: didYouMean(kind.text, kindsOfState) }, { fixes })
  }
  return { name, cell, was, kind: null, locks, meaning }
}

/** `start when urgent`: asked of a new record before anything else is decided of it. */
function readStart(context: Context, draft: WorkflowDraft, name: string, written: Cell): Expression | null {
  const { entity } = draft
  const condition = codeless(written)
  const read = checkSearches(
    context,
    entity,
    readAt(context, condition, { section, entity }, yesNo, use('stateStart', { state: name })),
  )
  const fields = context.typed.get(entity)?.fields
  const [late] = (read?.reads ?? []).flatMap(path => {
    const field = fields?.get(path.split('.')[0]!)
    const isLate = field?.kind.entered === false || field?.rules.has('assigned from') === true
    return path === 'state' || isLate ? [path.split('.')[0]!] : []
  })
  if (read === null || late === undefined) return read
  reporter(stateCodes, section, context.found).report('N1476', condition, { field: late })
  return null
}

/** `Returned (was Back, Lost)`: records in these states come to this one. None of them is a state any more. */
function readBefore(context: Context, draft: WorkflowDraft, cell: Cell): readonly string[] {
  const { report } = reporter(stateCodes, section, context.found)
  return splitCell(cell, ',').flatMap(piece => {
    const name = evened(piece.text)
    const still = draft.states.all.get(name)
    if (still === undefined) return [name]
    report('N1440', piece, { state: name }, { related: [{ span: still.cell, message: 'here' }] })
    return []
  })
}

function readTransition(context: Context, draft: WorkflowDraft, row: StepRow): readonly Transition[] {
  const cell = row.cell('Transition')!
  const key = stepKeyOf(cell.text)
  if (key === '') return []
  const name = evened(cell.text)
  // A block may lack a key that a table's header must have; the step's name is then the nearest place.
  const asked = (column: 'From' | 'To' | 'Who') => row.cell(column) ?? { ...cell, text: '' }
  const step = { step: name }
  const from = readSpecified(context, asked('From'), open(section, 'stepFrom', step), from =>
    findStates(context, draft.entity, from),
  )
  const to = readSpecified(
    context,
    asked('To'),
    open(section, 'stepTo', step),
    to => draft.states.find(to)?.name ?? null,
  )
  const who = readSpecified(context, asked('Who'), open(section, 'stepWho', step), who =>
    readWho(context, draft, who, name),
  )
  const whenCell = row.cell('When')
  const when =
    whenCell === null || saysNothing(whenCell)
      ? null
      : readSpecified(context, whenCell, open(section, 'stepWhen', step), condition =>
          readAt(context, condition, { section, entity: draft.entity, code: 'by parts' }, yesNo, use('stepWhen', step)),
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
      then: readActs(context, { ...actsOf(draft, 'step', name), old: true }, row.cell('Then')),
      ...readErrors(context, draft, row.cell('Error'), name),
      undo: readUndo(context, row.cell('Undo')),
      meaning: cellOrNull(row.cell('Meaning')),
    },
  ]
}

const secondsOf = { second: 1, minute: 60, hour: 3600 } as const
const longestUndo = 24 * secondsOf.hour

/** `30 seconds`. */
function readUndo(context: Context, cell: Cell | null): Transition['undo'] {
  if (cell === null || saysNothing(cell)) return null
  const [, count, unit = ''] = /^(\d{1,5})\s*(second|minute|hour)s?$/i.exec(codeless(cell).text) ?? []
  const seconds = Number(count) * (secondsOf[unit.toLowerCase() as keyof typeof secondsOf] ?? 0)
  if (seconds > 0 && seconds <= longestUndo) return { cell, seconds }
  reporter(stateCodes, section, context.found).report('N1477', cell, { found: cell.text })
  return null
}

const actsOf = ({ entity }: WorkflowDraft, of: ActPlace['of'], name: string): ActPlace => ({
  entity,
  about: null,
  old: false,
  of,
  name,
})

/** `E-LIMIT; E-CUT in Closed, Sent`: what a step is refused with where Who or When does, and in states that it does not lead from. */
function readErrors(
  context: Context,
  draft: WorkflowDraft,
  cell: Cell | null,
  name: string,
): Pick<Transition, 'error' | 'elsewhere'> {
  if (cell === null || saysNothing(cell)) return { error: null, elsewhere: [] }
  let error: Transition['error'] = null
  const elsewhere: Elsewhere[] = []
  for (const piece of splitCell(cell, ';')) {
    const parts = splitAt(piece, 'in')
    if (parts === null) {
      error = readSpecified(context, piece, open(section, 'stepError', { step: name }), written =>
        raise(context, codeless(written), draft.entity),
      )
      continue
    }
    const code = raise(context, codeless(parts.before), draft.entity)
    const states = parts.after.text === 'other states' ? null : findStates(context, draft.entity, parts.after)
    const isRead = states !== null || parts.after.text === 'other states'
    if (code !== null && isRead) elsewhere.push({ cell: piece, error: code, states })
  }
  return { error, elsewhere }
}
