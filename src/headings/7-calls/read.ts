/** Calls of heading 7 into the model, once it is known which steps and timers make them. */
import { after, codeless, slice, splitAt, splitCell, trimmed } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import type { Expression, Template } from '../../expression/expression.ts'
import { sentName } from '../../kinds/calls/http/body.ts'
import type { EntityDraft } from '../3-entities/declare.ts'
import { findStep } from '../4-states/declare.ts'
import type { Act, Workflow } from '../4-states/model.ts'
import { eventNames } from '../4-states/table.ts'
import { type Context, cellOrNull, readAt, readSpecified, readTextAt, saysNothing } from '../context.ts'
import { open, use } from '../gaps/gap.ts'
import { bothPlaces, evened, misspelt, names } from '../names.ts'
import { isUnspecified } from '../specified.ts'
import { readAnswers, readFailure } from './answers.ts'
import { callCodes } from './codes.ts'
import type { CallDraft } from './declare.ts'
import type { Call } from './model.ts'
import { readYes } from './quiet.ts'
import { fixUnit, secondsOf } from './seconds.ts'

const section = 7
const patience = 10
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Calls by their key. */
export function readCalls(context: Context): ReadonlyMap<string, Call> {
  const read = new Map<string, Call>()
  for (const draft of context.calls.all.values()) read.set(draft.key, readCall(context, draft))
  return read
}

function readCall(context: Context, draft: CallDraft): Call {
  const { key, name, cell, keys } = draft
  const trigger = readTrigger(context, draft)
  const entity = entityOf(context, draft)
  const place = { section, entity, settings: true }
  const left = open(section, 'callRequest', { call: key })
  const request = readSpecified(context, keys.cell('Request') ?? { ...cell, text: '' }, left, written => {
    const parts = /^(GET|POST|PUT|PATCH|DELETE)\s+(\S.*)$/.exec(written.text)
    const url = parts === null ? null : trimmed(slice(written, written.text.length - parts[2]!.length))
    if (url === null || /^(?:[a-z]+:\/\/|\{)/i.exec(url.text) === null) {
      const { report } = reporter(callCodes, section, context.found)
      const near = misspelt(written, methods)
      const fixes = near === null || near.meant === near.begin.text ? [] : [writeInstead(near.begin, near.meant)]
      report('N1705', written, { request: written.text, example: '{settings.assets_url}/returns' }, { fixes })
      return null
    }
    const template = readTextAt(context, url, place, use('callRequest', { call: key }))
    if (template === null || !hasOwnHost(context, template)) return null
    return { cell: written, method: parts![1]!, url: template }
  })
  return {
    key,
    name,
    cell,
    entity,
    trigger,
    request,
    secret: readSecret(context, cellOrNull(keys.cell('Sign with'))),
    headers: readHeaders(context, draft),
    timeout: readTimeout(context, cellOrNull(keys.cell('Timeout'))),
    repeat: readRepeat(context, keys.cell('Safe to repeat'), entity, key),
    quiet: readYes(context, keys.cell('Quiet hours'), 'Quiet hours'),
    order: readOrder(context, keys.cell('Order'), entity, key),
    orderedWith: readOrderedWith(context, keys.cell('Order'), key),
    send: readSend(context, draft, entity),
    answers: draft.onFailure === null ? readAnswers(context, draft, entity) : readFailure(context, draft, entity),
  }
}

/** Where a call goes, the document or a setting says, never a record; else people could send it anywhere. */
function hasOwnHost(context: Context, { parts }: Template): boolean {
  let text = ''
  for (const part of parts) {
    if (/^[a-z]+:\/\/[^/?#]+[/?#]/i.test(text)) return true
    if (part.kind === 'text') text += part.text
    else if (part.expression.root.op === 'setting') text += /:\/\/[^/?#]*$/.test(text) ? 'setting' : 'https://setting/'
    else {
      const { report } = reporter(callCodes, section, context.found)
      const { cell } = part.expression
      report('N1723', cell, { hole: cell.text, example: '{settings.assets_url}/returns' })
      return false
    }
  }
  return true
}

/** The entity that a trigger names, longest name first, and what stands behind it; null where it names none. */
function triggerParts(context: Context, cell: Cell): { readonly entity: EntityDraft; readonly step: Cell } | null {
  const rest = after(cell, 'after')
  const entities = [...context.entities.all.values()].sort((a, b) => b.name.length - a.name.length)
  const entity = rest === null ? undefined : entities.find(({ name }) => after(rest, name) !== null)
  return entity === undefined ? null : { entity, step: codeless(after(rest!, entity.name)!) }
}

/** `after Loan take back`, `after Fine created`; `none` where only `call C-2` starts it. */
function readTrigger(context: Context, { key, keys }: CallDraft): Call['trigger'] {
  const { report } = reporter(callCodes, section, context.found)
  const cell = keys.cell('Trigger')
  if (cell === null || saysNothing(cell)) return null
  return readSpecified(context, cell, open(section, 'callTrigger', { call: key }), written => {
    const parts = triggerParts(context, written)
    const rest = after(written, 'after')
    if (parts === null) {
      if (rest !== null && rest.text !== '') context.entities.find(slice(rest, 0, rest.text.search(/\s|$/)))
      else {
        const near = misspelt(written, ['after'])
        const fixes = near === null ? [] : [writeInstead(near.begin, near.meant)]
        report('N1706', written, { trigger: written.text }, { fixes })
      }
      return null
    }
    const word = eventNames.find(known => known === parts.step.text.toLowerCase())
    if (word !== undefined) return { cell: written, entity: parts.entity.key, step: word }
    const step = findStep(context, parts.entity.key, parts.step)
    return step === null ? null : { cell: written, entity: parts.entity.key, step: step.key }
  })
}

/** The entity whose records a call is about: of its trigger (even of a misspelt step), else of the steps and timers that make it. */
function entityOf(context: Context, draft: CallDraft): string | null {
  const uses = new Map(draft.usedBy)
  const cell = draft.keys.cell('Trigger')
  const triggered = cell === null ? null : triggerParts(context, cell)
  if (triggered !== null && !uses.has(triggered.entity.key)) uses.set(triggered.entity.key, cell!)
  return onlyEntity(context, `the call ${draft.key}`, uses)
}

/** The one entity of these uses; reports a second one. Null where there is none. */
export function onlyEntity(context: Context, what: string, uses: ReadonlyMap<string, Cell>): string | null {
  const [first, second] = [...uses]
  if (first === undefined) return null
  if (second !== undefined) {
    const name = (entity: string) => context.schema.get(entity)?.name ?? entity
    const { report } = reporter(callCodes, section, context.found)
    report(
      'N1716',
      second[1],
      { what, first: name(first[0]), second: name(second[0]) },
      { related: [{ span: first[1], message: 'first here' }] },
    )
  }
  return first[0]
}

function readSecret(context: Context, cell: Cell | null): Call['secret'] {
  if (cell === null) return null
  const name = after(cell, 'secret')?.text ?? ''
  if (/^[A-Z][A-Z0-9_]*$/.test(name)) return { cell, name }
  const near = misspelt(cell, ['secret'])
  const bare = /^[A-Z][A-Z0-9_]*$/.test(cell.text) ? [writeInstead(cell, `secret ${cell.text}`)] : []
  const fixes = near === null ? bare : [writeInstead(near.begin, near.meant)]
  reporter(callCodes, section, context.found).report('N1717', cell, { text: cell.text }, { fixes })
  return null
}

function readTimeout(context: Context, cell: Cell | null): Call['timeout'] {
  if (cell === null) return { cell: null, seconds: patience }
  const seconds = secondsOf(cell.text)
  if (seconds !== null && seconds > 0) return { cell, seconds }
  const fixes = fixUnit(cell)
  reporter(callCodes, section, context.found).report('N1707', cell, { text: cell.text }, { fixes })
  return { cell, seconds: patience }
}

/** `yes`, `no`, or `yes, key {number}`. */
function readRepeat(context: Context, cell: Cell | null, entity: string | null, call: string): Call['repeat'] {
  if (cell === null || cell.text === '') return null
  if (nothing(cell) === 'none') return { cell, safe: false, key: null }
  const [first, second, ...rest] = splitCell(cell, ',')
  const key = second === undefined ? null : after(second, 'key')
  if (!/^yes$/i.test(first?.text ?? '') || (second !== undefined && key === null) || rest.length > 0) {
    reporter(callCodes, section, context.found).report('N1718', cell, { text: cell.text, example: '{number}' })
    return null
  }
  return {
    cell,
    safe: true,
    key: key && readTextAt(context, key, { section, entity }, use('callAgain', { call })),
  }
}

/** Values that records can share. */
const shared = new Set(['reference', 'text', 'choice', 'choices', 'integer', 'date', 'error'])

/** What stands before `with` in an order, and behind it. */
const orderParts = (written: Cell) => splitAt(written, 'with') ?? { before: written, after: null }

/** `in order with C-1, C-3`, `in order per item.store with C-1`: calls of other kinds. */
function readOrderedWith(context: Context, cell: Cell | null, call: string): Call['orderedWith'] {
  const others = cell === null || saysNothing(cell) ? null : orderParts(cell).after
  if (others === null) return []
  return splitCell(others, ',').flatMap(piece => {
    const found = context.calls.find(codeless(piece))
    if (found === null) return []
    if (found.key !== call) return [{ call: found.key, cell: piece }]
    const { report } = reporter(callCodes, section, context.found)
    report('N1730', piece, { text: piece.text, why: 'it is the call itself, which keeps its order anyway' })
    return []
  })
}

/** `in order per item.store`. */
function readOrder(context: Context, cell: Cell | null, entity: string | null, call: string): Call['order'] {
  if (cell === null || saysNothing(cell)) return null
  if (after(orderParts(cell).before, 'in order')?.text === '' && orderParts(cell).after !== null) return null
  return readSpecified(context, cell, open(section, 'callOrder', { call }), whole => {
    const { report } = reporter(callCodes, section, context.found)
    const written = orderParts(whole).before
    const path = after(written, 'in order per')
    if (path === null || path.text === '') {
      const near = misspelt(written, ['in order per'])
      const fixes = near === null || near.meant === near.begin.text ? [] : [writeInstead(near.begin, near.meant)]
      report('N1730', whole, { text: whole.text, why: 'it does not begin with `in order per`' }, { fixes })
      return null
    }
    const per = readAt(context, codeless(path), { section, entity }, null, use('callOrder', { call }))
    if (per === null || shared.has(per.type.kind)) return per
    report('N1730', path, { text: path.text, why: 'records do not share it' })
    return null
  })
}

/** `customer.name`, `items[].name`; null: it is fine. The same name twice is told otherwise. */
function whyNotSent(name: string, from: Call['send'][number]['from'], others: Call['send']): string | null {
  const sent = sentName(name)
  if (sent === null) return 'it is no name of a value, of one in an object, or of one in each of a list'
  if (sent.list !== null && !isUnspecified(from) && ('parts' in from || from.type.kind !== 'values'))
    return 'what it is sent from is one value, and it stands in each of a list'
  const holder = others.find(other => other.name.startsWith(`${name}.`) || name.startsWith(`${other.name}.`))
  const kinds = others.find(other => other.name.startsWith(`${name}[].`) || name.startsWith(`${other.name}[].`))
  const clash = holder ?? kinds
  return clash === undefined ? null : `\`${clash.name}\` is sent, too, and one of the two would hold the other`
}

function readSend(context: Context, draft: CallDraft, entity: string | null): Call['send'] {
  const { report } = reporter(callCodes, section, context.found)
  const known = names<Call['send'][number]>(context.found, {
    twice: (cell, first) => report('N1719', cell, { name: cell.text }, bothPlaces(cell, first)),
    unknown: () => undefined,
  })
  for (const row of draft.send) {
    const cell = row.cell('Send')!
    if (cell.text === '') continue
    const sends = { call: draft.key, name: cell.text }
    const from = readSpecified(
      context,
      row.cell('From')!,
      open(section, 'callSends', sends),
      (written): Expression | Template | null => {
        const empty = use('callSends', sends)
        const quoted = after(written, 'text')
        if (quoted !== null && /^".*"$/s.test(quoted.text))
          return readTextAt(context, slice(quoted, 1, quoted.text.length - 1), { section, entity }, empty)
        return readAt(context, written, { section, entity, settings: true, code: true }, null, empty)
      },
    )
    const name = evened(cell.text)
    const why = whyNotSent(name, from, [...known.all.values()])
    if (why === null) known.declare(cell, cell.text, { name, cell, from })
    else report('N1733', cell, { name, why })
  }
  return [...known.all.values()]
}

/** Those that say how the request is to be read, or that Ninefold fills in. */
const ownHeaders =
  /^(?:host|connection|content-.*|transfer-encoding|expect|upgrade|te|trailer|keep-alive|proxy-.*|idempotency-key|ninefold-signature(?:-2)?|traceparent)$/i

function readHeaders(context: Context, { key, keys }: CallDraft): Call['headers'] {
  const { report } = reporter(callCodes, section, context.found)
  const read: Call['headers'][number][] = []
  for (const cell of keys.all('Header')) {
    const wrong = (why: string, place = cell) =>
      report('N1734', place, { header: cell.text, why, example: 'X-Api-Key: {settings.gateway_token}' })
    const [, name = '', gap = ''] = /^([!#$%&'*+.^_`|~\w-]+)(:\s*)(?=\S)/.exec(cell.text) ?? []
    const known = read.find(other => other.name === name.toLowerCase())
    if (name === '') wrong('it has no name, no colon, or no value')
    else if (ownHeaders.test(name)) wrong(`\`${name}\` is set by Ninefold`)
    else if (known !== undefined) wrong(`\`${name}\` is there already`)
    else {
      const written = slice(cell, name.length + gap.length)
      const value = readTextAt(
        context,
        written,
        { section, entity: null, settings: true },
        use('callSends', { call: key, name }),
      )
      const hole = value?.parts.find(part => part.kind !== 'text' && part.expression.root.op !== 'setting')
      if (hole !== undefined && hole.kind !== 'text')
        wrong('what it holds is no setting, and nobody who fills in a record may write headers', hole.expression.cell)
      else if (value !== null) read.push({ name: name.toLowerCase(), cell, value })
    }
  }
  return read
}

/**
 * The steps with the calls that their triggers name: a call is an act of its step, last in the list, unless the step's own
 * Then names it already (saying it in both places is saying it once).
 */
export function withTriggers(
  workflows: ReadonlyMap<string, Workflow>,
  calls: ReadonlyMap<string, Call>,
): ReadonlyMap<string, Workflow> {
  const triggered = [...calls.values()].flatMap(({ key, trigger }) =>
    trigger !== null && 'step' in trigger ? [{ key, trigger }] : [],
  )
  return new Map(
    [...workflows].map(([entity, workflow]) => {
      const transitions = workflow.transitions.map(transition => {
        const acts = triggered
          .filter(
            ({ key, trigger }) =>
              trigger.entity === entity && trigger.step === transition.key && !calledBy(transition.then, key),
          )
          .map(({ key, trigger }): Act => ({ kind: 'call', call: key, cell: trigger.cell }))
        // biome-ignore lint/suspicious/noThenProperty: Then is a column of the document; its value is a list, never a function
        return acts.length === 0 ? transition : { ...transition, then: [...transition.then, ...acts] }
      })
      return [entity, { ...workflow, transitions }] as const
    }),
  )
}

const calledBy = (acts: readonly Act[], call: string): boolean =>
  acts.some(act => act.kind === 'call' && act.call === call)
