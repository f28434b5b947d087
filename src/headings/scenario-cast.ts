/** Who and what a scenario has introduced, and the values that its rows write. */
import { slice, splitAt, splitCell, trimmed, words } from '../document/cell.ts'
import { reporter } from '../document/diagnostic.ts'
import { writeInstead } from '../document/fix.ts'
import { didYouMean } from '../document/nearest.ts'
import type { Cell } from '../document/source.ts'
import type { Type } from '../expression/type.ts'
import type { Screen } from './2-screens/model.ts'
import { fieldOrOfRows } from './3-entities/no-field.ts'
import type { Receive } from './7-calls/model.ts'
import type { ScenarioValue } from './app.ts'
import { commonCodes } from './codes.ts'
import type { Context } from './context.ts'
import { writeNearest } from './names.ts'
import { checkValue, namedBySample } from './values.ts'

/** What a scenario has introduced so far: records by name → entity, people by name → role. */
export interface Cast {
  readonly records: Map<string, string>
  readonly people: Map<string, { readonly role: string | null; readonly cell: Cell }>
  /** Those of the records that are of the sample data. */
  readonly samples: Map<string, string>
  readonly screens: readonly Screen[]
  readonly receives: ReadonlyMap<string, Receive>
  /** People of the scenarios above, by name → role: each scenario introduces its own. */
  readonly elsewhere: ReadonlyMap<string, string>
  /** A row that introduces something could not be read: that a name is unknown is no news then. */
  isBroken: boolean
}

/** `Cleo the Clerk`. */
export function introduction(cell: Cell): { readonly name: string; readonly role: Cell } | null {
  const parts = splitAt(cell, 'the')
  return parts === null || parts.before.text === '' ? null : { name: parts.before.text, role: parts.after }
}

/** A name that the scenario gave to a person, and to no record. */
export const isPerson = ({ records, people }: Cast, { text }: Cell): boolean => people.has(text) && !records.has(text)

/** A record of the sample data, known by this name from here on. */
export function ofSample(cast: Cast, name: Cell, entity: string): Cell {
  cast.records.set(name.text, entity)
  cast.samples.set(name.text, entity)
  return name
}

/** Somebody of the sample data, whether the scenario introduces them or not. */
export function isSamplePerson(context: Context, cell: Cell): boolean {
  const people = context.typed.get('person')
  return people !== undefined && namedBySample(people, cell)
}

/** A name that nothing before introduces; `kind`: what it would have to be. */
export function unknownName(
  context: Context,
  cast: Cast,
  cell: Cell,
  kind: 'person' | 'record',
  known: Iterable<string>,
  section: number,
): void {
  if (cast.isBroken) return
  const all = [...known]
  const introduced = kind === 'person' ? personAs(context, cast, cell.text) : recordAs(context)
  const { report } = reporter(commonCodes, section, context.found)
  const parameters = { name: cell.text, meant: didYouMean(cell.text, all), introduced }
  report('N1008', cell, parameters, { fixes: writeNearest(cell, all) })
}

function personAs({ roles }: Context, { elsewhere }: Cast, name: string): string {
  const known = elsewhere.get(name)
  const [first = 'Clerk'] = roles.all.keys()
  const again = known === undefined ? '' : ' again, since each scenario introduces its own people'
  return `a person with a role${again}: \`${name} the ${known ?? first}\`, once in \`Who\` or after \`by\``
}

function recordAs({ entities }: Context): string {
  const own = [...entities.all.values()].find(({ builtIn, partOf }) => !builtIn && partOf === null)
  return `a record in a row above, like \`${own?.name ?? 'Loan'} L1 by Cleo …\``
}

/** `item CA-0001, out_on 2026-03-02, state Requested`. */
export function readValues(
  context: Context,
  cast: Cast,
  entity: string,
  cell: Cell | null,
  section: number,
): { readonly values: readonly ScenarioValue[]; readonly state: string | null } {
  const values: ScenarioValue[] = []
  const given: Given = new Map()
  const workflow = context.workflows.get(entity)
  let state: string | null = null
  for (const piece of cell === null ? [] : splitCell(cell, ',')) {
    const [field] = words(piece)
    if (field === undefined) continue
    if (field.text === 'state' && workflow !== undefined) {
      if (isGivenTwice(context, given, entity, field, section)) continue
      state = workflow.states.find(trimmed(slice(piece, field.text.length)))?.name ?? null
      continue
    }
    const value = readValue(context, { cast, given, before: values.at(-1)?.field }, entity, piece, section)
    if (value !== null) values.push(value)
  }
  return { values, state }
}

/** What stands around a value: the names of its scenario, the fields that have a value by now, the field of the value before it. */
interface AroundValue {
  readonly cast: Cast
  readonly given: Given
  readonly before: string | undefined
}

/** `out_on 2026-03-02`; null after a report. */
function readValue(
  context: Context,
  { cast, given, before }: AroundValue,
  entity: string,
  piece: Cell,
  section: number,
): ScenarioValue | null {
  const wrong = (place: Cell, expected: string, example: string, instead: string | null = null): null => {
    const fixes = instead === null ? [] : [writeInstead(piece, instead)]
    reporter(commonCodes, section, context.found).report('N1007', place, { expected, example }, { fixes })
    return null
  }
  const [field, ...others] = words(piece) as [Cell, ...Cell[]]
  const several = severalIn(context, entity, before)
  if (several !== null && (others.length === 0 || isCalled(cast, piece))) {
    const example = `${several} ${piece.text}`
    return wrong(piece, 'a field with a value', example, example)
  }
  if (others.length === 0) return wrong(piece, 'a field with a value', 'out_on 2026-03-02')
  const found = fieldOrOfRows(context, section, entity, field)
  if (found === null) return null
  if (found.child === null && isGivenByItself(context, entity, field.text))
    return wrong(piece, 'a field that people fill', 'out_on 2026-03-02')
  if (isGivenTwice(context, given, found.entity, field, section)) return null
  const value = trimmed(slice(piece, field.text.length))
  const named = severalIn(context, found.entity, field.text) === null ? [] : listed(cast, value)
  if (named.length > 1) {
    const example = named.map(name => `${field.text} ${name}`).join(', ')
    return wrong(value, 'one name', example, example)
  }
  const shape = context.schema.get(found.entity)!.fields.get(field.text)!
  const draft = context.typed.get(found.entity)!.fields.get(field.text) ?? null
  checkValue(context, shape, draft, value, section, namesFor(cast, shape.type))
  return { field: field.text, child: found.child, cell: value }
}

/** What the scenario has named that a field of this type can name. */
function namesFor({ records, people }: Cast, type: Type): ReadonlySet<string> {
  const entity = type.kind === 'reference' || type.kind === 'list' ? type.entity : null
  const own = [...records].flatMap(([name, of]) => (of === entity ? [name] : []))
  return new Set(entity === 'person' ? [...own, ...people.keys()] : own)
}

/** Fields that a row gave values to, by entity and key. */
export type Given = Map<string, Cell>

/** Whether a row says this field a second time, which only one that names several records may be; reports it otherwise. */
export function isGivenTwice(context: Context, given: Given, entity: string, field: Cell, section: number): boolean {
  const key = `${entity} ${field.text}`
  const first = given.get(key)
  if (first === undefined) given.set(key, field)
  if (first === undefined || severalIn(context, entity, field.text) !== null) return false
  const related = [{ span: first, message: 'first here' }]
  reporter(commonCodes, section, context.found).report('N1028', field, { field: field.text }, { related })
  return true
}

/** The key, where it is that of a field which names several records. */
const severalIn = (context: Context, entity: string, key = ''): string | null =>
  context.typed.get(entity)?.fields.get(key)?.kind.links === true ? key : null

const isCalled = ({ records, people }: Cast, { text }: Cell): boolean => people.has(text) || records.has(text)

/** Names of this scenario that stand in one value, as in `Ralf and Rosa`; none where something else does. */
function listed(cast: Cast, cell: Cell): readonly string[] {
  const names = cell.text.replaceAll('"', '').split(/\s*,\s*|\s+and\s+/)
  return isCalled(cast, cell) || !names.every(text => isCalled(cast, { ...cell, text })) ? [] : names
}

/** What every record has without being given it; a row names the record that it is part of. */
export const isGivenByItself = (context: Context, entity: string, key: string): boolean =>
  !context.typed.get(entity)!.fields.has(key) && key !== context.schema.get(entity)!.parent

/** What another application says: a number, yes or no, else a text, which may stand in quotes. */
export function worthOf(text: string): string | number | boolean {
  if (text === 'yes' || text === 'no') return text === 'yes'
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text.replace(/^"(.*)"$/, '$1')
}
