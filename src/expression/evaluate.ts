/**
 * The JavaScript back end: what an expression gives for a record. Runs on the server and in the browser, needs neither parser
 * nor Node, and agrees with the SQL back end on every value (the differential test compares them).
 */
import { closedDays, UTC } from './calendar.ts'
import type { AggregateName, Checked, Path, Source, Step } from './checked.ts'
import { computedRoot, type Portable } from './computed.ts'
import {
  addMonths,
  calendarUnitsFit,
  type Duration,
  FIRST_MOMENT,
  LAST_DAY,
  LAST_MOMENT,
  LONGEST_CLOCK,
} from './dates.ts'
import type { Decimal } from './decimal.ts'
import * as decimal from './decimal.ts'
import type { Expression } from './expression.ts'
import { scalarFunction } from './functions.ts'
import type { RecordValue, Wire } from './type.ts'
import { fromWire, order, toWire, type Value } from './values.ts'

/** The result when a record is needed that is not at hand: the browser leaves the decision to the server. */
export const NOT_LOADED = Symbol('not loaded')
type NotLoaded = typeof NOT_LOADED

/** What a function is given: a value, a record, the rows of a list. */
export type Given = Wire | RecordValue | readonly RecordValue[]

/** What an expression is evaluated against; all values as on the wire. */
export interface Environment {
  /**
   * The record. A field without a value may be missing or null; a computed field that is missing is computed; a child list
   * that is missing is not loaded.
   */
  readonly row: RecordValue
  /** The record before the change; null when there is none. */
  readonly old: RecordValue | null
  /** The id of the person who is signed in. */
  readonly me: string | null
  /** That person's record, when it is at hand. */
  readonly my: RecordValue | null
  /** `YYYY-MM-DD`. */
  readonly today: string
  /** ISO 8601. */
  readonly now: string
  readonly limits: Readonly<Record<string, Wire>>
  /** Dates on which there is no work although it is a working day, in order; missing: not at hand. */
  readonly closed?: readonly string[]
  readonly answer?: Readonly<Record<string, Wire>>
  /** The same as the text of its JSON: of a name in it, of all of it for ''. */
  readonly answered?: (name: string) => Wire
  readonly settings?: Readonly<Record<string, Wire>>
  /** The record that the rule is about, where that is not `row`. */
  readonly this?: RecordValue
  /** A record that a reference leads to; undefined when it is not at hand. A field it lacks counts as not loaded. */
  readonly related: (entity: string, id: string) => RecordValue | undefined
  /** All records of an entity, for `any(Loan where …)`; undefined or missing: not at hand. */
  readonly all?: (entity: string) => readonly RecordValue[] | undefined
  /** Functions of the document, written in TypeScript; missing: not at hand. */
  readonly functions?: Readonly<Record<string, (...values: readonly Given[]) => Wire>>
  /** The row has only some of its fields (a form that does not show all): a missing field counts as not loaded. */
  readonly partial?: boolean
}

/** The value on the wire; a list for `lines.item.tag`. Never throws for what a document or a person can write. */
export function evaluate(
  expression: Expression | Portable,
  environment: Environment,
): Wire | readonly Wire[] | NotLoaded {
  const computed = (entity: string, field: string): Checked | null =>
    'schema' in expression
      ? computedRoot(expression.schema, entity, field)
      : (expression.computed[`${entity}.${field}`] ?? null)
  const own: Frame = { record: environment.row, up: null, complete: environment.partial !== true }
  const about = environment.this === undefined ? own : { record: environment.this, up: null, complete: true }
  const place: Place = { environment, computed, own, about }
  const { root } = expression
  if (root.op === 'values') {
    const values = valuesOf(root.source, root.value, null, place)
    return values === NOT_LOADED ? NOT_LOADED : values.map(value => toWire(value, root.value.type))
  }
  const value = valueAt(root, place)
  return value === NOT_LOADED ? NOT_LOADED : toWire(value, root.type)
}

interface Dated {
  readonly since: string
  readonly value: string | null
}

/** The values of a constant, the earliest first, as they stand among the constants: the same text over and over. */
let lastDated: { readonly text: Wire; readonly all: readonly Dated[] } = { text: null, all: [] }

function datedIn(text: Wire): readonly Dated[] {
  if (lastDated.text !== text)
    lastDated = { text, all: typeof text === 'string' ? (JSON.parse(text) as readonly Dated[]) : [] }
  return lastDated.all
}

/** A record that names are looked up in. */
interface Frame {
  readonly record: RecordValue
  /** Of a child row that was reached through its parent: the parent. */
  readonly up: Frame | null
  /** A missing field is an empty one. */
  readonly complete: boolean
}

interface Place {
  readonly environment: Environment
  readonly computed: (entity: string, field: string) => Checked | null
  readonly own: Frame
  /** `this`. */
  readonly about: Frame
}

type Found = Value | NotLoaded

function valueAt(node: Checked, place: Place): Found {
  const { environment } = place
  switch (node.op) {
    case 'literal':
      return fromWire(node.value, node.type)
    case 'field':
      return readPath(node, place)
    case 'me':
      return environment.me
    case 'today':
    case 'now':
      return fromWire(environment[node.op], node.type)
    case 'limit':
      return fromWire(environment.limits[node.name] ?? null, node.type)
    case 'limit on':
      return strict([node.day], place, ([day]) => {
        const on = toWire(day!, node.day.type) as string
        const wire =
          datedIn(environment.limits[`${node.name} on`] ?? null).findLast(({ since }) => since <= on)?.value ?? null
        return fromWire(wire !== null && node.type.kind === 'yes/no' ? wire === 'true' : wire, node.type)
      })
    case 'answer':
      if (node.type.kind === 'json') return environment.answered?.(node.name) ?? null
      return fromWire(environment.answer?.[node.name] ?? null, node.type)
    case 'setting':
      return fromWire(environment.settings?.[node.name] ?? null, node.type)
    case 'and':
      return junction(node.parts, false, place)
    case 'or':
      return junction(node.parts, true, place)
    case 'not':
      return strict([node.of], place, ([of]) => !of)
    case 'negate':
      return strict([node.of], place, ([of]) => decimal.negate(of as Decimal))
    case 'empty': {
      const of = valueAt(node.of, place)
      return of === NOT_LOADED ? NOT_LOADED : of === null
    }
    case 'same': {
      const left = valueAt(node.left, place)
      const right = valueAt(node.right, place)
      if (left === NOT_LOADED || right === NOT_LOADED) return NOT_LOADED
      return left === null || right === null ? left === right : order(left, right) === 0
    }
    case 'compare':
      return strict([node.left, node.right], place, ([left, right]) => signHolds(node.sign, order(left!, right!)))
    case 'between':
      return junction(
        [
          { ...node, op: 'compare', sign: '>=', left: node.of, right: node.low },
          { ...node, op: 'compare', sign: '<=', left: node.of, right: node.high },
        ],
        false,
        place,
      )
    case 'in':
      return junction(
        node.list.map(member => ({ ...node, op: 'compare', sign: '=', left: node.of, right: member })),
        true,
        place,
      )
    case 'contains':
      return strict([node.left, node.right], place, ([left, right]) => (left as string).includes(right as string))
    case 'starts':
      return strict([node.left, node.right], place, ([left, right]) => (left as string).startsWith(right as string))
    case 'concat':
      return strict([node.left, node.right], place, ([left, right]) => `${left as string}${right as string}`)
    case 'arithmetic':
      return strict([node.left, node.right], place, ([left, right]) =>
        reckon(node.sign, left as Decimal, right as Decimal),
      )
    case 'shift':
      return strict([node.left, node.right], place, ([left, right]) => shift(node, left as number, right!))
    case 'difference':
      return strict([node.left, node.right], place, ([left, right]) => {
        const difference = (left as number) - (right as number)
        return node.left.type.kind === 'date' ? decimal.whole(difference) : difference
      })
    case 'times':
      return strict([node.by, node.of], place, ([by, of]) => times(by as Decimal, of as number | Duration))
    case 'if': {
      const condition = valueAt(node.condition, place)
      if (condition === NOT_LOADED) return NOT_LOADED
      return valueAt(condition === true ? node.then : node.otherwise, place)
    }
    case 'call': {
      const entry = scalarFunction(node.name)!
      if (node.name === 'coalesce') return firstOf(node.arguments, place)
      const calendar = node.calendar ?? UTC
      const looks = calendar.week?.closed === true && entry.needs !== 'zone'
      if (looks && environment.closed === undefined) {
        const known = strict(node.arguments, place, () => true)
        return known === null ? null : NOT_LOADED
      }
      const closed = looks ? closedDays(environment.closed!) : []
      const call = { types: node.arguments.map(argument => argument.type), calendar, closed }
      return strict(node.arguments, place, values => entry.evaluate(values, call))
    }
    case 'function':
      return callFunction(node.name, node, place)
    case 'aggregate':
      return node.name === 'first'
        ? firstRecord(node, place)
        : aggregate(node.name, node.source, node.value, node.where, place)
    case 'member':
      return isMember(node.of, node.source, place)
    case 'within':
      return isWithin(node, place)
    case 'values':
    case 'error':
      return null
  }
}

/** Empty when one of the values is empty. */
function strict(nodes: readonly Checked[], place: Place, reckoned: (values: readonly Value[]) => Value): Found {
  const values = nodes.map(node => valueAt(node, place))
  // An empty operand decides even where another is not loaded.
  if (values.includes(null)) return null
  return values.includes(NOT_LOADED) ? NOT_LOADED : reckoned(values as readonly Value[])
}

/** `and` (decided by false) and `or` (decided by true), three-valued. */
function junction(parts: readonly Checked[], decisive: boolean, place: Place): Found {
  let result: Found = !decisive
  for (const part of parts) {
    const value = valueAt(part, place)
    if (value === decisive) return decisive
    if (value === NOT_LOADED) result = NOT_LOADED
    else if (value === null && result !== NOT_LOADED) result = null
  }
  return result
}

function firstOf(nodes: readonly Checked[], place: Place): Found {
  for (const node of nodes) {
    const value = valueAt(node, place)
    if (value !== null) return value
  }
  return null
}

function signHolds(sign: string, compared: number): boolean {
  switch (sign) {
    case '=':
      return compared === 0
    case '!=':
      return compared !== 0
    case '<':
      return compared < 0
    case '<=':
      return compared <= 0
    case '>':
      return compared > 0
    default:
      return compared >= 0
  }
}

function reckon(sign: string, left: Decimal, right: Decimal): Decimal | null {
  switch (sign) {
    case '+':
      return decimal.add(left, right)
    case '-':
      return decimal.subtract(left, right)
    case '*':
      return decimal.multiply(left, right)
    default:
      return decimal.divide(left, right)
  }
}

function shift(node: Extract<Checked, { op: 'shift' }>, from: number, by: NonNullable<Value>): number | null {
  const sign = node.sign === '+' ? 1 : -1
  if (node.left.type.kind === 'moment') {
    const milliseconds = by as number
    const moment = from + sign * milliseconds
    return Math.abs(milliseconds) > LONGEST_CLOCK || moment < FIRST_MOMENT || moment > LAST_MOMENT ? null : moment
  }
  let day: number | null = from
  if (typeof by === 'object' && 'units' in by) {
    // Whole numbers of any size: what is too large to be exact is out of range as well.
    day += sign * Number(by.units / 10n ** BigInt(by.scale))
  } else {
    const duration = by as Duration
    if (!calendarUnitsFit(duration)) return null
    day = addMonths(from, sign * duration.months)
    if (day !== null) day += sign * duration.days
  }
  return day === null || !(day >= 0 && day <= LAST_DAY) ? null : day
}

/** To the millisecond; empty beyond 4,000 years, as every duration. */
function times(by: Decimal, of: number | Duration): number | Duration | null {
  if (typeof of === 'number') {
    const { units } = decimal.round(decimal.multiply(by, decimal.whole(of)), 0)
    const fits = units <= BigInt(LONGEST_CLOCK) && units >= -BigInt(LONGEST_CLOCK)
    return fits ? Number(units) : null
  }
  // Whole numbers of any size: what is too large to be exact is too long as well.
  const number = Number(by.units / 10n ** BigInt(by.scale))
  const product = { months: of.months * number, days: of.days * number, milliseconds: 0 }
  return calendarUnitsFit(product) ? product : null
}

function readPath(node: Extract<Checked, { op: 'field' }>, place: Place): Found {
  const start = walk(node.path, place)
  if (start === null || start === NOT_LOADED) return start
  return readField(start, node.path.steps.at(-1)!, node, place)
}

/** The record that holds the last step of a path: null where a reference on the way is empty. */
function walk(path: Path, place: Place): Frame | null | NotLoaded {
  let frame = baseFrame(path, place)
  for (const step of path.steps.slice(0, -1)) {
    if (frame === null || frame === NOT_LOADED) return frame
    if (step.parent && frame.up !== null) {
      frame = frame.up
      continue
    }
    const id: Found = readField(frame, step, { type: { kind: 'reference', entity: step.to! } }, place)
    if (id === null || id === NOT_LOADED) return id
    frame = relatedFrame(step.to!, id as string, place)
  }
  return frame
}

function baseFrame(path: Path, { environment, own, about }: Place): Frame | null | NotLoaded {
  switch (path.base) {
    case 'own':
      return own
    case 'this':
      return about
    case 'old':
      return environment.old === null ? null : { record: environment.old, up: null, complete: true }
    case 'me':
      if (environment.me === null) return null
      if (environment.my !== null) return { record: environment.my, up: null, complete: false }
      return relatedFrame(path.steps[0]!.entity, environment.me, { environment })
  }
}

function relatedFrame(entity: string, id: string, { environment }: Pick<Place, 'environment'>): Frame | NotLoaded {
  const record = environment.related(entity, id)
  return record === undefined ? NOT_LOADED : { record, up: null, complete: false }
}

function readField(frame: Frame, step: Step, node: Pick<Checked, 'type'>, place: Place): Found {
  const raw = frame.record[step.field]
  if (raw !== undefined) return fromWire(raw as Wire, node.type)
  if (step.computed) {
    const root = place.computed(step.entity, step.field)
    return root === null ? null : valueAt(root, { ...place, own: frame, about: frame })
  }
  if (step.parent && frame.up !== null) return (frame.up.record.id as string | undefined) ?? NOT_LOADED
  return frame.complete ? null : NOT_LOADED
}

/** The rows of a list or the records of an entity, as frames. */
function framesOf(source: Source, place: Place): readonly Frame[] | NotLoaded {
  if (source.kind === 'records') {
    const records = place.environment.all?.(source.entity)
    if (records === undefined) return NOT_LOADED
    const others = source.other ? records.filter(record => record.id !== place.about.record.id) : records
    const all = others.map(record => ({ record, up: null, complete: true }))
    const { tenant, live } = source
    const counted = live === undefined ? [] : all.map(own => valueAt(live, { ...place, own }))
    if (counted.includes(NOT_LOADED)) return NOT_LOADED
    const frames = live === undefined ? all : all.filter((_, index) => counted[index] === true)
    if (tenant === undefined) return frames
    const of = valueAt(tenant.of, place)
    if (of === NOT_LOADED) return NOT_LOADED
    return frames.filter(own => of !== null && valueAt(tenant.own, { ...place, own }) === of)
  }
  const owner = walk(source.path, place)
  if (owner === NOT_LOADED) return NOT_LOADED
  if (owner === null) return []
  const rows = owner.record[source.path.steps.at(-1)!.field]
  if (rows === null || typeof rows === 'string') return linkedFrames(source.entity, rows, place)
  if (!Array.isArray(rows)) return NOT_LOADED
  return (rows as readonly RecordValue[]).map(record => ({
    record,
    up: source.parent === null ? null : owner,
    complete: source.parent !== null && owner.complete,
  }))
}

/** Records that `several` names, by their ids: what is read of them has to be at hand. */
function linkedFrames(entity: string, ids: string | null, { environment }: Place): readonly Frame[] {
  if (ids === null || ids === '') return []
  return ids.split(' ').map(id => ({ record: environment.related(entity, id) ?? { id }, up: null, complete: false }))
}

/** What the rows that meet a condition give; with empties. */
function valuesOf(source: Source, value: Checked, where: Checked | null, place: Place): readonly Value[] | NotLoaded {
  const frames = framesOf(source, place)
  if (frames === NOT_LOADED) return NOT_LOADED
  const values: Value[] = []
  for (const own of frames) {
    const inside = { ...place, own }
    const chosen = where === null ? true : valueAt(where, inside)
    if (chosen === NOT_LOADED) return NOT_LOADED
    if (chosen !== true) continue
    const found = valueAt(value, inside)
    if (found === NOT_LOADED) return NOT_LOADED
    values.push(found)
  }
  return values
}

/** What the first of the records gives that meet the condition. */
function firstRecord(node: Extract<Checked, { op: 'aggregate' }>, place: Place): Found {
  const frames = framesOf(node.source, place)
  if (frames === NOT_LOADED) return NOT_LOADED
  const at = (own: Frame) => ({ ...place, own })
  const chosen = node.where === null ? null : frames.map(own => valueAt(node.where!, at(own)))
  if (chosen?.includes(NOT_LOADED)) return NOT_LOADED
  const keyed = frames
    .filter((_, index) => chosen === null || chosen[index] === true)
    .map(own => ({ own, keys: (node.order ?? []).map(({ of }) => valueAt(of, at(own))) }))
  if (keyed.some(({ keys }) => keys.includes(NOT_LOADED))) return NOT_LOADED
  keyed.sort((one, other) => {
    for (const [index, { down }] of (node.order ?? []).entries()) {
      const [left, right] = [one.keys[index] as Value, other.keys[index] as Value]
      if (left === null && right === null) continue
      if (left === null || right === null) return left === null ? 1 : -1
      const compared = order(left, right)
      if (compared !== 0) return down ? -compared : compared
    }
    return (one.own.record.id as string) < (other.own.record.id as string) ? -1 : 1
  })
  return keyed.length === 0 ? null : valueAt(node.value!, at(keyed[0]!.own))
}

const YES: Checked = { op: 'literal', value: true, type: { kind: 'yes/no' }, optional: false }

function aggregate(
  name: AggregateName,
  source: Source,
  value: Checked | null,
  where: Checked | null,
  place: Place,
): Found {
  if (name === 'any' || name === 'none' || name === 'all') {
    const held = valuesOf(source, where ?? value ?? YES, null, place)
    if (held === NOT_LOADED) return NOT_LOADED
    if (name === 'all') return held.every(one => one === true)
    return held.some(one => one === true) === (name === 'any')
  }
  const all = valuesOf(source, value ?? YES, where, place)
  if (all === NOT_LOADED) return NOT_LOADED
  const values = all.filter(one => one !== null)
  if (name === 'count') return decimal.whole(values.length)
  if (name === 'sum') return (values as readonly Decimal[]).reduce(decimal.add, decimal.ZERO)
  if (values.length === 0) return null
  return values.reduce((best, one) => (order(one, best) < 0 === (name === 'min') ? one : best))
}

/** As SQL's `= any (…)`: false for an empty list, unknown for an empty side otherwise. */
function isMember(of: Checked, source: Source, place: Place): Found {
  const frames = framesOf(source, place)
  if (frames === NOT_LOADED) return NOT_LOADED
  if (frames.length === 0) return false
  return strict([of], place, ([id]) => frames.some(frame => frame.record.id === id))
}

/** Whether a record is another one or lies below it. Climbs from the record; a circle ends the climb. */
function isWithin(node: Extract<Checked, { op: 'within' }>, place: Place): Found {
  const from = valueAt(node.of, place)
  const top = valueAt(node.tree, place)
  if (from === null || top === null) return null
  if (from === NOT_LOADED || top === NOT_LOADED) return NOT_LOADED
  const seen = new Set<string>()
  let id: string | null = from as string
  while (id !== null && !seen.has(id)) {
    if (id === top) return true
    seen.add(id)
    const above: Wire | undefined = place.environment.related(node.entity, id)?.[node.parent] as Wire | undefined
    if (above === undefined) return NOT_LOADED
    id = above as string | null
  }
  return false
}

/** A function is asked once everything that it takes is there, and is never asked with something empty. */
function callFunction(name: string, node: Extract<Checked, { op: 'function' }>, place: Place): Found {
  const written = place.environment.functions?.[name]
  const given = node.arguments.map(argument => givenAt(argument, place))
  if (given.includes(null)) return null
  if (written === undefined || given.includes(NOT_LOADED)) return NOT_LOADED
  return fromWire(written(...(given as readonly Given[])), node.type)
}

function givenAt(node: Checked, place: Place): Given | NotLoaded {
  if (node.op === 'values' && node.type.kind === 'list') {
    const frames = framesOf(node.source, place)
    return frames === NOT_LOADED ? NOT_LOADED : frames.map(({ record }) => record)
  }
  const value = valueAt(node, place)
  if (value === NOT_LOADED) return NOT_LOADED
  if (node.type.kind !== 'reference' || value === null) return toWire(value, node.type)
  const own = place.own.record
  return own.id === value ? own : (place.environment.related(node.type.entity, value as string) ?? NOT_LOADED)
}
