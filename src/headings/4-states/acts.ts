/** Then cells of steps and timers. */

import { after, codeless, slice, splitAt, splitCell, trimmed } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { didYouMean } from '../../document/nearest.ts'
import type { Cell } from '../../document/source.ts'
import type { Expression } from '../../expression/expression.ts'
import { entityCodes } from '../3-entities/codes.ts'
import { knownFields } from '../3-entities/shape.ts'
import { raise } from '../8-errors/read.ts'
import { type Context, notYet, readAt, saysNothing } from '../context.ts'
import { misspelt, writeNearest } from '../names.ts'
import { stateCodes } from './codes.ts'
import type { WorkflowDraft } from './declare.ts'
import type { Act } from './model.ts'
import { acts } from './table.ts'

const section = 4
const planned = ['create', 'run', 'for each', 'do', 'delete']

/** Acts in the order they are written; those that are not understood are reported and left out. */
export function readActs(
  context: Context,
  draft: WorkflowDraft,
  cell: Cell | null,
  of: 'step' | 'timer',
  name: string,
): readonly Act[] {
  if (cell === null || saysNothing(cell)) return []
  return splitCell(cell, ';').flatMap(piece => {
    const act = piece.text === '' ? null : readAct(context, draft, piece, of, name)
    return act === null ? [] : [act]
  })
}

function readAct(context: Context, draft: WorkflowDraft, piece: Cell, of: 'step' | 'timer', name: string): Act | null {
  const { report } = reporter(stateCodes, section, context.found)
  const set = after(piece, 'set')
  if (set !== null) return readSet(context, draft.entity, piece, set, { section, answer: false }, `*${name}*`)
  const state = after(piece, 'go to')
  if (state !== null) {
    if (of === 'step') {
      report('N1412', piece, {})
      return null
    }
    const to = draft.states.find(codeless(state))
    return to === null ? null : { kind: 'go to', state: to.name, cell: piece }
  }
  const mail = after(piece, 'send mail')
  if (mail !== null) return readMail(context, draft, piece, mail, name)
  const call = after(piece, 'call')
  if (call !== null) {
    const found = context.calls.find(codeless(call))
    found?.usedBy.set(draft.entity, piece)
    return found === null ? null : { kind: 'call', call: found.key, cell: piece }
  }
  const error = after(piece, 'report')
  if (error !== null) {
    const code = raise(context, codeless(error), draft.entity)
    return code === null ? null : { kind: 'report', error: code, cell: piece }
  }
  const later = planned.find(word => after(piece, word) !== null)
  if (later !== undefined) notYet(context, section, piece, `\`${later}\` in a Then cell`)
  else reportUnknown(context, piece)
  return null
}

function reportUnknown(context: Context, piece: Cell): void {
  const near = misspelt(
    piece,
    acts.map(act => act.name),
  )
  const begin = near?.begin ?? slice(piece, 0, piece.text.search(/\s|$/))
  const meant = near === null ? '' : `; did you mean \`${near.meant}\`?`
  const known = acts.map(act => `\`${act.written}\``).join(', ')
  const fixes = near === null ? [] : [writeInstead(begin, near.meant)]
  reporter(stateCodes, section, context.found).report('N1411', begin, { act: piece.text, meant, known }, { fixes })
}

function readMail(context: Context, draft: WorkflowDraft, piece: Cell, rest: Cell, name: string): Act | null {
  const parts = splitAt(rest, 'to')
  const mail = context.mails.find(codeless(parts?.before ?? rest))
  if (mail === null) return null
  mail.usedBy.set(draft.entity, piece)
  const person = { kind: 'reference', entity: 'person' } as const
  const place = { section, entity: draft.entity }
  const to = parts === null ? null : readAt(context, parts.after, place, person, `the mail of *${name}* goes to nobody`)
  return { kind: 'send mail', mail: mail.key, to, cell: piece }
}

/** `set approved_by = me`, in steps, timers and answers of calls. */
export function readSet(
  context: Context,
  entity: string,
  piece: Cell,
  rest: Cell,
  place: { readonly section: number; readonly answer: boolean },
  about: string,
): { readonly kind: 'set'; readonly field: string; readonly value: Expression; readonly cell: Cell } | null {
  const { report } = reporter(stateCodes, place.section, context.found)
  const sign = rest.text.indexOf('=')
  const field = codeless(trimmed(slice(rest, 0, Math.max(sign, 0))))
  const shape = context.schema.get(entity)
  if (sign <= 0 || shape === undefined) {
    report('N1411', piece, { act: piece.text, meant: '', known: '`set <field> = <expression>`' })
    return null
  }
  const target = shape.fields.get(field.text)
  if (target === undefined) {
    const known = [...shape.fields.keys()]
    reporter(entityCodes, place.section, context.found).report(
      'N1304',
      field,
      { entity: shape.name, field: field.text, meant: didYouMean(field.text, known), known: knownFields(shape) },
      { fixes: writeNearest(field, known) },
    )
    return null
  }
  const why = whyNotSet(context, entity, field.text)
  if (why !== null) {
    report('N1413', field, { field: field.text, why })
    return null
  }
  const value = readAt(
    context,
    codeless(trimmed(slice(rest, sign + 1))),
    { section: place.section, entity, answer: place.answer },
    target.type,
    `${about} sets \`${field.text}\` to nothing`,
  )
  return value === null ? null : { kind: 'set', field: field.text, value, cell: piece }
}

function whyNotSet(context: Context, entity: string, key: string): string | null {
  const shape = context.schema.get(entity)!
  if (key === 'state' && context.workflows.has(entity)) return 'steps and `go to` change the state'
  if (['id', 'created_at', 'created_by'].includes(key) || key === shape.parent)
    return 'it is given once, when the record is created'
  const { type, computed } = shape.fields.get(key)!
  if (computed !== undefined) return 'it is computed'
  return type.kind === 'list' ? 'it is a list of rows' : null
}
