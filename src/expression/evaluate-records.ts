/** The JavaScript back end among records: paths along references, the rows of a list, aggregates, and trees. */
import type { AggregateName, Checked, CheckedNode, Ordered, Path, Source, Step } from './checked.ts'
import { boundedClock, dateOf } from './dates.ts'
import type { Decimal } from './decimal.ts'
import * as decimal from './decimal.ts'
import { type Environment, NOT_LOADED, type NotLoaded } from './environment.ts'
import { isClock } from './fit.ts'
import type { RecordValue, Wire } from './type.ts'
import { fromWire, order, toWire, type Value } from './values.ts'
import { BY_LINES, isAsRows, listed } from './written.ts'
import { groupOrder, writtenOrNone } from './written-groups.ts'

/** A record that names are looked up in. */
export interface Frame {
  readonly record: RecordValue
  /** Of a child row that was reached through its parent: the parent. */
  readonly up: Frame | null
  /** A missing field is an empty one. */
  readonly complete: boolean
}

export interface EvaluationScope {
  readonly environment: Environment
  readonly computed: (entity: string, field: string) => Checked | null
  readonly own: Frame
  /** `this`. */
  readonly about: Frame
  /** The value of a part. */
  readonly valueAt: (node: Checked, place: EvaluationScope) => Found
}

export type Found = Value | NotLoaded

export function readPath(node: CheckedNode<'field'>, place: EvaluationScope): Found {
  const start = walk(node.path, place)
  if (start === null || start === NOT_LOADED) return start
  return readField(start, node.path.steps.at(-1)!, node, place)
}

/** The record that holds the last step of a path: null where a reference on the way is empty. */
function walk(path: Path, place: EvaluationScope): Frame | null | NotLoaded {
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

function baseFrame(path: Path, { environment, own, about }: EvaluationScope): Frame | null | NotLoaded {
  switch (path.base) {
    case 'own':
      return own
    case 'this':
      return about
    case 'self':
      return { record: environment.row, up: null, complete: environment.partial !== true }
    case 'old':
      return environment.old === null ? null : { record: environment.old, up: null, complete: true }
    case 'named': {
      const id = environment.records?.[path.name!]
      if (id === null) return null
      return id === undefined ? NOT_LOADED : relatedFrame(path.steps[0]!.entity, id, { environment })
    }
    case 'me':
      if (environment.me === null) return null
      if (environment.my !== null) return { record: environment.my, up: null, complete: false }
      return relatedFrame(path.steps[0]!.entity, environment.me, { environment })
  }
}

function relatedFrame(
  entity: string,
  id: string,
  { environment }: Pick<EvaluationScope, 'environment'>,
): Frame | NotLoaded {
  const record = environment.related(entity, id)
  return record === undefined ? NOT_LOADED : { record, up: null, complete: false }
}

function readField(frame: Frame, step: Step, node: Pick<Checked, 'type'>, place: EvaluationScope): Found {
  const raw = frame.record[step.field]
  if (raw !== undefined) return fromWire(raw as Wire, node.type)
  if (step.computed) {
    const root = place.computed(step.entity, step.field)
    return root === null ? null : place.valueAt(root, { ...place, own: frame, about: frame })
  }
  if (step.parent && frame.up !== null) return (frame.up.record.id as string | undefined) ?? NOT_LOADED
  return frame.complete ? null : NOT_LOADED
}

/** The rows of a list or the records of an entity, as frames. */
export function framesOf(source: Source, place: EvaluationScope): readonly Frame[] | NotLoaded {
  if (source.kind === 'records') {
    const records = place.environment.all?.(source.entity)
    if (records === undefined) return NOT_LOADED
    const others = source.other ? records.filter(record => record.id !== place.about.record.id) : records
    const all = others.map(record => ({ record, up: null, complete: true }))
    const { tenant, live } = source
    const counted = live === undefined ? [] : all.map(own => place.valueAt(live, { ...place, own }))
    if (counted.includes(NOT_LOADED)) return NOT_LOADED
    const frames = live === undefined ? all : all.filter((_, index) => counted[index] === true)
    if (tenant === undefined) return frames
    const of = place.valueAt(tenant.of, place)
    if (of === NOT_LOADED) return NOT_LOADED
    return frames.filter(own => of !== null && place.valueAt(tenant.own, { ...place, own }) === of)
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
function linkedFrames(entity: string, ids: string | null, { environment }: EvaluationScope): readonly Frame[] {
  if (ids === null || ids === '') return []
  return ids.split(' ').map(id => ({ record: environment.related(entity, id) ?? { id }, up: null, complete: false }))
}

/** What the rows that meet a condition give; with empties. */
export function valuesOf(
  source: Source,
  value: Checked,
  where: Checked | null,
  place: EvaluationScope,
): readonly Value[] | NotLoaded {
  const frames = framesOf(source, place)
  if (frames === NOT_LOADED) return NOT_LOADED
  const values: Value[] = []
  for (const own of frames) {
    const inside = { ...place, own }
    const chosen = where === null ? true : place.valueAt(where, inside)
    if (chosen === NOT_LOADED) return NOT_LOADED
    if (chosen !== true) continue
    const found = place.valueAt(value, inside)
    if (found === NOT_LOADED) return NOT_LOADED
    values.push(found)
  }
  return values
}

type Aggregate = CheckedNode<'aggregate'>

/** What the first of the records gives that meet the condition. */
export function firstRecord(node: Aggregate, place: EvaluationScope): Found {
  const frames = inOrder(node, place)
  if (frames === NOT_LOADED) return NOT_LOADED
  return frames.length === 0 ? null : place.valueAt(node.value!, { ...place, own: frames[0]! })
}

/** Their texts one after the other. */
export function listOf(node: Aggregate, place: EvaluationScope): Found {
  const frames = inOrder(node, place)
  if (frames === NOT_LOADED) return NOT_LOADED
  const texts = frames.map(own => place.valueAt(node.value!, { ...place, own }))
  if (texts.includes(NOT_LOADED)) return NOT_LOADED
  return listed(
    texts.filter(text => typeof text === 'string'),
    node.more!,
  )
}

/** The records that meet the condition, in their order. */
function inOrder(node: Aggregate, place: EvaluationScope): readonly Frame[] | NotLoaded {
  const frames = framesOf(node.source, place)
  if (frames === NOT_LOADED) return NOT_LOADED
  const at = (own: Frame) => ({ ...place, own })
  const chosen = node.where === null ? null : frames.map(own => place.valueAt(node.where!, at(own)))
  if (chosen?.includes(NOT_LOADED)) return NOT_LOADED
  const keyed = frames
    .filter((_, index) => chosen === null || chosen[index] === true)
    .map(own => ({ own, keys: (node.order ?? []).map(({ of }) => place.valueAt(of, at(own))) }))
  if (keyed.some(({ keys }) => keys.includes(NOT_LOADED))) return NOT_LOADED
  keyed.sort((one, other) => {
    const compared = compareKeys(node.order ?? [], one.keys as Value[], other.keys as Value[])
    if (compared !== 0 || isAsRows(node)) return compared
    return (one.own.record.id as string) < (other.own.record.id as string) ? -1 : 1
  })
  return keyed.map(({ own }) => own)
}

/** What is empty comes last, in either direction. */
function compareKeys(by: readonly Ordered[], one: readonly Value[], other: readonly Value[]): number {
  for (const [index, { down }] of by.entries()) {
    const [left, right] = [one[index]!, other[index]!]
    if (left === null && right === null) continue
    if (left === null || right === null) return left === null ? 1 : -1
    const compared = order(left, right)
    if (compared !== 0) return down ? -compared : compared
  }
  return 0
}

/** A line for each group: what its records have in common, and its figures. */
export function groupsOf({ source, value, where, figures, calendar, more }: Aggregate, place: EvaluationScope): Found {
  const key = value!
  const columns = [key, ...figures!.map(figure => figure.value ?? YES)].map(of => valuesOf(source, of, where, place))
  if (columns.includes(NOT_LOADED)) return NOT_LOADED
  const [keys, ...given] = columns as unknown as readonly [readonly Value[], ...(readonly Value[])[]]
  const names = keys.map(one => toWire(one, key.type))
  const heads = new Map(names.map((name, at) => [name, keys[at]!] as const))
  const lines = [...heads]
    .sort(([, one], [, other]) => groupOrder(key.type, one, other))
    .map(([name, head]) => {
      const texts = figures!.map((figure, at) => {
        const values = given[at]!.filter((_, row) => names[row] === name)
        return writtenOrNone(reckoned(figure.name, figure.value, values), figure.type, figure.calendar)
      })
      return `${writtenOrNone(head, key.type, calendar!)}: ${texts.join(', ')}`
    })
  return listed(lines, more!, BY_LINES)
}

const YES: Checked = { op: 'literal', value: true, type: { kind: 'yes/no' }, optional: false }

export function aggregate(
  name: AggregateName,
  source: Source,
  value: Checked | null,
  where: Checked | null,
  place: EvaluationScope,
): Found {
  if (name === 'any' || name === 'none' || name === 'all') {
    const held = valuesOf(source, where ?? value ?? YES, null, place)
    if (held === NOT_LOADED) return NOT_LOADED
    if (name === 'all') return held.every(one => one === true)
    return held.some(one => one === true) === (name === 'any')
  }
  const all = valuesOf(source, value ?? YES, where, place)
  if (all === NOT_LOADED) return NOT_LOADED
  if (name === 'days')
    return `{${[...new Set(all.filter(one => one !== null) as readonly number[])].sort((a, b) => a - b).map(dateOf)}}`
  return reckoned(name, value, all)
}

function reckoned(name: AggregateName, of: Checked | null, all: readonly Value[]): Value {
  const values = all.filter(one => one !== null)
  if (name === 'count') return decimal.whole(values.length)
  if (name === 'sum')
    return of !== null && isClock(of.type)
      ? boundedClock((values as readonly number[]).reduce((all, one) => all + one, 0))
      : (values as readonly Decimal[]).reduce(decimal.add, decimal.ZERO)
  if (values.length === 0) return null
  return values.reduce((best, one) => (order(one, best) < 0 === (name === 'min') ? one : best))
}

/** As SQL's `= any (…)`: false for an empty list, unknown for an empty side otherwise. */
export function isMember(of: Checked, source: Source, place: EvaluationScope): Found {
  const frames = framesOf(source, place)
  if (frames === NOT_LOADED) return NOT_LOADED
  if (frames.length === 0) return false
  const id = place.valueAt(of, place)
  return id === null || id === NOT_LOADED ? id : frames.some(frame => frame.record.id === id)
}

/** Whether a record is another one or lies below it. Climbs from the record; a circle ends the climb. */
export function isWithin(node: CheckedNode<'within'>, place: EvaluationScope): Found {
  const from = place.valueAt(node.of, place)
  const top = place.valueAt(node.tree, place)
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
