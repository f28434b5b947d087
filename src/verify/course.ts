/**
 * What acts write into other records, one after the other: those inside of `for each` once for each of its records, each of them on what
 * the ones before it have left.
 */
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { RecordValue, Wire } from '../expression/type.ts'
import { createdWith, isOwn as isOwnAct, leaves, withInner } from '../headings/4-states/all-acts.ts'
import type { Act, Target, Transition } from '../headings/4-states/model.ts'
import type { App } from '../headings/app.ts'
import { specified } from '../headings/specified.ts'
import { worthAsHeld } from './answers.ts'
import { type Asked, namedBy, recordsOf, worth } from './judge.ts'
import type { Frame, Value } from './oracle/values.ts'
import type { World } from './world.ts'

/** Another record that an act writes, and what stands there then; null: it is gone. */
export interface Other {
  readonly entity: string
  readonly id: string
  readonly values: RecordValue | null
}

/** An act, with what its expressions are asked against. */
export interface Occurrence {
  readonly act: Exclude<Act, { readonly kind: 'for each' }>
  readonly asked: Asked
  readonly others: readonly Other[]
}

/** `isKnown`: that is all that becomes of it. */
export interface Course {
  readonly world: World
  readonly occurred: readonly Occurrence[]
  readonly isKnown: boolean
}

/** Whom acts are about. `isOwn`: the record itself, whose own values are told apart; else it is one of several. */
export interface About {
  readonly app: App
  readonly asked: (world: World) => Asked
  readonly isOwn: boolean
  readonly given: ReadonlyMap<string, Value>
}

/**
 * Nothing has happened yet: what these acts write stands as it `stood`, all else as it is by now.
 */
export function begin(acts: readonly Act[], world: World, stood: World): Course {
  const written = acts.flatMap(withInner).flatMap(act => writtenBy(act))
  return { world: world.besides(stood, new Set(written)), occurred: [], isKnown: true }
}

function writtenBy(act: Act): readonly string[] {
  if (act.kind === 'create') return createdWith(act).map(({ entity }) => entity)
  if (act.kind === 'do') return [act.on.entity]
  if ((act.kind === 'set' || act.kind === 'delete') && act.of !== null) return [act.of.entity]
  return act.kind === 'for each' && act.acts.some(inner => isOwnAct(inner)) ? [act.of.entity] : []
}

/** What has happened, and then these acts. */
export function courseOf(course: Course, acts: readonly Act[], about: About): Course {
  let [so, given] = [course, about.given]
  for (const act of acts) {
    const asked = { ...about.asked(so.world), given }
    if (act.kind === 'for each') so = withEach(so, act, { ...about, given }, asked)
    else {
      if (act.kind === 'let') given = withName(given, act.name, namedBy(act.value.cell.text, asked)?.value)
      so = withAct(so, act, about, asked)
    }
  }
  return so
}

const withName = (given: About['given'], name: string | null, value: Value | undefined): About['given'] =>
  name === null || value === undefined ? given : new Map(given).set(name, value)

type Each = Extract<Act, { readonly kind: 'for each' }>

function withEach(course: Course, { name, of, acts }: Each, about: About, asked: Asked): Course {
  const frames = recordsFor(of, asked)
  if (frames === null) return { ...course, isKnown: false }
  return frames.reduce((so, frame) => {
    const given = withName(about.given, name, { is: 'record', entity: frame.entity, of: String(frame.record.id) })
    const inside = {
      app: about.app,
      asked: (world: World) => askedOf(world, frame, asked),
      isOwn: false,
      given,
    }
    return courseOf(so, acts, inside)
  }, course)
}

/** About one of several records; `this` stays the one that it happens with. */
export function askedOf(world: World, { entity, record }: Frame, outer: Asked | null): Asked {
  const row = world.record(entity, String(record.id)) ?? (record as RecordValue)
  const asked = world.environment(entity, row)
  // Without a record around it, it is `this` itself.
  if (outer === null || outer.alone) return asked
  const self: Frame = outer.self ?? { entity: outer.entity, record: outer.row as Frame['record'], up: null }
  return { ...asked, me: outer.me, my: outer.my, self }
}

/** Null: it cannot be told. */
export function recordsFor(of: Target, asked: Asked): readonly Frame[] | null {
  if (of.kind === 'records') return recordsOf(of.cell.text, asked)
  if (of.kind === 'itself') return [{ entity: asked.entity, record: asked.row as Frame['record'], up: null }]
  const found = worth(of.path, asked)
  if (found === NOT_LOADED) return null
  const frames = [found].flat().flatMap(id => {
    const record = typeof id === 'string' ? asked.about.record(of.entity, id) : undefined
    return record === undefined ? [] : [{ entity: of.entity, record, up: null }]
  })
  return frames.length === [found].flat().filter(id => id !== null).length ? frames : null
}

function withAct(course: Course, act: Occurrence['act'], about: About, asked: Asked): Course {
  const others = othersOf(act, about, asked)
  if (others === null) return { ...course, isKnown: false }
  return {
    world: others.reduce(
      (so, { entity, id, values }) => (values === null ? so.without(entity, id) : so.supposing(entity, id, values)),
      course.world,
    ),
    occurred: [...course.occurred, { act, asked, others }],
    isKnown: course.isKnown && isFollowedNowhere(act, about, asked),
  }
}

/** Nothing follows from what it writes that is not gone through here. */
function isFollowedNowhere(act: Occurrence['act'], { app, isOwn }: About, asked: Asked): boolean {
  if (act.kind === 'let') return true
  // What leaves about others is told with them.
  if (leaves(act)) return isOwn
  if (act.kind === 'go to' || (act.kind === 'set' && act.of === null)) return isOwn || !isFollowed(app, asked.entity)
  if (act.kind === 'set') return !isFollowed(app, act.of!.entity)
  if (act.kind === 'create') return !isFollowed(app, act.entity)
  if (act.kind === 'delete') return !isReferredTo(app, act.of.entity) && !isFollowed(app, act.of.entity)
  if (act.kind !== 'do' || (isOwn && act.on.entity === asked.entity)) return false
  return stepOf(app, act) !== null && !isFollowed(app, act.on.entity)
}

/** Where others name it, more goes than itself, or it stays. */
const isReferredTo = ({ entities }: App, entity: string): boolean =>
  [...entities.values()].some(({ fields }) =>
    fields.some(({ type }) => type.kind === 'reference' && type.entity === entity),
  )

const isFollowed = (app: App, entity: string): boolean => {
  const above = app.entities.get(entity)?.partOf ?? null
  const isOne = app.effects.some(effect => effect.entity === entity && !effect.then.every(leaves))
  return isOne || (above !== null && isFollowed(app, above))
}

/** The one row of a step that is taken of another record, where it does nothing more than leading on. */
function stepOf(app: App, { on, step }: Extract<Act, { kind: 'do' }>): Transition | null {
  const [row, ...others] = (app.workflows.get(on.entity)?.transitions ?? []).filter(({ key }) => key === step)
  return row !== undefined && others.length === 0 && row.then.every(act => leaves(act)) ? row : null
}

/** Empty: it writes no other record. Null: it cannot be told which, or what. */
function othersOf(act: Occurrence['act'], { app, isOwn }: About, asked: Asked): readonly Other[] | null {
  const own = { entity: asked.entity, id: String(asked.row.id) }
  if (act.kind === 'go to') return isOwn ? [] : [{ ...own, values: { state: act.state } }]
  if (act.kind === 'set' && act.of === null)
    return isOwn ? [] : [{ ...own, values: valuesOf(app, own.entity, act, asked) }]
  const target = act.kind === 'set' || act.kind === 'delete' ? act.of : act.kind === 'do' ? act.on : null
  if (target === null || (target.kind === 'itself' && isOwn)) return act.kind === 'delete' ? null : []
  const frames = recordsFor(target, asked)
  if (frames === null) return act.kind === 'delete' ? null : []
  const { entity } = target
  const values = (): RecordValue | null => {
    if (act.kind === 'set') return valuesOf(app, entity, act, asked)
    const to = act.kind === 'do' ? specified(stepOf(app, act)?.to ?? null) : null
    return act.kind === 'delete' ? null : to === null ? {} : { state: to }
  }
  return frames.map(({ record }) => ({ entity, id: String(record.id), values: values() }))
}

function valuesOf(app: App, entity: string, act: Extract<Act, { kind: 'set' }>, asked: Asked): RecordValue {
  const { fields } = app.entities.get(entity)!
  const known = act.values.flatMap(({ field: key, value }) => {
    const field = fields.find(one => one.key === key)
    const wire = worthAsHeld(field, value, asked)
    return field === undefined || wire === NOT_LOADED || field.kind === 'list of' ? [] : [[key, wire as Wire] as const]
  })
  return Object.fromEntries(known)
}
