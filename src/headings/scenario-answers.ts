/** What a row says of another application: how it answers a call. */
import { slice, splitAt, splitCell, trimmed, words } from '../document/cell.ts'
import { reporter } from '../document/diagnostic.ts'
import type { Cell } from '../document/source.ts'
import type { CallDraft } from './7-calls/declare.ts'
import type { ScenarioStep, ScenarioWhat } from './app.ts'
import { commonCodes } from './codes.ts'
import type { Context } from './context.ts'
import { type Cast, ofSample, unknownName, worthOf } from './scenario-cast.ts'
import { namedBySample } from './values.ts'

type Answered = Extract<ScenarioWhat, { readonly kind: 'answered' }>

const answering = /^call\s+(\S+)\s+of\s+(.+?)\s+(?:is answered\s+(\S+)|gets no answer)$/

/**
 * `call C-2 of L1 is answered 200 with id R-77, rates.GBP 0.85`, `call C-2 of L1 gets no answer`; undefined: it is something else, null:
 * after a report.
 */
export function readAnswered(
  context: Context,
  cast: Cast,
  cell: Cell,
  step: ScenarioStep['step'],
  section: number,
): Answered | null | undefined {
  const parts = splitAt(cell, 'with')
  const before = parts?.before ?? cell
  const [whole, , of = '', status] = answering.exec(before.text) ?? []
  if (whole === undefined) return undefined
  if (step === 'then') {
    cannotRead(
      context,
      cell,
      'what holds then: a call is answered in a row `When`',
      `| When | | ${cell.text} | ok |`,
      section,
    )
    return null
  }
  const call = context.calls.find(words(before)[1]!)
  const at = before.text.indexOf(` of ${of}`) + ' of '.length
  const record = slice(before, at, at + of.length)
  const isThere = isKnown(context, cast, record)
  if (!isThere) unknownName(context, cast, record, 'record', cast.records.keys(), section)
  const isStatus = status === undefined || /^[2-5]\d\d$/.test(status)
  if (!isStatus)
    cannotRead(
      context,
      before,
      'a status of an answer',
      `call ${words(before)[1]!.text} of ${of} is answered 503`,
      section,
    )
  if (call === null || !isThere || !isStatus) return null
  const body = parts === null ? [] : readBody(context, call, parts.after, section)
  return {
    kind: 'answered',
    call: call.key,
    record: record.text,
    status: status === undefined ? null : Number(status),
    body,
  }
}

/** A record that a row introduced, or one of the sample data. */
function isKnown(context: Context, cast: Cast, record: Cell): boolean {
  if (cast.records.has(record.text)) return true
  const entity = [...context.typed.values()].find(one => !one.draft.builtIn && namedBySample(one, record))
  if (entity !== undefined) ofSample(cast, record, entity.draft.key)
  return entity !== undefined
}

/** Names that the answers of the call read, with what they say: a number, yes or no, else a text. */
function readBody(context: Context, call: CallDraft, cell: Cell, section: number): Answered['body'] {
  const read = call.answers.flatMap(row => [...(row.cell('Then')?.text.matchAll(/\banswer\b(?:\.(\w+))?/g) ?? [])])
  const names = read.flatMap(([, name]) => name ?? [])
  return splitCell(cell, ',').flatMap(piece => {
    const [name] = words(piece)
    if (name === undefined) return []
    const value = trimmed(slice(piece, name.text.length)).text
    const isRead = names.includes(name.text.split('.')[0]!) || read.length > names.length
    if (isRead && value !== '' && /^\w+(?:\.\w+)*$/.test(name.text)) return [{ name: name.text, value: worthOf(value) }]
    const expected = `a value that the answers of ${call.key} read`
    cannotRead(context, piece, expected, `${names[0] ?? 'id'} R-77`, section)
    return []
  })
}

const cannotRead = (context: Context, cell: Cell, expected: string, example: string, section: number): void =>
  reporter(commonCodes, section, context.found).report('N1007', cell, { expected, example })
