/** What is counted, added up and looked for among rows and the records of an entity. */
import { type About, field, follow, type Part } from './names.ts'
import * as values from './values.ts'
import { eachOf, type Frame, inside, isA, NotJudged, order, type Value } from './values.ts'

/** `other Loan.value where ok order by day down`. */
export interface Given {
  readonly path: readonly string[]
  readonly isOther: boolean
  readonly where: Part | null
  readonly by: readonly { readonly field: string; readonly down: boolean }[]
  /** Then archived records count, too. */
  readonly namesArchived: boolean
}

/** The records that a path leads to first, and what is read of each. */
export function source(
  { path, isOther, namesArchived }: Given,
  about: About,
): { readonly frames: readonly Frame[]; readonly behind: readonly string[] } {
  const [first, ...behind] = path
  const entity = /^[A-Z]/.test(first!) ? about.told.called(first!) : null
  if (entity !== null) {
    if (about.told.tenant !== null) throw new NotJudged('records of a tenant')
    const all = about.records(entity).filter(({ id }) => !isOther || id !== about.self.record.id)
    const frames = all.map((record): Frame => ({ entity, record, up: null }))
    return { frames: namesArchived ? frames : frames.filter(frame => isLive(frame, about)), behind }
  }
  let [frame, at]: [Frame | null, number] = [about.row, 0]
  if (first === 'this') [frame, at] = [about.self, 1]
  if (first === 'my')
    [frame, at] = [frameOf(follow({ is: 'record', entity: 'person', of: about.me ?? '' }, [], about), about), 1]
  for (; at < path.length; at++) {
    if (frame === null) return { frames: [], behind: [] }
    const value = field(frame, path[at]!, about)
    const further = path.slice(at + 1)
    if (isA(value, 'rows')) return throughRows(value.of, further, about)
    if (isA(value, 'several')) return { frames: value.of.map(each => frameOf(each, about)!), behind: further }
    if (
      value === null &&
      ['rows', 'several'].includes(about.told.entity(frame.entity).fields.get(path[at]!)?.kind ?? '')
    )
      return { frames: [], behind: [] }
    frame = frameOf(value, about)
  }
  throw new NotJudged(path.join('.'))
}

/** Rows of these rows, where the path goes on through lists of theirs. */
function throughRows(frames: readonly Frame[], path: readonly string[], about: About): ReturnType<typeof source> {
  const [first, ...behind] = path
  const [some] = frames
  if (some === undefined || first === undefined) return { frames, behind: path }
  if (about.told.entity(some.entity).fields.get(first)?.kind !== 'rows') return { frames, behind: path }
  const inner = frames.flatMap(frame => {
    const value = field(frame, first, about)
    return isA(value, 'rows') ? value.of : []
  })
  return throughRows(inner, behind, about)
}

function frameOf(value: Value, about: About): Frame | null {
  if (value === null) return null
  if (!isA(value, 'record')) throw new NotJudged('a record')
  const record = about.record(value.entity, value.of)
  if (record === undefined) throw new NotJudged(`a ${value.entity} that is not there`)
  return { entity: value.entity, record, up: null }
}

/** It, and what it is part of, is not archived. */
function isLive(frame: Frame, about: About): boolean {
  if (frame.record.archived_at != null) return false
  const { parent, partOf } = about.told.entity(frame.entity)
  const above = parent === null ? undefined : about.record(partOf!, String(frame.record[parent]))
  return above === undefined || isLive({ entity: partOf!, record: above, up: null }, about)
}

export function aggregate(name: string, given: Given, about: About): Value {
  const { frames, behind } = source(given, about)
  const { where, by } = given
  const selfOf = (row: Frame): Frame => (name === 'each' && about.alone ? row : about.self)
  const held = frames.map(row => (where === null ? true : where({ ...about, row, self: selfOf(row) })))
  if (name === 'all') return held.every(one => one === true)
  const rows = frames.filter((_, at) => held[at] === true)
  if (name === 'any') return rows.length > 0
  if (name === 'none') return rows.length === 0
  const told = (row: Frame): Value => follow({ is: 'rows', of: [row] }, behind, about)
  if (name === 'count' && behind.length === 0) return values.whole(rows.length)
  const sorted = () => [...rows].sort((a, b) => inOrder(a, b, by, about))
  if (name === 'each') return { is: 'rows', of: sorted() }
  if (name === 'first') {
    const [found] = sorted()
    if (found === undefined) return null
    return behind.length > 0 ? onlyOf(told(found)) : { is: 'record', entity: found.entity, of: String(found.record.id) }
  }
  const found = rows.flatMap(row => eachOf(told(row))).filter(value => value !== null)
  if (name === 'count') return values.whole(found.length)
  if (name === 'sum') return found.reduce<Value>(plus, values.whole(0))
  const sign = name === 'min' ? -1 : 1
  return found.reduce<Value>((most, one) => (most === null || order(one, most)! * sign > 0 ? one : most), null)
}

const onlyOf = (value: Value): Value => eachOf(value)[0] ?? null

function plus(left: Value, right: Value): Value {
  const is = isA(right, 'length') ? 'length' : 'number'
  return { is, of: (isA(left, is) ? left.of : 0n) + inside(right, is) }
}

/** Empty ones last; those that are alike as they were created. */
function inOrder(a: Frame, b: Frame, by: Given['by'], about: About): number {
  for (const { field: key, down } of by) {
    const [left, right] = [field(a, key, about), field(b, key, about)]
    if (left === null || right === null) {
      if (left !== right) return left === null ? 1 : -1
    } else {
      const compared = order(left, right)!
      if (compared !== 0) return down ? -compared : compared
    }
  }
  if (a.up !== null) return 0
  const [first, second] = [a, b].map(({ record }) => `${record.created_at} ${record.id}`)
  return first! < second! ? -1 : 1
}
