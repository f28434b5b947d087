/** Effects that cause each other in a circle. */

import type { Cell } from '../../document/source.ts'
import { evaluate } from '../../expression/evaluate.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Wire } from '../../expression/type.ts'
import type { App } from '../app.ts'
import { isUnspecified } from '../specified.ts'
import { createdWith } from './all-acts.ts'
import type { Act, Effect } from './model.ts'

interface Circle {
  readonly cells: readonly Cell[]
  /** Nothing on the way depends on anything: each record makes another one. */
  readonly endless: boolean
}

/** A row of the document: what makes it happen, and what it makes happen, as names of events (`created fine`, `fine.amount`). */
interface CausingRow {
  readonly cell: Cell
  readonly conditional: boolean
  readonly isCausedBy: (caused: Caused) => boolean
  readonly causes: readonly Caused[]
}

interface Caused {
  readonly event: string
  /** One record is created for sure. */
  readonly certain: boolean
  /** The state in which it leaves the record that it is about. */
  readonly state?: string
}

/** One circle per row that begins one, in the document's order. */
export function circlesOf(app: App): readonly Circle[] {
  const rows = rowsOf(app)
  const after = new Map(
    rows.map(row => [
      row,
      rows.flatMap(next => {
        const caused = row.causes.filter(next.isCausedBy)
        return caused.length === 0 ? [] : [{ next, caused }]
      }),
    ]),
  )
  const found: Circle[] = []
  const done = new Set<CausingRow>()
  const visit = (row: CausingRow, way: readonly CausingRow[], links: readonly (readonly Caused[])[]) => {
    const at = way.indexOf(row)
    if (at >= 0) {
      const circle = way.slice(at)
      const closing = links.slice(at)
      const isCertain = closing.every(link => link.some(({ certain }) => certain))
      const endless = isCertain && circle.every(({ conditional }) => !conditional)
      if (!isUsedUp(closing)) found.push({ cells: circle.map(({ cell }) => cell), endless })
      return
    }
    if (done.has(row)) return
    for (const { next, caused } of after.get(row)!) visit(next, [...way, row], [...links, caused])
    done.add(row)
  }
  for (const row of rows) visit(row, [], [])
  return found
}

/** Each time round a record is deleted, and none is created: it ends with the last of them. */
const isUsedUp = (links: readonly (readonly Caused[])[]): boolean =>
  links.some(link => link.every(({ event }) => event.startsWith('deleted '))) &&
  !links.flat().some(({ event }) => event.startsWith('created '))

function rowsOf(app: App): readonly CausingRow[] {
  const steps = [...app.workflows.values()].flatMap(({ entity, transitions }) =>
    transitions.map((step): CausingRow => {
      const event = `${entity} does ${step.key}`
      const moved = ['state', ...step.asks.map(({ field }) => field)].map(key => `${entity}.${key}`)
      const to = isUnspecified(step.to) ? {} : { state: step.to }
      return {
        cell: step.cell,
        conditional: true,
        isCausedBy: one => one.event === event,
        causes: [...moved.map(one => ({ ...perhaps(one), ...to })), ...causedBy(app, step.then, entity)],
      }
    }),
  )
  const effects = app.effects.map((effect): CausingRow => {
    const causes = causedBy(app, effect.then, effect.entity)
    const ended = endedBy(effect)
    return {
      cell: effect.cell,
      conditional: effect.when !== null,
      isCausedBy: ({ event, state }) =>
        occasions(app, effect).some(one => one === event || (one.endsWith('.') && event.startsWith(one))) &&
        !(state !== undefined && event.startsWith(`${effect.entity}.`) && fails(effect, 'state', state)),
      // What its own sets make untrue does not bring it back.
      causes: causes.filter(({ event }) => !ended.has(event)),
    }
  })
  return [...steps, ...effects]
}

/** Events that make an effect happen; one that ends with a dot stands for every field. */
function occasions(app: App, { entity, on, when }: Effect): readonly string[] {
  return on.flatMap(one => {
    if (one === 'created' || one === 'deleted') return [`${one} ${entity}`]
    if (one !== 'changed') return [`${entity} does ${one}`]
    const read = when === null || isUnspecified(when) ? [] : readsOf(app, entity, when)
    return read.length === 0 ? [`${entity}.`] : read.map(key => `${entity}.${key}`)
  })
}

function readsOf(app: App, entity: string, expression: Expression, seen = new Set<string>()): readonly string[] {
  const { fields } = app.schema.get(entity)!
  for (const read of expression.reads) {
    const key = read.replace(/^(?:old|this)\./, '').split('.')[0]!
    const field = fields.get(key)
    if (field === undefined || seen.has(key)) continue
    seen.add(key)
    const computed = field.computed?.() ?? null
    if (computed !== null) readsOf(app, entity, computed, seen)
  }
  return [...seen]
}

function causedBy(app: App, acts: readonly Act[], entity: string): readonly Caused[] {
  return acts.flatMap((act): readonly Caused[] => {
    const changed = (of: string, field: string) => [`${of}.${field}`, ...listOf(app, of)].map(perhaps)
    switch (act.kind) {
      case 'set':
        return act.values.flatMap(({ field }) => changed(act.of?.entity ?? entity, field))
      case 'go to':
        return changed(entity, 'state')
      case 'assign':
        return changed(entity, act.field)
      case 'create': {
        const [, ...inside] = createdWith(act)
        return [
          { event: `created ${act.entity}`, certain: true },
          ...[...listOf(app, act.entity), ...inside.map(row => `created ${row.entity}`)].map(perhaps),
        ]
      }
      case 'delete': {
        const gone = [act.of.entity, ...rowsOfEntity(app, act.of.entity)].map(one => `deleted ${one}`)
        return [...gone, ...listOf(app, act.of.entity)].map(perhaps)
      }
      case 'do':
        return [perhaps(`${act.on.entity} does ${act.step}`)]
      case 'for each':
        return causedBy(app, act.acts, act.of.entity).map(({ event }) => perhaps(event))
      default:
        return []
    }
  })
}

const perhaps = (event: string): Caused => ({ event, certain: false })

/** The list that rows of an entity stand in, as the event that its record changes with them, `loan.lines`, and the one that this is in. */
function listOf(app: App, entity: string): readonly string[] {
  const parent = app.entities.get(entity)!.partOf
  if (parent === null) return []
  const own = app.entities
    .get(parent)!
    .fields.flatMap(({ key, type }) => (type.kind === 'list' && type.entity === entity ? [`${parent}.${key}`] : []))
  return [...own, ...listOf(app, parent)]
}

/** Entities of the rows that go with a record, and of theirs. */
const rowsOfEntity = (app: App, entity: string): readonly string[] =>
  [...app.entities.values()].flatMap(({ key, partOf }) => (partOf === entity ? [key, ...rowsOfEntity(app, key)] : []))

/** Whether the When of an effect cannot hold of a record with this value. */
const fails = ({ when }: Effect, key: string, value: Wire): boolean =>
  when !== null &&
  !isUnspecified(when) &&
  evaluate(when, {
    row: { [key]: value },
    old: null,
    me: null,
    my: null,
    today: '2000-01-01',
    now: '2000-01-01T00:00:00.000Z',
    limits: {},
    related: () => undefined,
    partial: true,
  }) === false

/** Fields that an effect sets so that its own When does not hold any more: `not flagged` and `set flagged = yes`. */
function endedBy(effect: Effect): ReadonlySet<string> {
  const ended = new Set<string>()
  for (const [key, value] of effect.then.flatMap(knownAfter))
    if (fails(effect, key, value)) ended.add(`${effect.entity}.${key}`)
  return ended
}

/** What an act makes of its own record, where the document says the value. */
function knownAfter(act: Act): readonly (readonly [key: string, value: Wire])[] {
  if (act.kind === 'go to') return [['state', act.state]]
  if (act.kind !== 'set' || act.of !== null) return []
  return act.values.flatMap(({ field, value: { root } }) => (root.op === 'literal' ? [[field, root.value]] : []))
}
