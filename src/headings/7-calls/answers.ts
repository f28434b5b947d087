/** What follows the answer of a call. */
import { after, codeless, splitAt, splitCell } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import { findStep } from '../4-states/declare.ts'
import { readValues } from '../4-states/sets.ts'
import { raise } from '../8-errors/read.ts'
import { type Context, leaveOpen, saysNothing } from '../context.ts'
import { open } from '../gaps/gap.ts'
import { misspelt, writeNearest } from '../names.ts'
import { callCodes } from './codes.ts'
import type { CallDraft } from './declare.ts'
import type { Answer, AnswerAct } from './model.ts'
import { secondsOf } from './seconds.ts'
import { answerActs } from './table.ts'

const section = 7
const mostTimes = 100
const longest = 30 * 86_400

/** The rows of `| Answer | Then |`, in order: the first that matches decides. */
export function readAnswers(context: Context, draft: CallDraft, entity: string | null): readonly Answer[] {
  return draft.answers.flatMap(row => {
    const cell = row.cell('Answer')!
    const matched = readStatuses(context, cell)
    const then = row.cell('Then')!
    if (matched === null) return []
    // biome-ignore lint/suspicious/noThenProperty: Then is a column of the document; its value is a list, never a function
    return [{ cell, ...matched, then: readActs(context, draft, then, entity) }]
  })
}

/** The short form: what happens on any failure. */
export function readFailure(context: Context, draft: CallDraft, entity: string | null): readonly Answer[] {
  const cell = draft.onFailure!
  if (saysNothing(cell)) return []
  // biome-ignore lint/suspicious/noThenProperty: Then is a column of the document; its value is a list, never a function
  return [{ cell, statuses: ['4xx', '5xx'], timeout: true, then: readActs(context, draft, cell, entity) }]
}

function readStatuses(context: Context, cell: Cell): Pick<Answer, 'statuses' | 'timeout'> | null {
  const statuses: string[] = []
  let timeout = false
  let wrong = cell.text === ''
  for (const piece of splitCell(cell, ',')) {
    const text = piece.text.toLowerCase()
    if (text === 'timeout') timeout = true
    else if (/^[1-5](\d\d|xx)$/.test(text)) statuses.push(text)
    else {
      const fixes = writeNearest(piece, ['timeout', '5xx', '4xx', '2xx'])
      reporter(callCodes, section, context.found).report('N1708', piece, { status: piece.text }, { fixes })
      wrong = true
    }
  }
  return wrong ? null : { statuses, timeout }
}

function readActs(context: Context, draft: CallDraft, cell: Cell, entity: string | null): readonly AnswerAct[] {
  if (saysNothing(cell)) return []
  const kind = nothing(cell)
  if (typeof kind === 'object' && kind !== null) {
    leaveOpen(context, cell, open(section, 'callAnswer', { call: draft.key }), kind)
    return []
  }
  return splitCell(cell, ';').flatMap(piece => {
    const act = piece.text === '' ? null : readAct(context, draft, after(piece, 'then') ?? piece, entity)
    return act === null ? [] : [act]
  })
}

function readAct(context: Context, draft: CallDraft, cell: Cell, entity: string | null): AnswerAct | null {
  const { report } = reporter(callCodes, section, context.found)
  if (/^stop$/i.test(cell.text)) return { kind: 'stop', cell }
  const error = after(cell, 'report')
  if (error !== null) {
    const code = raise(context, codeless(error), entity)
    return code === null ? null : { kind: 'report', error: code, cell }
  }
  const repeat = after(cell, 'repeat')
  if (repeat !== null) return readRepeat(context, cell, repeat)
  const receive = after(cell, 'receive')
  if (receive !== null) return readReceive(context, cell, receive)
  const set = after(cell, 'set')
  const step = after(cell, 'do')
  if (set === null && step === null) {
    const near = misspelt(
      cell,
      answerActs.map(act => act.name),
    )
    const meant = near === null ? '' : `; did you mean \`${near.meant}\`?`
    const known = answerActs.map(act => `\`${act.written}\``).join(', ')
    const fixes = near === null ? [] : [writeInstead(near.begin, near.meant)]
    report('N1709', cell, { act: cell.text, meant, known }, { fixes })
    return null
  }
  if (entity === null) {
    report('N1722', cell, { call: draft.key, what: cell.text })
    return null
  }
  if (set !== null) {
    const values = readValues(context, entity, cell, set, { section, entity, answer: true }, draft.key)
    return values === null ? null : { kind: 'set', values, cell }
  }
  const found = findStep(context, entity, codeless(step!))
  return found === null ? null : { kind: 'do', step: found.key, cell }
}

/** `6 times within 2 hours`. */
function readRepeat(context: Context, cell: Cell, rest: Cell): AnswerAct | null {
  const parts = splitAt(rest, 'within')
  const times = Number(/^(\d+) times?$/i.exec(parts?.before.text ?? '')?.[1])
  const within = secondsOf(parts?.after.text ?? '')
  if (times >= 1 && times <= mostTimes && within !== null && within >= 1 && within <= longest)
    return { kind: 'repeat', times, within, cell }
  reporter(callCodes, section, context.found).report('N1720', cell, { text: cell.text })
  return null
}

/** `prices from answer.items`; without `from`, all of the answer. */
function readReceive(context: Context, cell: Cell, rest: Cell): AnswerAct | null {
  const [, message, , from = ''] = /^`?([a-z]\w*)`?(\s+from\s+`?answer((?:\.\w+)*)`?)?$/.exec(rest.text) ?? []
  if (message !== undefined) return { kind: 'receive', message, from: from.slice(1), cell }
  const why = 'it is written `receive prices from answer.items`'
  reporter(callCodes, section, context.found).report('N1746', cell, { act: cell.text, why })
  return null
}
