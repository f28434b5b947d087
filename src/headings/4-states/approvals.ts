/** Rows of `| Approval | Of | After | When | Needs | From | Except | Deputy |`: what a step waits for. */
import { codeless, splitAt, splitCell } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { didYouMean } from '../../document/nearest.ts'
import type { Cell } from '../../document/source.ts'
import type { Expression } from '../../expression/expression.ts'
import { codeOf, stepKeyOf } from '../../expression/names.ts'
import type { Type } from '../../expression/type.ts'
import type { Choosing } from '../3-entities/model.ts'
import { readRoles } from '../6-permissions/declare.ts'
import {
  type Context,
  cellOrNull,
  type ExpressionScope,
  leaveOpen,
  listed,
  readAt,
  readSpecified,
  saysNothing,
} from '../context.ts'
import { open, use } from '../gaps/gap.ts'
import { bothPlaces, evened, writeNearest, writeOneOf } from '../names.ts'
import { stateCodes } from './codes.ts'
import type { ApprovalRow, WorkflowDraft } from './declare.ts'
import type { Approval, Deciders, Deputy, Needs, Survives } from './model.ts'

const section = 4
const yesNo: Type = { kind: 'yes/no' }

/** The approvals of a workflow, in order. */
export function readApprovals(context: Context, draft: WorkflowDraft): readonly Approval[] {
  const known = new Map<string, Cell>()
  const read: Approval[] = []
  for (const row of draft.approvalRows) {
    const cell = row.cell('Approval')!
    const key = codeOf(cell.text)
    if (key === '') continue
    const first = known.get(key)
    if (first !== undefined) {
      const parameters = { entity: draft.entityName, name: cell.text }
      reporter(stateCodes, section, context.found).report('N1451', cell, parameters, bothPlaces(cell, first))
      continue
    }
    known.set(key, cell)
    const approval = readApproval(context, draft, row, key, read)
    if (approval !== null) read.push(approval)
  }
  return read
}

/** Null where it guards no step: that is left open, or wrong and reported. */
function readApproval(
  context: Context,
  draft: WorkflowDraft,
  row: ApprovalRow,
  key: string,
  above: readonly Approval[],
): Approval | null {
  const cell = row.cell('Approval')!
  const name = evened(cell.text)
  const of = row.cell('Of')!
  if (saysNothing(of)) {
    leaveOpen(context, of, open(section, 'approvalOf', { approval: name }))
    return null
  }
  const step = draft.steps.find(of)
  if (step === null) return null
  const waiting = { approval: name, step: step.name }
  const whenCell = row.cell('When')
  const place: ExpressionScope = { section, entity: draft.entity, code: 'by parts' }
  return {
    key,
    name,
    cell,
    step: step.key,
    after: readAfter(context, row.cell('After'), { name, step }, above),
    when: saysNothing(whenCell)
      ? null
      : readSpecified(context, whenCell!, open(section, 'approvalWhen', waiting), condition =>
          readAt(context, condition, place, yesNo, use('approvalWhen', { approval: name })),
        ),
    needs: readSpecified(context, row.cell('Needs')!, open(section, 'approvalNeeds', waiting), needs =>
      readNeeds(context, needs),
    ),
    from: readSpecified(context, row.cell('From')!, open(section, 'approvalFrom', waiting), from =>
      readDeciders(context, draft, from, name),
    ),
    except: readExcept(context, draft, row.cell('Except'), name),
    exceptCell: row.cell('Except'),
    deputy: readDeputy(context, draft, row.cell('Deputy'), name),
    survives: readSurvives(context, draft, row.cell('Survives'), step.key),
    meaning: cellOrNull(row.cell('Meaning')),
  }
}

/** `manager, finance`: rows of the same step above it, so that none waits for itself. What is wrong is reported, and left out. */
function readAfter(
  context: Context,
  cell: Cell | null,
  { name, step }: { readonly name: string; readonly step: { readonly key: string; readonly name: string } },
  above: readonly Approval[],
): readonly string[] {
  if (saysNothing(cell)) return []
  const earlier = above.filter(one => one.step === step.key)
  return splitCell(cell!, ',').flatMap(piece => {
    const found = earlier.find(({ key }) => key === codeOf(codeless(piece).text))
    if (found !== undefined) return [found.key]
    const names = earlier.map(one => one.name)
    const parameters = {
      name,
      found: piece.text,
      step: step.name,
      meant: didYouMean(piece.text, names),
      known: listed(names),
    }
    reporter(stateCodes, section, context.found).report('N1470', piece, parameters, { fixes: writeOneOf(piece, names) })
    return []
  })
}

/** `1 of` · `2 of` · `all of` · `majority of` · `60% of`. Null after a report. */
function readNeeds(context: Context, cell: Cell): Needs | null {
  const [, word, count, share] = /^(?:(all|majority)|([1-9]\d?)|([1-9]\d?|100)\s*%)(?:\s+of)?$/i.exec(cell.text) ?? []
  if (word !== undefined) return word.toLowerCase() as 'all' | 'majority'
  if (count !== undefined) return Number(count)
  if (share !== undefined) return `${Number(share)}%`
  reporter(stateCodes, section, context.found).report('N1450', cell, { needs: cell.text })
  return null
}

/** `Accountant, cost_centre.keeper, Head where department = this.department`. Null after a report. */
function readDeciders(context: Context, draft: WorkflowDraft, cell: Cell, name: string): Deciders | null {
  const shape = context.schema.get(draft.entity)
  const isExpression = ({ text }: Cell) => shape?.fields.has(text.split('.')[0]!) === true || text.includes('(')
  const roles: string[] = []
  const people: (Expression | null)[] = []
  const chosen: (Choosing | null)[] = []
  for (const piece of splitCell(cell, ',')) {
    const parts = splitAt(piece, 'where')
    if (!context.roles.all.has(evened(piece.text)) && parts === null && isExpression(piece))
      people.push(readPeople(context, draft, piece, name))
    else if (parts !== null) chosen.push(readChosen(context, draft, parts, piece, name))
    else {
      const read = readRoles(context, piece, section)
      if (read === null) return null
      roles.push(...read.roles)
    }
  }
  if (people.includes(null) || chosen.includes(null)) return null
  const all = { people: people as readonly Expression[], chosen: chosen as readonly Choosing[] }
  return { cell, roles: [...new Set(roles)], ...all }
}

/** `Head where department = this.department`: of those who have a role, or of all people, whoever meets a condition. */
function readChosen(
  context: Context,
  draft: WorkflowDraft,
  { before, after }: { readonly before: Cell; readonly after: Cell },
  piece: Cell,
  name: string,
): Choosing | null {
  const role = /^person$/i.test(before.text) ? null : readRoles(context, before, section)?.roles[0]
  if (role === undefined) return null
  const place = { section, entity: 'person', about: draft.entity }
  const where = readAt(context, after, place, yesNo, use('peopleOf', { step: name }))
  return where === null ? null : { cell: piece, entity: 'person', role, where }
}

/** A field or a path that names people; null after a report. */
function readPeople(context: Context, draft: WorkflowDraft, piece: Cell, name: string): Expression | null {
  const place = { section, entity: draft.entity }
  const found = readAt(context, codeless(piece), place, null, use('peopleOf', { step: name }))
  if (found === null || namesPeople(found.type)) return found
  const what = `*${name}* is about people`
  reporter(stateCodes, section, context.found).report('N1452', piece, { found: piece.text, what })
  return null
}

const namesPeople = (type: Type): boolean =>
  type.kind === 'error' ||
  ((type.kind === 'reference' || type.kind === 'list') && type.entity === 'person') ||
  (type.kind === 'values' && namesPeople(type.of))

/** What is wrong with it leaves nobody out, and is an error anyway. */
function readExcept(context: Context, draft: WorkflowDraft, cell: Cell | null, name: string): readonly Expression[] {
  if (saysNothing(cell)) return []
  return splitCell(cell!, ',').flatMap(piece => readPeople(context, draft, piece, name) ?? [])
}

function readDeputy(context: Context, draft: WorkflowDraft, cell: Cell | null, name: string): Deputy | null {
  if (saysNothing(cell)) return null
  const pieces = splitCell(cell!, ',')
  const isNamed = ({ text }: Cell) => /^named$/i.test(text)
  return {
    cell: cell!,
    named: pieces.some(isNamed),
    people: pieces.flatMap(piece => (isNamed(piece) ? [] : (readPeople(context, draft, piece, name) ?? []))),
  }
}

/** `remarks, ask, answer`: fields and steps; a name of both means both. What is neither is reported, and left out. */
function readSurvives(context: Context, draft: WorkflowDraft, cell: Cell | null, own: string): Survives | null {
  if (saysNothing(cell)) return null
  const { report } = reporter(stateCodes, section, context.found)
  const fields = [...(context.typed.get(draft.entity)?.fields.keys() ?? [])]
  const steps = [...draft.steps.all.values()].filter(({ key }) => key !== own)
  const found = splitCell(cell!, ',').map(piece => {
    const { text } = codeless(piece)
    const field = fields.find(key => key === text)
    const step = steps.find(({ key }) => key === stepKeyOf(text))
    if (field === undefined && step === undefined) {
      const names = [...fields, ...steps.map(({ name }) => name)]
      const why = stepKeyOf(text) === own ? ': it is the step that they are about' : didYouMean(text, names)
      report('N1471', piece, { found: text, entity: draft.entityName, why }, { fixes: writeNearest(piece, names) })
    }
    return { field, step: step?.key }
  })
  return {
    cell: cell!,
    fields: found.flatMap(({ field }) => field ?? []),
    steps: found.flatMap(({ step }) => step ?? []),
  }
}
