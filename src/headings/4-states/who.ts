/** Who cells of steps: roles, people named in fields, and who is left out. */
import { codeless, splitAt, splitCell } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import type { Expression } from '../../expression/expression.ts'
import { readRoles } from '../6-permissions/declare.ts'
import { type Context, isPeople, readAt, typeAt } from '../context.ts'
import { use } from '../gaps/gap.ts'
import { evened } from '../names.ts'
import { stateCodes } from './codes.ts'
import type { WorkflowDraft } from './declare.ts'
import type { Who } from './model.ts'

const section = 4
const person = { kind: 'reference', entity: 'person' } as const

/** `Clerk, Manager` · `approver` · `Clerk except requested_by` · `everyone signed in except author` · `none`. Null after a report. */
export function readWho(context: Context, draft: WorkflowDraft, cell: Cell, step: string): Who | null {
  // Nobody: the application alone takes it.
  if (nothing(cell) === 'none') return { kind: 'roles', roles: [], people: [], except: [], cell }
  const parts = splitAt(cell, 'except')
  const named = parts?.before ?? cell
  if (parts !== null && (named.text === '' || parts.after.text === '')) {
    reporter(stateCodes, section, context.found).report('N1419', cell, { who: cell.text })
    return null
  }
  const except = parts === null ? [] : readPeople(context, draft, splitCell(parts.after, ','), step)
  if (except === null) return null
  if (/^everyone signed[ -]in$/i.test(named.text)) return { kind: 'everyone signed in', except, cell }
  if (/^everyone$/i.test(named.text)) {
    const fixes = [writeInstead(named, 'everyone signed in')]
    reporter(stateCodes, section, context.found).report('N1419', named, { who: named.text }, { fixes })
    return null
  }
  const shape = context.schema.get(draft.entity)
  const pieces = splitCell(named, ',')
  const isPath = (piece: Cell) => {
    const { text } = codeless(piece)
    return !context.roles.all.has(evened(text)) && (shape?.fields.has(text.split('.')[0]!) ?? false)
  }
  if (!pieces.some(isPath)) {
    const roles = readRoles(context, named, section, ['everyone signed in'])
    return roles === null ? null : { kind: 'roles', roles: roles.roles, people: [], except, cell }
  }
  const people = readPeople(context, draft, pieces.filter(isPath), step)
  const roles = pieces.filter(piece => !isPath(piece)).map(piece => readRoles(context, piece, section))
  if (people === null || roles.includes(null)) return null
  const names = new Set(roles.flatMap(one => one!.roles))
  return { kind: 'roles', roles: [...names], people, except, cell }
}

function readPeople(
  context: Context,
  draft: WorkflowDraft,
  pieces: readonly Cell[],
  step: string,
): readonly Expression[] | null {
  const place = { section, entity: draft.entity }
  const found = pieces.map(piece => {
    const type = typeAt(context, codeless(piece), place)
    const wanted = type !== null && isPeople(type) ? null : person
    return readAt(context, codeless(piece), place, wanted, use('peopleOf', { step }))
  })
  return found.includes(null) ? null : (found as readonly Expression[])
}
