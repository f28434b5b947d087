/** What a step, a timer or a new record brings about, as heading 4 says it, with what follows from it. */
import type { Cell } from '../document/source.ts'
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { RecordValue } from '../expression/type.ts'
import { leaves } from '../headings/4-states/all-acts.ts'
import type { Act, AskedField, Effect, Transition } from '../headings/4-states/model.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified, specified } from '../headings/specified.ts'
import { worthAsHeld } from './answers.ts'
import type { Player } from './client.ts'
import { type Asked, worth } from './judge.ts'
import type { Case, Trial } from './trial.ts'
import type { World } from './world.ts'

export interface Happening {
  readonly cell: Cell
  /** Of the step; `created`; null: a timer. */
  readonly key: string | null
  readonly to: string | null
  readonly asks: readonly AskedField[]
  readonly acts: readonly Act[]
}

/** What stood there before. */
export interface Before {
  readonly known: Case
  /** What stood there, that of others included. */
  readonly stood: World
  readonly player: Player
  readonly entries: number
  readonly left: ReadonlySet<string>
}

export interface Taken {
  readonly trial: Trial
  readonly before: Before
  /** With the acts of the effects that follow. */
  readonly branch: Happening
  readonly world: World
  readonly after: RecordValue
  /** The same, with others as the document says that they are then. */
  readonly course: World
  /** All that follows from it is known, and writes this record alone. */
  readonly isAlone: boolean
}

/** It writes this record, one of `entity`, alone, or others from which nothing follows. A step of another of its entity may be its own. */
function isOwn(app: App, entity: string, act: Act): boolean {
  if (leaves(act) || act.kind === 'go to' || act.kind === 'let') return true
  if (act.kind === 'set') return act.of === null || !isFollowed(app, act.of.entity)
  if (act.kind === 'create') return !isFollowed(app, act.entity)
  if (act.kind !== 'do' || act.on.kind !== 'path' || act.on.entity === entity) return false
  return !isFollowed(app, act.on.entity) && stepOf(app, act) !== null
}

/** The one row of a step that is taken of another record, where it does nothing more than leading on. */
function stepOf(app: App, { on, step }: Extract<Act, { kind: 'do' }>): Transition | null {
  const [row, ...others] = (app.workflows.get(on.entity)?.transitions ?? []).filter(({ key }) => key === step)
  return row !== undefined && others.length === 0 && row.then.every(act => leaves(act)) ? row : null
}

const isFollowed = (app: App, entity: string): boolean => effectsOf(app, entity).some(({ then }) => !then.every(leaves))

/** It, with the acts of the effects whose When holds when it is their turn. */
export function takenOf(trial: Trial, before: Before, happening: Happening, world: World, after: RecordValue): Taken {
  const { app, judged } = trial.site
  const isIn = (act: Act) => isOwn(app, trial.entity.key, act)
  const asked = (course: World): Asked => ({
    ...course.environment(trial.entity.key, after),
    old: before.known.record,
  })
  const effects = effectsOf(app, trial.entity.key)
  const acts = [...happening.acts]
  const others = [...acts, ...effects.flatMap(({ then }) => then)].flatMap(act => otherOf(app, act, asked(world)) ?? [])
  // Others stand as they stood, until an act writes them.
  const stood = others.reduce((so, { entity, id }) => {
    const was = before.stood.record(entity, id)
    return was === undefined ? so : so.supposing(entity, id, was)
  }, world)
  let course = acts.reduce((so, act) => writtenBy(app, act, so, asked(so)), stood)
  let isAlone = acts.every(isIn)
  for (const effect of effects) {
    const isIts = happening.key !== null && effect.on.includes(happening.key)
    if (!isIts && !effect.on.includes('changed')) continue
    const holds = effect.when === null ? true : isUnspecified(effect.when) ? null : worth(effect.when, asked(course))
    if (typeof holds !== 'boolean' && holds !== null) isAlone = false
    // What it sets may be what its When reads.
    const isPlain = isIts && effect.then.every(act => isIn(act) && !(act.kind === 'set' && act.of === null))
    if (holds === true && !isPlain) isAlone = false
    if (isIts && isAlone) judged.in(effect.cell, 'On', 'Of', 'When')
    if (!isIts || holds !== true) continue
    acts.push(...effect.then)
    course = effect.then.reduce((so, act) => writtenBy(app, act, so, asked(so)), course)
  }
  return { trial, before, branch: { ...happening, acts }, world, after, course, isAlone }
}

interface Other {
  readonly entity: string
  readonly id: string
  readonly values: RecordValue
}

/** The other record that an act writes, and what stands there then; null: it writes none, or it cannot be told which. */
export function otherOf(app: App, act: Act, asked: Asked): Other | null {
  const target = act.kind === 'do' ? act.on : act.kind === 'set' ? act.of : null
  if (target?.kind !== 'path') return null
  const { entity } = target
  const id = worth(target.path, asked)
  if (typeof id !== 'string') return null
  if (act.kind === 'do') {
    const to = specified(stepOf(app, act)?.to ?? null)
    return { entity, id, values: to === null ? {} : { state: to } }
  }
  const { fields } = app.entities.get(entity)!
  const values = (act.kind === 'set' ? act.values : []).flatMap(({ field: key, value }) => {
    const field = fields.find(one => one.key === key)
    const wire = worthAsHeld(field, value, asked)
    return field === undefined || wire === NOT_LOADED || field.kind === 'list of' ? [] : [[key, wire] as const]
  })
  return { entity, id, values: Object.fromEntries(values) }
}

function writtenBy(app: App, act: Act, course: World, asked: Asked): World {
  const other = otherOf(app, act, asked)
  return other === null ? course : course.supposing(other.entity, other.id, other.values)
}

/** More than mails and calls may follow from a step. */
export const isFollowedBy = (app: App, entity: string, step: string): boolean =>
  effectsOf(app, entity).some(({ on, then }) => (on.includes(step) || on.includes('changed')) && !then.every(leaves))

const effectsOf = ({ effects }: App, entity: string): readonly Effect[] =>
  effects.filter(effect => effect.entity === entity)

export const stateAfter = ({ branch }: Taken): string | null =>
  branch.acts.reduce((state, act) => (act.kind === 'go to' ? act.state : state), branch.to)
