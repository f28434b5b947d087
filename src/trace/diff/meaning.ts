/**
 * What a part of the model means, without where and how it was written: two documents that say the same in other words, another order
 * of columns or other files are the same. Works on any part of the model, so that what is added to a heading is compared, too.
 */
import type { Cell } from '../../document/source.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Workflow } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'

/** What things of the old document are called in the new one: only where the new one says so with `(was …)`. */
export interface Renames {
  readonly entity: (key: string) => string
  /** `entity` and `field` as the old document calls them. */
  readonly field: (entity: string, field: string) => string
  readonly state: (entity: string, state: string) => string
  /** Where the new document brings the records of a state that is gone: "its records become Closed". Null: it does not say. */
  readonly broughtTo: (entity: string, state: string) => string | null
}

export const noRenames: Renames = {
  entity: key => key,
  field: (_, field) => field,
  state: (_, state) => state,
  broughtTo: () => null,
}

/** What `(was …)` says was renamed, so that it is compared as the same thing. */
export function renamesBetween(before: App, after: App): Renames {
  const entities = new Map<string, string>()
  const fields = new Map<string, string>()
  const states: StateRenames = { renamed: new Map(), brought: new Map() }
  for (const { key, was } of after.entities.values())
    if (was !== null && before.entities.has(was) && !before.entities.has(key)) entities.set(was, key)
  const oldKey = (key: string) => [...entities].find(([, now]) => now === key)?.[0] ?? key
  for (const entity of after.entities.values()) {
    const old = before.entities.get(oldKey(entity.key))
    if (old === undefined) continue
    const had = new Set(old.fields.map(({ key }) => key))
    for (const { key, was } of entity.fields)
      if (was !== null && had.has(was) && !had.has(key)) fields.set(`${old.key}.${was}`, key)
    addStates(states, old.key, before.workflows.get(old.key), after.workflows.get(entity.key))
  }
  // A row of a renamed parent names it by its key.
  for (const { key, shape } of before.entities.values()) {
    const { parent } = shape
    if (parent !== undefined && entities.has(parent)) fields.set(`${key}.${parent}`, entities.get(parent)!)
  }
  return {
    entity: key => entities.get(key) ?? key,
    field: (entity, field) => fields.get(`${entity}.${field}`) ?? field,
    state: (entity, state) => states.renamed.get(`${entity}.${state}`) ?? state,
    broughtTo: (entity, state) => {
      const to = states.brought.get(`${entity}.${state}`)
      return to === undefined ? null : `its records become ${to}`
    },
  }
}

/** By `entity.state` of before. `brought`: into a state that was there already. */
interface StateRenames {
  readonly renamed: Map<string, string>
  readonly brought: Map<string, string>
}

function addStates(
  { renamed, brought }: StateRenames,
  entity: string,
  before: Workflow | undefined,
  after: Workflow | undefined,
): void {
  const old = new Set(before?.states.map(({ name }) => name))
  for (const { name, was } of after?.states ?? [])
    for (const from of was.filter(one => old.has(one)))
      (old.has(name) ? brought : renamed).set(`${entity}.${from}`, name)
}

/** Where it was written, and what follows from the rest. */
const notMeant: ReadonlySet<string> = new Set([
  'calendar',
  'cell',
  'typeCell',
  'fromCell',
  'errorCell',
  'meaning',
  'optional',
  'computed',
  'schema',
  'tier',
  'reads',
  'examples',
  'live',
  'shown',
])
const ofEntities: ReadonlySet<string> = new Set(['entity', 'tree', 'partOf'])
const ofFields: ReadonlySet<string> = new Set(['field', 'within', 'parent', 'by', 'begin', 'end', 'until', 'lanes'])
const ofStates: ReadonlySet<string> = new Set(['from', 'to', 'while', 'state', 'start', 'locks'])

/** A text that is the same for the same meaning. `about` is the entity that bare names of fields and states belong to. */
export function meaningOf(value: unknown, renames: Renames, about: string | null): string {
  return JSON.stringify(plain(value, renames, about, null)) ?? 'null'
}

function plain(value: unknown, renames: Renames, about: string | null, key: string | null): unknown {
  if (typeof value === 'string') return renamed(value, renames, about, key)
  if (typeof value !== 'object' || value === null) return value ?? null
  if (Array.isArray(value)) return value.map(part => plain(part, renames, about, key))
  if (value instanceof Map) return plain([...value], renames, about, null)
  if (isCell(value)) return renamed(value.text, renames, about, key)
  if ('unspecified' in value) return { unspecified: true }
  if ('root' in value && 'schema' in value) return plain((value as Expression).root, renames, about, null)
  if ('op' in value) return plainOperation(value as Record<string, unknown>, renames, about)
  const own = 'entity' in value && typeof value.entity === 'string' ? value.entity : about
  // The steps of a path: `to` is an entity there, a state everywhere else.
  const isStep = 'computed' in value && 'to' in value && 'field' in value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, part]) => !notMeant.has(name) && part !== undefined)
      .map(([name, part]) => [name, plain(part, renames, own, isStep && name === 'to' ? 'entity' : name)])
      .sort(([one], [other]) => (one! < other! ? -1 : 1)),
  )
}

/** Types follow from the fields, but that of a literal says whose states it names. */
function plainOperation(value: Record<string, unknown>, renames: Renames, about: string | null): unknown {
  const { type, ...rest } = value
  const { kind, of } = type as { readonly kind: string; readonly of?: string }
  const text = rest.value
  if (rest.op === 'literal' && kind === 'choice' && typeof text === 'string' && of?.endsWith('.state') === true)
    return { op: 'literal', value: renames.state(entityNamed(of.slice(0, -'.state'.length)), text) }
  const { op, optional: _, ...parts } = rest
  return { op, parts: plain(parts, renames, about, null) }
}

/** `Loan line` → `loan_line`, as in the key of an entity. */
const entityNamed = (name: string): string => name.toLowerCase().replaceAll(' ', '_')

function renamed(text: string, renames: Renames, about: string | null, key: string | null): string {
  if (key === null) return text
  if (ofEntities.has(key)) return renames.entity(text)
  if (about === null) return text
  if (ofFields.has(key)) return renames.field(about, text)
  return ofStates.has(key) ? renames.state(about, text) : text
}

const isCell = (value: unknown): value is Cell =>
  typeof value === 'object' && value !== null && 'file' in value && 'start' in value && 'text' in value

/** The words that say a part of the model: those of its cell. Null where it has none. */
export function wordsOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) {
    const words = value.map(wordsOf).filter(text => text !== null)
    return words.length === 0 ? null : words.join(', ')
  }
  if (isCell(value)) return value.text
  if ('unspecified' in value) return 'not specified'
  return 'cell' in value && isCell(value.cell) ? value.cell.text : null
}
