/** What a row says of somebody else's application: the message that it sends. */
import { slice, splitAt, splitCell, trimmed, words } from '../document/cell.ts'
import { reporter } from '../document/diagnostic.ts'
import { nearest } from '../document/nearest.ts'
import type { Cell } from '../document/source.ts'
import { isSent, type Receive } from './7-calls/model.ts'
import { receivedName } from './7-calls/receives.ts'
import type { ScenarioStep, ScenarioWhat } from './app.ts'
import { commonCodes } from './codes.ts'
import { type Context, sectionsOf } from './context.ts'
import { type Cast, worthOf } from './scenario-cast.ts'

type Sent = Extract<ScenarioWhat, { readonly kind: 'sent' }>

/** `message dispatch is sent with order O7, arrives_on 2026-03-02`; undefined: it is something else, null: after a report. */
export function readSent(
  context: Context,
  cast: Cast,
  cell: Cell,
  step: ScenarioStep['step'],
  section: number,
): Sent | null | undefined {
  const parts = splitAt(cell, 'with')
  const [whole, name] = /^message\s+(\S+)\s+is sent$/.exec((parts?.before ?? cell).text) ?? []
  if (whole === undefined) return undefined
  const cannotRead = (at: Cell, expected: string, example: string): null => {
    reporter(commonCodes, section, context.found).report('N1007', at, { expected, example })
    return null
  }
  if (step === 'then')
    return cannotRead(cell, 'what holds then: a message is sent in a row `When`', `| When | | ${cell.text} | ok |`)
  const sent = [...cast.receives.values()].filter(isSent)
  const message = sent.find(({ key }) => key === name)
  const keys = sent.map(({ key }) => key)
  const some = nearest(name!, keys) ?? keys[0] ?? 'dispatch'
  // Of one that could not be read it is told where it stands.
  if (message === undefined && isDeclared(context, name!)) return null
  if (message === undefined)
    return cannotRead(
      words(parts?.before ?? cell)[1]!,
      'a message of heading 7 that others send',
      `message ${some} is sent`,
    )
  const names = [...message.takes.map(one => one.name), ...(message.once === null ? [] : [message.once])]
  const body = (parts === null ? [] : splitCell(parts.after, ',')).flatMap(piece => {
    const said = words(piece)[0]!.text
    const value = trimmed(slice(piece, said.length)).text
    if (names.includes(said) && value !== '') return [saidOf(cast, message, said, value)]
    cannotRead(piece, `a value that ${message.key} brings`, `${names[0] ?? 'number'} 4711`)
    return []
  })
  return { kind: 'sent', message: message.key, body }
}

/** What it is found by may be the name that a row gave the record. */
function saidOf(
  { records }: Cast,
  { entity, foundBy, takes }: Receive,
  name: string,
  text: string,
): Sent['body'][number] {
  const isFoundBy = takes.some(one => one.name === name && one.field === foundBy)
  return isFoundBy && records.get(text) === entity ? { name, record: text } : { name, value: worthOf(text) }
}

const isDeclared = (context: Context, name: string): boolean =>
  sectionsOf(context, 7).some(({ subjects }) => subjects.some(subject => receivedName(subject)?.text === name))
