/** What a step, a timer or a new record brings about, as heading 4 says it, with what follows from it. */
import type { Cell } from '../document/source.ts'
import type { RecordValue } from '../expression/type.ts'
import { leaves } from '../headings/4-states/all-acts.ts'
import type { Act, AskedField, Effect } from '../headings/4-states/model.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified } from '../headings/specified.ts'
import type { Player } from './client.ts'
import { type About, begin, type Course, courseOf } from './course.ts'
import { worth } from './judge.ts'
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
  /** What becomes of others, as the document says it. */
  readonly course: Course
  /** All that follows from it is known, and writes this record alone. */
  readonly isAlone: boolean
}

/** It, with the acts of the effects whose When holds when it is their turn. */
export function takenOf(trial: Trial, before: Before, happening: Happening, world: World, after: RecordValue): Taken {
  const { app, judged } = trial.site
  const { key: entity } = trial.entity
  const effects = effectsOf(app, entity)
  const acts = [...happening.acts]
  const about: About = {
    app,
    asked: course => ({ ...course.environment(entity, after), old: before.known.record }),
    isOwn: true,
    given: new Map(),
  }
  const all = [...acts, ...effects.flatMap(({ then }) => then)]
  let course = courseOf(begin(all, world, before.stood), acts, about)
  let { isKnown } = course
  for (const effect of effects) {
    const isIts = happening.key !== null && effect.on.includes(happening.key)
    if (!isIts && !effect.on.includes('changed')) continue
    const asked = { ...course.world.environment(entity, after), old: before.known.record }
    const holds = effect.when === null ? true : isUnspecified(effect.when) ? null : worth(effect.when, asked)
    if (typeof holds !== 'boolean' && holds !== null) isKnown = false
    // What it sets may be what its When reads.
    const isPlain = isIts && !effect.then.some(act => act.kind === 'set' && act.of === null)
    if (holds === true && !isPlain) isKnown = false
    if (isIts && isKnown) judged.in(effect.cell, 'On', 'Of', 'When')
    if (!isIts || holds !== true) continue
    acts.push(...effect.then)
    course = courseOf(course, effect.then, about)
    isKnown &&= course.isKnown
  }
  return { trial, before, branch: { ...happening, acts }, world, after, course, isAlone: isKnown }
}

/** More than mails and calls may follow from a step. */
export const isFollowedBy = (app: App, entity: string, step: string): boolean =>
  effectsOf(app, entity).some(({ on, then }) => (on.includes(step) || on.includes('changed')) && !then.every(leaves))

const effectsOf = ({ effects }: App, entity: string): readonly Effect[] =>
  effects.filter(effect => effect.entity === entity)

export const stateAfter = ({ branch }: Taken): string | null =>
  branch.acts.reduce((state, act) => (act.kind === 'go to' ? act.state : state), branch.to)
