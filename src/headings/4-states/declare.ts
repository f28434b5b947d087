/** States and steps by name, before anything that names them is read. */
import { after, codeless, renamed, splitAt, splitCell } from '../../document/cell.ts'
import { type NamedRow, rowOf } from '../../document/columns.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { didYouMean } from '../../document/nearest.ts'
import type { Cell } from '../../document/source.ts'
import type { Subject } from '../../document/tree.ts'
import { codeOf, isShadowed, stepKeyOf, stepWord } from '../../expression/names.ts'
import { blockKind } from '../blocks.ts'
import { facts } from '../cascades/facts.ts'
import { type Context, documentReporter, listed, readTables, sectionsOf } from '../context.ts'
import { bothPlaces, evened, type Names, names, writeOneOf } from '../names.ts'
import { stateCodes } from './codes.ts'
import { approvals, effects, states, timers, transitions } from './table.ts'

const section = 4

export interface StateDraft {
  readonly name: string
  readonly cell: Cell
  readonly was: Cell | null
  readonly row: NamedRow<'State' | 'Kind' | 'Locks' | 'Meaning'>
}

interface StepDraft {
  readonly key: string
  readonly name: string
  readonly cell: Cell
}

export type StepRow = NamedRow<
  'Transition' | 'From' | 'To' | 'Who' | 'When' | 'Asks' | 'Then' | 'Error' | 'Undo' | 'Meaning'
>
export type ApprovalRow = NamedRow<
  'Approval' | 'Of' | 'After' | 'When' | 'Needs' | 'From' | 'Except' | 'Deputy' | 'Survives' | 'Meaning'
>
export type TimerRow = NamedRow<'Timer' | 'While' | 'At' | 'When' | 'Then' | 'Meaning'>

export type EffectRow = NamedRow<'On' | 'Of' | 'When' | 'Then' | 'Meaning'>

export interface WorkflowDraft {
  readonly entity: string
  readonly entityName: string
  readonly cell: Cell
  readonly states: Names<StateDraft>
  /** By name as written; branches are one step. */
  readonly steps: Names<StepDraft>
  readonly stepRows: readonly StepRow[]
  readonly approvalRows: readonly ApprovalRow[]
}

/** Matches the tables and blocks of heading 4 and declares its states and steps. */
export function declareWorkflows(context: Context): void {
  for (const content of sectionsOf(context, section)) {
    const tables = readTables(context, content, section, [effects, timers])
    context.effectRows.push(...tables.rows(effects))
    for (const row of tables.rows(timers)) {
      if (comesBack(row) !== null) context.sweepRows.push(row)
      else reportNoRecords(context, row)
    }
    for (const subject of content.subjects) declareWorkflow(context, subject)
  }
}

function declareWorkflow(context: Context, subject: Subject): void {
  const { report } = reporter(stateCodes, section, context.found)
  const entity = context.entities.find(subject.title)
  const tables = readTables(context, subject, section, [states, transitions, approvals, timers, effects])
  context.effectRows.push(...tables.rows(effects))
  const stepRows = tables.rows(transitions)
  const allTimers = tables.rows(timers)
  for (const block of subject.blocks) {
    if (blockKind(block.title) !== 'other') continue
    if (block.properties.some(({ key }) => /^(while|at)$/i.test(key.text)))
      allTimers.push(rowOf(block, timers, documentReporter(context, section)))
    else stepRows.push(rowOf(block, transitions, documentReporter(context, section)))
  }
  context.sweepRows.push(...allTimers.filter(isSweep))
  if (entity === null) return
  for (const row of allTimers) if (!isSweep(row)) context.timerRows.push({ entity: entity.key, row })
  // Nothing but effects and timers: the entity has no life of its own.
  const isWithoutLife = tables.tables.every(({ schema }) => schema === effects || schema === timers)
  if (isWithoutLife && stepRows.length === 0 && allTimers.length + tables.tables.length > 0) return
  const first = context.workflows.get(entity.key)
  if (first !== undefined) {
    report('N1420', subject.title, { entity: entity.name }, bothPlaces(subject.title, first.cell))
    return
  }
  // Branches in block form stand among the rows where they were written.
  stepRows.sort((a, b) => (a.file === b.file ? a.start - b.start : 0))
  const draft: WorkflowDraft = {
    entity: entity.key,
    entityName: entity.name,
    cell: subject.title,
    states: stateNames(context, entity.name),
    steps: stepNames(context, entity.name),
    stepRows,
    approvalRows: tables.rows(approvals),
  }
  for (const row of tables.rows(states)) {
    const { name: cell, was } = renamed(row.cell('State')!)
    if (cell.text !== '') draft.states.declare(cell, cell.text, { name: evened(cell.text), cell, was, row })
  }
  for (const row of stepRows) declareStep(context, draft, row)
  if (draft.states.all.size === 0 && stepRows.length > 0) report('N1417', subject.title, { entity: entity.name })
  context.workflows.set(entity.key, draft)
}

/** What stands behind `every`. */
const comesBack = (row: TimerRow): Cell | null => (row.cell('At') === null ? null : after(row.cell('At')!, 'every'))

/** `every weekday at 06:00 for each Loan where …`: it finds its records itself, wherever it stands. */
const isSweep = (row: TimerRow): boolean => {
  const again = comesBack(row)
  return again !== null && splitAt(again, 'for each') !== null
}

export function reportNoRecords(context: Context, row: TimerRow): void {
  const cell = row.cell('Timer')!
  if (cell.text !== '') reporter(stateCodes, section, context.found).report('N1434', cell, { name: evened(cell.text) })
}

function declareStep(context: Context, draft: WorkflowDraft, row: StepRow): void {
  const { report } = reporter(stateCodes, section, context.found)
  const cell = row.cell('Transition')!
  const [key, name] = [stepKeyOf(cell.text), evened(cell.text)]
  if (cell.text === '' || draft.steps.all.has(name)) return
  const same = [...draft.steps.all.values()].find(other => other.key === key)
  if (key === '') report('N1421', cell, { step: cell.text, why: 'it has neither letters nor figures' })
  else if (same !== undefined)
    report(
      'N1421',
      cell,
      { step: cell.text, why: `in addresses it would be \`${key}\`, as \`${same.name}\` is` },
      { ...bothPlaces(cell, same.cell), fixes: [writeInstead(cell, same.name)] },
    )
  else
    for (const called of isShadowed(name) ? [name, `${stepWord} ${name}`] : [name])
      draft.steps.declare(cell, called, { key, name, cell })
}

function stateNames(context: Context, entity: string): Names<StateDraft> {
  const { report } = reporter(stateCodes, section, context.found)
  const found: Names<StateDraft> = names<StateDraft>(context.found, {
    twice: (cell, first) => report('N1402', cell, { entity, state: cell.text }, bothPlaces(cell, first)),
    unknown: (cell, meant, options) => {
      const several = cell.text.split(/\s*(?:[;/&|+]|\s(?:and|or|und|oder)\s)\s*/)
      const list = several.length > 1 && several.every(name => found.all.has(name)) ? several.join(', ') : null
      const said = list === null ? meant : `; write \`${list}\``
      const fixes = list === null ? options.fixes : [writeInstead(cell, list)]
      report('N1401', cell, { entity, state: cell.text, meant: said, known: listed(found.all.keys()) }, { fixes })
    },
    closed: true,
  })
  return found
}

function stepNames(context: Context, entity: string): Names<StepDraft> {
  const { report } = reporter(stateCodes, section, context.found)
  const found: Names<StepDraft> = names<StepDraft>(context.found, {
    twice: () => undefined,
    unknown: (cell, meant, options) => {
      // As of other records, where it is of the record itself.
      const own = cell.text.replace(/\s+on\s+this$/i, '')
      const isOwn = own !== cell.text && found.all.has(evened(own))
      const said = isOwn ? `; of the record itself it is only \`${own}\`` : meant
      const fixes = isOwn ? [writeInstead(cell, own)] : options.fixes
      report('N1403', cell, { entity, step: cell.text, meant: said, known: listed(found.all.keys()) }, { fixes })
    },
    closed: true,
  })
  return found
}

/** A state of an entity by the name that a cell gives; null after a report. */
export function findState(context: Context, entity: string, cell: Cell): StateDraft | null {
  const workflow = context.workflows.get(entity)
  if (workflow !== undefined) return workflow.states.find(cell)
  const { report } = reporter(stateCodes, section, context.found)
  const name = context.schema.get(entity)?.name ?? entity
  report('N1401', cell, { entity: name, state: cell.text, meant: '', known: listed([]) })
  return null
}

/** States of an entity, parted by commas; null when one of them does not resolve. */
export function findStates(context: Context, entity: string, cell: Cell): readonly string[] | null {
  const found = splitCell(cell, ',').map(piece => findState(context, entity, piece))
  return found.includes(null) ? null : found.map(state => state!.name)
}

/** A step of an entity by the name that a cell gives; null after a report. An entity without a workflow has none. */
export function findStep(context: Context, entity: string, cell: Cell): StepDraft | null {
  const workflow = context.workflows.get(entity)
  if (workflow !== undefined) return workflow.steps.find(cell)
  const { report } = reporter(stateCodes, section, context.found)
  const name = context.schema.get(entity)?.name ?? entity
  report('N1403', cell, { entity: name, step: cell.text, meant: '', known: listed([]) })
  return null
}

/** An approval by the name that a cell gives, with the states in which a record waits for it; null after a report. */
export function findApproval(
  context: Context,
  entity: string,
  cell: Cell,
): { readonly key: string; readonly states: readonly string[] } | null {
  const draft = context.workflows.get(entity)
  const rows = draft?.approvalRows ?? []
  const key = codeOf(codeless(cell).text)
  const found = rows.find(row => codeOf(row.cell('Approval')!.text) === key)
  if (found === undefined) {
    const known = rows.map(row => evened(row.cell('Approval')!.text))
    const name = context.schema.get(entity)?.name ?? entity
    const parameters = { found: cell.text, entity: name, meant: didYouMean(cell.text, known), known: listed(known) }
    const causes = known.length === 0 ? [facts.whole(section)] : []
    const more = { causes, fixes: writeOneOf(cell, known) }
    reporter(stateCodes, section, context.found).report('N1472', cell, parameters, more)
    return null
  }
  const step = stepKeyOf(found.cell('Of')!.text)
  const from = draft!.stepRows.filter(row => stepKeyOf(row.cell('Transition')!.text) === step)
  const states = from.flatMap(row => splitCell(row.cell('From') ?? { ...cell, text: '' }, ','))
  return { key, states: states.flatMap(({ text }) => (draft!.states.all.has(evened(text)) ? [evened(text)] : [])) }
}
