/** `### Receives stock_count`: messages of others, and what they do. */
import { after, codeless, slice, trimmed } from '../../document/cell.ts'
import { type NamedRow, readProperties } from '../../document/columns.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import type { Subject } from '../../document/tree.ts'
import type { Entity } from '../3-entities/model.ts'
import { fieldKey } from '../3-entities/no-field.ts'
import { findStep } from '../4-states/declare.ts'
import { type Context, cellOrNull, documentReporter, leaveOpen, readTables, sectionsOf } from '../context.ts'
import { open } from '../gaps/gap.ts'
import { bothPlaces, evened, names } from '../names.ts'
import { callCodes } from './codes.ts'
import type { Receive } from './model.ts'
import { received, receiveKeys } from './table.ts'

const section = 7
/** An address of our own, where files are sent. */
const taken = 'files'

/** The title's words behind `Receives`; null where the subject is something else. */
export const receivedName = (subject: Subject): Cell | null =>
  after(subject.title, 'Receives') ?? after(subject.title, 'Receive')

/** Messages of others by their key. */
export function readReceives(context: Context, entities: ReadonlyMap<string, Entity>): ReadonlyMap<string, Receive> {
  const { report } = reporter(callCodes, section, context.found)
  const found = names<Receive>(context.found, {
    twice: (cell, first) => report('N1702', cell, { call: cell.text }, bothPlaces(cell, first)),
    unknown: () => undefined,
  })
  for (const content of sectionsOf(context, section))
    for (const subject of content.subjects) {
      const name = receivedName(subject)
      const receive = name === null ? null : readReceive(context, subject, codeless(name), entities)
      if (receive !== null) found.declare(receive.cell, receive.key, receive)
    }
  return new Map(found.all)
}

type Keys = NamedRow<(typeof receiveKeys)['columns'][number]['name']>

/** Null where it could not be obeyed as it stands: that is reported, or a gap. */
function readReceive(
  context: Context,
  subject: Subject,
  name: Cell,
  entities: ReadonlyMap<string, Entity>,
): Receive | null {
  const { report } = reporter(callCodes, section, context.found)
  const rows = readTables(context, subject, section, [received]).rows(received)
  const keys: Keys = readProperties(subject.properties, receiveKeys, subject.title, documentReporter(context, section))
  if (!/^[a-z][a-z0-9_]*$/.test(name.text) || name.text === taken) {
    report('N1724', name, { name: name.text })
    return null
  }
  const about = cellOrNull(keys.cell('About'))
  if (about === null) {
    leaveOpen(context, name, open(section, 'receiveAbout', { name: name.text }))
    return null
  }
  const entity = context.entities.find(codeless(about))
  const model = entity === null ? undefined : entities.get(entity.key)
  const shape = entity === null ? undefined : context.schema.get(entity.key)
  if (model === undefined || shape === undefined) return null
  if (shape.tenant !== undefined) {
    report('N1740', about, { entity: model.name })
    return null
  }
  const field = (cell: Cell): string | null => fieldKey(context, section, shape, codeless(cell))

  const takes = rows.flatMap(row => {
    const [from, into] = [row.cell('Receive')!, row.cell('Into')!]
    const key = into.text === '' ? null : field(into)
    return key === null || from.text === '' ? [] : [{ name: evened(from.text), field: key, cell: from, into }]
  })
  const finding = cellOrNull(keys.cell('Found by'))
  // As a condition, where one field says it.
  const named = finding === null ? null : trimmed(slice(finding, 0, finding.text.search(/\s*=|$/)))
  if (finding !== null && named !== null && named.text !== finding.text && named.text !== '')
    report('N1744', finding, { field: named.text }, { fixes: [writeInstead(finding, named.text)] })
  const foundBy = named === null ? null : field(named)
  const proof = readProof(context, keys, name)
  const doing = readDoing(context, keys, model.key)
  const newest = cellOrNull(keys.cell('Newest by'))
  const newestBy = newest === null ? null : field(newest)
  if (proof === undefined || doing === null) return null
  if (foundBy === null && doing !== 'create') {
    if (finding === null) leaveOpen(context, name, open(section, 'receiveFoundBy', { name: name.text }))
    return null
  }
  const finder = model.fields.find(({ key }) => key === foundBy)
  const isUnique = finder !== undefined && finder.unique !== null && finder.unique.within.length === 0
  const isNumber = finder?.kind === 'auto number'
  if (finding !== null && foundBy !== null && ((!isUnique && !isNumber) || !takes.some(one => one.field === foundBy))) {
    report('N1726', finding, { field: finding.text, entity: model.name, receive: name.text })
    return null
  }
  const once = cellOrNull(keys.cell('Once per'))
  return {
    key: name.text,
    cell: name,
    entity: model.key,
    foundBy,
    does: doing,
    proof,
    takes,
    once: once === null ? null : codeless(once).text,
    newest: newestBy,
    most: readMost(context, cellOrNull(keys.cell('At most'))),
  }
}

/** Without one, anybody could send it: nothing is received. `Key: none` says that nobody does. Undefined after a report. */
function readProof(context: Context, keys: Keys, name: Cell): Receive['proof'] | undefined {
  const { report } = reporter(callCodes, section, context.found)
  const [given, sign] = [keys.cell('Key'), cellOrNull(keys.cell('Sign with'))]
  if (sign === null && given !== null && nothing(given) === 'none') return null
  const key = cellOrNull(given)
  const cell = sign ?? key
  if (cell === null) {
    report('N1725', name, { receive: name.text })
    return undefined
  }
  const variable = after(cell, 'secret')?.text ?? ''
  if (/^[A-Z][A-Z0-9_]*$/.test(variable)) return { cell, kind: sign === null ? 'key' : 'signature', variable }
  report('N1717', cell, { text: cell.text })
  return undefined
}

/** `1200`, `limits.max_counts`. */
function readMost(context: Context, cell: Cell | null): Receive['most'] {
  if (cell === null || nothing(cell) !== null) return null
  const { text } = codeless(cell)
  if (/^[1-9]\d{0,5}$/.test(text)) return { cell, value: Number(text) }
  const limit = /^limits\.([a-z][a-z0-9_]*)$/.exec(text)?.[1]
  if (limit !== undefined && context.limits.get(limit)?.type.kind === 'integer') return { cell, value: { limit } }
  const [number] = /^[1-9]\d{0,5}(?=\s)/.exec(text) ?? []
  const fixes = number === undefined ? [] : [writeInstead(cell, number)]
  reporter(callCodes, section, context.found).report('N1745', cell, { text }, { fixes })
  return null
}

function readDoing(context: Context, keys: Keys, entity: string): Receive['does'] | null {
  const cell = cellOrNull(keys.cell('Then'))
  const text = cell === null ? 'change' : codeless(cell).text.toLowerCase()
  if (text === 'create' || text === 'change' || text === 'create or change') return text
  const step = after(cell!, 'do')
  if (step === null) {
    reporter(callCodes, section, context.found).report('N1727', cell!, { text: cell!.text })
    return null
  }
  const found = findStep(context, entity, codeless(step))
  return found === null ? null : { step: found.key }
}
